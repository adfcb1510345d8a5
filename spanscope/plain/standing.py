"""In which order the spans stand without some edits: their seats are followed, not looked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spanscope.plain.world import Buffer, Entry, Step, World

Orders = tuple[tuple[str, ...], tuple[str, ...]]
"""An order before an edit and after it."""


@dataclass
class Seat:
    """A place that somebody had. `now`: who sits there, `stays`: who will without the undone edits.

    `owner` is the same of all the places that one span had, and its copies.
    """

    now: str | None
    stays: str | None
    owner: object


class Seats:
    """All seats from left to right, given up ones too."""

    def __init__(self, order: tuple[str, ...]) -> None:
        self.row = [Seat(name, name, object()) for name in order]

    @property
    def staying(self) -> tuple[str, ...]:
        """The order without the undone edits.

        One that was taken away and came again without an entry stands where it is put back.
        """
        back = {seat.stays for seat in self.row if seat.now is None}
        there = (seat for seat in self.row if seat.now is None or seat.stays not in back)
        return tuple(seat.stays for seat in there if seat.stays is not None)

    def of(self, name: str) -> Seat | None:
        """Where somebody sits now."""
        return next((seat for seat in self.row if seat.now == name), None)

    def leave(self, name: str, *, undone: bool) -> object:
        """Somebody gets up, for good if that is not undone."""
        left = self.of(name)
        if left is None:
            return object()
        left.now = None
        for seat in self.row:
            if seat.owner is left.owner and not undone:
                seat.stays = None
        return left.owner

    def hand_over(self, name: str, other: str, *, undone: bool) -> None:
        """A copy takes the seat."""
        taken = self.of(name)
        if taken is None:
            return
        taken.now = other
        for seat in self.row:
            if seat.owner is taken.owner and seat.stays is not None and not undone:
                seat.stays = other

    def stays_for(self, name: str) -> str:
        """Who is in the place of somebody without the undone edits: itself, or what it copied."""
        seat = self.of(name)
        owned = [s.stays for s in self.row if seat is not None and s.owner is seat.owner]
        return next((stays for stays in owned if stays is not None), name)

    def sit(
        self, name: str, order: tuple[str, ...], owner: object, *, stays: str | None = None
    ) -> None:
        """Somebody sits down as in this order: last among the empty seats that may be meant.

        `stays`: who does so without the undone edits.
        """
        seen = [seat.now for seat in self.row]
        ahead = [other for other in order[: order.index(name)] if other in seen]
        at = seen.index(ahead[-1]) + 1 if ahead else 0
        while at < len(seen) and seen[at] is None:
            at += 1
        self.row.insert(at, Seat(name, stays, owner))

    def as_in(self, buffer: Buffer) -> None:
        """Who came, went or moved without an entry on the stack did so for good."""
        order, spans = buffer.order, buffer.spans
        for gone in [seat.now for seat in self.row if seat.now is not None]:
            if gone in order:
                continue
            new = (name for name in order if self.of(name) is None and gone in spans)
            copy = next((name for name in new if spans[name].place is spans[gone].place), None)
            if copy is None:
                self.leave(gone, undone=False)
            else:
                self.hand_over(gone, copy, undone=False)
        for at, name in enumerate(order):
            seen = [seat.now for seat in self.row]
            there = name in seen
            if not there or (at and seen.index(name) < seen.index(order[at - 1])):
                stays = self.stays_for(name)
                owner = self.leave(name, undone=False)
                self.sit(name, order, owner, stays=stays)

    def do(self, step: Step, *, undone: bool) -> None:
        """What an edit did to the order."""
        before, after = step.before.order, step.after.order
        if before == after:
            return
        owner = object()
        for name in before:
            if name not in after and not (step.kind == "copy" and name == step.span):
                self.leave(name, undone=undone)
        if step.kind == "move":
            owner = self.leave(step.span, undone=undone)
        if step.kind == "copy" and step.span in before:
            if step.into in before:
                self.leave(str(step.into), undone=undone)
            self.hand_over(step.span, str(step.into), undone=undone)
        elif step.kind == "copy" and step.into in before:
            # A tombstone's copy takes an id from where that stood.
            owner = self.leave(step.into, undone=undone)
        for name in after:
            if self.of(name) is None:
                self.sit(name, after, owner, stays=None if undone else name)


def orders_without(world: World, named: tuple[Entry, ...]) -> Iterator[tuple[Step | None, Orders]]:
    """(step, the order around it) of each edit that stays, and what is left of the last order."""
    path = world.stack[world.stack.index(named[0]) :] if named else ()
    seats = Seats(path[0].steps[0].before.order if path else world.buffer.order)
    for entry in path:
        for step in entry.steps:
            seats.as_in(step.before)
            before = seats.staying
            seats.do(step, undone=entry in named)
            if entry not in named:
                yield step, (before, seats.staying)
    seats.as_in(world.buffer)
    yield None, (seats.staying, seats.staying)


def order_without(world: World, named: tuple[Entry, ...]) -> tuple[str, ...]:
    """The order of the buffer without some entries."""
    return next(orders[1] for step, orders in orders_without(world, named) if step is None)
