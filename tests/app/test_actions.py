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
from spanscope.app.hints import OWN, useful_hints
from spanscope.app.keyline import fitting_hints, help_lines
from spanscope.app.palette import title
from spanscope.history.history import History
from spanscope.widgets.keys import key_at, keys_line
from spanscope.widgets.lines import Line


def test_ids_and_keys_are_given_once() -> None:
    assert len(BY_ID) == len(ACTIONS)
    keys = [key for action in ACTIONS for key in action.keys]
    assert len(keys) == len(set(keys))
    assert {action.group for action in ACTIONS} == set(GROUP_TITLES)


PANES = (*OWN, "elsewhere")


@pytest.mark.parametrize("pane", PANES)
def test_help_has_every_action_once(pane: str) -> None:
    lines = [line.text for line in help_lines(60, 1000, pane=pane)]
    own = lines.index(GROUP_TITLES["move"])
    for action in ACTIONS:
        keys = re.escape(action.shown_keys)
        wanted = rf"^{keys} +{re.escape(action.verb)}$"
        assert sum(bool(re.match(wanted, line)) for line in lines[own:]) == 1, action.id


@pytest.mark.parametrize("pane", PANES)
@pytest.mark.parametrize("width", [24, 36, 54, 56, 76, 120])
def test_help_cuts_nothing_however_narrow(pane: str, width: int) -> None:
    lines = help_lines(width, 22, pane=pane)
    assert all(line.width <= width for line in lines)
    said = {word for line in lines for word in line.text.split()}
    for hint in OWN.get(pane, ()):
        assert said.issuperset(hint.about.split())
    for action in ACTIONS:
        assert said.issuperset((*action.shown_keys.split(), *action.verb.split()))


def test_help_is_read_page_by_page() -> None:
    lines = [line.text for line in help_lines(76, 22, pane="why")]
    assert lines[0].startswith("In Why")
    [below] = [index for index, line in enumerate(lines) if "Panes and selection" in line]
    assert "places" in lines[below - 2]
    assert below < 22


def key_line(
    width: int,
    useful: frozenset[str],
    *,
    pane: str = "events",
    count: str = "",
    alone: bool = False,
) -> Line:
    """The line of keys as it is drawn."""
    shown = fitting_hints(useful_hints(pane, useful, alone=alone), width, count=count)
    return keys_line(shown, width, count)


@pytest.mark.parametrize("pane", PANES)
@pytest.mark.parametrize("width", [60, 80, 120, 180])
def test_the_key_line_fits_and_ends_with_help(width: int, pane: str) -> None:
    line = key_line(width, frozenset(BY_ID), pane=pane, alone=width == 60)
    assert line.width == width
    assert line.text.rstrip().endswith("? help")
    assert line.text.startswith(" space next beat")


def test_the_key_line_shows_only_what_does_something() -> None:
    useful = frozenset(BY_ID) - {"next_turn", "next_finding", "findings", "next_beat"}
    line = key_line(180, useful)
    assert "turn" not in line.text
    assert "finding" not in line.text


def test_the_hints_are_of_the_registry() -> None:
    for pane in PANES:
        for hint in (*useful_hints(pane, frozenset(BY_ID)), *OWN.get(pane, ())):
            assert BY_ID.keys() >= set(hint.ids)
        assert all(hint.about for hint in OWN.get(pane, ()))


@pytest.mark.parametrize(
    ("key", "named"),
    [
        ("alt+1", ("s S same thing", "b blame", "r what-if")),
        ("alt+2", ("r what-if", "s S same thing", "b blame")),
        ("alt+3", ("r what-if", "b blame")),
        ("alt+4", ("i findings", "r what-if", "/ search", "b blame", "R rule")),
        ("alt+5", ("[ ] tab", "j k chain", "enter go", "b blame")),
        ("alt+6", ("[ ] tab", "/ search")),
        ("alt+7", ("d D change", "[ ] tab", "| layout", "/ search")),
        ("i", ("enter unfold", "i events", "r what-if", "/ search")),
        ("v", ("+ - zoom", "< > pan", "enter back")),
    ],
)
async def test_a_small_terminal_names_what_matters_in_the_pane(
    key: str, named: tuple[str, ...], stale_base: History
) -> None:
    async with opened(stale_base, (80, 24)) as (app, pilot):
        await press(pilot, key)
        shown = screen_lines(app)[-1]
        for one in ("h l step", "e E finding", *named, "? help"):
            assert f" {one} " in f"{shown} ", shown


async def test_a_small_terminal_names_the_way_to_other_panes(stale_base: History) -> None:
    async with opened(stale_base, (60, 20)) as (app, _):
        assert " tab pane " in screen_lines(app)[-1]


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


async def test_the_palette_names_first_what_does_something_here(stale_base: History) -> None:
    async with opened(stale_base, (100, 30)) as (app, pilot):
        await press(pilot, "ctrl+p", *"sp")
        await app.workers.wait_for_complete()
        await pilot.pause()
        text = screen_text(app)
        assert text.index("Focus Spans") < text.index("In a presentation, go to the next beat")


def test_titles_of_the_palette_differ() -> None:
    titles = [title(action) for action in ACTIONS]
    assert len(set(titles)) == len(titles)


async def test_quitting_while_help_or_a_prompt_is_open(stale_base: History) -> None:
    for keys in (("question_mark", "q"), ("colon", "q", "ctrl+q"), ("z", "ctrl+q")):
        async with opened(stale_base) as (app, pilot):
            await press(pilot, *keys)
            assert not app.is_running or app.return_code == 0


async def test_ctrl_c_says_which_key_leaves(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, "ctrl+c")
        assert screen_lines(app)[-2] == " q or ctrl+q leaves spanscope"
        assert not app._notifications
        await press(pilot, "h", "colon", "ctrl+c")
        assert app.navigator.seq == 4


async def test_the_key_line_is_that_of_the_screen(stale_base: History) -> None:
    idle = {"follow", "next_beat", "other_run", "next_match"}
    async with opened(stale_base) as (app, pilot):
        line = key_line(180, frozenset(BY_ID) - idle)
        assert screen_lines(app)[-1] == line.text.rstrip()
        await press(pilot, "slash", *"quota", "enter")
        assert " n N match " in screen_lines(app)[-1]


async def test_a_key_without_an_action_is_answered(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, "5", "a")
        assert screen_lines(app)[-2] == " no action has the key a; ? lists all"
        # As a terminal sends it: Pilot's own alt+v has no character.
        app.post_message(Key("alt+v", "v"))
        await pilot.pause()
        assert screen_lines(app)[-2] == " no action has the key alt+v; ? lists all"
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


@pytest.mark.parametrize(("width", "count"), [(80, ""), (400, ""), (80, "12"), (400, "7")])
def test_every_key_of_the_key_line_can_be_clicked(width: int, count: str) -> None:
    shown = fitting_hints(useful_hints("events", frozenset(BY_ID)), width, count=count)
    line = key_line(width, frozenset(BY_ID), count=count).text
    for keys, words in shown:
        place = line.index(f" {keys} {words}") + 1
        for key in keys.split():
            assert key_at(shown, width, place + keys.index(key), count) == key
        assert key_at(shown, width, place + len(keys) + 1, count) == keys.split()[0]
        assert key_at(shown, width, place - 1, count) is None
    assert key_at(shown, width, len(line) + 5, count) is None


async def test_a_click_on_the_key_line_does_what_the_key_does(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        for clicked, seq in (
            ("e E", 72),
            ("E finding", 72),
            ("h l", 71),
            ("l step", 72),
            ("step", 71),
        ):
            place = screen_lines(app)[-1].index(clicked)
            await pilot.click("#keys", offset=(place, 0))
            await pilot.pause()
            assert app.navigator.seq == seq, clicked
