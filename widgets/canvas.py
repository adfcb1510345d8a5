"""A widget that draws lines of cells and repaints only those that changed."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from spanscope.widgets.lines import EMPTY, Line
from spanscope.widgets.look import Look


class Canvas(Widget):
    """Lines from top to bottom; what is below the last one is empty.

    Give it a `look` first. Drawing goes through the line API: a step costs what it changed. A
    canvas has no border, padding or tint of its own.
    """

    look: Look | None = None
    _lines: Sequence[Line] = ()

    def draw(self, lines: Sequence[Line]) -> None:
        """Show these lines; only changed ones are painted again."""
        old, self._lines = self._lines, tuple(lines)
        width = self.size.width
        height = max(len(old), len(self._lines))
        start = None
        for y in range(height + 1):
            differs = y < height and _at(old, y) != _at(self._lines, y)
            if differs and start is None:
                start = y
            elif not differs and start is not None:
                self.refresh(Region(0, start, width, y - start))
                start = None

    def restyle(self, look: Look) -> None:
        """Paint everything in another look."""
        self.look = look
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line as the terminal gets it."""
        return self._strip(y, self.size.width)

    def _strip(self, y: int, width: int) -> Strip:
        if self.look is None:
            return Strip.blank(width)
        return self.look.strip(_at(self._lines, y), width)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines in a region.

        Textual's own way puts the frame of a widget around each line, of all that are in view; a
        canvas has none, and the look remembers the lines that it has made.
        """
        background, width = self.background_colors[1], self.size.width
        strips = [self._strip(y, width) for y in crop.line_range]
        for line_filter in self.get_line_filters():
            strips = [strip.apply_filter(line_filter, background) for strip in strips]
        if crop.column_span == (0, width):
            return strips
        return [strip.crop(*crop.column_span) for strip in strips]


def _at(lines: Sequence[Line], y: int) -> Line:
    return lines[y] if y < len(lines) else EMPTY
