"""What the plain audit, which shares no code with the engine, makes of a journal."""

from __future__ import annotations

from pathlib import Path

from spanscope.journal.reader import read_journal
from spanscope.plain.audit import findings
from spanscope.plain.reading import Told, read
from spanscope.plain.texts import string


def told_by(path: Path) -> Told:
    """The journal as the plain audit reads and replays it."""
    return read(list(read_journal(path)))


def contents_of(told: Told) -> list[tuple[str, str | None]]:
    """(id, text) of the live spans in order, after the last event."""
    if not told.moments:
        return []
    buffer = told.moments[-1].after.buffer
    texts = [(name, buffer.spans[name].text) for name in buffer.order]
    return [(name, None if text is None else string(text)) for name, text in texts]


def complaints(told: Told) -> list[str]:
    """The rules of what it finds above info."""
    return [found.rule for found in findings(told) if found.severity != "info"]
