"""`spanscope` alone: the chooser, by real keys."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.claude import Transcript
from support.importing import lines
from textual.pilot import Pilot

from spanscope.app.choices import find_choices
from spanscope.app.chooser import KEYS, Chooser
from spanscope.app.settings import Settings
from spanscope.app.themes import THEMES
from spanscope.buffer.recorder import Recorder
from spanscope.cli.choose import demos
from spanscope.history.overview import MOST_BYTES, Overview, look_over
from spanscope.journal.recent import recent_journals, remember
from spanscope.sample_sessions import NAMES, sample, sample_path
from spanscope.widgets.sessions import Choice, SessionsListing, age


def text_of(app: Chooser) -> str:
    strips = app.screen._compositor.render_strips(app.size)
    return "\n".join(strip.text.rstrip() for strip in strips)


@asynccontextmanager
async def chooser(
    size: tuple[int, int] = (100, 40),
) -> AsyncIterator[tuple[Chooser, Pilot[Choice]]]:
    app = Chooser(demos())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        yield app, pilot


async def test_an_empty_folder_offers_the_demos() -> None:
    async with chooser() as (app, pilot):
        said = text_of(app)
        assert "what do you want to look at?" in said
        assert 'ContextBuffer.record("planner")' in said
        assert all(name in said for name in NAMES)
        assert "The citation that drifted" in said
        assert said.splitlines()[-2] == f" {sample(NAMES[0]).story}"
        assert app.selected is not None
        assert app.selected.name == NAMES[0]
        await pilot.press("j", "enter")
        assert app.return_value is not None
        assert app.return_value.name == NAMES[1]


async def test_the_safe_twin_of_a_demo_is_one_key_away(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"")
    remember(path)
    async with chooser((80, 24)) as (app, pilot):
        assert "s safe twin" in text_of(app).splitlines()[-1]
        assert "/ search" in text_of(app).splitlines()[-1]
        await pilot.press("s")
        assert text_of(app).splitlines()[-2] == " only a demo has a safe twin: d shows the demos"
        await pilot.press("d", "j", "s")
        assert app.return_value is not None
        twin = sample(NAMES[1], safe=True)
        assert (app.return_value.path, app.return_value.at) == (twin.path, twin.look_at)


async def test_ctrl_c_says_which_key_leaves() -> None:
    async with chooser() as (app, pilot):
        await pilot.press("ctrl+c")
        assert "q or ctrl+q leaves spanscope" in text_of(app)


async def test_live_and_recent_sessions_are_listed_with_what_was_found(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_bytes(sample_path("dropped-inverse", safe=False).read_bytes())
    remember(elsewhere)
    with Recorder.open("planner") as recorder:
        recorder.ingest("s", content="text")
        async with chooser((120, 40)) as (app, pilot):
            rows = text_of(app).splitlines()
            live = next(row for row in rows if "planner" in row and "LIVE pid" in row)
            assert "1 event" in live
            assert "no findings" in live
            recent = next(row for row in rows if "elsewhere" in row)
            assert "errors" in recent
            assert app.selected is not None
            assert app.selected.group == "live"
            await pilot.press("j", "enter")
            assert app.return_value is not None
            assert app.return_value.path == elsewhere


async def test_other_agents_are_listed_and_judged_as_what_they_are() -> None:
    session = Transcript("0196f2a4-1b2c-7d3e-8f40-123456789abc")
    session.user("Hi", cwd="/home/me/shop")
    folder = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / "-shop"
    folder.mkdir(parents=True)
    path, old = folder / "0196f2a4-1b2c-7d3e-8f40-123456789abc.jsonl", folder / "old.jsonl"
    for each in (path, old):
        each.write_bytes(lines(session.rows))
    os.utime(old, (1, 1))
    remember(old)
    async with chooser() as (app, pilot):
        rows = text_of(app).splitlines()
        assert "Other agents" in "".join(rows)
        row = next(row for row in rows if "shop 0196f2a4" in row)
        assert "Claude Code" in row
        assert "s ago" in row
        recent = next(row for row in rows if "old" in row.split())
        assert "no findings" in recent
        assert app.selected is not None
        assert (app.selected.group, app.selected.path) == ("agent", path)
        await pilot.press("enter")
        assert app.return_value == app.selected


async def test_search_demos_and_a_file_by_its_path(tmp_path: Path) -> None:
    remember(sample_path("dropped-inverse", safe=False))
    path = tmp_path / "j.jsonl"
    path.write_bytes(b"")
    async with chooser() as (app, pilot):
        assert not [choice for choice in app.choices.found if choice.group == "recent"]
        await pilot.press("slash", *"twin-b", "enter")
        assert [choice.name for choice in app.choices.shown()] == ["twin-blocks"]
        assert "Live now" not in text_of(app)
        await pilot.press("slash", *"q", "enter")
        assert "Demos" not in text_of(app)
        said = text_of(app).splitlines()[-2]
        assert said == " nothing has 'twin-bq' in its name; escape shows all"
        await pilot.press("escape", "d")
        assert "none yet" not in text_of(app)
        assert {choice.group for choice in app.choices.shown()} == {"demo"}
        await pilot.press("o", *"nowhere", "enter")
        await pilot.pause()
        assert "there is no file nowhere" in text_of(app)
        await pilot.press("o")
        app.prompt.insert(str(path))
        await pilot.press("enter")
        await pilot.pause()
        assert app.return_value is not None
        assert app.return_value.path == path


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (176, "closed              1,204 events   ! 12 errors  ~ 10       yesterday"),
        (102, "closed              1,204 events   ! 12 errors  ~ 10       yesterday"),
        (76, "closed     1,204  ! 12 errors  ~ 10   yesterday"),
        (56, "! 12 errors  ~ 10   yesterday"),
    ],
)
def test_a_row_says_what_was_found_and_when_however_narrow(width: int, said: str) -> None:
    path = Path("planner-20261130T180624Z-15994.jsonl")
    choice = Choice("recent", path.stem, path, modified=0.0)
    overview = Overview(closed=True, events=1_204, errors=12, warnings=10, unknown=0)
    listing = SessionsListing([choice], {path: overview}, choice, width, 100_000.0)
    [row] = [listing.row(at) for at in range(len(listing)) if listing.choice(at)]
    assert re.search(rf"Z-15994 +{re.escape(said)}$", row.text)
    assert row.width <= width
    live = choice._replace(group="live", pid=4711)
    listing = SessionsListing([live], {path: overview}, live, width, 100_000.0)
    [row] = [listing.row(at) for at in range(len(listing)) if listing.choice(at)]
    assert ("LIVE" in row.text) == (width > 56)
    assert ("LIVE pid 4711" in row.text) == (width > 76)


async def test_nothing_is_cut_at_80_columns() -> None:
    async with chooser((80, 24)) as (app, _):
        assert not [row for row in text_of(app).splitlines() if ".." in row]
        assert 'Live now                 none; ContextBuffer.record("planner") starts one' in (
            text_of(app)
        )


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (180, 50)])
async def test_it_fits_and_quits(size: tuple[int, int]) -> None:
    async with chooser(size) as (app, pilot):
        lines = text_of(app).splitlines()
        assert max(map(len, lines)) <= size[0]
        assert "q quit" in lines[-1] or "q quit" in lines[-2]
        said = [line for line in lines if line.strip("│ ").startswith(("Live now", "Demos"))]
        assert len(said) == 2
        assert not any(".." in line for line in said)
        await pilot.press("q")
    assert app.return_value is None


async def test_a_click_selects_and_a_second_one_opens() -> None:
    async with chooser() as (app, pilot):
        row = next(y for y, line in enumerate(text_of(app).splitlines()) if NAMES[2] in line)
        await pilot.click("#sessions", offset=(10, row - 1))
        await pilot.pause()
        assert app.selected is not None
        assert app.selected.name == NAMES[2]
        await pilot.click("#sessions", offset=(10, row - 1))
        await pilot.pause()
        assert app.return_value == app.selected


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (180, 50)])
async def test_help_shows_every_key_and_closes(size: tuple[int, int]) -> None:
    async with chooser(size) as (app, pilot):
        assert text_of(app).splitlines()[-1].rstrip().endswith("? help")
        await pilot.press("question_mark")
        await pilot.pause()
        shown = text_of(app)
        assert "Help" in shown
        assert all(about[: size[0] - 14] in shown for _, _, about in KEYS)
        await pilot.press("escape")
        await pilot.pause()
        assert "Help" not in text_of(app)


async def test_what_is_wrong_with_the_settings_is_said() -> None:
    app = Chooser(demos(), Settings(theme="light", problems=["config.toml:3: no such theme"]))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "config.toml:3: no such theme" in text_of(app)
        assert app.theme == THEMES["light"].name
        await pilot.press("ctrl+t")
        assert app.theme != THEMES["light"].name


async def test_a_file_that_is_gone_and_paths_that_can_be_none(tmp_path: Path) -> None:
    path = tmp_path / "soon-gone.jsonl"
    path.write_bytes(sample_path("dropped-inverse", safe=True).read_bytes())
    remember(path)
    async with chooser() as (app, pilot):
        assert app.selected is not None
        assert app.selected.path == path
        path.unlink()
        await pilot.press("enter")
        await pilot.pause()
        assert f"there is no file {path}"[:60] in text_of(app)
        assert app.selected.group == "demo"
        for typed, said in (("x" * 390, "file name too long"), ("a\x00b", "there is no file")):
            await pilot.press("o")
            app.prompt._input.value = typed
            await pilot.press("enter")
            await pilot.pause()
            assert said in text_of(app).replace("\n", " ") or "can't open xxx" in text_of(app)
        assert app.is_running


async def test_a_state_folder_that_is_none_leaves_the_demos(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def no_home() -> Path:
        raise RuntimeError("could not determine home directory")

    monkeypatch.delenv("SPANSCOPE_HOME")
    monkeypatch.setattr(Path, "home", no_home)
    async with chooser() as (app, _):
        assert "only the demos: there is no home folder" in text_of(app)
        assert {choice.group for choice in app.choices.found} == {"demo"}
    occupied = tmp_path / "file"
    occupied.touch()
    monkeypatch.setenv("SPANSCOPE_HOME", str(occupied))
    async with chooser((180, 50)) as (app, pilot):
        assert {choice.group for choice in app.choices.found} == {"demo"}
        assert text_of(app).splitlines()[-2] == (
            f" no sessions of yours: can't read {occupied}: a file is in its place; "
            "set SPANSCOPE_HOME to a folder of yours"
        )
        # It is said once: what is chosen then matters more.
        await pilot.press("j")
        app._find()
        assert text_of(app).splitlines()[-2] == f" {sample(NAMES[1]).story}"


async def test_an_unexpected_error_is_kept_for_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no")

    app = Chooser(demos())
    monkeypatch.setattr(Chooser, "action_demos", fail)
    with pytest.raises(ValueError, match="no"):
        async with app.run_test() as pilot:
            await pilot.press("d")
    assert isinstance(app.crash, ValueError)


def test_looking_over_ends_where_it_is_cancelled() -> None:
    assert look_over(sample_path("dropped-inverse", safe=True), cancelled=lambda: True) is None


@pytest.mark.parametrize("kept", [b"", b"{", b"[1]", b'["\\u0000"]', b"\xff"])
def test_a_broken_list_of_recent_journals_is_no_list(state_folder: Path, kept: bytes) -> None:
    (state_folder / "recent.json").write_bytes(kept)
    assert recent_journals() == []
    assert [choice for choice in find_choices(demos()) if choice.group == "recent"] == []


def test_an_overview_says_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(sample_path("dropped-inverse", safe=True).read_bytes())
    found = look_over(path)
    assert found is not None
    assert (found.closed, found.errors, found.found) == (True, 0, "no findings")
    assert Overview(events=3, errors=1, warnings=2, unknown=0).found == "! 1 error  ~ 2"
    gone = look_over(tmp_path / "gone.jsonl")
    assert gone is not None
    assert gone.trouble
    with path.open("ab") as file:
        file.truncate(MOST_BYTES + 1)
    assert look_over(path) == Overview()
    assert Overview().found == "large, not audited"


def test_ages_are_said_in_the_largest_unit() -> None:
    said = [age(seconds) for seconds in (-3, 2, 119, 7_300, 90_000, 200_000)]
    assert said == ["0 s ago", "2 s ago", "1 min ago", "2 hours ago", "yesterday", "2 days ago"]
