"""Bytes that are asked for seldom: in a nameless temporary file, which goes with the process."""

from __future__ import annotations

import weakref
from array import array
from typing import TYPE_CHECKING

from spanscope.journal.index import LineSource

if TYPE_CHECKING:
    from io import FileIO

IN_MEMORY = 1 << 19
"""Bytes that are kept in memory before there is a file: for most sessions none is made."""


class Store:
    """Pieces by their number, from 0, in the order in which they were put.

    Where no file can be written, they stay in memory. May be read from several threads while one
    puts.
    """

    def __init__(self) -> None:
        self._held: dict[int, bytes] = {}
        self._room = IN_MEMORY
        self._file: FileIO | None = None
        self._source: LineSource | None = None
        self._refused = False
        self._ends = array("Q", [0])
        """Where each piece ends in the file; one that is held in memory is empty there."""

    def __len__(self) -> int:
        return len(self._ends) - 1

    def put(self, data: bytes) -> int:
        """Keep a piece; its number."""
        number, end = len(self), self._ends[-1]
        if len(data) > self._room and self._write(data, end):
            end += len(data)
        else:
            self._room -= len(data)
            self._held[number] = data
        self._ends.append(end)
        return number

    def get(self, number: int) -> bytes:
        """A piece again."""
        held = self._held.get(number)
        if held is not None:
            return held
        assert self._source is not None
        start, end = self._ends[number], self._ends[number + 1]
        return self._source.read(start, end - start)

    def _write(self, data: bytes, end: int) -> bool:
        """Put bytes at the file's end; whether that could be done."""
        if self._refused:
            return False
        try:
            file = self._file or self._open()
            file.seek(end)
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
