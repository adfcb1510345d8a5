"""Lines of cells: what panes are made of, before any terminal or style.

A cell is text and the role that it plays; a look gives roles their colours. Text is made visible
as it enters a row, so that widths count what the screen shows, and `Look.strip` sees to it once
more: nothing else makes what is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from spanscope.text.cells import CUT, cell_width, cut, cut_middle, joins, pad
from spanscope.text.visible import visible_line

Role = Literal[
    "plain",
    "strong",
    "muted",
    "future",
    "error",
    "warning",
    "block",
    "good",
    "added",
    "removed",
    "marked",
    "found",
    "key",
    "title",
    "open",
    "border",
    "focus",
    "badge-error",
    "badge-warning",
    "badge-info",
    "cursor",
    "simulation",
    "badge-simulation",
]
"""What a piece of text is. `block`: the rule below which nothing can be undone. `added` and
`removed`: changed words. `marked`: what the selection is about in a text, `found`:
what is sought in it. `title`: of a pane
without focus, `open`: of the focused one. `simulation`: what only would be."""

Fill = Literal["", "selected", "error", "warning", "secondary", "surface"]
"""The ground of a whole line."""

Cell = tuple[str, Role]


class Line(NamedTuple):
    """One line of a pane: its cells in order, and what they lie on.

    With `edged` the first and the last cell are a frame, which the fill leaves out.
    """

    cells: tuple[Cell, ...] = ()
    fill: Fill = ""
    edged: bool = False

    @property
    def text(self) -> str:
        """The whole line without roles."""
        return "".join(text for text, _ in self.cells)

    @property
    def width(self) -> int:
        """How many terminal cells it takes."""
        text = self.text
        if joins(text):
            return sum(cell_width(text) for text, _ in self.cells)
        return cell_width(text)


EMPTY = Line()


WIDEST = 2_000
"""No screen is wider."""

LOOKED_AT = 8
"""So many characters a cell are looked at from both ends of a text, and 64 more for a pile of
marks: what is cut away may be of any length."""

ALL_LOOKED_AT = 2 * 64
"""A text as short as this is looked at as it is, in however few cells."""


def looked_at(text: str, width: int) -> str:
    """Of a text, as much as can matter in `width` cells: all, or its two ends with `..` between."""
    most = LOOKED_AT * max(0, width) + 64
    return text if len(text) <= 2 * most else f"{text[:most]}{CUT}{text[-most:]}"


def shown_line(text: str, width: int = WIDEST) -> str:
    """A text made visible on one line, as much of it as can matter in `width` cells."""
    return visible_line(looked_at(text, width))


class Row:
    """Builds one line from left to right."""

    __slots__ = ("cells", "width")

    def __init__(self) -> None:
        self.cells: list[Cell] = []
        self.width = 0

    def put(
        self,
        text: str,
        role: Role = "plain",
        width: int | None = None,
        *,
        right: bool = False,
        middle: bool = False,
    ) -> Row:
        """Add text made visible, in exactly `width` cells where one is given.

        `right` aligns to the right, as for numbers; `middle` cuts the middle, as for ids.
        """
        if len(text) > ALL_LOOKED_AT:
            text = looked_at(text, WIDEST if width is None else width)
        simple = text.isascii() and text.isprintable()
        if width is None:
            shown = text if simple else visible_line(text)
            width = len(shown) if simple else cell_width(shown)
        elif width <= 0:
            return self
        elif simple and len(text) <= width:
            shown = text.rjust(width) if right else text.ljust(width)
        else:
            shown = visible_line(text)
            shown = pad(cut_middle(shown, width) if middle else shown, width, right=right)
        if shown:
            self.cells.append((shown, role))
            self.width += width
        return self

    def gap(self, width: int = 1) -> Row:
        """Add empty cells."""
        if width > 0:
            self.cells.append((" " * width, "plain"))
            self.width += width
        return self

    def to(self, column: int) -> Row:
        """Add empty cells up to a column; none if the line is there already."""
        return self.gap(column - self.width)

    def line(self, fill: Fill = "") -> Line:
        """The finished line."""
        return Line(tuple(self.cells), fill)


def fitting_words(words: Sequence[str], width: int) -> str:
    """As many of the words, separated by commas, as fit whole; the first is cut if it must be.

    A number or a range at its end is never cut. The words are made visible.
    """
    if not words:
        return ""
    first = shown_line(words[0], width)
    said = cut_middle(first, width) if first[-1:].isdigit() else cut(first, width)
    for word in words[1:]:
        longer = f"{said}, {shown_line(word, width)}"
        if cell_width(longer) > width:
            break
        said = longer
    return said


def plain(text: str, role: Role = "plain") -> Line:
    """A line of one cell."""
    return Row().put(text, role).line()


def fitted(line: Line, width: int) -> Line:
    """The line cut or filled to exactly `width` cells."""
    used = line.width
    if used == width:
        return line
    if used < width:
        return line._replace(cells=(*line.cells, (" " * (width - used), "plain")))
    # Cut as one text: where a cell fits and the next one does not, the mark takes its end.
    said = cut(line.text.rstrip(" "), width)
    row = Row()
    for text, role in line.cells:
        row.put(said[: len(text)], role)
        said = said[len(text) :]
    return row.put(said).to(width).line(line.fill)


def within(line: Line, width: int) -> Line:
    """The line, cut where it is wider than `width` cells."""
    return line if line.width <= width else fitted(line, width)


def spread(left: Line, right: Line, width: int, fill: Fill = "") -> Line:
    """Two lines as one: the left one starts it, the right one ends it and is never cut."""
    room = width - right.width
    start = fitted(left, max(0, room)) if left.width > room - 1 else left
    space = " " * max(0, room - start.width)
    return Line((*start.cells, (space, "plain"), *right.cells), fill)
