"""Motions by real keys: where they lead, and what the header, the events and the message say."""

from __future__ import annotations

import pytest
from support.screens import opened, pane_text, press, screen_lines, until
from textual.events import Key

from spanscope.app.actions import ACTIONS
from spanscope.history.history import History
from spanscope.widgets.subject import Subject


def here(history: History) -> list[int]:
    """The steps that `e` stops at."""
    return sorted({f.seq for f in history.findings if f.seq and f.severity != "info"})


async def test_it_opens_at_the_first_error(stale_base: History) -> None:
    first = next(f.seq for f in stale_base.findings if f.severity == "error")
    async with opened(stale_base) as (app, _):
        assert app.navigator.seq == first
        lines = screen_lines(app)
        assert f"step {first}/{stale_base.last}" in lines[0]
        assert any(row.startswith(f">  {first} ") for row in pane_text(app, "events").splitlines())
        assert lines[-2].startswith(" ! DIF311  at 74  D7 was applied")


async def test_it_opens_at_a_step_that_was_asked_for(stale_base: History) -> None:
    async with opened(stale_base, at=3) as (app, _):
        assert app.navigator.seq == 3
    async with opened(stale_base, at=0) as (app, _):
        assert app.navigator.seq == 0
        assert "the buffer is empty" in screen_lines(app)[-2]


async def test_a_step_beyond_the_end_is_said(stale_base: History) -> None:
    async with opened(stale_base, at=4000) as (app, _):
        assert f"no such seq: {stale_base.last} is the last" in screen_lines(app)[-2]


async def test_steps_and_counts(stale_base: History) -> None:
    async with opened(stale_base, at=10) as (app, pilot):
        for keys, seq in (
            ("l", 11),
            ("right", 12),
            ("h", 11),
            ("left", 10),
            ("5l", 15),
            ("12l", 27),
            ("20h", 7),
            ("10l", 17),
        ):
            await press(pilot, *([keys] if len(keys) > 3 else keys))
            assert app.navigator.seq == seq, keys


@pytest.mark.parametrize("opener", ["alt+2", "v"])
async def test_no_count_is_too_great(stale_base: History, opener: str) -> None:
    counted = [each for each in ACTIONS if each.group in ("move", "pane")]
    async with opened(stale_base, (80, 24), at=30) as (app, pilot):
        app.commands.searching.entered("notes")
        await press(pilot, opener)
        for action in counted:
            app.desk.count = "9999999"
            await pilot.press(action.keys[0])
            if app.board.prompt.opened or app.desk.places or app.desk.what_if:
                await pilot.press("escape")
            assert app.is_running, action.id


async def test_the_count_is_shown_while_it_is_typed(stale_base: History) -> None:
    async with opened(stale_base, at=10) as (app, pilot):
        await press(pilot, "1", "2")
        assert screen_lines(app)[-1].startswith(" 12   h l step")
        await press(pilot, "l")
        assert screen_lines(app)[-1].startswith(" h l step")


async def test_the_ends_are_said(stale_base: History) -> None:
    async with opened(stale_base, at=2) as (app, pilot):
        await press(pilot, "G")
        assert app.navigator.seq == stale_base.last
        await press(pilot, "l")
        assert "this is the last event" in screen_lines(app)[-2]
        await press(pilot, "g")
        assert app.navigator.seq == 1
        await press(pilot, "h", "h")
        assert app.navigator.seq == 0
        assert "this is before the first event" in screen_lines(app)[-2]


async def test_findings(stale_base: History) -> None:
    stops = here(stale_base)
    async with opened(stale_base, at=1) as (app, pilot):
        for seq in stops:
            await press(pilot, "e")
            assert app.navigator.seq == seq
        await press(pilot, "e")
        assert f"no finding after {stops[-1]}" in screen_lines(app)[-2]
        for seq in reversed(stops[:-1]):
            await press(pilot, "E")
            assert app.navigator.seq == seq
        await press(pilot, "g", "2", "e")
        assert app.navigator.seq == stops[1]


async def test_turns(stale_base: History) -> None:
    turns = stale_base.turns
    async with opened(stale_base, at=0) as (app, pilot):
        for number, seq in enumerate(turns, 1):
            await press(pilot, "t")
            assert app.navigator.seq == seq
            assert f"turn {number}/{len(turns)}" in screen_lines(app)[0]
        await press(pilot, "t")
        assert f"no turn after {turns[-1]}" in screen_lines(app)[-2]
        await press(pilot, "2", "T")
        assert app.navigator.seq == turns[-3]


async def test_along_the_selected_thing(stale_base: History) -> None:
    touched = stale_base.touched({"span": "notes"})
    async with opened(stale_base, at=touched[0]) as (app, pilot):
        assert app.navigator.selected == Subject("span", "notes")
        for seq in touched[1:]:
            await press(pilot, "s")
            assert (app.navigator.seq, app.navigator.selected) == (seq, Subject("span", "notes"))
        await press(pilot, "s")
        assert "no event that touched notes after" in screen_lines(app)[-2]
        await press(pilot, "S")
        assert app.navigator.seq == touched[-2]


async def test_without_a_selection_it_is_said_how_to_get_one(stale_base: History) -> None:
    async with opened(stale_base, at=0) as (app, pilot):
        for key in ("s", "S", "b", "enter"):
            await press(pilot, key)
            assert screen_lines(app)[-2] == (
                " nothing is selected: j k in Spans, Undo or Staging selects a row"
            )


async def test_blame_goes_to_the_cause_and_back(stale_base: History) -> None:
    finding = next(f for f in stale_base.findings if f.rule == "DIF311")
    async with opened(stale_base) as (app, pilot):
        assert app.navigator.seq == finding.seq
        await press(pilot, "b")
        assert app.navigator.seq == finding.caused_by
        assert app.navigator.selected == Subject("diff", "D7")
        await press(pilot, "ctrl+o")
        assert app.navigator.seq == finding.seq


async def test_going_to_a_place(stale_base: History) -> None:
    revision = next(seq for seq in stale_base.seqs if stale_base.revision_at(seq) == 10)
    async with opened(stale_base, at=1) as (app, pilot):
        for text, seq in (
            ("42", 42),
            ("turn 3", stale_base.turns[2]),
            ("t2", stale_base.turns[1]),
            ("r10", revision),
            ("D8", stale_base.touched({"diff": "D8"})[0]),
            ("#45", stale_base.touched({"entry": 45})[0]),
            ("dif311", 74),
            ("DIF311@74", 74),
            ("13:56:49", 71),
        ):
            await press(pilot, "g", "colon", *text)
            assert str(seq) in screen_lines(app)[-2], text
            await press(pilot, "enter")
            assert app.navigator.seq == seq, text


async def test_going_nowhere_says_why(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        for text, said in (
            ("999", f"no such seq: {stale_base.last} is the last"),
            ("turn 99", "no such turn: there are 7"),
            ("r999", "no such revision"),
            ("XYZ999", "no such rule: XYZ999"),
            ("SPN141", "no finding SPN141 in this session"),
            ("23:59:59", "no event at or after 23:59:59"),
        ):
            await press(pilot, "colon", *text)
            assert said in screen_lines(app)[-2], text
            await press(pilot, "enter")
            assert app.navigator.seq == 5
            assert said in screen_lines(app)[-2], text
        await press(pilot, "colon", *"seq>=ten", "enter")
        assert screen_lines(app)[-2] == (
            " not understood: seq needs a number, or two: 10..20 (character 6 of seq>=ten)"
        )


async def test_what_is_no_place_is_an_expression(
    stale_base: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spanscope.app.expressions.SLICE", 60)
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, "colon", *"nowhere")
        assert "no event is meant by nowhere" in screen_lines(app)[-2]
        await press(pilot, "enter")
        assert "no event is meant by nowhere" in screen_lines(app)[-2]
        assert app.navigator.seq == 5


async def test_searching(stale_base: History) -> None:
    async with opened(stale_base, at=1) as (app, pilot):
        await press(pilot, "slash", *"parallel jobs")
        assert "matches" in screen_lines(app)[-2]
        await press(pilot, "enter")
        found = [app.navigator.seq]
        await press(pilot, "n")
        found.append(app.navigator.seq)
        await press(pilot, "N")
        assert app.navigator.seq == found[0] < found[1]
        matches = [app.navigator.seq]
        await press(pilot, "n")
        while app.navigator.seq != matches[0]:
            matches.append(app.navigator.seq)
            await press(pilot, "n")
        await press(pilot, *"9999999", "n")
        assert app.navigator.seq == matches[9_999_999 % len(matches)]
        await press(pilot, "g", "n")
        assert app.navigator.seq == found[0]
        await press(pilot, "slash", *"no such text anywhere", "enter")
        assert app.navigator.seq == found[0]
        assert "'no such text anywhere': no match" in screen_lines(app)[-2]
        await press(pilot, "escape", "n")
        assert "nothing is sought" in screen_lines(app)[-2]


async def test_escape_leaves_the_prompt(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, "colon", "7", "escape")
        assert app.navigator.seq == 5
        assert screen_lines(app)[-1].startswith(" h l step")
        await press(pilot, "l")
        assert app.navigator.seq == 6


async def test_what_is_typed_at_once_goes_into_the_prompt(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        for key, character in (("colon", ":"), ("D", "D"), ("8", "8"), ("enter", "\r")):
            app.post_message(Key(key, character))
        await until(pilot, lambda: app.navigator.selected == Subject("diff", "D8"))
        assert not app.board.prompt.opened
