"""Where spans stood before an edit, and where they stand without edits that are undone.

Who stood beside whom is told by the places in the order and not by ids: a copy stands where its
old span stood, and a span that a kept edit moved is no neighbour any more.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeAlias

from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, Part

PartKey: TypeAlias = tuple[int, int]
"""An edit by the seq of its entry and its number in it."""


class Met(NamedTuple):
    """The order that an edit's event met, and the edit's own places after and before it."""

    order: tuple[str, ...]
    place: int | None
    was_at: int | None


class Reordered(NamedTuple):
    """An order without what is undone, and what kept edits, by seq and number, would have met."""

    order: list[str]
    met: dict[PartKey, Met]


_gap = attrgetter("gap")

UNWRITTEN: tuple[str, ...] = ()
"""As the order of an edit: the one that the stack below it gives, and its own place is in that."""


def order_met(state: BufferState, entry: Entry, number: int = 0) -> list[str]:
    """The ids of the live spans in order before one of the edits of an entry."""
    made = entry.parts[0].order
    order = state.order_at(entry.seq - 1) if made is None else list(made)
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


def place_back(state: BufferState, order: list[str], part: Part, was: list[str]) -> int:
    """The place of a span that stood in `was`: after the nearest before it that is still there."""
    index = place_in(state, was, part.span, part.was_at)
    if index is None:
        index = min(part.was_at or 0, len(was))
    for at in range(index - 1, -1, -1):
        place = place_in(state, order, was[at], at)
        if place is not None:
            return place + 1
    return 0


def place_in(state: BufferState, order: list[str], name: str, near: int | None) -> int | None:
    """An id's index in an order; it is looked for first where it is believed to stand."""
    if near is not None and 0 <= near < len(order) and order[near] == name:
        return near
    return state.index_in(order, name)


def reordered(state: BufferState, undone: list[Entry]) -> Reordered | None:
    """The order without the undone entries; all others above the oldest of them are done anew.

    Null where the order is what undoing one after the other leaves.
    """
    gone = [entry for entry in undone if entry.touches_order]
    if not gone:
        return None
    touches, oldest = state.touches, min(entry.seq for entry in undone)
    gone_seqs = {entry.seq for entry in undone}
    goes_back = any(part.goes_back for entry in gone for part in entry.parts)
    if not goes_back and not any(
        entry.seq not in gone_seqs for entry in touches.above(touches.going_back, oldest)
    ):
        return None
    above = [e for e in touches.above(touches.order, oldest) if e.seq not in gone_seqs]
    if not above:
        return None
    entries = sorted((*gone, *above), key=attrgetter("seq"))
    seats = _Seats(state, _order_below(state, entries))
    met: dict[PartKey, Met] = {}
    seen = entries[0].seq - 1
    for entry in entries:
        if not _is_as_met(state, entry, seen):
            seats.agree(order_met(state, entry))
        seen = entry.seq
        if entry.seq not in gone_seqs:
            met |= _made_again(seats, entry)
            continue
        for part in entry.parts:
            seats.make(part, kept=False)
    seats.agree(state.order)
    return Reordered(seats.left(), met)


def _order_below(state: BufferState, entries: list[Entry]) -> list[str]:
    """The order that the oldest of some entries met, which are all above it that touched it."""
    if entries[0].parts[0].order != UNWRITTEN:
        return order_met(state, entries[0])
    order = list(state.order)
    for entry in reversed(entries):
        for part in reversed(entry.parts):
            _unmake(state, order, part)
    return order


def _is_as_met(state: BufferState, entry: Entry, seen: int) -> bool:
    """Whether an entry met the order that the one before it, the event `seen`, left."""
    made = entry.parts[0].order
    if made is not None:
        return made == UNWRITTEN
    doubted = any(part.before is not None and part.before.doubt for part in entry.parts)
    return not doubted and state.order_stood(seen, entry.seq - 1)


def _made_again(seats: _Seats, entry: Entry) -> dict[tuple[int, int], Met]:
    """A kept entry: what its edits would have met.

    The order is written down only where an edit goes back to its place in it.
    """
    found = {}
    goes_back = any(part.goes_back for part in entry.parts)
    met = tuple(seats.left()) if goes_back else UNWRITTEN
    for number, part in enumerate(entry.parts):
        was_at = seats.index_left(part.span) if goes_back else None
        seats.make(part, kept=True)
        place = seats.index_left(part.span) if goes_back else seats.index_of(part)
        stays = part.kind == "move" and not part.moved
        found[entry.seq, number] = Met(met, place, place if stays else was_at)
    return found


class _Left:
    """A seat that an undone edit emptied: before the span at `gap`.

    `name` is who sits there without what is undone, `now` the id of that span now, wherever it is.
    """

    __slots__ = ("gap", "name", "now")

    def __init__(self, gap: int, name: str, now: str | None) -> None:
        self.gap = gap
        self.name = name
        self.now = now


class _Seats:
    """The order, with the seats that undone edits emptied and those whom they put somewhere.

    `_names` says who sits without what is undone where an id sits now: null of a guest, who will
    not have come there. `_odd` are the places of these ids, the first one first.
    """

    def __init__(self, state: BufferState, order: list[str]) -> None:
        self._state = state
        self._order = list(order)
        self._there = set(order)
        self._names: dict[str, str | None] = {}
        self._odd: list[int] = []
        self._empty: list[_Left] = []

    def left(self) -> list[str]:
        """The order without what is undone."""
        order: list[str] = []
        done = 0
        seats = [(seat.gap, seat) for seat in self._empty]
        for place, seat in sorted([*seats, *((odd, None) for odd in self._odd)], key=itemgetter(0)):
            order += self._order[done:place]
            done = place if seat is not None else place + 1
            name = self._names[self._order[place]] if seat is None else seat.name
            order += [] if name is None else [name]
        return order + self._order[done:]

    def index_left(self, name: str) -> int | None:
        """The place of an id in the order without what is undone."""
        order = self.left()
        return order.index(name) if name in order else None

    def index_of(self, part: Part) -> int | None:
        """As `index_left`, of the span of an edit that is no guest and left no seat."""
        place = self._find(part.span, part.index)
        if place is None:
            return None
        before = self._odd[: bisect_left(self._odd, place)]
        guests = sum(self._names[self._order[odd]] is None for odd in before)
        return place + bisect_right(self._empty, place, key=_gap) - guests

    def agree(self, order: list[str]) -> None:
        """Who came, went or moved by no entry of the stack did so for good."""
        if self._order == order:
            return
        for name in self._there.difference(order):
            self._take(self._place(name), kept=True)
        last = -1
        for name in order:
            there = name in self._there
            place = self._place(name, last + 1) if there else -1
            if place <= last:
                if there:
                    self._take(place, kept=True)
                    last -= place < last
                place = last + 1
                self._put(place, name, kept=True)
            last = place

    def make(self, part: Part, *, kept: bool) -> None:
        """An edit on the order that it met; `kept`: also without what is undone."""
        name, place = part.span, self._find(part.span, part.was_at)
        if part.kind == "prune" and place is not None:
            self._take(place, kept=kept)
        elif part.kind == "copy":
            if part.took_live and place is not None:
                self._take(place, kept=kept)
            if part.source in self._there:
                self._rename(part.source, name, kept=kept)
            elif name not in self._there:
                self._put(part.index or 0, name, kept=kept)
        elif part.kind == "ingest" and not _stood(part) and place is None:
            self._put(part.index or 0, name, kept=kept)
        elif part.moved and place is not None:
            self._take(place, kept=kept, moves=True)
            self._put(part.index or 0, name, kept=kept)

    def _find(self, name: str, near: int | None = None) -> int | None:
        """The place of an id; null where it has none."""
        return self._place(name, near) if name in self._there else None

    def _place(self, name: str, near: int | None = None) -> int:
        place = place_in(self._state, self._order, name, near)
        assert place is not None
        return place

    def _take(self, place: int, *, kept: bool, moves: bool = False) -> None:
        """A span leaves its seat."""
        name = self._order.pop(place)
        self._there.discard(name)
        stays = self._names.pop(name, name)
        self._odd = [odd - (odd > place) for odd in self._odd if odd != place]
        ahead = bisect_right(self._empty, place, key=_gap)
        for seat in self._empty[ahead:]:
            seat.gap -= 1
        if not kept and stays is not None:
            self._empty.insert(ahead, _Left(place, stays, name if moves else None))
        if kept:
            self._empty = [seat for seat in self._empty if seat.now != name]

    def _put(self, place: int, name: str, *, kept: bool) -> None:
        """A span sits down; who left a seat just there sat before it."""
        place = min(place, len(self._order))
        self._order.insert(place, name)
        self._there.add(name)
        for seat in self._empty[bisect_right(self._empty, place, key=_gap) :]:
            seat.gap += 1
        behind = bisect_left(self._odd, place)
        self._odd[behind:] = [odd + 1 for odd in self._odd[behind:]]
        if not kept:
            self._names[name] = None
            self._odd.insert(behind, place)

    def _rename(self, name: str, other: str, *, kept: bool) -> None:
        """A copy takes the seat of a span."""
        place = self._place(name)
        self._order[place] = other
        self._there ^= {name, other}
        if name not in self._names:
            insort(self._odd, place)
        stays = self._names.pop(name, name)
        self._names[other] = other if kept and stays is not None else stays
        for seat in self._empty:
            if seat.now == name:
                seat.now = other
                seat.name = other if kept else seat.name


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


def _unmake(state: BufferState, order: list[str], part: Part) -> None:
    """Take an edit back in the order that it left."""
    name = part.span
    moved = (part.kind == "ingest" and not _stood(part)) or part.kind == "copy" or part.moved
    place = place_in(state, order, name, part.index) if moved else None
    if part.kind == "copy" and place is not None and part.before is not None and part.before.live:
        order[place] = part.source or name
    elif place is not None:
        order.pop(place)
    if part.kind == "prune" or part.moved:
        order.insert(part.was_at or 0, name)


def _stood(part: Part) -> bool:
    """Whether an ingest found its id in use, and left it where it stood."""
    return part.before is not None and part.before.live


def _remove(order: list[str], name: str) -> None:
    if name in order:
        order.remove(name)
