"""Filter, watch, continue and `:` with expressions, by real keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.journals import of, recorded
from support.screens import opened, pane_text, press, screen_lines, until, write_journal
from textual.pilot import Pilot

from spanscope.app.completing import Completed, completed
from spanscope.app.expressions import FAR, refusal
from spanscope.app.navigation import Navigator
from spanscope.app.prompt import lead
from spanscope.history.expression import ExpressionError, parse
from spanscope.history.filtering import Watch
from spanscope.history.history import History, load
from spanscope.history.matching import Matcher
from spanscope.sample_sessions import sample_path
from spanscope.text.cells import cell_width
from spanscope.widgets.live import Live
from spanscope.widgets.scene import Audit


async def enter(pilot: Pilot[int], key: str, text: str) -> None:
    await press(pilot, key)
    await press(pilot, *("space" if char == " " else char for char in text))
    await press(pilot, "enter")


def meant(history: History, text: str) -> list[int]:
    matcher = Matcher(history, parse(text))
    return [seq for seq in history.seqs if matcher.fits(seq)]


async def test_a_filter_leaves_only_what_it_means(stale_base: History) -> None:
    wanted = meant(stale_base, "splice or error")
    async with opened(stale_base, at=74) as (app, pilot):
        await enter(pilot, "F", "splice or error")
        chosen = app.navigator.filter
        assert chosen is not None
        await until(pilot, lambda: chosen.done)
        assert chosen.seqs == wanted
        title = app.board.panes["events"].title_text
        assert f"Events {len(wanted)} of {len(stale_base)}" in title
        assert "filter splice or error" in title
        rows = [row.lstrip("> ").split() for row in pane_text(app, "events").splitlines()]
        shown = {int(row[0]) for row in rows if row and row[0].isdecimal()}
        assert shown
        assert shown <= set(wanted)


async def test_what_holds_stands_in_the_line_and_ctrl_u_takes_it_off(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        for key, said in (("F", "all events are shown"), ("w", "no watch")):
            await press(pilot, key)
            assert "ctrl+u" not in screen_lines(app)[-2]
            await press(pilot, *"error", "enter", key)
            assert screen_lines(app)[-2].endswith("; ctrl+u empties the line")
            assert screen_lines(app)[-1] == f" {key} error"
            await press(pilot, "ctrl+u", "enter")
            assert screen_lines(app)[-2] == f" {said}"


async def test_a_filter_that_leaves_nothing_says_what_changes_it(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        await enter(pilot, "F", "zzz")
        said = "no event is meant by the filter: F changes it"
        await until(pilot, lambda: said in pane_text(app, "events"))
        await press(pilot, "j")
        assert screen_lines(app)[-2] == f" {said}"


async def test_a_hidden_cursor_is_said_and_rows_are_walked(stale_base: History) -> None:
    wanted = meant(stale_base, "error")
    hidden = next(seq for seq in stale_base.seqs if seq > wanted[0] and seq not in wanted)
    async with opened(stale_base, at=hidden) as (app, pilot):
        await enter(pilot, "F", "error")
        assert f"step {hidden} hidden" in app.board.panes["events"].title_text
        await press(pilot, "k")
        assert app.navigator.seq == wanted[0]
        assert "hidden" not in app.board.panes["events"].title_text
        await press(pilot, "F", *(["backspace"] * 5), "enter")
        assert app.navigator.filter is None
        assert f"Events {len(stale_base)}" in app.board.panes["events"].title_text


async def test_an_error_stands_under_its_place(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        await press(pilot, "F", *"seq>=ten")
        lines = screen_lines(app)
        prompt = next(line for line in lines if line.startswith(" F"))
        above = lines[lines.index(prompt) - 1]
        assert prompt.index("ten") == above.index("^^^")
        assert "seq needs a number" in above
        await press(pilot, "enter")
        assert app.navigator.filter is None
        assert "character 6" in screen_lines(app)[-2]


@pytest.mark.parametrize("text", ['日本 "語', 'e\u0301 "x', 'plain "x'])
def test_the_carets_stand_below_characters_of_any_width(text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    carets, _, _ = refusal("F", text, caught.value).rpartition(" a quotation has no end")
    # The message line begins with a space, the prompt with its sign.
    assert cell_width(" " + carets) == cell_width(lead("F") + text)
    assert cell_width(" " + carets.rstrip("^")) == cell_width(lead("F") + text[: text.index('"')])


async def test_a_watch_stops_motions_both_ways(stale_base: History) -> None:
    wanted = meant(stale_base, "error")
    async with opened(stale_base, at=1) as (app, pilot):
        await enter(pilot, "w", "error")
        assert "watch error" in app.board.panes["events"].title_text
        await press(pilot, *"500l")
        assert app.navigator.seq == wanted[0]
        assert f"watch stops at {wanted[0]}" in screen_lines(app)[-2]
        await press(pilot, *"500l")
        later = [seq for seq in wanted if seq > wanted[0]]
        assert app.navigator.seq == (later[0] if later else stale_base.last)
        await press(pilot, "G")
        assert app.navigator.seq == stale_base.last
        await press(pilot, *"500h")
        before = [seq for seq in wanted if seq < stale_base.last]
        assert app.navigator.seq == before[-1]


class TestALongWay:
    """A watch looks at every event that a motion passes: beside drawing, where they are many."""

    EVENTS = 4_000
    RARE = 3_900

    @pytest.fixture(autouse=True)
    def standing_still(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("spanscope.app.cursor.SLICE", 0.0)

    @pytest.fixture
    def long(self) -> History:
        marks = [of("mark", kind="note", label="x") for _ in range(self.EVENTS)]
        marks[self.RARE - 1] = of("mark", kind="note", label="rare")
        return recorded(*marks)

    async def test_stops_where_the_watch_holds(
        self, long: History, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with opened(long, at=1) as (app, pilot):
            await enter(pilot, "w", '"rare"')
            await press(pilot, *"9999l")
            assert app.navigator.seq == 1
            monkeypatch.setattr("spanscope.app.cursor.SLICE", 0.0001)
            await until(pilot, lambda: not app.commands.looking)
            assert app.navigator.seq == self.RARE
            assert f"watch stops at {self.RARE}" in screen_lines(app)[-2]
            await press(pilot, *"3000h")
            await until(pilot, lambda: not app.commands.looking)
            assert app.navigator.seq == self.RARE - 3_000

    async def test_escape_ends_it_and_so_does_another_motion(self, long: History) -> None:
        async with opened(long, at=1) as (app, pilot):
            await enter(pilot, "w", '"nowhere"')
            for key in ("escape", "g"):
                await press(pilot, *"9999l")
                assert "on the way to 4000" in screen_lines(app)[-2]
                await press(pilot, key)
                assert not app.commands.looking
                assert app.navigator.seq == 1


async def test_continue_goes_on_to_the_next(stale_base: History) -> None:
    wanted = meant(stale_base, "stage")
    async with opened(stale_base, at=1) as (app, pilot):
        await press(pilot, "c")
        assert "nothing is watched" in screen_lines(app)[-2]
        await enter(pilot, "w", "stage")
        for seq in wanted:
            await press(pilot, "c")
            await until(pilot, lambda: not app.commands.expressions.looking)
            assert app.navigator.seq == seq
        await press(pilot, "c")
        assert "no event after" in screen_lines(app)[-2]
        await press(pilot, "C")
        assert app.navigator.seq == (wanted[-2] if len(wanted) > 1 else wanted[-1])


async def test_colon_takes_an_expression(stale_base: History) -> None:
    wanted = meant(stale_base, "actor:planner stage")
    assert wanted
    async with opened(stale_base, at=1) as (app, pilot):
        await enter(pilot, "colon", "actor:planner stage")
        assert app.navigator.seq == wanted[0]


async def test_colon_goes_round_and_says_where_only_this_event_is_meant(
    stale_base: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spanscope.app.expressions.SLICE", 60)
    async with opened(stale_base, at=90) as (app, pilot):
        await press(pilot, "colon", *("space" if char == " " else char for char in "apply D7"))
        assert "74 apply D7 by planner" in screen_lines(app)[-2]
        await press(pilot, "enter")
        assert app.navigator.seq == 74
        await press(pilot, "colon", *("space" if char == " " else char for char in "apply D7"))
        assert "only 74, where you are, is meant by apply D7" in screen_lines(app)[-2]
        await press(pilot, "enter")
        assert "only 74, where you are" in screen_lines(app)[-2]
        assert app.navigator.seq == 74


def test_a_followed_journal_stops_at_the_watch() -> None:
    data = sample_path("stale-base", safe=False).read_bytes().splitlines(keepends=True)
    history = History()
    history.feed(b"".join(data[:3]))
    navigator = Navigator(history)
    navigator.following = True
    navigator.watch = Watch(history, "error")
    live = Live("live", pid=1)
    history.feed(b"".join(data[3:]))
    navigator.grew(Audit(), live)
    stop = meant(history, "error")[0]
    assert navigator.seq == stop
    assert not navigator.following
    assert f"watch stops at {stop}" in navigator.halted
    navigator.grew(Audit(), live)
    assert navigator.halted == ""


@pytest.mark.parametrize(
    ("key", "typed", "said"),
    [
        ("colon", "kind:apply", "74 apply D7 by planner  ! DIF311; enter goes there"),
        ("colon", "kind:compact", "no event is meant by kind:compact"),
        ("w", "kind:apply", "stops next at 74, 75; enter sets it"),
        ("w", "kind:ingest", "stops next at 6, 12, 13, ..; enter sets it"),
        ("F", "error or kind:apply", "enter leaves 3 of 97 events"),
    ],
)
async def test_while_one_types_it_is_said_what_is_meant(
    stale_base: History, monkeypatch: pytest.MonkeyPatch, key: str, typed: str, said: str
) -> None:
    monkeypatch.setattr("spanscope.app.expressions.SLICE", 60)
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, key, *("space" if char == " " else char for char in typed))
        assert screen_lines(app)[-2].strip() == said


async def test_what_is_wrong_far_along_a_line_is_told_by_its_number(stale_base: History) -> None:
    async with opened(stale_base, (80, 24), at=5) as (app, pilot):
        near = FAR - 2
        await press(pilot, "F", *"a" * near, "right_parenthesis")
        assert screen_lines(app)[-2].rstrip() == " " * (FAR + 1) + "^ what should ')' belong to?"
        await press(pilot, "backspace", "a", "right_parenthesis")
        said = f"what should ')' belong to? (character {near + 2})"
        assert screen_lines(app)[-2].strip() == said


async def test_what_takes_longer_to_find_is_not_waited_for(
    stale_base: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spanscope.app.expressions.SLICE", 0)
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, "w", *"D7")
        assert "enter watches: D7" in screen_lines(app)[-2]


async def test_tab_completes_ids_and_rules(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, "colon", *"docs/li", "tab")
        assert screen_lines(app)[-1].strip() == ":docs/limits"
        await press(pilot, "enter")
        assert app.navigator.seq == 19
        await press(pilot, "F", *"not(span:docs/l", "tab")
        assert screen_lines(app)[-1].strip() == "F not(span:docs/limits"
        await press(pilot, "escape", "w", *"DIF3", "tab")
        assert "5 begin so: DIF301  DIF303  DIF304  DIF306  DIF311" in screen_lines(app)[-2]
        await press(pilot, *"x", "tab")
        assert "no id and no rule here begins with DIF3x" in screen_lines(app)[-2]
        assert screen_lines(app)[-1].strip() == "w DIF3x"


def test_only_names_that_can_be_typed_are_completed(tmp_path: Path) -> None:
    spans = ("plan one", "plan\x1b[31m", "plan(1)", "plan/1")
    history = load(
        write_journal(
            tmp_path / "x.jsonl",
            [{"type": "ingest", "span": span, "content": ""} for span in spans],
        )
    )
    assert completed(history, "pl") == Completed("plan/1")
