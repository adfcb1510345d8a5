"""A list that remembers what it was: steps, with a full copy every so often."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")

SNAPSHOT_EVERY = 512
"""Steps between two full copies."""


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


class StepLog(Generic[Item]):
    """Steps by seq; `at` gives the list as it was after any event."""

    def __init__(self) -> None:
        self.steps: list[Step[Item]] = []
        self._snapshots: list[tuple[int, tuple[Item, ...]]] = [(0, ())]

    def extend(self, steps: list[Step[Item]], items: Sequence[Item]) -> None:
        """Record the steps that led to `items`."""
        self.steps += steps
        if len(self.steps) - self._snapshots[-1][0] >= SNAPSHOT_EVERY:
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
        if len(self.steps) - count <= SNAPSHOT_EVERY // 2:
            items = list(now)
            for step in reversed(self.steps[count:]):
                undo_step(items, step)
            return items
        index = bisect_right(self._snapshots, count, key=lambda kept: kept[0]) - 1
        start, kept = self._snapshots[index]
        items = list(kept)
        for step in self.steps[start:count]:
            redo_step(items, step)
        return items

    def back_from(self, seq: int, now: Sequence[Item]) -> Iterator[tuple[int, list[Item]]]:
        """(seq, the list right before that event) of the events up to `seq`, newest first.

        Only events with steps; the list is the same object every time.
        """
        items = self.at(seq, now)
        count = bisect_right(self.steps, seq, key=lambda step: step.seq)
        for index in range(count - 1, -1, -1):
            step = self.steps[index]
            undo_step(items, step)
            if index == 0 or self.steps[index - 1].seq != step.seq:
                yield step.seq, items
