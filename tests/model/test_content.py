"""Where two texts differ, and the hashes of texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.model.content import Damage, damages

texts = st.text(alphabet="ab \n", max_size=24)


@given(texts, texts)
def test_mending_every_damage_gives_the_text_that_should_be(expected: str, actual: str) -> None:
    mended = actual
    for at, should, holds in reversed(damages(expected, actual)):
        assert mended[at : at + len(holds)] == holds
        mended = mended[:at] + should + mended[at + len(holds) :]
    assert mended == expected


@given(texts, texts)
def test_damages_stand_apart_and_differ(expected: str, actual: str) -> None:
    found = damages(expected, actual)
    assert bool(found) == (expected != actual)
    assert all(each.expected != each.actual for each in found)
    for one, following in pairwise(found):
        assert one.at + len(one.actual) < following.at


@pytest.mark.parametrize(
    ("expected", "actual", "found"),
    [
        (
            "linux:\n  limit: 15\narm:\n  limit: 10\n",
            "linux:\n  limit: 10\narm:\n  limit: 40\n",
            [Damage(16, "15", "10"), Damage(33, "10", "40")],
        ),
        (
            "| team | 100 GB |\n| firm | 1000 GB |\n",
            "| team | 900 GB |\n| firm | 2000 GB |\n",
            [Damage(9, "100", "900"), Damage(27, "1000", "2000")],
        ),
        ("one two three\n", "one 2 three\n", [Damage(4, "two", "2")]),
        ("a\nb\nc\nd", "a\nx\ny\nd", [Damage(2, "b\nc", "x\ny")]),
        ("a\nb\nc", "a\nc", [Damage(2, "b\n", "")]),
        ("limit 10\n", "limit 110\n", [Damage(6, "10", "110")]),
        ("same", "same", []),
    ],
)
def test_each_place_is_said_in_whole_words(expected: str, actual: str, found: list[Damage]) -> None:
    assert damages(expected, actual) == found
