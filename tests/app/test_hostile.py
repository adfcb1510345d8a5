"""Text that a model or the web wrote reaches the screen only as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.screens import (
    HOSTILE,
    assert_inert,
    hostile_events,
    opened,
    press,
    screen_text,
    write_journal,
)

EVERYWHERE = (
    "alt+1",
    "j",
    "j",
    "alt+2",
    "j",
    "alt+3",
    "j",
    "alt+5",
    "j",
    "right_square_bracket",
    "right_square_bracket",
    "z",
    "z",
    "alt+4",
)


@pytest.mark.parametrize("text", HOSTILE, ids=[ascii(text)[1:14] for text in HOSTILE])
async def test_every_field_is_inert(text: str, hostile: Path) -> None:
    write_journal(hostile, hostile_events(text), session=text)
    async with opened(hostile, at=4) as (app, pilot):
        assert len(app.navigator.history) == len(hostile_events(text))
        for _ in range(len(app.navigator.history) - 3):
            assert_inert(screen_text(app))
            app.navigator.step(1)
            app.redraw()
        app.navigator.go(8)
        for key in EVERYWHERE:
            await press(pilot, key)
            assert_inert(screen_text(app))
        assert app.is_running


async def test_markup_is_drawn_as_it_is_written(hostile: Path) -> None:
    text = "[@click=app.quit]x[/]"
    write_journal(hostile, hostile_events(text))
    async with opened(hostile, at=1) as (app, pilot):
        assert f"s{text}" in screen_text(app)
        for pane in ("#spans", "#undo", "#events", "#detail"):
            for y in range(1, 6):
                for x in (4, 10, 16):
                    await pilot.click(pane, offset=(x, y))
        await pilot.pause()
        assert app.is_running


async def test_lines_stay_in_their_frames(hostile: Path) -> None:
    text = "\u202e漢字\tw\x1b[2J" * 5
    write_journal(hostile, hostile_events(text))
    async with opened(hostile, at=9) as (app, _):
        panes = app.board.panes
        strips = app.screen._compositor.render_strips(app.size)
        for pane in panes.values():
            region = pane.region
            for strip in strips[region.y : region.bottom]:
                drawn = strip.crop(region.x, region.right).text
                assert drawn[0] in "╭│╰"
                assert drawn[-1] in "╮│╯"


@pytest.mark.parametrize("typed", ["[/", "\x1b", "[@click=app.quit]"])
async def test_what_is_typed_is_inert_too(typed: str, hostile: Path) -> None:
    write_journal(hostile, hostile_events("x"))
    async with opened(hostile) as (app, pilot):
        await press(pilot, "slash")
        app.board.prompt._input.value = typed
        await pilot.pause()
        assert_inert(screen_text(app))
        await press(pilot, "enter")
        assert_inert(screen_text(app))
        assert app.is_running
