"""Waiting for a file: what wakes, what does not, and what goes on without notifications.

Each wait may last a minute and ends at once where things work.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from spanscope.journal.notify import IMPATIENT, Notifier, Watchfiles

MINUTE = 60.0


def never() -> bool:
    return False


@pytest.fixture(params=["of the system", "watchfiles"], autouse=True)
def watch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system has, and what others get."""
    if request.param == "watchfiles":
        monkeypatch.setattr("spanscope.journal.notify.watch", Watchfiles)


@contextmanager
def notifier(path: Path, cancelled: Callable[[], bool] = never) -> Iterator[Notifier]:
    opened = Notifier(path, cancelled)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def soon(*steps: Callable[[], object]) -> Iterator[threading.Event]:
    """Do things in another thread, a little apart; the event says that the last one has begun."""
    last = threading.Event()

    def run() -> None:
        for index, step in enumerate(steps):
            threading.Event().wait(0.05)
            if index == len(steps) - 1:
                last.set()
            step()

    thread = threading.Thread(target=run)
    thread.start()
    yield last
    thread.join()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "session.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"one\n")
    return path


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more\n")


def test_growth_wakes(path: Path) -> None:
    with notifier(path) as waiting, soon(lambda: append(path)):
        assert waiting.helpful
        assert waiting.wait(MINUTE)


@pytest.mark.parametrize("name", ["session.jsonl.live", "session.jsonl"])
def test_what_is_made_or_removed_wakes(path: Path, name: str) -> None:
    file = path.with_name(name)
    file.unlink(missing_ok=True)
    with notifier(path) as waiting:
        with soon(file.touch):
            assert waiting.wait(MINUTE)
        with soon(file.unlink):
            assert waiting.wait(MINUTE)


def test_a_file_that_is_renamed_and_made_again_wakes(path: Path) -> None:
    with notifier(path) as waiting:
        with soon(lambda: path.rename(path.with_suffix(".1"))):
            assert waiting.wait(MINUTE)
        with soon(lambda: append(path)):
            assert waiting.wait(MINUTE)


def test_other_files_do_not_wake(path: Path) -> None:
    other = path.with_name("other.jsonl")
    with (
        notifier(path) as waiting,
        soon(lambda: append(other), lambda: append(other), lambda: append(path)) as last,
    ):
        assert waiting.wait(MINUTE)
        assert last.is_set()


def test_a_folder_that_is_made_again_is_watched(path: Path) -> None:
    with notifier(path) as waiting:
        path.parent.rename(path.parent.with_name("away"))
        waiting.wait(0.01)
        path.parent.mkdir()
        waiting.wait(0.01)
        with soon(lambda: append(path)):
            assert waiting.wait(MINUTE)


def test_a_wait_can_be_ended(path: Path) -> None:
    asked = threading.Event()
    with notifier(path, asked.is_set) as waiting, soon(asked.set):
        assert not waiting.wait(MINUTE)


def test_a_wait_ends_by_itself(path: Path) -> None:
    with notifier(path) as waiting:
        assert not waiting.wait(0.01)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What was slept where no notification is waited for."""
    slept: list[float] = []
    clock = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr("spanscope.journal.notify.time.sleep", sleep)
    monkeypatch.setattr("spanscope.journal.notify.time.monotonic", lambda: clock[0])
    return slept


def test_without_notifications_it_looks_at_short_intervals(
    path: Path, monkeypatch: pytest.MonkeyPatch, waits: list[float]
) -> None:
    monkeypatch.setitem(sys.modules, "spanscope.journal.inotify", None)
    monkeypatch.setitem(sys.modules, "watchfiles._rust_notify", None)
    with notifier(path) as waiting:
        assert not waiting.helpful
        assert not waiting.wait(MINUTE)
        assert waits == [IMPATIENT]


def test_growth_that_was_not_notified_makes_it_impatient(path: Path) -> None:
    with notifier(path) as waiting:
        for _ in range(3):
            assert waiting.helpful
            waiting.missed()
        assert not waiting.helpful
        assert not waiting.wait(MINUTE)
        with soon(lambda: append(path)):
            while not waiting.wait(MINUTE):
                pass
        assert waiting.helpful
