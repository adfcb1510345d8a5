"""The rows of the map as signs: what befell a span or an artifact, a column a number of events.

However many events touched a thing, a row costs what its columns do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from spanscope.history.history import History
    from spanscope.model.spans import Span
    from spanscope.widgets.about import About

Item = TypeVar("Item")


class Group(NamedTuple):
    """The items from one place to before another, which lie in one column.

    Column -1: before the first one.
    """

    column: int
    first: int
    end: int


class Columns:
    """`count` columns from the event at the place `start` on, `per` events each."""

    def __init__(self, history: History, start: int, per: int, count: int) -> None:
        self._history = history
        self._start = start
        self._per = per
        self.count = count

    def at(self, seq: int) -> int:
        """The column of an event."""
        return (self._history.position(seq) - self._start) // self._per

    def groups(self, items: Sequence[Item], seq: Callable[[Item], int]) -> Iterator[Group]:
        """Items that are sorted by their seqs, column by column."""
        at = self._before(items, self._start, 0, seq)
        if at:
            yield Group(-1, 0, at)
        while at < len(items) and (column := self.at(seq(items[at]))) < self.count:
            end = self._before(items, self._start + (column + 1) * self._per, at, seq)
            yield Group(column, at, end)
            at = end

    def _before(
        self, items: Sequence[Item], place: int, low: int, seq: Callable[[Item], int]
    ) -> int:
        """How many items stand before the event at a place."""
        seqs = self._history.seqs
        return len(items) if place >= len(seqs) else bisect_left(items, seqs[place], low, key=seq)

    def lifeline(self, states: Sequence[Span], about: About) -> list[str]:
        """The states of a span: a line while it is there, versions where they changed, its end."""
        signs = [" "] * self.count
        groups = list(self.groups(states, lambda state: state.seq))
        ends = [group.column for group in groups[1:]]
        ends.append(min(self.count, self.at(self._history.last) + 1))
        for group, end in zip(groups, ends, strict=False):
            column, last = group.column, states[group.end - 1]
            if not last.gone:
                signs[max(0, column) : end] = _line(last) * max(0, end - max(0, column))
            elif column >= 0 and (was := _last_there(states, group)) is not None:
                signs[column] = _line(was)
        for group in groups:
            if group.column >= 0:
                _mark(signs, states, group)
        self._found(signs, about)
        return signs

    def holding(
        self, held: Sequence[tuple[int, object | None]], touched: Sequence[int], about: About
    ) -> list[str]:
        """An artifact: while it was held, where it was derived, used and let go."""
        signs = [" "] * self.count
        for place, (seq, artifact) in enumerate(held):
            if artifact is None:
                continue
            until = held[place + 1][0] if place + 1 < len(held) else self._history.last + 1
            start, end = max(0, self.at(seq)), min(self.count, self.at(until - 1) + 1)
            signs[start:end] = "." * max(0, end - start)
        for column, _, _ in self.groups(touched, int):
            if column >= 0:
                signs[column] = "u" if signs[column] in ".u" else "x"
        if held and 0 <= self.at(held[0][0]) < self.count:
            signs[self.at(held[0][0])] = "d"
        self._found(signs, about)
        return signs

    def _found(self, signs: list[str], about: About) -> None:
        """The findings about a thing: the worst of a column."""
        for severity, sign in (("warning", "~"), ("error", "!")):
            found = about.of(severity)
            for column, _, _ in self.groups(found, lambda finding: finding.seq or 0):
                if column >= 0:
                    signs[column] = sign


def _line(state: Span) -> str:
    return "?" if state.unknown else "-" if state.live else "="


def _last_there(states: Sequence[Span], group: Group) -> Span | None:
    """The last state in a column, or just before it, in which the span was there."""
    for place in range(group.end - 1, max(-1, group.first - 2), -1):
        if not states[place].gone:
            return states[place]
    return None


def _mark(signs: list[str], states: Sequence[Span], group: Group) -> None:
    """The last change of version in a column, or the end; a long version is cut at the edge."""
    for place in range(group.end - 1, group.first - 1, -1):
        now = states[place]
        was = states[place - 1] if place else None
        if now.gone and (was is None or not was.gone):
            signs[group.column] = "x"
            return
        if not now.gone and (was is None or was.gone or was.version != now.version):
            version = str(now.version)[: len(signs) - group.column]
            signs[group.column : group.column + len(version)] = version
            return
