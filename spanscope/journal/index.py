"""The events of a journal by their place in it: kept, or read again from the file when asked for.

A million events as objects take gigabytes; where their lines stand takes seven bytes each.
"""

from __future__ import annotations

import os
import threading
import weakref
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from spanscope.journal.events import AnyEvent, Unknown
from spanscope.journal.files import StrPath, open_journal
from spanscope.journal.lines import BOM, LineError, decode_again, decode_event
from spanscope.journal.numbers import MOST_IN_FOUR, appended
from spanscope.journal.places import LinePlaces
from spanscope.journal.reader import Record

GONE = "(no longer in the file)"
"""The type of an event whose line the file no longer holds as it was read."""

AHEAD = 32_768
"""So many bytes are read at once: the next event that is asked for stands mostly behind."""

REMEMBERED = 1024
"""So many events that were read again are kept, one for each place: enough to step to and fro."""


class LineSource:
    """An open journal file to read single lines from; closed when nobody holds it any more."""

    def __init__(self, file: StrPath | int) -> None:
        """Open a file, or share an open one's descriptor. Raises JournalError."""
        if isinstance(file, int):
            self._file = os.dup(file)
        else:
            with open_journal(file) as stream:
                self._file = os.dup(stream.fileno())
        weakref.finalize(self, os.close, self._file)
        self._lock = threading.Lock()

    def read(self, offset: int, length: int, ahead: int = 0) -> bytes:
        """`length` bytes from `offset`, fewer only at the end. Raises OSError.

        Up to `ahead` bytes where the file gives as many at once.
        """
        data = self._piece(offset, max(length, ahead))
        while len(data) < length:
            more = self._piece(offset + len(data), length - len(data))
            if not more:
                break
            data += more
        return data

    def _piece(self, offset: int, length: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._file, length, offset)
        with self._lock:
            os.lseek(self._file, offset, os.SEEK_SET)
            return os.read(self._file, length)


class EventLog:
    """The events of a journal in file order.

    With a `source` only places are kept, without one the events themselves. A line's checksum
    tells whether it is the same line again. May be read from several threads.
    """

    def __init__(self, source: LineSource | None = None) -> None:
        self.seqs: Sequence[int] = range(0)
        """In file order: a range while none is left out."""
        self._source = source
        self._kept: list[AnyEvent | Unknown] = []
        self._places = LinePlaces()
        self._sums = array("I")
        self._block = (0, b"")
        self._again: list[AnyEvent | Unknown | None] = [None] * REMEMBERED

    def __len__(self) -> int:
        return len(self.seqs)

    def add(self, record: Record) -> None:
        """The next event that was applied; its seq is higher than all before."""
        self._sums.append(record.fingerprint)
        if self._source is None:
            self._kept.append(record.event)
        else:
            self._places.add(record.offset, record.length)
        self.seqs = _with(self.seqs, record.event.seq)

    def at(self, position: int) -> AnyEvent | Unknown:
        """The event at an index from 0."""
        if self._source is None:
            return self._kept[position]
        place = position % REMEMBERED
        event = self._again[place]
        if event is None or event.seq != self.seqs[position]:
            event = self._again[place] = self._read(self._source, position, AHEAD)
        return event

    def __iter__(self) -> Iterator[AnyEvent | Unknown]:
        return (self.at(position) for position in range(len(self)))

    def fingerprint(self, seq: int) -> int | None:
        """The checksum of the line of a seq; null where there is none."""
        position = self._position(seq)
        return None if position is None else self._sums[position]

    def of(self, seq: int) -> AnyEvent | Unknown | None:
        """The event with this seq; null where there is none."""
        position = self._position(seq)
        return None if position is None else self.at(position)

    def once(self, seq: int) -> AnyEvent | Unknown | None:
        """As `of`, without keeping the event, or reading more than its line."""
        position = self._position(seq)
        if position is None:
            return None
        return self._kept[position] if self._source is None else self._read(self._source, position)

    def _position(self, seq: int) -> int | None:
        position = bisect_left(self.seqs, seq)
        found = position < len(self.seqs) and self.seqs[position] == seq
        return position if found else None

    def _read(self, source: LineSource, position: int, ahead: int = 0) -> AnyEvent | Unknown:
        offset, length = self._places[position]
        first, block = self._block
        start = offset - first
        try:
            if start < 0 or start + length > len(block):
                start, block = 0, source.read(offset, length, ahead)
                self._block = (offset, block)
            line = block[start : start + length]
            if zlib.crc32(line) == self._sums[position]:
                return decode_again(line)
            text = line.removeprefix(BOM).removesuffix(b"\r")
            if zlib.crc32(text) == self._sums[position]:
                return decode_event(text)
        except (OSError, LineError):
            # The file was cut or is out of reach: said below, the history itself stands.
            pass
        return Unknown(type=GONE, seq=self.seqs[position], time="")


def _with(seqs: Sequence[int], seq: int) -> Sequence[int]:
    """The seqs with one more."""
    if isinstance(seqs, range):
        if not seqs or seq == seqs.stop:
            return range(seqs.start if seqs else seq, seq + 1)
        seqs = array("I", seqs) if seqs.stop <= MOST_IN_FOUR else array("Q", seqs)
    assert isinstance(seqs, array)
    return appended(seqs, seq)
