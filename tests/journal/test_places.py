"""Lines stand where they stood, with or without something between them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spanscope.journal.places import LONGEST_RUN, LinePlaces

BETWEEN = st.sampled_from((0, 0, 0, 7, 1 << 33))
LENGTHS = st.sampled_from((0, 250, 1_200, (1 << 16) - 1, 1 << 16))


@given(st.lists(st.tuples(BETWEEN, LENGTHS), max_size=3 * LONGEST_RUN))
def test_each_line_is_where_it_was_put(lines: list[tuple[int, int]]) -> None:
    places, expected, offset = LinePlaces(), [], 0
    for between, length in lines:
        offset += between
        places.add(offset, length)
        expected.append((offset, length))
        offset += length + 1
    assert [places[number] for number in range(len(lines))] == expected
