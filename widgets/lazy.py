"""Rows that are made as far as somebody looks: texts of any length cost what is in view."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from spanscope.widgets.lines import Line
from spanscope.widgets.listing import DenseListing

Marked = tuple[Line, bool]
"""A row, and whether a changed place starts there."""


def opening(lines: Iterable[Line], *, begins: bool) -> Iterator[Marked]:
    """Lines of which the first may start a changed place."""
    for index, line in enumerate(lines):
        yield line, begins and index == 0


class LazyRows:
    """Rows from an iterator that is pulled only as far as needed; they are kept."""

    def __init__(self, source: Iterator[Marked]) -> None:
        self._source = source
        self.rows: list[Line] = []
        self.starts: list[int] = []
        self.found: list[int] = []
        self.exhausted = False

    def reach(self, count: int) -> int:
        """How many of the first `count` rows there are."""
        missing = count - len(self.rows)
        if missing > 0 and not self.exhausted:
            for line, starts in islice(self._source, missing):
                self._keep(line, starts=starts)
            self.exhausted = len(self.rows) < count
        return min(count, len(self.rows))

    def start(self, number: int) -> int | None:
        """The row where a changed place (from 0) starts; null where there are not so many."""
        return self._sought(self.starts, number)

    def match(self, number: int) -> int | None:
        """The row with a match (from 0) of what is sought; null where there are not so many."""
        return self._sought(self.found, number)

    def _sought(self, places: list[int], number: int) -> int | None:
        while len(places) <= number and not self.exhausted:
            made = next(self._source, None)
            if made is None:
                self.exhausted = True
            else:
                self._keep(made[0], starts=made[1])
        return places[number] if number < len(places) else None

    def _keep(self, line: Line, *, starts: bool) -> None:
        if starts:
            self.starts.append(len(self.rows))
        if any(role == "found" for _, role in line.cells):
            self.found.append(len(self.rows))
        self.rows.append(line)

    def __iter__(self) -> Iterator[Marked]:
        """All rows, from the first."""
        at = 0
        starts = 0
        while self.reach(at + 1) > at:
            begins = starts < len(self.starts) and self.starts[starts] == at
            starts += begins
            yield self.rows[at], begins
            at += 1


class LazyListing(DenseListing):
    """A listing whose rows come one after the other."""

    @abstractmethod
    def produce(self) -> Iterator[Marked]:
        """The rows in order."""

    @cached_property
    def lazy(self) -> LazyRows:
        """The rows so far."""
        return LazyRows(self.produce())

    def reach(self, count: int) -> int:
        """How many of the first `count` rows there are."""
        return self.lazy.reach(count)

    def hidden(self, shown: Sequence[int]) -> str:
        """How many rows are shown, and of how many where that is known."""
        if not self.lazy.exhausted:
            return f"{len(shown):,}, and more below"
        return super().hidden(shown)

    def __len__(self) -> int:
        """How many rows there are: makes them all."""
        while not self.lazy.exhausted:
            self.lazy.reach(2 * len(self.lazy.rows) + 64)
        return len(self.lazy.rows)

    def row(self, number: int) -> Line:
        """One row."""
        self.lazy.reach(number + 1)
        return self.lazy.rows[number]
