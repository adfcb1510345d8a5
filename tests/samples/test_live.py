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
from spanscope.sample_sessions.cast import Cast
from spanscope.sample_sessions.live import LiveRecorder, main

ENDING_ALIVE = [name for name in NAMES if name != "killed-writer"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Path:
    main([*arguments, "--pace", "0"])
    return Path(capsys.readouterr().out.strip())


def assert_as_recorded(path: Path, name: str) -> None:
    recorded = sample(name)
    expected = sorted((each.rule, each.severity) for each in recorded.findings)
    history = load(path)
    assert sorted((each.rule, each.severity) for each in history.findings) == expected


def captions(path: Path) -> list[str]:
    return [e.label for e in load(path).events if isinstance(e, Mark) and e.kind == "note"]


@pytest.mark.parametrize("name", ENDING_ALIVE)
def test_an_unsafe_agent_does_what_its_recording_shows(
    name: str, capsys: pytest.CaptureFixture[str], state_folder: Path
) -> None:
    path = run(capsys, name)
    assert path.parent == state_folder / "sessions"
    assert path.name.startswith(f"{name}-2")
    assert_as_recorded(path, name)
    history, recording = load(path), load(sample(name).path)
    assert history.closed is not None
    assert [type(event) for event in history.events] == [type(e) for e in recording.events]


@pytest.mark.parametrize("name", NAMES)
def test_a_safe_agent_tells_the_same_story_with_a_buffer_that_refuses_what_is_unsafe(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = run(capsys, name, "--safe")
    assert path.name.startswith(f"{name}-safe-")
    history, recording = load(path), load(sample(name, safe=True).path)
    assert {each.severity for each in history.findings} <= {"info"}
    assert history.unknown == []
    assert history.closed is not None
    assert captions(path) == captions(sample(name, safe=True).path)
    now, then = history.at(history.last), recording.at(recording.last)
    assert [(row.name, row.span.hash) for row in now.spans() if row.state == "live"] == [
        (row.name, row.span.hash) for row in then.spans() if row.state == "live"
    ]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no SIGKILL")
def test_an_agent_that_is_killed_leaves_a_torn_line(state_folder: Path) -> None:
    command = [sys.executable, "-m", "spanscope.sample_sessions.live", "killed-writer"]
    done = subprocess.run(
        [*command, "--pace", "0"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    path = Path(done.stdout.strip())
    assert done.returncode < 0
    assert is_live(path) is None
    assert_as_recorded(path, "killed-writer")


def test_each_actor_has_a_thread_of_its_own_and_acts_when_it_is_its_turn() -> None:
    actors = Cast(0)
    turns = ("agent", "retriever", "agent")
    threads = [actors.act(actor, lambda: threading.current_thread().name) for actor in turns]
    actors.leave()
    assert all(thread.startswith(actor) for actor, thread in zip(turns, threads, strict=True))
    assert len(set(threads)) == 2


def test_a_caption_stays_the_last_event_while_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str | float] = []
    monkeypatch.setattr("time.sleep", done.append)
    actors = Cast(0.25)
    actors.act("agent", lambda: done.append("a caption"), length=5)
    actors.leave()
    assert done == [0.25, "a caption", 1.0]


def test_an_actor_that_fails_is_heard(tmp_path: Path) -> None:
    with LiveRecorder.open("planner", tmp_path / "a.jsonl") as recorder:
        recorder.actors.pace = 0
        with pytest.raises(TypeError):
            recorder.mark("turn", 3)  # type: ignore[arg-type]


def test_what_is_no_scenario_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nonsense"])
    assert "invalid choice" in capsys.readouterr().err
