"""Which files are journals, and which of them a path of the command line stands for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from spanscope.cli.errors import CommandError
from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.recognising import is_journal

STDIN = "-"


def journals_at(path: str, complain: Callable[[str], None]) -> list[str]:
    """The journals that a path of the command line stands for: itself, or those of a folder.

    Says by `complain` what in a folder can't be looked at. Raises CommandError for a folder
    without a journal.
    """
    # A Path would raise where a folder above is closed; then opening says why.
    if path == STDIN or not os.path.isdir(path):  # noqa: PTH112
        return [path]
    troubles: list[str] = []
    found = list(_journals_in(path, troubles.append))
    for trouble in troubles:
        complain(trouble)
    if not found and not troubles:
        raise CommandError(
            f"{shown(path)} holds no journal (.jsonl): "
            "sessions of other tools are judged where they are named, one by one"
        )
    return found


def no_journal(path: str) -> str:
    """What is said of a file of which no line is a header or an event."""
    name = "standard input" if path == STDIN else shown(path)
    return f"{name} is no buffer journal and no session that `import` knows"


def _journals_in(folder: str, complain: Callable[[str], None]) -> Iterator[str]:
    def refused(error: OSError) -> None:
        complain(f"can't look into {shown(error.filename)}: {reason(error)}")

    for root, folders, names in os.walk(folder, onerror=refused):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(root, name)  # noqa: PTH118 a Path would drop a leading ./
            if not name.endswith(".jsonl") or not os.path.isfile(path):  # noqa: PTH113
                continue
            try:
                wanted = is_journal(path)
            except JournalError as error:
                complain(str(error))
                continue
            if wanted:
                yield path
