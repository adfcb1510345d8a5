"""Going back: what a source says is in the context after a rewind, as a rollback.

Where the undo stack by itself leads there, the journal says only how many steps it were. Where it
does not, or can't be told to, the rollback carries the edits that were really done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spanscope.importers.builder import JournalBuilder, Wanted, ingest_edit
from spanscope.journal import events
from spanscope.journal.parts import AnyEdit, PruneEdit, RewriteEdit
from spanscope.model.rollback import expect, select
from spanscope.model.undo import Entry, entry_sound


def roll_back(
    builder: JournalBuilder, store: str, wanted: Sequence[Wanted], meta: dict[str, Any]
) -> None:
    """Roll the store back to the wanted spans.

    What the rollback can't bring back, because its coming was undone itself, is ingested again.
    """
    floor = _floor(builder, wanted)
    named = builder.entries_above(floor, store)
    if named and not _is_there(builder, store, wanted):
        _roll_back(builder, store, wanted[: _reach(builder, wanted, floor)], named, meta)
    _bring_back(builder, store, wanted)


def _floor(builder: JournalBuilder, wanted: Sequence[Wanted]) -> int:
    """The newest entry that brought one in, up to the first whose coming was undone."""
    floor = 0
    for span in wanted:
        seq = builder.entered(span.span)
        if seq is None or builder.state.entry(seq) is None:
            break
        floor = max(floor, seq)
    return floor


def _is_there(builder: JournalBuilder, store: str, wanted: Sequence[Wanted]) -> bool:
    """Whether nothing has to leave the store."""
    names = {span.span for span in wanted}
    return all(name in names for name in builder.order(store))


def _reach(builder: JournalBuilder, wanted: Sequence[Wanted], floor: int) -> int:
    """How many of the wanted spans came in at or before an event."""
    count = 0
    for span in wanted:
        if (builder.entered(span.span) or 0) > floor:
            break
        count += 1
    return count


def _roll_back(
    builder: JournalBuilder,
    store: str,
    wanted: Sequence[Wanted],
    named: list[Entry],
    meta: dict[str, Any],
) -> None:
    target = [span.span for span in wanted]
    fields: dict[str, Any] = {"steps": len(named), "stores": [store], "meta": meta}
    others = _not_listed(builder, store, target)
    if all(entry_sound(entry) for entry in named) and _expected(builder, store, fields) == target:
        builder.add(events.Rollback, **fields)
        return
    edits: list[AnyEdit] = [PruneEdit(span=name) for name in others]
    previous = None
    for span in wanted:
        now = builder.live(span.span)
        if now is None:
            edits.append(ingest_edit(span, store=store, after=previous))
        elif now.text != span.content:
            edits.append(RewriteEdit(span=span.span, content=span.content, op="rewind"))
        previous = span.span
    builder.add(events.Rollback, edits=edits, **fields)


def _not_listed(builder: JournalBuilder, store: str, target: list[str]) -> list[str]:
    names = set(target)
    return [name for name in builder.order(store) if name not in names]


def _expected(builder: JournalBuilder, store: str, fields: dict[str, Any]) -> list[str] | None:
    """The store's live spans as the undo stack says they were; null where it can't say."""
    event = events.Rollback(seq=builder.seq + 1, time="", **fields)
    undoing = select(builder.state, event, [])
    draft = expect(builder.state, undoing, event.seq, event.actor)
    if draft is None:
        return None
    spans = (draft.get(name) for name in draft.order)
    return [span.span for span in spans if span is not None and span.store == store]


def _bring_back(builder: JournalBuilder, store: str, wanted: Sequence[Wanted]) -> None:
    previous: str | None = None
    for span in wanted:
        if builder.live(span.span) is None:
            builder.ingest(span, store=store, after=previous)
        previous = span.span
