"""All states of one span, those that plain splices left in little memory."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import overload

from msgspec.structs import replace

from spanscope.model.node import Node
from spanscope.model.spans import Span

WHOLE_EVERY = 16
"""Every so many states are kept as they are: any other is so short a walk away."""

_seq = attrgetter("seq")


def _spliced(before: Span, node: Node, version: int) -> Span:
    """The state that plain splices left, of which this one stood before them."""
    return replace(
        before,
        node=node,
        seq=node.seq,
        version=version,
        claimed=version,
        behind=0,
        op="splice",
        written=node.seq,
    )


class States(Sequence[Span]):
    """The states of a span in order.

    Of one that a plain splice left, with its version claimed, the content tells the rest: the
    version is the next one, and nothing else is another than before.
    """

    __slots__ = ("_kept",)

    def __init__(self, first: Span) -> None:
        self._kept: list[Span | Node] = [first]

    def __len__(self) -> int:
        return len(self._kept)

    @overload
    def __getitem__(self, at: int) -> Span: ...
    @overload
    def __getitem__(self, at: slice) -> list[Span]: ...
    def __getitem__(self, at: int | slice) -> Span | list[Span]:
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self._kept))
            if step == 1:
                return list(self._row(start, stop))
            return [self._state(index) for index in range(start, stop, step)]
        return self._state(range(len(self._kept))[at])

    def __iter__(self) -> Iterator[Span]:
        return self._row(0, len(self._kept))

    def __reversed__(self) -> Iterator[Span]:
        for start in range((len(self._kept) - 1) // WHOLE_EVERY * WHOLE_EVERY, -1, -WHOLE_EVERY):
            yield from reversed(self[start : start + WHOLE_EVERY])

    def _row(self, start: int, stop: int) -> Iterator[Span]:
        """The states from one on up to another, each made of the one before."""
        state: Span | None = None
        for at in range(start, stop):
            kept = self._kept[at]
            if isinstance(kept, Span):
                state = kept
            elif state is None:
                state = self._state(at)
            else:
                state = _spliced(state, kept, state.version + 1)
            yield state

    def _state(self, at: int) -> Span:
        """The state at an index from 0."""
        node = self._kept[at]
        if isinstance(node, Span):
            return node
        kept, place = self._kept, at - 1
        while isinstance(whole := kept[place], Node):
            place -= 1
        return _spliced(whole, node, whole.version + at - place)

    def append(self, span: Span) -> None:
        """The next state."""
        self._kept.append(span)

    def append_spliced(self, before: Span, span: Span) -> None:
        """The state that a plain splice left of the last one."""
        counted = span.claimed == span.version == before.version + 1
        small = counted and len(self._kept) % WHOLE_EVERY != 0
        self._kept.append(span.node if small else span)

    def at(self, seq: int) -> Span | None:
        """The state after the event `seq`; null before the first."""
        index = bisect_right(self._kept, seq, key=_seq)
        return self._state(index - 1) if index else None

    def before(self, seq: int) -> Span:
        """The state before the event `seq`, which is not the first of its events."""
        return self._state(bisect_left(self._kept, seq, key=_seq) - 1)
