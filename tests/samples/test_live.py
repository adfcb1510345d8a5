"""The agents that live through a scenario: what they record is what their recording shows."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.checkout import ROOT

from spanscope.history.history import load
from spanscope.journal.events import Mark
from spanscope.journal.live import is_live
from spanscope.sample_sessions import NAMES, sample
from spanscope.sample_sessions.live import LiveRecorder, main

ENDING_ALIVE = [name for name in NAMES if name != "killed-writer"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Path:
    main([*arguments, "--pace", "0"])
    return Path(capsys.readouterr().out.strip())


def assert_as_recorded(path: Path, name: str, *, safe: bool) -> None:
    recorded = sample(name, safe=safe)
    expected = sorted((each.rule, each.severity) for each in recorded.findings)
    history = load(path)
    assert sorted((each.rule, each.severity) for each in history.findings) == expected


@pytest.mark.parametrize("name", ENDING_ALIVE)
@pytest.mark.parametrize("safe", [False, True])
def test_an_agent_does_what_its_recording_shows(
    name: str, safe: bool, capsys: pytest.CaptureFixture[str], state_folder: Path
) -> None:
    path = run(capsys, name, *(["--safe"] if safe else []))
    assert path.parent == state_folder / "sessions"
    assert path.name.startswith(f"{name}-safe-" if safe else f"{name}-2")
    assert_as_recorded(path, name, safe=safe)
    history = load(path)
    assert history.closed is not None
    recording = load(sample(name, safe=safe).path)
    assert [type(event) for event in history.events] == [type(e) for e in recording.events]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no SIGKILL")
def test_an_agent_that_is_killed_leaves_a_torn_line(state_folder: Path) -> None:
    command = [sys.executable, "-m", "spanscope.sample_sessions.live", "killed-writer"]
    done = subprocess.run(
        [*command, "--pace", "0"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    path = Path(done.stdout.strip())
    assert done.returncode < 0
    assert is_live(path) is None
    assert_as_recorded(path, "killed-writer", safe=False)


def test_each_actor_has_a_thread_of_its_own(tmp_path: Path) -> None:
    threads: dict[str, str] = {}

    class Watched(LiveRecorder):
        def _act(self, struct, fields):  # type: ignore[no-untyped-def]
            threads[fields.get("actor", "agent")] = threading.current_thread().name
            return super()._act(struct, fields)

    with Watched.open("planner", tmp_path / "a.jsonl") as recorder:
        recorder.pace = 0
        recorder.mark("turn", "1")
        recorder.mark("turn", "2", actor="retriever")
        recorder.mark("turn", "3")
    assert set(threads) == {"agent", "retriever"}
    assert all(name.startswith(actor) for actor, name in threads.items())
    assert [e.label for e in load(tmp_path / "a.jsonl").events if isinstance(e, Mark)] == [*"123"]


def test_an_actor_that_fails_is_heard(tmp_path: Path) -> None:
    with LiveRecorder.open("planner", tmp_path / "a.jsonl") as recorder:
        recorder.pace = 0
        with pytest.raises(TypeError):
            recorder.mark("turn", 3)  # type: ignore[arg-type]


def test_what_is_no_scenario_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nonsense"])
    assert "invalid choice" in capsys.readouterr().err
