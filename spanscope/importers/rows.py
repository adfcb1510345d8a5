"""The rows of a foreign file: JSON Lines in pieces of any size, or one JSON document.

A file is a document where its first line is no JSON by itself; what it says is known only at its
end. A list at the top is as many rows as it has elements.
"""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

from spanscope.importers.summary import Summary

BOM: Final = b"\xef\xbb\xbf"
NOTHING: Final = object()
_CLOSING: Final = {b"[": b"]", b"{": b"}"}


class RowReader:
    """Cuts bytes into JSON values and counts what can't be read."""

    def __init__(self, summary: Summary) -> None:
        self._summary = summary
        self._held = bytearray()
        self._started = False
        self._document = False

    def feed(self, data: bytes) -> list[Any]:
        """The values that `data` completes."""
        end = data.rfind(b"\n") + 1
        if self._document or not end:
            self._held += data
            return []
        lines = (bytes(self._held) + data[:end] if self._held else data[:end]).split(b"\n")
        if not self._started:
            self._document = begins_document(lines)
            if self._document:
                self._held += data
                return []
        self._held = bytearray(data[end:])
        return self._values(lines)

    def finish(self) -> list[Any]:
        """What the end of the file completes: a document, or a last line without a newline."""
        data = bytes(self._held)
        self._held.clear()
        if self._document or not self._started:
            whole = decode(data.removeprefix(BOM))
            if whole is not NOTHING:
                self._started = True
                values = whole if isinstance(whole, list) else [whole]
                self._summary.rows += len(values)
                return values
        return self._values(data.split(b"\n"), torn=not self._document)

    def _values(self, lines: list[bytes], *, torn: bool = False) -> list[Any]:
        found: list[Any] = []
        last = len(lines) - 1
        for number, line in enumerate(lines):
            text = line if self._started else line.removeprefix(BOM)
            if not text or text.isspace():
                continue
            self._started = True
            value = decode(text)
            self._summary.rows += 1
            if value is NOTHING:
                self._summary.unreadable += 1
                if torn and number == last:
                    self._summary.note("the last line is torn: its writer had not finished it")
            else:
                found.append(value)
        return found


def begins_document(lines: list[bytes]) -> bool:
    """Whether the first line that says something is the start of JSON, but none by itself."""
    for number, line in enumerate(lines):
        text = (line.removeprefix(BOM) if number == 0 else line).strip()
        if text:
            return text[:1] in (b"{", b"[") and decode(text) is NOTHING
    return False


def decode(text: bytes) -> Any:
    """The JSON value that the text is; NOTHING where it is none."""
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        pass
    try:
        # Takes lone surrogates, as programs in JavaScript write them.
        return json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return NOTHING


def closed(start: bytes) -> Any:
    """What the start of a JSON document says, cut at its last comma; NOTHING where it has none."""
    import re

    # Strings whole, the last one as far as it goes.
    tokens = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{},]', re.DOTALL)
    text = start.removeprefix(BOM)
    signs = [(token[0][:1], token.start()) for token in tokens.finditer(text)]
    while signs and signs[-1][0] != b",":
        signs.pop()
    inside: list[bytes] = []
    for sign, _ in signs:
        if sign in _CLOSING:
            inside.append(_CLOSING[sign])
        elif sign in (b"]", b"}") and inside:
            inside.pop()
    return decode(text[: signs[-1][1]] + b"".join(reversed(inside))) if signs else NOTHING
