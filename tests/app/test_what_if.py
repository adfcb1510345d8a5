"""What-if: `r` tells what would happen, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.screens import (
    SIZES,
    assert_golden,
    hostile_events,
    opened,
    pane_text,
    press,
    screen_lines,
    screen_text,
    write_journal,
)
from textual.pilot import Pilot

from spanscope.app.app import SpanscopeApp
from spanscope.history.history import History, load
from spanscope.sample_sessions import sample

GOLDEN = Path(__file__).parent / "golden"

ASKED = {
    "dropped-inverse": (31, ("alt+2", "j", "r", "j")),
    "twin-blocks": (25, ("r",)),
    "stale-base": (74, ("r",)),
    "stale-embedding": (22, ("alt+1", *"jjjj", "r")),
}


def box_lines(app: SpanscopeApp) -> list[str]:
    """What stands in the dashed box."""
    return [line.split("╏")[-2].strip() for line in screen_lines(app) if line.count("╏") > 1]


def box(app: SpanscopeApp) -> str:
    """What stands in the dashed box, as running text."""
    return " ".join(" ".join(box_lines(app)).split())


async def asked(pilot: Pilot[int], name: str) -> None:
    await press(pilot, *ASKED[name][1])


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("size", [(180, 50), (80, 24)], ids=["180x50", "80x24"])
async def test_the_shipped_incidents(name: str, size: tuple[int, int]) -> None:
    async with opened(sample(name).path, size, at=ASKED[name][0]) as (app, pilot):
        await asked(pilot, name)
        assert_golden(GOLDEN / f"what-if-{name}-{size[0]}x{size[1]}.txt", screen_text(app))


@pytest.mark.parametrize("size", [(120, 40), (60, 20)], ids=["120x40", "60x20"])
async def test_other_sizes(size: tuple[int, int]) -> None:
    async with opened(sample("dropped-inverse").path, size, at=31) as (app, pilot):
        await asked(pilot, "dropped-inverse")
        assert_golden(GOLDEN / f"what-if-dropped-inverse-{size[0]}x{size[1]}.txt", screen_text(app))


async def test_the_texts_that_would_be() -> None:
    async with opened(sample("dropped-inverse").path, (80, 24), at=31) as (app, pilot):
        await asked(pilot, "dropped-inverse")
        await press(pilot, "enter")
        assert_golden(GOLDEN / "what-if-dropped-inverse-texts.txt", screen_text(app))


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("size", SIZES)
async def test_it_says_in_three_places_that_it_is_not_real(
    name: str, size: tuple[int, int]
) -> None:
    async with opened(sample(name).path, size, at=ASKED[name][0]) as (app, pilot):
        before = screen_text(app)
        await asked(pilot, name)
        lines = screen_lines(app)
        assert "SIMULATED" in lines[0]
        assert sum("┏╍ SIMULATION  " in line for line in lines) == 1
        assert sum("nothing is written ╍┛" in line for line in lines) == 1
        assert lines[-2].startswith(" SIMULATION  ")
        assert "escape back" in lines[-1]
        assert all(len(line) <= size[0] for line in lines)
        await press(pilot, "escape", "escape", "escape", "alt+4")
        assert "SIMULAT" not in screen_text(app)
        assert app.navigator.seq == ASKED[name][0]
        assert screen_lines(app)[0] == before.splitlines()[0]


async def test_what_happened_stays_in_sight(stale_base: History) -> None:
    async with opened(stale_base, (120, 40), at=75) as (app, pilot):
        await press(pilot, "alt+2", "j")
        before = [pane_text(app, name) for name in ("spans", "undo", "staging", "events")]
        await press(pilot, "r", "j", "j")
        after = [pane_text(app, name) for name in ("spans", "undo", "staging", "events")]
        assert after == before


async def test_how_many_are_rolled_back(dropped_inverse: History) -> None:
    async with opened(dropped_inverse, at=18) as (app, pilot):
        await press(pilot, "alt+2", "j", "r")
        assert "roll back 1 of 10, from 18" in screen_text(app)
        for keys, steps in ((["plus"], 2), (["j", "j"], 4), (["minus"], 3), (["k"], 2)):
            await press(pilot, *keys)
            assert f"roll back {steps} of 10" in screen_text(app)
        await press(pilot, "5", "plus")
        assert "roll back 7 of 10" in screen_text(app)
        await press(pilot, *"99j")
        assert "roll back 10 of 10" in screen_text(app)
        await press(pilot, *"99k")
        assert "roll back 1 of 10" in screen_text(app)


async def test_it_follows_the_cursor(dropped_inverse: History) -> None:
    async with opened(dropped_inverse, at=19) as (app, pilot):
        await press(pilot, "alt+2", "j", "r")
        assert box(app).startswith("It can be undone exactly")
        await press(pilot, "l")
        assert box(app).startswith("Exact undo stops at #20 at once: it has no inverse.")
        await press(pilot, "l")
        assert box(app).startswith("It can be undone exactly")


async def test_at_a_rollback_it_is_the_step_before(dropped_inverse: History) -> None:
    async with opened(dropped_inverse, at=32) as (app, pilot):
        await press(pilot, "r")
        assert "roll back 2 of 12, from 31" in screen_text(app)
        assert screen_lines(app)[-1] == (
            " j k how many   enter the texts   escape back to 32   ? help"
        )
        assert '#20 puts "int" at 122 over "fter ever"; its place is 65' in box(app)
        assert "No buffer mutation may outrun its inverse." in box(app)


async def test_where_no_text_would_be_another_none_is_offered(dropped_inverse: History) -> None:
    async with opened(dropped_inverse, at=31) as (app, pilot):
        await press(pilot, "alt+2", "r")
        asked = app.desk.what_if
        assert asked is not None
        assert asked.made is not None
        key, answer = asked.made
        asked.made = (key, answer._replace(texts=()))
        await press(pilot, "enter")
        assert screen_lines(app)[-2].strip() == "no text would be another than it is"
        assert "the texts" not in screen_lines(app)[-1]
        asked.texts = True
        await press(pilot, "pagedown")
        assert "no text would be another than it is" in box(app)


async def test_a_long_answer_is_worked_out_beside_the_screen(
    dropped_inverse: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spanscope.app.what_if.AT_ONCE", 0.0)
    async with opened(dropped_inverse, at=18) as (app, pilot):
        with monkeypatch.context() as held:
            held.setattr("spanscope.app.what_if.SLICE", 0.0)
            await press(pilot, "alt+2", "j", "3", "r", "j", "enter")
            assert box(app) == "working it out..."
            assert "roll back 2" in screen_text(app)
            assert screen_lines(app)[-2].split("   ")[-1].strip() == "working it out..."
            await press(pilot, "l")
            assert box(app) == "working it out..."
            await press(pilot, "h", "escape")
        while "working" in box(app):
            await pilot.pause(0.02)
        assert box(app).startswith("All 2 can be undone exactly")
        assert not app.commands.looking


async def test_the_selected_entry_is_where_it_ends(stale_base: History) -> None:
    async with opened(stale_base, at=75) as (app, pilot):
        await press(pilot, "alt+2", "j", "j", "j", "r")
        assert "roll back 3 of 44" in screen_text(app)
        assert "cite:limits is fresh again" in box(app)


async def test_a_diff_that_a_write_set_check_lets_through(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        await press(pilot, "alt+3", "r")
        said = box(app)
        assert said.startswith("D7 must not be applied here: it is stale.")
        assert "a check of these alone lets it pass: nobody wrote there since r41" in said
        assert "it was applied at 74; this is the step before" in said
        await press(pilot, "escape", "j", "j", "r")
        assert box(app).startswith("D8 may be applied here: it is reconcilable")


async def test_a_conflict_has_no_place(stale_base: History) -> None:
    async with opened(stale_base, at=91) as (app, pilot):
        await press(pilot, "alt+3", "r")
        assert "rules an edit has no place here" in box(app)
        assert "a check of these alone stops it" in box(app)
        assert "impossible: an edit has no place" in box(app)


async def test_holders_of_a_span(stale_base: History) -> None:
    async with opened(sample("stale-embedding").path, at=22) as (app, pilot):
        await asked(pilot, "stale-embedding")
        assert "Due: copy on rewrite." in box(app)
    async with opened(stale_base, at=71) as (app, pilot):
        await press(pilot, "colon", *"docs/limits", "enter", "colon", *"71", "enter", "alt+1", "r")
        assert box(app).startswith("cite:limits goes stale if docs/limits is rewritten in place")
        assert "D7 becomes stale" in box(app)


async def test_what_is_stale_already_is_harmed_no_further(dropped_inverse: History) -> None:
    async with opened(dropped_inverse, at=38) as (app, pilot):
        await press(pilot, "r")
        assert box(app).startswith("All that is held of types is out of date already")
        assert "is stale re-key it" in box(app)
        assert screen_lines(app)[-2].endswith("rewrite types at 38: in place, nobody is to be told")


async def test_where_there_is_nothing_to_ask(stale_base: History) -> None:
    async with opened(stale_base, at=1) as (app, pilot):
        for pane, said in (
            ("alt+2", "there is nothing to undo at 1"),
            ("alt+3", "nothing is staged at 1"),
        ):
            await press(pilot, pane, "r")
            assert said in screen_lines(app)[-2]
            assert "SIMULAT" not in screen_text(app)


async def test_a_diff_that_is_gone_is_told(stale_base: History) -> None:
    async with opened(stale_base, at=73) as (app, pilot):
        await press(pilot, "alt+3", "j", "r")
        assert box(app).startswith("D7 must not be applied here")
        await press(pilot, "l", "l")
        assert box(app) == "D7 is not staged at 75"


async def test_escape_closes_help_first_then_the_texts_then_what_if(
    dropped_inverse: History,
) -> None:
    async with opened(dropped_inverse, at=31) as (app, pilot):
        await asked(pilot, "dropped-inverse")
        await press(pilot, "enter", "question_mark", "escape")
        assert "naive undo" in box(app)
        await press(pilot, "escape")
        assert box(app).startswith("Exact undo stops")
        await press(pilot, "escape")
        assert app.desk.what_if is None


async def test_what_does_not_fit_is_scrolled(dropped_inverse: History) -> None:
    async with opened(dropped_inverse, (60, 20), at=31) as (app, pilot):
        await asked(pilot, "dropped-inverse")
        assert "1..13 of " in screen_text(app)
        assert "ainty run" not in box(app)
        await press(pilot, "pagedown", "pagedown")
        assert "ainty run" in box(app)
        await press(pilot, "pageup", "pageup")
        assert box(app).startswith("Exact undo stops")


async def test_the_palette_has_it(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        await press(pilot, "ctrl+k")
        await press(pilot, *"rollback, an apply")
        await app.workers.wait_for_complete()
        await press(pilot, "enter")
        assert "apply D7 at 73" in screen_text(app)


async def test_nothing_of_the_history_moves() -> None:
    history = load(sample("twin-blocks").path)
    before = [history.at(seq).digest for seq in history.seqs]
    async with opened(history, at=25) as (_, pilot):
        await press(pilot, "r", "j", "enter", "escape", "escape", "alt+1", "j", "r", "escape")
    assert [history.at(seq).digest for seq in history.seqs] == before
    assert history.last == 42
    assert len(history.at(42).undo()) == 17


async def test_hostile_texts_are_inert(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "hostile.jsonl", hostile_events("\x1b[31m[/x]\u202e"))
    async with opened(path, (80, 24), at=8) as (app, pilot):
        for pane in ("alt+1", "alt+2", "alt+3"):
            await press(pilot, pane, "j", "r", "enter", "escape", "escape")
        await press(pilot, "alt+2", "j", "r", *"9j", "enter")
        text = screen_text(app)
        assert "SIMULATION" in text
        assert "\x1b" not in text
        assert "\u202e" not in text
