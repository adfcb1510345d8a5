"""The app on a journal that another thread or process appends to: keys, header, message line."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from support.checkout import ROOT
from support.growing import append, followed, mark, move, remove, unknown_use, write
from support.histories import HEADER, whole
from support.screens import pane_text, press, screen_lines, screen_text, until

from spanscope.app.app import SpanscopeApp
from spanscope.app.following import Follower
from spanscope.buffer import Recorder
from spanscope.history.history import load
from spanscope.journal.stream import Stream
from spanscope.sample_sessions import sample

needs_posix = pytest.mark.skipif(os.name != "posix", reason="an open file can't be deleted there")

AGENT = """
import sys, time
from spanscope import Recorder
recorder = Recorder.open("planner", sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    word, _, text = line.strip().partition(" ")
    if word == "burst":
        for number in range(int(text)): recorder.mark("note", f"burst {number}")
    elif word == "close":
        recorder.close()
    else:
        recorder.mark("note", text)
    print("done", flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.jsonl"
    path.write_bytes(HEADER + mark(1) + unknown_use(2))
    return path


def header(app: SpanscopeApp) -> str:
    return screen_lines(app)[0]


def message(app: SpanscopeApp) -> str:
    return screen_lines(app)[-2]


@contextmanager
def agent(path: Path) -> Iterator[subprocess.Popen[str]]:
    """An agent in a process of its own that records what it is told."""
    command = [sys.executable, "-c", AGENT, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def tell(process: subprocess.Popen[str], order: str) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(order + "\n")
    process.stdin.flush()
    assert process.stdout.readline() == "done\n"


# Following


async def test_a_growing_journal_is_followed(path: Path) -> None:
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: "step 2/2" in header(app))
        assert "WATCHED, no writer seen" in header(app)
        assert "following" in header(app)
        assert "errors 1 (1 before, 0 since)" in header(app)
        append(path, mark(3) + unknown_use(4))
        await until(pilot, lambda: "step 4/4" in header(app))
        assert "errors 2 (1 before, 1 since)" in header(app)
        assert ">   4 " in pane_text(app, "events")
        append(path, mark(5, "the newest")[:40])
        append(path, mark(5, "the newest")[40:])
        await until(pilot, lambda: "the newest" in message(app))


async def test_a_watch_stops_following_at_an_event_that_comes_alone(path: Path) -> None:
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: "step 2/2" in header(app))
        await press(pilot, "w", *"error", "enter")
        append(path, mark(3))
        await until(pilot, lambda: "step 3/3" in header(app))
        append(path, unknown_use(4))
        await until(pilot, lambda: "watch stops at 4: error" in message(app))
        append(path, mark(5))
        await until(pilot, lambda: "step 4/5" in header(app))
        assert "1 behind, f" in header(app)
        await press(pilot, "f")
        assert "step 5/5" in header(app)


async def test_whoever_looks_elsewhere_stays_there_while_it_is_read_on(path: Path) -> None:
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: app.navigator.audit.done)
        await press(pilot, "h")
        append(path, mark(3) + mark(4))
        await until(pilot, lambda: "step 1/4" in header(app))
        assert "3 behind, f" in header(app)
        assert "errors 0/1" in header(app)
        await press(pilot, "f")
        assert "step 4/4" in header(app)
        assert "following" in header(app)
        append(path, mark(5))
        await until(pilot, lambda: "step 5/5" in header(app))
        await press(pilot, "ctrl+o")
        assert app.navigator.seq == 1
        assert "4 behind, f" in header(app)


async def test_f_lets_go_at_the_end_too(path: Path) -> None:
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: app.navigator.audit.done)
        await press(pilot, "f")
        assert "f follows" in header(app)
        assert "let go: f follows again" in message(app)
        append(path, mark(3))
        await until(pilot, lambda: "step 2/3" in header(app))
        assert "1 behind, f" in header(app)


async def test_what_moves_no_cursor_lets_go_of_nothing(path: Path) -> None:
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: app.navigator.audit.done)
        await press(pilot, "l", "alt+1", "j", "question_mark", "escape", "z", "z", "G")
        append(path, mark(3))
        await until(pilot, lambda: "step 3/3" in header(app))


async def test_it_opens_at_a_step_and_does_not_follow(path: Path) -> None:
    async with followed(path, at=1) as (app, pilot):
        await until(pilot, lambda: "step 1/2" in header(app))
        append(path, mark(3))
        await until(pilot, lambda: "step 1/3" in header(app))
        assert "2 behind, f" in header(app)


async def test_f_in_a_recording_says_how_to_follow() -> None:
    one = sample("stale-base")
    app = SpanscopeApp(load(one.path), one.path)
    async with app.run_test(size=(180, 50)) as pilot:
        await press(pilot, "f")
        assert "this is a recording" in message(app)
        assert "f follow" not in screen_lines(app)[-1]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_on_small_screens(path: Path, size: tuple[int, int]) -> None:
    async with followed(path, size) as (app, pilot):
        await until(pilot, lambda: "2/2" in header(app))
        assert "WATCHED" in header(app)
        await press(pilot, "h")
        append(path, mark(3))
        await until(pilot, lambda: "1/3" in header(app))
        assert "2 behind, f" in header(app)


async def test_a_session_as_it_is_written_looks_as_its_recording_does(tmp_path: Path) -> None:
    data = sample("stale-base").path.read_bytes()
    path = tmp_path / "stale-base.jsonl"
    path.touch()
    async with followed(path) as (app, pilot):
        for start in range(0, len(data), 4000):
            append(path, data[start : start + 4000])
            await pilot.pause(0.01)
        await until(pilot, lambda: "recording, closed" in header(app))
        await press(pilot, "g", "e")
        text = screen_text(app)
    app = SpanscopeApp(whole(data), path)
    async with app.run_test(size=(180, 50)) as pilot:
        await press(pilot, "g", "e")
        assert screen_text(app) == text


# The writer


async def test_an_agent_is_named_and_its_end_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with agent(path) as process:
        async with followed(path) as (app, pilot):
            await until(pilot, lambda: f"LIVE pid {process.pid}, last event" in header(app))
            assert app.desk.notice == ""
            tell(process, "note hello there")
            await until(pilot, lambda: "hello there" in message(app))
            tell(process, "close")
            await until(pilot, lambda: "recording, closed" in header(app))
            assert "closed in good order" in message(app)


@needs_posix
async def test_a_dead_writer_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with agent(path) as process:
        async with followed(path) as (app, pilot):
            tell(process, "note hello there")
            await until(pilot, lambda: "LIVE" in header(app))
            process.send_signal(signal.SIGKILL)
            process.wait()
            dead = f"DEAD pid {process.pid} ended at 1, no close"
            await until(pilot, lambda: dead in header(app))
            assert f"process {process.pid} has ended without a close event" in message(app)
            await press(pilot, "h")
            assert "has ended" not in message(app)
            assert dead in header(app)


async def test_a_writer_in_a_hurry(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with agent(path) as process:
        async with followed(path) as (app, pilot):
            tell(process, "burst 10000")
            await until(pilot, lambda: "step 10,000/10,000" in header(app))
            await press(pilot, "g")
            assert app.navigator.seq == 1


async def test_a_writer_that_goes_quiet(path: Path) -> None:
    os.utime(path, (1_000_000, 1_000_000))
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: "no event for" in header(app))


# The file


async def test_a_truncated_file(path: Path) -> None:
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: app.navigator.audit.done)
        with path.open("r+b") as file:
            file.truncate(0)
            file.write(HEADER + mark(1, "anew"))
        await until(pilot, lambda: "TRUNCATED to 1, read again from the start" in header(app))
        assert "step 1/1" in header(app)
        assert "it is read again from its start" in message(app)
        assert "anew" in pane_text(app, "events")
        await press(pilot, "h")
        assert "TRUNCATED" not in header(app)


async def test_the_search_goes_on_in_what_was_read_again(path: Path) -> None:
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: app.navigator.audit.done)
        await press(pilot, "slash", *"nobody", "enter")
        write(path, HEADER + mark(1) + mark(2) + mark(3) + unknown_use(4))
        await until(pilot, lambda: app.navigator.history.last == 4)
        await press(pilot, "n")
        assert app.navigator.seq == 4


async def test_a_rotated_file(path: Path) -> None:
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: app.navigator.audit.done)
        old = path.with_suffix(".1")
        move(path, old)
        await until(pilot, lambda: "MOVED at 2, still reading it" in header(app))
        write(path, HEADER)
        await until(pilot, lambda: "ROTATED at 2, still reading the old file" in header(app))
        assert "the old one is still read" in message(app)
        append(old, mark(3))
        await until(pilot, lambda: "step 3/3" in header(app))
        assert "the old one is still read" not in message(app)


@needs_posix
async def test_a_deleted_file_and_one_made_again(path: Path) -> None:
    async with followed(path) as (app, pilot):
        await until(pilot, lambda: app.navigator.audit.done)
        remove(path)
        await until(pilot, lambda: "DELETED, what was read stays here" in header(app))
        assert "step 2/2" in header(app)
        write(path, HEADER + mark(1) + mark(2) + mark(3, "another"))
        await until(pilot, lambda: "REPLACED by another file" in header(app))
        # It may be seen before its lines are.
        await until(pilot, lambda: "step 3/3" in header(app))
        assert "another" in pane_text(app, "events")


@needs_posix
async def test_a_folder_that_goes_and_comes_back(path: Path) -> None:
    folder = path.parent / "inner"
    folder.mkdir()
    inner = Path(shutil.move(path, folder))
    async with followed(inner) as (app, pilot):
        await until(pilot, lambda: app.navigator.audit.done)
        away = folder.rename(path.parent / "away")
        append(away / inner.name, mark(3))
        await until(pilot, lambda: "MOVED" in header(app) and "3/3" in header(app))
        away.rename(folder)
        await until(pilot, lambda: "WATCHED" in header(app))
        assert "in its place again" in message(app)


# Standard input


@needs_posix
async def test_a_stream_is_followed_and_is_a_recording_once_it_ends() -> None:
    data = sample("stale-base").path.read_bytes()
    reading, writing = os.pipe()
    with closing(Follower(Stream(reading), stream=True)) as source:
        app = SpanscopeApp(source, "standard input")
        async with app.run_test(size=(180, 50)) as pilot:
            os.write(writing, data[:6000])
            await until(pilot, lambda: "STREAM" in header(app) and len(app.navigator.history) > 3)
            await until(pilot, lambda: app.navigator.seq == app.navigator.history.last)
            os.write(writing, data[6000:])
            os.close(writing)
            await until(pilot, lambda: "recording, closed" in header(app))
            await until(pilot, lambda: app.navigator.seq == 74)


# Recordings whose writer lives


async def test_a_recording_whose_writer_lives_is_not_called_torn(tmp_path: Path) -> None:
    from spanscope.app.loading import Loader

    path = tmp_path / "a.jsonl"
    with Recorder.open("planner", path) as recorder:
        recorder.ingest("task", "Fix it.")
        append(path, b'{"type":')
        app = SpanscopeApp(Loader(path), path)
        async with app.run_test(size=(180, 50)) as pilot:
            await until(pilot, lambda: app.navigator.audit.done)
            await pilot.pause()
            assert app.navigator.history.findings == []
            assert f"recording, written by pid {os.getpid()}" in header(app)
        os.truncate(path, path.stat().st_size - len(b'{"type":'))
