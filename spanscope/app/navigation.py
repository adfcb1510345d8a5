"""The one cursor: where it is, what is selected, and every motion. Knows no terminal."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from spanscope.app.bookmarks import Bookmarks
from spanscope.app.pace import SLICE
from spanscope.history.history import History
from spanscope.rules.finding import Finding
from spanscope.widgets.findings import FindingIndex, worst_first
from spanscope.widgets.lens import Lens
from spanscope.widgets.live import Live
from spanscope.widgets.scene import Audit, Compare, Scene, compare_at_once
from spanscope.widgets.subject import Subject, subject_of, subjects_of
from spanscope.widgets.why import finding_of

if TYPE_CHECKING:
    from spanscope.history.filtering import Filter, Watch, Way

SHOWN = ("error", "warning")
"""The severities that `e` stops at."""

RECORDING = "this is a recording: `spanscope open PATH --follow` follows a journal that grows"
"""What `f` says where there is nothing to follow."""

NOTHING_SELECTED = "nothing is selected: j k in Spans, Undo or Staging selects a row"

REMEMBERED = 100
"""So many jumps can be taken back."""


class Navigator:
    """A position in a history.

    Motions return null, or why they could not move, in words. `selected` follows the cursor
    until something is selected by hand (`held`).
    """

    def __init__(
        self, history: History, file: str = "", compare: Compare = compare_at_once
    ) -> None:
        self.history = history
        self.findings = FindingIndex(history.findings, history.touched)
        self.file = file
        self.compare = compare
        self.audit = Audit()
        self.unknown = len(history.unknown)
        self._counted: tuple[int, int, bool] | None = None
        self.live: Live | None = None
        self.following = False
        self.seq = history.last
        self.selected: Subject | None = None
        self.held = False
        self.filter: Filter | None = None
        self.watch: Watch | None = None
        self.halted = ""
        self.way: Way | None = None
        self._jumps = False
        self.sought = ""
        self.picked: Finding | None = None
        self.bookmarks = Bookmarks()
        self.lens: Lens | None = None
        self.pin: int | None = None
        self._trail: list[int] = []
        self._onward: list[int] = []
        self._choose()

    def scene(self) -> Scene:
        """What there is to see."""
        return Scene(
            history=self.history,
            findings=self.findings,
            seq=self.seq,
            selected=self.selected,
            audit=self.audit,
            file=self.file,
            unknown=self.unknown,
            compare=self.compare,
            live=self.live,
            now=time.time(),
            following=self.following,
            filter=self.filter,
            sought=self.sought,
            picked=self.picked,
            watched="" if self.watch is None else self.watch.text,
            bookmarks=self.bookmarks.notes,
            trail=tuple(self._trail),
            lens=self.lens,
            pin=self.pin,
        )

    def grew(self, audit: Audit, live: Live | None = None) -> None:
        """The history has read on; `live` tells of a journal that goes on growing."""
        self.audit = audit
        self.halted = ""
        self.live = live
        self.findings.update()
        if self.lens is not None:
            self.lens = Lens(self.history, self.lens.subject)
        if audit.done and (live is None or not live.growing):
            self.count_unknown()
        if live is None:
            self.following = False
        if self.following:
            self._follow_on()

    def _follow_on(self) -> None:
        """To the end, or to the first event that the watch stops at: there following ends."""
        stop = self._stop_on_the_way(self.history.last)
        self.following = stop is None
        self._move(self.history.last if stop is None else stop)

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

    def count_unknown(self) -> None:
        """Count what can't be judged; too slow to be done at every event."""
        state = (len(self.history), len(self.history.findings), self.audit.done)
        if state != self._counted:
            self._counted = state
            self.unknown = len(self.history.unknown)

    def adopt(self, history: History) -> None:
        """Another history takes the place of this one; the cursor stays at its seq if it can."""
        self.history = history
        self.findings = FindingIndex(history.findings, history.touched)
        self.filter = None if self.filter is None else self.filter.again(history)
        self.watch = None if self.watch is None else self.watch.again(history)
        self.lens = None if self.lens is None else Lens(history, self.lens.subject)
        self.pin = None if self.pin is None else min(self.pin, history.last)
        self._trail, self._onward = [], []
        self.held = False
        self._counted = None
        self.count_unknown()
        self._move(min(self.seq, history.last))

    def seen(self) -> None:
        """A person has seen that the journal was read again."""
        if self.live is not None:
            self.live = replace(self.live, again="")

    def to_end(self) -> None:
        """Stand at the last event; no jump that could be taken back."""
        self._move(self.history.last)

    def let_go(self, before: int) -> None:
        """Follow no more where a motion from the step `before` has led away from the end."""
        if self.seq not in (before, self.history.last):
            self.following = False

    def follow(self) -> str | None:
        """Follow a journal that grows, or let go of it."""
        if self.live is None or not self.live.growing:
            return "nothing more comes here" if self.live is not None else RECORDING
        self.following = not self.following
        if self.following and len(self.history):
            self.go(self.history.last)
        return None if self.following else "let go: f follows again"

    def open_at_trouble(self) -> bool:
        """Go to the first error, if there is one."""
        seq = self.findings.first("error")
        if seq is None:
            return False
        self.seq = seq
        self._choose()
        return True

    def start_at(self, seq: int) -> None:
        """Stand at a step from the start: there is nowhere to go back to."""
        self.go(seq)
        self._trail = []

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

    def step(self, count: int) -> str | None:
        """So many events forward, or back where negative."""
        seqs = self.history.seqs
        if not seqs:
            return "there is no event yet"
        position = self.history.position(self.seq) if self.seq >= seqs[0] else -1
        target = min(max(-1, position + count), len(seqs) - 1)
        if target == position:
            return "this is the last event" if count > 0 else "this is before the first event"
        return self._on_to(seqs[target] if target >= 0 else 0)

    def finding(self, count: int) -> str | None:
        """So many steps with a finding on."""
        seq = self.seq
        for _ in range(abs(count)):
            found = (
                self.findings.following(seq, SHOWN)
                if count > 0
                else self.findings.preceding(seq, SHOWN)
            )
            if found is None:
                break
            seq = found
        if seq == self.seq:
            return self._no_finding(count)
        self.held = False
        return self._on_to(seq, jump=True)

    def _no_finding(self, count: int) -> str:
        if not any(self.findings.count(severity) for severity in SHOWN):
            done = self.audit.done
            said = f"no error, no warning up to {self.history.last}"
            return f"{said}, {self.unknown} unknown" if done else f"{said}; still auditing"
        if count > 0:
            other = self.findings.preceding(self.seq, SHOWN)
            more = "" if other is None else f"; E goes to the one before, at {other}"
            return f"no finding after {self.seq}{more}"
        other = self.findings.following(self.seq, SHOWN)
        more = "" if other is None else f"; e goes to the next, at {other}"
        return f"no finding before {self.seq}{more}"

    def turn(self, count: int) -> str | None:
        """So many turns on."""
        word = "turn" if self.history.turns else "turn in this session"
        return self._along(self.history.turns, count, word)

    def touch(self, count: int) -> str | None:
        """So many events on that touched the selected thing, which stays selected."""
        if self.selected is None:
            return NOTHING_SELECTED
        touched = self.history.touched(self.selected.ids)
        self.held = True
        return self._along(touched, count, f"event that touched {self.selected.name}")

    def _along(self, seqs: Sequence[int], count: int, word: str) -> str | None:
        if count > 0:
            place = bisect_right(seqs, self.seq) + count - 1
        else:
            place = bisect_left(seqs, self.seq) + count
        reachable = bisect_right(seqs, self.seq) < len(seqs) if count > 0 else place - count > 0
        if not reachable:
            return f"no {word} {'after' if count > 0 else 'before'} {self.seq}"
        return self._on_to(seqs[min(max(0, place), len(seqs) - 1)], jump=True)

    def row(self, count: int) -> str | None:
        """So many rows on in the list of events, of those that a filter leaves."""
        chosen = self.filter
        if chosen is None:
            return self.step(count)
        if not chosen.seqs:
            return "no event is meant by the filter: F changes it"
        place = chosen.place(self.seq)
        if count < 0 and not chosen.shows(self.seq):
            place += 1
        target = min(max(0, place + count), len(chosen.seqs) - 1)
        return self._on_to(chosen.seqs[target])

    def first(self) -> str | None:
        """The first event."""
        return self.go(self.history.seqs[0]) if len(self.history) else "there is no event yet"

    def last(self) -> str | None:
        """The last event."""
        return self.go(self.history.last)

    def blame(self) -> str | None:
        """The cause of what is wrong with the selected thing, else who wrote it last."""
        scene = self.scene()
        finding = finding_of(scene, self.selected)
        if self.selected is None and finding is None:
            return NOTHING_SELECTED
        cause = finding.caused_by if finding is not None else None
        if finding is not None and cause is None and finding.seq != self.seq:
            cause = finding.seq
        if cause is None and self.selected is not None:
            touched = self.history.touched(self.selected.ids)
            place = bisect_left(touched, self.seq)
            cause = touched[place - 1] if place else None
        if cause is None:
            name = "the file" if self.selected is None else self.selected.name
            return f"nothing before {self.seq} touched {name}"
        self.held = self.selected is not None
        return self.go(cause)

    def look_through(self) -> str | None:
        """A lens on the selected thing; where it is there already, no lens."""
        if self.selected is None:
            return NOTHING_SELECTED
        if self.lens is not None and self.lens.subject == self.selected:
            self.lens = None
            return None
        self.lens = Lens(self.history, self.selected)
        self.held = True
        return f"lens on {self.selected.name}: s S go along it, escape closes"

    def pin_here(self) -> str | None:
        """Compare with this step from now on; on the pin itself no more."""
        if self.pin == self.seq:
            self.pin = None
            return "no pin: the panes show this step again"
        self.pin = self.seq
        return f"pinned at {self.seq}: the panes show what changes from here, escape ends it"

    def drop_pin(self) -> bool:
        """Compare no more; false if nothing was compared."""
        was, self.pin = self.pin, None
        return was is not None

    def drop_lens(self) -> bool:
        """Take the lens away; false if there was none."""
        was, self.lens = self.lens, None
        return was is not None

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
        if subject is not None or self.seq == 0:
            self.selected = subject
