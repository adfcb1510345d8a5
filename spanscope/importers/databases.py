"""SQLite databases of other tools: opened read-only, nothing beside them is made or changed."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import ClassVar, Final

from spanscope.importers.errors import SourceError
from spanscope.importers.summary import Summary
from spanscope.journal.errors import shown

PIECE: Final = 256
"""Events that are handed over at a time."""


class DatabaseImporter:
    """One import in progress. `read` may be called again: it gives what was added since."""

    name: ClassVar[str]

    def __init__(self, branch: str | None = None) -> None:
        self.summary = Summary(self.name)
        # A database is recognised, and its sessions are listed, without it.
        from spanscope.importers.builder import JournalBuilder

        self.builder = JournalBuilder()
        self.branch = branch
        self.progress = 0.0
        """How much of the rows is read, from 0 to 1."""

    def load(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Write the events of the rows that were not read yet, stopping where they may be taken."""
        raise NotImplementedError

    def pieces(self, connection: sqlite3.Connection) -> Iterator[bytes]:
        """The lines of what the database holds beyond the last call, in pieces.

        Raises SourceError where there is no such branch.
        """
        for _ in self.load(connection):
            if self.builder.waiting >= PIECE:
                yield self.builder.take()
        if self.builder.started:
            yield self.builder.take()

    def read(self, connection: sqlite3.Connection) -> bytes:
        """All pieces at once."""
        return b"".join(self.pieces(connection))

    def finish(self) -> bytes:
        """The end of the journal."""
        if not self.builder.started:
            self.builder.header(self.name, self.name, source=self.name, identity="none")
        self.builder.close()
        return self.builder.take()

    def choose(self, branches: Sequence[str], what: str) -> str:
        """The branch that was asked for, else the first, which is the newest.

        Raises SourceError where there is none of that name.
        """
        if self.branch is None:
            if len(branches) > 1:
                others = ", ".join(branches[1:6]) + (", …" if len(branches) > 6 else "")
                self.summary.note(f"{len(branches)} {what}, the newest was taken; others: {others}")
            return branches[0]
        found = [name for name in branches if name == self.branch]
        found += [name for name in branches if self.branch in name.split("@")]
        if not found:
            known = ", ".join(branches[:6]) + (", …" if len(branches) > 6 else "")
            raise SourceError(f"there is no branch {shown(self.branch)}: there are {known}")
        return found[0]


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection that leaves no file beside the database.

    Raises SourceError where the database can't be read.
    """
    log, index = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
    try:
        if not log.is_file() or not log.stat().st_size:
            with closing(_connect(path, "immutable=1")) as connection:
                yield connection
        elif index.is_file():
            with closing(_connect(path, "mode=ro")) as connection:
                yield connection
        else:
            # SQLite would make the index that its writer took away: a copy keeps that elsewhere.
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder) / "copy"
                shutil.copyfile(path, copy)
                shutil.copyfile(log, copy.with_name("copy-wal"))
                with closing(_connect(copy, "mode=ro")) as connection:
                    yield connection
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        # SQLite says what is wrong in the words of a damaged file, which may be no UTF-8.
        raise SourceError(f"can't read {shown(path)}: {shown(error)}") from error


def _connect(path: Path, how: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def columns_of(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The names of a table's columns; none where there is no such table."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return frozenset(str(name) for (name,) in rows)
