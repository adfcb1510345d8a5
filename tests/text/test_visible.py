"""What journal text may and may not send to a terminal."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spanscope.text.cells import cell_width
from spanscope.text.visible import (
    ascii_only,
    visible,
    visible_line,
    visible_lines,
    visible_segments,
    without_hidden,
)

any_character = st.characters(categories=None)
mean_character = st.sampled_from(
    "\x00\x07\x08\t\n\r\x1b\x7f\x85\x9b\x9d\xa0\xad\u0301\u034f\u0488\u061c\u0903\u1161\u11a8\u115f"
    "\u180e\u200b\u200d\u200e\u202e\u2028\u2029\u202f\u2066\u2069\u2800\u3000\u3164\ud800\udfff"
    "\ue000\ufe0f\ufeff\uffa0\ufffe\U0001f1e6\U0001f3fb\U0001f468\U000e0041\U000e0100\U0010ffff"
    "a [/]漢é"
)
any_text = st.text(any_character) | st.text(mean_character) | st.text(any_character | st.just("a"))

HOSTILE = "\x1b]52;c;ZXZpbA==\x07\x1b]0;OWNED\x07\x9b31m\u202ereversed\u2066"


def forbidden(character: str) -> bool:
    """Whether a terminal may act on a character, or not show it, written apart from the code."""
    if character in "\u3000\ue000":
        return character == "\ue000"
    category = unicodedata.category(character)
    return (
        category in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
        or (category == "Zs" and character != " ")
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0000" <= character <= "\U000e0fff"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or character in "\u034f\u115f\u1160\u3164\uffa0"
    )


@given(any_text)
@example(HOSTILE)
def test_nothing_that_acts_or_hides_is_left(text: str) -> None:
    for shown in (visible(text), visible_line(text), *visible_lines(text)):
        assert not [character for character in shown if forbidden(character)]
        shown.encode("utf-8")


@given(any_text)
def test_what_is_visible_stays_as_it_is(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    assert visible_line(visible_line(text)) == visible_line(text)


@given(any_text)
def test_lines_are_the_lines_of_the_text(text: str) -> None:
    lines = visible_lines(text)
    assert len(lines) == text.count("\n") + 1
    assert not any(set(line) & {"\n", "\t", "\r"} for line in lines)
    if "\t" not in text:
        assert lines == [visible(line) for line in text.split("\n")]


@given(st.text(alphabet="ab\t\x1b漢", max_size=30), st.lists(st.integers(0, 30)))
def test_a_line_in_pieces_is_the_whole_line(line: str, cuts: list[int]) -> None:
    places = sorted({0, len(line), *(cut for cut in cuts if cut < len(line))})
    pieces = [(line[a:b], a) for a, b in pairwise(places)]
    shown = visible_segments(pieces)
    assert "".join(text for text, _ in shown) == visible_lines(line)[0]
    assert [style for _, style in shown] == [style for _, style in pieces]


@given(any_text)
def test_ascii_only_is_printable_ascii(text: str) -> None:
    for shown in (ascii_only(text), ascii_only(visible(text))):
        assert shown.isascii()
        assert shown.isprintable()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x00\x07\x1b[2J\x7f", "␀␇␛[2J␡"),
        ("a\tb\r\nc", "a␉b␍␊c"),
        ("\x85\x9b31m", "\\x85\\x9b31m"),
        ("ab\u202ecd\u2066", "ab<U+202E>cd<U+2066>"),
        ("in\u200bvisible\u2060\ufeff", "in<U+200B>visible<U+2060><U+FEFF>"),
        ("tags \U000e0041\U000e007f", "tags <U+E0041><U+E007F>"),
        ("\u26a0\ufe0f \U000e0100", "\u26a0<U+FE0F> <U+E0100>"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468<U+200D>\U0001f469"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d<U+1F3FD>"),
        ("12\u00a0000 \u202f", "12␣000 <U+202F>"),
        ("\u2028\u2029", "<U+2028><U+2029>"),
        ("\ue0b0\U0010ffff\u0378", "<U+E0B0><U+10FFFF><U+0378>"),
        ("bad \ud83d half", "bad \ufffd half"),
        ("\x1f \x80\x9f\xa0\xa1", "␟ \\x80\\x9f␣\xa1"),
        ("\ud7ff\ud800\udfff\ue000", "<U+D7FF>\ufffd\ufffd<U+E000>"),
        ("\u3164\uffa0\u115f", "<U+3164><U+FFA0><U+115F>"),
        ("漢\u3000字 한국 naïve cafe\u0301 €", "漢\u3000字 한국 naïve cafe\u0301 €"),
        ("नमस्ते क्षि ไทย שלום", "नमस्ते क्षि ไทย שלום"),
        ("", ""),
    ],
)
def test_decided_characters(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_markup_passes_as_it_is() -> None:
    markup = "[/] [/x] [b [@click=app.quit()]quit[/] \\[b] :smile: [red"
    assert visible(markup) == markup


def test_a_line_to_read_has_no_tab() -> None:
    assert visible_line("if x:\n\treturn\x1b") == "if x:␤ return␛"


def test_tabs_go_to_their_stops() -> None:
    assert visible_lines("\ta\tb\nab\tc\n") == ["    a   b", "ab  c", ""]
    assert visible_segments([("a", 1), ("\tb", 2), ("\n", 3)]) == [("a", 1), ("   b", 2), ("␤", 3)]


@pytest.mark.parametrize(("mark", "kept"), [("\u0301", 8), ("\u0488", 8), ("\u0903", 2)])
def test_piled_marks_are_cut(mark: str, kept: int) -> None:
    bomb = "e" + mark * 5000 + " end"
    assert visible(bomb) == "e" + mark * kept + f"<+{5000 - kept} marks> end"


def test_each_pile_has_a_limit_of_its_own() -> None:
    full, dot = "\u0301" * 8, "\u30fb"
    assert visible("e" + full + dot + full) == "e" + full + dot + full
    piled = "e" + full + "\u0301" + dot + full + "\u0301\u0301"
    assert visible(piled) == "e" + full + "<+1 marks>" + dot + full + "<+2 marks>"


def test_jamo_that_take_no_cell_are_cut() -> None:
    assert visible("\u1112\u1161\u11ab") == "\u1112\u1161\u11ab"
    assert visible("\u1112" + "\u1161" * 100) == "\u1112\u1161\u1161<+98 marks>"


@given(any_text)
def test_no_cell_holds_more_than_a_pile(text: str) -> None:
    shown = visible(text)
    assert len(shown) <= 9 * cell_width(shown)


def test_a_mark_does_not_land_on_the_frame() -> None:
    assert visible("\u0301a") == "\u25cc\u0301a"
    assert visible_lines("a\n\u0301") == ["a", "\u25cc\u0301"]
    assert visible_segments([("e", 0), ("\u0301", 1)]) == [("e", 0), ("\u0301", 1)]
    assert visible_segments([("e", 0), ("\u0301\x1b", 1)]) == [("e", 0), ("\u0301␛", 1)]


def test_a_text_without_what_is_hidden_keeps_its_layout() -> None:
    assert without_hidden("a\tb\n\x1b[1m\u202ec\u200b d\u0301\r") == "a\tb\n[1mc d\u0301"
    assert without_hidden("as it is") == "as it is"


def test_ascii_for_everything() -> None:
    assert ascii_only("é\x1b\n\x7f\x9b\ud800") == "<U+00E9>^[^J^?\\x9b<U+D800>"
    assert ascii_only("a ~\x00\x1f\x80\x9f\xa0") == "a ~^@^_\\x80\\x9f<U+00A0>"
    assert ascii_only(visible_line("\x1b\n")) == "^[^J"
    assert ascii_only("\u2400\u241f\u2420\u2421\u2422") == "^@^_<U+2420>^?<U+2422>"


def test_hostile_text_of_many_kinds_of_character_is_translated_to_its_end() -> None:
    text = "".join(map(chr, range(0xE000, 0xF8FF)))
    assert visible(text) == "".join(f"<U+{ord(character):04X}>" for character in text)
