"""Names of many things in little memory, and the numbers that things have by their names."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from spanscope.journal.numbers import appended

FIRST_SLOTS = 64


class Names:
    """Names by their place, from 0, in the order in which they came.

    One after the other in UTF-8, with a table of places by hash: a `dict` of strings takes six
    times as much. May be read from several threads while one adds.
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("I", [0])
        self._slots = array("I", [0]) * FIRST_SLOTS
        """A place, plus one, at its name's hash or in the next slot that was free; else 0."""

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, place: int) -> str:
        return self._data(place).decode("utf-8", "surrogatepass")

    def find(self, name: str) -> int | None:
        """The place of a name; null where it never came."""
        slots, data = self._slots, name.encode("utf-8", "surrogatepass")
        found = slots[self._slot(slots, data)]
        return found - 1 if found else None

    def add(self, name: str) -> int:
        """The place of a name, which comes if it never did."""
        data = name.encode("utf-8", "surrogatepass")
        slot = self._slot(self._slots, data)
        if found := self._slots[slot]:
            return found - 1
        self._bytes += data
        self._ends = appended(self._ends, len(self._bytes))
        self._slots[slot] = len(self)
        if 3 * len(self) > 2 * len(self._slots):
            self._widen()
        return len(self) - 1

    def _data(self, place: int) -> bytearray:
        return self._bytes[self._ends[place] : self._ends[place + 1]]

    def _slot(self, slots: array[int], data: bytes) -> int:
        """The slot that a name has, or would have."""
        last = len(slots) - 1
        slot = hash(data) & last
        while (found := slots[slot]) and self._data(found - 1) != data:
            slot = (slot + 1) & last
        return slot

    def _widen(self) -> None:
        slots = array("I", [0]) * (2 * len(self._slots))
        for place in range(len(self)):
            slots[self._slot(slots, bytes(self._data(place)))] = place + 1
        self._slots = slots


class Numbered:
    """Those of some names that have a number, from 0 in the order in which they got it."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._numbers = array("I")
        """By the place of a name: its number, plus one; else 0."""
        self._places = array("I")
        """By the number: the place of its name."""

    def get(self, name: str) -> int | None:
        """The number of a name; null where it has none."""
        place = self._names.find(name)
        if place is None or place >= len(self._numbers):
            return None
        return self._numbers[place] - 1 if self._numbers[place] else None

    def add(self, name: str) -> int:
        """Give a name that has none the next number."""
        place = self._names.add(name)
        while len(self._numbers) <= place:
            self._numbers.append(0)
        self._places.append(place)
        self._numbers[place] = len(self._places)
        return len(self._places) - 1

    def __iter__(self) -> Iterator[str]:
        return map(self._names.__getitem__, self._places)

    def name(self, number: int) -> str:
        """The name that has a number."""
        return self._names[self._places[number]]
