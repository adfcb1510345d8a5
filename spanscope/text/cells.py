"""Cutting, padding and wrapping by terminal cells.

Widths are those that Textual draws with. A character is never torn from the marks that stand on
it. Text comes here visible already (`spanscope.text.visible`): controls would count as no cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from rich.cells import cell_len

CUT = ".."
"""What stands where text was cut."""

_JOINERS = "\u200d\ufe0f"
_SPACES = re.compile(" +")


def cell_width(text: str) -> int:
    """How many cells `text` takes on a terminal."""
    return len(text) if text.isascii() and text.isprintable() else cell_len(text)


def joins(text: str) -> bool:
    """Whether characters may take fewer cells next to each other than each alone."""
    return not text.isascii() and any(joiner in text for joiner in _JOINERS)


def cut(text: str, width: int) -> str:
    """`text`, or as much of it as fits `width` cells with `..` at its end.

    Spaces before the `..` go. A width under 2 has room for less than the sign. Reads no further
    than it shows, so a text of any length is cut as quickly as a short one.
    """
    if width <= 0:
        return ""
    if _fit(text, 0, width) == len(text):
        return text
    return text[: _fit(text, 0, width - len(CUT))].rstrip(" ") + CUT[:width]


def cut_middle(text: str, width: int) -> str:
    """`text`, or its start and its end with `..` between, in `width` cells: `doc..17/3`.

    For ids, whose ends tell them apart. The end gets the odd cell.
    """
    room = width - len(CUT)
    if room < 2 or _fit(text, 0, width) == len(text):
        return cut(text, width)
    head = text[: _fit(text, 0, room // 2)]
    return head + CUT + ending(text, room - cell_width(head))


def pad(text: str, width: int, *, right: bool = False) -> str:
    """`text` in exactly `width` cells: cut if too long, else filled with spaces.

    `right` puts the spaces before the text, as for numbers.
    """
    shown = cut(text, width)
    spaces = " " * (width - cell_width(shown))
    return spaces + shown if right else shown + spaces


def wrap(text: str, width: int, limit: int | None = None) -> list[str]:
    """`text` in lines of at most `width` cells, broken where `wrap_ranges` says.

    With a `limit` there are at most so many lines; if text is left over the last one ends with
    `..`, and no more of the text is looked at than is shown.
    """
    ranges = wrap_ranges(text, width, None if limit is None else limit + 1)
    lines = [text[start:end] for start, end in ranges[:limit]]
    if lines and len(ranges) > len(lines):
        lines[-1] = cut(lines[-1] + CUT, width)
    return lines


def wrap_ranges(text: str, width: int, limit: int | None = None) -> list[tuple[int, int]]:
    """Where the lines of `text` start and end when wrapped to `width` cells, in characters.

    Lines break at newlines, at spaces (those at the break belong to no line), behind the hyphen
    of a compound, behind a wide character, and inside a word only if it is longer than a line.
    All other characters are in exactly one line. Indentation is kept. No text is one empty line;
    a width under 2, in which not every character fits, gives no lines.
    """
    return list(islice(wrapping(text, width), limit))


def wrapping(text: str, width: int) -> Iterator[tuple[int, int]]:
    """As `wrap_ranges`, one line after the other: no more of the text is looked at than asked."""
    following: int | None = 0 if width >= 2 else None
    while following is not None:
        start = following
        end, following = _break(text, start, width)
        yield start, end


def _break(text: str, start: int, width: int) -> tuple[int, int | None]:
    """The end of the line from `start`, and where the next one starts, None if there is none."""
    newline = text.find("\n", start, start + width + 1)
    fitting = _fit(text, start, width, newline if newline >= 0 else len(text))
    if fitting == len(text):
        return fitting, None
    if text[fitting] == "\n":
        return fitting, fitting + 1
    end = _word_end(text, start, fitting)
    following = _after_spaces(text, end)
    if following == len(text):
        return end, None
    return end, following + 1 if text[following] == "\n" else following


def _word_end(text: str, start: int, fitting: int) -> int:
    """The last place up to `fitting` at which a line may end."""
    if _is_gap(text, fitting) or _breaks_freely(text, fitting):
        return fitting
    space = text.rfind(" ", start, fitting)
    while space >= 0 and not _is_gap(text, space):
        space = text.rfind(" ", start, space)
    hyphen = text.rfind("-", max(start + 1, space), fitting)
    if hyphen > space and _is_compound(text, hyphen):
        return hyphen + 1
    before = text[start : max(space, start)].rstrip(" ")
    return start + len(before) if before else fitting


def _is_gap(text: str, index: int) -> bool:
    """Whether a space is at `index`, and not one that carries a mark."""
    if text[index] != " ":
        return False
    following = index + 1
    return following == len(text) or text[following] == "\n" or not _joins(text, following)


def _is_compound(text: str, hyphen: int) -> bool:
    following = hyphen + 1
    letters = text[hyphen - 1].isalpha() and text[following].isalpha()
    return letters and not _joins(text, following)


def _breaks_freely(text: str, index: int) -> bool:
    """Whether wide characters, which are written without spaces, meet at `index`."""
    return cell_width(text[index]) == 2 or cell_width(text[index - 1]) == 2


def _after_spaces(text: str, index: int) -> int:
    spaces = _SPACES.match(text, index)
    end = spaces.end() if spaces else index
    return end - 1 if end > index and not _is_gap(text, end - 1) else end


def _fit(text: str, start: int, width: int, stop: int | None = None) -> int:
    """The end of the longest piece of a line, from `start` to `stop`, that fits `width` cells."""
    stop = len(text) if stop is None else stop
    if width <= 0:
        return start
    window = text[start : min(stop, start + width + 1)]
    if window.isascii() and window.isprintable():
        return min(start + width, stop)
    at = start
    while at < stop and text[at] != "\n":
        after = _next_character(text, at, stop)
        cells = cell_len(text[at:after])
        if cells > width:
            break
        width -= cells
        at = after
    return at


def _next_character(text: str, start: int, stop: int) -> int:
    """Where the character at `start` ends with all that takes no cell behind it."""
    at = start + 1
    while at < stop:
        character = text[at]
        if character == "\n" or (character not in _JOINERS and cell_len(character)):
            break
        joins_next = character == "\u200d" and not text.startswith("\n", at + 1)
        at += 2 if joins_next else 1
    return min(at, stop)


def ending(text: str, width: int) -> str:
    """The longest end of `text` that takes at most `width` cells."""
    start = len(text)
    while start > 0:
        before = start - 1
        while before > 0 and _joins(text, before):
            before -= 1
        cells = cell_len(text[before:start])
        if cells > width:
            break
        width -= cells
        start = before
    return text[start:]


def _joins(text: str, index: int) -> bool:
    """Whether the character at `index` belongs to the one before it."""
    character = text[index]
    return text[index - 1] == "\u200d" or character in _JOINERS or not cell_len(character)
