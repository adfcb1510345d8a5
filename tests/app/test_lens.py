"""The lens: of everything only what touched the selected thing."""

from __future__ import annotations

from support.screens import opened, pane_text, press, screen_lines
from textual.strip import Strip

from spanscope.app.app import SpanscopeApp
from spanscope.history.history import History
from spanscope.widgets.look import Look
from spanscope.widgets.subject import Subject


def strips(app: SpanscopeApp, pane: str) -> list[Strip]:
    region = app.board.panes[pane].region
    lines = app.screen._compositor.render_strips(app.size)[region.y : region.bottom]
    return [line.crop(region.x, region.right) for line in lines]


def dimmed(app: SpanscopeApp, pane: str, first: str) -> bool:
    """Whether the row that starts with a word is as what lies in the future."""
    look: Look = app.look
    for strip in strips(app, pane):
        words = strip.text.strip("│ >*-x~m").split()
        if words[:1] == [first]:
            styles = [segment.style for segment in strip if segment.text.strip("│> *-x~m")]
            return styles[0] == look.style("future")
    raise AssertionError(f"no row {first}")


async def test_events_that_did_not_touch_it_are_dim(stale_base: History) -> None:
    touched = stale_base.touched({"span": "docs/limits"})
    async with opened(stale_base, at=74) as (app, pilot):
        await press(pilot, "colon", *"docs/limits", "enter", "enter")
        assert app.navigator.lens is not None
        assert f"LENS docs/limits, {len(touched)} events" in screen_lines(app)[0]
        assert "lens on docs/limits" in screen_lines(app)[-2]
        await press(pilot, "G", "S")
        seq = app.navigator.seq
        assert seq in touched
        for row in pane_text(app, "events").splitlines()[1:-1]:
            number = row.lstrip("> m").split()[0]
            if int(number) != seq:
                assert dimmed(app, "events", number) == (
                    int(number) not in touched or int(number) > seq
                )


async def test_other_panes_are_dimmed_too(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        app.navigator.select(Subject("diff", "D7"))
        await press(pilot, "alt+3", "enter")
        assert not dimmed(app, "spans", "rules")
        assert dimmed(app, "spans", "system")
        assert not dimmed(app, "undo", "#74")
        assert dimmed(app, "undo", "#65")
        assert dimmed(app, "staging", "D8")


async def test_the_timeline_keeps_only_what_touched_it(stale_base: History) -> None:
    async with opened(stale_base, at=stale_base.last) as (app, pilot):
        before = screen_lines(app)[1]
        await press(pilot, "colon", *"cite:limits", "enter", "enter", "G")
        after = screen_lines(app)[1]
        assert after.count(".") > before.count(".") + 80


async def test_the_lens_goes_by_enter_or_escape(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        await press(pilot, "alt+1", "j", "enter")
        assert app.navigator.lens is not None
        await press(pilot, "enter")
        assert app.navigator.lens is None
        await press(pilot, "enter", "j", "enter")
        assert app.navigator.lens is not None
        assert app.navigator.lens.subject == Subject("span", "task")
        await press(pilot, "slash", *"a", "enter", "escape")
        assert app.navigator.lens is not None
        await press(pilot, "escape")
        assert app.navigator.lens is None
        assert "LENS" not in screen_lines(app)[0]
