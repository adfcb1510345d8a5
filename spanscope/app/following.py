"""Following a journal that grows: one thread reads it and the screen is told now and then."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from typing import Literal, Protocol

from spanscope.app.pace import REST, Pace, give_way
from spanscope.history.history import History
from spanscope.journal.live import LiveInfo
from spanscope.journal.notify import HEARTBEAT
from spanscope.journal.tail import (
    Appended,
    Ended,
    Happening,
    PlaceChanged,
    Recreated,
    Truncated,
    WriterAlive,
    WriterGone,
)
from spanscope.widgets.live import Again, Live, Place, State
from spanscope.widgets.scene import Audit


class Waiting(Protocol):
    """Waits until a source may have more."""

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether there was a sign."""

    def missed(self) -> None:
        """There was more, and no sign of it."""

    def close(self) -> None:
        """Wait no more."""


class Source(Protocol):
    """A file that grows, or a stream."""

    @property
    def size(self) -> int:
        """How long it is, in bytes."""

    @property
    def offset(self) -> int:
        """Bytes that were handed out."""

    @property
    def more(self) -> bool:
        """Whether another look finds more at once."""

    @property
    def modified(self) -> float:
        """When it was last written, in seconds since 1970."""

    def poll(self) -> list[Happening]:
        """What has happened since the last look."""

    def rest(self) -> Iterator[bytes]:
        """The last line as far as it was written."""

    def restart(self) -> None:
        """Read from the start again."""

    def waiting(self, cancelled: Callable[[], bool]) -> Waiting:
        """What to wait with."""

    def close(self) -> None:
        """Let go of it."""


class Follower:
    """Feeds a growing journal to a history, under a lock that the screen takes too.

    `history` is what there is to see. A journal that goes on after its end, or that was cut or
    replaced, is read again into a new history, which takes the old one's place once it has caught
    up and has something to show; until then the old one stays.
    """

    follows: Literal[True] = True

    def __init__(self, source: Source, *, stream: bool = False) -> None:
        self.lock = threading.Lock()
        self.pace = Pace()
        self.history = History()
        self._source = source
        self._stream = stream
        self._fed = self.history
        self._finished = False
        self._goal = source.size
        self._caught_up = False
        self._kept = False
        self._last = source.modified
        self._writer: LiveInfo | None = None
        self._gone: LiveInfo | None = None
        self._ended = False
        self._before = 0
        self._again: Again = ""
        self._at = 0
        self._place: Place = "here"

    @property
    def audit(self) -> Audit:
        """How far it is with what was there at the beginning."""
        return Audit(min(self._source.offset, self._goal), self._goal, done=self._caught_up)

    @property
    def live(self) -> Live | None:
        """What is known of the journal and its writer; null once a stream has ended."""
        if self._ended:
            return None
        writer = self._writer or self._gone
        return Live(
            state=self._state,
            pid=None if writer is None else writer.pid,
            last=self._last,
            before=self._before,
            again=self._again,
            at=self._at,
            place=self._place,
        )

    @property
    def more(self) -> bool:
        """Whether another look finds more at once."""
        return self._source.more

    def seen(self) -> None:
        """A person has seen that the journal was read again."""
        self._again = ""

    def close(self) -> None:
        """Let go of the file."""
        self._source.close()

    def run(self, tell: Callable[[Audit], None], cancelled: Callable[[], bool]) -> None:
        """Read on until cancelled, or until a stream ends. Raises JournalError."""
        waiting = self._source.waiting(cancelled)
        untold, unasked, told = True, False, 0
        try:
            while not cancelled():
                happened = self.look()
                if happened and unasked:
                    waiting.missed()
                untold = untold or happened
                left = self.pace.left_for(abs(len(self.history) - told))
                if untold and left <= 0:
                    self._keep()
                    self.pace.told()
                    tell(self.audit)
                    untold, told = False, len(self.history)
                if self._ended and not untold:
                    return
                unasked = False
                if self._source.more:
                    give_way()
                    continue
                if happened:
                    time.sleep(REST)
                notified = waiting.wait(left if untold else HEARTBEAT)
                unasked = not notified and not untold
        finally:
            waiting.close()

    def _keep(self) -> None:
        """What was there at the beginning stays: no collection of garbage looks through it again.

        Nor through the screen, which is there once it was told of.
        """
        if not self._kept:
            gc.freeze()
            self._kept = self._caught_up

    def look(self) -> bool:
        """Take in what has happened since the last look; whether there is anything to tell."""
        happened = self._source.poll()
        before = self._caught_up
        with self.lock:
            for item in happened:
                self._take(item)
            if not self._source.more:
                self._settle()
        return bool(happened) or self._caught_up != before

    def _take(self, item: Happening) -> None:
        match item:
            case Appended(data=data):
                self._feed(data)
            case Truncated():
                self._begin_again("truncated")
            case Recreated():
                self._begin_again("recreated")
                self._place = "here"
                self._writer = self._gone = None
            case PlaceChanged(place=place):
                self._place = place
            case WriterAlive(writer=writer):
                self._writer, self._gone = writer, None
            case WriterGone(writer=writer):
                self._writer, self._gone = None, writer
                self._finish()
            case Ended():
                self._ended = True
                self._finish()

    def _feed(self, data: bytes) -> None:
        if self._finished:
            # What its end told holds no more: the journal is judged anew, from its start.
            self._source.restart()
            self._begin_again(self._again)
            return
        self._fed.feed(data)
        # Counted here, piece by piece, and not when the screen asks.
        self._fed.lives()
        if self._caught_up:
            self._last = time.time()

    def _begin_again(self, again: Again) -> None:
        self._fed = History()
        self._finished = False
        self._again = again

    def _settle(self) -> None:
        """All that there is has been read."""
        if self._fed is not self.history and len(self._fed):
            self.history = self._fed
            if self._again:
                self._at, self._before = len(self._fed), 0
        if not self._caught_up:
            self._caught_up = True
            self._before = _errors(self.history)
        unread = self._source.size - self._source.offset
        if self._fed.closed is not None and self._writer is None and not unread:
            self._finish()

    def _finish(self) -> None:
        if self._finished:
            return
        for piece in self._source.rest():
            self._fed.feed(piece)
        self._fed.finish()
        self._finished = True

    @property
    def _state(self) -> State:
        if self._writer is not None:
            return "live"
        if self._finished and self._fed.closed is not None:
            return "closed"
        if self._gone is not None:
            return "dead"
        return "stream" if self._stream else "watched"


def _errors(history: History) -> int:
    """The errors as the header counts them."""
    return history.counts()["error"]
