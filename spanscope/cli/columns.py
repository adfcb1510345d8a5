"""Rows in columns, for terminals and for people: aligned, long cells cut.

Widths are counted here, not with `spanscope.text.cells`, which loads Rich: printing a table
needs no more than how wide a character is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from spanscope.text.visible import visible, visible_line

CUT = ".."
_GAP = "  "


def columns(rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()) -> list[str]:
    """The rows with every column as wide as its widest cell; those of `numbers` to the right.

    Cells are made visible first: what is counted is what is shown. Rows may be of unequal length.
    """
    shown = [[visible(cell) for cell in row] for row in rows]
    widths: list[int] = []
    for row in shown:
        for index, cell in enumerate(row):
            if index == len(widths):
                widths.append(0)
            widths[index] = max(widths[index], width(cell))
    return [_aligned(row, widths, numbers) for row in shown]


def width(text: str) -> int:
    """How many cells a visible text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def shorten(text: str, most: int) -> str:
    """A content on one line, cut to `most` cells, in quotes."""
    line = visible_line(text[: most + 1])
    if width(line) > most or len(text) > most:
        while width(line) > most - len(CUT):
            line = line[:-1]
        line += CUT
    return f'"{line}"'


def _aligned(row: Sequence[str], widths: Sequence[int], numbers: Sequence[int]) -> str:
    cells = []
    for index, cell in enumerate(row):
        spaces = " " * (widths[index] - width(cell))
        cells.append(spaces + cell if index in numbers else cell + spaces)
    return _GAP.join(cells).rstrip()


def _cells(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
