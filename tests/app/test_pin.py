"""Comparing two steps: the panes show what changed between the pin and the cursor."""

from __future__ import annotations

import pytest
from support.histories import a_program, whole
from support.screens import opened, pane_text, press, screen_lines

from spanscope.history.history import History
from spanscope.widgets.since import Since


def rows(text: str, sign: str) -> dict[str, list[str]]:
    """The rows of a pane with a sign in their gutter, by their first word."""
    found = [line.split() for line in text.splitlines() if line.startswith(f"{sign} ")]
    return {row[1]: row[2:] for row in found}


async def test_spans_undo_and_staging_since_the_pin(stale_base: History) -> None:
    async with opened(stale_base, (180, 100), at=68) as (app, pilot):
        await press(pilot, "p")
        assert "pinned at 68" in screen_lines(app)[-2]
        await press(pilot, "colon", *"74", "enter", "escape", "alt+4")
        await press(pilot, "p", "p", "colon", *"68", "enter", "p", "colon", *"74", "enter")
        assert "PIN 68 > 74, 6 steps" in screen_lines(app)[0]
        spans = pane_text(app, "spans")
        assert spans.startswith("Spans 32  changed 2\n")
        assert rows(spans, "*")["rules"][:3] == ["v0", ">", "v1"]
        assert rows(spans, "*")["docs/limits"][:3] == ["v0", ">", "v1"]
        assert "fresh > stale" in spans
        undo = pane_text(app, "undo")
        assert undo.startswith("Undo 43  new 2\n")
        assert set(rows(undo, "+")) == {"#74", "#72"}
        assert "#65" not in rows(undo, "+")
        assert any(line.startswith("p  68") for line in pane_text(app, "events").splitlines())


async def test_ids_stay_whole_and_columns_under_their_names_at_120(stale_base: History) -> None:
    async with opened(stale_base, (120, 40), at=74) as (app, pilot):
        await press(pilot, "p", "colon", *"90", "enter")
        lines = pane_text(app, "spans").splitlines()
        heading = next(line for line in lines if line.startswith("SPAN"))
        plan = next(line for line in lines if line.startswith("* plan"))
        assert any("docs/formats" in line for line in lines)
        assert plan.split() == ["*", "plan", "v2", ">", "v3", "187", "75"]
        # The heading lost the two cells of the gutter.
        assert heading.index("VER") + 2 == plan.index("v2")
        assert heading.index("AT") + 4 == plan.index("75") + 2


async def test_texts_at_the_pin_and_now(stale_base: History) -> None:
    async with opened(stale_base, at=60) as (app, pilot):
        await press(pilot, "p", "colon", *"docs/limits", "enter", "colon", *"80", "enter")
        app.navigator.seq = 80
        await press(pilot, "d")
        detail = pane_text(app, "detail")
        assert "docs/limits at the pin, 60, and at 80" in detail
        assert "allows 12 parallel" in detail
        assert "allows 3 parallel" in detail
        await press(pilot, "left_square_bracket")
        assert "at the pin, 60" in pane_text(app, "detail")


async def test_back_before_the_pin(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        await press(pilot, "p", "colon", *"68", "enter")
        assert "PIN 74 > 68, 6 steps back" in screen_lines(app)[0]
        assert pane_text(app, "undo").startswith("Undo 41  gone 2\n")
        assert rows(pane_text(app, "spans"), "*")["rules"][:3] == ["v1", ">", "v0"]


async def test_escape_closes_search_then_pin_then_lens(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        await press(pilot, "enter", "p", "slash", *"parallel", "enter", "question_mark")
        await press(pilot, "escape")
        assert not app.desk.help
        assert app.commands.searching.sought is not None
        await press(pilot, "escape")
        assert app.commands.searching.sought is None
        assert app.navigator.pin == 74
        await press(pilot, "escape")
        assert app.navigator.pin is None
        assert app.navigator.lens is not None
        await press(pilot, "escape")
        assert app.navigator.lens is None


async def test_the_pin_is_on_the_timeline(stale_base: History) -> None:
    async with opened(stale_base, at=40) as (app, pilot):
        await press(pilot, "p", "l", "l")
        assert screen_lines(app)[1][40] == "p"
        assert screen_lines(app)[2][40] == "p"


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20)])
async def test_narrow_panes_have_both_versions(stale_base: History, size: tuple[int, int]) -> None:
    async with opened(stale_base, size, at=68) as (app, pilot):
        await press(pilot, "p", "colon", *"74", "enter", "alt+1")
        assert "PIN 68 > 74" in screen_lines(app)[0]
        assert "v0 > v1" in pane_text(app, "spans")


def test_counts_are_those_of_a_look_at_everything() -> None:
    for seed in range(25):
        history = whole(a_program(seed, 40))
        for pin, seq in ((5, 30), (30, 5), (0, history.last), (12, 12)):
            since = Since(history, pin, history.at(seq))
            was = {row.name: row for row in history.at(pin).spans() if row.span.life != "pruned"}
            now = {row.name: row for row in history.at(seq).spans() if row.span.life != "pruned"}
            live = [set(history.at(step).order) for step in (pin, seq)]
            assert since.spans is not None
            assert since.spans.new == sum(name not in was for name in live[1])
            assert since.spans.gone == sum(name not in now for name in live[0])
            entries = [[row.entry.seq for row in history.at(step).undo()] for step in (pin, seq)]
            assert since.entries.new == len(set(entries[1]) - set(entries[0]))
            assert since.entries.gone == len(set(entries[0]) - set(entries[1]))
            for name in {*was, *now}:
                change = since.span(name)
                same = name in was and name in now and was[name].span == now[name].span
                assert not (same and change)


async def test_a_diff_that_is_staged_at_the_pin_alone_is_told(stale_base: History) -> None:
    async with opened(stale_base, at=68) as (app, pilot):
        await press(pilot, "p", "5", "h")
        shown = pane_text(app, "staging")
        assert shown.startswith("Staging 0  gone 1")
        assert "nothing staged at 63; at the pin, 68: D7" in shown
