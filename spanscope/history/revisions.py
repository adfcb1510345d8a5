"""The revision after each event: noted only where it is another than before."""

from __future__ import annotations

from array import array
from bisect import bisect_right

UNKNOWN = -1


class Revisions:
    """By the place of an event among all, ascending from 0."""

    def __init__(self) -> None:
        self._places = array("q", [-1])
        self._found = array("q", [0])

    def note(self, place: int, revision: int | None) -> None:
        """The revision after the event at a place, which is the last; null where it is unknown."""
        found = UNKNOWN if revision is None else revision
        if found == self._found[-1]:
            return
        if self._places[-1] == place:
            self._found[-1] = found
            return
        self._found.append(found)
        self._places.append(place)

    def __getitem__(self, place: int) -> int | None:
        """The revision after the event at a place; -1: before the first, where it is 0."""
        found = self._found[bisect_right(self._places, place) - 1]
        return None if found == UNKNOWN else found
