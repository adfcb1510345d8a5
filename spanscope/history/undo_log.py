"""The undo stack at any step, without a copy of it a step.

Entries stand in the order of their events, so the stack after an event is every entry pushed by
then, without those that were off it. Only what happened to an entry later is kept beside it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spanscope.model.effects import Effect
    from spanscope.model.undo import Entry


class Depth(NamedTuple):
    """How many entries the stack has, and how many from the head down can be reached."""

    size: int
    reachable: int


class UndoLog:
    """Every entry that was ever on the stack, and since when it is off it or another."""

    def __init__(self) -> None:
        self._seqs = array("Q")
        self._entries: list[Entry] = []
        self._later: dict[int, list[tuple[int, Entry | None]]] = {}
        self._touched: list[int] = []
        self._changes: list[tuple[int, int]] = []
        self._depth_at = array("Q", [0])
        self._sizes = array("I", [0])
        self._reachable = array("I", [0])

    def follow(self, effect: Effect) -> None:
        """Take over what an event did to the stack."""
        for entry in effect.popped:
            self._change(effect.seq, entry.seq, None)
        for _, entry in effect.replaced:
            self._change(effect.seq, entry.seq, entry)
        for entry in effect.restored:
            self._change(effect.seq, entry.seq, entry)
        if effect.pushed is not None:
            self._seqs.append(effect.pushed.seq)
            self._entries.append(effect.pushed)

    def _change(self, at: int, seq: int, entry: Entry | None) -> None:
        if seq not in self._later:
            self._later[seq] = []
            insort(self._touched, seq)
        self._later[seq].append((at, entry))
        self._changes.append((at, seq))

    def note_depth(self, seq: int, depth: Depth) -> None:
        """The stack's depth after an event."""
        if (self._sizes[-1], self._reachable[-1]) != depth:
            self._depth_at.append(seq)
            self._sizes.append(depth.size)
            self._reachable.append(depth.reachable)

    def depth(self, seq: int) -> Depth:
        """The stack's depth after the event `seq`."""
        index = bisect_right(self._depth_at, seq) - 1
        return Depth(self._sizes[index], self._reachable[index])

    def entry(self, of: int, seq: int) -> Entry | None:
        """The entry of the event `of` as it was after `seq`; null where it was not there."""
        index = bisect_left(self._seqs, of)
        if of > seq or index == len(self._seqs) or self._seqs[index] != of:
            return None
        return self._at(index, seq)

    def _at(self, index: int, seq: int) -> Entry | None:
        later = self._later.get(self._seqs[index])
        if later is not None:
            place = bisect_right(later, seq, key=lambda change: change[0])
            if place:
                return later[place - 1][1]
        return self._entries[index]

    def down(self, seq: int, start: int = 0) -> Iterator[Entry]:
        """The stack after the event `seq` from its head down, without the first `start`."""
        index = self._index_of(start, seq) if start else bisect_right(self._seqs, seq) - 1
        for place in range(index, -1, -1):
            entry = self._at(place, seq)
            if entry is not None:
                yield entry

    def place(self, of: int, seq: int) -> int | None:
        """How many entries stand above the one of the event `of`; null where it is off."""
        if self.entry(of, seq) is None:
            return None
        return self._above(bisect_left(self._seqs, of), seq)

    def _above(self, index: int, seq: int) -> int:
        """How many entries were on the stack above an index."""
        top = bisect_right(self._seqs, seq)
        first = bisect_right(self._touched, self._seqs[index]) if index >= 0 else 0
        last = bisect_right(self._touched, seq)
        off = sum(self.entry(of, seq) is None for of in self._touched[first:last])
        return top - 1 - index - off

    def came(self, first: int, second: int) -> int:
        """How many entries stand on the stack after `second` and did not after `first` before."""
        pushed = self._above(bisect_right(self._seqs, first) - 1, second)
        window = (
            bisect_right(self._changes, seq, key=lambda change: change[0])
            for seq in (first, second)
        )
        again = {of for _, of in self._changes[slice(*window)] if of <= first}
        back = sum(
            self.entry(of, first) is None and self.entry(of, second) is not None for of in again
        )
        return pushed + back

    def _index_of(self, place: int, seq: int) -> int:
        """The index of the highest entry with at least so many above it; -1: there is none."""
        low, high = -1, bisect_right(self._seqs, seq) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._above(middle, seq) >= place:
                low = middle
            else:
                high = middle - 1
        return low
