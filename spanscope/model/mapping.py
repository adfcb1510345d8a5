"""Positions and ranges followed through edits.

A `Change` replaces `deleted` characters from `at` by `inserted` ones. Ranges are half-open and
count code points.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Change(NamedTuple):
    """`deleted` characters from `at` gave way to `inserted` ones; `seq` says at which event."""

    at: int
    deleted: int
    inserted: int
    seq: int

    def inverted(self, seq: int) -> Change:
        """The change that takes this one back, done at `seq`."""
        return Change(self.at, self.inserted, self.deleted, seq)


class Followed(NamedTuple):
    """Where a range stands after some changes; `touched` is the first change that cut into it."""

    start: int
    end: int
    touched: Change | None


def follow_one(start: int, end: int, change: Change) -> tuple[int, int, bool]:
    """The range after one change, and whether the change cut into it.

    Text inserted at the start of a range pushes it on; an empty range stays where it is, before
    what was inserted at its place. Of a range that was cut, what survives is kept; one that was
    replaced whole becomes the replacement.
    """
    at, deleted, inserted, _ = change
    if not deleted and not inserted:
        return start, end, False
    stop = at + deleted
    if stop <= start and (start < end or stop < start or deleted):
        shift = inserted - deleted
        return start + shift, end + shift, False
    if at >= end:
        return start, end, False
    shift = inserted - deleted
    if start == end:
        return at, at, True
    if at <= start and end <= stop:
        return at, at + inserted, True
    if at <= start:
        return at + inserted, end + shift, True
    if stop >= end:
        return start, at, True
    return start, end + shift, True


def follow(start: int, end: int, changes: Iterable[Change]) -> Followed:
    """The range after all changes, in order."""
    touched: Change | None = None
    for change in changes:
        start, end, cut = follow_one(start, end, change)
        if cut and touched is None:
            touched = change
    return Followed(start, end, touched)


def follow_point(at: int, changes: Iterable[Change], *, after: bool) -> int:
    """A point after all changes; text inserted at it pushes it on where `after` is true."""
    for change in changes:
        stop = change.at + change.deleted
        if stop < at or (stop == at and (change.deleted or after)):
            at += change.inserted - change.deleted
        elif change.at < at:
            at = change.at
    return at


def collides(start: int, end: int, inserts: bool, change: Change) -> bool:
    """Whether a hunk and a change conflict (DIF306).

    They do when they share a character, one inserts strictly inside the other, or both insert
    at one point.
    """
    at, stop = change.at, change.at + change.deleted
    if start == end and at == stop:
        return start == at and inserts and change.inserted > 0
    if start == end:
        return inserts and at < start < stop
    if at == stop:
        return change.inserted > 0 and start < at < end
    return max(start, at) < min(end, stop)
