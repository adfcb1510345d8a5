"""Taking something out: `x` writes files that nobody else reads, `y` copies what is safe."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from support.screens import (
    assert_inert,
    hostile_events,
    opened,
    press,
    screen_lines,
    screen_text,
    until,
    write_journal,
)
from textual.pilot import Pilot

from spanscope.app.app import SpanscopeApp
from spanscope.app.exporting import safe_name, takes_copies, write_new
from spanscope.history.audited import audit_file
from spanscope.history.history import History
from spanscope.sample_sessions import sample

STALE_BASE = sample("stale-base").path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder that is empty, and a terminal that takes copies."""
    found = tmp_path / "here"
    found.mkdir()
    monkeypatch.chdir(found)
    for name in ("SSH_TTY", "SSH_CONNECTION", "TMUX", "STY", "TERM_PROGRAM", "WT_SESSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-kitty")
    return found


def files(folder: Path) -> list[str]:
    """What was written."""
    return [path.name for path in folder.iterdir()]


async def written(app: SpanscopeApp, pilot: Pilot[int], *keys: str) -> str:
    """Press keys and wait for what is said of the file."""
    await press(pilot, *keys)
    await until(pilot, lambda: app.desk.notice.startswith(("wrote", "nothing", "no slice")))
    return app.desk.notice


async def test_the_view_is_a_picture_of_what_is_on_the_screen(folder: Path) -> None:
    async with opened(STALE_BASE) as (app, pilot):
        shown = screen_lines(app)
        said = await written(app, pilot, "x", "v")
        assert said == f"wrote stale-base-74.svg: the view (in {folder})"
        svg = (folder / "stale-base-74.svg").read_text(encoding="utf-8")
        texts = html.unescape("".join(re.findall(r">([^<]*)<", svg))).replace("\xa0", " ")
        assert shown[0].split("  ")[0].strip() in texts
        assert "DIF311" in texts
        assert "Export" not in texts
        assert "http" not in svg.replace("http://www.w3.org", "").replace("https://www.textual", "")


async def test_a_slice_gives_the_finding_that_was_looked_at(folder: Path) -> None:
    async with opened(STALE_BASE, at=74) as (app, pilot):
        await press(pilot, "x")
        assert "a slice around DIF311 at 74, as a journal" in screen_text(app)
        said = await written(app, pilot, "s")
        assert said == (
            f"wrote stale-base-DIF311-74.jsonl: 5 of 74 events, DIF311 is at 5 (in {folder})"
        )
    audited = audit_file(folder / "stale-base-DIF311-74.jsonl")
    assert [(each.rule, each.seq) for each in audited.findings][-1] == ("DIF311", 5)


async def test_what_to_take_out_is_picked_with_j_k_and_enter(folder: Path) -> None:
    async with opened(STALE_BASE, at=74) as (app, pilot):
        assert "of 74 events" in await written(app, pilot, "x", "k", "j", "j", "enter")
        app.desk.notice = ""
        assert "the view" in await written(app, pilot, "x", "down", "up", "enter")
    assert sorted(files(folder)) == ["stale-base-74.svg", "stale-base-DIF311-74.jsonl"]


async def test_files_take_no_others_place_and_are_their_owners(folder: Path) -> None:
    (folder / "stale-base-74.svg").write_text("mine")
    async with opened(STALE_BASE) as (app, pilot):
        assert "stale-base-74-2.svg" in await written(app, pilot, "x", "v")
        app.desk.notice = ""
        assert "stale-base-74-3.svg" in await written(app, pilot, "x", "v")
    assert (folder / "stale-base-74.svg").read_text() == "mine"
    assert (folder / "stale-base-74-2.svg").stat().st_mode & 0o777 == 0o600


async def test_a_folder_that_takes_no_file_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("spanscope.app.exporting.write_new", refuse)
    async with opened(STALE_BASE) as (app, pilot):
        said = (
            f"nothing was written: permission denied, in {folder}; "
            "start spanscope in a folder that you can write to"
        )
        assert await written(app, pilot, "x", "s") == said
        assert "nothing was written: permission denied, in /" in screen_text(app)


async def test_escape_and_the_mouse_close_the_choice(folder: Path) -> None:
    async with opened(STALE_BASE) as (app, pilot):
        before = screen_text(app)
        for keys in (("x", "escape"), ("x", "j", "5", "q")):
            await press(pilot, *keys)
            assert screen_text(app) == before
        await press(pilot, "x")
        await pilot.click(offset=(2, 2))
        await pilot.pause()
        assert screen_text(app) == before
    assert files(folder) == []


async def test_without_a_finding_only_the_view_is_offered(folder: Path) -> None:
    async with opened(STALE_BASE, at=2) as (app, pilot):
        await press(pilot, "x")
        assert "no finding is selected: there is no slice" in screen_text(app)
        await press(pilot, "s")
        assert "the view, as SVG" in screen_text(app)
    assert files(folder) == []


async def test_copying_the_finding_and_an_id(stale_base: History) -> None:
    async with opened(stale_base, at=74) as (app, pilot):
        await press(pilot, "y")
        finding = next(each for each in stale_base.findings if each.rule == "DIF311")
        assert app.clipboard == f"DIF311 {finding.name} at 74: {finding.message}"
        assert app.desk.notice == f"copied: {app.clipboard}"
        await press(pilot, "alt+1", "j", "y")
        selected = app.navigator.selected
        assert selected is not None
        assert app.clipboard == selected.name


async def test_where_the_terminal_may_not_take_it_a_file_has_it_too(
    stale_base: History, monkeypatch: pytest.MonkeyPatch, state_folder: Path
) -> None:
    monkeypatch.setenv("SSH_TTY", "/dev/pts/1")
    async with opened(stale_base, at=74) as (app, pilot):
        await press(pilot, "y")
        file = state_folder / "copied" / "last.txt"
        assert f"sent to the terminal, and written to {file}: DIF311" in app.desk.notice
        monkeypatch.setattr(Path, "home", lambda: state_folder.parent)
        await pilot.resize_terminal(80, 24)
        await press(pilot, "y")
        said = f" sent to the terminal, and written to ~/{state_folder.name}/copied/last.txt"
        assert screen_lines(app)[-2] == said
        assert file.read_text(encoding="utf-8") == app.clipboard + "\n"
        assert file.stat().st_mode & 0o777 == 0o600


async def test_hostile_text_is_copied_and_exported_as_it_is_shown(folder: Path) -> None:
    path = write_journal(
        folder.parent / "h.jsonl", hostile_events("\x1b]52;c;eA==\x07\u202e\ud800")
    )
    async with opened(path, at=6) as (app, pilot):
        await press(pilot, "y")
        assert_inert(app.clipboard)
        await press(pilot, "alt+1", "j", "y")
        assert_inert(app.clipboard)
        await written(app, pilot, "x", "v")
        assert_inert((folder / "h-6.svg").read_text(encoding="utf-8"))


def test_names_of_files_hold_nothing_odd() -> None:
    assert safe_name("../a b\x1b[31m/é") == "a-b-31m"
    assert safe_name("...") == "journal"
    assert len(safe_name("x" * 500)) == 80


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    target = tmp_path / "target"
    (tmp_path / "a.svg").symlink_to(target)
    assert write_new(tmp_path, "a", ".svg", b"x").name == "a-2.svg"
    assert not target.exists()


@pytest.mark.parametrize(
    ("environment", "known"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "foot-extra"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "xterm-256color", "WT_SESSION": "1"}, True),
        ({"TERM": "xterm-kitty", "SSH_TTY": "/dev/pts/1"}, False),
        ({"TERM": "xterm-kitty", "TMUX": "x"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "xterm-256color"}, False),
        ({}, False),
    ],
)
def test_which_terminals_take_copies(environment: dict[str, str], *, known: bool) -> None:
    assert takes_copies(environment) is known
