"""The undo stack of a step, head first, with the rule below which nothing can be undone."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from spanscope.history.describing import entry_chars, entry_name, number
from spanscope.widgets.lines import Line, Role, Row, within
from spanscope.widgets.listing import DenseListing
from spanscope.widgets.subject import Subject

if TYPE_CHECKING:
    from spanscope.history.rows import UndoRow
    from spanscope.widgets.scene import Scene

WIDE = 46
MIDDLE = 32

_SHORT = {
    "ambiguous": "ambig",
    "clobbered": "clobber",
    "misleading": "mislead",
}
_ROLES: dict[str, Role] = {
    "missing": "error",
    "lost": "error",
    "ambiguous": "warning",
    "misleading": "warning",
    "clobbered": "warning",
    "unknown": "warning",
}
_BLOCK = 24
"""Rows are asked for in blocks of so many."""


class UndoListing(DenseListing):
    """The Undo pane as lines."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._width = width
        self._blocks: dict[int, list[UndoRow]] = {}

    @cached_property
    def _size(self) -> int:
        return self._scene.moment.undo_size

    @cached_property
    def _reachable(self) -> int:
        return self._scene.moment.reachable

    @property
    def _blocked(self) -> bool:
        return self._reachable < self._size

    def title(self) -> Line:
        """The pane's name and its counts."""
        row = Row().put(f"Undo {number(self._size)}")
        if self._scene.since is not None:
            counts = self._scene.since.entries
            words = ((counts.new, "new"), (counts.gone, "gone"))
            row.put("".join(f"  {word} {number(count)}" for count, word in words if count))
        elif self._size:
            count = number(self._reachable) if self._blocked else "all"
            row.put(f"  reachable {count}")
        return row.line()

    def empty(self) -> str:
        """When the first change comes."""
        seq = self._scene.seq
        return f"nothing to undo: no change up to {seq}"

    def heading(self) -> Line | None:
        """The names of the columns."""
        if self._width < MIDDLE:
            return None
        row = Row().put("  ").put("ENTRY", "muted", self._entry).gap()
        row.put("CHANGE", "muted", 8 + self._span).gap().put("DIRECT", "muted", self._direct)
        if self._chars:
            row.gap().put("CHARS", "muted", self._chars)
        return row.line()

    @cached_property
    def _entry(self) -> int:
        least = 5 if self._width >= MIDDLE else 4
        return max(least, len(str(self._scene.history.last)) + 1)

    @property
    def _direct(self) -> int:
        if self._width >= WIDE + 14:
            return 13
        return 11 if self._width >= WIDE else 8 if self._width >= MIDDLE else 7

    @property
    def _chars(self) -> int:
        return 9 if self._width >= WIDE else 0

    @property
    def _span(self) -> int:
        gutter = 2 if self._width >= MIDDLE else 0
        chars = self._chars + 1 if self._chars else 0
        return max(6, self._width - gutter - self._entry - 1 - 8 - 1 - self._direct - chars)

    def __len__(self) -> int:
        """How many rows there are."""
        return self._size + self._blocked

    def _item(self, index: int) -> UndoRow | None:
        """The entry of a row; null for the rule."""
        if self._blocked and index == self._reachable:
            return None
        number = index - (self._blocked and index > self._reachable)
        return self._entry_at(number)

    def _entry_at(self, number: int) -> UndoRow:
        block = number // _BLOCK
        if block not in self._blocks:
            self._blocks[block] = self._scene.moment.undo(block * _BLOCK, _BLOCK)
        return self._blocks[block][number % _BLOCK]

    def row(self, number: int) -> Line:
        """One row, from 0."""
        item = self._item(number)
        return self._rule() if item is None else self._line(item)

    def subject(self, number: int) -> Subject | None:
        """What a row is about."""
        item = self._item(number)
        return None if item is None else Subject("entry", item.entry.seq)

    def anchor(self) -> int | None:
        """The selected row, else the first that this step changed."""
        selected = self._scene.selected
        if selected is not None and selected.kind == "entry":
            place = self._place(int(selected.id))
            if place is not None:
                return place
        return 0 if self._size else None

    def _place(self, seq: int) -> int | None:
        """The row of an entry; null where it is not on the stack."""
        place = self._scene.moment.undo_place(seq)
        if place is None:
            return None
        return place + (self._blocked and place >= self._reachable)

    def seq(self, number: int) -> int | None:
        """The step that a row stands for."""
        item = self._item(number)
        return None if item is None else item.entry.seq

    def _rule(self) -> Line:
        first = self._entry_at(self._reachable)
        count = self._size - self._reachable
        by = f"#{first.blocked_by if first.blocked_by is not None else first.entry.seq}"
        said = (
            f" unknown below {by} "
            if first.reachable is None
            else f" {number(count)} blocked by {by} "
        )
        role: Role = "warning" if first.reachable is None else "block"
        row = Row().put("──" + said, role)
        return row.put("─" * max(0, self._width - row.width), role).line()

    def _line(self, item: UndoRow) -> Line:
        entry = item.entry
        selected = self._scene.selected == Subject("entry", entry.seq)
        since = self._scene.since
        change = "" if since is None else since.entry(entry.seq)
        changed = entry.seq == self._scene.seq if since is None else bool(change)
        alike: Role = "plain" if since is None else "muted"
        role: Role = "muted" if item.reachable is not True else "strong" if changed else alike
        lens = self._scene.lens
        if lens is not None and not lens.shows(entry.seq):
            role = "future"
        row = Row()
        if self._width >= MIDDLE:
            gutter = "+ " if change == "new" else "* " if changed else "  "
            row.put("> " if selected else gutter, role)
        row.put(f"#{entry.seq}", role, self._entry).gap()
        row.put(entry.op, role, 7).gap()
        row.put(entry_name(entry), role, self._span, middle=True).gap()
        status = role if item.by_offset_alone else _ROLES.get(item.status.direct, role)
        row.put(self._status(item), status, self._direct)
        if self._chars:
            low: Role = "strong" if changed else "muted"
            row.gap().put(entry_chars(entry), low, self._chars)
        return within(row.line("selected" if selected else ""), self._width)

    def _status(self, item: UndoRow) -> str:
        """The direct status with its number; a shorter word where the number would be cut."""
        if item.by_offset_alone:
            return "offset only" if self._direct >= len("offset only") else "offset"
        direct = item.status.direct
        number = ""
        if direct == "ambiguous" and item.places:
            number = f" {len(item.places)}"
        elif direct == "moved" and moved_by(item):
            number = f" {moved_by(item):+d}"
        for word in (direct, _SHORT.get(direct, direct)):
            if len(word + number) <= self._direct:
                return word + number
        return _SHORT.get(direct, direct)


def moved_by(item: UndoRow) -> int:
    """How far a moved entry's place is from where the edit was made; 0 for several edits."""
    if len(item.entry.parts) != 1 or not item.places:
        return 0
    after = item.entry.parts[0].after
    return 0 if after is None else item.places[0].at - after.at
