"""What befalls the file of a recording while it is read: said, and survived; so are huge lines."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.screens import pane_text, press, screen_lines, screen_text, until
from textual.pilot import Pilot

from spanscope.app import loading
from spanscope.app.app import SpanscopeApp
from spanscope.app.loading import Loader
from spanscope.history.history import History
from spanscope.sample_sessions import sample

PIECE = 3000
LINE = 60_000_000

needs_posix = pytest.mark.skipif(os.name != "posix", reason="an open file can't be replaced there")


class Paused(Loader):
    """A loader that reads one piece and waits."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.go_on = threading.Event()

    def _pieces(self) -> Iterator[bytes]:
        pieces = super()._pieces()
        yield next(pieces)
        self.go_on.wait(60)
        yield from pieces


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(sample("stale-base").path.read_bytes())
    return path


@asynccontextmanager
async def read_while(
    path: Path, something: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[SpanscopeApp, Pilot[int]]]:
    """The app on a recording to which something is done while it is read."""
    monkeypatch.setattr(loading, "PIECE", PIECE)
    loader = Paused(path)
    app = SpanscopeApp(loader, path)
    async with app.run_test(size=(180, 50)) as pilot:
        await until(pilot, lambda: loader.audit.read > 0)
        something()
        loader.go_on.set()
        await until(pilot, lambda: app.navigator.audit.done)
        await pilot.pause()
        yield app, pilot


def seqs(history: History) -> list[int]:
    return list(history.seqs)


async def test_a_file_that_is_cut(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with read_while(path, lambda: os.truncate(path, PIECE), monkeypatch) as (app, pilot):
        last = app.navigator.history.last
        assert 0 < last < 97
        assert f"TRUNCATED at {last}, while it was read" in screen_lines(app)[0]
        assert "the file was cut while it was read" in screen_lines(app)[-2]
        await press(pilot, "g", "l", "G", "h")
        assert "cut while it was read" not in screen_lines(app)[-2]
        assert "TRUNCATED" in screen_lines(app)[0]
        assert app.navigator.seq == last - 1


async def test_a_file_that_is_cut_before_what_was_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with read_while(path, lambda: os.truncate(path, 0), monkeypatch) as (app, pilot):
        assert "TRUNCATED" in screen_lines(app)[0]
        last = app.navigator.history.last
        await press(pilot, "g", "alt+6", "alt+7", "i", "v", "v", "i", "G")
        assert app.navigator.seq == last


@needs_posix
async def test_a_file_that_is_replaced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = path.with_name("other.jsonl")
    other.write_bytes(sample("dropped-inverse").path.read_bytes())
    async with read_while(path, lambda: other.replace(path), monkeypatch) as (app, pilot):
        assert app.navigator.history.last == 97
        assert "ROTATED at 97, still reading the old file" in screen_lines(app)[0]
        assert "the old one is still read" in screen_lines(app)[-2]
        await press(pilot, "colon", *"72", "enter")
        assert "no longer in the file" not in screen_text(app)


@needs_posix
async def test_a_file_that_is_deleted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with read_while(path, path.unlink, monkeypatch) as (app, pilot):
        assert app.navigator.history.last == 97
        assert "DELETED, what was read stays here" in screen_lines(app)[0]
        await press(pilot, "g", "e")
        assert "no longer in the file" not in screen_text(app)


def overwrite(path: Path) -> None:
    other = sample("dropped-inverse").path.read_bytes() * 9
    size = path.stat().st_size
    with path.open("r+b") as stream:
        stream.write(other[:size])
    os.utime(path, (1, 1))


async def test_a_file_that_is_overwritten(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with read_while(path, lambda: overwrite(path), monkeypatch) as (app, pilot):
        assert "CHANGED while it was read" in screen_lines(app)[0]
        assert "what is shown may be of both" in screen_lines(app)[-2]
        await press(pilot, "g", "l", "alt+6", "G", "i")
        assert app.is_running


def keep(path: Path, lines: int) -> bytes:
    """Cut a file to so many lines; what it held."""
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:lines]))
    return whole


def grow(path: Path, whole: bytes) -> None:
    path.write_bytes(whole)
    os.utime(path, (1, 1))


async def test_a_file_that_grows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = keep(path, 78)
    async with read_while(path, lambda: grow(path, whole), monkeypatch) as (app, _):
        assert app.navigator.history.last == 77
        assert "recording, has grown since" in screen_lines(app)[0]
        assert "--follow follows it" in screen_lines(app)[-2]


async def test_nothing_befalls_most_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with read_while(path, lambda: None, monkeypatch) as (app, _):
        assert app.navigator.live is None
        assert "recording, closed" in screen_lines(app)[0]


async def test_a_line_of_sixty_megabytes(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = [
        {"type": "session", "format": "spanscope.journal/1", "session": "huge"},
        {"type": "ingest", "span": "a", "content": "small"},
        {"type": "ingest", "span": "b", "content": "the quota "},
        {"type": "splice", "span": "b", "at": 0, "delete": 3, "insert": "The"},
        {"type": "mark", "kind": "note", "label": "after it"},
    ]
    path = tmp_path / "huge.jsonl"
    with path.open("w") as stream:
        for seq, event in enumerate(events):
            line = json.dumps({"seq": seq, "time": "2026-11-11T09:00:00Z", **event})
            stream.write(line.replace("the quota ", "the quota " * (LINE // 10)) + "\n")
    app = SpanscopeApp(Loader(path), path)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.navigator.audit.done)
        assert seqs(app.navigator.history) == [1, 3, 4]
        await press(pilot, "i", "j")
        assert "JNL002" in pane_text(app, "findings")
        assert "above the cap of 33554432: skipped" in screen_text(app).replace("\n", " ")
        await press(pilot, "i", "G", "alt+1", "j", "j", "alt+6")
        assert "b  v0  ?  ? chars" in pane_text(app, "detail")
        assert "the text is unknown since 3" in pane_text(app, "detail")
        await press(pilot, "alt+7", "slash", *"quota", "enter")
        assert "no match" in screen_lines(app)[-2]
