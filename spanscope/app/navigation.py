"""Every motion of the cursor, and what a history that reads on does to it. Knows no terminal."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from spanscope.app.cursor import Cursor
from spanscope.history.history import History
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.lens import Lens
from spanscope.widgets.live import Live
from spanscope.widgets.scene import Audit, Compare, Scene, compare_at_once
from spanscope.widgets.why import finding_of

if TYPE_CHECKING:
    from spanscope.app.bookmarks import Bookmarks
    from spanscope.history.filtering import Filter
    from spanscope.history.rows import UnknownSubject

SHOWN = ("error", "warning")
"""The severities that `e` stops at."""

RECORDING = "this is a recording: `spanscope open PATH --follow` follows a journal that grows"
"""What `f` says where there is nothing to follow."""

NOTHING_SELECTED = "nothing is selected: j k in Spans, Undo or Staging selects a row"


class Navigator(Cursor):
    """The cursor with all its motions, and everything that a scene is made of.

    Motions return null, or why they could not move, in words.
    """

    def __init__(
        self, history: History, file: str = "", compare: Compare = compare_at_once
    ) -> None:
        super().__init__(history)
        self.file = file
        self.compare = compare
        self.audit = Audit()
        self.unknown: list[UnknownSubject] = history.unknown
        self._counted: tuple[int, int, bool] | None = None
        self.live: Live | None = None
        self.following = False
        self.filter: Filter | None = None
        self.sought = ""
        self.lens: Lens | None = None
        self.pin: int | None = None

    @cached_property
    def bookmarks(self) -> Bookmarks:
        """Those of the journal; asked for once it has an event."""
        from spanscope.app.bookmarks import Bookmarks

        return Bookmarks()

    @property
    def found_here(self) -> bool:
        """Whether anything was found at this step."""
        return self.seq > 0 and bool(self.history.findings_at(self.seq))

    def scene(self) -> Scene:
        """What there is to see."""
        return Scene(
            history=self.history,
            findings=self.findings,
            seq=self.seq,
            selected=self.selected,
            audit=self.audit,
            file=self.file,
            unknown=len(self.unknown),
            doubts=self.unknown,
            compare=self.compare,
            live=self.live,
            now=time.time(),
            following=self.following,
            filter=self.filter,
            sought=self.sought,
            picked=self.picked,
            watched="" if self.watch is None else self.watch.text,
            bookmarks=self.bookmarks.notes if len(self.history) else {},
            trail=self.trail,
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

    def count_unknown(self) -> None:
        """Count what can't be judged; too slow to be done at every event."""
        state = (len(self.history), len(self.history.findings), self.audit.done)
        if state != self._counted:
            self._counted = state
            self.unknown = self.history.unknown

    def adopt(self, history: History) -> None:
        """Another history takes the place of this one; the cursor stays at its seq if it can."""
        self.history = history
        self.findings = FindingIndex(history.findings, history.touched)
        self.filter = None if self.filter is None else self.filter.again(history)
        self.watch = None if self.watch is None else self.watch.again(history)
        self.lens = None if self.lens is None else Lens(history, self.lens.subject)
        self.pin = None if self.pin is None else min(self.pin, history.last)
        self.forget_the_trail()
        self.held = False
        self._counted = None
        self.count_unknown()
        self._move(min(self.seq, history.last))

    def seen(self) -> None:
        """A person has seen that the journal was read again."""
        if self.live is not None:
            self.live = replace(self.live, again="")

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
                if count < 0 and self.findings.about_file:
                    # What is found about the file itself stands before the first event.
                    seq = 0
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
            return f"{said}, {len(self.unknown)} unknown" if done else f"{said}; still auditing"
        if count > 0:
            other = self.findings.preceding(self.seq, SHOWN)
            if other is None and self.seq and self.findings.about_file:
                return f"no finding after {self.seq}; E goes to what is found about the file itself"
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
