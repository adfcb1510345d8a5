"""The map by real keys and the mouse."""

from __future__ import annotations

import pytest
from support.screens import SIZES, opened, press, screen_lines, screen_text

from spanscope.history.history import History
from spanscope.widgets.map_view import MapListing


@pytest.mark.parametrize("size", SIZES)
async def test_the_map_opens_and_closes(stale_base: History, size: tuple[int, int]) -> None:
    async with opened(stale_base, size, at=74) as (app, pilot):
        before, focus = screen_text(app), app.desk.focus
        await press(pilot, "v")
        said = screen_text(app)
        assert f"Map {len(stale_base.span_names())} spans" in said
        assert max(map(len, said.splitlines())) <= size[0]
        for key in ("v", "escape", "enter", "z"):
            await press(pilot, key)
            assert "Map " not in screen_text(app)
            assert app.desk.focus == focus
            assert not app.desk.zoomed
            await press(pilot, "v")
        await press(pilot, "v")
        assert screen_text(app).splitlines()[3:-2] == before.splitlines()[3:-2]


@pytest.mark.parametrize(
    ("size", "last"), [((60, 20), "~ warning"), ((80, 24), "u used"), ((120, 40), "d derived")]
)
async def test_the_legend_says_whole_signs(
    stale_base: History, size: tuple[int, int], last: str
) -> None:
    async with opened(stale_base, size, at=74) as (app, pilot):
        await press(pilot, "v")
        [legend] = [line for line in screen_lines(app) if "0 1 version" in line]
        assert legend.strip("│ ").endswith(last)


async def test_zoom_pan_and_steps(stale_base: History) -> None:
    async with opened(stale_base, (80, 24), at=1) as (app, pilot):
        await press(pilot, "v", "plus")
        listing = app.board.panes["map"].listing
        assert isinstance(listing, MapListing)
        assert listing.window.per == 1
        await press(pilot, "plus")
        assert "an event a column" in screen_lines(app)[-2]
        await press(pilot, "greater_than_sign")
        assert app.desk.map.start > 0
        assert app.navigator.seq >= stale_base.seqs[app.desk.map.start]
        await press(pilot, "less_than_sign", "less_than_sign", "less_than_sign")
        assert "no more on this side" in screen_lines(app)[-2]
        await press(pilot, "G")
        listing = app.board.panes["map"].listing
        assert isinstance(listing, MapListing)
        start, per = listing.window.start, listing.window.per
        assert start <= app.navigator.scene().position < start + per * listing.columns
        await press(pilot, "minus", "minus", "minus")
        assert "this is all of it" in screen_lines(app)[-2]
        await press(pilot, "tab")
        assert app.desk.focus != "map"
        await press(pilot, "plus")
        assert "v opens the map" in screen_lines(app)[-2]


async def test_a_click_selects_the_span_and_jumps(stale_base: History) -> None:
    async with opened(stale_base, (120, 40), at=5) as (app, pilot):
        await press(pilot, "v")
        listing = app.board.panes["map"].listing
        assert isinstance(listing, MapListing)
        column = listing.label + 1 + 30
        await pilot.click("#map", offset=(column + 2, 2 + 3))
        await pilot.pause()
        assert app.navigator.seq == listing.seq_at(column)
        assert app.navigator.selected == listing.subject(3)
        assert app.desk.focus == "map"
