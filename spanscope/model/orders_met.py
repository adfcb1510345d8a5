"""Orders that edits met: told anew from an edit, or found again by who stood beside whom."""

from __future__ import annotations

from spanscope.model.spans import COPIED
from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, Part


def order_met(state: BufferState, entry: Entry, number: int = 0) -> list[str]:
    """The ids of the live spans in order before one of the edits of an entry."""
    made = entry.parts[0].order
    order = state.order_at(entry.seq - 1) if made is None else made.order()
    if made is None:
        order += dict.fromkeys(name for part in entry.parts for name in _presumed(part, order))
    for part in entry.parts[:number]:
        _make(order, part)
    return order


def _presumed(part: Part, order: list[str]) -> list[str]:
    """The span that an edit took to be there since lines were lost."""
    before, name = part.before, part.source if part.kind == "copy" else part.span
    doubted = part.kind != "ingest" and before is not None and before.live and before.doubt
    return [name] if doubted and name is not None and name not in order else []


def place_back(
    state: BufferState, order: list[str], name: str, was: list[str], was_at: int | None
) -> int:
    """The place of a span that stood in `was`: after the nearest before it that is still there.

    Where a copy took that one's place, after the copy.
    """
    index = place_in(state, was, name, was_at)
    if index is None:
        index = min(was_at or 0, len(was))
    for at in range(index - 1, -1, -1):
        other: str | None = was[at]
        while other is not None:
            place = place_in(state, order, other, at)
            if place is not None:
                return place + 1
            other = copy_of(state, other)
    return 0


def copy_of(state: BufferState, name: str) -> str | None:
    """The copy that took a span's place."""
    span = state.spans.get(name)
    return span.into if span is not None and span.life in COPIED else None


def place_in(state: BufferState, order: list[str], name: str, near: int | None) -> int | None:
    """An id's index in an order; it is looked for first where it is believed to stand."""
    if near is not None and 0 <= near < len(order) and order[near] == name:
        return near
    return state.index_in(order, name)


def _make(order: list[str], part: Part) -> None:
    """Make an edit on the order that it met."""
    if part.kind == "ingest" and part.span not in order:
        order.insert(part.index or 0, part.span)
    elif part.kind == "copy":
        if part.took_live:
            _remove(order, part.span)
        if part.source in order:
            order[order.index(part.source)] = part.span
        elif part.span not in order:
            order.insert(part.index or 0, part.span)
    elif part.kind == "prune":
        _remove(order, part.span)
    elif part.moved:
        _remove(order, part.span)
        order.insert(part.index or 0, part.span)


def unmake(state: BufferState, order: list[str], part: Part) -> None:
    """Take an edit back in the order that it left."""
    name = part.span
    moved = (part.kind == "ingest" and not stood(part)) or part.kind == "copy" or part.moved
    place = place_in(state, order, name, part.index) if moved else None
    if part.kind == "copy" and place is not None and part.before is not None and part.before.live:
        order[place] = part.source or name
    elif place is not None:
        order.pop(place)
    if part.kind == "prune" or part.moved:
        order.insert(part.was_at or 0, name)


def stood(part: Part) -> bool:
    """Whether an ingest found its id in use, and left it where it stood."""
    return part.before is not None and part.before.live


def _remove(order: list[str], name: str) -> None:
    if name in order:
        order.remove(name)
