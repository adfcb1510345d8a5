"""Matching sequences: always a common subsequence, never more work than was paid for."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.text.matching import Budget, intern_items, match_items

sequences = st.lists(st.integers(0, 5), max_size=25) | st.lists(st.integers(0, 40), max_size=40)
PLENTY = 1 << 26


class Watched(list[int]):
    """A sequence that counts the items read from it."""

    read = 0

    def __getitem__(self, key: Any) -> Any:
        self.read += len(range(*key.indices(len(self)))) if isinstance(key, slice) else 1
        return super().__getitem__(key)


def nested(depth: int, own: int) -> Watched:
    """A sequence of which only the last level has an item that occurs once on both sides."""
    items = Watched()
    for level in range(1, depth):
        items += [level, level - 1, own + level]
    return items


@given(sequences, sequences, st.sampled_from([0, 300, 2000, PLENTY]))
def test_matches_are_a_common_subsequence(old: list[int], new: list[int], cells: int) -> None:
    matches = match_items(old, new, Budget(cells))
    for match in matches:
        assert match.size > 0
        assert old[match.old : match.old + match.size] == new[match.new : match.new + match.size]
    for match, following in pairwise(matches):
        assert match.old + match.size <= following.old
        assert match.new + match.size <= following.new
        assert (match.old + match.size, match.new + match.size) != (following.old, following.new)


@given(sequences, sequences, sequences)
def test_equal_starts_and_ends_match_without_any_budget(
    same: list[int], old: list[int], new: list[int]
) -> None:
    matched = sum(
        match.size for match in match_items([*same, -1, *old], [*same, -2, *new, *old], Budget(0))
    )
    assert matched >= len(same)
    whole = match_items(old, old, Budget(0))
    assert [tuple(match) for match in whole] == ([(0, 0, len(old))] if old else [])


def test_without_budget_what_lies_between_is_replaced() -> None:
    old, new = [0, 1, 2, 3, 9], [0, 3, 2, 2, 1, 9]
    assert sum(match.size for match in match_items(old, new, Budget(0))) == 2
    assert sum(match.size for match in match_items(old, new, Budget(PLENTY))) == 3


HOSTILE = {
    "nested anchors": (nested(4000, 10_000), nested(4000, 20_000)),
    "no anchor": (Watched([0, 1] * 20_000), Watched([1, 0] * 20_000)),
    "unrelated": (Watched(range(20_000)), Watched(range(20_000, 40_000))),
    "reversed": (Watched(range(20_000)), Watched(reversed(range(20_000)))),
    "equal": (Watched([0] * 20_000), Watched([0] * 19_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("cells", [0, 1 << 18, 1 << 22])
def test_no_more_is_read_than_was_paid_for(name: str, cells: int) -> None:
    old, new = HOSTILE[name]
    old.read = new.read = 0
    budget = Budget(cells)
    match_items(old, new, budget)
    assert 0 <= budget.cells <= cells
    trimming = 4 * (len(old) + len(new))
    assert old.read + new.read <= trimming + 4 * cells // 64


def test_nested_anchors_are_followed_as_far_as_the_budget_goes() -> None:
    old, new = nested(300, 1000), nested(300, 2000)
    matched = [
        sum(match.size for match in match_items(old, new, Budget(cells)))
        for cells in (0, 1 << 20, PLENTY)
    ]
    assert matched[0] < matched[1] < matched[2] == 2 * 299


def test_no_recursion_however_deep() -> None:
    size = 4000
    old = [item for pair in zip(range(size), range(size, 2 * size), strict=True) for item in pair]
    new = [
        item for pair in zip(range(size), range(2 * size, 3 * size), strict=True) for item in pair
    ]
    matches = match_items(old, new, Budget(PLENTY))
    assert [match.size for match in matches] == [1] * size


def test_items_are_numbered_over_both_sides() -> None:
    assert intern_items(["x", "y", "x"], ["y", "z"]) == ([0, 1, 0], [1, 2])
