"""Spans as the agent of a sample session holds them, and the texts they are made of."""

from __future__ import annotations

from inspect import cleandoc

from msgspec import Struct

from spanscope.journal.parts import Inverse
from spanscope.model.anchors import START_WINDOW, fits_at
from spanscope.model.content import content_hash


def prose(text: str) -> str:
    """A text as it stands in a script, without the script's indentation."""
    return cleandoc(text) + "\n"


class Held(Struct):
    """A span as the agent holds it."""

    text: str
    version: int = 0
    live: bool = True

    @property
    def hash(self) -> str:
        """The content hash."""
        return content_hash(self.text)


def whole_inverse(original: str, inserted: str) -> Inverse:
    """The inverse of a whole rewrite: its place is the span itself."""
    return Inverse(original=original, inserted=len(inserted), inserted_hash=content_hash(inserted))


def short_inverse(text: str, at: int, inserted: str, original: str) -> Inverse:
    """An inverse as seed 003's code keeps it: 16 characters each side, unique or not."""
    end = at + len(inserted)
    return Inverse(
        original=original,
        inserted=len(inserted),
        before=text[max(0, at - START_WINDOW) : at],
        after=text[end : end + START_WINDOW],
    )


def offset_inverse(_: str, at: int, inserted: str, original: str) -> Inverse:
    """An inverse that knows its place by an absolute offset alone."""
    return Inverse(original=original, inserted=len(inserted), at=at, anchored=False)


def first_match(text: str, inverse: Inverse) -> int:
    """Where seed 003's code finds an inverse: the first place at which both anchors agree."""
    places = range(len(text) - inverse.inserted + 1)
    return next(at for at in places if fits_at(text, at, inverse))
