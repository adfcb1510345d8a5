"""The revision after each event: noted only where it is another than before."""

from __future__ import annotations

from array import array
from bisect import bisect_right

from spanscope.journal.numbers import appended

UNKNOWN = 0


class Revisions:
    """By the place of an event among all, ascending from 0."""

    def __init__(self) -> None:
        self._places = array("I", [0])
        """From which on, one more each: 0 is before the first."""
        self._found = array("I", [1])
        """The revisions, one more each, or `UNKNOWN`."""

    def note(self, place: int, revision: int | None) -> None:
        """The revision after the event at a place, which is the last; null where it is unknown."""
        found = UNKNOWN if revision is None else revision + 1
        if found == self._found[-1]:
            return
        if self._places[-1] == place + 1:
            self._found[-1] = found
            return
        self._found = appended(self._found, found)
        self._places = appended(self._places, place + 1)

    def __getitem__(self, place: int) -> int | None:
        """The revision after the event at a place; -1: before the first, where it is 0."""
        found = self._found[bisect_right(self._places, place + 1) - 1]
        return None if found == UNKNOWN else found - 1
