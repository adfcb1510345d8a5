"""The registry: every action is there once, has a key that works, and is found everywhere."""

from __future__ import annotations

import re

import pytest
from support.screens import opened, press, screen_lines, screen_text
from textual._xterm_parser import XTermParser
from textual.command import CommandPalette
from textual.events import Key

from spanscope.app.action import GROUP_TITLES, Action
from spanscope.app.actions import ACTIONS, BY_ID
from spanscope.app.keybar import clicked_at
from spanscope.app.keyline import help_lines, key_line
from spanscope.app.palette import title
from spanscope.history.history import History


def test_ids_and_keys_are_given_once() -> None:
    assert len(BY_ID) == len(ACTIONS)
    keys = [key for action in ACTIONS for key in action.keys]
    assert len(keys) == len(set(keys))
    assert {action.group for action in ACTIONS} == set(GROUP_TITLES)


def test_help_has_every_action_once() -> None:
    for focus in ("events", "detail"):
        lines = [line.text for line in help_lines(60, 100, focus=focus)]
        for action in ACTIONS:
            keys = re.escape(action.shown_keys)
            wanted = rf"^{keys} +{re.escape(action.verb)}$"
            assert sum(bool(re.match(wanted, line)) for line in lines) == 1, action.id


@pytest.mark.parametrize("width", [60, 80, 120, 180])
def test_the_key_line_fits_and_ends_with_help(width: int) -> None:
    line = key_line(width, focus="events", useful=frozenset(BY_ID))
    assert line.width == width
    assert line.text.rstrip().endswith("? help")
    assert line.text.startswith(" h l step")


def test_the_key_line_shows_only_what_does_something() -> None:
    line = key_line(
        180, focus="events", useful=frozenset(BY_ID) - {"next_turn", "next_finding", "findings"}
    )
    assert "turn" not in line.text
    assert "finding" not in line.text


@pytest.mark.parametrize("action", ACTIONS, ids=[action.id for action in ACTIONS])
async def test_every_key_of_every_action_does_something(
    action: Action, stale_base: History
) -> None:
    for key in action.keys:
        async with opened(stale_base, at=74) as (app, pilot):
            await press(pilot, *_before(action))
            before = screen_text(app), app.theme, app.desk.focus
            await press(pilot, key)
            if action.id == "quit":
                assert app.return_code == 0 or not app.is_running
            elif action.id == "palette":
                assert isinstance(app.screen, CommandPalette)
            else:
                assert (screen_text(app), app.theme, app.desk.focus) != before, key


def _before(action: Action) -> tuple[str, ...]:
    """What makes an action have an effect."""
    return {
        "next_match": ("slash", *"parallel", "enter"),
        "previous_match": ("slash", *"parallel", "enter"),
        "back": ("e",),
        "onward": ("e", "ctrl+o"),
        "remove_bookmark": ("m", "enter"),
        "select_previous": ("alt+1", "j", "j"),
        "page_up": ("alt+1", "j", "j"),
        "enter": ("alt+5", "k"),
        "previous_hunk": ("d",),
        "close": ("question_mark",),
        "focus_events": ("tab",),
        "map_nearer": ("v",),
        "map_farther": ("v",),
        "map_left": ("v",),
        "map_right": ("v",),
    }.get(action.id, ())


async def test_the_palette_runs_actions(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, "ctrl+k")
        await press(pilot, *"go to the last")
        await app.workers.wait_for_complete()
        await press(pilot, "enter")
        await pilot.pause()
        assert app.navigator.seq == stale_base.last


def test_titles_of_the_palette_differ() -> None:
    titles = [title(action) for action in ACTIONS]
    assert len(set(titles)) == len(titles)


async def test_quitting_while_help_or_a_prompt_is_open(stale_base: History) -> None:
    for keys in (("question_mark", "q"), ("colon", "q", "ctrl+q"), ("z", "ctrl+q")):
        async with opened(stale_base) as (app, pilot):
            await press(pilot, *keys)
            assert not app.is_running or app.return_code == 0


async def test_the_key_line_is_that_of_the_screen(stale_base: History) -> None:
    async with opened(stale_base) as (app, _):
        line = key_line(
            180, focus="events", useful=frozenset(BY_ID) - {"follow", "next_beat", "other_run"}
        )
        assert screen_lines(app)[-1] == line.text.rstrip()


async def test_a_key_without_an_action_is_answered(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, "5", "a")
        assert screen_lines(app)[-2] == " no action has the key a; ? lists all"
        await press(pilot, "l")
        assert app.navigator.seq == 6
        await press(pilot, "x", "a", "escape")
        assert "no action" not in screen_lines(app)[-2]


@pytest.mark.parametrize("digit", "123456789")
def test_alt_and_a_digit_are_known_as_terminals_send_them(digit: str) -> None:
    parser = XTermParser()
    sent = [event.key for event in parser.feed(f"\x1b{digit}") if isinstance(event, Key)]
    meant = next(action for action in ACTIONS if f"alt+{digit}" in action.keys)
    assert len(sent) == 1
    assert sent[0] in meant.keys


def test_every_key_of_the_key_line_can_be_clicked() -> None:
    line = key_line(400, focus="events", useful=frozenset(BY_ID)).text
    for action in ACTIONS:
        keys, words = action.hint or ("", "")
        place = line.find(f" {keys} {words}") + 1
        if not keys or not place:
            continue
        for key in keys.split():
            named = clicked_at(line, place + keys.index(key))
            assert named is not None
            assert key in BY_ID[named].shown_keys.split()
        assert clicked_at(line, place + len(keys) + 1) == action.id
        assert clicked_at(line, place - 1) is None
    assert clicked_at(line, len(line) + 5) is None


async def test_a_click_on_the_key_line_does_what_the_key_does(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        for clicked, seq in (("e E", 72), ("E finding", 72), ("h l", 71), ("l step", 72)):
            place = screen_lines(app)[-1].index(clicked)
            await pilot.click("#keys", offset=(place, 0))
            await pilot.pause()
            assert app.navigator.seq == seq, clicked
