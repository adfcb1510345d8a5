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


AT_ONCE = 1_000
"""So many rows are made at once for a place that is sought: some 10 ms."""


class LazyRows:
    """Rows from an iterator that is pulled only as far as needed; they are kept.

    With `patient` no more than `AT_ONCE` are made to find a place: `seeking` says that it may
    still be found, and who asks again goes on from there.
    """

    def __init__(self, source: Iterator[Marked], *, patient: bool = False) -> None:
        self._source = source
        self._patient = patient
        self.seeking = False
        self.rows: list[Line] = []
        self.starts: list[int] = []
        self.found: list[int] = []
        self.exhausted = False

    @property
    def made(self) -> int:
        """How many rows there are so far."""
        return len(self.rows)

    def reach(self, count: int) -> int:
        """How many of the first `count` rows there are."""
        missing = count - len(self.rows)
        if missing > 0 and not self.exhausted:
            for line, starts in islice(self._source, missing):
                self._keep(line, starts=starts)
            self.exhausted = len(self.rows) < count
        return min(count, len(self.rows))

    def row(self, number: int) -> Line:
        """A row that is there."""
        return self.rows[number]

    def start(self, number: int) -> int | None:
        """The row where a changed place (from 0) starts; null where there are not so many."""
        return self._sought(self.starts, number)

    def match(self, number: int) -> int | None:
        """The row with a match (from 0) of what is sought; null where there are not so many."""
        return self._sought(self.found, number)

    def _sought(self, places: list[int], number: int) -> int | None:
        left = AT_ONCE
        while len(places) <= number and not self.exhausted and left:
            made = next(self._source, None)
            if made is None:
                self.exhausted = True
            else:
                self._keep(made[0], starts=made[1])
            left -= self._patient
        found = number < len(places)
        self.seeking = not found and not self.exhausted
        return places[number] if found else None

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


class HeadedRows:
    """Rows below some lines that stand above them, as one."""

    def __init__(self, heads: Sequence[Line], body: LazyRows | None = None) -> None:
        self._heads = heads
        self._body = LazyRows(iter(())) if body is None else body

    @property
    def rows(self) -> list[Line]:
        """All rows that there are so far."""
        return [*self._heads, *self._body.rows]

    @property
    def found(self) -> list[int]:
        """The rows so far with a match of what is sought."""
        return [len(self._heads) + place for place in self._body.found]

    @property
    def made(self) -> int:
        """How many rows there are so far."""
        return len(self._heads) + self._body.made

    @property
    def exhausted(self) -> bool:
        """Whether there are no more."""
        return self._body.exhausted

    @property
    def seeking(self) -> bool:
        """Whether a place may still be found."""
        return self._body.seeking

    def row(self, number: int) -> Line:
        """A row that is there."""
        heads = len(self._heads)
        return self._heads[number] if number < heads else self._body.rows[number - heads]

    def reach(self, count: int) -> int:
        """How many of the first `count` rows there are."""
        heads = len(self._heads)
        return count if count <= heads else heads + self._body.reach(count - heads)

    def start(self, number: int) -> int | None:
        """The row where a changed place (from 0) starts, if it is found."""
        return self._below(self._body.start(number))

    def match(self, number: int) -> int | None:
        """The row with a match (from 0) of what is sought, if it is found."""
        return self._below(self._body.match(number))

    def _below(self, place: int | None) -> int | None:
        return None if place is None else len(self._heads) + place

    def __iter__(self) -> Iterator[Marked]:
        """All rows, from the first."""
        yield from ((line, False) for line in self._heads)
        yield from self._body


class LazyListing(DenseListing):
    """A listing whose rows come one after the other."""

    @abstractmethod
    def produce(self) -> Iterator[Marked]:
        """The rows in order."""

    @cached_property
    def lazy(self) -> LazyRows | HeadedRows:
        """The rows so far."""
        return LazyRows(self.produce())

    @property
    def seeking(self) -> bool:
        """Whether the row to have in view is still sought."""
        return self.lazy.seeking

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
            self.lazy.reach(2 * self.lazy.made + 64)
        return self.lazy.made

    def row(self, number: int) -> Line:
        """One row."""
        self.lazy.reach(number + 1)
        return self.lazy.row(number)
