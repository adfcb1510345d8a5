"""Reading a journal that was named on the command line, to its end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

from spanscope.cli.errors import CommandError
from spanscope.cli.journals import STDIN
from spanscope.history.history import History, load
from spanscope.journal.reader import DEFAULT_MAX_LINE
from spanscope.journal.sessions import is_live


def read_history(path: str, max_line: int | None) -> History:
    """The history of a journal; `-` is standard input.

    A file whose writer lives is read up to its size now, and is not called torn. Raises
    JournalError where it can't be read.
    """
    cap = DEFAULT_MAX_LINE if max_line is None else max_line
    if path == STDIN:
        return load(_standard_input(), max_line=cap)
    if is_live(path) is None:
        return load(path, max_line=cap)
    return load(path, max_line=cap, until=_size(path), live=True)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise CommandError("standard input is closed: name a journal, or send one to it")
    return sys.stdin.buffer


def _size(path: str) -> int | None:
    try:
        return Path(path).stat().st_size
    except OSError:
        # Gone since: opening it says so.
        return None
