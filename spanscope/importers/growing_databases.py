"""Another tool's database that still grows, read as a growing journal.

It is asked again when its files have changed. Where it was replaced, it is translated anew from its
start. What translates its format is loaded at the first look.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spanscope.importers.databases import opened
from spanscope.importers.errors import SourceError
from spanscope.importers.registry import DatabaseFormat
from spanscope.journal.files import StrPath
from spanscope.journal.notify import Notifier
from spanscope.journal.tail import Appended, Happening, PlaceChanged, Recreated

if TYPE_CHECKING:
    from spanscope.importers.databases import DatabaseImporter

MOST_FAILURES: Final = 20
"""Looks in a row at which a database can't be read before that is an error."""


class DatabaseTail:
    """A SQLite database, asked again when its files have changed."""

    def __init__(self, path: StrPath, kind: DatabaseFormat, branch: str | None = None) -> None:
        self.path = Path(path)
        self._branch = branch
        self.more = True
        self.size = self.offset = 0
        self._kind = kind
        self._importer: DatabaseImporter | None = None
        self._seen: list[tuple[int, int]] = []
        self._failures = 0
        self._file = self._identity()
        self._gone = False

    @property
    def modified(self) -> float:
        """When it was last written, in seconds since 1970."""
        return max((time for _, time in self._looks()), default=0) / 1e9

    def close(self) -> None:
        """Nothing is kept open between two looks."""

    def waiting(self, cancelled: Callable[[], bool]) -> Notifier:
        """What to wait with until the next look; `cancelled` ends a wait."""
        return Notifier(self.path, cancelled)

    def restart(self) -> None:
        """Read from the start again."""
        self._importer = None
        self._seen = []
        self.more = True

    def rest(self) -> Iterator[bytes]:
        """Nothing: rows are whole."""
        return iter(())

    def poll(self) -> list[Happening]:
        """What has happened since the last look. Raises JournalError."""
        self.more = False
        looks, file = self._looks(), self._identity()
        if looks == self._seen:
            return []
        found: list[Happening] = []
        was_gone, self._gone = self._gone, file is None
        if self._gone is not was_gone:
            found.append(PlaceChanged("deleted" if self._gone else "here"))
        if self._gone:
            self._seen = looks
            return found
        if was_gone or file != self._file:
            self._file = file
            self._importer = None
            found.append(Recreated())
        self._seen = looks
        if data := self._read(looks):
            found.append(Appended(data, 0))
        return found

    def _read(self, looks: list[tuple[int, int]]) -> bytes:
        """What was added. A writer may be in the middle of moving its log into the database."""
        if self._importer is None:
            self._importer = self._kind.importer()(self._branch)
        try:
            with opened(self.path) as connection:
                data = self._importer.read(connection)
        except SourceError:
            self._failures += 1
            if self._failures > MOST_FAILURES:
                raise
            self._seen = []
            return b""
        self._failures = 0
        self.size = self.offset = sum(size for size, _ in looks)
        return data

    def _identity(self) -> tuple[int, int] | None:
        """Which file it is; null where there is none now."""
        try:
            facts = os.stat(self.path)  # noqa: PTH116 as the tail does
        except OSError:
            return None
        return facts.st_dev, facts.st_ino

    def _looks(self) -> list[tuple[int, int]]:
        """Size and time of the database and its log."""
        found = []
        for name in (self.path.name, f"{self.path.name}-wal"):
            try:
                facts = os.stat(self.path.with_name(name))  # noqa: PTH116 as the tail does
            except OSError:
                continue
            found.append((facts.st_size, facts.st_mtime_ns))
        return found
