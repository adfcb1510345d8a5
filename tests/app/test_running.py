"""Opening a recording: without a terminal, while it is read, with and without colour."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import RenderableType
from support.screens import opened, press, screen_lines, screen_text, until, write_journal
from textual import events
from textual.geometry import Size
from textual.screen import Screen

from spanscope.app.app import SpanscopeApp
from spanscope.app.loading import Loader
from spanscope.app.run import NO_TERMINAL, run
from spanscope.app.themes import DARK, LIGHT, MONO, THEMES
from spanscope.history.history import History
from spanscope.journal.errors import JournalError
from spanscope.sample_sessions import sample
from spanscope.widgets.scene import Audit


def test_without_a_terminal_it_says_so_and_never_imports_textual() -> None:
    code = (
        "import sys; from spanscope.app.run import run; code = run(sys.argv[1]);"
        "assert 'textual' not in sys.modules; sys.exit(code)"
    )
    command = [sys.executable, "-c", code, str(sample("stale-base").path)]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", NO_TERMINAL + "\n")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.app.run.has_terminal", lambda: True)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("path", ["missing.jsonl", "."])
def test_what_can_not_be_read_is_said_in_one_line(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / path) == 2
    error = capsys.readouterr().err
    assert error.startswith("spanscope: can't ")
    assert error.count("\n") == 1


@pytest.mark.usefixtures("terminal")
def test_the_exit_code_is_the_apps(monkeypatch: pytest.MonkeyPatch) -> None:
    opened_at: list[int | None] = []

    def fake(self: SpanscopeApp) -> int:
        opened_at.append(self._at)
        return 0

    monkeypatch.setattr(SpanscopeApp, "run", fake)
    assert run(sample("stale-base").path, at=7) == 0
    assert opened_at == [7]


class Slowly(Loader):
    """A loader that reads no further than it is let."""

    def __init__(self, path: Path, piece: int) -> None:
        super().__init__(path)
        self._piece = piece
        self.go_on = threading.Event()

    def run(self, tell: Callable[[Audit], None], cancelled: Callable[[], bool]) -> None:
        data = self.path.read_bytes()
        with self._stream:
            with self.lock:
                self.history.feed(data[: self._piece])
                self._read = self._piece
            tell(self.audit)
            while not self.go_on.wait(0.01):
                if cancelled():
                    return
            with self.lock:
                self.history.feed(data[self._piece :])
                self.history.finish()
        tell(Audit(len(data), len(data), done=True))


async def test_the_screen_is_there_while_the_journal_is_read() -> None:
    path = sample("stale-base").path
    data = path.read_bytes()
    loader = Slowly(path, data.index(b'"seq":31,'))
    app = SpanscopeApp(loader, path)
    async with app.run_test(size=(180, 50)) as pilot:
        await until(pilot, lambda: ", to 30 " in screen_lines(app)[0])
        assert "AUDITING" in screen_lines(app)[0]
        assert app.navigator.seq == app.navigator.history.last < 40
        loader.go_on.set()
        await until(pilot, lambda: app.navigator.audit.done)
        await pilot.pause()
        assert "AUDITING" not in screen_lines(app)[0]
        assert app.navigator.seq == 74
        await press(pilot, "l")
        assert app.navigator.seq == 75


async def test_the_first_paint_shows_all_panes_and_is_there_before_anything_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = sample("stale-base").path
    painted: list[str] = []
    before: list[str] = []
    display = SpanscopeApp._display

    def noted(self: SpanscopeApp, screen: Screen[Any], renderable: RenderableType | None) -> None:
        painted.append(screen_text(self))
        display(self, screen, renderable)

    class Noting(Loader):
        def run(self, tell: Callable[[Audit], None], cancelled: Callable[[], bool]) -> None:
            before.extend(painted)
            super().run(tell, cancelled)

    monkeypatch.setattr(SpanscopeApp, "_display", noted)
    app = SpanscopeApp(Noting(path), path)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.navigator.audit.done)
    for part in ("AUDITING 0%", "Spans", "Undo 0", "Staging", "Events", "Why", "help"):
        assert part in before[0]


async def test_whoever_has_moved_is_not_moved_away() -> None:
    path = sample("stale-base").path
    loader = Slowly(path, path.read_bytes().index(b'"seq":31,'))
    app = SpanscopeApp(loader, path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "step 30/30" in screen_lines(app)[0])
        await press(pilot, "h")
        here = app.navigator.seq
        loader.go_on.set()
        await until(pilot, lambda: app.navigator.audit.done)
        await pilot.pause()
        assert app.navigator.seq == here


async def test_a_key_before_anything_was_read_leaves_the_cursor_where_it_opens() -> None:
    path = sample("stale-base").path
    loader = Slowly(path, 0)
    app = SpanscopeApp(loader, path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "question_mark", "escape", "l")
        assert app.navigator.seq == 0
        loader.go_on.set()
        await until(pilot, lambda: app.navigator.audit.done)
        await pilot.pause()
        assert app.navigator.seq == 74


async def test_whoever_has_moved_is_told_of_the_first_error() -> None:
    path = sample("stale-base").path
    loader = Slowly(path, path.read_bytes().index(b'"seq":31,'))
    app = SpanscopeApp(loader, path)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "step 30/30" in screen_lines(app)[0])
        await press(pilot, "h")
        loader.go_on.set()
        await until(pilot, lambda: "first error at 74" in screen_lines(app)[-2])
        assert "e goes there" not in screen_lines(app)[-2]  # a warning comes before it
        await press(pilot, "l")
        assert "first error" not in screen_lines(app)[-2]


@pytest.mark.parametrize(("at", "said"), [(32, " ! UND221  at 32  "), (31, " first error at 20")])
async def test_whoever_opens_at_an_error_reads_of_that_one(at: int, said: str) -> None:
    path = sample("dropped-inverse").path
    app = SpanscopeApp(Loader(path), path, at=at)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.navigator.audit.done)
        await pilot.pause()
        assert screen_lines(app)[-2].startswith(said)


async def test_quitting_ends_the_reading() -> None:
    path = sample("stale-base").path
    app = SpanscopeApp(Slowly(path, 2000), path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "q")
    assert app.return_code == 0


async def test_a_whole_journal_is_read_by_the_loader(stale_base: History) -> None:
    path = sample("stale-base").path
    app = SpanscopeApp(Loader(path), path)
    async with app.run_test(size=(180, 50)) as pilot:
        await until(pilot, lambda: app.navigator.audit.done)
        await pilot.pause()
        history = app.navigator.history
        assert list(history.seqs) == list(stale_base.seqs)
        assert [f.id for f in history.findings] == [f.id for f in stale_base.findings]
        text = screen_text(app)
    async with opened(stale_base) as (other, _):
        assert screen_text(other) == text


class Broken(Loader):
    """A disk that fails in the middle."""

    def run(self, tell: Callable[[Audit], None], cancelled: Callable[[], bool]) -> None:
        with self._stream, self.lock:
            self.history.feed(self.path.read_bytes()[:3000])
        raise JournalError("can't read stale-base.jsonl: input/output error")


async def test_what_was_read_stays_when_reading_fails() -> None:
    path = sample("stale-base").path
    app = SpanscopeApp(Broken(path), path)
    async with app.run_test(size=(180, 50)) as pilot:
        await until(pilot, lambda: "reading stopped" in screen_text(app))
        assert "input/output error" in screen_lines(app)[-2]
        await press(pilot, "g")
        assert app.navigator.seq == 1


@pytest.mark.parametrize("value", ["1", "yes"])
async def test_no_color_means_no_colour(
    value: str, stale_base: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", value)
    async with opened(stale_base) as (app, _):
        assert app.theme == MONO.name
        for strip in app.screen._compositor.render_strips(app.size):
            for segment in strip:
                assert (
                    segment.style is None
                    or segment.style.color is None
                    or (segment.style.color.is_default)
                )


async def test_dark_and_light(stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        assert app.theme == DARK.name
        await press(pilot, "escape")
        dark = [list(s) for s in app.screen._compositor.render_strips(app.size)]
        await press(pilot, "ctrl+t", "escape")
        assert app.theme == LIGHT.name
        light = [list(s) for s in app.screen._compositor.render_strips(app.size)]
        assert dark != light
        assert ["".join(s.text for s in line) for line in dark] == [
            "".join(s.text for s in line) for line in light
        ]
        await press(pilot, *["ctrl+t"] * (len(THEMES) - 1))
        assert app.theme == DARK.name


@pytest.mark.parametrize("theme", ["textual-light", "ansi-dark", "nord"])
async def test_any_theme_can_be_used(theme: str, stale_base: History) -> None:
    async with opened(stale_base) as (app, pilot):
        text = screen_text(app)
        app.theme = theme
        await pilot.pause()
        assert screen_text(app) == text


async def test_a_journal_without_an_event(tmp_path: Path) -> None:
    async with opened(write_journal(tmp_path / "empty.jsonl", [])) as (app, pilot):
        await press(pilot, "l", "e", "t", "s", "b", "d", "j", "enter", "g", "G")
        await press(pilot, "alt+1", "j", "alt+2", "j", "alt+3", "j", "alt+5", "j", "alt+6")
        assert "Events 0" in screen_text(app)
        assert app.is_running


async def test_a_size_that_the_terminal_had_before_is_passed_over(stale_base: History) -> None:
    async with opened(stale_base, (80, 24)) as (app, pilot):
        drawn = screen_text(app)
        gone = Size(1, 1)
        app.screen.post_message(events.Resize(gone, gone))
        await pilot.pause()
        assert app.screen.size == (80, 24)
        assert screen_text(app) == drawn
