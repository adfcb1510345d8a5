"""The timeline: the session as a row of blocks, findings as letters, the cursor reversed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import log2
from typing import NamedTuple

from spanscope.history.history import History
from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown
from spanscope.widgets.findings import SIGNS, FindingIndex
from spanscope.widgets.lines import Cell, Line, Role, Row
from spanscope.widgets.scene import Audit, Scene

BLOCKS = "▁▂▃▄▅▆▇█"
SAMPLED = 8
"""So many events of a cell are looked at for its height."""

PINNED = "p"
BOOKMARK = "m"
"""The letters of the keys that put them there."""

_SHOWN = ("error", "warning")
"""The severities that have letters, the worst first."""

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


class _Letter(NamedTuple):
    """The worst finding of a cell: its sign, and the step it is at."""

    sign: str
    seq: int


class Timeline:
    """The session on a line of `width` cells: one cell an event if they fit, else even buckets.

    Blocks and letters are worked out as the session grows; from step to step only the cursor
    moves. While a journal is being read, what is left of it takes its share of the line.
    """

    def __init__(self, history: History, width: int, findings: FindingIndex | None = None) -> None:
        self._history = history
        self._findings = (
            FindingIndex(history.findings, history.touched) if findings is None else findings
        )
        self._room = max(0, width - 2)
        self._weights: dict[int, int] = {}
        self._count = 0
        self._found = 0
        self._turned = 0
        self.cells = 0
        self.unread = 0
        self._blocks = ""
        self._letters: dict[int, _Letter] = {}
        self._turns: list[tuple[int, str]] = []
        self._lens: tuple[object, frozenset[int]] = (None, frozenset())
        self.follow(Audit())

    def follow(self, audit: Audit) -> None:
        """Take in what has been read since. Less than half a cell more changes no cell's place."""
        unread = 0
        if not audit.done and audit.size:
            unread = int(self._room * (1 - audit.read / audit.size))
        count = len(self._history)
        cells = min(count, self._room - unread)
        grown = count - self._count
        if cells != self.cells or unread != self.unread or 2 * grown * cells > self._count:
            self.cells, self.unread, self._count = cells, unread, count
            self._found = -1
            self._turned, self._turns = 0, []
            self._blocks = "".join(self._block(cell) for cell in range(cells))
        self._find()
        self._turn()

    def cell(self, position: int) -> int:
        """The cell of the event at a position (from 0)."""
        return min(position * self.cells // self._count, self.cells - 1) if self._count else 0

    def first(self, cell: int) -> int:
        """The position of the first event in a cell."""
        return -(-cell * self._count // self.cells) if self.cells else 0

    def seq_at(self, column: int) -> int | None:
        """The step that a column of the screen stands for."""
        if not self.cells:
            return None
        cell = min(max(0, column - 1), self.cells - 1)
        return self._history.seqs[self.first(cell)]

    def landmark_at(self, column: int, scene: Scene) -> int | None:
        """The step that a column is pressed for: that of the sign in it, else its first event."""
        cell = column - 1
        found = self._letters.get(cell)
        if found is not None and found.sign == "!":
            return found.seq
        marks = [*scene.bookmarks, *([] if scene.pin is None else [scene.pin])]
        marked = next((seq for seq in marks if cell in self._cells([seq])), None)
        if marked is not None:
            return marked
        return self.seq_at(column) if found is None else found.seq

    def strip(self, scene: Scene) -> Line:
        """The row of blocks."""
        row = Row().gap()
        for role, cells in groupby(self._drawn(scene), key=lambda cell: cell[1]):
            row.put("".join(text for text, _ in cells), role)
        return row.line()

    def _drawn(self, scene: Scene) -> Iterator[Cell]:
        """Every cell with its role."""
        cursor = self.cell(scene.position) if scene.position >= 0 else -1
        marked = self._marked(scene)
        seen = self._seen(scene)
        for cell, block in enumerate(self._blocks):
            found = self._letters.get(cell)
            letter = "" if found is None else found.sign
            if cell == cursor:
                yield letter or "|", "badge-error" if letter == "!" else "cursor"
            elif cell in marked and letter != "!":
                yield marked[cell], "key"
            elif cell > cursor or (seen is not None and cell not in seen):
                yield letter or ".", "future"
            else:
                yield (letter, _ROLES[letter]) if letter else (block, "muted")
        yield "-" * self.unread, "future"

    def _marked(self, scene: Scene) -> dict[int, str]:
        """The cells of bookmarks and of the pin."""
        marked = dict.fromkeys(self._cells(scene.bookmarks), BOOKMARK)
        if scene.pin is not None:
            marked |= dict.fromkeys(self._cells([scene.pin]), PINNED)
        return marked

    def _cells(self, seqs: Iterable[int]) -> Iterator[int]:
        for seq in seqs:
            position = self._history.position(seq)
            if position >= 0:
                yield self.cell(position)

    def _seen(self, scene: Scene) -> frozenset[int] | None:
        """The cells that a lens leaves; null: there is no lens."""
        if scene.lens is None:
            return None
        key = (scene.lens, self._count, self.cells)
        if self._lens[0] != key:
            self._lens = (key, frozenset(self._cells_of(scene.lens.seqs)))
        return self._lens[1]

    def _cells_of(self, seqs: Sequence[int]) -> Iterator[int]:
        """The cells of many ascending seqs, each once."""
        place = 0
        while place < len(seqs):
            cell = self.cell(self._history.position(seqs[place]))
            yield cell
            after = self.first(cell + 1)
            if cell + 1 >= self.cells or after >= len(self._history):
                break
            place = bisect_left(seqs, self._history.seqs[after], place + 1)

    def ruler(self, scene: Scene) -> Line:
        """Where turns start, bookmarks, and the cursor, which wins over them."""
        row = Row()
        if not self.cells:
            return row.line()
        cursor = f"^{scene.seq}"
        at = self.cell(scene.position) + 1 if scene.position >= 0 else 0
        if at + len(cursor) > self._room + 2:
            cursor = f"{scene.seq}^"
            at = max(0, at + 1 - len(cursor))
        signs = [(column, text, "muted") for column, text in self._turns]
        signs += [(cell + 1, sign, "key") for cell, sign in self._marked(scene).items()]
        signs.sort(key=lambda sign: (sign[0], sign[2]))
        for column, text, _ in signs:
            if column > row.width and column + len(text) < at:
                row.to(column).put(text, "key" if text in (BOOKMARK, PINNED) else "muted")
        row.to(at).put(cursor, "strong")
        for column, text, _ in signs:
            if column > max(row.width, at) and column + len(text) < self.cells + 2:
                row.to(column).put(text, "key" if text in (BOOKMARK, PINNED) else "muted")
        return row.line()

    def _turn(self) -> None:
        """The column and the name of each turn's start, as far as there is room for one."""
        turns, place = self._history.turns, self._turned
        while place < len(turns):
            column = self.cell(self._history.position(turns[place])) + 1
            last, said = self._turns[-1] if self._turns else (-1, "")
            if column > last + len(said):
                last, said = column, f"'{place + 1}" if place else "'turn 1"
                self._turns.append((last, said))
            free = last + len(said)
            if free >= self.cells:
                break
            # Of the turns that start before the next free cell there is nothing to draw.
            place = max(place + 1, bisect_left(turns, self._history.seqs[self.first(free)]))
        self._turned = len(turns)

    def _find(self) -> None:
        """The worst error or warning of each cell as its sign."""
        count = sum(map(self._findings.count, _SHOWN))
        if count == self._found:
            return
        self._found = count
        self._letters = {}
        seqs = self._history.seqs
        for severity in _SHOWN:
            cell = 0
            while cell < self.cells:
                seq = self._findings.following(seqs[self.first(cell)] - 1, (severity,))
                if seq is None:
                    break
                cell = max(cell, self.cell(self._history.position(seq)))
                self._letters.setdefault(cell, _Letter(SIGNS[severity], seq))
                cell += 1

    def _block(self, cell: int) -> str:
        """The height of a cell: the logarithm of what changed in it."""
        first, end = self.first(cell), max(self.first(cell) + 1, self.first(cell + 1))
        stride = self._stride
        start = min(-(-first // stride) * stride, end - 1)
        places = range(start, min(end, self._count), stride)
        changed = sum(self._weight(position) for position in places) * stride
        if not changed:
            return BLOCKS[0]
        return BLOCKS[min(len(BLOCKS) - 1, max(1, int(log2(changed)) - 3))]

    @property
    def _stride(self) -> int:
        """Every so many-th event is looked at: a power of two, to look at few more as it grows."""
        return 1 << max(0, (self._count // self.cells // SAMPLED).bit_length() - 1)

    def _weight(self, position: int) -> int:
        found = self._weights.get(position)
        if found is None:
            event = self._history.event(self._history.seqs[position])
            found = self._weights[position] = weight(event)
        return found
