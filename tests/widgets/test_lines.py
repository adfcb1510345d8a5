"""Lines and their frames: what is drawn has the width it says, and data is visible in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.widgets.frame import framed, ruled
from spanscope.widgets.lines import Line, Row, fitted, plain, spread, within

TEXTS = st.text(st.characters(codec=None), max_size=30)


@given(TEXTS, st.integers(0, 40), st.booleans(), st.booleans())
def test_a_cell_has_the_width_that_was_asked_for(
    text: str, width: int, right: bool, middle: bool
) -> None:
    row = Row().put(text, "plain", width, right=right, middle=middle)
    assert row.width == row.line().width == width


@given(st.lists(TEXTS, max_size=4), st.integers(0, 60))
def test_a_fitted_line_has_its_width_and_keeps_its_ground(texts: list[str], width: int) -> None:
    row = Row()
    for text in texts:
        row.put(text)
    line = fitted(row.line("selected"), width)
    assert line.width == width
    assert line.fill == "selected"
    assert within(row.line(), width).width <= width


@pytest.mark.parametrize(
    ("texts", "width", "said"),
    [
        (["list[int", "]"], 9, "list[int]"),
        (["list[int", "]"], 8, "list[i.."),
        (["a queue of ", "ids", ": list"], 14, "a queue of i.."),
        (["a queue of ", "ids", ": list"], 12, "a queue of.."),
        (["word", "     "], 6, "word  "),
        (["日本", "語"], 5, "日.. "),
    ],
)
def test_what_follows_a_cell_that_fits_is_not_dropped_unsaid(
    texts: list[str], width: int, said: str
) -> None:
    row = Row()
    for text in texts:
        row.put(text)
    assert fitted(row.line(), width).text == said


def test_the_right_part_is_never_cut() -> None:
    line = spread(plain("a name that is too long"), plain("step 1/2"), 20)
    assert line.text.endswith("step 1/2")
    assert line.width == 20


@pytest.mark.parametrize("focused", [True, False])
def test_a_box(focused: bool) -> None:
    rows = [plain("one"), Row().put("two").line("selected")]
    lines = framed(plain("Spans 2"), rows, 20, 5, note="2 of 9", focused=focused)
    assert [line.text for line in lines] == [
        "╭─ Spans 2 ────────╮",
        "│ one              │",
        "│ two              │",
        "│                  │",
        "╰──────── 2 of 9 ─╯"[:9] + "─ 2 of 9 ─╯",
    ]
    assert all(line.width == 20 for line in lines)
    assert lines[2].edged
    assert lines[2].fill == "selected"
    edge = "focus" if focused else "border"
    assert {line.cells[0][1] for line in lines} == {edge}


def test_a_rule() -> None:
    lines = ruled(plain("Spans 2"), [plain("one")], 20, 3, gap=2, focused=False)
    assert [line.text for line in lines] == ["─ Spans 2 ──────────", "one" + " " * 15, ""]


def test_a_title_that_is_too_long_is_cut() -> None:
    line: Line = framed(plain("a very long title indeed"), [], 16, 2, focused=True)[0]
    assert line.text == "╭─ a very lo.. ╮" or line.width == 16
