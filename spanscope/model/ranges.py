"""Ranges of artifacts in their units: code points, UTF-8 bytes or tokens.

A `Scale` measures one text in one unit. Ranges are half-open, `(start, end)` in that unit.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from spanscope.model.mapping import Change, follow
from spanscope.model.tokens import token_marks

Range = tuple[int, int]


class Stand(NamedTuple):
    """Where a range stands after some changes; `range` is null where its ends fall inside a unit.

    `text` is the text that stands there.
    """

    range: Range | None
    text: str


class Scale:
    """One text measured in one unit. `length` is how many units it has."""

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def length(self) -> int:
        """The text's length in the unit."""
        return len(self.text)

    def holds(self, range: Range) -> bool:
        """Whether it is a range of the text, with both ends between two characters or tokens."""
        return 0 <= range[0] <= range[1] <= self.length

    def slice(self, range: Range) -> str:
        """The text in a range, as a holder cuts it out: nothing of what lies past the end."""
        start, end = range
        return "" if start < 0 or end < start else self.text[start:end]

    def find(self, wanted: str) -> Range | None:
        """The only range that holds a text; null where there is none or more than one."""
        at = self.text.find(wanted)
        if not wanted or at < 0 or self.text.find(wanted, at + 1) >= 0:
            return None
        return at, at + len(wanted)

    def followed(self, range: Range, changes: list[Change], now: Scale) -> Stand:
        """Where a range of this text stands in another, of the same unit, after the changes."""
        found = follow(*range, changes)
        return Stand((found.start, found.end), now.text[found.start : found.end])


class ByteScale(Scale):
    """A text measured in the bytes of its UTF-8."""

    @cached_property
    def data(self) -> bytes:
        """The UTF-8 bytes; lone surrogates are kept."""
        return self.text.encode("utf-8", "surrogatepass")

    @property
    def length(self) -> int:
        """The text's length in bytes."""
        return len(self.data)

    def holds(self, range: Range) -> bool:
        """Whether it is a range of the text, with both ends between two characters."""
        return super().holds(range) and not any(self._inside_character(at) for at in range)

    def slice(self, range: Range) -> str:
        """The text in a range; characters that were cut are U+FFFD."""
        start, end = range
        return "" if start < 0 or end < start else self._decoded(start, end)

    def find(self, wanted: str) -> Range | None:
        """The only range that holds a text."""
        found = super().find(wanted)
        return None if found is None else (self.byte(found[0]), self.byte(found[1]))

    def followed(self, range: Range, changes: list[Change], now: Scale) -> Stand:
        """Where a range stands after the changes: its characters are followed."""
        assert isinstance(now, ByteScale)
        start, end = self._followed_bytes(range, changes, now)
        return Stand((start, end), now._decoded(start, end))

    def byte(self, character: int) -> int:
        """The byte offset of a character."""
        return len(self.text[:character].encode("utf-8", "surrogatepass"))

    def _followed_bytes(self, range: Range, changes: list[Change], now: ByteScale) -> Range:
        """The bytes of a range after the changes.

        An end inside a character keeps its distance from the character's edge, unless a change
        cut into the range.
        """
        start, end = range
        first, last = self._character(start, up=False), self._character(end, up=True)
        found = follow(first, last, changes)
        into, short = start - self.byte(first), self.byte(last) - end
        if found.touched is not None:
            into = short = 0
        return now.byte(found.start) + into, now.byte(found.end) - short

    def _inside_character(self, at: int) -> bool:
        return at < len(self.data) and self.data[at] & 0xC0 == 0x80

    def _character(self, at: int, *, up: bool) -> int:
        """The character that starts at a byte offset; inside one, the one before or after."""
        while self._inside_character(at):
            at += 1 if up else -1
        return len(self.data[:at].decode("utf-8", "surrogatepass"))

    def _decoded(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")


class TokenScale(ByteScale):
    """A text measured in tokens; `marks` are the byte offsets between them.

    Raises `UntoldTokensError` where the tokens can't be told.
    """

    def __init__(self, text: str, tokenizer: str | None) -> None:
        super().__init__(text)
        self.marks: Sequence[int] = token_marks(tokenizer, text)

    @property
    def length(self) -> int:
        """How many tokens the text has."""
        return len(self.marks) - 1

    def holds(self, range: Range) -> bool:
        """Whether it is a range of the text; a count of tokens ends between two of them."""
        return Scale.holds(self, range)

    def slice(self, range: Range) -> str:
        """The text of the tokens in a range."""
        start, end = (min(at, self.length) for at in range)
        return "" if start < 0 or end < start else self._decoded(self.marks[start], self.marks[end])

    def find(self, wanted: str) -> Range | None:
        """The only range that holds a text; null too where it starts or ends inside a token."""
        found = super().find(wanted)
        return None if found is None else self._tokens(*found)

    def followed(self, range: Range, changes: list[Change], now: Scale) -> Stand:
        """Where a range stands after the changes; its text must still begin and end a token."""
        assert isinstance(now, TokenScale)
        in_bytes = self.marks[range[0]], self.marks[range[1]]
        start, end = self._followed_bytes(in_bytes, changes, now)
        return Stand(now._tokens(start, end), now._decoded(start, end))

    def _tokens(self, start: int, end: int) -> Range | None:
        first, last = self._token(start), self._token(end)
        return None if first is None or last is None else (first, last)

    def _token(self, at: int) -> int | None:
        index = bisect_left(self.marks, at)
        return index if index < len(self.marks) and self.marks[index] == at else None


def scale(unit: str, text: str, tokenizer: str | None) -> Scale:
    """A text measured in a unit: `chars`, `bytes` or `tokens` (of the tokenizer).

    Raises:
        UntoldTokensError: the unit is tokens and they can't be told.
    """
    if unit == "tokens":
        return TokenScale(text, tokenizer)
    return ByteScale(text) if unit == "bytes" else Scale(text)
