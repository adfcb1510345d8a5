"""The line of keys at the bottom, and the help panel: both from the registry."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from spanscope.app.action import GROUP_TITLES, Action
from spanscope.app.actions import ACTIONS
from spanscope.widgets.lines import EMPTY, Line, Row, fitted, plain

ALWAYS = "help"


def key_line(
    width: int,
    *,
    focus: str,
    useful: frozenset[str],
    count: str = "",
    actions: Sequence[Action] = ACTIONS,
) -> Line:
    """As many keys as fit, most used first; help is always last and always there.

    `useful` are the ids of the actions that do something now; `count` is what was typed so far.
    """
    last = next(action for action in actions if action.id == ALWAYS)
    hints = [action for action in actions if action.hint and action is not last]
    hints.sort(key=lambda action: action.rank)
    row = Row().gap()
    if count:
        row.put(count, "strong").gap(3)
    end = _width(last)
    for action in hints:
        if action.id not in useful or (action.panes and focus not in action.panes):
            continue
        if row.width + _width(action) + 3 + end <= width:
            _put(row, action)
            row.gap(3)
    _put(row, last)
    return row.to(width).line("surface")


def _width(action: Action) -> int:
    assert action.hint is not None
    return len(action.hint[0]) + 1 + len(action.hint[1])


def _put(row: Row, action: Action) -> None:
    assert action.hint is not None
    row.put(action.hint[0], "key").gap().put(action.hint[1], "muted")


KEYS_WIDTH = 15
"""The column of the keys in the help panel."""

COLUMN_WIDTH = 27
"""Help takes a second column beside the first where there is so much room for each."""


def help_lines(
    width: int, height: int, *, focus: str, actions: Sequence[Action] = ACTIONS
) -> list[Line]:
    """All actions with their keys: those of the focused pane, then group by group.

    In two columns where they don't fit `height` in one.
    """
    lines = _listed(focus, actions)
    if len(lines) <= height or width < 2 * COLUMN_WIDTH:
        return lines
    half = (width - 2) // 2
    break_at = (len(lines) + 1) // 2
    return [
        Line((*fitted(left, half + 2).cells, *right.cells))
        for left, right in zip_longest(lines[:break_at], lines[break_at:], fillvalue=EMPTY)
    ]


def _listed(focus: str, actions: Sequence[Action]) -> list[Line]:
    own = [action for action in actions if focus in action.panes]
    lines: list[Line] = []
    if own:
        lines += [plain("In this pane", "strong"), *map(_help_line, own)]
    for group, title in GROUP_TITLES.items():
        rest = [action for action in actions if action.group == group and action not in own]
        lines += [EMPTY] if lines else []
        lines += [plain(title, "strong"), *map(_help_line, rest)]
    return [*lines, EMPTY, plain("a number before repeats: 5l", "muted")]


def _help_line(action: Action) -> Line:
    return Row().put(action.shown_keys, "key", KEYS_WIDTH).gap().put(action.verb).line()
