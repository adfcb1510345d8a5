"""What the plain audit, which shares no code with the engine, makes of a journal."""

from __future__ import annotations

from pathlib import Path

from spanscope.cli.second_opinion import SecondOpinion, second_opinion
from spanscope.history.audited import audit_pieces
from spanscope.journal.reader import DEFAULT_MAX_LINE, read_journal
from spanscope.plain.audit import findings
from spanscope.plain.reading import Told, read
from spanscope.plain.texts import string
from support.journals import Fields, line, of


def told_by(path: Path) -> Told:
    """The journal as the plain audit reads and replays it."""
    return read(list(read_journal(path)))


def contents_of(told: Told) -> list[tuple[str, str | None]]:
    """(id, text) of the live spans in order, after the last event."""
    if not told.moments:
        return []
    buffer = told.moments_shown[-1].after.buffer
    texts = [(name, buffer.spans[name].text) for name in buffer.order]
    return [(name, None if text is None else string(text)) for name, text in texts]


def complaints(told: Told) -> list[str]:
    """The rules of what it finds above info."""
    return [found.rule for found in findings(told) if found.severity != "info"]


def opinion(journal: bytes) -> SecondOpinion:
    """The engine's verdicts on a recording compared with those of the plain audit."""
    return second_opinion(
        journal,
        audit_pieces([journal]).findings,
        max_line=DEFAULT_MAX_LINE,
        live=False,
        heard=lambda done, events: None,
    )


def differences(*events: Fields) -> list[str]:
    """What the two say differently of these events."""
    header = line(of("session", format="spanscope.journal/1", session="s"))
    lines = [header, *(line(event, seq) for seq, event in enumerate(events, 1))]
    return [found.what for found in opinion(b"".join(lines)).differences]
