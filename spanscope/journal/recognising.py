"""Which files are journals, by their content."""

from __future__ import annotations

import re

from spanscope.journal.errors import shown
from spanscope.journal.events import Unknown
from spanscope.journal.files import StrPath, open_journal, read_pieces
from spanscope.journal.lines import BOM, LineError, decode_event

_HEADER = re.compile(rb'"format"\s*:\s*"spanscope\.journal/')
_LOOK = 1 << 20


def is_journal(path: StrPath) -> bool:
    """Whether a file holds a journal, by its content: a header, or events without one.

    Raises JournalError where it can't be read.
    """
    with open_journal(path) as stream:
        start = b"".join(read_pieces(stream, shown(path), _LOOK, _LOOK))
    return starts_journal(start)


def starts_journal(start: bytes) -> bool:
    """Whether a journal begins so."""
    lines = start.removeprefix(BOM).split(b"\n")
    return bool(_HEADER.search(lines[0])) or any(map(_is_event, lines))


def _is_event(line: bytes) -> bool:
    """Whether a line is an event of a type that a journal has."""
    line = line.removesuffix(b"\r")
    try:
        return b'"seq"' in line and not isinstance(decode_event(line), Unknown)
    except LineError:
        return False
