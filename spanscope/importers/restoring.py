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
    builder: JournalBuilder,
    store: str,
    wanted: Sequence[Wanted],
    meta: dict[str, Any],
    *,
    stands: int = 0,
) -> None:
    """Roll the store back to the wanted spans.

    What the rollback can't bring back, because its coming was undone itself, is ingested again.
    `stands`: the seq up to which nothing is undone.
    """
    if _undone(builder, store, wanted, {"stores": [store], "meta": meta}, stands):
        return
    floor = max(_floor(builder, wanted), stands)
    reach = wanted[: _reach(builder, wanted, floor)]
    named = builder.entries_above(floor, store)
    if named and not _is_there(builder, store, wanted, reach):
        fields: dict[str, Any] = {"steps": len(named), "stores": [store], "meta": meta}
        _roll_back(builder, store, reach, named, fields)
    elif left_over := _not_listed(builder, store, [span.span for span in wanted]):
        edits = [PruneEdit(span=name) for name in left_over]
        builder.change(edits, "rewind", left_over)
    _bring_back(builder, store, wanted)


def _undone(
    builder: JournalBuilder,
    store: str,
    wanted: Sequence[Wanted],
    fields: dict[str, Any],
    stands: int,
) -> bool:
    """Go back where that only takes out what came last, without a replay; whether it was done."""
    held = [builder.live(span.span) for span in wanted]
    floor = max((builder.entered(span.span) or 0 for span in wanted), default=0)
    floor = max(floor, stands)
    gone = builder.brought_in_since(store, floor)
    if gone is None or [each.text if each else None for each in held] != [
        s.content for s in wanted
    ]:
        return False
    after = set(gone)
    if [name for name in builder.order(store) if name not in after] != [s.span for s in wanted]:
        return False
    if gone:
        builder.undo(gone, steps=len(gone), **fields)
    return True


def undo_brings_back(builder: JournalBuilder, store: str, wanted: Sequence[Wanted]) -> bool:
    """Whether undoing what came after the wanted spans makes them all stand again."""
    floor = _floor(builder, wanted)
    steps = len(builder.entries_above(floor, store))
    if not steps:
        return False
    order = _expected(builder, {"steps": steps, "stores": [store]})
    return order is not None and {span.span for span in wanted} <= set(order)


def _floor(builder: JournalBuilder, wanted: Sequence[Wanted]) -> int:
    """The newest entry that brought one in, up to the first whose coming was undone."""
    floor = 0
    for span in wanted:
        seq = builder.entered(span.span)
        if seq is None or builder.state.entry(seq) is None:
            break
        floor = max(floor, seq)
    return floor


def _is_there(
    builder: JournalBuilder, store: str, wanted: Sequence[Wanted], reach: Sequence[Wanted]
) -> bool:
    """Whether nothing has to leave the store, and nothing to be undone to come back."""
    names = {span.span for span in wanted}
    stays = all(name in names for name in builder.order(store))
    return stays and all(builder.live(span.span) is not None for span in reach)


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
    fields: dict[str, Any],
) -> None:
    target = [span.span for span in wanted]
    order = _expected(builder, fields)
    spans = builder.state.spans
    mine = None if order is None else [name for name in order if spans[name].store == store]
    left_over = _left_over(builder, mine, target)
    if left_over:
        # A rollback leads to where all of them stood: what else has to go is a change of its own.
        whole = _with(builder, mine or [], wanted)
        _roll_back(builder, store, whole, named, fields)
        builder.change([PruneEdit(span=name) for name in left_over], "rewind", left_over)
        return
    as_expected = mine == target
    if as_expected and all(entry_sound(entry) for entry in named):
        builder.add(events.Rollback, **fields)
        return
    others = _not_listed(builder, store, target)
    edits: list[AnyEdit] = [PruneEdit(span=name) for name in others]
    ahead = dict(zip(order[1:], order, strict=False)) if order and as_expected else {}
    previous = None
    for span in wanted:
        now = builder.live(span.span)
        if now is None:
            after = ahead.get(span.span, previous)
            known = span.answers in builder.spans or any(span.answers == w.span for w in wanted)
            came = span if known else span._replace(answers=None)
            edits.append(ingest_edit(came, store=store, after=after))
        elif now.text != span.content:
            edits.append(RewriteEdit(span=span.span, content=span.content, op="rewind"))
        previous = span.span
    builder.add(events.Rollback, edits=edits, **fields)


def _left_over(builder: JournalBuilder, mine: list[str] | None, target: list[str]) -> list[str]:
    """The spans that an undo leaves beside all wanted ones, as where a compaction kept them."""
    names = set(target)
    if mine is None or [name for name in mine if name in names] != target:
        return []
    found = [name for name in mine if name not in names]
    return found if all(builder.last_text(name) is not None for name in found) else []


def _with(builder: JournalBuilder, mine: list[str], wanted: Sequence[Wanted]) -> list[Wanted]:
    """The wanted spans and those that stand between them, as they were."""
    known = {span.span: span for span in wanted}
    return [known.get(name) or _as_was(builder, name) for name in mine]


def _as_was(builder: JournalBuilder, name: str) -> Wanted:
    span = builder.spans[name]
    text = builder.last_text(name) or ""
    return Wanted(name, text, span.role, span.answers, span.produced_by)


def _not_listed(builder: JournalBuilder, store: str, target: list[str]) -> list[str]:
    names = set(target)
    return [name for name in builder.order(store) if name not in names]


def _expected(builder: JournalBuilder, fields: dict[str, Any]) -> list[str] | None:
    """All live spans as the undo stack says that they were; null where it can't say."""
    event = events.Rollback(seq=builder.seq + 1, time="", **fields)
    undoing = select(builder.state, event, [])
    meant = expect(builder.state, undoing, event.seq, event.actor)
    return None if meant is None else meant.draft.order


def _bring_back(builder: JournalBuilder, store: str, wanted: Sequence[Wanted]) -> None:
    previous: str | None = None
    for span in wanted:
        if builder.live(span.span) is None:
            builder.ingest(span, store=store, after=previous)
        previous = span.span
