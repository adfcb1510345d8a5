"""Making the buffer hold a list that a source gives as a whole, with as few events as possible."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from spanscope.importers.builder import JournalBuilder, Wanted, ingest_edit
from spanscope.journal.parts import AnyEdit, MoveEdit, PruneEdit


def sync(
    builder: JournalBuilder,
    store: str,
    target: Sequence[Wanted],
    op: str,
    name: str,
    reads: Sequence[str] = (),
) -> None:
    """Let the store hold exactly the target, by span id.

    What says something else under its id is rewritten, each by an event of its own; what comes,
    goes or moves is one change, the diff `name`. An id that stands twice in the target is taken
    as its last.
    """
    wanted = {span.span: span for span in target}
    for span in wanted.values():
        now = builder.live(span.span)
        if now is not None and now.text != span.content:
            builder.rewrite(span.span, span.content, op)
    edits = _edits(builder, store, list(wanted.values()))
    if edits:
        builder.change(edits, name, reads)


def _edits(builder: JournalBuilder, store: str, target: list[Wanted]) -> list[AnyEdit]:
    order = builder.order(store)
    names = {span.span for span in target}
    edits: list[AnyEdit] = [PruneEdit(span=name) for name in order if name not in names]
    place = {name: index for index, name in enumerate(order)}
    kept = [span.span for span in target if span.span in place]
    steady = _longest_rising(kept, place)
    previous = before_store(builder, store)
    for span in target:
        if span.span not in place:
            edits.append(ingest_edit(span, store=store, after=previous))
        elif span.span not in steady:
            edits.append(MoveEdit(span=span.span, after=previous))
        previous = span.span
    return edits


def before_store(builder: JournalBuilder, store: str) -> str | None:
    """The span that stands before the first one of a store; null where none does."""
    order = builder.state.order
    mine = builder.order(store)
    place = order.index(mine[0]) if mine else len(order)
    return order[place - 1] if place else None


def _longest_rising(names: list[str], place: dict[str, int]) -> set[str]:
    """The most names that stand in the wanted order already."""
    tails: list[int] = []
    ends: list[int] = []
    back: list[int | None] = []
    for index, name in enumerate(names):
        at = bisect_left(tails, place[name])
        back.append(ends[at - 1] if at else None)
        if at == len(tails):
            tails.append(place[name])
            ends.append(index)
        else:
            tails[at], ends[at] = place[name], index
    found: set[str] = set()
    index_back = ends[-1] if ends else None
    while index_back is not None:
        found.add(names[index_back])
        index_back = back[index_back]
    return found
