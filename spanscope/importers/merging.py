"""Rows of several files of one session, merged by time; each file keeps its own order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from spanscope.importers.rows import RowReader

if TYPE_CHECKING:
    from spanscope.importers.lines import LineImporter


class TimedRow(NamedTuple):
    """A row with what it is merged by: its time, its file's number, its place in the file."""

    time: str
    part: int
    place: int
    value: Any


class FileRows:
    """Reads the rows of one of the files; no row is earlier than the one before it."""

    def __init__(self, importer: LineImporter, part: int) -> None:
        self.waiting: deque[TimedRow] = deque()
        """Rows that were read and not yet taken."""
        self._importer = importer
        self._part = part
        self._reader = RowReader(importer.summary)
        self._time = ""
        self._place = 0

    def feed(self, data: bytes) -> None:
        """The next bytes of the file."""
        self.waiting += self._timed(self._reader.feed(data))

    def finish(self) -> None:
        """The file ends."""
        self.waiting += self._timed(self._reader.finish())

    def taken(self) -> Iterator[TimedRow]:
        """Take what waits."""
        while self.waiting:
            yield self.waiting.popleft()

    def _timed(self, values: list[Any]) -> Iterator[TimedRow]:
        for value in values:
            self._time = max(self._time, self._importer.time_of(value) or "")
            self._place += 1
            yield TimedRow(self._time, self._part, self._place, value)
