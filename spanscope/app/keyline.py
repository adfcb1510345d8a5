"""The line of keys at the bottom, and the help panel: both from the registry."""

from __future__ import annotations

from spanscope.app.actions import ACTIONS, GROUP_TITLES, Action
from spanscope.text.cells import wrap
from spanscope.widgets.lines import EMPTY, Line, Row

ALWAYS = "help"


def key_line(width: int, *, focus: str, useful: frozenset[str], count: str = "") -> Line:
    """As many keys as fit, most used first; help is always last and always there.

    `useful` are the ids of the actions that do something now; `count` is what was typed so far.
    """
    last = next(action for action in ACTIONS if action.id == ALWAYS)
    hints = [action for action in ACTIONS if action.hint and action is not last]
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


KEYS_WIDTH = 17


def help_lines(width: int, *, focus: str) -> list[Line]:
    """All actions with their keys, those of the focused pane first, then group by group."""
    own = [action for action in ACTIONS if focus in action.panes]
    lines: list[Line] = []
    if own:
        lines += _section("In this pane", own, width)
    for group, title in GROUP_TITLES.items():
        rest = [action for action in ACTIONS if action.group == group and not action.panes]
        lines += [EMPTY] if lines else []
        lines += _section(title, rest, width)
    lines += [EMPTY, Row().put("A number before a motion repeats it: 5l, 3e.", "muted").line()]
    return lines


def _section(title: str, actions: list[Action], width: int) -> list[Line]:
    lines = [Row().put(title, "strong").line()]
    for action in actions:
        for index, part in enumerate(wrap(action.about, max(10, width - KEYS_WIDTH))):
            row = Row().put(action.shown_keys if index == 0 else "", "key", KEYS_WIDTH - 1).gap()
            lines.append(row.put(part).line())
    return lines
