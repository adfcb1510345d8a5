"""Filters and watches: expressions kept open over a history that may be long and may grow."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import inf

from spanscope.history.expression import parse
from spanscope.history.history import History
from spanscope.history.matching import Matcher

AT_A_TIME = 64
"""Events between two looks at the clock."""


class Filter:
    """The events that an expression means, sought a slice of time at a time.

    `seqs` are those found so far, ascending. Raises ExpressionError for a text that says nothing.
    """

    def __init__(self, history: History, text: str) -> None:
        self.text = text
        self.seqs: list[int] = []
        self._history = history
        self._matcher = Matcher(history, parse(text))
        self._looked = 0

    def again(self, history: History) -> Filter:
        """The same over another history."""
        return Filter(history, self.text)

    @property
    def done(self) -> bool:
        """Whether every event there is has been looked at."""
        return self._looked >= len(self._history)

    def advance(self, seconds: float) -> bool:
        """Look on for about so long; whether there is nothing left to look at."""
        end = time.perf_counter() + seconds
        seqs, fits = self._history.seqs, self._matcher.fits
        while not self.done and time.perf_counter() < end:
            upto = min(len(seqs), self._looked + AT_A_TIME)
            self.seqs += [seq for seq in seqs[self._looked : upto] if fits(seq)]
            self._looked = upto
        return self.done

    def shows(self, seq: int) -> bool:
        """Whether the event `seq` is one of them."""
        place = bisect_left(self.seqs, seq)
        return place < len(self.seqs) and self.seqs[place] == seq

    def place(self, seq: int) -> int:
        """The row of the last one at or before `seq`; -1 where there is none."""
        return bisect_right(self.seqs, seq) - 1


class Way:
    """The events that a motion comes to, looked at a slice of time at a time.

    Only those on the way are looked at, however far the next one is. `found` is the seq of the
    first that is meant, null while it is sought and where there is none.
    """

    def __init__(
        self, seqs: Sequence[int], fits: Callable[[int], bool], start: int, end: int
    ) -> None:
        self.end = end
        self.found: int | None = None
        self._seqs = seqs
        self._fits = fits
        if end > start:
            self._left = range(bisect_right(seqs, start), bisect_right(seqs, end))
        else:
            self._left = range(bisect_left(seqs, start) - 1, bisect_left(seqs, end) - 1, -1)

    def advance(self, seconds: float) -> bool:
        """Look on for about so long; whether it is known where the motion stops."""
        until = time.perf_counter() + seconds
        while self.found is None and self._left and time.perf_counter() < until:
            now, self._left = self._left[:AT_A_TIME], self._left[AT_A_TIME:]
            met = (self._seqs[place] for place in now)
            self.found = next((seq for seq in met if self._fits(seq)), None)
        return self.found is not None or not self._left


class Watch:
    """An expression that stops motions. Raises ExpressionError for a text that says nothing."""

    def __init__(self, history: History, text: str) -> None:
        self.text = text
        self._history = history
        self._fits = Matcher(history, parse(text)).fits

    def again(self, history: History) -> Watch:
        """The same over another history."""
        return Watch(history, self.text)

    def first(self, start: int, end: int) -> int | None:
        """The first event meant that a motion from `start` to `end` comes to; null for none."""
        way = self.way(start, end)
        while not way.advance(inf):
            pass
        return way.found

    def way(self, start: int, end: int) -> Way:
        """What a motion from `start` to `end` passes."""
        return Way(self._history.seqs, self._fits, start, end)


class Seeking:
    """The next event that an expression means, sought a slice of time at a time.

    `found` is its seq, null while it is sought and where there is none. `around`: after the last
    event the first ones are looked at, up to that at the cursor.
    """

    def __init__(
        self, history: History, text: str, cursor: int, *, back: bool, around: bool = False
    ) -> None:
        self.text = text
        self.back = back
        self.around = around
        self.found: int | None = None
        self.done = False
        self._history = history
        self._fits = Matcher(history, parse(text)).fits
        self._places = self._order(cursor)

    @property
    def _seqs(self) -> Sequence[int]:
        return self._history.seqs

    def _order(self, cursor: int) -> Iterator[int]:
        """The places of the events as they are looked at; more may come in at the end."""
        if self.back:
            yield from range(bisect_left(self._seqs, cursor) - 1, -1, -1)
            return
        place = here = bisect_right(self._seqs, cursor)
        while place < len(self._seqs):
            yield place
            place += 1
        if self.around:
            yield from range(here)

    def advance(self, seconds: float) -> bool:
        """Look on for about so long; whether it is found or there is none."""
        end = time.perf_counter() + seconds
        while not self.done and time.perf_counter() < end:
            met = [self._seqs[place] for place in islice(self._places, AT_A_TIME)]
            self.found = next((seq for seq in met if self._fits(seq)), None)
            self.done = self.found is not None or not met
        return self.done
