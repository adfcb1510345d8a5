"""A text as the pieces that were written into it: where each character stands, whatever came since.

A piece is a stretch of a *source*: the text at first, or what one edit inserted. Splicing needs
no look at the text itself.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

_length = attrgetter("length")


class Piece(NamedTuple):
    """`length` characters of a source, from its offset `start` on."""

    source: int
    start: int
    length: int


class Pieces:
    """The pieces of one text, in order. Offsets and lengths count code points."""

    __slots__ = ("_ends", "pieces")

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        """`pieces`: none of them is empty."""
        self.pieces = pieces
        self._ends = list(accumulate(map(_length, pieces)))

    @classmethod
    def whole(cls, source: int, length: int) -> Pieces:
        """A text of one source."""
        return cls((Piece(source, 0, length),) if length else ())

    def cut(self, start: int, end: int) -> Pieces:
        """The pieces between two offsets."""
        start, end = max(start, 0), min(end, self.length)
        if start >= end:
            return Pieces(())
        low, high = bisect_right(self._ends, start), bisect_left(self._ends, end)
        found = list(self.pieces[low : high + 1])
        over = self._ends[high] - end
        found[-1] = found[-1]._replace(length=found[-1].length - over)
        under = start - (self._ends[low] - self.pieces[low].length)
        source, first, length = found[0]
        found[0] = Piece(source, first + under, length - under)
        return Pieces(tuple(found))

    def spliced(self, at: int, delete: int, new: Pieces) -> Pieces:
        """The text in which `new` took the place of `delete` characters."""
        behind, ahead = self.cut(0, at), self.cut(at + delete, self.length)
        return Pieces((*behind.pieces, *new.pieces, *ahead.pieces))

    @property
    def length(self) -> int:
        """How many characters it has."""
        return self._ends[-1] if self._ends else 0

    def find(self, source: int, offset: int) -> int | None:
        """Where a character of a source stands; null where it is gone."""
        at = 0
        for piece in self.pieces:
            if piece.source == source and piece.start <= offset < piece.start + piece.length:
                return at + offset - piece.start
            at += piece.length
        return None

    def span_of(self, source: int) -> tuple[int, int] | None:
        """From the first to behind the last character of a source that is there; null: none is."""
        ends = []
        at = 0
        for piece in self.pieces:
            if piece.source == source:
                ends += [at, at + piece.length]
            at += piece.length
        return (min(ends), max(ends)) if ends else None

    def sources_beside(self, at: int) -> tuple[int, int]:
        """The sources of the characters on both sides of an offset; at an end 0."""
        sides = (self.cut(at - 1, at).pieces, self.cut(at, at + 1).pieces)
        left, right = (side[0].source if side else 0 for side in sides)
        return left, right

    def last_of(self, others: Pieces) -> int:
        """Behind the last character that it shares with `others`; 0 where it shares none."""
        reach = 0
        at = 0
        for piece in self.pieces:
            for other in others.pieces:
                end = min(piece.start + piece.length, other.start + other.length)
                if piece.source == other.source and max(piece.start, other.start) < end:
                    reach = max(reach, at + end - piece.start)
            at += piece.length
        return reach

    def gap(self, at: int, now: Pieces) -> tuple[int, int]:
        """Where the gap at an offset is in a later text: from its left neighbour to its right one.

        Where one neighbour is gone the other holds the place, where both are, what stood before.
        """
        left = None
        if at == 0:
            left = 0
        elif (found := self._found(at - 1, now)) is not None:
            left = found + 1
        right = now.length if at == self.length else self._found(at, now)
        if left is None and right is None:
            left = now.last_of(self.cut(0, at))
        return (
            left if left is not None else right or 0,
            right if right is not None else left or 0,
        )

    def _found(self, at: int, now: Pieces) -> int | None:
        (piece,) = self.cut(at, at + 1).pieces
        return now.find(piece.source, piece.start)
