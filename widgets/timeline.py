"""The timeline: the session as a row of blocks, findings as letters, the cursor reversed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import log2

from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown
from spanscope.rules.finding import SEVERITY_ORDER
from spanscope.widgets.findings import SIGNS
from spanscope.widgets.lines import Line, Role, Row
from spanscope.widgets.scene import Scene

BLOCKS = "▁▂▃▄▅▆▇█"
SAMPLED = 8
"""So many events of a bucket are looked at for its height."""

_ROLES: dict[str, Role] = {"!": "error", "~": "warning", "i": "muted"}


def weight(event: AnyEvent | Unknown | None) -> int:
    """How many characters an event changed."""
    match event:
        case events.Ingest(content=content) | events.Rewrite(content=content):
            return len(content)
        case events.Splice(delete=delete, insert=insert):
            return delete + len(insert)
        case events.Apply() | events.Rollback() | events.Prune():
            return 64
        case _:
            return 0


class Timeline:
    """Where each event stands on a line of `width` cells: one cell each, else even buckets."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._count = len(scene.history)
        self.cells = min(self._count, max(0, width - 2))

    def cell(self, position: int) -> int:
        """The cell of the event at a position (from 0)."""
        return position * self.cells // self._count if self._count else 0

    def first(self, cell: int) -> int:
        """The position of the first event in a cell."""
        return -(-cell * self._count // self.cells) if self.cells else 0

    def seq_at(self, column: int) -> int | None:
        """The step that a column of the screen stands for."""
        if not self.cells:
            return None
        cell = min(max(0, column - 1), self.cells - 1)
        return self._scene.history.seqs[self.first(cell)]

    def strip(self) -> Line:
        """The row of blocks."""
        letters = self._letters()
        cursor = self.cell(self._scene.position) if self._scene.position >= 0 else -1
        row = Row().gap()
        for cell in range(self.cells):
            letter = letters.get(cell)
            if cell == cursor:
                badge: Role = "badge-error" if letter == "!" else "cursor"
                row.put(letter or "|", badge)
            elif cell > cursor:
                row.put(letter or ".", "future")
            elif letter:
                row.put(letter, _ROLES[letter])
            else:
                row.put(self._block(cell), "muted")
        return row.line()

    def ruler(self) -> Line:
        """Where turns start, and the cursor, which wins over them."""
        scene, row = self._scene, Row()
        if not self.cells:
            return row.line()
        mark = f"^{scene.seq}"
        at = self.cell(scene.position) + 1 if scene.position >= 0 else 0
        places = [
            (self.cell(scene.history.position(seq)) + 1, f"'{number}")
            for number, seq in enumerate(scene.history.turns, 1)
        ]
        if places:
            places[0] = (places[0][0], "'turn 1")
        before = [place for place in places if place[0] + len(place[1]) < at]
        after = [place for place in places if place[0] > at + len(mark)]
        for column, text in before:
            if column > row.width or row.width == 0:
                row.to(column).put(text, "muted")
        row.to(at).put(mark, "strong")
        for column, text in after:
            if column > row.width and column + len(text) < self.cells + 2:
                row.to(column).put(text, "muted")
        return row.line()

    def _letters(self) -> dict[int, str]:
        """The worst finding of each cell as its sign."""
        history = self._scene.history
        worst: dict[int, str] = {}
        for finding in history.findings:
            if finding.seq is None:
                continue
            cell = self.cell(history.position(finding.seq))
            known = worst.get(cell)
            if known is None or SEVERITY_ORDER[finding.severity] < SEVERITY_ORDER[known]:
                worst[cell] = finding.severity
        return {cell: SIGNS[severity] for cell, severity in worst.items() if severity != "info"}

    def _block(self, cell: int) -> str:
        history = self._scene.history
        first, end = self.first(cell), max(self.first(cell) + 1, self.first(cell + 1))
        step = max(1, (end - first) // SAMPLED)
        changed = sum(
            weight(history.event_row(position).event)
            for position in range(first, min(end, self._count), step)
        )
        if not changed:
            return BLOCKS[0]
        return BLOCKS[min(len(BLOCKS) - 1, max(1, int(log2(changed)) - 3))]


def turn_before(turns: list[int], seq: int) -> int | None:
    """The start of the turn before the one that `seq` starts or is in."""
    place = bisect_left(turns, seq)
    return turns[place - 1] if place else None


def turn_after(turns: list[int], seq: int) -> int | None:
    """The start of the next turn."""
    place = bisect_right(turns, seq)
    return turns[place] if place < len(turns) else None
