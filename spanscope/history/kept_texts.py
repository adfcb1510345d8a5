"""Texts that a history asks for seldom: in a nameless temporary file, whatever becomes of its own.

A journal that is looked at may be cut, overwritten or replaced, and a stream stands nowhere: what
its events put into the buffer is therefore written down once more, where nobody else changes it.
"""

from __future__ import annotations

import weakref
from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING

from spanscope.journal.events import AnyEvent, Ingest, Splice, Unknown
from spanscope.journal.index import LineSource
from spanscope.model.keeping import RECORDED_FROM, in_text, in_utf8

if TYPE_CHECKING:
    from io import FileIO

IN_MEMORY = 1 << 20
"""Bytes that are kept in memory before there is a file: for most sessions none is made."""


class KeptTexts:
    """What the events of a history put into the buffer, by seq (a `Recording`).

    Where no file can be written, texts stay in memory. May be read from several threads while
    one adds.
    """

    def __init__(self) -> None:
        self._held: dict[int, bytes] = {}
        self._room = IN_MEMORY
        self._file: FileIO | None = None
        self._source: LineSource | None = None
        self._refused = False
        self._seqs = array("Q")
        self._ends = array("Q", [0])

    def add(self, event: AnyEvent | Unknown) -> None:
        """Keep what an event puts into the buffer; its seq is higher than all before."""
        if isinstance(event, Ingest):
            self._keep(event.seq, in_utf8(event.content))
        elif isinstance(event, Splice) and len(event.insert) >= RECORDED_FROM:
            self._keep(event.seq, in_utf8(event.insert))

    def text(self, seq: int) -> str:
        """The content of an `ingest`, or the long text that a `splice` put there."""
        held = self._held.get(seq)
        if held is not None:
            return in_text(held)
        assert self._source is not None
        place = bisect_left(self._seqs, seq)
        start, end = self._ends[place], self._ends[place + 1]
        return in_text(self._source.read(start, end - start))

    def _keep(self, seq: int, data: bytes) -> None:
        if len(data) > self._room and self._write(data):
            self._ends.append(self._ends[-1] + len(data))
            self._seqs.append(seq)
        else:
            self._room -= len(data)
            self._held[seq] = data

    def _write(self, data: bytes) -> bool:
        """Put bytes at the file's end; whether that could be done."""
        if self._refused:
            return False
        try:
            file = self._file or self._open()
            file.seek(self._ends[-1])
            self._refused = file.write(data) != len(data)
        except OSError:
            self._refused = True
        return not self._refused

    def _open(self) -> FileIO:
        import tempfile

        file = self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        self._source = LineSource(file.fileno())
        weakref.finalize(self, file.close)
        return file
