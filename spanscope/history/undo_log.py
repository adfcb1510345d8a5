"""The undo stack at any step, without a copy of it a step.

Entries stand in the order of their events, so the stack after an event is every entry pushed by
then, without those that were off it. Only what happened to an entry later is kept beside it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from spanscope.journal.numbers import appended

if TYPE_CHECKING:
    from spanscope.model.effects import Effect
    from spanscope.model.stack import Kept, UndoStack
    from spanscope.model.undo import Entry


class Depth(NamedTuple):
    """How many entries the stack has, and how many from the head down can be reached."""

    size: int
    reachable: int


STRETCHES = (4096, 64)
"""Entries of which it is counted together how many were off the stack: many, and some of them."""


class Off:
    """How many entries of a stretch were off the stack after any event."""

    def __init__(self) -> None:
        self._seqs = array("I")
        self._counts = array("I")

    def add(self, seq: int, more: int) -> None:
        """So many more are off the stack from an event on."""
        self._seqs = appended(self._seqs, seq)
        self._counts.append(more + (self._counts[-1] if self._counts else 0))

    def at(self, seq: int) -> int:
        """How many were off after an event."""
        index = bisect_right(self._seqs, seq) - 1
        return self._counts[index] if index >= 0 else 0


NONE_OFF = Off()


class UndoLog:
    """Every entry that was ever on the stack, and since when it is off it or another."""

    def __init__(self) -> None:
        self.seqs = array("I")
        """The events that pushed an entry, ascending."""
        self._entries: list[Kept] = []
        self._later: dict[int, list[tuple[int, Entry | None]]] = {}
        self._off: dict[int, dict[int, Off]] = {size: {} for size in STRETCHES}
        self._changes: list[tuple[int, int]] = []
        self._depth_at = array("I", [0])
        self._sizes = array("I", [0])
        self._reachable = array("I", [0])

    def follow(self, effect: Effect, stack: UndoStack) -> None:
        """Take over what an event did to the stack, which keeps its entry in little memory."""
        for entry in effect.popped:
            self._change(effect.seq, entry.seq, None)
        for _, entry in effect.replaced:
            self._change(effect.seq, entry.seq, entry)
        for entry in effect.restored:
            self._change(effect.seq, entry.seq, entry)
        if effect.pushed is not None:
            seq = effect.pushed.seq
            self.seqs = appended(self.seqs, seq)
            self._entries.append(stack.kept(seq) or effect.pushed)

    def has(self, seq: int) -> bool:
        """Whether an event pushed an entry."""
        index = bisect_left(self.seqs, seq)
        return index < len(self.seqs) and self.seqs[index] == seq

    def _change(self, at: int, seq: int, entry: Entry | None) -> None:
        later = self._later.setdefault(seq, [])
        more = (entry is None) - (bool(later) and later[-1][1] is None)
        if more:
            index = bisect_left(self.seqs, seq)
            for size, stretches in self._off.items():
                stretches.setdefault(index // size, Off()).add(at, more)
        later.append((at, entry))
        self._changes.append((at, seq))

    def taken(self, seq: int) -> list[int]:
        """The entries that an event took off the stack, by the events that pushed them."""
        touched = self._touched(seq - 1, seq)
        return sorted(of for of in touched if self.entry(of, seq) is None)

    def _touched(self, first: int, second: int) -> set[int]:
        """The entries that left, came back or changed after an event, up to another one."""
        window = (
            bisect_right(self._changes, seq, key=lambda change: change[0])
            for seq in (first, second)
        )
        return {of for _, of in self._changes[slice(*window)]}

    def note_depth(self, seq: int, depth: Depth) -> None:
        """The stack's depth after an event."""
        if (self._sizes[-1], self._reachable[-1]) != depth:
            self._depth_at = appended(self._depth_at, seq)
            self._sizes.append(depth.size)
            self._reachable.append(depth.reachable)

    def depth(self, seq: int) -> Depth:
        """The stack's depth after the event `seq`."""
        index = bisect_right(self._depth_at, seq) - 1
        return Depth(self._sizes[index], self._reachable[index])

    def entry(self, of: int, seq: int) -> Entry | None:
        """The entry of the event `of` as it was after `seq`; null where it was not there."""
        if of > seq or not self.has(of):
            return None
        return self._at(bisect_left(self.seqs, of), seq)

    def _at(self, index: int, seq: int) -> Entry | None:
        later = self._later.get(self.seqs[index])
        if later is not None:
            place = bisect_right(later, seq, key=lambda change: change[0])
            if place:
                return later[place - 1][1]
        return self._entries[index].entry

    def down(self, seq: int, start: int = 0) -> Iterator[Entry]:
        """The stack after the event `seq` from its head down, without the first `start`."""
        seqs, later, entries = self.seqs, self._later, self._entries
        for place in range(self._below(start, seq), -1, -1):
            entry = self._at(place, seq) if seqs[place] in later else entries[place].entry
            if entry is not None:
                yield entry

    def place(self, of: int, seq: int) -> int | None:
        """How many entries stand above the one of the event `of`; null where it is off."""
        if self.entry(of, seq) is None:
            return None
        return self._above(bisect_left(self.seqs, of), seq)

    def _above(self, index: int, seq: int) -> int:
        """How many entries were on the stack above an index."""
        top = bisect_right(self.seqs, seq) - 1
        off, at = 0, index + 1
        while at <= top:
            size = next((size for size in STRETCHES if at % size == 0), 1)
            off += self._off_in(size, at, seq)
            at += size
        return top - index - off

    def _off_in(self, size: int, start: int, seq: int) -> int:
        """How many entries of a stretch were off the stack; of one alone, whether it was."""
        if size == 1:
            return self._at(start, seq) is None
        return self._off[size].get(start // size, NONE_OFF).at(seq)

    def came(self, first: int, second: int) -> int:
        """How many entries stand on the stack after `second` and did not after `first` before."""
        pushed = self._above(bisect_right(self.seqs, first) - 1, second)
        again = {of for of in self._touched(first, second) if of <= first}
        back = sum(
            self.entry(of, first) is None and self.entry(of, second) is not None for of in again
        )
        return pushed + back

    def _below(self, place: int, seq: int) -> int:
        """An index above which so many entries were on the stack; -1 where there were not."""
        index = bisect_right(self.seqs, seq) - 1
        while place and index >= 0:
            for size in (*STRETCHES, 1):
                if (index + 1) % size == 0:
                    start = index + 1 - size
                    on = size - self._off_in(size, start, seq)
                    if on <= place:
                        place, index = place - on, start - 1
                        break
        return index
