"""Where a text stands in another one, without regard to case."""

from __future__ import annotations

from functools import lru_cache


def count_of(wanted: str, text: str) -> int:
    """How many times a text stands in another one, without overlaps; none if it is empty."""
    # Looking a text up costs a hash of all of it.
    return _count_of(wanted, text) if wanted else 0


@lru_cache(maxsize=16)
def _count_of(wanted: str, text: str) -> int:
    return text.casefold().count(wanted.casefold())


def occurrences(wanted: str, text: str) -> list[tuple[int, int]]:
    """Where it stands, as ranges of characters from left to right, without overlaps.

    A character whose folded form is longer (`ß` is `ss`) belongs to a range that has part of it.
    """
    sought, folded = wanted.casefold(), text.casefold()
    if not sought or sought not in folded:
        return []
    same = len(folded) == len(text)
    origin = range(len(text)) if same else _origins(text)
    found: list[tuple[int, int]] = []
    at = folded.find(sought)
    while at >= 0:
        end = at + len(sought)
        found.append((max(origin[at], found[-1][1] if found else 0), origin[end - 1] + 1))
        at = folded.find(sought, end)
    return [(start, end) for start, end in found if start < end]


def _origins(text: str) -> list[int]:
    """For every character of the folded text the place of the one that it comes from."""
    return [at for at, character in enumerate(text) for _ in character.casefold()]
