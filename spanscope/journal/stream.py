"""Reading a journal from a stream that can't be read twice: standard input, a pipe."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterator
from typing import Final

from spanscope.journal.errors import JournalError, reason
from spanscope.journal.tail import PIECE, Appended, Ended, Happening

NAME: Final = "standard input"

_STEP: Final = 0.05


class Stream:
    """Reads a file descriptor as bytes come, until its end. `more`: another read gives some."""

    def __init__(self, descriptor: int) -> None:
        """Take over a descriptor; `close` closes it."""
        self.path = NAME
        self.size = 0
        self.offset = 0
        self.more = True
        self.modified = time.time()
        self._descriptor = descriptor
        self._open = True
        self._ended = False

    def close(self) -> None:
        """Let go of the stream."""
        if self._open:
            self._open = False
            os.close(self._descriptor)

    def restart(self) -> None:
        """Nothing can be read again."""

    def rest(self) -> Iterator[bytes]:
        """All bytes are handed out as they come."""
        return iter(())

    def poll(self) -> list[Happening]:
        """What has come since the last look, without waiting. Raises JournalError."""
        self.more = not self._ended and self._readable(0)
        if not self.more:
            return []
        try:
            data = os.read(self._descriptor, PIECE)
        except OSError as error:
            raise JournalError(f"can't read {NAME}: {reason(error)}") from error
        if not data:
            self._ended, self.more = True, False
            return [Ended()]
        appended = Appended(data, self.offset)
        self.offset = self.size = self.offset + len(data)
        return [appended]

    def waiting(self, cancelled: Callable[[], bool]) -> StreamWait:
        """Waits for bytes."""
        return StreamWait(self._readable, cancelled)

    def _readable(self, seconds: float) -> bool:
        return bool(select.select([self._descriptor], [], [], seconds)[0])


class StreamWait:
    """Waits until a stream has bytes or has ended."""

    def __init__(self, readable: Callable[[float], bool], cancelled: Callable[[], bool]) -> None:
        self._readable = readable
        self._cancelled = cancelled

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether there is something to read."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._cancelled():
            if self._readable(min(left, _STEP)):
                return True
        return False

    def missed(self) -> None:
        """Nothing is missed."""

    def close(self) -> None:
        """There is nothing to let go of."""
