"""Where spans stood before an event, also where a selective rollback took out older ones."""

from __future__ import annotations

from msgspec.structs import replace

from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, Part


def order_before(state: BufferState, part: Part, seq: int) -> list[str]:
    """The ids of the live spans in order before the event of an edit."""
    return state.order_at(seq - 1) if part.order is None else list(part.order)


def place_back(order: list[str], part: Part, was: list[str]) -> int:
    """The place of a span that stood in `was`: after the nearest before it that is still there."""
    index = was.index(part.span) if part.span in was else part.was_at or 0
    for name in reversed(was[:index]):
        if name in order:
            return order.index(name) + 1
    return 0


def as_reordered(
    state: BufferState, seq: int, parts: tuple[Part, ...], undone: list[Entry]
) -> tuple[Part, ...]:
    """The edits of an event that is kept, with the order that they met but for the undone ones."""
    gone = [entry for entry in undone if entry.seq < seq and entry.touches_order]
    if not gone or not any(_goes_back(part) for part in parts):
        return parts
    order = order_before(state, parts[0], seq)
    for entry in sorted(gone, key=lambda entry: entry.seq, reverse=True):
        was = order_before(state, entry.parts[0], entry.seq)
        for part in reversed(entry.parts):
            _take_back(order, part, was)
    return tuple(replace(part, order=tuple(order)) for part in parts)


def _goes_back(part: Part) -> bool:
    """Whether undoing an edit puts a span where it stood before."""
    taken = part.taken is not None and part.taken.live
    return part.kind in ("prune", "move") or taken


def _take_back(order: list[str], part: Part, was: list[str]) -> None:
    """Undo in an order what one edit did to it."""
    name = part.span
    if part.kind == "ingest" and (part.before is None or not part.before.live):
        _remove(order, name)
    elif part.kind == "copy":
        revived = part.before is not None and part.before.live and part.source not in order
        if name in order and part.source is not None and revived:
            order[order.index(name)] = part.source
        _remove(order, name)
    lives_again = part.kind == "prune" and part.before is not None and part.before.live
    moved = part.kind == "move" and name in was and part.index != part.was_at
    if lives_again or moved or (part.taken is not None and part.taken.live):
        _remove(order, name)
        order.insert(place_back(order, part, was), name)


def _remove(order: list[str], name: str) -> None:
    if name in order:
        order.remove(name)
