"""What a selective undo did to one span: its edits made again, without those that were undone."""

from __future__ import annotations

from dataclasses import dataclass

from spanscope.journal.events import Rollback
from spanscope.plain.texts import Remade, Text
from spanscope.plain.world import Buffer, Moment, Step


def edits_text(step: Step, name: str) -> bool:
    """Whether a step put another text in the place of a span's; one brought in over it does too."""
    in_place = step.kind in {"rewrite", "splice", "observe"}
    over = step.kind == "ingest" and name in step.before.spans
    return step.span == name and (in_place or over)


@dataclass(frozen=True)
class Redoing:
    """The edits of a span from the oldest undone one on, each with what it became.

    That is null for an undone one. `texts` are what the edits left, with and without those.
    """

    edits: tuple[tuple[Step, Step | None], ...]
    texts: Remade


def redoing(moment: Moment, name: str) -> Redoing | None:
    """How an event made edits of a span again; null where it was no selective undo of any."""
    if not isinstance(moment.event, Rollback) or moment.event.edits is not None:
        return None
    if not moment.undone:
        return None
    edits = _edits(moment, name)
    undone = [again is None for _, again in edits]
    if all(undone) or not any(undone):
        return None
    was = [_text(edits[0][0].before, name)]
    now = was[:]
    for step, again in edits:
        if _text(step.before, name) != was[-1]:
            return None
        if again is not None and _text(again.before, name) != now[-1]:
            # It was not made again: nobody knows whether the others were undone.
            return None
        was.append(_text(step.after, name))
        now.append(now[-1] if again is None else _text(again.after, name))
    ends = (_text(moment.before.buffer, name), _text(moment.after.buffer, name))
    if ends != (was[-1], now[-1]) or None in was or None in now:
        return None
    return Redoing(edits, Remade(tuple(t or () for t in was), tuple(t or () for t in now)))


def _edits(moment: Moment, name: str) -> tuple[tuple[Step, Step | None], ...]:
    oldest = min(entry.seq for entry in moment.undone)
    undone = {entry.seq for entry in moment.undone}
    stands = {entry.seq: entry.steps for entry in moment.after.stack}
    return tuple(
        (step, None if entry.seq in undone else stands[entry.seq][number])
        for entry in moment.before.stack
        if entry.seq >= oldest and (entry.seq in undone or entry.seq in stands)
        for number, step in enumerate(entry.steps)
        if edits_text(step, name)
    )


def _text(buffer: Buffer, name: str) -> Text | None:
    span = buffer.spans.get(name)
    return None if span is None else span.text
