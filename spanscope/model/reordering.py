"""Where spans stood before an edit, and where they stand without edits that are undone.

Who stood beside whom is told by the places in the order and not by ids: a copy stands where its
old span stood, and a span that a kept edit moved is no neighbour any more.
"""

from __future__ import annotations

from typing import NamedTuple

from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, Part


class Met(NamedTuple):
    """The order that an edit's event met, and the edit's own places after and before it."""

    order: tuple[str, ...]
    place: int | None
    was_at: int | None


class Reordered(NamedTuple):
    """An order without what is undone, and what kept edits, by seq and number, would have met."""

    order: list[str]
    met: dict[tuple[int, int], Met]


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


def place_back(order: list[str], part: Part, was: list[str]) -> int:
    """The place of a span that stood in `was`: after the nearest before it that is still there."""
    index = was.index(part.span) if part.span in was else part.was_at or 0
    for name in reversed(was[:index]):
        if name in order:
            return order.index(name) + 1
    return 0


def reordered(state: BufferState, undone: list[Entry], kept: list[Entry]) -> Reordered | None:
    """The order without the undone entries; the kept ones above the oldest of them are done anew.

    Null where the order is what undoing one after the other leaves.
    """
    oldest = min((entry.seq for entry in undone), default=0)
    above = [entry for entry in kept if entry.seq > oldest and entry.touches_order]
    gone = [entry for entry in undone if entry.touches_order]
    if not (
        above and gone and any(_goes_back(part) for one in (*above, *gone) for part in one.parts)
    ):
        return None
    entries = sorted((*gone, *above), key=lambda entry: entry.seq)
    gone_seqs = {entry.seq for entry in gone}
    seats = _Seats(_order_below(state, entries))
    met: dict[tuple[int, int], Met] = {}
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
            _unmake(order, part)
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
    goes_back = any(_goes_back(part) for part in entry.parts)
    met = tuple(seats.left()) if goes_back else UNWRITTEN
    for number, part in enumerate(entry.parts):
        was_at = seats.index_left(part.span) if goes_back else None
        seats.make(part, kept=True)
        place = seats.index_left(part.span) if goes_back else seats.index_of(part.span)
        stays = part.kind == "move" and not _moved(part)
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
    not have come there.
    """

    def __init__(self, order: list[str]) -> None:
        self._order = list(order)
        self._there = set(order)
        self._names: dict[str, str | None] = {}
        self._empty: list[_Left] = []

    def left(self) -> list[str]:
        """The order without what is undone."""
        order: list[str] = []
        seats = iter([*self._empty, _Left(len(self._order) + 1, "", None)])
        seat = next(seats)
        for place in range(len(self._order) + 1):
            while seat.gap == place:
                order.append(seat.name)
                seat = next(seats)
            if place < len(self._order):
                name = self._names.get(self._order[place], self._order[place])
                order += [] if name is None else [name]
        return order

    def index_left(self, name: str) -> int | None:
        """The place of an id in the order without what is undone."""
        order = self.left()
        return order.index(name) if name in order else None

    def index_of(self, name: str) -> int | None:
        """As `index_left`, of a span that is no guest and left no seat."""
        if name not in self._there:
            return None
        place = self._order.index(name)
        guests = (guest for guest, stays in self._names.items() if stays is None)
        ahead = sum(self._order.index(guest) < place for guest in guests)
        return place + sum(seat.gap <= place for seat in self._empty) - ahead

    def agree(self, order: list[str]) -> None:
        """Who came, went or moved by no entry of the stack did so for good."""
        if self._order == order:
            return
        for name in set(self._order) - set(order):
            self._take(self._order.index(name), kept=True)
        last = -1
        for name in order:
            there = name in self._there
            place = self._order.index(name) if there else -1
            if place <= last:
                if there:
                    self._take(place, kept=True)
                    last -= place < last
                place = last + 1
                self._put(place, name, kept=True)
            last = place

    def make(self, part: Part, *, kept: bool) -> None:
        """An edit on the order that it met; `kept`: also without what is undone."""
        name, order = part.span, self._order
        there = name in self._there
        if part.kind == "prune" and there:
            self._take(order.index(name), kept=kept)
        elif part.kind == "copy":
            if _took_live(part) and there:
                self._take(order.index(name), kept=kept)
            if part.source in self._there:
                self._rename(part.source, name, kept=kept)
            elif name not in self._there:
                self._put(part.index or 0, name, kept=kept)
        elif part.kind == "ingest" and not _stood(part) and not there:
            self._put(part.index or 0, name, kept=kept)
        elif _moved(part) and there:
            self._take(order.index(name), kept=kept, moves=True)
            self._put(part.index or 0, name, kept=kept)

    def _take(self, place: int, *, kept: bool, moves: bool = False) -> None:
        """A span leaves its seat."""
        name = self._order.pop(place)
        self._there.discard(name)
        stays = self._names.pop(name, name)
        ahead = [seat for seat in self._empty if seat.gap <= place]
        behind = self._empty[len(ahead) :]
        for seat in behind:
            seat.gap -= 1
        if not kept and stays is not None:
            ahead.append(_Left(place, stays, name if moves else None))
        self._empty = ahead + behind
        if kept:
            self._empty = [seat for seat in self._empty if seat.now != name]

    def _put(self, place: int, name: str, *, kept: bool) -> None:
        """A span sits down; who left a seat just there sat before it."""
        place = min(place, len(self._order))
        self._order.insert(place, name)
        self._there.add(name)
        for seat in self._empty:
            seat.gap += seat.gap > place
        if not kept:
            self._names[name] = None

    def _rename(self, name: str, other: str, *, kept: bool) -> None:
        """A copy takes the seat of a span."""
        self._order[self._order.index(name)] = other
        self._there ^= {name, other}
        stays = self._names.pop(name, name)
        self._names[other] = other if kept and stays is not None else stays
        for seat in self._empty:
            if seat.now == name:
                seat.now = other
                seat.name = other if kept else seat.name


def _goes_back(part: Part) -> bool:
    """Whether undoing an edit puts a span where it stood before."""
    return part.kind == "prune" or _moved(part) or _took_live(part)


def _make(order: list[str], part: Part) -> None:
    """Make an edit on the order that it met."""
    if part.kind == "ingest" and part.span not in order:
        order.insert(part.index or 0, part.span)
    elif part.kind == "copy":
        if _took_live(part):
            _remove(order, part.span)
        if part.source in order:
            order[order.index(part.source)] = part.span
        elif part.span not in order:
            order.insert(part.index or 0, part.span)
    elif part.kind == "prune":
        _remove(order, part.span)
    elif _moved(part):
        _remove(order, part.span)
        order.insert(part.index or 0, part.span)


def _unmake(order: list[str], part: Part) -> None:
    """Take an edit back in the order that it left."""
    name = part.span
    if part.kind == "copy" and name in order and part.before is not None and part.before.live:
        order[order.index(name)] = part.source or name
    elif (part.kind == "ingest" and not _stood(part)) or part.kind == "copy" or _moved(part):
        _remove(order, name)
    if part.kind == "prune" or _moved(part):
        order.insert(part.was_at or 0, name)


def _moved(part: Part) -> bool:
    return part.kind == "move" and part.index != part.was_at


def _stood(part: Part) -> bool:
    """Whether an ingest found its id in use, and left it where it stood."""
    return part.before is not None and part.before.live


def _took_live(part: Part) -> bool:
    return part.taken is not None and part.taken.live


def _remove(order: list[str], name: str) -> None:
    if name in order:
        order.remove(name)
