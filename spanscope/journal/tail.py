"""Reading a journal that grows: what was appended, and what happened to the file meanwhile.

`Tail.poll` looks once and says what is new; nothing here waits or runs by itself. A file is known
by device and inode, its size, its first bytes and the bytes before the place that was read up to,
so that no two files are ever mixed: a file that was truncated and has grown again between two
looks has another beginning or another line there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, Literal

from msgspec import Struct

from spanscope.journal.errors import JournalError, reason, shown
from spanscope.journal.files import StrPath, open_journal
from spanscope.journal.live import LiveInfo, is_live, runs
from spanscope.journal.notify import Notifier

FINGERPRINT: Final = 4096
"""Bytes that are compared at the start of the file and before the place that was read up to."""

PIECE: Final = 1 << 16
"""Bytes that are read at a time."""

Place = Literal["here", "moved", "deleted", "rotated"]
"""Where the file is that is being read. `here`: its path names it. `moved`: its path names nothing
now; `rotated`: its path names another file, and ours has another name; `deleted`: it has none."""


class Appended(Struct, frozen=True, gc=False):
    """Bytes of complete lines, or a part of a line whose end is known. `offset` in bytes."""

    data: bytes
    offset: int


class Truncated(Struct, frozen=True, gc=False):
    """The file was cut to `size` bytes, or overwritten: it is read again from its start."""

    size: int


class Recreated(Struct, frozen=True, gc=False):
    """The file is gone and another has its path: that one is read from its start.

    Nothing is known of its writer yet, and the end of the old one's is not told.
    """


class PlaceChanged(Struct, frozen=True, gc=False):
    """The file that is being read is somewhere else now, or `here` again."""

    place: Place


class WriterAlive(Struct, frozen=True, gc=False):
    """A process writes the journal."""

    writer: LiveInfo


class WriterGone(Struct, frozen=True, gc=False):
    """The process that wrote the journal has ended; all that it wrote has been read."""

    writer: LiveInfo


class Ended(Struct, frozen=True, gc=False):
    """The stream has ended: nothing can follow."""


Happening = Appended | Truncated | Recreated | PlaceChanged | WriterAlive | WriterGone | Ended


class Tail:
    """Reads a file as it grows, in pieces of at most `piece` bytes.

    Bytes are handed out only once their line is complete: a line that is still in the writing may
    be taken back by its writer. The file is opened to read only and never locked. `place` says
    where it is, `writer` who writes it as far as is known, `size` how long it was at the last
    look, `more` that another look will find more at once.
    """

    def __init__(self, path: StrPath, *, piece: int = PIECE) -> None:
        """Open the file. Raises JournalError where it can't be read."""
        self.path = Path(path)
        self.place: Place = "here"
        self.writer: LiveInfo | None = None
        self.more = True
        self._piece = piece
        self._stream = open_journal(path)
        self.size = os.fstat(self._stream.fileno()).st_size
        self._begin()

    @property
    def offset(self) -> int:
        """Bytes that were handed out."""
        return self._offset

    @property
    def modified(self) -> float:
        """When the file was last written, in seconds since 1970."""
        return os.fstat(self._stream.fileno()).st_mtime

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()

    def waiting(self, cancelled: Callable[[], bool]) -> Notifier:
        """What to wait with until the next look; `cancelled` ends a wait."""
        return Notifier(self.path, cancelled)

    def restart(self) -> None:
        """Read from the start again."""
        self._begin()

    def poll(self) -> list[Happening]:
        """What has happened since the last look, in order. Raises JournalError."""
        try:
            return self._poll()
        except (OSError, ValueError) as error:
            raise JournalError(f"can't read {shown(self.path)}: {reason(error)}") from error

    def rest(self) -> Iterator[bytes]:
        """The last line as far as it was written, in pieces; it stays unread."""
        at = self._offset
        while piece := self._read(self._stream, at, self._piece):
            yield piece
            at += len(piece)

    def _begin(self) -> None:
        self._offset = 0
        self._line_end = 0
        self._searched = 0
        self._sought = b""
        self._head = self._before = b""
        self.more = True

    def _poll(self) -> list[Happening]:
        found: list[Happening] = []
        # Whoever writes is looked at first: what a writer has written when it ends is read below.
        writer = is_live(self.path)
        found += self._look_at_path()
        found += self._read_on()
        found += self._look_at_writer(writer)
        return found

    # The path

    def _look_at_path(self) -> list[Happening]:
        own = os.fstat(self._stream.fileno())
        try:
            there = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return self._is_at("moved" if own.st_nlink else "deleted")
        except OSError:
            # The folder is closed to us for now, which says nothing about the file.
            return []
        if os.path.samestat(own, there):
            return self._is_at("here")
        return self._look_at_other(named=bool(own.st_nlink))

    def _look_at_other(self, *, named: bool) -> list[Happening]:
        """The path names another file; `named` says that ours still has a name somewhere."""
        try:
            other = open_journal(self.path)
        except JournalError:
            return self._is_at("rotated" if named else "deleted")
        if self._offset and self._fits(other):
            # A copy that goes on where ours ends is the same journal.
            self._change_to(other)
            return self._is_at("here")
        if named or self.place == "rotated":
            other.close()
            return self._is_at("rotated")
        self._change_to(other)
        self._begin()
        self.place = "here"
        self.writer = None
        return [Recreated()]

    def _change_to(self, other: BinaryIO) -> None:
        self._stream.close()
        self._stream = other

    def _is_at(self, place: Place) -> list[Happening]:
        if place == self.place:
            return []
        self.place = place
        return [PlaceChanged(place)]

    # The bytes

    def _read_on(self) -> list[Happening]:
        data = self._next_piece()
        # Compared after reading: what was cut or overwritten before that shows now.
        self.size = os.fstat(self._stream.fileno()).st_size
        if not self._fits(self._stream):
            self._begin()
            return [Truncated(self.size)]
        if not data:
            return []
        appended = Appended(data, self._offset)
        self._offset += len(data)
        self._searched, self._sought = 0, b""
        if len(self._head) < FINGERPRINT:
            self._head = (self._head + data)[:FINGERPRINT]
        self._before = (self._before + data)[-FINGERPRINT:]
        self.more = self._offset < self.size
        return [appended]

    def _next_piece(self) -> bytes:
        """The next bytes of complete lines; empty where there are none yet."""
        if self._offset < self._line_end:
            wanted = min(self._piece, self._line_end - self._offset)
            data = self._read(self._stream, self._offset, wanted)
            if len(data) == wanted:
                return data
            self._line_end = 0
        piece = self._read(self._stream, self._offset, self._piece)
        complete = piece.rfind(b"\n") + 1
        if complete:
            return piece[:complete]
        self.more = len(piece) == self._piece and self._seek_line_end()
        return b""

    def _seek_line_end(self) -> bool:
        """Look on for the end of a line that is longer than a piece; whether to go on at once."""
        start = max(self._offset, self._searched - FINGERPRINT)
        if self._read(self._stream, start, len(self._sought)) != self._sought:
            # The line was taken back, and another one begun.
            self._searched = 0
        at = max(self._searched, self._offset + self._piece)
        piece = self._read(self._stream, at, self._piece)
        found = piece.find(b"\n")
        if found >= 0:
            self._line_end = at + found + 1
            return True
        self._searched = at + len(piece)
        start = max(self._offset, self._searched - FINGERPRINT)
        self._sought = self._read(self._stream, start, self._searched - start)
        return len(piece) == self._piece

    def _fits(self, stream: BinaryIO) -> bool:
        """Whether a file begins as ours did, and has our bytes before the place we are at."""
        before = self._read(stream, self._offset - len(self._before), len(self._before))
        return before == self._before and (self._read(stream, 0, len(self._head)) == self._head)

    @staticmethod
    def _read(stream: BinaryIO, at: int, size: int) -> bytes:
        """Up to so many bytes; fewer only at the end of the file."""
        stream.seek(at)
        data = stream.read(size) or b""
        while len(data) < size and (more := stream.read(size - len(data))):
            data += more
        return data

    # The writer

    def _look_at_writer(self, now: LiveInfo | None) -> list[Happening]:
        known = self.writer
        now = self._of_this_file(now)
        if now == known or (known is not None and self.more):
            # Nothing is said of a writer's end before all that it wrote has been read.
            return []
        self.writer = now
        found: list[Happening] = [] if now is None else [WriterAlive(now)]
        if known is None or (now is not None and known.pid is None):
            return found
        return [WriterGone(known), *found]

    def _of_this_file(self, now: LiveInfo | None) -> LiveInfo | None:
        """Who writes the file that is being read, where the path may name another one or none."""
        known = self.writer
        if self.place == "rotated" and now != known:
            return None
        if self.place in ("moved", "deleted") and now is None and known and runs(known):
            # Its `.live` file may have moved as well.
            return known
        return now
