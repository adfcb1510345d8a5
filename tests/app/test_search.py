"""Searching: what is found where, in which order, and beside drawing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.histories import a_program, whole
from support.screens import (
    SIZES,
    opened,
    pane_text,
    press,
    screen_lines,
    until,
    write_journal,
)

from spanscope.app import searching
from spanscope.app.app import SpanscopeApp
from spanscope.app.search import PENDING, Search
from spanscope.history.event_texts import texts_of
from spanscope.history.history import History, load
from spanscope.widgets.findings import label


def matching(history: History, text: str) -> list[int]:
    """The plain way: every event, every text."""
    found = []
    for seq in history.seqs:
        event = history.event(seq)
        assert event is not None
        texts = [*texts_of(event), label(history.findings_at(seq))]
        if any(text.casefold() in one.casefold() for one in texts):
            found.append(seq)
    return found


@given(st.integers(0, 10**6), st.sampled_from(["a", "ab", "splice", "S1", "und2", "zz"]))
@settings(max_examples=25)
def test_all_matches_and_the_nearest_of_them(seed: int, text: str) -> None:
    history = whole(a_program(seed, 30))
    wanted = matching(history, text)
    for start in (0, 1, history.last // 2, history.last):
        search = Search(history, text, start)
        looked = 0
        while not search.done:
            for cursor in (start, 1, history.last):
                for back in (False, True):
                    found = search.next(cursor, back=back)
                    assert found in (PENDING, nearest(wanted, cursor, back=back))
            search.advance(0)
            search._look_once()
            looked += 1
        assert looked == len(history)
        assert search.found == len(wanted) == sum(search.counts.values())
        for cursor in (0, *history.seqs):
            for back in (False, True):
                assert search.next(cursor, back=back) == nearest(wanted, cursor, back=back)


def nearest(wanted: list[int], cursor: int, *, back: bool) -> int | None:
    if not wanted:
        return None
    if back:
        return max((seq for seq in wanted if seq < cursor), default=wanted[-1])
    return min((seq for seq in wanted if seq > cursor), default=wanted[0])


EVENTS: list[dict[str, Any]] = [
    {"type": "ingest", "span": "quota", "content": "one"},
    {"type": "ingest", "span": "a", "content": "the Quota is 100", "actor": "tool:quota"},
    {"type": "mark", "kind": "note", "label": "no more quota"},
    {"type": "derive", "artifact": "c", "span": "a", "kind": "quota-map", "holder": "x"},
    {"type": "splice", "span": "b", "at": 9, "delete": 0, "insert": ""},
]


def test_counts_say_where(tmp_path: Path) -> None:
    history = load(write_journal(tmp_path / "made.jsonl", EVENTS))
    search = Search(history, "quota")
    search.advance(10)
    assert search.counts == {"id": 1, "actor": 1, "content": 1, "kind": 1}
    assert search.answer(3) == (
        "'quota': 3 of 4 matches; n N; 1 in ids, 1 in actors, 1 in kinds, 1 in contents"
    )
    for text, where in (("jnl007", "finding"), ("splice b agent", "row")):
        search = Search(history, text)
        search.advance(10)
        assert search.counts == {where: 1}


@pytest.fixture
def long(tmp_path: Path) -> History:
    events = [{"type": "mark", "kind": "note", "label": f"number {n}"} for n in range(1, 3001)]
    return load(write_journal(tmp_path / "long.jsonl", events))


async def test_a_jump_waits_for_its_match(long: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "SLICE", 0)
    monkeypatch.setattr("spanscope.app.search.AT_A_TIME", 1)
    async with opened(long, at=1) as (app, pilot):
        await press(pilot, "slash", *"number 2900", "enter")
        assert app.navigator.seq == 1
        assert "no match in 0% of the events" in screen_lines(app)[-2]
        monkeypatch.setattr(searching, "SLICE", 10)
        await until(pilot, lambda: app.navigator.seq == 2900)
        assert "'number 2900': 1 of 1 match; n N; 1 in contents" in screen_lines(app)[-2]


async def test_whoever_moves_on_is_not_pulled_away(
    long: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "SLICE", 0)
    monkeypatch.setattr("spanscope.app.search.AT_A_TIME", 1)
    async with opened(long, at=1) as (app, pilot):
        await press(pilot, "slash", *"number 2900", "enter", "l")
        monkeypatch.setattr(searching, "SLICE", 10)
        await until(pilot, lambda: not app.commands.looking)
        assert app.navigator.seq == 2
        assert screen_lines(app)[-2].startswith(" 2 note: number 2")
        await press(pilot, "n")
        assert app.navigator.seq == 2900


async def test_matches_are_counted_while_one_types(long: History) -> None:
    async with opened(long, at=1) as (app, pilot):
        await press(pilot, "slash", *"number 29")
        await until(pilot, lambda: not app.commands.looking)
        await pilot.pause()
        assert "111 matches; n N; 111 in contents" in screen_lines(app)[-2]
        await press(pilot, "escape")
        assert "matches" not in screen_lines(app)[-2]


TEXT = "\n".join(f"line {n} quota" if n % 40 == 0 else f"line {n}" for n in range(1, 161))
READ: list[dict[str, Any]] = [
    {"type": "ingest", "span": "a", "content": "no such word"},
    {"type": "ingest", "span": "b", "content": TEXT},
    {"type": "ingest", "span": "c", "content": "a quota of its own"},
]


@pytest.mark.parametrize("size", SIZES)
async def test_matches_are_marked_in_the_text_and_walked(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    history = load(write_journal(tmp_path / "made.jsonl", READ))
    async with opened(history, size, at=1) as (app, pilot):
        await press(pilot, "alt+6", "slash", *"QUOTA", "enter")
        assert app.navigator.seq == 2
        for number in (40, 80, 120, 160):
            assert f"line {number} quota" in pane_text(app, "detail")
            assert reversed_words(app) == {"quota"}
            await press(pilot, "n")
        assert app.navigator.seq == 3
        assert "a quota of its own" in pane_text(app, "detail")
        await press(pilot, "N")
        assert app.navigator.seq == 2
        await press(pilot, "n")
        assert "'QUOTA' stands here 4 times" in screen_lines(app)[-2]
        await press(pilot, "escape")
        assert reversed_words(app) == set()


@pytest.mark.parametrize("changed", [False, True])
async def test_a_match_far_down_comes_into_view_and_keys_are_answered_meanwhile(
    tmp_path: Path, changed: bool
) -> None:
    far = "\n".join(f"line {number}" for number in range(5_000))
    events: list[dict[str, Any]] = [
        {"type": "ingest", "span": "a", "content": "short"},
        {"type": "ingest", "span": "b", "content": f"{far} the needle"},
        {"type": "rewrite", "span": "b", "op": "reword", "content": f"{far} another needle"},
    ]
    history = load(write_journal(tmp_path / "made.jsonl", events if changed else events[:2]))
    async with opened(history, (120, 40), at=1) as (app, pilot):
        await press(pilot, "alt+6", "slash", *("another" if changed else "needle"))
        await pilot.press("enter")
        last = 3 if changed else 2
        await until(pilot, lambda: app.navigator.seq == last)
        await until(pilot, lambda: "line 4999" in pane_text(app, "detail"))
        assert not app.board.seeking
        assert reversed_words(app) == {"another" if changed else "needle"}
        await press(pilot, "h")
        assert app.navigator.seq == last - 1


OTHER = TEXT.replace("line", "row")
CHANGED: list[dict[str, Any]] = [
    *READ[:2],
    {"type": "rewrite", "span": "b", "op": "reword", "content": OTHER},
    READ[2],
]


@pytest.mark.parametrize("size", SIZES)
async def test_matches_in_a_comparison_are_walked_and_changes_too(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    history = load(write_journal(tmp_path / "made.jsonl", CHANGED))
    async with opened(history, size, at=1) as (app, pilot):
        await press(pilot, "alt+7", "slash", *"160 QUOTA", "enter", "n")
        assert app.navigator.seq == 3
        assert "160 quota" in pane_text(app, "detail")
        assert reversed_words(app) == {"160 quota"}
        await press(pilot, "d")
        assert "line 1 " in pane_text(app, "detail").replace("\n", " ")
        assert "160 quota" not in pane_text(app, "detail")
        await press(pilot, "n")
        assert app.navigator.seq == 3
        assert "160 quota" in pane_text(app, "detail")
        assert "'160 QUOTA' stands in these texts" in screen_lines(app)[-2]


async def test_every_match_of_a_comparison_is_seen_before_the_next_event(tmp_path: Path) -> None:
    history = load(write_journal(tmp_path / "made.jsonl", CHANGED))
    places = [f"{word} {n} quota" for word in ("line", "row") for n in (40, 80, 120, 160)]
    async with opened(history, (80, 24), at=2) as (app, pilot):
        await press(pilot, "alt+7", "slash", *"quota", "enter")
        seen: list[str] = []
        while app.navigator.seq == 3:
            text = pane_text(app, "detail")
            seen += [one for one in places if one in text]
            await press(pilot, "n")
        assert app.navigator.seq == 4
        assert list(dict.fromkeys(seen)) == places
        await press(pilot, "N")
        assert app.navigator.seq == 3


async def test_from_another_pane_it_goes_on_to_the_next_event(tmp_path: Path) -> None:
    history = load(write_journal(tmp_path / "made.jsonl", READ))
    async with opened(history, at=1) as (app, pilot):
        await press(pilot, "alt+6", "alt+4", "slash", *"quota", "enter", "n")
        assert app.navigator.seq == 3


def reversed_words(app: SpanscopeApp) -> set[str]:
    """What is drawn reversed in the detail pane."""
    region = app.board.panes["detail"].region
    strips = app.screen._compositor.render_strips(app.size)[region.y : region.bottom]
    return {
        segment.text
        for strip in strips
        for segment in strip.crop(region.x, region.right)
        if segment.style is not None and segment.style.reverse
    }
