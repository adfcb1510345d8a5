"""Reading a journal while the screen is there already."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from spanscope.app.pace import Pace, give_way
from spanscope.history.collecting import give_back_memory
from spanscope.history.history import History
from spanscope.importers.foreign import foreign_source
from spanscope.journal.files import open_journal, read_pieces
from spanscope.journal.index import LineSource
from spanscope.journal.live import is_live
from spanscope.widgets.live import Again, Live, Place
from spanscope.widgets.scene import Audit

if TYPE_CHECKING:
    from spanscope.importers.source import Source

PIECE = 1 << 14
"""Bytes that are audited at a time: the screen waits no longer than for one piece, some 5 ms."""


class Loader:
    """Feeds a journal to a history, piece by piece, under a lock that the screen takes too.

    A journal whose writer lives is read up to its size now, and its end is not judged.
    """

    follows: Literal[False] = False

    def __init__(self, path: Path, session: Source | None = None) -> None:
        """Open a journal, or a session that can be read as one; `session`: it was found already.

        Raises JournalError where it can't be read.
        """
        self.path = path
        self.lock = threading.Lock()
        self.pace = Pace()
        self._source = session or foreign_source(path)
        # Looked at before the size: a writer that has ended meanwhile left a whole journal.
        self._writer = is_live(path)
        self._stream = open_journal(path)
        self._opened = os.fstat(self._stream.fileno())
        self._size = self._opened.st_size
        self._read = 0
        self._befallen: Live | None = None
        # Events of another tool's session stand in no file: they are kept. Those of a journal are
        # read again from the very file that is audited, whatever takes its place.
        source = LineSource(self._stream.fileno()) if self._source is None else None
        self.history = History(source=source)

    @property
    def audit(self) -> Audit:
        """How far it is."""
        read = self._read if self._source is None else min(self._source.read, self._size)
        return Audit(read, self._size, done=self._stream.closed)

    @property
    def live(self) -> Live | None:
        """Who writes the journal that is looked at as a recording, or what befell its file.

        Null: nobody, nothing.
        """
        written = None if self._writer is None else Live("written", pid=self._writer.pid)
        return self._befallen or written

    def close(self) -> None:
        """Let go of the file; `run` does so too when it ends."""
        self._stream.close()

    def _pieces(self) -> Iterator[bytes]:
        if self._source is None:
            return read_pieces(self._stream, str(self.path), PIECE, self._size)
        return self._source.journal()

    def run(self, tell: Callable[[Audit], None], cancelled: Callable[[], bool]) -> None:
        """Read to the end, telling now and then how far it is. Raises JournalError."""
        with self._stream:
            for piece in self._pieces():
                if cancelled():
                    return
                with self.lock:
                    self.history.feed(piece)
                    # Counted here, piece by piece, and not when the screen asks.
                    self.history.lives()
                    self._read += len(piece) if self._source is None else 0
                give_way()
                if self.pace.left <= 0:
                    # What was read stays: no collection of garbage looks through it again.
                    gc.freeze()
                    self.pace.told()
                    tell(self.audit)
            if self._source is None:
                self._befallen = self._look_again()
        with self.lock:
            self.history.finish(live=self._writer is not None)
        give_back_memory()
        tell(Audit(self._read, self._size, done=True))

    def _look_again(self) -> Live | None:
        """What befell the file while it was read; null where nothing did."""
        before, now = self._opened, os.fstat(self._stream.fileno())
        again: Again = ""
        if self._read < before.st_size or now.st_size < before.st_size:
            again = "cut"
        elif self._writer is None and now.st_mtime_ns != before.st_mtime_ns:
            again = "grown" if now.st_size > before.st_size else "changed"
        place: Place = "here"
        try:
            there = self.path.stat()
        except OSError:
            place = "deleted"
        else:
            place = "here" if os.path.samestat(there, now) else "rotated"
        if not again and place == "here":
            return None
        return Live("recorded", again=again, place=place)
