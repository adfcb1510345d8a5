"""Texts as numbered, wrapped lines with a sign: what Content and Diff are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from spanscope.text.cells import wrap_ranges
from spanscope.text.diff import DiffLine, Fold, Segments, TextDiff, word_diff
from spanscope.text.visible import visible_segments
from spanscope.widgets.lines import EMPTY, Line, Role, Row

MOST_LINES = 2000
"""So many lines of a text are drawn; the others are counted."""

SIDE_BY_SIDE = 90
"""From this width two texts stand beside each other."""

_SIGNS = {"same": " ", "removed": "-", "added": "+"}
_CHANGED: dict[str, Role] = {"same": "plain", "removed": "removed", "added": "added"}
_WHOLE: dict[str, Role] = {"same": "plain", "removed": "error", "added": "good"}

Piece = list[tuple[str, bool]]


@lru_cache(maxsize=16)
def difference(old: str, new: str) -> TextDiff:
    """Two texts compared word by word; remembered, as panes ask again at every step."""
    return word_diff(old, new)


class Written(NamedTuple):
    """One line of a text on its way to the screen: its number, and what became of it."""

    kind: str
    number: int | None
    segments: Segments


def wrapped(segments: Segments, width: int) -> list[Piece]:
    """Segments made visible and broken into lines of at most `width` cells."""
    pieces = visible_segments(segments)
    text = "".join(piece for piece, _ in pieces)
    return [_slice(pieces, start, end) for start, end in wrap_ranges(text, width)]


def _slice(pieces: Iterable[tuple[str, bool]], start: int, end: int) -> Piece:
    kept: Piece = []
    at = 0
    for text, changed in pieces:
        cut = text[max(0, start - at) : max(0, end - at)]
        if cut:
            kept.append((cut, changed))
        at += len(text)
    return kept


def column(item: Written, width: int, digits: int) -> list[Line]:
    """One line of a text in its own column; the sign is repeated where it wraps."""
    sign = _SIGNS[item.kind]
    role: Role = "muted" if item.kind == "same" else _WHOLE[item.kind]
    lines = []
    room = max(2, width - digits - 3)
    for index, pieces in enumerate(wrapped(item.segments, room)):
        number = str(item.number) if index == 0 and item.number is not None else ""
        row = Row().put(number, "muted", digits, right=True).gap().put(sign, role).gap()
        _put(row, pieces, item.kind)
        lines.append(row.line())
    return lines


def _put(row: Row, pieces: Piece, kind: str) -> None:
    for text, changed in pieces:
        row.put(text, _CHANGED[kind] if changed else "plain")


def unified(line: DiffLine, width: int, digits: int) -> list[Line]:
    """One line of a diff with both numbers."""
    role: Role = "muted" if line.kind == "same" else _WHOLE[line.kind]
    lines = []
    room = max(2, width - 2 * digits - 4)
    for index, pieces in enumerate(wrapped(line.segments, room)):
        old = str(line.old_number) if index == 0 and line.old_number is not None else ""
        new = str(line.new_number) if index == 0 and line.new_number is not None else ""
        row = Row().put(old, "muted", digits, right=True).gap()
        row.put(new, "muted", digits, right=True).gap().put(_SIGNS[line.kind], role).gap()
        _put(row, pieces, line.kind)
        lines.append(row.line())
    return lines


def beside(left: Sequence[Line], right: Sequence[Line], width: int) -> list[Line]:
    """Two columns of lines with a rule between them."""
    half = half_width(width)
    lines = []
    for one, other in zip_longest(left, right, fillvalue=EMPTY):
        row = Row()
        row.cells += one.cells
        row.width = one.width
        row.to(half).gap().put("│", "border").gap()
        lines.append(Line((*row.cells, *other.cells)))
    return lines


def half_width(width: int) -> int:
    """How wide each of two columns is."""
    return (width - 3) // 2


def paired(diff: TextDiff, *, fold: bool) -> Iterable[tuple[Written | Fold, Written | None]]:
    """The lines of a diff in pairs: what stands beside what; null on the right of a fold."""
    removed: list[DiffLine] = []
    added: list[DiffLine] = []
    for line in diff.folded() if fold else diff.lines():
        if isinstance(line, DiffLine) and line.kind == "removed":
            if added:
                yield from _zipped(removed, added)
                removed, added = [], []
            removed.append(line)
        elif isinstance(line, DiffLine) and line.kind == "added":
            added.append(line)
        else:
            yield from _zipped(removed, added)
            removed, added = [], []
            if isinstance(line, Fold):
                yield line, None
            else:
                yield (
                    Written("same", line.old_number, line.segments),
                    Written("same", line.new_number, line.segments),
                )
    yield from _zipped(removed, added)


def _zipped(
    removed: list[DiffLine], added: list[DiffLine]
) -> Iterable[tuple[Written, Written | None]]:
    for old, new in zip_longest(removed, added):
        left = Written("removed", old.old_number, old.segments) if old else _NOTHING
        yield left, Written("added", new.new_number, new.segments) if new else _NOTHING


_NOTHING = Written("same", None, ())


def fold_line(fold: Fold, width: int) -> Line:
    """How many unchanged lines are not shown."""
    said = f" {fold.count} line{'' if fold.count == 1 else 's'} alike "
    row = Row().put("──" + said, "border")
    return row.put("─" * max(0, min(width, 40) - row.width), "border").line()


def digits_of(*counts: int) -> int:
    """How many digits the greatest line number takes; at least two."""
    return max(2, *(len(str(count)) for count in counts))
