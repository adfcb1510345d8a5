"""Contents and edits in little memory: in UTF-8, compressed, or as a place to read them again."""

from __future__ import annotations

import zlib
from collections import deque
from typing import Protocol

from spanscope.model.content import HASH_PREFIX

MOST_RECENT = 1_000_000
"""Code points of older contents that are kept ready."""

MOST_NEWEST = 2_000_000
"""Code points of what spans hold now that are kept ready, where an audit saves memory."""

LEAST_RECENT = 3
"""So many of them are kept however long they are: those on both sides of a step, and one more."""

COMPRESSED_FROM = 16_384
"""Code points from which a packed content is compressed: of less there is little to gain."""

BYTES_FROM = 16
"""Code points from which an edit's text is kept in UTF-8, where it is not ASCII anyway."""

RECORDED_FROM = 256
"""Code points from which an edit's text is read again from its recording, where there is one."""

MOST_SHARED = 1 << 14
"""Numbers below this are kept once: places in contents of usual length, and their lengths."""

_shared: dict[int, int] = {}


class Recording(Protocol):
    """What gives back what a journal's events said, as long as the audit goes on.

    `quick`: so soon that a content which rests on it need not be kept, if it is not long.
    """

    @property
    def quick(self) -> bool:
        """Whether it takes a few microseconds."""

    def text(self, seq: int) -> str:
        """The content that an `ingest` brought in, or the text that a `splice` put there.

        Raises JournalError where the journal was changed meanwhile.
        """


def shared(number: int) -> int:
    """The number, as the same object for all that are equal and not large."""
    return _shared.setdefault(number, number) if number < MOST_SHARED else number


def pack(text: str) -> bytes:
    """A text in fewer bytes; lone surrogates are kept."""
    data = in_utf8(text)
    return data if len(text) < COMPRESSED_FROM else zlib.compress(data, 1)


def unpack(packed: bytes, length: int) -> str:
    """The text of so many code points again."""
    return in_text(packed if length < COMPRESSED_FROM else zlib.decompress(packed))


def in_bytes(text: str | bytes) -> str | bytes:
    """An edit's text of an older content in UTF-8, where that takes less memory."""
    if isinstance(text, bytes) or len(text) < BYTES_FROM or text.isascii():
        return text
    return in_utf8(text)


def in_text(kept: str | bytes) -> str:
    """A text as it was."""
    return kept if isinstance(kept, str) else kept.decode("utf-8", "surrogatepass")


def in_utf8(text: str) -> bytes:
    """A text in UTF-8; lone surrogates are kept."""
    return text.encode("utf-8", "surrogatepass")


def short_hash(hash: str) -> str | bytes:
    """A content hash in less memory, where it is written as one."""
    digits = hash[len(HASH_PREFIX) :]
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        return hash
    return data if hash == long_hash(data) else hash


def long_hash(kept: str | bytes) -> str:
    """The content hash as it is written."""
    return kept if isinstance(kept, str) else HASH_PREFIX + kept.hex()


class Ready(Protocol):
    """A content that is kept ready until it is let go."""

    @property
    def length(self) -> int:
        """Code points of it."""

    def let_go(self) -> None:
        """Keep it in little memory from now on."""


class Recent:
    """Contents that were made, or asked for, lately: they are kept ready, up to a bound."""

    def __init__(self, most: int = MOST_RECENT) -> None:
        """`most`: the bound in code points."""
        self._most = most
        self._nodes: deque[Ready] = deque()
        self._size = 0

    def add(self, node: Ready) -> None:
        """A content was put together; the oldest give way."""
        self._nodes.append(node)
        self._size += node.length
        while self._size > self._most and len(self._nodes) > LEAST_RECENT:
            try:
                oldest = self._nodes.popleft()
            except IndexError:
                # Another thread was quicker: buffers share this memory.
                return
            self._size -= oldest.length
            if oldest is not node:
                oldest.let_go()


RECENT = Recent()
"""Older contents that were asked for."""
