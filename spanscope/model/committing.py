"""A draft taken over as the next state: the revision, the undo entry, what an abort needs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from spanscope.journal.events import Event, Observe
from spanscope.journal.parts import Inverse
from spanscope.model.effects import Effect
from spanscope.model.spans import Doubt
from spanscope.model.state import BufferState, LastChange, OrderStep
from spanscope.model.transaction import Transaction
from spanscope.model.undo import Entry, Part, recorded


def commit(
    state: BufferState, draft: Transaction, effect: Effect, *, entry: Entry | None = None
) -> None:
    """Take the draft over; `entry` is what goes onto the undo stack."""
    effect.spans = draft.changes()
    effect.problems += draft.problems
    effect.order_changed = draft.appended or draft.order != state.order
    effect.content_changed = any(change.counts for change in effect.spans)
    undone = frozenset(name for name in draft.work if name in state.undone_ids)
    remember(state, effect, draft.steps, entry, undone)
    if entry is not None:
        state.used_anew |= {(entry.seq, name) for name in undone}
    if draft.presumed and state.last_change is not None:
        state.last_change.presumed = frozenset(draft.presumed)
    there = {name for name, span in draft.work.items() if not span.gone and span.life_known}
    state.undone_ids -= there
    for span in draft.work.values():
        state.put(span if span.seq == effect.seq else replace(span, seq=effect.seq))
    if draft.steps:
        _take_order(state, draft)


def remember(
    state: BufferState,
    effect: Effect,
    steps: Sequence[OrderStep],
    entry: Entry | None,
    undone: frozenset[str] = frozenset(),
) -> None:
    """Count the revision, push the entry, and keep what an abort would have to put back."""
    # An observation that agrees with the replay is no change.
    if entry is not None or not isinstance(effect.event, Observe):
        state.last_change = LastChange(
            seq=effect.seq,
            spans={
                change.after.span: state.spans.get(change.after.span) for change in effect.spans
            },
            steps=steps,
            pushed=int(entry is not None),
            revision=state.revision,
            undone=undone,
        )
    if effect.changed:
        state.count_revision(effect.seq)
    if entry is not None:
        state.push(entry)
        effect.pushed = entry


def _take_order(state: BufferState, draft: Transaction) -> None:
    appended = draft.steps[0].inserted if draft.appended else None
    if appended is not None:
        state.append_to_order(draft.steps, appended)
    else:
        state.take_order(draft.steps, draft.order)


def make_entry(state: BufferState, draft: Transaction, event: Event, op: str) -> Entry | None:
    """The undo entry of a draft; null where no edit took effect."""
    if not draft.parts:
        return None
    pending = state.pending.get(event.seq, {})
    parts = []
    for part in draft.parts:
        inverse = pending.get(part.edit)
        parts.append(recorded(part, inverse) if inverse and not part.record else part)
    doubts = (_doubt_of(state, part) for part in parts)
    return Entry(
        seq=event.seq,
        op=op,
        actor=event.actor,
        parts=tuple(parts),
        recorded=state.can_record("inverses"),
        doubt=next((doubt for doubt in doubts if doubt is not None), None),
    )


def _doubt_of(state: BufferState, part: Part) -> Doubt | None:
    """Why it can't be told what undoing an edit restores: where a span stood, or what it held."""
    if part.kind == "move":
        return state.doubt
    if part.kind in ("ingest", "copy") or part.before is None:
        return None
    return part.before.doubt


def with_inverse(draft: Transaction, number: int, inverse: Inverse | None) -> None:
    """Give the part its inverse record."""
    if inverse is not None:
        draft.parts[number] = recorded(draft.parts[number], inverse)
