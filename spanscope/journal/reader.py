"""Reading a journal: bytes in, header, events and faults out, in file order.

The parser is fed bytes in pieces of any size and says the same for every cutting. It keeps at
most one unfinished line, and of a line above its cap only the first bytes.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final

from msgspec import Struct

from spanscope.journal.errors import shown
from spanscope.journal.events import AnyEvent, Session, Unknown, type_of
from spanscope.journal.files import StrPath, open_journal, read_pieces
from spanscope.journal.lines import (
    BOM,
    CRC_END,
    CRC_MARK,
    CRC_TAIL,
    CRC_WHOLE,
    MOST_BYTES,
    REFUSALS,
    LineError,
    UnknownFormatError,
    crc_fits,
    decode_event,
    decode_first_line,
    decode_slowly,
    has_crc,
    typed_decoder,
)

__all__ = [
    "DEFAULT_MAX_LINE",
    "Fault",
    "Header",
    "JournalParser",
    "Parsed",
    "Record",
    "decode_event",
    "open_journal",
    "read_journal",
]

DEFAULT_MAX_LINE: Final = MOST_BYTES
"""Bytes above which a line is reported and skipped."""

HEAD_CHARS: Final = 120
_HEAD_BYTES: Final = len(BOM) + 4 * HEAD_CHARS


class Header(Struct, gc=False):
    """The `session` header; `offset` is that of its line."""

    session: Session
    offset: int


class Record(Struct, gc=False):
    """An event and where its line stands.

    `offset` and `length` are bytes: the line without its newline. `fingerprint` is the CRC-32
    of the line without its line end: equal for the same line twice.
    """

    event: AnyEvent | Unknown
    offset: int
    length: int
    fingerprint: int


class Fault(Struct, gc=False):
    """A finding about the file itself: a line that is damaged, or a journal's missing part.

    `offset` and `length` are the bytes of the line it is about, `head` its first characters.
    `poisons`: an event may have been lost here, so what follows stands on unknown ground.
    """

    rule: str
    offset: int
    length: int
    message: str
    poisons: bool
    head: str


Parsed = Header | Record | Fault


class JournalParser:
    """Turns the bytes of a journal into headers, records and faults, in file order.

    `max_line` is the cap in bytes: a longer line is reported by size and head and skipped.
    """

    def __init__(self, max_line: int = DEFAULT_MAX_LINE) -> None:
        self._max_line = max_line
        self._offset = 0
        self._unfinished = bytearray()
        self._skipped = 0
        self._first = Fault("", 0, 0, "", poisons=False, head="")
        self._at_start = True
        self._crc_expected: bool | None = None

    @property
    def offset(self) -> int:
        """Bytes of complete lines so far: where the unfinished line starts."""
        return self._offset

    @property
    def unfinished(self) -> int:
        """Bytes of the last line, which has no newline yet."""
        return self._skipped or len(self._unfinished)

    def feed(self, data: bytes) -> list[Parsed]:
        """What the lines that `data` completes say."""
        lines = data.split(b"\n")
        rest = lines.pop()
        found: list[Parsed] = []
        if lines:
            if self._skipped:
                self._hold(lines.pop(0))
                self._give_up_line(found, self._skipped, bytes(self._unfinished))
                self._forget()
            elif self._unfinished:
                lines[0] = bytes(self._unfinished) + lines[0]
                self._forget()
            if lines and self._at_start:
                self._first_line(found, lines.pop(0))
            self._lines(found, lines)
        if rest:
            self._hold(rest)
        return found

    def finish(self, *, live: bool = False) -> list[Parsed]:
        """What the end of the file says; with `live` (its writer lives) nothing: it goes on."""
        if live:
            return []
        found: list[Parsed] = []
        size = self.unfinished
        if size:
            message = f"the last line ({size} bytes) has no newline: it was not written whole"
            found.append(self._fault("JNL001", size, self._unfinished, message))
        if self._at_start:
            what = "its first line is torn" if size else "it is empty"
            message = f"the journal has no `session` header: {what}"
            found.append(self._fault("JNL010", size, self._unfinished, message))
        self._offset += size
        self._at_start = False
        self._forget()
        return found

    def _forget(self) -> None:
        self._unfinished.clear()
        self._skipped = 0

    def _hold(self, piece: bytes) -> None:
        """Keeps a piece of an unfinished line; of one above the cap only its head and size."""
        if self._skipped:
            self._skipped += len(piece)
            self._unfinished += piece[: max(0, _HEAD_BYTES - len(self._unfinished))]
            return
        self._unfinished += piece
        if len(self._unfinished) > self._max_line:
            self._skipped = len(self._unfinished)
            del self._unfinished[_HEAD_BYTES:]

    def _lines(self, found: list[Parsed], lines: list[bytes]) -> None:
        """The hot path: a few calls for a good line, everything else in methods of its own."""
        offset = self._offset
        crc32, most, crc_unexpected = zlib.crc32, self._max_line, self._crc_expected is False
        decode_typed = typed_decoder()
        for line in lines:
            size = len(line)
            text = line[:-1] if line.endswith(b"\r") else line
            tail = text[-CRC_TAIL:]
            missing = False
            if size > most:
                self._offset = offset
                self._give_up_line(found, size, line)
                offset = self._offset
                continue
            if tail.startswith(CRC_MARK) and tail.endswith(CRC_END):
                crc = crc32(text[:-CRC_TAIL])
                if tail != CRC_WHOLE % crc:
                    self._offset = offset
                    found.append(self._wrong_crc(size, text))
                    offset += size + 1
                    continue
                if crc_unexpected:
                    self._note_first_line_without_crc(found)
                    crc_unexpected = False
                fingerprint = crc32(tail, crc)
            else:
                fingerprint = crc32(text)
                missing = self._crc_expected is True
            try:
                if not text.isascii():
                    text.decode()
                event: AnyEvent | Unknown = decode_typed(text)
            except REFUSALS:
                try:
                    event = decode_slowly(text)
                except LineError as error:
                    self._offset = offset
                    found.append(self._unreadable(size, text, error))
                    offset += size + 1
                    continue
            if missing:
                self._offset = offset
                found.append(self._no_crc(size, text))
            else:
                found.append(Record(event, offset, size, fingerprint))
            offset += size + 1
        self._offset = offset

    def _first_line(self, found: list[Parsed], line: bytes) -> None:
        size = len(line)
        if size > self._max_line:
            self._give_up_line(found, size, line)
            return
        self._at_start = False
        text = line.removeprefix(BOM).removesuffix(b"\r")
        checked = has_crc(text)
        self._first = self._fault("JNL004", size, text, "")
        if checked and not crc_fits(text):
            found.append(self._wrong_crc(size, text))
            self._crc_expected = True
        else:
            readable = self._header_or_event(found, size, text)
            self._crc_expected = checked if checked or readable else None
        self._offset += size + 1

    def _header_or_event(self, found: list[Parsed], size: int, text: bytes) -> bool:
        """Whether the first line could be read, if not as a header of this format."""
        try:
            item = decode_first_line(text)
        except UnknownFormatError as error:
            found.append(self._no_header(size, text, str(error)))
            return True
        except LineError as error:
            found.append(self._unreadable(size, text, error))
            found.append(self._no_header(size, text, "line 1 can't be read"))
            return False
        if isinstance(item, Session):
            found.append(Header(item, self._offset))
            return True
        found.append(self._no_header(size, text, f"line 1 is an event (`{type_of(item)[:80]}`)"))
        found.append(Record(item, self._offset, size, zlib.crc32(text)))
        return True

    def _give_up_line(self, found: list[Parsed], size: int, head: bytes) -> None:
        message = f"a line of {size} bytes, above the cap of {self._max_line}: skipped"
        found.append(self._fault("JNL002", size, head, message, poisons=True))
        if self._at_start:
            found.append(self._no_header(size, head, "line 1 is above the cap"))
            self._at_start = False
        self._offset += size + 1

    def _note_first_line_without_crc(self, found: list[Parsed]) -> None:
        self._crc_expected = None
        self._first.message = "line 1 has no `crc`, later lines have: it was changed or cut"
        found.append(self._first)

    def _wrong_crc(self, size: int, text: bytes) -> Fault:
        message = "the line does not fit its `crc`: it was changed after it was written"
        return self._fault("JNL004", size, text, message, poisons=True)

    def _no_crc(self, size: int, text: bytes) -> Fault:
        message = "the line has no `crc`, line 1 has: it was changed or added by another writer"
        return self._fault("JNL004", size, text, message, poisons=True)

    def _unreadable(self, size: int, text: bytes, error: LineError) -> Fault:
        return self._fault("JNL002", size, text, str(error), poisons=True)

    def _no_header(self, size: int, text: bytes, reason: str) -> Fault:
        message = f"the journal has no `session` header of a known format: {reason}"
        return self._fault("JNL010", size, text, message)

    def _fault(
        self, rule: str, size: int, text: bytes | bytearray, message: str, *, poisons: bool = False
    ) -> Fault:
        head = bytes(text[:_HEAD_BYTES]).removeprefix(BOM if self._offset == 0 else b"")
        start = head.decode("utf-8", "replace")[:HEAD_CHARS]
        return Fault(rule, self._offset, size, message, poisons, start)


def read_journal(
    path_or_stream: StrPath | BinaryIO,
    max_line: int = DEFAULT_MAX_LINE,
    chunk: int = 1 << 20,
    until: int | None = None,
    *,
    live: bool | None = None,
) -> Iterator[Parsed]:
    """Everything that a journal says, read in pieces of `chunk` bytes.

    `until`: the bytes to read at most, for a file whose writer lives its size at opening.
    `live` says that the last line may still be in the writing (default: where `until` is given).
    A stream is left open. Raises JournalError at once where a path can't be opened, and while
    iterating where it can't be read.
    """
    if isinstance(path_or_stream, str | os.PathLike):
        stream, name, owned = open_journal(path_or_stream), shown(path_or_stream), True
    else:
        stream, owned = path_or_stream, False
        name = shown(getattr(stream, "name", "the stream"))
    goes_on = until is not None if live is None else live
    return _read(stream, name, JournalParser(max_line), chunk, until, owned=owned, live=goes_on)


def _read(
    stream: BinaryIO,
    name: str,
    parser: JournalParser,
    chunk: int,
    until: int | None,
    *,
    owned: bool,
    live: bool,
) -> Iterator[Parsed]:
    try:
        for piece in read_pieces(stream, name, chunk, until):
            yield from parser.feed(piece)
        yield from parser.finish(live=live)
    finally:
        if owned:
            stream.close()
