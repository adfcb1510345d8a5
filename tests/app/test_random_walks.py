"""Whatever a journal holds and whichever keys are pressed, the screen says what `show` says.

Random journals and random keys in terminals of four sizes: nothing fails, and the header, the tabs
and every pane agree with the JSON of `spanscope show` at that step.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import chdir
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.agreement import compare
from support.examples import slow
from support.histories import a_program, whole
from support.screens import opened

from spanscope.app.actions import ACTIONS
from spanscope.history.history import History

LEAVES = {"quit", "palette"}


def some_keys(chance: random.Random, last: int) -> Sequence[str]:
    """A motion, a command, or something typed into a prompt."""
    kind = chance.random()
    if kind < 0.06:
        # The tabs and panes that take more than a step to get to.
        return (chance.choice(["alt+6", "alt+7", "alt+8", "alt+9", "i", "v", "w", "F"]),)
    if kind < 0.12:
        return ("colon", *chance.choice([str(chance.randint(0, last + 2)), "D1", "#3", "r2", "zz"]))
    if kind < 0.18:
        return ("slash", *chance.choice(["a", "splice", "zz"]), chance.choice(["enter", "escape"]))
    if kind < 0.3:
        return (*str(chance.randint(1, 12)), chance.choice(["l", "h", "j", "k", "e", "s"]))
    action = chance.choice([action for action in ACTIONS if action.id not in LEAVES])
    return (chance.choice(action.keys),)


async def walk(data: bytes, chance: random.Random, size: tuple[int, int], keys: int) -> None:
    history = History()
    history.feed(data)
    history.finish()
    # What a walk exports goes where nobody minds.
    with TemporaryDirectory() as folder, chdir(folder):
        await _walk_through(history, chance, size, keys)


async def _walk_through(
    history: History, chance: random.Random, size: tuple[int, int], keys: int
) -> None:
    async with opened(history, size) as (app, pilot):
        compare(app, history)
        for _ in range(keys):
            await pilot.press(*some_keys(chance, history.last))
            if app.board.prompt.opened and chance.random() < 0.7:
                await pilot.press(chance.choice(["enter", "escape"]))
            if app.desk.what_if is not None and chance.random() < 0.4:
                await pilot.press("escape", "escape", "escape")
            if chance.random() < 0.4:
                await pilot.pause()
                assert app.is_running
                compare(app, history)


SIZES = ((180, 50), (120, 40), (80, 24), (60, 20))


@pytest.mark.parametrize("size", SIZES, ids=["x".join(map(str, size)) for size in SIZES])
@given(seed=st.integers(0, 10**6))
@slow(1, gate=3, many=200)
def test_the_screen_says_what_show_says(seed: int, size: tuple[int, int]) -> None:
    chance = random.Random(seed)
    asyncio.run(walk(a_program(seed, chance.randint(1, 60)), chance, size, 25))


async def walk_pinned(data: bytes, chance: random.Random, size: tuple[int, int]) -> None:
    """Pin a step, then look at every pane, tab and thing from some others."""
    history = whole(data)
    async with opened(history, size, at=chance.randint(1, history.last)) as (app, pilot):
        await pilot.press("p")
        for _ in range(4):
            await pilot.press("colon", *str(chance.randint(1, history.last)), "enter")
            await pilot.press(chance.choice(["alt+1", "alt+2", "alt+3"]), "j", "j")
            if app.navigator.live is None and chance.random() < 0.3:
                await pilot.press("enter")
            for tab in ("alt+1", "alt+2", "alt+3", "alt+6", "alt+7", "alt+8"):
                await pilot.press(tab)
                await pilot.pause()
                assert app.navigator.pin is not None
                compare(app, history)


@pytest.mark.parametrize("size", SIZES, ids=["x".join(map(str, size)) for size in SIZES])
@given(seed=st.integers(0, 10**6))
@slow(1, gate=1, many=100)
def test_pinned_panes_say_what_show_says_at_both_steps(seed: int, size: tuple[int, int]) -> None:
    chance = random.Random(seed)
    asyncio.run(walk_pinned(a_program(seed, chance.randint(1, 60)), chance, size))
