"""The timeline: the session as a row of blocks, findings as letters, the cursor reversed."""

from __future__ import annotations

from math import log2

from spanscope.history.history import History
from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown
from spanscope.rules.finding import SEVERITY_ORDER
from spanscope.widgets.findings import SIGNS
from spanscope.widgets.lines import Line, Role, Row
from spanscope.widgets.scene import Scene

BLOCKS = "▁▂▃▄▅▆▇█"
SAMPLED = 8
"""So many events of a bucket are looked at for its height."""

_ROLES: dict[str, Role] = {"!": "error", "~": "warning"}


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
    """The session on a line of `width` cells: one cell an event if they fit, else even buckets.

    Blocks and letters are worked out once; only the cursor moves from step to step.
    """

    def __init__(self, history: History, width: int) -> None:
        self._history = history
        self._count = len(history)
        self.cells = min(self._count, max(0, width - 2))
        self._letters = self._worst()
        self._blocks = [self._block(cell) for cell in range(self.cells)]

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
        return self._history.seqs[self.first(cell)]

    def strip(self, scene: Scene) -> Line:
        """The row of blocks."""
        cursor = self.cell(scene.position) if scene.position >= 0 else -1
        row = Row().gap()
        for cell in range(self.cells):
            letter = self._letters.get(cell)
            if cell == cursor:
                row.put(letter or "|", "badge-error" if letter == "!" else "cursor")
            elif cell > cursor:
                row.put(letter or ".", "future")
            elif letter:
                row.put(letter, _ROLES[letter])
            else:
                row.put(self._blocks[cell], "muted")
        return row.line()

    def ruler(self, scene: Scene) -> Line:
        """Where turns start, and the cursor, which wins over them."""
        row = Row()
        if not self.cells:
            return row.line()
        mark = f"^{scene.seq}"
        at = self.cell(scene.position) + 1 if scene.position >= 0 else 0
        for column, text in self._turns():
            if column > row.width and column + len(text) < at:
                row.to(column).put(text, "muted")
        row.to(at).put(mark, "strong")
        for column, text in self._turns():
            if column > max(row.width, at) and column + len(text) < self.cells + 2:
                row.to(column).put(text, "muted")
        return row.line()

    def _turns(self) -> list[tuple[int, str]]:
        """The column and the name of each turn's start."""
        return [
            (
                self.cell(self._history.position(seq)) + 1,
                "'turn 1" if index == 0 else f"'{index + 1}",
            )
            for index, seq in enumerate(self._history.turns)
        ]

    def _worst(self) -> dict[int, str]:
        """The worst error or warning of each cell as its sign."""
        worst: dict[int, str] = {}
        for finding in self._history.findings:
            if finding.seq is None or finding.severity == "info":
                continue
            cell = self.cell(self._history.position(finding.seq))
            known = worst.get(cell)
            if known is None or SEVERITY_ORDER[finding.severity] < SEVERITY_ORDER[known]:
                worst[cell] = finding.severity
        return {cell: SIGNS[severity] for cell, severity in worst.items()}

    def _block(self, cell: int) -> str:
        first, end = self.first(cell), max(self.first(cell) + 1, self.first(cell + 1))
        step = max(1, (end - first) // SAMPLED)
        changed = sum(
            weight(self._history.event_row(position).event)
            for position in range(first, min(end, self._count), step)
        )
        if not changed:
            return BLOCKS[0]
        return BLOCKS[min(len(BLOCKS) - 1, max(1, int(log2(changed)) - 3))]
