"""Writing a journal: one event a line, a checksum on every line, one `os.write` a record.

A line that could not be written whole is taken back, so that the next one never stands glued to
its debris.
"""

from __future__ import annotations

import json
import os
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from spanscope.journal.errors import (
    JournalError,
    JournalTakenError,
    JournalWriteError,
    reason,
    shown,
)
from spanscope.journal.events import Close, Event, Session
from spanscope.journal.files import StrPath
from spanscope.journal.live import LiveFile

Clock = Callable[[], datetime]

_CREATE: Final = (
    os.O_WRONLY
    | os.O_APPEND
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_RESERVED: Final = frozenset(("type", "seq", "time"))


def utc_now() -> datetime:
    """The clock of a journal unless it is given another one."""
    return datetime.now(UTC)


def rfc3339(moment: datetime) -> str:
    """A moment as journals write it: UTC, milliseconds, `Z`. One without a zone counts as UTC."""
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return aware.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def encode_line(item: Event | Session) -> bytes:
    """A canonical line: short fields first, the checksum last, ended by a newline.

    Raises TypeError for what JSON can't hold.
    """
    try:
        text = msgspec.json.encode(item)
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8, but an escape.
        text = json.dumps(msgspec.to_builtins(item), separators=(",", ":")).encode()
    body = text[:-1]
    return b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))


def make_event(struct: type[Event], seq: int, time: str, fields: dict[str, Any]) -> Event:
    """An event from its fields, whose parts may be structs or plain dicts and lists.

    Raises TypeError for a field that is missing, unknown or of a wrong type.
    """
    tag = struct.__struct_config__.tag
    foreign = fields.keys() - set(struct.__struct_fields__) | fields.keys() & _RESERVED
    if foreign:
        raise TypeError(f"can't record `{tag}`: it takes no field `{min(foreign)}`")
    try:
        plain = msgspec.to_builtins(
            {"seq": seq, "time": time, **fields},
            builtin_types=(bytes, bytearray),
            enc_hook=_to_base_type,
        )
        return msgspec.convert(plain, struct)
    except (TypeError, msgspec.ValidationError) as error:
        raise TypeError(f"can't record `{tag}`: {error}") from None


def _to_base_type(value: object) -> object:
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"a journal can't hold a {type(value).__name__}")


class JournalWriter:
    """The only writer of one journal, from its header to its `close`.

    Safe from threads. Every method that writes raises JournalWriteError where the record could
    not be written whole; the journal then ends where it ended before.
    """

    def __init__(self, path: Path, fd: int, live: LiveFile, clock: Clock) -> None:
        self.path = path
        self._fd = fd
        self._live = live
        self._clock = clock
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._seq = 0
        self._end = 0
        self._refusal: str | None = None
        self._released = False

    @classmethod
    def create(cls, path: StrPath, session: Session, clock: Clock | None = None) -> Self:
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
        writer = cls(file, fd, live, clock or utc_now)
        try:
            writer._write(header)
        except BaseException:
            writer._let_go()
            file.unlink(missing_ok=True)
            raise
        return writer

    @property
    def seq(self) -> int:
        """The seq of the last event, 0 before the first."""
        return self._seq

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

    def close(self) -> None:
        """Ends the journal in good order; closing again does nothing."""
        if self._pid != os.getpid():
            return
        with self._lock:
            if self._released:
                return
            try:
                if self._refusal is None:
                    self._append(Close, {"events": self._seq})
            finally:
                self._let_go()

    def _append(self, struct: type[Event], fields: dict[str, Any]) -> int:
        seq = self._seq + 1
        event = make_event(struct, seq, rfc3339(self._clock()), fields)
        self._write(encode_line(event))
        self._seq = seq
        return seq

    def _write(self, line: bytes) -> None:
        if self._refusal is not None:
            raise JournalWriteError(f"can't write to {shown(self.path)}: {self._refusal}")
        try:
            self._write_whole(line)
        except OSError as error:
            self._take_back()
            raise JournalWriteError(
                f"can't write to {shown(self.path)}: {reason(error)}; the event was not recorded"
            ) from error
        except BaseException:
            self._take_back()
            raise
        self._end += len(line)

    def _write_whole(self, line: bytes) -> None:
        written = os.write(self._fd, line)
        while written < len(line):
            more = os.write(self._fd, line[written:])
            if not more:
                raise OSError("the file takes no more bytes")
            written += more

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._fd, self._end)
        except OSError as error:
            self._refusal = (
                f"an earlier record was cut short and could not be taken back ({reason(error)})"
            )

    def _refuse_fork(self) -> None:
        if self._pid != os.getpid():
            raise JournalWriteError(
                f"can't write to {shown(self.path)}: this process was forked from its writer; "
                "open a recorder of its own"
            )

    def _let_go(self) -> None:
        self._refusal = self._refusal or "it is closed"
        self._released = True
        os.close(self._fd)
        self._live.release()
