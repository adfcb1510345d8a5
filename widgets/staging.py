"""The staged diffs of a step with what each read, quotes and writes, judged."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from spanscope.journal import events
from spanscope.text.cells import cell_width
from spanscope.widgets.lines import EMPTY, Line, Role, Row, shown_line, within
from spanscope.widgets.listing import DenseListing
from spanscope.widgets.scene import LOOKED_AHEAD, Scene
from spanscope.widgets.subject import Subject

if TYPE_CHECKING:
    from spanscope.history.rows import DiffRow
    from spanscope.rules.judgements import DiffLine

WIDE = 50
MIDDLE = 32

SHORTEST = 5
"""An author's name that is cut to less says nothing."""

_ROLES: dict[str, Role] = {
    "stale": "error",
    "unreachable": "error",
    "conflict": "error",
    "unknown": "warning",
}


class _Item(NamedTuple):
    """One row of the pane: a diff, or something under it."""

    diff: DiffRow | None
    line: Line | None = None


class StagingListing(DenseListing):
    """The Staging pane as lines."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._width = width

    @cached_property
    def _diffs(self) -> list[DiffRow]:
        return self._scene.moment.staging(include_out=True)

    @cached_property
    def _items(self) -> list[_Item]:
        items: list[_Item] = []
        for row in self._diffs:
            if items and self._width >= MIDDLE:
                items.append(_Item(None, EMPTY))
            items.append(_Item(row))
            items += [_Item(None, line) for line in self._under(row)]
        return items

    def title(self) -> Line:
        """The pane's name and its counts."""
        out = sum(row.left is not None for row in self._diffs)
        text = f"Staging {len(self._diffs) - out}"
        text += f"  out {out}" if out else ""
        return Row().put(text + (f"  gone {len(self._gone)}" if self._gone else "")).line()

    @cached_property
    def _gone(self) -> list[str]:
        """The diffs that are staged at the pin and not here; those that leave here are shown."""
        if self._scene.since is None:
            return []
        here = {row.diff.diff for row in self._diffs}
        then = (row.diff.diff for row in self._scene.since.was.staging())
        return [name for name in then if name not in here]

    def empty(self) -> str:
        """When the next diff comes."""
        seq, since = self._scene.seq, self._scene.since
        if since is not None and self._gone:
            return f"nothing staged at {seq}; at the pin, {since.pin}: {', '.join(self._gone)}"
        coming = self._scene.next_event(events.Stage)
        if coming is not None:
            return f"nothing staged at {seq}; the next diff comes at {coming}"
        if not self._scene.sees_the_end:
            return f"nothing staged at {seq}, nor by the next {LOOKED_AHEAD} events"
        more = " so far" if self._scene.growing else ""
        return f"nothing staged at {seq}, and nothing to come{more}"

    def heading(self) -> Line | None:
        """The names of the columns."""
        if self._width < WIDE:
            return None
        row = Row().put("  ").put("DIFF", "muted", self._thing + 4).put("VERDICT", "muted")
        return row.line()

    @property
    def _thing(self) -> int:
        """How wide what a line is about is drawn."""
        return min(24, max(15, self._width - 40)) if self._width >= WIDE else 14

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._items)

    def row(self, number: int) -> Line:
        """One row, from 0."""
        item = self._items[number]
        return self._diff_line(item.diff) if item.diff is not None else item.line or EMPTY

    def subject(self, number: int) -> Subject | None:
        """What a row is about."""
        diff = self._items[number].diff
        return None if diff is None else Subject("diff", diff.diff.diff)

    def anchor(self) -> int | None:
        """The selected row, else the first that this step changed."""
        for index, item in enumerate(self._items):
            if item.diff is not None and self._selected(item.diff):
                return index
        for index, item in enumerate(self._items):
            if item.diff is not None and self._changed(item.diff):
                return index
        return None

    def _selected(self, row: DiffRow) -> bool:
        return self._scene.selected == Subject("diff", row.diff.diff)

    def _changed(self, row: DiffRow) -> bool:
        seq, since = self._scene.seq, self._scene.since
        if since is not None:
            return since.verdict(row.diff.diff) != row.judgement.verdict
        return (
            row.diff.seq == seq
            or row.left is not None
            or any(line.bad and line.cause == seq for line in row.judgement.lines)
        )

    def _diff_line(self, row: DiffRow) -> Line:
        selected, changed = self._selected(row), self._changed(row)
        alike: Role = "plain" if self._scene.since is None else "muted"
        role: Role = "strong" if changed else alike
        if self._scene.dims(Subject("diff", row.diff.diff)):
            role = "future"
        verdict, line = row.judgement.verdict, Row()
        then = None if self._scene.since is None else self._scene.since.verdict(row.diff.diff)
        was = "" if then is None or then == verdict else f"{then} > "
        if self._width >= MIDDLE:
            line.put("> " if selected else "* " if changed else "  ", role)
            self._id(line, row, role, self._thing + 3).to(5).gap()
            room = 2 + self._thing + 4 - line.width - 1
            line.put(row.diff.author if room >= SHORTEST else "", "muted", max(0, room))
            line.to(2 + self._thing + 4)
        else:
            line.put(">" if selected else " ", role)
            self._id(line, row, role, self._width - len(was + verdict) - 2).gap()
        line.put(was, "muted")
        line.put(verdict, _ROLES.get(verdict, role))
        if row.judgement.fragile:
            line.gap().put("fragile", "warning")
        self._way_out(line, row)
        return within(line.line("selected" if selected else ""), self._width)

    @staticmethod
    def _id(line: Row, row: DiffRow, role: Role, most: int) -> Row:
        """The diff's id, cut in its middle where it would push the verdict out of its place."""
        name = shown_line(row.diff.diff)
        return line.put(name, role, min(cell_width(name), max(3, most)), middle=True)

    def _way_out(self, line: Row, row: DiffRow) -> None:
        """How the diff left at this step, else its base and where the buffer is now."""
        if row.left is not None:
            role: Role = "error" if row.judgement.verdict in ("stale", "conflict") else "strong"
            if self._width >= WIDE:
                line.to(self._detail).put(f"out: {row.left}", role)
            else:
                room = self._width - line.width - 2
                ways = (row.left, row.left.split()[0], "out")
                line.gap(2).put(next((way for way in ways if len(way) <= room), ""), role)
            return
        if self._width >= WIDE:
            now = self._scene.moment.revision
            said = f"base r{row.diff.claimed.revision}"
            line.to(self._detail).put(said if now is None else f"{said}, now r{now}", "muted")

    @property
    def _detail(self) -> int:
        return 2 + self._thing + 4 + 13

    def _under(self, row: DiffRow) -> list[Line]:
        lines = []
        for line in row.judgement.lines:
            if self._width < MIDDLE and not line.bad:
                continue
            lines.append(self._read_line(line))
            if MIDDLE <= self._width < WIDE and line.bad and line.detail:
                indent = 6 + self._thing
                lines.append(
                    Row().gap(indent).put(line.detail, "muted", self._width - indent).line()
                )
        return lines

    def _read_line(self, line: DiffLine) -> Line:
        role: Role = "warning" if line.bad else "muted"
        word = f"~ {line.word}" if line.bad else line.word
        if self._width < MIDDLE:
            # What is read and quoted of one span would have the same name.
            name = line.kind if line.kind in ("quote", "line") else line.subject or line.kind
            row = Row().gap(2).put(name, "plain", 8, middle=True).gap()
            return row.put(word, role, max(0, self._width - row.width)).line()
        thing: Role = "plain" if line.bad else "muted"
        row = Row().gap(6).put(line.kind, thing).gap()
        row.put(line.subject, thing, 5 + self._thing - row.width, middle=True).gap()
        if self._width < WIDE:
            return row.put(word, role, self._width - row.width).line()
        row.put(word, role, max(12, len(word))).gap().to(self._detail)
        return row.put(
            line.detail, "plain" if line.bad else "muted", self._width - row.width
        ).line()
