"""Lines of keys: each with a word for what it does, as many as fit."""

from __future__ import annotations

from collections.abc import Sequence

from spanscope.text.cells import cell_width
from spanscope.widgets.lines import Line, Row

Key = tuple[str, str]
"""Keys as people write them, and what they do."""

WIDE = 110
"""From this width there is more space between two of them."""


def fitting_keys(
    wanted: Sequence[Key], always: Sequence[Key], width: int, count: str = ""
) -> list[Key]:
    """Of the wanted keys, in their order, those that fit beside the ones that are always there."""
    gap = _gap(width)
    left = width - 1 - sum(_width(key) + gap for key in always) + gap
    left -= cell_width(count) + gap if count else 0
    shown = []
    for key in wanted:
        if _width(key) + gap <= left:
            left -= _width(key) + gap
            shown.append(key)
    return [*shown, *always]


def keys_line(keys: Sequence[Key], width: int, count: str = "") -> Line:
    """Keys in exactly `width` cells; `count` is what was typed so far."""
    row = Row().gap()
    gap = _gap(width)
    if count:
        row.put(count, "strong").gap(gap)
    for index, (key, words) in enumerate(keys):
        row.gap(gap if index else 0).put(key, "key").gap().put(words, "muted")
    return row.to(width).line("surface")


def key_at(keys: Sequence[Key], width: int, column: int, count: str = "") -> str | None:
    """The key that stands at a column of such a line; at its words the first one."""
    gap = _gap(width)
    start = 1 + (cell_width(count) + gap if count else 0)
    for key, words in keys:
        at = column - start
        if 0 <= at < _width((key, words)):
            return _at(key, at) if at < cell_width(key) else key.split()[0]
        start += _width((key, words)) + gap
    return None


def _at(keys: str, at: int) -> str:
    """The key at a place of some; a space belongs to the one before it."""
    start = 0
    for key in keys.split():
        start += cell_width(key) + 1
        if at < start:
            return key
    return keys.rsplit(maxsplit=1)[-1]


def _gap(width: int) -> int:
    return 3 if width >= WIDE else 2


def _width(key: Key) -> int:
    return cell_width(key[0]) + 1 + cell_width(key[1])
