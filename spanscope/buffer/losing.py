"""Recording that never hurts the agent: what the journal can't take is lost, and said to be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from spanscope.journal.errors import JournalClosedError
from spanscope.journal.events import (
    Abort,
    Apply,
    Event,
    Gap,
    Ingest,
    Move,
    Observe,
    Prune,
    Rewrite,
    Rollback,
    Splice,
)
from spanscope.journal.writer import JournalWriter

CHANGES: Final = frozenset((Abort, Apply, Ingest, Move, Observe, Prune, Rewrite, Rollback, Splice))
"""What an agent tells of its buffer's content or order."""


class LossyWriter:
    """A writer for an agent with a buffer of its own: a fault of the disk is no fault of the agent.

    Where a record can't be written, it is lost and counted, and the journal says a `gap` before
    the next record that it takes. Only wrong use is refused: fields of wrong types, a closed
    journal, a forked child.
    """

    def __init__(self, writer: JournalWriter) -> None:
        self.writer = writer
        self.lost = 0
        self.gaps = 0
        self.shared = False
        self._why = ""
        self._warned = False
        self._lock = threading.RLock()

    @property
    def path(self) -> Path:
        """The journal."""
        return self.writer.path

    @property
    def seq(self) -> int:
        """The seq of the last event, 0 before the first."""
        return self.writer.seq

    def append(self, struct: type[Event], /, **fields: Any) -> int:
        """Writes one event and returns its seq; 0 where it was lost.

        Raises TypeError for a field that is missing, unknown or of a wrong type, and
        JournalClosedError where the journal is closed or another process's.
        """
        with self._lock:
            self.shared = self.shared or struct in CHANGES
            return self._kept(1, lambda: self.writer.append(struct, **fields)) or 0

    def put(self, count: int, make: Callable[[int, str], Sequence[Event]]) -> bool:
        """Writes the events that `make` gives for the next seq and a time; whether it could.

        `count` is how many are lost where it can't.
        """
        with self._lock:
            return bool(self._kept(count, lambda: self._put(make)))

    def _put(self, make: Callable[[int, str], Sequence[Event]]) -> int:
        events = make(self.seq + 1, self.writer.time())
        if events:
            self.writer.put(events)
        return max(self.seq, 1)

    def _kept(self, count: int, write: Callable[[], int]) -> int | None:
        """What `write` gives; null where it was lost."""
        try:
            if self.lost:
                self.writer.append(Gap, reason=self._why, lost=self.lost)
                self.lost = 0
                self.gaps += 1
            return write()
        except (JournalClosedError, TypeError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the agent goes on
            self.lose(count, error)
            return None

    def lose(self, count: int, error: Exception) -> None:
        """Count events that were lost, and why; the first time the log of the program says so."""
        self.lost += count
        self._why = str(error) or type(error).__name__
        if not self._warned:
            self._warned = True
            # A handler of the program may fail itself, and that is no fault of the agent's either.
            with suppress(Exception):
                import logging

                logging.getLogger("spanscope").warning("recording fails: %s", self._why)

    def close(self) -> None:
        """Ends the journal, with a gap before where something was lost; twice does no harm."""
        with self._lock:
            if self.writer.closed:
                self.writer.close()
                return
            if self.lost:
                self._kept(0, lambda: 1)
            try:
                self.writer.close()
            except Exception as error:  # noqa: BLE001 - the journal is closed all the same
                self.lose(1, error)
