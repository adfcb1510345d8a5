"""The timeline under the mouse: a press lands on the sign of a cell, a drag takes the cursor on."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.screens import SIZES, opened, press, screen_lines, write_journal

from spanscope.history.history import History, load


@pytest.fixture
def long(tmp_path: Path) -> History:
    """Two thousand events, one of them wrong in the middle of a cell."""
    events = [
        {"type": "ingest", "actor": "agent", "span": f"s{n}", "content": "x"} for n in range(2000)
    ]
    events[1001] = {"type": "ingest", "actor": "agent", "span": "s3", "content": "again"}
    return load(write_journal(tmp_path / "long.jsonl", events))


@pytest.mark.parametrize("size", SIZES)
async def test_a_drag_takes_the_cursor_along(size: tuple[int, int], stale_base: History) -> None:
    async with opened(stale_base, size, at=1) as (app, pilot):
        timeline = app.board.timeline_of(app.navigator.scene())
        await pilot.mouse_down("#timeline", offset=(5, 0))
        await pilot.pause()
        seen = [app.navigator.seq]
        for column in (6, 9, 20, 33):
            await pilot.hover("#timeline", offset=(column, 0))
            await pilot.pause()
            seen.append(app.navigator.seq)
            assert f"{app.navigator.seq}/{stale_base.last}" in screen_lines(app)[0]
        # The button is held: below the timeline the drag goes on, and no row is clicked.
        await pilot.hover(None, offset=(12, size[1] - 6))
        await pilot.pause()
        seen.append(app.navigator.seq)
        assert app.desk.focus == "events"
        await pilot.mouse_up(None, offset=(12, size[1] - 6))
        await pilot.hover("#timeline", offset=(40, 0))
        await pilot.pause()
        assert app.navigator.seq == seen[-1]
        assert seen == [timeline.seq_at(column) for column in (5, 6, 9, 20, 33, 12)]


async def test_a_drag_is_one_jump(stale_base: History) -> None:
    async with opened(stale_base, at=70) as (app, pilot):
        await pilot.mouse_down("#timeline", offset=(5, 0))
        for column in range(6, 30):
            await pilot.hover("#timeline", offset=(column, 0))
        await pilot.mouse_up("#timeline", offset=(30, 0))
        await press(pilot, "ctrl+o")
        assert app.navigator.seq == 70


async def test_beyond_its_ends_are_the_ends(stale_base: History) -> None:
    async with opened(stale_base, at=70) as (app, pilot):
        await pilot.mouse_down("#timeline", offset=(5, 0))
        for column, seq in ((0, 1), (179, stale_base.last)):
            await pilot.hover("#timeline", offset=(column, 0))
            await pilot.pause()
            assert app.navigator.seq == seq


async def test_other_buttons_do_nothing(stale_base: History) -> None:
    async with opened(stale_base, at=70) as (app, pilot):
        await pilot.mouse_down("#timeline", offset=(5, 0), button=3)
        await pilot.hover("#timeline", offset=(9, 0))
        await pilot.pause()
        assert app.navigator.seq == 70


async def test_a_press_lands_on_what_the_cell_shows(long: History) -> None:
    async with opened(long, at=1600) as (app, pilot):
        await press(pilot, "m", *"here", "enter", "g")
        timeline = app.board.timeline_of(app.navigator.scene())
        for seq, sign in ((1002, "!"), (1600, "m")):
            column = 1 + timeline.cell(long.position(seq))
            assert screen_lines(app)[1][column] == sign
            assert timeline.seq_at(column) != seq
            await pilot.click("#timeline", offset=(column, 0))
            await pilot.pause()
            assert app.navigator.seq == seq
            await press(pilot, "g")
