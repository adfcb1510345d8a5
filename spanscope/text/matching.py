"""Which items two sequences have in common, in order, for a bounded price.

Patience: items that occur once in both sequences anchor the comparison, what lies between two
anchors is compared in the same way, and a gap without anchors by its longest common subsequence.
All of it is paid from one budget. Where that ends, a gap counts as replaced: the answer is then
coarser, never wrong.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import count
from typing import NamedTuple

# Looking at an item costs about as much time as this many cells of a table, which are bits.
_LOOK = 64

# For the anchors of a gap each of its items is worked on several times: placed, paired, ordered.
ANCHOR_PASSES = 6

# For a common subsequence they are looked for in both, put into the table, walked back over.
_COMMON_PASSES = 2
_TABLE_PASSES = 4


class Budget:
    """Work that may still be done, in cells of a comparison table."""

    __slots__ = ("cells",)

    def __init__(self, cells: int) -> None:
        self.cells = cells

    def spend(self, *, items: int, cells: int = 0, on_credit: bool = False) -> bool:
        """Whether the budget pays for looking at `items` items and filling `cells` cells.

        `on_credit`: also where not enough is left; then nothing is.
        """
        price = items * _LOOK + cells
        if price > self.cells and not (on_credit and self.cells):
            return False
        self.cells = max(0, self.cells - price)
        return True

    def pays(self, *, items: int, cells: int = 0) -> bool:
        """Whether that much may still be spent."""
        return items * _LOOK + cells <= self.cells


class Match(NamedTuple):
    """`size` equal items, from index `old` in the one sequence and `new` in the other."""

    old: int
    new: int
    size: int


class _Range(NamedTuple):
    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def items(self) -> int:
        return self.old_end - self.old_start + self.new_end - self.new_start

    @property
    def one_side_empty(self) -> bool:
        return self.old_start == self.old_end or self.new_start == self.new_end

    @property
    def has_no_match(self) -> bool:
        """Whether it is empty on one side or, once trimmed, one item against another."""
        olds, news = self.old_end - self.old_start, self.new_end - self.new_start
        return not olds or not news or olds == news == 1


def intern_items(old: Sequence[Hashable], new: Sequence[Hashable]) -> tuple[list[int], list[int]]:
    """Both sequences with a number for each distinct item, as numbers compare quickly."""
    number_of = defaultdict[Hashable, int](count().__next__).__getitem__
    return list(map(number_of, old)), list(map(number_of, new))


def match_items(
    old: list[int], new: list[int], budget: Budget, *, on_credit: bool = False
) -> list[Match]:
    """The matches between two sequences, in order in both, none touching the next in both.

    Equal starts and ends always match, whatever the budget. `on_credit`: anchors are looked for
    once, also where the budget has less left than that costs.
    """
    found: list[Match] = []
    waiting = [_Range(0, len(old), 0, len(new))]
    while waiting:
        gap = _trim(old, new, waiting.pop(), found)
        items = ANCHOR_PASSES * gap.items
        if gap.has_no_match or not budget.spend(items=items, on_credit=on_credit):
            continue
        on_credit = False
        anchors = _anchors(old, new, gap)
        if anchors:
            waiting += _split(old, new, gap, anchors, found)
        else:
            _match_gap(old, new, gap, budget, found)
    found.sort()
    return _joined(found)


def _trim(old: list[int], new: list[int], gap: _Range, found: list[Match]) -> _Range:
    """`gap` without its equal start and end, which go to `found`."""
    old_start, old_end, new_start, new_end = gap
    while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
        old_start += 1
        new_start += 1
    if old_start > gap.old_start:
        found.append(Match(gap.old_start, gap.new_start, old_start - gap.old_start))
    while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
        old_end -= 1
        new_end -= 1
    if old_end < gap.old_end:
        found.append(Match(old_end, new_end, gap.old_end - old_end))
    return _Range(old_start, old_end, new_start, new_end)


def _anchors(old: list[int], new: list[int], gap: _Range) -> list[tuple[int, int]]:
    """The longest ordered row of places whose item occurs once on either side of `gap`."""
    old_places = _single_places(old, gap.old_start, gap.old_end)
    new_places = _single_places(new, gap.new_start, gap.new_end)
    shared = [item for item in old_places if item in new_places]
    olds, news = [old_places[item] for item in shared], [new_places[item] for item in shared]
    return [(olds[index], news[index]) for index in _longest_increasing(news)]


def _single_places(items: list[int], start: int, end: int) -> dict[int, int]:
    """Where each item is that is there once, in order."""
    within, places = items[start:end], range(start, end)
    last = dict(zip(within, places, strict=True))
    if len(last) == len(within):
        return last
    first = dict(zip(reversed(within), reversed(places), strict=True))
    return {item: at for item, at in last.items() if first[item] == at}


def _longest_increasing(values: list[int]) -> list[int]:
    """The indices of the longest subsequence that increases."""
    ends: list[int] = []
    holders: list[int] = []
    before: list[int] = []
    last = -1
    for index, value in enumerate(values):
        if value > last:
            before.append(holders[-1] if holders else -1)
            ends.append(value)
            holders.append(index)
            last = value
            continue
        place = bisect_left(ends, value)
        before.append(holders[place - 1] if place else -1)
        ends[place] = value
        holders[place] = index
        last = ends[-1]
    row = []
    index = holders[-1] if holders else -1
    while index >= 0:
        row.append(index)
        index = before[index]
    return row[::-1]


def _split(
    old: list[int],
    new: list[int],
    gap: _Range,
    anchors: list[tuple[int, int]],
    found: list[Match],
) -> list[_Range]:
    """The ranges between the anchors, each anchor grown forward over what is equal behind it."""
    between = []
    old_at, new_at = gap.old_start, gap.new_start
    for old_anchor, new_anchor in anchors:
        if old_anchor < old_at:
            continue
        between.append(_Range(old_at, old_anchor, new_at, new_anchor))
        old_at, new_at = old_anchor, new_anchor
        while old_at < gap.old_end and new_at < gap.new_end and old[old_at] == new[new_at]:
            old_at += 1
            new_at += 1
        found.append(Match(old_anchor, new_anchor, old_at - old_anchor))
    between.append(_Range(old_at, gap.old_end, new_at, gap.new_end))
    return [piece for piece in between if not piece.one_side_empty]


def _match_gap(
    old: list[int], new: list[int], gap: _Range, budget: Budget, found: list[Match]
) -> None:
    """Add the longest common subsequence of `gap`, or nothing if it costs too much."""
    if not budget.spend(items=_COMMON_PASSES * gap.items):
        return
    common = set(old[gap.old_start : gap.old_end]).intersection(new[gap.new_start : gap.new_end])
    old_places = [at for at in range(gap.old_start, gap.old_end) if old[at] in common]
    new_places = [at for at in range(gap.new_start, gap.new_end) if new[at] in common]
    cells = len(old_places) * len(new_places)
    items = _TABLE_PASSES * (len(old_places) + len(new_places))
    if not cells or not budget.spend(items=items, cells=cells):
        return
    pairs = _common_subsequence([old[at] for at in old_places], [new[at] for at in new_places])
    found += [Match(old_places[first], new_places[second], 1) for first, second in pairs]


def _common_subsequence(old: list[int], new: list[int]) -> list[tuple[int, int]]:
    """The index pairs of a longest common subsequence.

    Bit-parallel (Hyyrö 2004): a row of the table is one integer, in which a zero at a column says
    that the length grows there.
    """
    if len(old) > len(new):
        return [(first, second) for second, first in _common_subsequence(new, old)]
    rows = _table(old, new)
    pairs = []
    row, column = len(old), len(new)
    while row and column:
        if _is_one(rows[row - 1], column - 1):
            column -= 1
        elif row > 1 and not _is_one(rows[row - 2], column - 1):
            row -= 1
        else:
            row -= 1
            column -= 1
            pairs.append((row, column))
    return pairs[::-1]


def _table(rows: list[int], columns: list[int]) -> list[bytes]:
    size = (len(columns) + 7) // 8
    masks = _masks(columns, size)
    all_ones = (1 << len(columns)) - 1
    state = all_ones
    table = []
    for item in rows:
        equal = state & masks.get(item, 0)
        state = ((state + equal) | (state - equal)) & all_ones
        table.append(state.to_bytes(size, "little"))
    return table


def _masks(columns: list[int], size: int) -> dict[int, int]:
    """For each item an integer with a one at each of its columns."""
    bits: dict[int, bytearray] = {}
    for column, item in enumerate(columns):
        if item not in bits:
            bits[item] = bytearray(size)
        bits[item][column >> 3] |= 1 << (column & 7)
    return {item: int.from_bytes(mask, "little") for item, mask in bits.items()}


def _is_one(row: bytes, column: int) -> bool:
    return bool(row[column >> 3] >> (column & 7) & 1)


def _joined(matches: list[Match]) -> list[Match]:
    """Sorted matches, those that go on in both sequences made one."""
    joined: list[Match] = []
    for match in matches:
        last = joined[-1] if joined else None
        if last and last.old + last.size == match.old and last.new + last.size == match.new:
            joined[-1] = Match(last.old, last.new, last.size + match.size)
        else:
            joined.append(match)
    return joined
