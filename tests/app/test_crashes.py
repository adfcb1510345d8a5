"""An error that nobody expected: one line, a report, exit code 2, and never a wall of text."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from spanscope.app.app import SpanscopeApp
from spanscope.app.board import Board
from spanscope.app.loading import Loader
from spanscope.app.run import run
from spanscope.sample_sessions import sample

SECRET = "what the model wrote"


@pytest.fixture(autouse=True)
def headless(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_headless(self: App[int], **_: Any) -> int | None:
        return App.run(self, headless=True, size=(80, 24))

    monkeypatch.setattr("spanscope.app.run.has_terminal", lambda: True)
    monkeypatch.setattr(SpanscopeApp, "run", run_headless)


def fail(*_: object, **__: object) -> None:
    secret = SECRET
    raise ValueError(f"no {len(secret)}\x1b[31m")


def crashed(capsys: pytest.CaptureFixture[str], folder: Path) -> Path:
    assert run(sample("stale-base").path) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("spanscope: this is a fault in spanscope (ValueError: no 20")
    assert "\x1b" not in err
    [report] = (folder / "crashes").iterdir()
    assert str(report) in err
    return report


@pytest.mark.parametrize("where", ["show", "on_resize"])
def test_an_error_while_drawing(
    where: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    state_folder: Path,
) -> None:
    monkeypatch.setattr(Board, where, fail)
    report = crashed(capsys, state_folder)
    text = report.read_text()
    assert "Traceback" in text
    assert "test_crashes.py" in text
    assert SECRET not in text
    assert "\x1b" not in text
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert stat.S_IMODE(report.parent.stat().st_mode) == 0o700


def test_an_error_of_the_thread_that_reads(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], state_folder: Path
) -> None:
    """What was read stays; only leaving ends the app."""
    monkeypatch.setattr(Loader, "run", fail)
    monkeypatch.setattr(SpanscopeApp, "on_worker_state_changed", fail)
    crashed(capsys, state_folder)


def test_an_error_before_there_is_a_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], state_folder: Path
) -> None:
    monkeypatch.setattr(App, "run", fail)
    crashed(capsys, state_folder)


def test_a_state_folder_that_takes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    monkeypatch.setenv("SPANSCOPE_HOME", str(occupied))
    monkeypatch.setattr(Board, "show", fail)
    assert run(sample("stale-base").path) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "no report could be written" in err


def test_who_debugs_gets_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPANSCOPE_DEBUG", "1")
    monkeypatch.setattr(Board, "show", fail)
    assert run(sample("stale-base").path) == 2
    assert "Traceback" in capsys.readouterr().err
