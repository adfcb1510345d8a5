"""What two orders share, and how few ids move to lead from one to the other."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.journals import ingest, of, recorded

from spanscope.model.content import common_prefix, common_suffix
from spanscope.model.draft import DraftState
from spanscope.model.orders import longest_rise
from spanscope.model.state import BufferState

NAMES = st.permutations("abcdefg").map(list)


@given(st.permutations(range(7)))
def test_the_longest_row_of_greater_numbers(numbers: list[int]) -> None:
    rise = longest_rise(numbers)
    rows = (row for size in range(8) for row in combinations(numbers, size))
    assert len(rise) == max(len(row) for row in rows if list(row) == sorted(row))
    assert rise == sorted(rise) == [number for number in numbers if number in rise]


@given(st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_what_two_orders_begin_and_end_with(first: str, second: str) -> None:
    one, other = list(first), list(second)
    assert common_prefix(one, other) == alike(zip(one, other, strict=False))
    for limit in range(min(len(one), len(other)) + 1):
        backwards = zip(reversed(one), reversed(other), strict=False)
        assert common_suffix(one, other, limit) == min(limit, alike(backwards))


def alike(pairs: Iterable[tuple[str, str]]) -> int:
    """How many pairs there are before the first of two that differ."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


@given(NAMES, NAMES)
def test_a_draft_stands_in_another_order(now: list[str], wanted: list[str]) -> None:
    state = BufferState()
    state.order = now
    draft = DraftState(state, 1, "agent")
    draft.reorder(wanted)
    assert draft.order == wanted


@pytest.mark.parametrize("wanted", [[], ["a"], ["b", "d"], ["b", "b"], ["c", "b", "a"]])
def test_an_order_of_others_is_not_taken(wanted: list[str]) -> None:
    state = BufferState()
    state.order = ["a", "b"]
    draft = DraftState(state, 1, "agent")
    draft.reorder(wanted)
    assert draft.steps == []


def test_a_span_that_goes_back_below_many_is_the_only_one_that_moves() -> None:
    first = (ingest("a", "x"), ingest("b", "x"), of("move", span="a", after="b"))
    more = [ingest(f"m/{number}", "x", after="b") for number in range(30)]
    state = recorded(*first, *more, of("rollback", of=[3])).state
    assert state.order[:3] == ["a", "b", "m/29"]
    assert state.order_log.count - state.order_log.count_at(33) <= 4
