"""Texts as numbered, wrapped lines with a sign: what Content and Diff are made of."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, zip_longest
from typing import NamedTuple

from spanscope.text.cells import wrapping
from spanscope.text.diff import DiffLine, Fold, Hunk, Segments, TextDiff
from spanscope.text.occurrences import occurrences
from spanscope.text.visible import visible_segments
from spanscope.widgets.lines import EMPTY, Line, Role, Row

SIDE_BY_SIDE = 90
"""From this width two texts stand beside each other."""

_SIGNS = {"same": " ", "removed": "-", "added": "+", "marked": ">"}
_CHANGED: dict[str, Role] = {
    "same": "plain",
    "removed": "removed",
    "added": "added",
    "marked": "marked",
}
_WHOLE: dict[str, Role] = {
    "same": "muted",
    "removed": "error",
    "added": "good",
    "marked": "strong",
}

PART = 4096
"""Characters of a line that are looked at together."""

NEAR = 64
"""So many characters are looked at for a place to part a line."""

Piece = list[tuple[str, Role]]


class Written(NamedTuple):
    """One line of a text on its way to the screen: its number, and what became of it.

    `kind` is same, removed, added or marked.
    """

    kind: str
    number: int | None
    segments: Segments


def wrapped(parts: Iterable[Piece], width: int) -> Iterator[Piece]:
    """Parts of a line made visible and broken into lines of at most `width` cells.

    No more parts are looked at than lines are asked for.
    """
    rest: Piece = []
    before = 0
    for part, last in _and_whether_last(parts):
        shown = visible_segments(part, before)
        before += sum(len(text) for text, _ in shown)
        pieces = rest + shown
        if last and len(pieces) == 1 and fits(pieces[0][0], width):
            yield pieces
            return
        text = "".join(piece for piece, _ in pieces)
        ranges = list(wrapping(text, width))
        for start, end in ranges if last else ranges[:-1]:
            yield _slice(pieces, start, end)
        # The next part goes on in the last line.
        rest = _slice(pieces, ranges[-1][0], len(text)) if ranges else []


def _and_whether_last(parts: Iterable[Piece]) -> Iterator[tuple[Piece, bool]]:
    """Each part, and whether there is none after it."""
    following: Piece | None = None
    for part in parts:
        if following is not None:
            yield following, False
        following = part
    yield following or [], True


def fits(text: str, width: int) -> bool:
    """Whether a text takes one line for sure."""
    return len(text) <= width and text.isascii()


def _slice(pieces: Piece, start: int, end: int) -> Piece:
    kept: Piece = []
    at = 0
    for text, role in pieces:
        cut = text[max(0, start - at) : max(0, end - at)]
        if cut:
            kept.append((cut, role))
        at += len(text)
    return kept


def column(item: Written, width: int, digits: int, sought: str = "") -> Iterator[Line]:
    """One line of a text in its own column; the sign is repeated where it wraps."""
    sign = _SIGNS[item.kind]
    role = _WHOLE[item.kind]
    room = max(2, width - digits - 3)
    for index, pieces in enumerate(wrapped(_parts(item, sought), room)):
        number = str(item.number) if index == 0 and item.number is not None else ""
        row = Row().put(number, "muted", digits, right=True).gap().put(sign, role).gap()
        _put(row, pieces)
        yield row.line()


def _put(row: Row, pieces: Piece) -> None:
    for text, role in pieces:
        row.put(text, role)


def _parts(line: Written | DiffLine, sought: str) -> Iterator[Piece]:
    """A line with its changed words and what is sought in it, a long one in parts."""
    return (_pieces(part, line.kind, sought) for part in _chunks(line.segments, sought))


def _chunks(segments: Segments, sought: str) -> Iterator[Segments]:
    """A line in parts of about `PART` characters: a line of any length costs what is looked at."""
    size = sum(len(text) for text, _ in segments)
    if size <= PART:
        yield segments
        return
    ends = list(accumulate(len(text) for text, _ in segments))
    reach = PART + NEAR + len(sought)
    start = 0
    while start < size:
        end = size
        if start + PART < size:
            near = "".join(text for text, _ in _between(segments, ends, start, start + reach))
            end = start + _cut(near, sought)
        yield _between(segments, ends, start, end)
        start = end


def _between(segments: Segments, ends: Sequence[int], start: int, end: int) -> Segments:
    """What stands between two places of a line; `ends` is where each of its pieces ends."""
    part = []
    for at in range(bisect_right(ends, start), min(bisect_left(ends, end) + 1, len(ends))):
        text, changed = segments[at]
        offset = ends[at] - len(text)
        part.append((text[max(0, start - offset) : end - offset], changed))
    return tuple(part)


def _cut(text: str, sought: str) -> int:
    """Where a part of a text ends: between plain characters, in nothing that is sought."""
    end = PART
    for place in range(PART, max(PART - NEAR, 0), -1):
        if text[place - 1 : place + 1].isascii():
            end = place
            break
    low = max(0, end - len(sought) + 1)
    around = text[low : end + len(sought) - 1]
    for first, last in occurrences(sought, around):
        if first < end - low < last:
            # A part holds something: where it would begin with what is sought, all of that.
            return low + first or low + last
    return end


def _pieces(segments: Segments, kind: str, sought: str) -> Piece:
    """A line with its changed words, and over them what is sought in it."""
    pieces: Piece = [(text, _CHANGED[kind] if changed else "plain") for text, changed in segments]
    places = occurrences(sought, "".join(text for text, _ in pieces)) if sought else []
    if not places:
        return pieces
    marked: Piece = []
    done = 0
    for start, end in places:
        marked += _slice(pieces, done, start)
        marked += [(text, "found") for text, _ in _slice(pieces, start, end)]
        done = end
    return [*marked, *_slice(pieces, done, sum(len(text) for text, _ in pieces))]


def unified(line: DiffLine, width: int, digits: int, sought: str = "") -> Iterator[Line]:
    """One line of a diff with both numbers."""
    role = _WHOLE[line.kind]
    room = max(2, width - 2 * digits - 4)
    for index, pieces in enumerate(wrapped(_parts(line, sought), room)):
        old = str(line.old_number) if index == 0 and line.old_number is not None else ""
        new = str(line.new_number) if index == 0 and line.new_number is not None else ""
        row = Row().put(old, "muted", digits, right=True).gap()
        row.put(new, "muted", digits, right=True).gap().put(_SIGNS[line.kind], role).gap()
        _put(row, pieces)
        yield row.line()


def beside(left: Iterable[Line], right: Iterable[Line], width: int) -> Iterator[Line]:
    """Two columns of lines with a rule between them."""
    half = half_width(width)
    for one, other in zip_longest(left, right, fillvalue=EMPTY):
        row = Row()
        row.cells += one.cells
        row.width = one.width
        row.to(half).gap().put("│", "border").gap()
        yield Line((*row.cells, *other.cells))


def half_width(width: int) -> int:
    """How wide each of two columns is."""
    return (width - 3) // 2


class Pair(NamedTuple):
    """What stands beside what; a side without a line has no number."""

    left: Written
    right: Written

    @property
    def changed(self) -> bool:
        """Whether the two differ."""
        return "same" not in (self.left.kind, self.right.kind) or self.left.kind != self.right.kind


def paired(diff: TextDiff, *, fold: bool) -> Iterator[Pair | Fold]:
    """The lines of a diff in pairs, unchanged runs folded where that is wanted."""
    for part in diff.folded_parts() if fold else diff.parts():
        if isinstance(part, Hunk):
            yield from _zipped(diff.removed(part), diff.added(part))
        elif isinstance(part, Fold):
            yield part
        else:
            yield Pair(
                Written("same", part.old_number, part.segments),
                Written("same", part.new_number, part.segments),
            )


def _zipped(removed: Iterable[DiffLine], added: Iterable[DiffLine]) -> Iterator[Pair]:
    for old, new in zip_longest(removed, added):
        yield Pair(
            Written("removed", old.old_number, old.segments) if old else _NOTHING,
            Written("added", new.new_number, new.segments) if new else _NOTHING,
        )


_NOTHING = Written("same", None, ())


def fold_line(fold: Fold, width: int) -> Line:
    """How many unchanged lines are not shown."""
    said = f" {fold.count} line{'' if fold.count == 1 else 's'} alike "
    row = Row().put("──" + said, "border")
    return row.put("─" * max(0, min(width, 40) - row.width), "border").line()


def digits_of(*counts: int) -> int:
    """How many digits the greatest line number takes; at least two."""
    return max(2, *(len(str(count)) for count in counts))
