"""Reading what was named on the command line to its end: a journal, or another tool's session."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from spanscope.cli.errors import CommandError
from spanscope.cli.journals import STDIN, no_journal
from spanscope.cli.output import complain
from spanscope.history.audited import Audited, audit_file, audit_pieces
from spanscope.history.history import History, load
from spanscope.importers.foreign import foreign_source
from spanscope.journal.files import open_journal, read_pieces
from spanscope.journal.reader import DEFAULT_MAX_LINE
from spanscope.journal.sessions import is_live

if TYPE_CHECKING:
    from spanscope.importers.source import StreamSource


def read_history(path: str, max_line: int | None) -> History:
    """The history of a journal, or of a session in a format that `import` knows.

    `-` is standard input, which holds either. A file whose writer lives is read up to its size
    now, and is not called torn. Says so where no line of it is a header or an event. Raises
    JournalError where it can't be read.
    """
    cap = DEFAULT_MAX_LINE if max_line is None else max_line
    if path != STDIN and is_live(path) is not None:
        return load(path, max_line=cap, until=_size(path), live=True)
    history = _read(path, cap)
    if history.session is None and not len(history):
        complain(f"{no_journal(path)}: `spanscope check` says what is wrong with it")
    return history


def _read(path: str, cap: int) -> History:
    if path == STDIN:
        return _fed(standard_input().journal(), cap)
    source = foreign_source(path)
    return load(path, max_line=cap) if source is None else _fed(source.journal(), cap)


def _fed(journal: Iterator[bytes], max_line: int) -> History:
    history = History(max_line)
    for piece in journal:
        history.feed(piece)
    history.finish()
    return history


def read_audited(path: str, max_line: int | None) -> Audited:
    """A journal judged to its end; `-` is standard input. As `read_history` in all else."""
    cap = DEFAULT_MAX_LINE if max_line is None else max_line
    if path == STDIN:
        return audit_pieces(standard_input().journal(), max_line=cap)
    if is_live(path) is not None:
        return audit_file(path, max_line=cap, until=_size(path), live=True)
    source = foreign_source(path)
    if source is not None:
        return audit_pieces(source.journal(), max_line=cap)
    return audit_file(path, max_line=cap)


def read_whole(path: str) -> tuple[bytes, bool]:
    """The journal as bytes, and whether its writer lives. As `read_history` in all else."""
    if path == STDIN:
        return b"".join(standard_input().journal()), False
    live = is_live(path) is not None
    source = None if live else foreign_source(path)
    if source is not None:
        return b"".join(source.journal()), False
    with open_journal(path) as file:
        return b"".join(read_pieces(file, path, 1 << 20, _size(path) if live else None)), live


def standard_input() -> StreamSource:
    """What comes through standard input. Raises CommandError where it is closed."""
    if sys.stdin is None:
        raise CommandError("standard input is closed: name a journal, or send one to it")
    from spanscope.importers.source import StreamSource

    return StreamSource(read_pieces(sys.stdin.buffer, "standard input", 1 << 20, None))


def _size(path: str) -> int | None:
    try:
        return Path(path).stat().st_size
    except OSError:
        # Gone since: opening it says so.
        return None
