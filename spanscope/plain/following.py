"""Places in a text followed through later texts, change by change, by their characters."""

from __future__ import annotations

from itertools import pairwise

from spanscope.plain.texts import Remade, Text, string

Place = tuple[int, int]
"""A half-open range of offsets; of an empty one the first and the last offset that it can be."""


def followed(start: int, end: int, texts: list[Text]) -> Place:
    """Where a range of the first text stands in the last.

    Of a range that a change cut into, what is left of it counts; one that was replaced whole has
    become what replaced it. A place between two characters is wherever they are, and all that
    came in between.
    """
    place = (start, end)
    for was, now in pairwise(texts):
        if was == now:
            continue
        if start == end:
            place = _gap(place, was, now)
        elif place[0] == place[1]:
            # Nothing is left of it: it stays where it was, before what came there since.
            at = _edge(place[0], was, now, to_left=True)
            place = at, at
        else:
            place = _range(place, was, now)
    return place


def _range(place: Place, was: Text, now: Text) -> Place:
    start, end = place
    kept = [now.index(char) for char in was[start:end] if char in now]
    if kept:
        return min(kept), max(kept) + 1
    return _behind(was[:start], now), _ahead(was[end:], now)


def _gap(place: Place, was: Text, now: Text) -> Place:
    """Each end of a gap holds on to its neighbour, else to the one on the other side.

    Where both are gone it is where what replaced them starts.
    """
    left, right = place
    return _edge(left, was, now, to_left=True), _edge(right, was, now, to_left=False)


def _edge(at: int, was: Text, now: Text, *, to_left: bool) -> int:
    by_left = by_right = None
    if at == 0:
        by_left = 0
    elif was[at - 1] in now:
        by_left = now.index(was[at - 1]) + 1
    if at == len(was):
        by_right = len(now)
    elif was[at] in now:
        by_right = now.index(was[at])
    for found in (by_left, by_right) if to_left else (by_right, by_left):
        if found is not None:
            return found
    return _behind(was[:at], now)


def _behind(left: Text, now: Text) -> int:
    """Where what stood before a place ends."""
    return max((now.index(char) + 1 for char in left if char in now), default=0)


def _ahead(right: Text, now: Text) -> int:
    """Where what stood after a place starts."""
    return min((now.index(char) for char in right if char in now), default=len(now))


def without_what_was_undone(texts: list[Text | Remade]) -> list[Text]:
    """The texts that lead from the first to the last, without those between one and its return."""
    path: list[Text] = []
    for text in texts:
        if isinstance(text, Remade):
            count = text.left_from(path)
            if count is not None:
                del path[path.index(text.was[count]) + 1 :]
                path += text.now[count:]
            continue
        if text in path:
            del path[path.index(text) :]
        path.append(text)
    return path


def reads_the_same(start: int, end: int, texts: list[Text]) -> bool:
    """Whether the text of a range, followed, is what it was; an empty range reads nothing."""
    return followed_text(start, end, texts) == string(texts[0][max(start, 0) : max(end, 0)])


def followed_text(start: int, end: int, texts: list[Text]) -> str:
    """What a range of the first text, followed, reads in the last; only what is there is read."""
    start, end = max(start, 0), min(end, len(texts[0]))
    if start >= end:
        return ""
    first, last = followed(start, end, texts)
    return string(texts[-1][first:last])


def same_up_to(was: Text, now: Text, end: int) -> bool:
    """Whether the characters before `end`, and the one at it, or the text's end, are the same."""
    if end >= len(was):
        return now == was
    return now[: end + 1] == was[: end + 1]
