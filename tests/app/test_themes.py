"""Themes, the terminal's own colours, and ASCII for those whose terminal shows nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.screens import assert_golden, opened, press, screen_text
from textual.widgets import Input

from spanscope.app.themes import THEMES
from spanscope.history.history import History
from spanscope.sample_sessions import NAMES, sample
from spanscope.widgets.look import ROLES

GOLDEN = Path(__file__).parent / "golden"


async def test_a_key_goes_through_all_themes(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        seen = [app.theme]
        for _ in THEMES:
            await press(pilot, "ctrl+t")
            seen.append(app.theme)
        assert seen[0] == seen[-1]
        assert seen[:-1] == [theme.name for theme in THEMES.values()]


@pytest.mark.parametrize("name", THEMES)
async def test_the_palette_chooses_a_theme(name: str, stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, "ctrl+p", *f"theme:{name}")
        await app.workers.wait_for_complete()
        await press(pilot, "enter")
        await pilot.pause()
        assert app.theme == THEMES[name].name
        assert app.desk.notice == f"theme: {name}"


async def test_the_terminals_theme_uses_no_other_colours(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, *["ctrl+t"] * 4)
        assert app.theme == THEMES["terminal"].name
        colours = {app.look.style(role).color for role in ROLES} - {None}
        assert {colour.name for colour in colours if colour is not None} == {
            "red",
            "yellow",
            "green",
            "cyan",
            "magenta",
        }
        assert all(app.look.style(role).bgcolor is None for role in ROLES)
        strips = app.screen._compositor.render_strips(app.size)
        styles = [segment.style for strip in strips for segment in strip if segment.style]
        assert any(style.color is not None for style in styles)
        assert not any(
            colour.is_default is False and colour.triplet is not None
            for style in styles
            for colour in (style.color, style.bgcolor)
            if colour is not None
        )


async def test_without_colour_there_is_one_theme(
    stale_base: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(stale_base) as (app, pilot):
        before = app.theme
        await press(pilot, "ctrl+t")
        assert app.theme == before
        assert "NO_COLOR is set" in screen_text(app)


@pytest.fixture
def in_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPANSCOPE_ASCII", "1")


@pytest.mark.usefixtures("in_ascii")
@pytest.mark.parametrize("name", NAMES)
async def test_ascii_goldens(name: str) -> None:
    async with opened(sample(name).path, (80, 24)) as (app, _):
        text = screen_text(app)
        assert text.isascii()
        assert_golden(GOLDEN / f"ascii-{name}-80x24.txt", text)


@pytest.mark.usefixtures("in_ascii")
@pytest.mark.parametrize(
    "keys",
    [("question_mark",), ("d",), ("r",), ("v",), ("x",), ("colon",), ("ctrl+p",), ("z",)],
    ids=lambda keys: keys[0],
)
async def test_whatever_is_opened_keeps_to_ascii(
    keys: tuple[str, ...], stale_base: History
) -> None:
    async with opened(stale_base) as (app, pilot):
        await press(pilot, *keys)
        await app.workers.wait_for_complete()
        await pilot.pause()
        for widget in app.screen.query(Input):
            widget.cursor_blink = False
        text = screen_text(app)
        assert text.isascii(), sorted({character for character in text if not character.isascii()})
