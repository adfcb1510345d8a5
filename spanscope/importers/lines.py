"""What all importers of JSON files share: bytes in, lines of a journal out."""

from __future__ import annotations

from typing import Any, ClassVar

from spanscope.importers.builder import JournalBuilder
from spanscope.importers.rows import RowReader
from spanscope.importers.summary import Summary
from spanscope.importers.values import Row, moment


class LineImporter:
    """One import in progress. A subclass says what each row means.

    `part` is the file that the next row is from, where several are one session.
    """

    name: ClassVar[str]

    def __init__(self, *, packed: bool = False) -> None:
        self.summary = Summary(self.name)
        self.builder = JournalBuilder(packed=packed)
        self.part = 0
        self.growing = False
        """Whether rows are told as they come, for the end may be far: the source is followed."""
        self._reader = RowReader(self.summary)

    def row(self, row: Row) -> None:
        """One row of the source."""
        raise NotImplementedError

    def end(self) -> None:
        """The source ends."""

    def time_of(self, value: Any) -> str | None:
        """When a row was written, by which the rows of several files are merged."""
        return moment(value.get("timestamp")) if isinstance(value, dict) else None

    def value(self, value: Any) -> None:
        """One JSON value of the source; most formats know only objects."""
        if isinstance(value, dict):
            self.row(value)
        else:
            self.summary.unknown_row("not an object")

    def feed(self, data: bytes) -> bytes:
        """The lines that the next bytes of the source give."""
        return self.values(self._reader.feed(data))

    def finish(self) -> bytes:
        """What the end of the source gives."""
        found = self.values(self._reader.finish())
        self.end()
        if not self.builder.started:
            self.builder.header(self.name, self.name, source=self.name, identity="none")
        self.builder.close()
        return found + self.builder.take()

    def values(self, values: list[Any]) -> bytes:
        """The lines that the next rows give."""
        for value in values:
            self.value(value)
        return self.builder.take() if self.builder.started else b""
