"""All events of a session, one a row; those after the cursor are muted."""

from __future__ import annotations

from functools import cached_property

from spanscope.widgets.describe import about, clock, detail, number, type_of
from spanscope.widgets.findings import label, role, worst_first
from spanscope.widgets.lines import Line, Role, Row
from spanscope.widgets.listing import Listing
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject, subject_of

WIDE = 70
MIDDLE = 42
_TYPE = 10
_FINDING = 11


class EventListing(Listing):
    """The Events pane as lines."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._width = width

    @cached_property
    def _seq(self) -> int:
        return max(3, len(str(self._scene.history.last)))

    def title(self) -> Line:
        """The pane's name and its counts."""
        return Row().put(f"Events {number(len(self))}").line()

    def empty(self) -> str:
        """An empty session."""
        return "no event yet" if self._scene.audit.done else "nothing read yet"

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._scene.history)

    def subject(self, index: int) -> Subject | None:
        """What a row is about."""
        return subject_of(self._scene.history.event_row(index).event)

    def anchor(self) -> int | None:
        """The selected row, else the first that this step changed."""
        return max(0, self._scene.position) if len(self) else None

    def seq(self, index: int) -> int | None:
        """The step that a row stands for."""
        return self._scene.history.seqs[index]

    def row(self, index: int) -> Line:
        """One row, from 0."""
        history = self._scene.history
        item = history.event_row(index)
        event, here = item.event, item.seq == self._scene.seq
        ahead = item.seq > self._scene.seq
        base: Role = "future" if ahead else "plain"
        low: Role = "future" if ahead else "muted"
        row = (
            Row().put("> " if here else "  ", base).put(str(item.seq), base, self._seq, right=True)
        )
        row.gap()
        if self._width >= WIDE:
            row.put(clock(event.time), low, 8).gap(2)
        if self._width >= MIDDLE:
            row.put(event.actor, low, 11).gap()
        wide_type = _TYPE if self._width >= MIDDLE else 8
        row.put(type_of(event), base, wide_type).gap()
        found = worst_first(item.findings)
        room = self._width - row.width - (_FINDING + 1)
        if self._width >= WIDE:
            name = max(9, min(20, room - 17))
            row.put(about(event), base, name, middle=True).gap()
            row.put(detail(history, item.seq, event), low, room - name - 1)
        else:
            least = self._width - row.width - (9 if found else 0)
            row.put(about(event), base, max(6, min(least, room if found else least)), middle=True)
        row.gap()
        if found:
            shown: Role = "future" if ahead else role(found[0])
            left = self._width - row.width
            text = label(found) if left >= len(label(found)) else label(found[:1])
            row.put(text, shown, max(0, left))
        return row.line("selected" if here else "")
