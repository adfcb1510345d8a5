"""Searching a text in ids, actors, kinds and contents, a slice of time at a time."""

from __future__ import annotations

import time
from bisect import bisect_left
from typing import Literal

from spanscope.history.event_texts import Where, places_of, row_of
from spanscope.history.history import History
from spanscope.text.cells import cut
from spanscope.widgets.findings import label

SAID = 40
"""Cells of the sought text that are repeated: the answer stands behind it."""

AT_A_TIME = 64
"""Events between two looks at the clock."""

Place = Where | Literal["finding", "row"]

NAMES: dict[Place, str] = {
    "id": "ids",
    "actor": "actors",
    "kind": "kinds",
    "content": "contents",
    "finding": "findings",
    "row": "rows",
}
"""Where a match was found, for people; `row`: across the words of one."""

PENDING = -1
"""Not found yet: something in between has not been looked at."""


class Search:
    """One text that is sought, without regard to case, from the cursor on and then from the start.

    `counts` says where the matches were found; an event counts once.
    """

    def __init__(self, history: History, text: str, cursor: int = 0) -> None:
        self.text = text
        self.counts: dict[Place, int] = {}
        self._history = history
        self._wanted = text.casefold()
        self._start = max(0, history.position(cursor))
        self._upto = self._start
        self._wrapped = 0
        self._ahead: list[int] = []
        self._behind: list[int] = []

    @property
    def done(self) -> bool:
        """Whether every event there is has been looked at."""
        return self._upto >= len(self._history) and self._wrapped >= self._start

    @property
    def found(self) -> int:
        """How many events match, as far as it has looked."""
        return len(self._behind) + len(self._ahead)

    @property
    def percent(self) -> int:
        """The share that has been looked at."""
        looked = self._upto - self._start + self._wrapped
        return 100 * looked // max(1, len(self._history))

    def advance(self, seconds: float) -> bool:
        """Look on for about so long; whether there is nothing left to look at."""
        end = time.perf_counter() + seconds
        while not self.done and time.perf_counter() < end:
            for _ in range(AT_A_TIME):
                self._look_once()
        return self.done

    def _look_once(self) -> None:
        """Look at the next event, if there is one left."""
        if self._upto < len(self._history):
            self._look(self._upto, self._ahead)
            self._upto += 1
        elif self._wrapped < self._start:
            self._look(self._wrapped, self._behind)
            self._wrapped += 1

    def _look(self, position: int, matches: list[int]) -> None:
        where = self._where(self._history.seqs[position])
        if where is not None:
            matches.append(position)
            self.counts[where] = self.counts.get(where, 0) + 1

    def _where(self, seq: int) -> Place | None:
        """Where an event matches first."""
        event = self._history.event(seq)
        if event is None or not self._wanted:
            return None
        for place, text in places_of(event):
            if self._wanted in text.casefold():
                return place
        if self._wanted in row_of(event).casefold():
            return "row"
        found = label(self._history.findings_at(seq)).casefold()
        return "finding" if self._wanted in found else None

    def next(self, cursor: int, *, back: bool = False) -> int | None:
        """The seq of the next match after the cursor, or before it, then from the other end.

        `PENDING` where it is not known yet; null: there is none.
        """
        count = len(self._history)
        here = self._history.position(cursor)
        if back:
            # Before the first event there is nothing: on from the end, as from the first.
            here = max(0, here)
        unseen = self._gap(here, back=back)
        if not self.found:
            return None if unseen is None else PENDING
        place = self._before(here) - 1 if back else self._before(here + 1)
        match = self._match(place % self.found)
        way = _way(here, match, count, back=back)
        if unseen is not None and _way(here, unseen, count, back=back) < way:
            return PENDING
        return self._history.seqs[match]

    def _before(self, position: int) -> int:
        """How many matches stand before a position. There may be very many: none is copied."""
        if position <= self._start:
            return bisect_left(self._behind, position)
        return len(self._behind) + bisect_left(self._ahead, position)

    def _match(self, place: int) -> int:
        """The position of a match, by its place among all."""
        behind = len(self._behind)
        return self._behind[place] if place < behind else self._ahead[place - behind]

    def _gap(self, here: int, *, back: bool) -> int | None:
        """The first place on the way that has not been looked at."""
        count = len(self._history)
        gaps = [(self._wrapped, self._start), (self._upto, count)]
        ends = [place for low, high in gaps if low < high for place in _ends(low, high, here, back)]
        return min(ends, key=lambda place: _way(here, place, count, back=back), default=None)

    def answer(self, cursor: int) -> str:
        """What was found, for the message line."""
        if not self._wanted:
            return "text in ids, actors, kinds and contents"
        said = repr(cut(self.text, SAID))
        looked = "" if self.done else f" in {self.percent}% of the events"
        if not self.found:
            return f"{said}: no match{looked}"
        here = self._history.position(cursor)
        place = self._before(here)
        at = place < self.found and self._match(place) == here
        number = f"{place + 1:,} of " if at and self.done else ""
        many = "match" if self.found == 1 else "matches"
        where = ", ".join(f"{self.counts[p]:,} in {NAMES[p]}" for p in NAMES if p in self.counts)
        return f"{said}: {number}{self.found:,} {many}{looked}; n N; {where}"


def _ends(low: int, high: int, here: int, back: bool) -> list[int]:
    """The places of a gap that a way from `here` may meet first."""
    ends = [low, high - 1]
    beside = here - 1 if back else here + 1
    return [*ends, beside] if low <= beside < high else ends


def _way(here: int, place: int, count: int, *, back: bool) -> int:
    """How far it is to a place, around the end; to where one stands it is all the way."""
    way = (here - place) if back else (place - here)
    return (way - 1) % count if count else 0
