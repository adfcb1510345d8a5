"""Opening what a user named: files or a folder of another tool, as the bytes of a journal.

Only the named files are read, and a folder's own. SQLite databases are opened read-only.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from spanscope.importers.errors import SourceError
from spanscope.importers.registry import (
    DATABASE_FORMATS,
    LINE_FORMATS,
    LOOK,
    DatabaseFormat,
    LineFormat,
    recognise,
    recognise_document,
)
from spanscope.importers.rows import begins_document
from spanscope.importers.summary import Summary
from spanscope.journal.errors import shown
from spanscope.journal.files import StrPath, open_journal, read_pieces
from spanscope.journal.recognising import starts_journal

if TYPE_CHECKING:
    from spanscope.importers.databases import DatabaseImporter
    from spanscope.importers.lines import LineImporter
    from spanscope.importers.merging import TimedRow

MAGIC: Final = b"SQLite format 3\0"
PIECE: Final = 1 << 18
EVENTS: Final = 256
"""Events that are handed over at a time where rows are taken one by one."""
SUFFIXES: Final = (".json", ".jsonl")
_UNREADABLE: Final = {
    b"\x1f\x8b": "it is compressed: unpack it with gzip -d first",
    b"PK": "it is an archive: unpack it first",
    b"\xff\xfe": "it is UTF-16: write it as UTF-8 first",
    b"\xfe\xff": "it is UTF-16: write it as UTF-8 first",
}
"""How files begin that are not read, and what to do with them."""
MOST_OF_DOCUMENT: Final = 1 << 28
"""Bytes of a JSON document that are read at most to recognise it."""


class Source(Protocol):
    """A foreign session that can be read once."""

    size: int
    """Bytes of the source."""
    read: int
    """Bytes of it read so far."""

    @property
    def kind(self) -> LineFormat | DatabaseFormat:
        """The format it is in."""

    @property
    def importer(self) -> LineImporter | DatabaseImporter:
        """What translates it, loaded when it is first asked for."""

    @property
    def summary(self) -> Summary:
        """What was read and left aside so far."""

    def journal(self) -> Iterator[bytes]:
        """The journal, in pieces of whole lines. Raises JournalError where it can't be read."""


def formats() -> dict[str, str]:
    """What can be imported: a name and what it is."""
    found = {each.name: each.title for each in LINE_FORMATS}
    return found | {each.name: each.title for each in DATABASE_FORMATS}


def find_source(path: StrPath) -> Source | None:
    """The source that a file or folder is; null where it is of no known format.

    Raises JournalError where it can't be read.
    """
    return _database([Path(path)], None, None) or _open([Path(path)], None)


def open_source(
    paths: Sequence[StrPath], kind: str | None = None, branch: str | None = None
) -> Source:
    """The source that the files are together. `branch`: one of several that it holds.

    Raises JournalError where they can't be read, SourceError where they are of no known format.
    """
    named = [Path(path) for path in paths]
    source = _database(named, kind, branch) or _open(named, kind)
    if source is None:
        what = "a known format" if kind is None else f"the format {kind}"
        then = _made_readable(named[0]) or f"name a session of {', '.join(formats())}"
        raise SourceError(f"{shown(named[0])} is not in {what}: {then}")
    if branch is not None and not isinstance(source, DatabaseSource):
        raise SourceError(
            f"{source.kind.name} has no branches, its rewinds are rollbacks of one journal: "
            "leave --branch out"
        )
    return source


def _open(paths: list[Path], named: str | None) -> Source | None:
    files = [file for path in paths for file in _files(path)]
    known = {each.name: each for each in LINE_FORMATS}
    if named is not None and named not in known:
        raise SourceError(f"there is no format {named!r}: the formats are {', '.join(known)}")
    kind = known.get(named or "")
    wanted: list[Path] = []
    for file in files:
        found = _format_of(file)
        if found is None and not (kind is not None and file in paths):
            continue
        kind = kind or found
        if kind is found or file in paths:
            wanted.append(file)
    if kind is None or not wanted:
        return None
    one = len(wanted) == 1
    wanted = _with_companions(kind, wanted)
    if len(wanted) == 1:
        return LineSource(kind, wanted[0])
    return MergedSource(kind, wanted, grows=one)


def _made_readable(path: Path) -> str:
    """What to do with a file that is no text as it stands; empty where that is not known."""
    # A Path would raise where a folder above is closed.
    if os.path.isdir(path):  # noqa: PTH112
        return ""
    with open_journal(path) as stream:
        start = stream.read(2)
    return _UNREADABLE.get(start, "")


def _with_companions(kind: LineFormat, files: list[Path]) -> list[Path]:
    """The files, and those that belong to a session in one of them."""
    found = {os.path.realpath(file): file for file in files}
    for file in files:
        for more in kind.companions(file, ()):
            found.setdefault(os.path.realpath(more), more)
    return list(found.values())


def _database(paths: list[Path], named: str | None, branch: str | None) -> Source | None:
    """The database that the only path is; null where it is none."""
    # A Path would raise where a folder above is closed; then opening says why.
    if len(paths) != 1 or os.path.isdir(paths[0]):  # noqa: PTH112
        return None
    with open_journal(paths[0]) as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            return None
    from spanscope.importers.databases import opened

    with opened(paths[0]) as connection:
        for each in DATABASE_FORMATS:
            if named in (None, each.name) and each.recognises(connection):
                return DatabaseSource(each, paths[0], branch)
    if named is not None:
        raise SourceError(f"{shown(paths[0])} is a database, and not in the format {named}")
    return None


def _files(path: Path) -> list[Path]:
    """The file itself, or the JSON files in a folder, by name."""
    # A Path would raise where a folder above is closed; then opening says why.
    if not os.path.isdir(path):  # noqa: PTH112
        return [path]
    found = (Path(root) / name for root, _, names in os.walk(path) for name in names)
    return sorted(file for file in found if file.suffix in SUFFIXES and file.is_file())


def _format_of(path: Path) -> LineFormat | None:
    with open_journal(path) as stream:
        start = b"".join(read_pieces(stream, shown(path), LOOK, LOOK))
        whole = len(start) < LOOK
        found = recognise(start, whole=whole)
        if found is None and not whole and begins_document(start.split(b"\n", 1)):
            found = recognise_document(start)
            if found is None:
                rest = b"".join(read_pieces(stream, shown(path), LOOK, MOST_OF_DOCUMENT))
                found = recognise(start + rest, whole=True)
        return found


class StreamSource:
    """A stream: a session of a known format, or a journal that is passed on as it is.

    `summary` is null until its start was read, and where no session is recognised by it.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.summary: Summary | None = None
        self._pieces = pieces

    def journal(self) -> Iterator[bytes]:
        """The journal, in pieces. Raises JournalError where the stream can't be read."""
        start, whole = _read_upto(b"", self._pieces, LOOK)
        found = None
        if not starts_journal(start):
            if not whole and begins_document(start.split(b"\n", 1)):
                found = recognise_document(start)
                if found is None:
                    start, whole = _read_upto(start, self._pieces, MOST_OF_DOCUMENT)
            found = found or recognise(start, whole=whole)
        if found is None:
            yield from chain((start,), self._pieces)
            return
        importer = found.importer()()
        self.summary = importer.summary
        for piece in chain((start,), self._pieces):
            yield importer.feed(piece)
        yield importer.finish()


def _read_upto(start: bytes, pieces: Iterator[bytes], size: int) -> tuple[bytes, bool]:
    """The start of a stream, at least so many bytes of it; whether that is all."""
    read = [start]
    length = len(start)
    for piece in pieces:
        read.append(piece)
        length += len(piece)
        if length >= size:
            return b"".join(read), False
    return b"".join(read), True


class LineSource:
    """One file, read in pieces."""

    def __init__(self, kind: LineFormat, path: Path) -> None:
        self.kind = kind
        self.read = 0
        self.size = path.stat().st_size
        self._path = path

    @cached_property
    def importer(self) -> LineImporter:
        """What translates it."""
        return self.kind.importer()()

    @property
    def summary(self) -> Summary:
        """What was read and left aside so far."""
        return self.importer.summary

    @property
    def grows(self) -> bool:
        """Whether it is lines, each known by itself."""
        with open_journal(self._path) as stream:
            start = b"".join(read_pieces(stream, shown(self._path), LOOK, LOOK))
        return not begins_document(start.split(b"\n", 1))

    def journal(self) -> Iterator[bytes]:
        """The journal, in pieces of whole lines."""
        with open_journal(self._path) as stream:
            for piece in read_pieces(stream, shown(self._path), PIECE, None):
                self.read += len(piece)
                yield self.importer.feed(piece)
        yield self.importer.finish()


class DatabaseSource:
    """A SQLite database, read as it is now."""

    def __init__(self, kind: DatabaseFormat, path: Path, branch: str | None) -> None:
        self.kind = kind
        self.size = path.stat().st_size
        self.read = 0
        self._path = path
        self._branch = branch

    @cached_property
    def importer(self) -> DatabaseImporter:
        """What translates it."""
        return self.kind.importer()(self._branch)

    @property
    def summary(self) -> Summary:
        """What was read and left aside so far."""
        return self.importer.summary

    def journal(self) -> Iterator[bytes]:
        """The journal, in pieces of whole lines."""
        from spanscope.importers.databases import opened

        with opened(self._path) as connection:
            for piece in self.importer.pieces(connection):
                self.read = int(self.size * self.importer.progress)
                yield piece
        self.read = self.size
        yield self.importer.finish()


class MergedSource:
    """Several files of one session, their rows merged by time; each keeps its own order.

    `grows`: one was named, the others belong to it.
    """

    def __init__(self, kind: LineFormat, paths: list[Path], *, grows: bool = False) -> None:
        self.kind = kind
        self.read = 0
        self.size = sum(path.stat().st_size for path in paths)
        self.grows = grows
        self._paths = paths

    @cached_property
    def importer(self) -> LineImporter:
        """What translates it."""
        importer = self.kind.importer()()
        if self.grows:
            count = len(self._paths) - 1
            importer.summary.note(
                f"with {count} more file{'' if count == 1 else 's'} of its session"
            )
        return importer

    @property
    def summary(self) -> Summary:
        """What was read and left aside so far."""
        return self.importer.summary

    def journal(self) -> Iterator[bytes]:
        """The journal, in pieces of whole lines."""
        files = [self._rows(number, path) for number, path in enumerate(self._paths)]
        for row in heapq.merge(*files, key=lambda row: row[:3]):
            self.importer.part = row.part
            self.importer.value(row.value)
            if self.importer.builder.started and self.importer.builder.waiting >= EVENTS:
                yield self.importer.builder.take()
        yield self.importer.finish()

    def _rows(self, number: int, path: Path) -> Iterator[TimedRow]:
        from spanscope.importers.merging import FileRows

        rows = FileRows(self.importer, number)
        with open_journal(path) as stream:
            for piece in read_pieces(stream, shown(path), PIECE, None):
                self.read += len(piece)
                rows.feed(piece)
                yield from rows.taken()
        rows.finish()
        yield from rows.taken()
