"""What a span was before: no state of it is looked at twice, however often that is asked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from heapq import merge
from operator import attrgetter

from spanscope.journal.parts import Base
from spanscope.model.spans import Span
from spanscope.model.state import BufferState
from spanscope.model.versions import counted_on, may_be_at

_seq = attrgetter("seq")


class _Seen:
    """The states of a span that were looked at, by their places in order.

    `by_hash` has those whose hash is unknown under null, `by_version` each under all that an agent
    may mean.
    """

    def __init__(self) -> None:
        self.count = 0
        self.by_hash: dict[str | None, list[int]] = {}
        self.by_version: dict[int, list[int]] = {}

    def read(self, states: Sequence[Span], count: int) -> None:
        """Look at the states up to a number of them."""
        for place, span in enumerate(states[self.count : count], self.count):
            self.by_hash.setdefault(span.hash, []).append(place)
            for version in {span.version, counted_on(span)}:
                self.by_version.setdefault(version, []).append(place)
        self.count = max(self.count, count)

    def like(self, base: Base, *, damaged: bool) -> Iterable[int]:
        """The places of all states that a base may be, newest first, and of some that it is not."""
        if base.hash is not None:
            same, unknown = self.by_hash.get(base.hash, []), self.by_hash.get(None, [])
            return merge(reversed(same), reversed(unknown), reverse=True)
        if base.version is not None and not damaged:
            return reversed(self.by_version.get(base.version, []))
        return range(self.count - 1, -1, -1)


class Past:
    """Since when spans are not what a writer believes, and since when they are tombstones."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}

    def other_since(self, state: BufferState, before: Span, base: Base) -> int | None:
        """The event since which a span is not what a writer believed; null: it never was that."""
        states = state.chronicle[before.span]
        count = bisect_right(states, before.seq, key=_seq)
        seen = self._seen.setdefault(before.span, _Seen())
        seen.read(states, count)
        for place in seen.like(base, damaged=state.damaged):
            if place < count and may_be_at(state, states[place], base.version):
                return states[place + 1].seq if place + 1 < count else None
        return None
