"""Which keys stand in the line at the bottom, and the help panel: both from the registry."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from spanscope.app.action import GROUP_TITLES, Action
from spanscope.app.actions import ACTIONS
from spanscope.app.hints import HELP, NAMES, OWN, Hint
from spanscope.text.cells import wrap
from spanscope.widgets.keys import Key, fitting_keys
from spanscope.widgets.lines import EMPTY, Line, Row, fitted, plain


def fitting_hints(
    wanted: Sequence[Hint], width: int, *, count: str = "", actions: Sequence[Action] = ACTIONS
) -> list[Key]:
    """As many of the wanted keys as fit, as they are mapped; help is always last.

    `count` is what was typed so far.
    """
    by_id = {action.id: action for action in actions}
    shown = [(hint.keys(by_id), hint.words) for hint in wanted]
    return fitting_keys(shown, [(HELP.keys(by_id), HELP.words)], width, count)


KEYS_WIDTH = 14
"""The column of the keys in the help panel; a narrow panel has a narrower one."""

NARROW_KEYS = 10

COLUMN_WIDTH = 27
"""Help takes a second column beside the first where there is so much room for each."""

Block = list[Line]
"""Lines that stay together."""


def help_lines(
    width: int,
    height: int,
    *,
    pane: str,
    staged: bool = False,
    actions: Sequence[Action] = ACTIONS,
) -> list[Line]:
    """What the keys of a pane do there, then all actions, group by group; nothing is cut.

    In a presentation (`staged`) its keys come first.

    In two columns where they don't fit `height` in one: a page of `height` lines after the other.
    """
    blocks = _blocks(pane, actions, width, staged=staged)
    if sum(map(len, blocks)) <= height or width < 2 * COLUMN_WIDTH:
        return [line for block in blocks for line in block]
    half = (width - 2) // 2
    lines: list[Line] = []
    columns = _columns(_blocks(pane, actions, half, staged=staged), height)
    for index in range(0, len(columns), 2):
        left, *others = columns[index : index + 2]
        right = others[0] if others else []
        last = index + 2 >= len(columns)
        for row in range(max(len(left), len(right)) if last else height):
            one, other = _at(left, row), _at(right, row)
            lines.append(Line((*fitted(one, half + 2).cells, *other.cells)))
    return lines


def _at(lines: Sequence[Line], row: int) -> Line:
    return lines[row] if row < len(lines) else EMPTY


def _columns(blocks: Sequence[Block], height: int) -> list[list[Line]]:
    """The blocks in columns of at most `height` lines; none starts with an empty line."""
    columns: list[list[Line]] = [[]]
    for block in blocks:
        if len(columns[-1]) + len(block) > height:
            columns.append([])
        lines = block[1:] if block[0] == EMPTY and not columns[-1] else block
        columns[-1] += lines
    return columns


def _blocks(pane: str, actions: Sequence[Action], width: int, *, staged: bool) -> list[Block]:
    """An action each; a group's title is in the block of its first one."""
    by_id = {action.id: action for action in actions}
    own = [_entry(hint.keys(by_id), hint.about or hint.words, width) for hint in OWN.get(pane, ())]
    groups = [(f"In {NAMES[pane]}", own)] if own else []
    for group, title in GROUP_TITLES.items():
        rest = [action for action in actions if action.group == group]
        groups.append((title, [_entry(each.shown_keys, each.verb, width) for each in rest]))
    if staged:
        # The last group is that of a presentation.
        groups.insert(0, groups.pop())
    blocks: list[Block] = []
    for title, entries in groups:
        space = [EMPTY] if blocks else []
        blocks.append([*space, plain(title, "strong"), *entries[0]])
        blocks += entries[1:]
    said = wrap("a number before repeats: 5l", width)
    return [*blocks, [EMPTY, *(plain(line, "muted") for line in said)]]


def _entry(keys: str, verb: str, width: int) -> Block:
    """Keys and what they do, each wrapped in its column."""
    column = KEYS_WIDTH if width >= 2 * KEYS_WIDTH + 12 else NARROW_KEYS
    sides = wrap(keys, column - 1), wrap(verb, max(1, width - column))
    return [_beside(*pair, column) for pair in zip_longest(*sides, fillvalue="")]


def _beside(keys: str, verb: str, column: int) -> Line:
    return Row().put(keys, "key", column).put(verb).line()
