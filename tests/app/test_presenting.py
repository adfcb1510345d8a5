"""A story on the stage: beats, captions, the twin at the same beat, large panes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support.screens import HOSTILE, SIZES, assert_inert, press, screen_lines, screen_text
from textual.pilot import Pilot

from spanscope.app.app import SpanscopeApp
from spanscope.app.presenting import NOTHING, Presentation
from spanscope.history.history import History, load
from spanscope.journal.events import Mark
from spanscope.sample_sessions import NAMES, sample
from spanscope.widgets.caption import Caption, caption_lines
from spanscope.widgets.subject import Subject

TITLE = "The merge that saw no conflict. A diff goes in."


def notes(history: History) -> list[Mark]:
    return [e for e in history.events if isinstance(e, Mark) and e.kind == "note"]


def runs(name: str) -> tuple[History, History]:
    return load(sample(name).path), load(sample(name, safe=True).path)


@pytest.fixture(scope="module")
def stale_base_runs() -> tuple[History, History]:
    return runs("stale-base")


@asynccontextmanager
async def presented(
    histories: tuple[History, History],
    size: tuple[int, int] = (120, 40),
    *,
    begin_safe: bool = False,
) -> AsyncIterator[tuple[SpanscopeApp, Pilot[int]]]:
    app = SpanscopeApp(Presentation(TITLE, *histories, begin_safe=begin_safe), "stale-base.jsonl")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


def band(app: SpanscopeApp) -> str:
    return "\n".join(screen_lines(app)[-4:-1])


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20)])
async def test_it_begins_before_the_first_beat(
    stale_base_runs: tuple[History, History], size: tuple[int, int]
) -> None:
    async with presented(stale_base_runs, size) as (app, pilot):
        assert app.navigator.seq == 0
        assert TITLE in band(app)
        assert "unsafe run   beat 0 of 6" in band(app)
        await press(pilot, "space")
        assert "unsafe run   beat 1 of 6" in band(app)
        assert len(screen_lines(app)) == size[1]
        assert "? help" in screen_lines(app)[-1]


async def test_space_tells_beat_after_beat(stale_base_runs: tuple[History, History]) -> None:
    unsafe, _ = stale_base_runs
    async with presented(stale_base_runs) as (app, pilot):
        for number, note in enumerate(notes(unsafe), 1):
            await press(pilot, "space")
            assert app.navigator.seq == note.seq
            assert note.label in band(app)
            assert f"beat {number} of 6" in band(app)
        await press(pilot, "space")
        assert "that was the last beat" in band(app)
        assert app.navigator.seq == notes(unsafe)[-1].seq
        await press(pilot, "backspace", "backspace")
        assert app.navigator.seq == notes(unsafe)[-3].seq
        await press(pilot, "0")
        assert app.navigator.seq == 0
        await press(pilot, "3", "space")
        assert app.navigator.seq == notes(unsafe)[2].seq


async def test_backspace_goes_to_the_beat_that_is_on(
    stale_base_runs: tuple[History, History],
) -> None:
    unsafe, _ = stale_base_runs
    async with presented(stale_base_runs) as (app, pilot):
        await press(pilot, "space", "space", "l")
        assert "beat 2 of 6" in band(app)
        await press(pilot, "backspace")
        assert app.navigator.seq == notes(unsafe)[1].seq
        await press(pilot, "backspace", "backspace", "backspace")
        assert app.navigator.seq == 0


async def test_u_shows_the_other_run_at_the_same_beat(
    stale_base_runs: tuple[History, History],
) -> None:
    unsafe, safe = stale_base_runs
    async with presented(stale_base_runs) as (app, pilot):
        await press(pilot, "space", "space", "space", "u")
        assert app.navigator.history is safe
        assert app.navigator.seq == notes(safe)[2].seq
        assert "safe twin   beat 3 of 6" in band(app)
        assert notes(safe)[2].label in band(app)
        assert app.navigator.selected == Subject("diff", "D7")
        assert "errors 0/0" in screen_lines(app)[0]
        assert f"/{safe.last}" in screen_lines(app)[0]
        await press(pilot, "u")
        assert (app.navigator.history, app.navigator.seq) == (unsafe, notes(unsafe)[2].seq)
        await press(pilot, "0", "u")
        assert app.navigator.seq == 0
        assert "safe twin   beat 0" in band(app)


async def test_the_pane_of_the_beat_is_large_and_the_others_are_not_there(
    stale_base_runs: tuple[History, History],
) -> None:
    async with presented(stale_base_runs) as (app, pilot):
        await press(pilot, "space", "space", "space")
        text = screen_text(app)
        assert "DIF301 read-set-drift" in text
        assert "Staging 2" in text
        assert "Events" not in text
        assert app.board.panes["staging"].size.width == 120
        await press(pilot, "alt+4")
        text = screen_text(app)
        assert "Events 97" in text
        assert "Staging" not in text
        await press(pilot, "alt+5", "z")
        assert app.board.panes["detail"].size.height > 30
        await press(pilot, "z", "space")
        assert "Events" not in screen_text(app)


async def test_the_worst_of_a_beat_colours_its_band(
    stale_base_runs: tuple[History, History],
) -> None:
    unsafe, safe = stale_base_runs
    presentation = Presentation(TITLE, unsafe, safe, begin_safe=False)
    fills = [presentation.caption(note.seq).fill for note in notes(unsafe)]
    assert fills == ["surface", "surface", "warning", "error", "error", "warning"]
    presentation = Presentation(TITLE, unsafe, safe, begin_safe=True)
    assert {presentation.caption(note.seq).fill for note in notes(safe)} == {"surface"}


async def test_it_can_begin_with_the_twin(stale_base_runs: tuple[History, History]) -> None:
    async with presented(stale_base_runs, begin_safe=True) as (app, pilot):
        assert "safe twin   beat 0 of 6" in band(app)
        await press(pilot, "space")
        assert app.navigator.history is stale_base_runs[1]


async def test_a_zero_in_a_count_is_a_digit(stale_base_runs: tuple[History, History]) -> None:
    async with presented(stale_base_runs) as (app, pilot):
        await press(pilot, "1", "0", "l")
        assert app.navigator.seq == 10


async def test_where_nothing_is_presented_it_is_said(
    stale_base_runs: tuple[History, History],
) -> None:
    app = SpanscopeApp(stale_base_runs[0], "x.jsonl")
    async with app.run_test(size=(180, 50)) as pilot:
        for key in ("space", "u", "0", "backspace"):
            await press(pilot, key)
            assert NOTHING in screen_lines(app)[-2]
        await press(pilot, "g", "1", "0", "l")
        assert app.navigator.seq == 11


@pytest.mark.parametrize("name", NAMES)
async def test_every_scenario_can_be_presented(name: str) -> None:
    histories = runs(name)
    assert len(notes(histories[0])) == len(notes(histories[1]))
    size = SIZES[NAMES.index(name) % len(SIZES)]
    async with presented(histories, size) as (app, pilot):
        for note in notes(histories[0]):
            await press(pilot, "space", "u", "u")
            assert app.navigator.seq == note.seq


@pytest.mark.parametrize("text", HOSTILE)
def test_a_caption_can_not_act(text: str) -> None:
    for width in (60, 80, 180):
        lines = caption_lines(Caption(f"{text} and more " * 20, 1, 2, safe=True), width)
        assert len(lines) == 3
        assert all(line.width == width for line in lines)
        assert_inert("\n".join(line.text for line in lines))


async def test_help_tells_the_keys_of_a_presentation_first(
    stale_base_runs: tuple[History, History],
) -> None:
    async with presented(stale_base_runs, (80, 24)) as (app, pilot):
        await press(pilot, "question_mark")
        lines = screen_lines(app)
        assert "In a presentation" in lines[1]
        assert "next beat" in lines[2]
