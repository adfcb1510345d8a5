"""Ranges in characters, bytes or tokens: every one is looked up among the places of its unit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from spanscope.plain.following import followed
from spanscope.plain.texts import Text, string

Range = tuple[int, int]

TOKENIZERS = {"cl100k_base", "o200k_base", "o200k_harmony"}


def as_bytes(content: str) -> bytes:
    """The UTF-8 bytes; lone surrogates are kept."""
    return content.encode("utf-8", "surrogatepass")


@lru_cache(maxsize=1024)
def marks(content: str, unit: str, tokenizer: str | None) -> Sequence[int] | None:
    """The byte offsets at which a range in a unit may start or end, by its number.

    Null where that can't be told: no tokenizer, none that is known, or no text that it takes.
    """
    match unit:
        case "bytes":
            return range(len(as_bytes(content)) + 1)
        case "tokens":
            return None if tokenizer not in TOKENIZERS else _token_marks(content, tokenizer)
        case _:
            return list(accumulate((len(as_bytes(char)) for char in content), initial=0))


def _token_marks(content: str, tokenizer: str) -> list[int] | None:
    try:
        from toktok import _encoding

        encoding = _encoding(tokenizer)
        tokens = encoding.encode(content, disallowed_special=())
    except (ImportError, UnicodeEncodeError):
        return None
    lengths = (len(encoding.decode_single_token_bytes(token)) for token in tokens)
    return list(accumulate(lengths, initial=0))


def holds(content: str, part: Range, unit: str, tokenizer: str | None) -> bool | None:
    """Whether it is a range of the content; one in bytes cuts no character in two."""
    places = marks(content, unit, tokenizer)
    if places is None:
        return None
    start, end = part
    if not 0 <= start <= end < len(places):
        return False
    characters = marks(content, "chars", None) or []
    return unit != "bytes" or (start in characters and end in characters)


def cut(content: str, part: Range, unit: str, tokenizer: str | None) -> bytes | None:
    """What a holder gets in a range, nothing of what lies past the end; null: can't be told."""
    places = marks(content, unit, tokenizer)
    start, end = part
    if places is None:
        return None
    if start < 0 or end < start:
        return b""
    return as_bytes(content)[
        places[min(start, len(places) - 1)] : places[min(end, len(places) - 1)]
    ]


def stands(
    part: Range, unit: str, tokenizer: str | None, path: list[Text]
) -> tuple[Range | None, bytes] | None:
    """Where a range of the first text stands in the last, and the bytes there.

    The range is null where it starts or ends within a unit. Null where nothing can be told.
    """
    base, now = string(path[0]), string(path[-1])
    then, places = marks(base, unit, tokenizer), marks(now, unit, tokenizer)
    if then is None or places is None:
        return None
    start, end = _followed(then[part[0]], then[part[1]], path)
    found = (start, end)
    where = (places.index(start), places.index(end)) if {start, end} <= set(places) else None
    return where, as_bytes(now)[slice(*found)]


def _followed(start: int, end: int, path: list[Text]) -> Range:
    """A range of bytes, followed by its characters.

    An end within a character keeps its distance to the edge of that, unless the characters do
    not stand together any more.
    """
    then = marks(string(path[0]), "chars", None) or []
    now = marks(string(path[-1]), "chars", None) or []
    first = max(at for at, place in enumerate(then) if place <= start)
    last = min(at for at, place in enumerate(then) if place >= end)
    left, right = followed(first, last, path)
    if first == last:
        right = left
    whole = path[0][first:last] == path[-1][left:right]
    into, short = (start - then[first], then[last] - end) if whole else (0, 0)
    return now[left] + into, now[right] - short
