"""Which entries of the undo stack touched what: none has to be looked for among all of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from spanscope.model.stack import UndoStack
from spanscope.model.undo import IN_PLACE, Entry


class Touches:
    """The entries (seqs, ascending) by what they touched; some may be off the stack by now.

    `spans` are those of each span, `order` those that changed which spans stand where,
    `going_back` those of them whose undo puts a span back where it stood, `recorded` those whose
    inverses may tell an offset.
    """

    def __init__(self, stack: UndoStack) -> None:
        self._stack = stack
        self.spans: dict[str, list[int]] = {}
        self.order: list[int] = []
        self.going_back: list[int] = []
        self.recorded: list[int] = []

    def add(self, entry: Entry) -> None:
        """An entry was put onto the stack, or back to its place in it, or became another."""
        seq = entry.seq
        for name in entry.spans:
            seqs = self.spans.get(name)
            if seqs is None:
                self.spans[name] = [seq]
            else:
                _note(seqs, seq)
        for part in entry.parts:
            if part.kind not in IN_PLACE:
                _note(self.order, seq)
                if part.goes_back:
                    _note(self.going_back, seq)
            if part.record is not None:
                _note(self.recorded, seq)

    def splice(self, name: str, entry: Entry) -> None:
        """As `add`, of the newest entry of all, which is one splice: without looking."""
        seqs = self.spans.get(name)
        if seqs is None:
            self.spans[name] = [entry.seq]
        else:
            seqs.append(entry.seq)
        if entry.parts[0].record is not None:
            self.recorded.append(entry.seq)

    def take_out(self, entries: Iterable[Entry]) -> None:
        """Entries are off the stack."""
        for entry in entries:
            kinds = (self.order, self.going_back, self.recorded)
            for seqs in (*(self.spans[name] for name in entry.spans), *kinds):
                _forget(seqs, entry.seq)

    def on(self, name: str) -> Iterator[Entry]:
        """The entries on the stack that touched a span, newest first."""
        return self._entries(reversed(self._of(name)))

    def next_below(self, name: str, seq: int) -> Entry | None:
        """The newest entry on the stack before the event `seq` that touched a span."""
        seqs = self._of(name)
        below = (seqs[place] for place in range(bisect_left(seqs, seq) - 1, -1, -1))
        return next(self._entries(below), None)

    def next_above(self, name: str, seq: int) -> Entry | None:
        """The oldest entry on the stack after the event `seq` that touched a span."""
        seqs = self._of(name)
        above = (seqs[place] for place in range(bisect_right(seqs, seq), len(seqs)))
        return next(self._entries(above), None)

    def above(self, seqs: list[int], seq: int) -> Iterator[Entry]:
        """The entries of one of the lists that are on the stack, of events after `seq`."""
        return self._entries(seqs[bisect_right(seqs, seq) :])

    def with_offsets(self, seq: int) -> list[Entry]:
        """The entries on the stack of events after `seq` whose inverses tell an offset.

        The others are no more looked for.
        """
        start = bisect_right(self.recorded, seq)
        entries = self._entries(self.recorded[start:])
        found = [entry for entry in entries if any(part.told_offset for part in entry.parts)]
        self.recorded[start:] = [entry.seq for entry in found]
        return found

    def _of(self, name: str) -> list[int]:
        """The entries that touched a span, without the newest that are off the stack."""
        seqs = self.spans.get(name, [])
        while seqs and self._stack.find(seqs[-1]) is None:
            seqs.pop()
        return seqs

    def _entries(self, seqs: Iterable[int]) -> Iterator[Entry]:
        """The entries of these seqs that are on the stack."""
        for seq in seqs:
            place = self._stack.find(seq)
            if place is not None:
                yield self._stack[place]


def _note(seqs: list[int], seq: int) -> None:
    if not seqs or seqs[-1] < seq:
        seqs.append(seq)
        return
    place = bisect_left(seqs, seq)
    if seqs[place] != seq:
        seqs.insert(place, seq)


def _forget(seqs: list[int], seq: int) -> None:
    place = bisect_left(seqs, seq)
    if place < len(seqs) and seqs[place] == seq:
        del seqs[place]
