"""Bookmarks with notes, the list of places, and going back and forward again."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import pytest
from support.screens import opened, pane_text, press, screen_lines, screen_text, write_journal

from spanscope.app.bookmarks import Bookmarks, identity
from spanscope.history.history import History, load
from spanscope.sample_sessions import sample


async def test_a_bookmark_with_a_note_is_set_listed_and_gone_to(stale_base: History) -> None:
    async with opened(stale_base, at=72) as (app, pilot):
        await press(pilot, "m")
        assert "a note for a bookmark at 72" in screen_lines(app)[-2]
        await press(pilot, *"the page changed", "enter")
        assert "bookmark at 72; ' lists them" in screen_lines(app)[-2]
        await press(pilot, "g")
        assert any(row.startswith("m") for row in screen_lines(app)[2].split())
        await press(pilot, "apostrophe")
        listed = next(line for line in screen_lines(app) if "the page changed" in line)
        assert "> 72" in listed
        assert "~ DIF301 +2" in listed
        await press(pilot, "enter")
        assert app.navigator.seq == 72
        assert "Bookmarks" not in screen_text(app)


async def test_bookmarks_are_there_again(stale_base: History, state_folder: Path) -> None:
    async with opened(stale_base, at=20) as (app, pilot):
        await press(pilot, "m", "enter", "l", "m", *"second", "enter")
        assert app.navigator.bookmarks.notes == {20: "", 21: "second"}
    [kept] = (state_folder / "bookmarks").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text())["bookmarks"][1] == {"seq": 21, "note": "second"}
    async with opened(stale_base, at=20) as (app, pilot):
        assert app.navigator.bookmarks.notes == {20: "", 21: "second"}
        await press(pilot, "h")
        assert any(row.startswith("m  21") for row in pane_text(app, "events").splitlines())
        await press(pilot, "l", "M")
        assert "no bookmark at 20 any more" in screen_lines(app)[-2]
        await press(pilot, "M")
        assert "there is no bookmark at 20" in screen_lines(app)[-2]
        await press(pilot, "apostrophe", "M", "apostrophe")
        assert app.navigator.bookmarks.notes == {}
    async with opened(stale_base) as (app, _):
        assert app.navigator.bookmarks.notes == {}


async def test_a_note_is_changed_and_escape_changes_nothing(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        await press(pilot, "m", *"one", "enter", "m", *" two", "escape")
        assert app.navigator.bookmarks.notes == {5: "one"}
        await press(pilot, "m", *" two", "enter")
        assert app.navigator.bookmarks.notes == {5: "one two"}


async def test_the_list_is_walked_and_clicked(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        for seq in (10, 20, 30):
            await press(pilot, "colon", *str(seq), "enter", "m", "enter")
        await press(pilot, "apostrophe", "j", "j", "k", "enter")
        assert app.navigator.seq == 20
        await press(pilot, "apostrophe", "G", "j", "j", "j", "j", "j", "j", "j")
        assert app.board._places.listing is not None
        await press(pilot, "escape")
        assert not app.desk.places
        await press(pilot, "apostrophe")
        await pilot.click("#places", offset=(10, 4))
        await pilot.pause()
        assert app.navigator.seq == 30


async def test_back_and_forward_again(stale_base: History) -> None:
    async with opened(stale_base, at=5) as (app, pilot):
        for seq in (50, 9, 70):
            await press(pilot, "colon", *str(seq), "enter")
        await press(pilot, "ctrl+o", "O")
        assert app.navigator.seq == 50
        await press(pilot, "o")
        assert app.navigator.seq == 9
        await press(pilot, "2", "o")
        assert app.navigator.seq == 70
        await press(pilot, "o")
        assert "nothing was taken back" in screen_lines(app)[-2]
        await press(pilot, "ctrl+o", "g", "o")
        assert app.navigator.seq == 1
        await press(pilot, "apostrophe")
        assert "Where you were" in screen_text(app)


def test_a_journal_is_known_wherever_it_lies(tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere.jsonl"
    shutil.copy(sample("stale-base").path, moved)
    assert identity(load(moved)) == identity(load(sample("stale-base").path))
    assert identity(load(moved)) != identity(load(sample("stale-base", safe=True).path))
    assert identity(load(write_journal(tmp_path / "empty.jsonl", []))) is None


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"bookmarks": 3}', '{"bookmarks": [{"seq": "x", "note": 1}]}', "\x00" * 40],
)
def test_a_file_that_is_none_of_ours_is_set_aside(
    text: str, stale_base: History, state_folder: Path
) -> None:
    bookmarks = Bookmarks()
    assert bookmarks.follow(stale_base) is None
    assert bookmarks.set(stale_base, 4, "kept") is None
    [path] = (state_folder / "bookmarks").iterdir()
    path.write_text(text)
    again = Bookmarks()
    said = again.follow(stale_base)
    assert said is not None
    assert "could not be read" in said
    assert again.notes == {}
    assert path.with_suffix(".unreadable").read_text() == text


def test_a_state_folder_that_takes_nothing(
    stale_base: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    monkeypatch.setenv("SPANSCOPE_HOME", str(occupied))
    bookmarks = Bookmarks()
    why = f"can't create {occupied / 'bookmarks'}: a file is in its place; set SPANSCOPE_HOME to "
    assert f"can't read the bookmarks: {why}" in (bookmarks.follow(stale_base) or "")
    said = bookmarks.set(stale_base, 4, "") or ""
    assert f"the bookmark holds until you leave: {why}" in said
    assert bookmarks.notes == {4: ""}


async def test_nothing_to_bookmark(tmp_path: Path) -> None:
    async with opened(write_journal(tmp_path / "empty.jsonl", [])) as (app, pilot):
        await press(pilot, "m")
        assert "there is no event yet" in screen_lines(app)[-2]
        await press(pilot, "apostrophe")
        assert "none; m sets one at the cursor" in screen_text(app)
        await press(pilot, "enter", "j", "M")
        assert app.is_running


async def test_where_one_is_opened_at_is_no_jump(stale_base: History) -> None:
    async with opened(stale_base, at=20) as (app, pilot):
        await press(pilot, "ctrl+o")
        assert app.navigator.seq == 20
        await press(pilot, "e", "ctrl+o")
        assert app.navigator.seq == 20
