"""The frame of a pane: a box where there is room, else one rule with the title in it."""

from __future__ import annotations

from collections.abc import Sequence

from spanscope.widgets.lines import Line, Role, Row, fitted


def framed(
    title: Line, rows: Sequence[Line], width: int, height: int, *, note: str = "", focused: bool
) -> list[Line]:
    """The rows in a box of `width` by `height`; `note` stands in its bottom border."""
    edge: Role = "focus" if focused else "border"
    lines = [_top(title, width, focused=focused, corners="╭╮")]
    inner = max(0, width - 4)
    for index in range(max(0, height - 2)):
        row = fitted(rows[index], inner) if index < len(rows) else Line(((" " * inner, "plain"),))
        lines.append(_between(row, edge))
    lines.append(_bottom(note, width, edge))
    return lines[:height]


def ruled(
    title: Line, rows: Sequence[Line], width: int, height: int, *, gap: int, focused: bool
) -> list[Line]:
    """The rows under a rule with the title; `gap` empty cells keep the next pane off."""
    lines = [_top(title, width, focused=focused, corners="──")]
    inner = max(0, width - gap)
    lines += [fitted(row, inner) for row in rows[: max(0, height - 1)]]
    lines += [Line()] * (height - len(lines))
    return lines[:height]


def _top(title: Line, width: int, *, focused: bool, corners: str) -> Line:
    edge: Role = "focus" if focused else "border"
    shown = fitted(title, min(title.width, max(0, width - 5)))
    cells = (
        shown.cells if focused else tuple((text, _unfocused(role)) for text, role in shown.cells)
    )
    row = Row().put(corners[0] + ("─ " if corners[0] != "─" else " "), edge)
    for text, role in cells:
        row.put(text, role)
    row.gap()
    row.put("─" * max(0, width - row.width - 1) + corners[1], edge)
    return row.line()


def _unfocused(role: Role) -> Role:
    return "title" if role in ("plain", "strong") else role


def _bottom(note: str, width: int, edge: Role) -> Line:
    row = Row().put("╰", edge)
    said = f" {note} " if note and len(note) + 6 <= width else ""
    row.put("─" * max(0, width - 3 - len(said)), edge)
    return row.put(said, "muted").put("─╯", edge).line()


def _between(row: Line, edge: Role) -> Line:
    return Line((("│ ", edge), *row.cells, (" │", edge)), row.fill, edged=True)
