"""The entries of the undo stack in order, those of plain splices in little memory where wanted."""

from __future__ import annotations

from bisect import bisect_right, insort
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


class UndoStack(Sequence[Entry]):
    """The entries, bottom first; each has a seq of its own, ascending."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._kept: list[Kept] = list(entries)

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

    def __setitem__(self, at: int, entry: Entry) -> None:
        self._kept[at] = entry

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

    def cut(self, length: int) -> None:
        """Take off all above so many."""
        del self._kept[length:]

    def replace(self, gone: set[int], redone: dict[int, Entry]) -> None:
        """Take out the entries of some seqs, and let others take the place of those of theirs."""
        start = self.above(min((*gone, *redone), default=0) - 1)
        above = self._kept[start:]
        self._kept[start:] = [redone.get(e.seq, e) for e in above if e.seq not in gone]

    def above(self, seq: int) -> int:
        """How many entries there are of events up to `seq`: where those above begin."""
        return bisect_right(self._kept, seq, key=_seq)

    def find(self, seq: int) -> int | None:
        """The position of an event's entry; null where it has none on the stack."""
        index = self.above(seq) - 1
        return index if index >= 0 and self._kept[index].seq == seq else None
