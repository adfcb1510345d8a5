"""Cutting and wrapping never leave their cells and never lose a word."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from spanscope.text.cells import cell_width, cut, cut_middle, pad, wrap, wrap_ranges
from spanscope.text.visible import visible

letters = st.sampled_from("ab -\n漢字\U0001f600e\u0301\u200d\ufe0f\u2764é\u1161\U0001f3fb")
any_text = st.text(letters, max_size=60) | st.text(max_size=60)
words = st.lists(st.text("abcé漢", min_size=1, max_size=12), max_size=12).map(" ".join)
widths = st.integers(0, 30)


@given(any_text, widths)
def test_cut_stays_in_its_cells(text: str, width: int) -> None:
    for shown in (cut(text, width), cut_middle(text, width)):
        assert cell_len(shown) <= width


@given(words, widths)
def test_cut_says_that_it_cut(text: str, width: int) -> None:
    shown = cut(text, width)
    if cell_len(text) <= width:
        assert shown == text
    else:
        assert shown.endswith(".."[:width])
        assert text.startswith(shown.removesuffix("..") if width >= 2 else "")


@given(words, st.integers(4, 30))
def test_cut_middle_keeps_both_ends(text: str, width: int) -> None:
    shown = cut_middle(text, width)
    if shown != text:
        head, _, tail = shown.partition("..")
        assert text.startswith(head)
        assert text.endswith(tail)
        assert width - cell_len(shown) <= 1


@given(any_text, widths, st.booleans())
def test_pad_fills_exactly(text: str, width: int, right: bool) -> None:
    assert cell_len(pad(visible(text), width, right=right)) == width


@given(any_text, st.integers(2, 30))
@example("\u2764\u200d\u200d漢漢", 2)
@example("a-b-c-d-e", 3)
@example("      word", 3)
@example("ab  \n  cd", 3)
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "").replace("\n", "")


@given(any_text, st.integers(2, 30))
def test_ranges_are_the_lines_and_only_spaces_lie_between(text: str, width: int) -> None:
    ranges = wrap_ranges(text, width)
    assert [text[start:end] for start, end in ranges] == wrap(text, width)
    at = 0
    for start, end in ranges:
        assert text[at:start].strip(" \n") == ""
        assert text[at:start].count("\n") <= 1
        at = end
    assert text[at:].strip(" ") == ""


@given(any_text, st.integers(2, 30), st.integers(0, 5))
def test_a_limit_gives_the_first_lines(text: str, width: int, limit: int) -> None:
    whole, limited = wrap(text, width), wrap(text, width, limit)
    assert limited[:-1] == whole[: max(len(limited) - 1, 0)]
    assert len(limited) == min(limit, len(whole))
    assert all(cell_len(line) <= width for line in limited)
    assert limited == whole or not limited or limited[-1].endswith("..")


@given(words, st.integers(12, 30))
def test_a_word_that_fits_a_line_is_not_broken(text: str, width: int) -> None:
    narrow = text.replace("漢", "x")
    assert " ".join(wrap(narrow, width)) == narrow


@given(any_text.map(lambda text: text.replace("\n", " ")))
def test_no_character_is_torn_from_its_marks(text: str) -> None:
    for start, _ in wrap_ranges("x" + text, 4)[1:]:
        assert ("x" + text + " ")[start] not in "\u0301\ufe0f\u1161"


def test_cut_signs() -> None:
    assert cut("copy of plan", 9) == "copy of.."
    assert cut("copy of plan", 10) == "copy of.."
    assert cut("plan", 4) == "plan"
    assert cut("plan", 3) == "p.."
    assert cut("plan", 1) == "."
    assert cut("plan", 0) == ""
    assert cut("漢字漢字", 7) == "漢字.."
    assert cut("plan", -1) == cut_middle("plan", -1) == pad("plan", -1) == ""


def test_the_middle_of_an_id_goes() -> None:
    assert cut_middle("documents/17/3", 9) == "doc..17/3"
    assert cut_middle("docs/3", 6) == "docs/3"
    assert cut_middle("docs/33", 6) == "do..33"
    assert cut_middle("docs/3", 3) == "d.."


def test_padding_sides() -> None:
    assert pad("r43", 5) == "r43  "
    assert pad("866", 5, right=True) == "  866"
    assert pad("漢字漢", 4) == "漢.."
    assert pad("漢漢漢", 5) == "漢.. "


def test_wrapping_words() -> None:
    rule = "Every region that a diff reads must be byte-identical between its base and now."
    assert wrap(rule, 46) == [
        "Every region that a diff reads must be byte-",
        "identical between its base and now.",
    ]
    assert wrap("    return  x", 8) == ["    retu", "rn  x"]
    assert wrap("at 2026-11-11", 8) == ["at", "2026-11-", "11"]
    assert wrap("one\n\ntwo ", 10) == ["one", "", "two "]
    assert wrap("one  \ntwo", 3) == ["one", "two"]
    assert wrap("one  \n\ntwo", 3) == ["one", "", "two"]
    assert wrap("漢字漢字 ab", 5) == ["漢字", "漢字", "ab"]
    assert wrap("", 5) == [""]
    assert wrap("abcdef", 2, 2) == ["ab", ".."]
    assert wrap("too narrow", 1) == wrap("too narrow", 0) == []


@given(st.lists(st.text("abc", min_size=1, max_size=9), max_size=12), st.integers(9, 30))
def test_a_line_takes_all_the_words_that_fit(words: list[str], width: int) -> None:
    text = " ".join(words)
    assert wrap(text, width) == (textwrap.wrap(text, width) or [""])


class CountedText(str):
    """A text that counts the characters which are taken from it."""

    __slots__ = ("taken",)
    taken: int

    def __getitem__(self, key: object) -> str:
        piece = super().__getitem__(key)  # type: ignore[index]
        self.taken = getattr(self, "taken", 0) + len(piece)
        return piece


@pytest.mark.parametrize("unit", ["word ", "w", "漢", "e\u0301 ", "\n"])
def test_a_huge_text_is_not_read_further_than_shown(unit: str) -> None:
    text = CountedText(unit * 300_000)
    assert len(wrap(text, 80, 5)) == 5
    assert cell_width(cut(text, 80)) >= 79 or unit == "\n"
    assert text.taken < 20_000


def test_a_huge_text_is_wrapped_whole() -> None:
    assert len(wrap("w" * 1_000_000, 80)) == 12_500
