"""Writing a journal: one event a line, a checksum on every line, one `os.write` a record.

A line that could not be written whole is taken back, so that the next one never stands glued to
its debris. Where it can't be taken back, or an fsync failed, nothing is written any more.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from spanscope.journal.clock import Clock, stamps
from spanscope.journal.encoding import encode_line, encode_line_into, make_event
from spanscope.journal.errors import (
    JournalClosedError,
    JournalError,
    JournalTakenError,
    JournalWriteError,
    reason,
    shown,
)
from spanscope.journal.events import Close, Event, Session
from spanscope.journal.files import StrPath
from spanscope.journal.lines import MOST_BYTES
from spanscope.journal.live import LiveFile

Bytes = bytes | bytearray

MOST_KEPT: Final = 1 << 16
"""Bytes of a line up to which its room is kept for the next one."""

_APPEND: Final = (
    os.O_WRONLY | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)
_CREATE: Final = _APPEND | os.O_CREAT | os.O_EXCL
_sync_data: Final = getattr(os, "fdatasync", os.fsync)


class End(NamedTuple):
    """Where a journal ends: the bytes of its whole lines, and the seq of the last event."""

    size: int = 0
    seq: int = 0


class JournalWriter:
    """The only writer of one journal, from its header to its `close`.

    Safe from threads. Every method that writes raises JournalWriteError where not everything
    could be written whole; the journal then ends where it ended before. `durable`: every record
    is on the disk before its method returns, which blocks for an fsync.
    """

    def __init__(
        self,
        path: Path,
        fd: int,
        live: LiveFile,
        clock: Clock | None = None,
        *,
        durable: bool = False,
        checksums: bool = True,
        end: End | None = None,
    ) -> None:
        self.path = path
        self.durable = durable
        self.time = stamps(clock)
        self._fd = fd
        self._live = live
        self._checksums = checksums
        self._lock = threading.Lock()
        # One tuple, so that an interrupt finds both or neither moved on.
        self._end: tuple[int, int] = end or End()
        self._unfinished = False
        # Where single records are encoded: it need not grow for each.
        self._line = bytearray()
        self._refusal: str | None = None
        self._released = False
        self._forked = False
        _writers.add(self)

    @classmethod
    def create(
        cls,
        path: StrPath,
        session: Session,
        clock: Clock | None = None,
        *,
        durable: bool = False,
    ) -> Self:
        """A new journal with its header, live from now on.

        Raises JournalTakenError where the file exists or has a writer, else JournalError where it
        can't be created, TypeError where the header can't be written as JSON.
        """
        header = encode_line(session)
        file = Path(path).absolute()
        if os.path.lexists(file):
            raise JournalTakenError(f"can't create {shown(file)}: it exists; give another path")
        live = LiveFile.acquire(file, session.session)
        try:
            fd = os.open(file, _CREATE, 0o600)
        except (OSError, ValueError) as error:
            live.release()
            refusal = JournalTakenError if isinstance(error, FileExistsError) else JournalError
            raise refusal(f"can't create {shown(file)}: {reason(error)}") from error
        writer = cls(file, fd, live, clock, durable=durable)
        try:
            writer._write(header, 0)
            writer._sync_folder()
        except BaseException:
            writer._let_go()
            file.unlink(missing_ok=True)
            raise
        return writer

    @classmethod
    def reopen(
        cls,
        path: Path,
        live: LiveFile,
        end: End,
        clock: Clock | None = None,
        *,
        durable: bool = False,
        checksums: bool = True,
    ) -> Self:
        """Goes on with a journal after `end`, which must be a line end; what follows is cut off.

        `live` is its `.live` file, already acquired; it is kept only where this succeeds.

        Raises JournalError where the file can't be opened to write.
        """
        try:
            fd = os.open(path, _APPEND)
        except OSError as error:
            raise JournalError(f"can't write to {shown(path)}: {reason(error)}") from error
        try:
            if os.fstat(fd).st_size != end.size:
                os.ftruncate(fd, end.size)
        except OSError as error:
            os.close(fd)
            raise JournalError(f"can't cut {shown(path)}: {reason(error)}") from error
        return cls(path, fd, live, clock, durable=durable, checksums=checksums, end=end)

    @property
    def seq(self) -> int:
        """The seq of the last event, 0 before the first."""
        return self._end[1]

    @property
    def closed(self) -> bool:
        """Whether nothing can be written any more: closed, or broken by a failed write."""
        return self._refusal is not None

    def append(self, struct: type[Event], /, **fields: Any) -> int:
        """Writes one event and returns its seq; `seq` and `time` are the writer's.

        Raises TypeError for a field that is missing, unknown or of a wrong type.
        """
        self._refuse_fork()
        with self._lock:
            return self._append(struct, fields)

    def put(self, events: Sequence[Event]) -> None:
        """Writes events whose seqs follow the last one: all of them, or none."""
        if self._forked:
            self._refuse_fork()
        with self._lock:
            if len(events) == 1:
                self._put(events[0])
            else:
                lines = [encode_line(event, checksum=self._checksums) for event in events]
                self._write(b"".join(lines), events[-1].seq)

    def _put(self, event: Event) -> None:
        line = self._line
        encode_line_into(line, event, checksum=self._checksums)
        if len(line) > MOST_KEPT:
            self._line = bytearray()
        self._write(line, event.seq)

    def close(self) -> None:
        """Ends the journal in good order; closing again does nothing."""
        if self._forked:
            return
        with self._lock:
            if self._released:
                return
            try:
                if self._refusal is None:
                    self._append(Close, {"events": self.seq})
            finally:
                self._let_go()

    def abandon(self) -> None:
        """Lets go of the journal without a `close` event: it can be resumed."""
        with self._lock:
            if not self._released and not self._forked:
                self._let_go()

    def __del__(self) -> None:
        # Forgotten without a `close`: cut short as by a crash, and free to be resumed.
        try:
            if not self._released and not self._forked:
                self._released = True
                os.close(self._fd)
                self._live.forget()
        except Exception:  # noqa: BLE001, S110 - nobody is there any more to be told
            pass

    def _append(self, struct: type[Event], fields: dict[str, Any]) -> int:
        seq = self.seq + 1
        self._put(make_event(struct, seq, self.time(), fields))
        return seq

    def _write(self, data: Bytes, seq: int) -> None:
        """Write whole lines up to `seq`; or the journal ends where it ended before."""
        if self._unfinished:
            # An interrupt fell between a record and the note that it is whole.
            self._take_back()
        if self._refusal is not None:
            refused = JournalClosedError if self._released else JournalWriteError
            raise refused(f"can't write to {shown(self.path)}: {self._refusal}")
        if len(data) > MOST_BYTES and max(map(len, data.splitlines())) > MOST_BYTES:
            raise JournalWriteError(
                f"can't write to {shown(self.path)}: the record is longer than the "
                f"{MOST_BYTES >> 20} MiB that a reader takes"
            )
        self._unfinished = True
        try:
            written = os.write(self._fd, data)
            if written != len(data):
                self._write_on(data, written)
            if self.durable:
                self._sync()
        except OSError as error:
            self._take_back()
            raise JournalWriteError(
                f"can't write to {shown(self.path)}: {reason(error)}; the event was not recorded"
            ) from error
        except BaseException:
            self._take_back()
            raise
        self._end = self._end[0] + len(data), seq
        self._unfinished = False

    def _write_on(self, data: Bytes, written: int) -> None:
        """Write what is left of some bytes."""
        while written < len(data):
            more = os.write(self._fd, data[written:])
            if not more:
                raise OSError("the file takes no more bytes")
            written += more

    def _sync(self) -> None:
        try:
            _sync_data(self._fd)
        except OSError as error:
            # The kernel may have dropped what it could not write: a retry would lie.
            self._refusal = f"an earlier fsync failed ({reason(error)}); resume the journal"
            raise

    def _sync_folder(self) -> None:
        if not self.durable or os.name == "nt":
            return
        try:
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise JournalError(
                f"can't sync the folder of {shown(self.path)}: {reason(error)}"
            ) from error

    def _take_back(self) -> None:
        self._unfinished = True
        try:
            os.ftruncate(self._fd, self._end[0])
        except OSError as error:
            self._refusal = self._refusal or (
                f"an earlier record was cut short and could not be taken back ({reason(error)})"
            )
        self._unfinished = False

    def _refuse_fork(self) -> None:
        if self._forked:
            raise JournalClosedError(
                f"can't write to {shown(self.path)}: this process was forked from its writer; "
                "open a journal of its own"
            )

    def _let_go(self) -> None:
        self._refusal = self._refusal or "it is closed"
        self._released = True
        try:
            os.close(self._fd)
        except OSError as error:
            raise JournalWriteError(
                f"can't close {shown(self.path)}: {reason(error)}; its last records may be lost"
            ) from error
        finally:
            # Whoever looks for a writer finds that this one is gone, if not at once.
            with suppress(OSError):
                self._live.release()


_writers: weakref.WeakSet[JournalWriter] = weakref.WeakSet()


def _forbid_all() -> None:
    """A forked child writes nothing of its parent's, and waits for none of its threads."""
    for writer in list(_writers):
        writer._forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forbid_all)
