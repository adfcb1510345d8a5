"""Another tool's session that still grows, read as a growing journal.

Lines are translated as they come; where the session was cut or replaced, it is translated anew from
its start. What translates its format is loaded at the first look.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from spanscope.importers.errors import SourceError
from spanscope.importers.merging import FileRows
from spanscope.importers.registry import LineFormat
from spanscope.importers.source import DatabaseSource, LineSource, MergedSource, Source
from spanscope.journal.errors import JournalError, shown
from spanscope.journal.files import StrPath
from spanscope.journal.tail import Appended, Happening, Recreated, Tail, Truncated

if TYPE_CHECKING:
    from spanscope.importers.growing_databases import DatabaseTail

NOT_GROWING: Final = "can't be followed: what it says is known only at its end; open it as it is"


def follow(
    path: StrPath, source: Source, branch: str | None = None
) -> TranslatedTail | DatabaseTail:
    """The session as it grows; `branch`: one of several in a database.

    Raises SourceError for one whose events are known only at its end, or that is several files,
    JournalError where it can't be read.
    """
    if isinstance(source, DatabaseSource):
        from spanscope.importers.growing_databases import DatabaseTail

        return DatabaseTail(path, source.kind, branch)
    if not isinstance(source, LineSource | MergedSource) or not source.grows:
        raise SourceError(f"{shown(path)} {NOT_GROWING}")
    return TranslatedTail(path, source.kind)


class TranslatedTail(Tail):
    """A file of lines, handed out as the lines of a journal, with those that belong to it.

    What stands in several files is merged by time as far as it is there; what comes later comes
    later in the journal too.
    """

    def __init__(self, path: StrPath, kind: LineFormat) -> None:
        """Open the file. Raises JournalError where it can't be read."""
        self._kind = kind
        self._parts: dict[Path, Part] = {}
        self._begun = False
        super().__init__(path)

    def _translate_anew(self) -> None:
        for part in self._parts.values():
            part.tail.close()
        self._begun = True
        self._importer = self._kind.importer()()
        self._importer.growing = True
        self._rows = FileRows(self._importer, 0)
        self._parts = {}

    def restart(self) -> None:
        """Read from the start again."""
        self._translate_anew()
        super().restart()

    def close(self) -> None:
        """Let go of the files."""
        for part in self._parts.values():
            part.tail.close()
        super().close()

    def poll(self) -> list[Happening]:
        """What has happened since the last look, in order. Raises JournalError."""
        if not self._begun:
            self._translate_anew()
        found: list[Happening] = []
        more = True
        if not self._rows.waiting:
            for item in super().poll():
                if isinstance(item, Truncated | Recreated):
                    self._translate_anew()
                if isinstance(item, Appended):
                    self._rows.feed(item.data)
                else:
                    found.append(item)
            more = self.more
        if not self._poll_parts():
            # One of them was cut or replaced: what the journal says of it holds no more.
            self.restart()
            return [Truncated(self.size)]
        if data := self._merged(more=more):
            found.append(Appended(data, self.offset))
        self.more = more or any(part.behind for part in self._parts.values())
        return found

    def _poll_parts(self) -> bool:
        """Read on in the files that belong to this one; false where one was replaced."""
        for path in self._kind.companions(self.path, self._parts):
            try:
                rows = FileRows(self._importer, len(self._parts) + 1)
                self._parts[path] = Part(Tail(path), rows)
            except JournalError:
                continue
        polled = [part.poll() for part in self._parts.values()]
        return all(polled)

    def _merged(self, *, more: bool) -> bytes:
        """The rows that no file can have an earlier one than."""
        behind = [(self._rows, more), *((p.rows, p.tail.more) for p in self._parts.values())]
        found: list[bytes] = []
        while not any(more and not rows.waiting for rows, more in behind):
            heads = [rows for rows, _ in behind if rows.waiting]
            if not heads:
                break
            row = min(heads, key=lambda rows: rows.waiting[0][:3]).waiting.popleft()
            self._importer.part = row.part
            found.append(self._importer.values([row.value]))
        return b"".join(found)

    def rest(self) -> Iterator[bytes]:
        """Nothing: a line that is not whole says nothing yet."""
        return iter(())


class Part(NamedTuple):
    """A file that belongs to another one, and its rows."""

    tail: Tail
    rows: FileRows

    @property
    def behind(self) -> bool:
        """Whether there is more to read, or to take."""
        return self.tail.more or bool(self.rows.waiting)

    def poll(self) -> bool:
        """Read on where nothing waits; false where the file was cut or replaced."""
        if self.rows.waiting:
            return True
        try:
            happened = self.tail.poll()
        except JournalError:
            self.tail.more = False
            return True
        for item in happened:
            if isinstance(item, Truncated | Recreated):
                return False
            if isinstance(item, Appended):
                self.rows.feed(item.data)
        return True
