"""Reading a journal while the screen is there already."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from spanscope.history.history import History
from spanscope.journal.files import open_journal, read_pieces
from spanscope.widgets.scene import Audit

PIECE = 1 << 16
"""Bytes that are audited at a time: the screen waits no longer than for one piece."""

TELL_EVERY = 1 / 30
"""Seconds between two reports of progress."""


class Loader:
    """Feeds a journal to a history, piece by piece, under a lock that the screen takes too."""

    def __init__(self, path: Path) -> None:
        """Open the journal. Raises JournalError where it can't be read."""
        self.path = path
        self.history = History()
        self.lock = threading.Lock()
        self._stream = open_journal(path)
        self._size = path.stat().st_size
        self._read = 0

    @property
    def audit(self) -> Audit:
        """How far it is."""
        return Audit(self._read, self._size, done=self._stream.closed)

    def close(self) -> None:
        """Let go of the file; `run` does so too when it ends."""
        self._stream.close()

    def run(self, tell: Callable[[Audit], None], cancelled: Callable[[], bool]) -> None:
        """Read to the end, telling now and then how far it is. Raises JournalError."""
        told = time.monotonic()
        with self._stream:
            for piece in read_pieces(self._stream, str(self.path), PIECE, self._size):
                if cancelled():
                    return
                with self.lock:
                    self.history.feed(piece)
                    self._read += len(piece)
                if time.monotonic() - told >= TELL_EVERY:
                    told = time.monotonic()
                    tell(self.audit)
        with self.lock:
            self.history.finish()
        tell(Audit(self._read, self._size, done=True))
