"""A list that remembers what it was: steps, with a full copy every so often."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")

SNAPSHOT_EVERY = 512
"""Steps between two full copies, at the least."""

SNAPSHOT_SHARE = 4
"""A list of more items is copied only once so large a share of it (1/4) has gone in steps: all
copies together then take no more room than a few words a step, however long the list grows."""

FAR = 64
"""Steps from which on a list that was worked out is kept: the next one asked for is near it."""


class Step(NamedTuple, Generic[Item]):
    """At `place`, `removed` (or null) gave way to `inserted` (or null), at the event `seq`."""

    seq: int
    place: int
    removed: Item | None
    inserted: Item | None


def redo_step(items: list[Item], step: Step[Item]) -> None:
    """Do the step on a list."""
    stop = step.place + (step.removed is not None)
    items[step.place : stop] = [] if step.inserted is None else [step.inserted]


def undo_step(items: list[Item], step: Step[Item]) -> None:
    """Take the step back on a list."""
    stop = step.place + (step.inserted is not None)
    items[step.place : stop] = [] if step.removed is None else [step.removed]


def place_before(item: Item, place: int | None, step: Step[Item]) -> int | None:
    """Where an item stood before a step, by its place after it; null: it was not there."""
    if step.inserted is not None and place is not None:
        if step.inserted == item:
            place = None
        elif step.place < place:
            place -= 1
    if step.removed == item:
        return step.place
    return place if step.removed is None or place is None or place < step.place else place + 1


class StepLog(Generic[Item]):
    """Steps by seq; `at` gives the list as it was after any event."""

    def __init__(self) -> None:
        self.steps: list[Step[Item]] = []
        self._snapshots: list[tuple[int, tuple[Item, ...]]] = [(0, ())]
        self._recent: tuple[int, tuple[Item, ...]] = (0, ())

    def extend(self, steps: list[Step[Item]], items: Sequence[Item]) -> None:
        """Record the steps that led to `items`."""
        self.steps += steps
        gone = len(self.steps) - self._snapshots[-1][0]
        if gone >= SNAPSHOT_EVERY and gone >= len(items) // SNAPSHOT_SHARE:
            self._snapshots.append((len(self.steps), tuple(items)))

    @property
    def count(self) -> int:
        """How many steps there are."""
        return len(self.steps)

    def count_at(self, seq: int) -> int:
        """How many steps there were after the event `seq`."""
        return bisect_right(self.steps, seq, key=lambda step: step.seq)

    def at(self, seq: int, now: Sequence[Item]) -> list[Item]:
        """The list after the event `seq`; `now` is what it is at the end."""
        count = self.count_at(seq)
        start, kept = self._nearest(count, now)
        items = list(kept)
        for step in self.steps[start:count]:
            redo_step(items, step)
        for step in reversed(self.steps[count:start]):
            undo_step(items, step)
        if abs(count - start) >= FAR:
            self._recent = (count, tuple(items))
        return items

    def _nearest(self, count: int, now: Sequence[Item]) -> tuple[int, Sequence[Item]]:
        """(steps, list) of a known list from which few steps lead to that after `count`."""
        after = bisect_right(self._snapshots, count, key=lambda kept: kept[0])
        known: list[tuple[int, Sequence[Item]]] = [
            (len(self.steps), now),
            self._recent,
            *self._snapshots[after - 1 : after + 1],
        ]
        return min(known, key=lambda kept: abs(kept[0] - count))

    def back_from(self, seq: int, now: Sequence[Item]) -> Iterator[tuple[int, list[Item]]]:
        """(seq, the list right before that event) of the events up to `seq`, newest first.

        Only events with steps; the list is the same object every time.
        """
        items = self.at(seq, now)
        count = self.count_at(seq)
        for index in range(count - 1, -1, -1):
            step = self.steps[index]
            undo_step(items, step)
            if index == 0 or self.steps[index - 1].seq != step.seq:
                yield step.seq, items

    def places_back(self, item: Item, place: int | None) -> Iterator[tuple[int, int | None]]:
        """(seq, an item's place right before that event) of the events with steps, newest first.

        `place` is its place now; null: it is not there. The item is there once at the most.
        """
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            place = place_before(item, place, step)
            if index == 0 or self.steps[index - 1].seq != step.seq:
                yield step.seq, place
