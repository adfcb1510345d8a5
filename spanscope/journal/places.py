"""Where the lines of a journal stand in its file, in two or three bytes each."""

from __future__ import annotations

from array import array
from bisect import bisect_right

from spanscope.journal.numbers import appended

LONGEST_RUN = 32
"""Lines, one right behind the other, of which only the first one's offset is kept."""


class LinePlaces:
    """Offsets and lengths of lines, ascending; between some of them may stand what is no line."""

    def __init__(self) -> None:
        self._lengths = array("H")
        self._firsts = array("I")
        """The lines with which runs begin."""
        self._offsets = array("Q")
        """The offsets of these."""
        self._next = -1

    def add(self, offset: int, length: int) -> None:
        """The next line, of so many bytes without its newline."""
        number = len(self._lengths)
        if offset != self._next or number - self._firsts[-1] == LONGEST_RUN:
            self._offsets.append(offset)
            self._firsts = appended(self._firsts, number)
        self._lengths = appended(self._lengths, length)
        self._next = offset + length + 1

    def __getitem__(self, number: int) -> tuple[int, int]:
        """The offset and the length of a line."""
        run = bisect_right(self._firsts, number) - 1
        first, lengths = self._firsts[run], self._lengths
        before = sum(lengths[first:number]) + number - first
        return self._offsets[run] + before, lengths[number]
