"""Ranges in code points, bytes and tokens: cut out, found once, followed through edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.model.mapping import Change, follow
from spanscope.model.ranges import ByteScale, Scale, Stand, TokenScale, scale

TEXTS = st.text("aé🧠 \ud800", max_size=12)


def tokens(text: str) -> TokenScale:
    return TokenScale(text, "o200k_base")


@pytest.mark.parametrize(("unit", "length"), [("chars", 13), ("bytes", 17), ("tokens", 7)])
def test_a_length_counts_the_unit(unit: str, length: int) -> None:
    assert scale(unit, "hello 🧠 wörld", "o200k_base").length == length


@pytest.mark.parametrize(
    ("unit", "range", "holds"),
    [
        ("chars", (0, 3), True),
        ("chars", (3, 3), True),
        ("chars", (0, 4), False),
        ("chars", (-1, 2), False),
        ("chars", (2, 1), False),
        ("bytes", (0, 4), True),
        ("bytes", (1, 3), True),
        ("bytes", (2, 3), False),  # starts inside the é
        ("bytes", (0, 2), False),  # ends inside it
        ("bytes", (0, 5), False),
        ("tokens", (0, 2), True),
        ("tokens", (0, 3), False),
    ],
)
def test_a_range_must_lie_in_the_text_and_cut_no_character(
    unit: str, range: tuple[int, int], holds: bool
) -> None:
    text = "un happy" if unit == "tokens" else "aéb"
    assert scale(unit, text, "o200k_base").holds(range) is holds


def test_a_slice_is_what_a_holder_would_cut_out() -> None:
    assert Scale("abc").slice((1, 9)) == "bc"
    assert Scale("abc").slice((2, 1)) == ""
    assert ByteScale("aéb").slice((1, 3)) == "é"
    assert ByteScale("aéb").slice((1, 2)) == "\ufffd"
    assert ByteScale("aéb").slice((-1, 2)) == ""
    assert tokens("alpha beta gamma").slice((1, 2)) == " beta"
    assert tokens("alpha beta gamma").slice((2, 9)) == " gamma"
    assert tokens("alpha beta gamma").slice((5, 9)) == ""


def test_only_one_place_is_found_and_in_tokens_only_between_two() -> None:
    assert Scale("ab ab").find("b ") == (1, 3)
    assert Scale("ab ab").find("ab") is None
    assert Scale("ab").find("") is None
    assert ByteScale("é ab").find("ab") == (3, 5)
    assert tokens("x alpha beta").find(" beta") == (2, 3)
    assert tokens("x alpha beta").find("beta") is None


def test_a_range_of_tokens_is_followed_by_its_text() -> None:
    base, grown = tokens("alpha beta gamma"), tokens("x alpha beta gamma")
    moved = base.followed((1, 2), [Change(0, 0, 2, 1)], grown)
    assert moved == Stand((2, 3), " beta")
    joined = tokens("alpha betamax gamma")
    assert base.followed((1, 2), [Change(10, 0, 3, 1)], joined) == Stand(None, " beta")


def test_a_token_that_ends_inside_a_character_is_followed_to_the_byte() -> None:
    base, now = tokens("a🧠b"), tokens("x a🧠b")
    assert base.marks[2] == 3
    found = base.followed((0, 2), [Change(0, 0, 2, 1)], now)
    assert found.text == "a\ufffd"


def test_of_a_range_that_was_cut_what_survives_is_followed() -> None:
    base, now = ByteScale("é🧠é"), ByteScale("é🧠")
    assert base.followed((2, 8), [Change(2, 1, 0, 1)], now) == Stand((2, 6), "🧠")
    inside = ByteScale("é🧠é").followed((3, 8), [Change(1, 1, 0, 1)], ByteScale("éé"))
    assert inside == Stand((2, 4), "é")


@given(TEXTS, TEXTS, st.data())
def test_bytes_are_followed_as_their_characters_are(
    old: str, insert: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(old)))
    end = data.draw(st.integers(start, len(old)))
    at = data.draw(st.integers(0, len(old)))
    delete = data.draw(st.integers(0, len(old) - at))
    new = old[:at] + insert + old[at + delete :]
    change = Change(at, delete, len(insert), 1)
    base, now = ByteScale(old), ByteScale(new)
    found = base.followed((base.byte(start), base.byte(end)), [change], now)
    wanted = follow(start, end, [change])
    assert found.range == (now.byte(wanted.start), now.byte(wanted.end))
    if "\ud800" not in new:
        assert found.text == new[wanted.start : wanted.end]
