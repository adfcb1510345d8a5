"""An edit made again without older ones that were undone: where its place is (seed 003).

What was undone is a list of changes of the text that the edit met, in order: one after the other
they lead to the text without it. Some may put back what a later one takes out again.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from spanscope.model.mapping import Change

Points = tuple[int, int]
"""The first and the last point at which a text may have been inserted."""

Pieces = list[tuple[int, int]]
"""The ranges that an edit deletes, in order; what came between them came since."""


class NoPlaceError(Exception):
    """The edit builds on what is undone, or where it goes can't be told."""


class Carried(NamedTuple):
    """Where an edit starts without the undone ones, and these as changes of the edited text."""

    at: int
    difference: list[Change]


def carried(edit: Change, difference: list[Change], to: int | None = None) -> Carried:
    """An edit carried over changes of the text that it met, and these over the edit.

    What it deletes are those very characters. What it only inserts stays behind all that stood
    before it and before all that stood behind it; next to what an undone edit had put in the
    place of another text, it stays next to that. `to`: where it is known to have gone.

    Raises:
        NoPlaceError: it deletes what is undone, inserts strictly inside it, or more than one
            place is left to it.
    """
    if not edit.deleted and not edit.inserted:
        return Carried(edit.at, difference)
    if edit.deleted:
        stages = _followed_pieces((edit.at, edit.at + edit.deleted), difference)
        points = [pieces[0][0] for pieces in stages]
    else:
        stages = [[] for _ in difference]
        points = _followed_point(edit.at, difference, to)
    rest: list[Change] = []
    for change, pieces, around in zip(difference, stages, pairwise(points), strict=False):
        rest += _over(change, edit.inserted, pieces, *around)
    return Carried(points[-1], rest)


def _followed_pieces(deleted: tuple[int, int], difference: list[Change]) -> list[Pieces]:
    """What is deleted, as it stands before and after each change."""
    stages = [[deleted]]
    for change in difference:
        stages.append(_pieces_after(stages[-1], change))
    if any(one[1] != other[0] for one, other in pairwise(stages[-1])):
        raise NoPlaceError
    return stages


def _pieces_after(pieces: Pieces, change: Change) -> Pieces:
    start, end = change.at, change.at + change.deleted
    shift = change.inserted - change.deleted
    after: Pieces = []
    for first, last in pieces:
        if max(first, start) < min(last, end):
            raise NoPlaceError
        if last <= start:
            after.append((first, last))
        elif first < start:
            after += [(first, start), (start + shift, last + shift)]
        else:
            after.append((first + shift, last + shift))
    return after


def _followed_point(at: int, difference: list[Change], to: int | None) -> list[int]:
    """Where a text is inserted, before and after each change: a place that fits all of them."""
    stages: list[Points] = [(at, at)]
    for change in difference:
        stages.append(_points_after(*stages[-1], change))
    first, last = stages.pop()
    if to is None and first != last:
        raise NoPlaceError
    points = [first if to is None else min(max(to, first), last)]
    for change, (first, _) in zip(reversed(difference), reversed(stages), strict=True):
        points.append(_point_before(points[-1], change, first))
    return points[::-1]


def _points_after(first: int, last: int, change: Change) -> Points:
    """Of what comes back at a point, nobody knows on which side it stood."""
    start, end = change.at, change.at + change.deleted
    shift = change.inserted - change.deleted
    if start < first and last < end:
        raise NoPlaceError
    if first > start:
        first = max(first, end) + shift
    if last >= end:
        last += shift
    elif last > start:
        last = start
    return first, last


def _point_before(point: int, change: Change, first: int) -> int:
    """Where a point stood before a change, of the points from `first` on that lead to it."""
    start, stop = change.at, change.at + change.inserted
    if point <= start and first <= start:
        return point
    return point - change.inserted + change.deleted if point >= stop else start


def _over(change: Change, inserted: int, pieces: Pieces, before: int, after: int) -> list[Change]:
    """A change carried over an edit, which starts at these points before and after the change."""
    start, end = change.at, change.at + change.deleted
    if before >= end and after >= start + change.inserted:
        return [change]
    at = start - sum(min(last, start) - first for first, last in pieces if first < start)
    if before <= start and after <= start:
        return [change._replace(at=at + inserted)]
    # What it puts back stands on both sides of the edit.
    ahead = after - start
    rest = change._replace(at=at + ahead + inserted, inserted=change.inserted - ahead)
    return [change._replace(deleted=0, inserted=ahead), rest]
