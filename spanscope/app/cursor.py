"""The one cursor: where it stands, what is selected, and where it was before. Knows no terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanscope.app.pace import SLICE
from spanscope.history.history import History
from spanscope.journal.events import Close
from spanscope.rules.finding import Finding
from spanscope.widgets.findings import FindingIndex, worst_first
from spanscope.widgets.subject import Subject, subject_of, subjects_of

if TYPE_CHECKING:
    from spanscope.history.filtering import Watch, Way

REMEMBERED = 100
"""So many jumps can be taken back."""


class Cursor:
    """A position in a history, and the way there.

    `selected` follows the cursor until something is selected by hand (`held`). A `watch` stops it
    on its way; `halted` says where. A long way is gone a moment at a time: `way` is what is left
    of it, null where the cursor has arrived.
    """

    def __init__(self, history: History) -> None:
        self.history = history
        self.findings = FindingIndex(history.findings, history.touched)
        self.seq = history.last
        self.selected: Subject | None = None
        self.held = False
        self.picked: Finding | None = None
        self.watch: Watch | None = None
        self.halted = ""
        self.way: Way | None = None
        self._jumps = False
        self._trail: list[int] = []
        self._onward: list[int] = []
        self._choose()

    # Moving

    def start_at(self, seq: int) -> None:
        """Stand at a step from the start: there is nowhere to go back to."""
        self.go(seq)
        self.forget_the_trail()

    def go(self, seq: int) -> str | None:
        """Move to a step that may be far away: it can be taken back."""
        seqs = self.history.seqs
        if not seqs:
            return "there is no event yet"
        if seq > self.history.last:
            return f"no such seq: {self.history.last} is the last"
        target = 0 if seq < seqs[0] else seqs[self.history.position(seq)]
        if target != self.seq:
            self._trail = [*self._trail[1 - REMEMBERED :], self.seq]
            self._onward = []
        self._move(target)
        return None

    def glide(self, seq: int) -> None:
        """On to a step while the timeline is dragged: no jump that could be taken back."""
        self._move(seq)

    def back(self) -> str | None:
        """Where the cursor was before the last jump."""
        if not self._trail:
            return "this is where you started"
        self._onward.append(self.seq)
        self._move(self._trail.pop())
        return None

    def onward(self) -> str | None:
        """Where the cursor was before it was taken back."""
        if not self._onward:
            return "nothing was taken back since the last jump"
        self._trail.append(self.seq)
        self._move(self._onward.pop())
        return None

    def to_end(self) -> None:
        """Stand at the last event; no jump that could be taken back."""
        self._move(self.history.last)

    # Where it was

    @property
    def trail(self) -> tuple[int, ...]:
        """The steps that jumps have left, the last one last."""
        return tuple(self._trail)

    def forget_the_trail(self) -> None:
        """There is nowhere to go back to."""
        self._trail, self._onward = [], []

    # Under a watch

    def _on_to(self, target: int, *, jump: bool = False) -> str | None:
        """A motion to a step, as far as the watch lets it; `jump`: it can be taken back."""
        self.halted = ""
        if self.watch is None or target == self.seq:
            return self._arrive(target, jump=jump)
        self.way, self._jumps = self.watch.way(self.seq, target), jump
        return self.travel()

    def travel(self) -> str | None:
        """On on the way that a motion has begun, for a moment; what there is to say."""
        way, watch = self.way, self.watch
        assert way is not None
        if watch is not None and not way.advance(SLICE):
            return f"on the way to {way.end}: looking for {watch.text}   escape stops"
        if watch is not None and way.found not in (None, way.end):
            self.halted = f"watch stops at {way.found}: {watch.text}"
        return self._arrive(way.end if way.found is None else way.found, jump=self._jumps)

    def _arrive(self, seq: int, *, jump: bool) -> str | None:
        said = None
        if jump:
            said = self.go(seq)
        else:
            self._move(seq)
        return self.halted or said

    def _stop_on_the_way(self, target: int) -> int | None:
        self.halted = ""
        if self.watch is None or target == self.seq:
            return None
        stop = self.watch.first(self.seq, target)
        if stop is not None:
            self.halted = f"watch stops at {stop}: {self.watch.text}"
        return stop

    # What is selected

    def pick(self, finding: Finding) -> str | None:
        """Go to a finding, select what it is about, and explain it rather than any other."""
        said = None if finding.seq is None else self.go(finding.seq)
        self.held = False
        self.selected = next(
            iter(subjects_of(finding)), None if finding.seq is None else self.selected
        )
        self.picked = finding
        return said

    def select(self, subject: Subject | None) -> None:
        """Select by hand: it stays selected."""
        self.picked = None
        self.selected = subject
        self.held = subject is not None

    def release(self) -> bool:
        """Let the selection follow the cursor again; false if it did already."""
        if not self.held:
            return False
        self.held = False
        self.picked = None
        self._choose()
        return True

    def _move(self, seq: int) -> None:
        self.way = None
        self.seq = seq
        self.picked = None
        if not self.held:
            self._choose()

    def _choose(self) -> None:
        """Select what this step is about: the worst finding's subject, else the event's."""
        found = worst_first(self.history.findings_at(self.seq)) if self.seq else []
        subjects = subjects_of(found[0]) if found else []
        event = self.history.event(self.seq) if self.seq else None
        subject = subjects[0] if subjects else subject_of(event)
        # What is about nothing leaves the selection; before and behind everything all is meant.
        if subject is not None or self.seq == 0 or isinstance(event, Close):
            self.selected = subject
