"""Occurrences without regard to case, held against trying every range."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.text.occurrences import count_of, occurrences

SOME = st.text(alphabet="aAbBsSßİﬁfi \n", max_size=12)


@pytest.mark.parametrize(
    ("wanted", "text", "found"),
    [
        ("quota", "Quota is a QUOTA", [(0, 5), (11, 16)]),
        ("aa", "aaaaa", [(0, 2), (2, 4)]),
        ("ss", "Straße", [(4, 5)]),
        ("S", "ß", [(0, 1)]),
        ("", "anything", []),
        ("x", "", []),
    ],
)
def test_where(wanted: str, text: str, found: list[tuple[int, int]]) -> None:
    assert occurrences(wanted, text) == found


@given(wanted=SOME, text=SOME)
def test_every_range_holds_the_text_and_none_is_missed(wanted: str, text: str) -> None:
    found = occurrences(wanted, text)
    sought = wanted.casefold()
    assert (
        bool(found) == (sought in text.casefold() and bool(sought)) == bool(count_of(wanted, text))
    )
    end = 0
    for start, stop in found:
        assert end <= start < stop
        assert sought in text[start:stop].casefold() or start == end
        end = stop
    if len(text.casefold()) == len(text):
        plain = []
        at = 0
        while at < len(text):
            if sought and text[at : at + len(wanted)].casefold() == sought:
                plain.append((at, at + len(wanted)))
                at += len(wanted)
            else:
                at += 1
        if len(sought) == len(wanted):
            assert found == plain
