"""Content hashes and what differs between two texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec

HASH_PREFIX = "sha256:"
HASH_LENGTH = len(HASH_PREFIX) + 64

# Not `encode`: where memory runs out while its result grows, it takes the process down with it.
_encode_into = msgspec.json.Encoder().encode_into
# A copy of it is made faster than a new one.
_NOTHING_HASHED = hashlib.sha256()


def content_hash(text: str) -> str:
    """`sha256:` and 64 hex digits of the text's UTF-8 bytes; lone surrogates are kept."""
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = text.encode("utf-8", "surrogatepass")
    return hash_of(data)


def hash_of(data: bytes) -> str:
    """The content hash of a text's UTF-8 bytes."""
    hashed = _NOTHING_HASHED.copy()
    hashed.update(data)
    return HASH_PREFIX + hashed.hexdigest()


def is_hash(text: str) -> bool:
    """Whether the text is written as a content hash."""
    return (
        len(text) == HASH_LENGTH
        and text.startswith(HASH_PREFIX)
        and all(digit in "0123456789abcdef" for digit in text[len(HASH_PREFIX) :])
    )


def buffer_digest(spans: Iterable[tuple[str, str]]) -> str:
    """The digest of a buffer: framed and ordered, so that no two buffers collide.

    `spans` are (span id, content hash) of the live spans in buffer order.
    """
    rows = [list(row) for row in spans]
    try:
        encoded = bytearray()
        _encode_into(rows, encoded)
    except (UnicodeEncodeError, msgspec.EncodeError):
        import json

        text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
        encoded = bytearray(text, "utf-8", "surrogatepass")
    return HASH_PREFIX + hashlib.sha256(encoded).hexdigest()


def common_prefix(old: Sequence[str], new: Sequence[str]) -> int:
    """The length of what two texts, or two lists of ids, begin with: whole slices are compared."""
    limit = min(len(old), len(new))
    if old[:limit] == new[:limit]:
        return limit
    low, step = 0, 64
    while low + step <= limit and old[low : low + step] == new[low : low + step]:
        low += step
        step *= 2
    high = min(limit, low + step)
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(old: Sequence[str], new: Sequence[str], limit: int) -> int:
    """The length of what they end with, at most `limit`."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if old[len(old) - middle :] == new[len(new) - middle :]:
            low = middle
        else:
            high = middle - 1
    return low


def differing_middle(old: str, new: str) -> tuple[int, str, str]:
    """(offset, deleted, inserted): a whole rewrite as a splice, prefix then suffix trimmed."""
    prefix = common_prefix(old, new)
    limit = min(len(old), len(new)) - prefix
    suffix = common_suffix(old, new, limit)
    return prefix, old[prefix : len(old) - suffix], new[prefix : len(new) - suffix]


class Damage(NamedTuple):
    """A place where a text is not what it should be; `at` counts code points of what it is."""

    at: int
    expected: str
    actual: str


def damages(expected: str, actual: str) -> list[Damage]:
    """Where a text is not what it should be, in whole words; none where they are equal.

    Lines are compared in pairs where the differing middles have as many. Lines in a row that have
    little in common with their pairs are one place.
    """
    at, should, holds = differing_middle(expected, actual)
    pairs = [(should, holds)]
    if should.count("\n") == holds.count("\n"):
        pairs = list(zip(should.split("\n"), holds.split("\n"), strict=True))
    found = []
    for _, run in groupby(enumerate(pairs), key=lambda pair: _apart(*pair)):
        wanted, there = ("\n".join(side) for side in zip(*(pair for _, pair in run), strict=True))
        if wanted != there:
            inner, gone, put = differing_middle(wanted, there)
            found.append(_in_words(Damage(at + inner, gone, put), actual))
        at += len(there) + 1
    return found


def _apart(number: int, pair: tuple[str, str]) -> int:
    """Equal for lines in a row that are one place of damage; else the line's own number."""
    _, gone, put = differing_middle(*pair)
    return number if 2 * max(len(gone), len(put)) <= max(map(len, pair)) else -1


def _in_words(damage: Damage, text: str) -> Damage:
    """Widened to the ends of the words that it cuts."""
    at, expected, actual = damage
    start, stop = at, at + len(actual)
    if any(side[:1].isalnum() for side in (expected, actual)):
        while start and text[start - 1].isalnum():
            start -= 1
    if any(side[-1:].isalnum() for side in (expected, actual)):
        while stop < len(text) and text[stop].isalnum():
            stop += 1
    expected = text[start:at] + expected + text[at + len(actual) : stop]
    return Damage(start, expected, text[start:stop])
