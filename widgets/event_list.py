"""All events of a session, one a row; those after the cursor are muted."""

from __future__ import annotations

from functools import cached_property

from spanscope.history.describing import about, clock, details, number
from spanscope.history.rows import EventRow
from spanscope.journal.events import type_of
from spanscope.widgets.findings import label, role, worst_first
from spanscope.widgets.lines import Line, Role, Row, fitting_words, within
from spanscope.widgets.listing import DenseListing
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject, subject_of

ROOMY = 100
"""From this inner width actors such as `tool:export.dry_run` stand whole."""

WIDE = 70
MIDDLE = 42
_FINDING = 11


class EventListing(DenseListing):
    """The Events pane as lines."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._width = width

    @cached_property
    def _seq(self) -> int:
        return max(3, len(str(self._scene.history.last)))

    def title(self) -> Line:
        """The pane's name and its counts."""
        scene, chosen = self._scene, self._scene.filter
        row = Row().put("Events ")
        if chosen is not None:
            more, narrow = "" if chosen.done else "+", self._width < MIDDLE
            row.put(f"{number(len(self))}{more}{'/' if narrow else ' of '}")
            row.put(number(len(scene.history)))
            if scene.seq and not chosen.shows(scene.seq):
                step = "" if self._width < MIDDLE else "step "
                row.gap(2).put(f"{step}{scene.seq} hidden", "warning")
            row.gap(2).put("" if narrow else "filter ", "muted").put(chosen.text, "strong")
        else:
            row.put(number(len(self)))
        if scene.watched:
            row.gap(2).put("watch ", "muted").put(scene.watched, "strong")
        return row.line()

    def empty(self) -> str:
        """An empty session, or nothing that the filter leaves."""
        chosen = self._scene.filter
        if chosen is not None and len(self._scene.history):
            return "no event is meant by the filter: F changes it" if chosen.done else "looking..."
        return "no event yet" if self._scene.audit.done else "nothing read yet"

    def __len__(self) -> int:
        """How many rows there are."""
        chosen = self._scene.filter
        return len(self._scene.history) if chosen is None else len(chosen.seqs)

    def _position(self, index: int) -> int:
        """The place of a row's event among all events."""
        chosen = self._scene.filter
        return index if chosen is None else self._scene.history.position(chosen.seqs[index])

    def subject(self, number: int) -> Subject | None:
        """What a row is about."""
        return subject_of(self._scene.history.event_row(self._position(number)).event)

    def anchor(self) -> int | None:
        """The selected row, else the first that this step changed."""
        chosen = self._scene.filter
        place = self._scene.position if chosen is None else chosen.place(self._scene.seq)
        return max(0, place) if len(self) else None

    def seq(self, number: int) -> int | None:
        """The step that a row stands for."""
        return self._scene.history.seqs[self._position(number)]

    def row(self, number: int) -> Line:
        """One row, from 0."""
        item = self._scene.history.event_row(self._position(number))
        ahead, here = item.seq > self._scene.seq, item.seq == self._scene.seq
        lens = self._scene.lens
        since = self._scene.since
        dim = ahead or (lens is not None and not lens.shows(item.seq))
        dim = dim or (since is not None and item.seq <= since.pin < self._scene.seq)
        base: Role = "future" if dim else "plain"
        low: Role = "future" if dim else "muted"
        marked = item.seq in self._scene.bookmarks
        pinned = item.seq == self._scene.pin
        row = Row().put("> " if here else "p " if pinned else "m " if marked else "  ", base)
        row.put(str(item.seq), base, self._seq, right=True).gap()
        if self._width >= WIDE:
            row.put(clock(item.event.time), low, 8).gap(2)
        if self._width >= MIDDLE:
            row.put(item.event.actor, low, 19 if self._width >= ROOMY else 11, middle=True).gap()
        row.put(type_of(item.event), base, 10 if self._width >= MIDDLE else 8).gap()
        self._about(row, item, base, low)
        self._found(row, item, ahead=ahead)
        return within(row.line("selected" if here else ""), self._width)

    def _about(self, row: Row, item: EventRow, base: Role, low: Role) -> None:
        """What the event is about, and where there is room what it did."""
        if self._width >= WIDE:
            room = self._width - row.width
            name = max(9, min(20, room - _FINDING - 18))
            row.put(about(item.event), base, name, middle=True).gap()
            room -= name + 1 + (_FINDING + 1 if item.findings else 0)
            row.put(fitting_words(details(item.event, self._scene.history), room), low, room)
            return
        kept = 0
        if item.findings:
            kept = (_FINDING if self._width >= MIDDLE else len("! ABC123")) + 1
        row.put(about(item.event), base, max(6, self._width - row.width - kept), middle=True)

    def _found(self, row: Row, item: EventRow, *, ahead: bool) -> None:
        """The worst finding, and how many more where that fits."""
        if not item.findings:
            return
        found = worst_first(item.findings)
        left = self._width - row.gap().width
        text = label(found)
        row.put(
            text if len(text) <= left else label(found[:1]), "future" if ahead else role(found[0])
        )
