"""Text whose every character has an identity, so that following it through edits is looking it up.

A character is the same one wherever the same object stands. An edit takes objects away and puts
new ones in; an exact undo puts the old ones back.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, eq=False, slots=True)
class Character:
    """One code point that was written once; equal only to itself."""

    char: str


Text = tuple[Character, ...]


@dataclass(frozen=True)
class Remade:
    """A text whose edits were made again without some of them.

    `was[n]` is what its first n edits left, `now[n]` what those of them left that still stand.
    """

    was: tuple[Text, ...]
    now: tuple[Text, ...]

    def left_from(self, texts: list[Text]) -> int | None:
        """After how many edits it is first one of these texts; null: it never was."""
        return next((count for count, text in enumerate(self.was) if text in texts), None)


def fresh(string: str) -> Text:
    """Newly written characters."""
    return tuple(Character(char) for char in string)


@lru_cache(maxsize=1024)
def string(text: Text) -> str:
    """What the characters read."""
    return "".join(character.char for character in text)


def content_hash(content: str) -> str:
    """`sha256:` and the hex digest of the UTF-8 bytes; a lone surrogate as `surrogatepass`."""
    return "sha256:" + hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def rewritten(old: Text, new: str) -> Text:
    """A whole text in the place of another: its differing middle is new, the ends stay.

    The common prefix is taken first, then the common suffix of what is left.
    """
    most = min(len(old), len(new))
    prefix = 0
    while prefix < most and old[prefix].char == new[prefix]:
        prefix += 1
    suffix = 0
    while suffix < most - prefix and old[-1 - suffix].char == new[-1 - suffix]:
        suffix += 1
    return old[:prefix] + fresh(new[prefix : len(new) - suffix]) + old[len(old) - suffix :]


def unless_other(old: Text, now: Text | None) -> Text:
    """The text as it is now where that reads the same as the old: then nothing was changed."""
    return old if now is None or string(old) != string(now) else now


def place(text: Text, piece: Text) -> int | None:
    """Where the very characters of a piece stand side by side; null where they do not.

    An empty piece stands nowhere of its own.
    """
    if not piece or piece[0] not in text:
        return None
    at = text.index(piece[0])
    return at if text[at : at + len(piece)] == piece else None
