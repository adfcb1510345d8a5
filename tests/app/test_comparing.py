"""Long texts are compared beside the screen, which never waits for them."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.screens import opened, pane_text, press, screen_lines, until, write_journal

from spanscope.app.comparing import AT_ONCE, Comparisons
from spanscope.text import diff
from spanscope.text.diff import TextDiff, word_diff

OLD = "\n".join(f"line {number} of the old text" for number in range(2_000))
NEW = OLD.replace("line 1234 of the old", "line 1234 of the new")


@pytest.fixture
def long_rewrite(tmp_path: Path) -> Path:
    assert len(OLD) > AT_ONCE
    return write_journal(
        tmp_path / "long.jsonl",
        [
            {"type": "ingest", "span": "a", "content": OLD},
            {"type": "rewrite", "span": "a", "op": "fold", "content": NEW},
            {"type": "rewrite", "span": "a", "op": "fold", "content": "short"},
        ],
    )


class Gate:
    """Comparing waits here until it is let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened = threading.Event()
        self.compared: list[tuple[str, str]] = []
        monkeypatch.setattr(diff, "word_diff", self)

    def __call__(self, old: str, new: str) -> TextDiff:
        assert threading.current_thread() is not threading.main_thread()
        self.opened.wait(20)
        self.compared.append((old, new))
        return word_diff(old, new)


async def test_the_screen_says_so_and_goes_on(
    long_rewrite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    async with opened(long_rewrite, at=2) as (app, pilot):
        await press(pilot, "d")
        assert "comparing.." in pane_text(app, "detail")
        assert "still being compared" in screen_lines(app)[-2]
        await press(pilot, "left_square_bracket")
        assert "comparing.." in pane_text(app, "detail").splitlines()[1]
        assert "line 0 of the old text" in pane_text(app, "detail")
        await press(pilot, "right_square_bracket", "h", "l")
        assert app.navigator.seq == 2
        gate.opened.set()
        await until(pilot, lambda: "of the new text" in pane_text(app, "detail"))
        await press(pilot, "d")
        assert "change 1 of 1" in screen_lines(app)[-2]
        assert gate.compared == [(OLD, NEW)]


async def test_leaving_while_it_compares(
    long_rewrite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    async with opened(long_rewrite, at=2) as (app, pilot):
        await press(pilot, "d")
        gate.opened.set()
        await press(pilot, "q")
    assert app.return_code == 0


def test_only_what_the_last_frame_asked_for_is_made() -> None:
    begun: list[bool] = []
    comparisons = Comparisons(lambda: begun.append(True))
    texts = [OLD + str(number) for number in range(4)]
    assert comparisons(OLD, texts[0]) is None
    comparisons.new_frame()
    assert comparisons(OLD, texts[1]) is None
    assert comparisons(OLD, texts[2]) is None
    assert begun == [True]
    comparisons.run(lambda: False)
    assert comparisons(OLD, texts[1]) == word_diff(OLD, texts[1])
    assert comparisons(OLD, texts[2]) is not None
    assert comparisons(OLD, texts[0]) is None
    assert begun == [True, True]


def test_short_texts_are_there_at_once() -> None:
    comparisons = Comparisons(lambda: pytest.fail("no thread is needed"))
    assert comparisons("one two", "one three") == word_diff("one two", "one three")
