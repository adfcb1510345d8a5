"""How a simulation looks: a dashed box, the word, and that nothing is written."""

from __future__ import annotations

from collections.abc import Sequence

from spanscope.text.cells import cell_width, cut
from spanscope.widgets.lines import Line, Row, fitted, shown_line, within
from spanscope.widgets.message import fitting_sentence

WORD = "SIMULATION"
NOTHING = "nothing is written"


def boxed(title: str, rows: Sequence[Line], width: int, height: int, *, note: str) -> list[Line]:
    """The rows in a dashed box of `width` by `height`; `note` says what else there is."""
    inner = max(0, width - 4)
    top = Row().put("┏╍ ", "simulation").put(WORD, "badge-simulation")
    top.put(cut(f"  {title}", max(0, width - top.width - 4)), "simulation").gap()
    top.put("╍" * (width - top.width - 1) + "┓", "simulation")
    lines = [top.line()]
    for index in range(max(0, height - 2)):
        row = fitted(rows[index], inner) if index < len(rows) else Row().to(inner).line()
        cells = (("╏ ", "simulation"), *row.cells, (" ╏", "simulation"))
        lines.append(Line(cells, row.fill, edged=True))
    said = f" {NOTHING} "
    left = f" {note} " if note and len(note) + len(said) + 8 <= width else ""
    bottom = Row().put("┗╍", "simulation").put(left, "muted")
    bottom.put("╍" * (width - bottom.width - len(said) - 2), "simulation")
    lines.append(bottom.put(said, "simulation").put("╍┛", "simulation").line())
    return lines[:height]


def said_line(text: str, width: int) -> Line:
    """The message line of a simulation in exactly `width` cells."""
    row = Row().put(f" {WORD} ", "badge-simulation").gap()
    if width - row.width > len(NOTHING) + 4 + cell_width(shown_line(text)):
        row.put(NOTHING).gap(3)
    row.put(fitting_sentence(text, max(1, width - row.width - 1)))
    return within(row.to(width).line("secondary"), width)
