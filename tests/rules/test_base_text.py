"""Places among a diff's own edits, against every character of the base by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spanscope.rules.placing import BaseText

EDITS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5), st.integers(0, 3)), max_size=6)


@given(st.integers(0, 8), EDITS, st.integers(0, 12), st.integers(0, 12))
def test_a_place_in_the_base_is_that_of_its_characters(
    length: int, edits: list[tuple[int, int, int]], one: int, other: int
) -> None:
    text, characters = BaseText(length), list[int | None](range(length))
    for sought, most, inserted in edits:
        at = min(sought, len(characters))
        deleted = min(most, len(characters) - at)
        text.spliced(at, deleted, inserted)
        characters[at : at + deleted] = [None] * inserted
    start, end = sorted((min(one, len(characters)), min(other, len(characters))))
    covered = [place for place in characters[start:end] if place is not None]
    assert text.range(start, end) == ((covered[0], covered[-1] + 1) if covered else None)
    assert text.point(start) == point(characters, start, length)


def point(characters: list[int | None], at: int, length: int) -> int:
    """Where a place is in the base: before the diff's own text where that was put, else after."""
    before = characters[at - 1] if at else -1
    if at < len(characters) and characters[at] is None and before is not None:
        return before + 1
    return next((place for place in characters[at:] if place is not None), length)
