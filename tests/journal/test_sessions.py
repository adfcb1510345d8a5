"""The state folder and the `.live` file: who is writing what, seen without disturbing them."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import IO

import pytest
from support.checkout import ROOT

from spanscope.buffer import Recorder
from spanscope.journal import live
from spanscope.journal.errors import JournalError, JournalTakenError
from spanscope.journal.live import LiveFile, is_live, live_path
from spanscope.journal.sessions import (
    file_name,
    list_sessions,
    make_sessions_folder,
    session_id,
    sessions_folder,
    state_folder,
    state_folder_trouble,
)

needs_posix = pytest.mark.skipif(os.name != "posix", reason="no such locks, modes or signals")

WRITER = """
import sys
from spanscope import Recorder
recorder = Recorder.open("other", sys.argv[1])
recorder.mark("note", "here")
print("ready", flush=True)
sys.stdin.readline()
recorder.close()
print("closed", flush=True)
"""
FORKING = """
import os, sys, time
from spanscope import Recorder
recorder = Recorder.open("other", sys.argv[1])
if not os.fork():
    print("ready", flush=True)
    sys.stdin.readline()
    os._exit(0)
time.sleep(60)
"""


def said(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline().strip()


@contextmanager
def writing(path: Path, code: str = WRITER) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", code, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert said(process.stdout) == "ready"
        try:
            yield process
        finally:
            process.kill()


# Where things live


def test_the_state_folder_is_the_first_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPANSCOPE_HOME", "/own")
    monkeypatch.setenv("XDG_STATE_HOME", "/xdg")
    assert state_folder() == Path("/own").absolute()
    monkeypatch.setenv("SPANSCOPE_HOME", "")
    assert state_folder() == Path("/xdg/spanscope")
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    assert state_folder() == Path("/home/me/.local/state/spanscope")


def test_without_a_home_folder_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Path:
        raise RuntimeError

    monkeypatch.delenv("SPANSCOPE_HOME")
    monkeypatch.setattr(Path, "home", none)
    with pytest.raises(JournalError, match="SPANSCOPE_HOME"):
        state_folder()


@needs_posix
def test_the_state_folder_is_its_owners_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPANSCOPE_HOME", str(tmp_path / "a" / "b"))
    assert make_sessions_folder() == sessions_folder()
    for folder in (state_folder(), sessions_folder()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_state_folder_that_can_not_be_made_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SPANSCOPE_HOME", str(tmp_path / "file" / "b"))
    with pytest.raises(JournalError, match="SPANSCOPE_HOME"):
        Recorder.open("planner")
    assert "a file is in its place; set SPANSCOPE_HOME" in state_folder_trouble()


def test_a_state_folder_to_come_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPANSCOPE_HOME", str(tmp_path / "a" / "b"))
    assert state_folder_trouble() == ""
    make_sessions_folder()
    assert state_folder_trouble() == ""


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("planner", "planner"),
        ("a b/c", "a-b-c"),
        ("../../etc/passwd", "etc-passwd"),
        (".hidden", "hidden"),
        ("", "session"),
        ("é\x1b\n", "session"),
        ("x" * 300, "x" * 80),
    ],
)
def test_a_name_becomes_part_of_a_file_name(name: str, plain: str) -> None:
    assert file_name(name) == plain


def test_a_session_is_called_by_name_time_and_process() -> None:
    started = datetime(2026, 11, 11, 9, 8, 7, tzinfo=UTC)
    east = started.astimezone(timezone(timedelta(hours=2)))
    for moment in (started, east, started.replace(tzinfo=None)):
        assert session_id("a b", moment) == f"a-b-20261111T090807Z-{os.getpid()}"


# Live


def test_a_journal_is_live_from_its_header_to_its_close(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    assert is_live(path) is None
    with Recorder.open("planner", path, session="s") as recorder:
        found = is_live(path)
        assert found is not None
        assert (found.pid, found.session) == (os.getpid(), "s")
        recorder.mark("note", "x")
    assert is_live(path) is None
    assert list(tmp_path.iterdir()) == [path]


@needs_posix
def test_the_live_file_says_who_and_is_its_owners_only(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Recorder.open("planner", path):
        assert stat.S_IMODE(live_path(path).stat().st_mode) == 0o600
        found = is_live(path)
        assert found is not None
        if Path("/proc/self/stat").exists():
            assert found.start
            assert found.boot


def test_another_process_is_seen_to_live_and_to_close(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with writing(path) as process:
        found = is_live(path)
        assert found is not None
        assert found.pid == process.pid
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        assert said(process.stdout) == "closed"
        assert is_live(path) is None
        assert not live_path(path).exists()


@needs_posix
def test_a_killed_process_is_seen_to_be_dead(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with writing(path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert live_path(path).exists()
        assert is_live(path) is None


@needs_posix
def test_a_forked_child_does_not_keep_its_dead_parent_alive(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with writing(path, FORKING) as process:
        assert is_live(path) is not None
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert is_live(path) is None
        assert process.stdin is not None
        process.stdin.write("\n")


def test_looking_disturbs_no_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Recorder.open("planner", path) as recorder:
        for _ in range(20):
            assert is_live(path) is not None
            recorder.mark("note", "x")
    assert is_live(path) is None


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with held_by_us(path), pytest.raises(JournalTakenError, match="this very process"):
        Recorder.open("planner", path)
    with Recorder.open("planner", path):
        pass


@contextmanager
def held_by_us(path: Path) -> Iterator[None]:
    held = LiveFile.acquire(path, "s")
    try:
        yield
    finally:
        held.release()


@needs_posix
def test_a_dead_writers_live_file_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    live_path(path).write_text('{"pid": 1, "session": "dead"}')
    assert is_live(path) is None
    with Recorder.open("planner", path, session="s"):
        found = is_live(path)
        assert found is not None
        assert found.session == "s"
    assert not live_path(path).exists()


@needs_posix
def test_a_symlink_to_a_journal_is_as_live_as_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    (tmp_path / "latest").symlink_to(path)
    with Recorder.open("planner", path):
        assert is_live(tmp_path / "latest") is not None


@needs_posix
@pytest.mark.parametrize("kind", ["pipe", "folder", "garbage", "deep"])
def test_what_is_no_live_file_makes_nothing_live(tmp_path: Path, kind: str) -> None:
    place = live_path(tmp_path / "a.jsonl")
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.write_bytes(b"\xff\xfe" if kind == "garbage" else b"[" * 100_000)
    assert is_live(tmp_path / "a.jsonl") is None


def test_a_state_folder_that_is_a_file_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "file"
    place.touch()
    monkeypatch.setenv("SPANSCOPE_HOME", str(place))
    with pytest.raises(JournalError, match=r"set SPANSCOPE_HOME to a folder that can be written$"):
        Recorder.open("planner")


# Where there are no locks


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "_locks", None)


@pytest.mark.usefixtures("no_locks")
def test_without_locks_the_process_is_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Recorder.open("planner", path):
        found = is_live(path)
        assert found is not None
        assert not found.locked
    assert is_live(path) is None


@needs_posix
@pytest.mark.usefixtures("no_locks")
def test_without_locks_a_killed_process_is_seen_to_be_dead(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Recorder.open("planner", path):
        ours = live_path(path).read_text()
        other = tmp_path / "b.jsonl"
        for was, is_now in (
            (f'"pid": {os.getpid()}', '"pid": 99999999'),
            (f'"pid": {os.getpid()}', '"pid": 1e99'),
            ('"start": ', '"start": 1'),
            ('"boot": "', '"boot": "x'),
        ):
            live_path(other).write_text(ours.replace(was, is_now))
            assert is_live(other) is None


@needs_posix
@pytest.mark.usefixtures("no_locks")
def test_without_proc_a_process_is_asked_for_by_signal_0(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_BOOT_ID", tmp_path / "none")
    monkeypatch.setattr(live, "_start_time", lambda pid: None)
    path = tmp_path / "a.jsonl"
    with Recorder.open("planner", path):
        assert is_live(path) is not None
        asked: list[tuple[int, int]] = []

        def gone(pid: int, signal: int) -> None:
            asked.append((pid, signal))
            raise ProcessLookupError

        monkeypatch.setattr(os, "kill", gone)
        assert is_live(path) is None
        assert asked == [(os.getpid(), 0)]


# The list


def test_sessions_are_listed_with_the_newest_first() -> None:
    assert list_sessions() == []
    with Recorder.open("old") as old:
        pass
    os.utime(old.path, (1, 1))
    (sessions_folder() / "folder.jsonl").mkdir()
    (sessions_folder() / "other.txt").write_text("")
    with Recorder.open("new") as new:
        first, second = list_sessions()
        assert (first.path, second.path) == (new.path, old.path)
        assert first.live is not None
        assert second.live is None
        assert second.size == old.path.stat().st_size
        assert second.modified == 1


def test_sessions_of_one_name_within_a_second_get_files_of_their_own() -> None:
    started = datetime(2026, 11, 11, 9, 0, 0, tzinfo=UTC)
    with (
        Recorder.open("same", clock=lambda: started) as first,
        Recorder.open("same", clock=lambda: started) as second,
    ):
        assert first.path.name == f"same-20261111T090000Z-{os.getpid()}.jsonl"
        assert second.path.name == f"same-20261111T090000Z-{os.getpid()}.2.jsonl"
