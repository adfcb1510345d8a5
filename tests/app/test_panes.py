"""Panes: focus, zoom, selection, tabs, sizes and the mouse."""

from __future__ import annotations

import pytest
from support.screens import opened, pane_text, press, screen_lines, screen_text
from textual.events import MouseScrollDown

from spanscope.app.layout import PANES
from spanscope.history.history import History
from spanscope.widgets.subject import Subject


async def test_tab_goes_round_the_panes(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        start = PANES.index(app.desk.focus)
        for step in range(1, len(PANES) + 1):
            await press(pilot, "tab")
            assert app.desk.focus == PANES[(start + step) % len(PANES)]
        await press(pilot, "shift+tab")
        assert app.desk.focus == PANES[start - 1]


@pytest.mark.parametrize(
    ("key", "focus", "tab"),
    [
        ("alt+1", "spans", "why"),
        ("alt+2", "undo", "why"),
        ("alt+3", "staging", "why"),
        ("alt+4", "events", "why"),
        ("alt+5", "detail", "why"),
        ("alt+6", "detail", "content"),
        ("alt+7", "detail", "diff"),
        ("alt+8", "detail", "holders"),
        ("alt+9", "detail", "context"),
    ],
)
async def test_panes_by_number(stale_base: History, key: str, focus: str, tab: str) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, key)
        assert (app.desk.focus, app.desk.tab) == (focus, tab)


async def test_zoom_shows_one_pane(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "alt+1", "z")
        assert [name for name, pane in app.board.panes.items() if pane.display] == ["spans"]
        assert app.board.panes["spans"].region.width == 180
        await press(pilot, "tab")
        assert [name for name, pane in app.board.panes.items() if pane.display] == ["undo"]
        await press(pilot, "z")
        assert all(app.board.panes[name].display for name in PANES)


async def test_rows_are_selected_and_explained(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "alt+1", "j")
        rows = stale_base.at(app.navigator.seq).spans()
        assert app.navigator.selected == Subject("span", rows[0].name)
        await press(pilot, "j")
        assert app.navigator.selected == Subject("span", rows[1].name)
        assert pane_text(app, "detail").splitlines()[1].startswith(f"{rows[1].name} v")
        await press(pilot, "k")
        assert app.navigator.selected == Subject("span", rows[0].name)
        await press(pilot, "pagedown")
        await press(pilot, "pageup")
        assert app.navigator.selected == Subject("span", rows[0].name)
        await press(pilot, "alt+2", "j")
        head = stale_base.at(app.navigator.seq).undo()[0]
        assert app.navigator.selected == Subject("entry", head.entry.seq)


async def test_a_selection_stays_until_escape(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "alt+1", "j", "l")
        kept = app.navigator.selected
        assert kept == Subject("span", "system")
        await press(pilot, "h", "escape")
        assert app.navigator.selected == Subject("diff", "D7")


async def test_in_events_rows_are_steps(stale_base: History) -> None:
    async with opened(stale_base, at=20) as (app, pilot):
        await press(pilot, "alt+4", "j", "down", "down", "k")
        assert app.navigator.seq == 22
        await press(pilot, "pagedown")
        assert app.navigator.seq > 30


async def test_the_chain_of_why_is_walked(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "alt+5", "k")
        assert app.desk.chosen == 72
        await press(pilot, "enter")
        assert (app.navigator.seq, app.navigator.selected) == (72, Subject("diff", "D7"))


async def test_tabs_of_the_detail_pane(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        for tab in ("content", "diff", "holders", "context", "why"):
            await press(pilot, "right_square_bracket")
            assert app.desk.tab == tab
        await press(pilot, "left_square_bracket")
        assert app.desk.tab == "context"
        assert "[Context]" in screen_text(app)


async def test_the_layout_of_diff_is_changed_in_place(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "vertical_line")
        assert app.desk.tab == "diff"
        assert "one below the other" in screen_lines(app)[-2]
        assert "│" not in pane_text(app, "detail")
        await press(pilot, "d", "vertical_line")
        assert "side by side" in screen_lines(app)[-2]
        assert "│" in pane_text(app, "detail")
    async with opened(stale_base, (80, 24)) as (app, pilot):
        await press(pilot, "vertical_line")
        assert "no room for two texts" in screen_lines(app)[-2]
        await press(pilot, "z", "vertical_line")
        assert "side by side" in screen_lines(app)[-2]


async def test_a_row_of_holders_or_context_is_selected(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "alt+8")
        await pilot.click("#detail", offset=(6, 3))
        await pilot.pause()
        assert app.navigator.selected == Subject("artifact", "cite:limits")
        await press(pilot, "alt+9")
        await pilot.click("#detail", offset=(6, 5))
        await pilot.pause()
        assert app.navigator.selected == Subject("span", "task")


async def test_hunks(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "d")
        assert "change 1 of 2" in screen_lines(app)[-2]
        await press(pilot, "d")
        assert "change 2 of 2" in screen_lines(app)[-2]
        await press(pilot, "D")
        assert "change 1 of 2" in screen_lines(app)[-2]


async def test_help_opens_scrolls_and_closes(stale_base: History) -> None:
    async with opened(stale_base, (60, 20)) as (app, pilot):
        await press(pilot, "question_mark")
        before = screen_text(app)
        assert "Help" in before
        await press(pilot, "j", "j")
        assert screen_text(app) != before
        await press(pilot, "escape")
        assert "Help" not in screen_text(app)


async def test_pages_of_the_help_are_turned_in_every_pane(stale_base: History) -> None:
    for pane in ("alt+4", "alt+5", "alt+6"):
        async with opened(stale_base, (80, 24)) as (app, pilot):
            await press(pilot, pane, "question_mark")
            first = screen_text(app)
            assert "palette" not in first
            seq = app.navigator.seq
            await press(pilot, "pagedown")
            assert "palette" in screen_text(app)
            await press(pilot, "pageup")
            assert screen_text(app) == first
            assert app.navigator.seq == seq


async def test_clicks(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        spans, events = app.board.panes["spans"], app.board.panes["events"]
        await pilot.click("#spans", offset=(6, 3))
        await pilot.pause()
        assert (app.desk.focus, app.navigator.selected) == ("spans", Subject("span", "task"))
        row = events.top + 4
        await pilot.click("#events", offset=(6, 5))
        await pilot.pause()
        assert app.navigator.seq == stale_base.seqs[row]
        await pilot.click("#detail", offset=(10, 0))
        await pilot.pause()
        assert app.desk.tab == "content"
        await pilot.click("#timeline", offset=(1, 0))
        await pilot.pause()
        assert app.navigator.seq == 1
        assert spans.top == 0


async def test_the_wheel_scrolls(stale_base: History) -> None:
    async with opened(stale_base, at=1) as (app, pilot):
        pane = app.board.panes["events"]
        before = pane.top
        await pilot._post_mouse_events(
            [MouseScrollDown],
            "#events",
            offset=(5, 5),
            button=0,
        )
        await pilot.pause()
        assert pane.top == before + 3
        assert app.navigator.seq == 1


async def test_a_small_terminal_has_tabs(stale_base: History) -> None:
    async with opened(stale_base, (60, 20)) as (app, pilot):
        assert "[Why]" in screen_lines(app)[2]
        await press(pilot, "alt+3")
        lines = screen_lines(app)
        assert "[Staging 1] ~" in lines[2]
        assert "D7" in lines[4]
        await press(pilot, "e")
        assert "[Why]" in screen_lines(app)[2]


async def test_too_small_says_so_and_recovers(stale_base: History) -> None:
    async with opened(stale_base, (48, 14)) as (app, pilot):
        lines = screen_lines(app)
        assert "60x20 needed, 48x14 here" in lines[0]
        assert lines[-1].startswith(" ! DIF311")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Events 97" in screen_text(app)
        for opener, title in (("question_mark", "Help"), ("apostrophe", "Places")):
            await press(pilot, opener)
            assert f" {title} " in screen_text(app)
            await pilot.resize_terminal(48, 14)
            await pilot.pause()
            assert [line for line in screen_lines(app) if line] == [lines[0], lines[-1]]
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert f" {title} " in screen_text(app)
            await press(pilot, "escape")


async def test_every_size_draws_within_itself(stale_base: History) -> None:
    async with opened(stale_base, (60, 20)) as (app, pilot):
        for width, height in ((79, 30), (80, 24), (109, 33), (110, 25), (159, 45), (230, 70)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            lines = screen_lines(app)
            assert len(lines) == height
            assert lines[0].strip()
            assert lines[-2].startswith(" ! DIF311")
            assert "help" in lines[-1]
            panes = [pane.region for pane in app.board.panes.values() if pane.display]
            assert all(region.right <= width and region.bottom <= height - 2 for region in panes)


async def test_where_panes_are_tabs_a_finding_that_is_gone_to_opens_why(
    dropped_inverse: History,
) -> None:
    async with opened(dropped_inverse, (60, 20), at=32) as (app, pilot):
        assert "UND221 rollback-corrupted" in pane_text(app, "detail")
        await press(pilot, "alt+2", "alt+4", "b")
        assert app.navigator.seq == 26
        assert "UND201 missing-inverse" in pane_text(app, "detail")
    async with opened(dropped_inverse, (60, 20), at=31) as (app, _):
        assert pane_text(app, "events").startswith("Events 52")
