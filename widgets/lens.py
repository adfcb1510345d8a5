"""The lens: of everything only what touched one thing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice

from spanscope.history.history import History
from spanscope.widgets.subject import Subject

LOOKED_AT = 400
"""So many events of a thing are looked at to see whether another one shares one of them."""


class Lens:
    """What touched a subject: `seqs` are the events that did, ascending."""

    def __init__(self, history: History, subject: Subject) -> None:
        self.subject = subject
        self.seqs: Sequence[int] = history.touched(subject.ids)
        self._history = history

    def shows(self, seq: int) -> bool:
        """Whether an event touched the subject."""
        place = bisect_left(self.seqs, seq)
        return place < len(self.seqs) and self.seqs[place] == seq

    def concerns(self, subject: Subject) -> bool:
        """Whether something is the subject, or an event touched both."""
        if subject == self.subject:
            return True
        return any(map(self.shows, islice(self._history.touched(subject.ids), LOOKED_AT)))
