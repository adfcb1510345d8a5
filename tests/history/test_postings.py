"""Numbers of many things in one row are what a list for each would hold."""

from __future__ import annotations

from bisect import bisect_left

from hypothesis import given
from hypothesis import strategies as st

from spanscope.history.postings import FEW, Postings

THINGS = 3


@given(st.lists(st.integers(0, THINGS - 1), max_size=6 * FEW), st.integers(0, 6 * FEW))
def test_as_a_list_for_each_thing(added: list[int], bound: int) -> None:
    postings = Postings()
    lists: list[list[int]] = [[] for _ in range(THINGS)]
    assert [postings.new() for _ in lists] == [0, 1, 2]
    for number, thing in enumerate(added):
        postings.add(thing, number)
        lists[thing].append(number)
    for thing, numbers in enumerate(lists):
        assert list(postings.of(thing)) == numbers
        assert postings.last(thing) == (numbers[-1] if numbers else None)
        below = bisect_left(numbers, bound)
        assert postings.below(thing, bound) == (numbers[below - 1] if below else None)
