"""Which files are journals, and which of them a path of the command line stands for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from spanscope.cli.errors import CommandError
from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.events import Unknown
from spanscope.journal.files import open_journal
from spanscope.journal.lines import LineError, decode_event

STDIN = "-"

_HEADER = re.compile(rb'"format"\s*:\s*"spanscope\.journal/')
_LOOK = 1 << 20


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
        raise CommandError(f"{shown(path)} holds no journal: name a folder with .jsonl journals")
    return found


def is_journal(path: str) -> bool:
    """Whether a file holds a journal, by its content: a header, or events without one.

    Raises JournalError where it can't be read.
    """
    try:
        with open_journal(path) as stream:
            start = _first_bytes(stream)
    except OSError as error:
        raise JournalError(f"can't read {shown(path)}: {reason(error)}") from error
    lines = start.split(b"\n")
    return bool(_HEADER.search(lines[0])) or any(map(_is_event, lines))


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


def _first_bytes(stream: BinaryIO) -> bytes:
    """The start of an unbuffered file, which may give less than it is asked for."""
    start = b""
    while len(start) < _LOOK and (piece := stream.read(_LOOK - len(start))):
        start += piece
    return start


def _is_event(line: bytes) -> bool:
    """Whether a line is an event of a type that a journal has."""
    line = line.removesuffix(b"\r")
    try:
        return b'"seq"' in line and not isinstance(decode_event(line), Unknown)
    except LineError:
        return False
