"""The entries of the undo stack in order, those of plain splices in little memory where wanted."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TypeAlias, overload

from msgspec import Struct

from spanscope.journal.parts import Inverse
from spanscope.model.node import Node
from spanscope.model.states import States
from spanscope.model.undo import Entry, Part

_seq = attrgetter("seq")


class PlainSplice(Struct, gc=False, frozen=True):
    """All that an entry of a plain splice does not share with others: it is made anew from that."""

    seq: int
    states: States
    after: Node
    record: Inverse | bytes | None

    @property
    def entry(self) -> Entry:
        """The entry."""
        before, after = self.states.before(self.seq), self.after
        part = Part(
            kind="splice",
            span=before.span,
            store=before.store,
            before=before,
            after=after,
            record=self.record,
        )
        return Entry(seq=self.seq, op="splice", actor=after.actor, parts=(part,))


Kept: TypeAlias = Entry | PlainSplice


def _entry(kept: Kept) -> Entry:
    return kept if isinstance(kept, Entry) else kept.entry


class Entries(Sequence[Entry]):
    """Entries of which each is made only where it is looked at."""

    def __init__(self, entries: list[Kept] | None = None) -> None:
        """`entries`: the list becomes its own."""
        self._kept: list[Kept] = [] if entries is None else entries

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Entry]:
        return map(_entry, self._kept)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> list[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | list[Entry]:
        if isinstance(at, slice):
            return list(map(_entry, self._kept[at]))
        kept = self._kept[at]
        return kept if isinstance(kept, Entry) else kept.entry


class Passed(Entries):
    """The entries that a rollback of some below them leaves on the stack, head first."""

    def has(self, seq: int) -> bool:
        """Whether the entry of an event is one of them."""
        place = bisect_left(self._kept, -seq, key=lambda kept: -kept.seq)
        return place < len(self._kept) and self._kept[place].seq == seq

    def only(self, stores: set[str]) -> Passed:
        """Those that changed spans of some stores."""
        return Passed([entry for entry in self if entry.stores & stores])


NOTHING_PASSED = Passed()


class UndoStack(Entries):
    """The entries, bottom first; each has a seq of its own, ascending."""

    def __setitem__(self, at: int, entry: Entry) -> None:
        self._kept[at] = entry

    def kept(self, seq: int) -> Kept | None:
        """The newest entry as it is kept; null where it is not that of this event."""
        newest = self._kept[-1] if self._kept else None
        return newest if newest is not None and newest.seq == seq else None

    def put(self, entry: Entry) -> None:
        """Put an entry onto the stack, or back to its place in it."""
        if not self._kept or self._kept[-1].seq < entry.seq:
            self._kept.append(entry)
        else:
            insort(self._kept, entry, key=_seq)

    def put_splice(self, entry: Entry, states: States) -> None:
        """Put the entry of a plain splice, the newest of all, onto it in little memory.

        `states` are those of its span.
        """
        part = entry.parts[0]
        assert part.after is not None
        self._kept.append(PlainSplice(entry.seq, states, part.after, part.record))

    def append(self, entry: Entry) -> None:
        """Put the newest entry of all onto it."""
        self._kept.append(entry)

    def pop(self) -> Entry:
        """Take the newest entry off."""
        return _entry(self._kept.pop())

    def take_out(self, seqs: Iterable[int]) -> list[int]:
        """Take the entries of some seqs out from between the others; where they were, ascending."""
        places = self._places(seqs)
        for place in reversed(places):
            del self._kept[place]
        return places

    def passed(self, seqs: Iterable[int]) -> Passed:
        """The entries above the oldest of some seqs, without theirs."""
        places = self._places(seqs)
        left = self._kept[places[0] :] if places else []
        for place in reversed(places):
            del left[place - places[0]]
        left.reverse()
        return Passed(left)

    def _places(self, seqs: Iterable[int]) -> list[int]:
        """Where the entries of some seqs stand, ascending."""
        return sorted(place for seq in seqs if (place := self.find(seq)) is not None)

    def above(self, seq: int) -> int:
        """How many entries there are of events up to `seq`: where those above begin."""
        return bisect_right(self._kept, seq, key=_seq)

    def seqs_between(self, seq: int, last: int) -> list[int]:
        """The seqs of the entries of events after `seq`, up to `last`, bottom first."""
        return [kept.seq for kept in self._kept[self.above(seq) : self.above(last)]]

    def find(self, seq: int) -> int | None:
        """The position of an event's entry; null where it has none on the stack."""
        index = self.above(seq) - 1
        return index if index >= 0 and self._kept[index].seq == seq else None
