"""Numbers in four bytes each, until one takes more."""

from __future__ import annotations

from array import array

from spanscope.journal.numbers import appended


def test_all_numbers_are_kept_wide_ones_too() -> None:
    numbers, kept = array("I"), [1, 0, (1 << 32) - 1]
    for number in kept:
        assert appended(numbers, number) is numbers
    assert list(numbers) == kept
    wide = appended(numbers, 1 << 32)
    assert list(appended(wide, 5)) == [*kept, 1 << 32, 5]
