"""Equal numbers are kept once."""

from __future__ import annotations

import pytest

from spanscope.model.keeping import MOST_SHARED, shared


@pytest.mark.parametrize("number", [0, 300, MOST_SHARED - 1, MOST_SHARED, 1 << 70])
def test_a_number_that_is_shared_is_that_number(number: int) -> None:
    assert shared(number) == number
