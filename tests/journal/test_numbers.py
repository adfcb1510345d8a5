"""Numbers in few bytes each, until one takes more."""

from __future__ import annotations

from array import array

import pytest

from spanscope.journal.numbers import appended

MOST = (1 << 16) - 1, (1 << 32) - 1, (1 << 53) - 1


@pytest.mark.parametrize("code", ["H", "I"])
@pytest.mark.parametrize("most", MOST)
def test_all_numbers_are_kept_wide_ones_too(code: str, most: int) -> None:
    numbers, kept = array(code), [1, 0, MOST["HI".index(code)]]
    for number in kept:
        assert appended(numbers, number) is numbers
    for number in (most, 5):
        numbers = appended(numbers, number)
    assert list(numbers) == [*kept, most, 5]
