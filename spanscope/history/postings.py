"""Ascending numbers of many things, in little memory: of most things there are few."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence

from spanscope.journal.numbers import appended

FEW = 8
"""Numbers of a thing up to which they stand in one row with those of all others."""


class Postings:
    """For each thing, which is known by a number from 0, the numbers added, oldest first.

    The few numbers of a thing are a chain from the last back to the first; more are an array.
    """

    def __init__(self) -> None:
        self._numbers = array("I")
        self._before = array("I")
        self._last = array("I")
        self._counts = array("B")
        self._many: dict[int, array[int]] = {}

    def __len__(self) -> int:
        return len(self._last)

    def new(self) -> int:
        """A thing of which there are no numbers yet; the next one after the last."""
        self._last.append(0)
        self._counts.append(0)
        return len(self._last) - 1

    def add(self, thing: int, number: int) -> None:
        """One number more of a thing."""
        count = self._counts[thing]
        if count < FEW:
            self._numbers = appended(self._numbers, number)
            self._before.append(self._last[thing])
            self._last[thing] = len(self._numbers)
            self._counts[thing] = count + 1
            return
        many = self._many.get(thing)
        if many is None:
            many = array(self._numbers.typecode, self.of(thing))
        self._many[thing] = appended(many, number)

    def last(self, thing: int) -> int | None:
        """The newest number of a thing; null where there is none."""
        if self._counts[thing] == FEW and (many := self._many.get(thing)) is not None:
            return many[-1]
        place = self._last[thing]
        return self._numbers[place - 1] if place else None

    def below(self, thing: int, bound: int) -> int | None:
        """The newest number of a thing that is less than a bound; null where there is none."""
        if self._counts[thing] == FEW and (many := self._many.get(thing)) is not None:
            index = bisect_left(many, bound)
            return many[index - 1] if index else None
        place = self._last[thing]
        while place:
            number = self._numbers[place - 1]
            if number < bound:
                return number
            place = self._before[place - 1]
        return None

    def of(self, thing: int) -> Sequence[int]:
        """All numbers of a thing."""
        if self._counts[thing] == FEW and (many := self._many.get(thing)) is not None:
            return many
        found: list[int] = []
        place = self._last[thing]
        while place:
            found.append(self._numbers[place - 1])
            place = self._before[place - 1]
        found.reverse()
        return found
