"""Locating against the plain way: try every place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.journal.parts import Inverse
from spanscope.model.anchors import (
    MOST_PLACES,
    grown,
    locate,
    occurrences,
    places,
    sound_inverse,
)
from spanscope.model.content import content_hash, differing_middle

texts = st.text("abé\n", max_size=30)
short = st.text("abé\n", max_size=3)


def plain_places(text: str, inverse: Inverse) -> tuple[int, ...]:
    """Every place where all evidence agrees, by trying each."""
    found = []
    for at in range(len(text) - inverse.inserted + 1):
        end = at + inverse.inserted
        before = text[max(0, at - len(inverse.before)) : at] == inverse.before
        after = text[end : end + len(inverse.after)] == inverse.after
        body = inverse.inserted_hash in (None, content_hash(text[at:end]))
        if before and after and body:
            found.append(at)
    return tuple(found)


@given(texts, short, short, short, st.booleans(), st.integers(0, 3))
def test_places_are_all_and_only_those_that_fit(
    text: str, before: str, after: str, inserted: str, hashed: bool, more: int
) -> None:
    inverse = Inverse(
        original="",
        inserted=len(inserted) if hashed else more,
        before=before,
        after=after,
        inserted_hash=content_hash(inserted) if hashed else None,
    )
    assert places(text, inverse, inserted) == plain_places(text, inverse)


@given(texts, st.data())
def test_grown_anchors_fit_in_one_place(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, len(text) - at))
    before, after = grown(text, at, length)
    needle = before + text[at : at + length] + after
    assert not needle or list(occurrences(text, needle)) == [at - len(before)]
    inverse = sound_inverse(text, at, text[at : at + length], "")
    assert plain_places(text, inverse) == (at,)


@given(texts, texts)
def test_the_differing_middle_is_the_whole_difference(old: str, new: str) -> None:
    at, deleted, inserted = differing_middle(old, new)
    assert old[at : at + len(deleted)] == deleted
    assert old[:at] + inserted + old[at + len(deleted) :] == new
    if deleted and inserted:
        assert deleted[0] != inserted[0]
        assert deleted[-1] != inserted[-1]


def test_a_hash_of_an_unknown_text_is_not_sought_in_everything() -> None:
    text = "ab" * 100_000
    inverse = Inverse(original="", inserted=50_000, inserted_hash=content_hash("x"), anchored=False)
    assert locate(text, inverse, "a" * 50_000, (0, 50_000), 0).status == "unknown"


def test_many_overlapping_places_of_a_long_text_are_told_without_hashing_each() -> None:
    text = "a" * 1_000_000
    inverse = Inverse(original="", inserted=500_000, inserted_hash=content_hash("a" * 500_000))
    found = locate(text, inverse, "a" * 500_000, (0, 500_000), 0)
    assert found.status == "ambiguous"
    assert len(found.places) == MOST_PLACES


@pytest.mark.parametrize("length", [-(2**63), -1, 4, 2**63])
def test_a_length_that_no_text_has_fits_nowhere(length: int) -> None:
    for inserted_hash in (None, "sha256:" + "0" * 64):
        inverse = Inverse(original="", inserted=length, inserted_hash=inserted_hash)
        assert places("abc", inverse, "b") == ()
