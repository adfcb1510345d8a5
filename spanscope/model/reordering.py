"""Where spans stood before an edit, and where they stand without edits that are undone.

Who stood beside whom is told by the places in the order and not by ids: a copy stands where its
old span stood, and a span that a kept edit moved is no neighbour any more.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from spanscope.model.orders_met import copy_of, order_met, place_in, stood, unmake
from spanscope.model.retelling import UNWRITTEN, Retelling, Retold
from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, Part

PartKey: TypeAlias = tuple[int, int]
"""An edit by the seq of its entry and its number in it."""


class Met(NamedTuple):
    """The order that an edit's event met, and the edit's own places after and before it."""

    order: Retold
    place: int | None
    was_at: int | None


class Reordered(NamedTuple):
    """An order without what is undone, and what kept edits, by seq and number, would have met."""

    order: list[str]
    met: dict[PartKey, Met]


_place = attrgetter("place")


def reordered(state: BufferState, undone: list[Entry]) -> Reordered | None:
    """The order without the undone entries; all others above the oldest of them are done anew.

    Null where the order is what undoing one after the other leaves: nothing came in between.
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
    entries = sorted((*gone, *above), key=attrgetter("seq"))
    if not above and _are_as_met(state, entries):
        return None
    seats = _Seats(state, _order_below(state, entries), entries[0])
    met: dict[PartKey, Met] = {}
    for before, entry in zip((None, *entries), entries, strict=False):
        if not _is_as_met(state, entry, before):
            seats.agree(order_met(state, entry))
        if entry.seq not in gone_seqs:
            met |= _made_again(seats, entry)
            continue
        for part in entry.parts:
            seats.make(part, kept=False)
    seats.agree(state.order)
    return Reordered(seats.left_once(), met)


def _are_as_met(state: BufferState, entries: list[Entry]) -> bool:
    """Whether each entry met the order that the one before it left, and so does the rollback."""
    met = all(_is_as_met(state, entry, before) for before, entry in pairwise(entries))
    return met and state.order_stood(entries[-1].seq, state.seq - 1)


def _order_below(state: BufferState, entries: list[Entry]) -> list[str]:
    """The order that the oldest of some entries met, which are all above it that touched it."""
    if entries[0].parts[0].order is not UNWRITTEN:
        return order_met(state, entries[0])
    order = list(state.order)
    for entry in reversed(entries):
        for part in reversed(entry.parts):
            unmake(state, order, part)
    return order


def _is_as_met(state: BufferState, entry: Entry, before: Entry | None) -> bool:
    """Whether an entry met the order that the one before it left; the first of them did."""
    made = entry.parts[0].order
    if before is None or made is UNWRITTEN:
        return True
    left = before.parts[0].order
    if made is not None:
        return left is not None and made.follows(left)
    return not _doubted(entry) and state.order_stood(before.seq, entry.seq - 1)


def _doubted(entry: Entry) -> bool:
    return any(part.before is not None and part.before.doubt for part in entry.parts)


def _made_again(seats: _Seats, entry: Entry) -> dict[PartKey, Met]:
    """A kept entry: what its edits would have met.

    The order is written down only where an edit goes back to its place in it.
    """
    goes_back = any(part.goes_back for part in entry.parts)
    start, places = seats.left.count, []
    for part in entry.parts:
        was_at = seats.index_left(part, part.was_at) if goes_back else None
        seats.make(part, kept=True)
        place = seats.index_left(part, part.index) if goes_back else seats.index_of(part)
        stays = part.kind == "move" and not part.moved
        places.append((place, place if stays else was_at))
    met = Retold(seats.left, start, seats.left.count) if goes_back else UNWRITTEN
    return {(entry.seq, number): Met(met, *place) for number, place in enumerate(places)}


class _Seat:
    """A seat where another sits without what is undone, or nobody (`name` is null: a guest does).

    It is at `place`; an empty one is right before that, and `now` is the id of who left it.
    """

    __slots__ = ("name", "now", "place")

    def __init__(self, place: int, name: str | None, now: str | None = None) -> None:
        self.place = place
        self.name = name
        self.now = now


class _Seats:
    """The order as it was, and `left`, the order without what is undone.

    They are told apart by the seats that undone edits emptied and those where they put somebody
    (`_odd`), by place. `_there` says of ids that were asked for whether they are in the order.
    """

    def __init__(self, state: BufferState, order: list[str], oldest: Entry) -> None:
        """`oldest`: the entry that met the order."""
        self._state = state
        self._order = order
        self.left = Retelling(order)
        self._odd: list[_Seat] = []
        self._empty: list[_Seat] = []
        self._there: dict[str, bool] = {}
        if _doubted(oldest):
            self._there = {part.span: part.span in order for part in oldest.parts}

    def index_left(self, part: Part, near: int | None) -> int | None:
        """The place of the span of an edit in the order without what is undone."""
        name, place = part.span, self._find(part, part.span, near)
        seat = next((seat for seat in self._empty if seat.name == name), None)
        believed = self._left_at(place) if place is not None else None
        if seat is not None:
            believed = self._seat_left(seat)
        elif place is None and not any(odd.name == name for odd in self._odd):
            return None
        return place_in(self._state, self.left.order, name, believed)

    def index_of(self, part: Part) -> int | None:
        """As `index_left`, of the span of an edit that is no guest and left no seat."""
        place = self._find(part, part.span, part.index)
        return None if place is None else self._left_at(place)

    def _left_at(self, place: int) -> int:
        """Where who sits at a place sits without what is undone; of a guest: would."""
        return place + bisect_right(self._empty, place, key=_place) - self._guests(place)

    def _seat_left(self, seat: _Seat) -> int:
        """Where the seat that somebody left is without what is undone."""
        return seat.place + self._empty.index(seat) - self._guests(seat.place)

    def _guests(self, place: int) -> int:
        """How many guests sit before a place."""
        return sum(
            odd.name is None for odd in self._odd[: bisect_left(self._odd, place, key=_place)]
        )

    def left_once(self) -> list[str]:
        """The order without what is undone, each span in it once.

        One that was taken away and came again by no entry stands where it is put back.
        """
        order, again = self.left.order, set[int]()
        for seat in self._empty:
            place = (
                None if seat.name is None else place_in(self._state, self._order, seat.name, None)
            )
            odd = None if place is None else self._odd_at(place)
            if place is not None and (odd is None or odd.name == seat.name):
                again.add(self._left_at(place))
        return [name for at, name in enumerate(order) if at not in again] if again else order

    def agree(self, order: list[str]) -> None:
        """Who came, went or moved by no entry of the stack did so for good."""
        if self._order == order:
            return
        there = set(self._order)
        for name in there.difference(order):
            copy = copy_of(self._state, name)
            if copy in order and copy not in there:
                self._rename(self._place(name), copy, kept=True)
                there.add(copy)
            else:
                self._take(self._place(name), kept=True)
        last = -1
        for name in order:
            place = self._place(name, last + 1) if name in there else -1
            if place <= last:
                stays = name
                if name in there:
                    stays = self._stays(place)
                    self._take(place, kept=True)
                    last -= place < last
                place = last + 1
                self._put(place, name, kept=True, stays=stays)
            last = place

    def make(self, part: Part, *, kept: bool) -> None:
        """An edit on the order that it met; `kept`: also without what is undone."""
        if part.kind == "copy":
            self._copy(part, kept=kept)
            return
        name, place = part.span, self._find(part, part.span, part.was_at)
        if part.kind == "prune" and place is not None:
            self._take(place, kept=kept)
        elif part.kind == "ingest" and not stood(part) and place is None:
            self._put(part.index or 0, name, kept=kept)
        elif part.moved and place is not None:
            self._take(place, kept=kept, moves=True)
            self._put(part.index or 0, name, kept=kept)

    def _copy(self, part: Part, *, kept: bool) -> None:
        name = part.span
        taken = self._find(part, name, part.was_at) if part.took_live else None
        if taken is not None:
            self._take(taken, kept=kept)
        place = None if part.source is None else self._find(part, part.source, part.index)
        if place is not None:
            self._rename(place, name, kept=kept)
        elif self._find(part, name) is None:
            self._put(part.index or 0, name, kept=kept)

    def _find(self, part: Part, name: str, near: int | None = None) -> int | None:
        """The place of an id of an edit; null where it has none: so far one that comes in anew."""
        there = self._there.get(name)
        if there is None and part.kind == "ingest" and part.before is None:
            there = False
        place = None if there is False else place_in(self._state, self._order, name, near)
        self._there[name] = place is not None
        return place

    def _place(self, name: str, near: int | None = None) -> int:
        place = place_in(self._state, self._order, name, near)
        assert place is not None
        return place

    def _take(self, place: int, *, kept: bool, moves: bool = False) -> None:
        """A span leaves its seat."""
        name, seat = self._order[place], self._odd_at(place)
        stays = name if seat is None else seat.name
        if kept and stays is not None:
            self.left.step(self._left_at(place), stays, None)
        self._order.pop(place)
        self._there[name] = False
        if seat is not None:
            self._odd.remove(seat)
        for odd in self._odd[bisect_left(self._odd, place, key=_place) :]:
            odd.place -= 1
        ahead = bisect_right(self._empty, place, key=_place)
        for empty in self._empty[ahead:]:
            empty.place -= 1
        if not kept and stays is not None:
            self._empty.insert(ahead, _Seat(place, stays, name if moves else None))
        if kept:
            for empty in [empty for empty in self._empty if empty.now == name]:
                self.left.step(self._seat_left(empty), empty.name, None)
                self._empty.remove(empty)

    def _stays(self, place: int) -> str:
        """Who goes with a span that moves for good: itself, or what it is an undone copy of."""
        name, seat = self._order[place], self._odd_at(place)
        if seat is not None and seat.name is not None:
            return seat.name
        return next((empty.name for empty in self._empty if empty.now == name and empty.name), name)

    def _put(self, place: int, name: str, *, kept: bool, stays: str | None = None) -> None:
        """A span sits down; who left a seat just there sat before it.

        `stays`: who sits there without what is undone, where that is another.
        """
        place = min(place, len(self._order))
        if kept:
            self.left.step(self._left_at(place), None, stays or name)
        self._order.insert(place, name)
        self._there[name] = True
        for empty in self._empty[bisect_right(self._empty, place, key=_place) :]:
            empty.place += 1
        behind = bisect_left(self._odd, place, key=_place)
        for odd in self._odd[behind:]:
            odd.place += 1
        if not kept:
            self._odd.insert(behind, _Seat(place, None))
        elif stays is not None and stays != name:
            self._odd.insert(behind, _Seat(place, stays))

    def _rename(self, place: int, other: str, *, kept: bool) -> None:
        """A copy takes the seat of a span."""
        name, seat = self._order[place], self._odd_at(place)
        stays = name if seat is None else seat.name
        if kept and stays is not None:
            self.left.step(self._left_at(place), stays, other)
            stays = other
        self._order[place] = other
        self._there[name], self._there[other] = False, True
        if seat is None:
            seat = _Seat(place, stays)
            insort(self._odd, seat, key=_place)
        seat.name = stays
        for empty in self._empty:
            if empty.now == name:
                empty.now = other
                if kept:
                    self.left.step(self._seat_left(empty), empty.name, other)
                    empty.name = other

    def _odd_at(self, place: int) -> _Seat | None:
        """The seat at a place where another sits without what is undone."""
        index = bisect_left(self._odd, place, key=_place)
        found = self._odd[index] if index < len(self._odd) else None
        return found if found is not None and found.place == place else None
