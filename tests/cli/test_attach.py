"""`spanscope attach`: which session it follows, and what it says where there is none."""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.claude import Transcript
from support.commands import Opened, Run
from support.importing import lines
from support.opencode import Database

from spanscope.buffer.recorder import Recorder
from spanscope.cli import attach


@pytest.fixture
def agents() -> Iterator[ExitStack]:
    """Recorders that live until the test ends."""
    with ExitStack() as stack:
        yield stack


def start(agents: ExitStack, name: str, path: Path | None = None) -> Recorder:
    return agents.enter_context(Recorder.open(name, path))


def answering(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{each}\n" for each in answers)))


def test_the_one_that_runs_is_followed(run: Run, opened: Opened, agents: ExitStack) -> None:
    with Recorder.open("ended"):
        pass
    recorder = start(agents, "planner")
    assert run("attach") == (0, "", "")
    assert opened.followed == [(str(recorder.path), None)]


def test_where_none_runs_the_one_that_ended_last_is_named(run: Run, opened: Opened) -> None:
    with Recorder.open("ended") as recorder:
        pass
    code, out, err = run("attach")
    assert (code, out) == (2, "")
    assert f"no agent is running: `spanscope open {recorder.path}` opens the last" in err


def test_a_state_folder_that_is_a_file_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    monkeypatch.setenv("SPANSCOPE_HOME", str(occupied))
    said = f"can't read {occupied}: a file is in its place; set SPANSCOPE_HOME to a folder of yours"
    for wanted in ((), ("planner",)):
        code, _, err = run("attach", *wanted)
        assert (code, err) == (2, f"spanscope: no agent is found: {said}\n")


def test_none(run: Run, opened: Opened) -> None:
    code, out, err = run("attach")
    assert (code, out) == (2, "")
    assert err.startswith("spanscope: no agent is running: ")
    assert 'Recorder.open("planner")' in err
    assert err.count("\n") == 1
    assert opened.followed == []


def test_it_is_named_by_its_id_or_the_beginning(
    run: Run, opened: Opened, agents: ExitStack
) -> None:
    planner = start(agents, "planner")
    reviewer = start(agents, "reviewer")
    assert run("attach", "rev") == (0, "", "")
    assert run("attach", planner.path.stem) == (0, "", "")
    assert opened.followed == [(str(reviewer.path), None), (str(planner.path), None)]


def test_an_id_wins_over_longer_ones(
    run: Run, opened: Opened, agents: ExitStack, state_folder: Path
) -> None:
    folder = state_folder / "sessions"
    folder.mkdir()
    start(agents, "a", folder / "planner.2.jsonl")
    exact = start(agents, "a", folder / "planner.jsonl")
    assert run("attach", "planner") == (0, "", "")
    assert opened.followed == [(str(exact.path), None)]


def test_it_is_named_by_its_journal(
    run: Run, opened: Opened, agents: ExitStack, tmp_path: Path
) -> None:
    recorder = start(agents, "planner", tmp_path / "own.jsonl")
    assert run("attach", recorder.path) == (0, "", "")
    assert opened.followed == [(str(recorder.path), None)]


def test_why_a_named_one_is_not_there(
    run: Run, opened: Opened, agents: ExitStack, tmp_path: Path
) -> None:
    with Recorder.open("ended") as ended:
        pass
    with Recorder.open("own", tmp_path / "own.jsonl") as own:
        pass
    start(agents, "planner")
    for wanted, says in (
        (ended.path.stem, f"has ended: `spanscope open {ended.path}`"),
        ("ended", "has ended: `spanscope open "),
        ("planer", "no running agent is called planer: did you mean planner-"),
        ("zzz", "no running agent is called zzz: an agent shows up with"),
        (str(own.path), f"nobody writes {own.path} now: `spanscope open`"),
        (str(tmp_path / "none.jsonl"), "there is no "),
        (str(tmp_path), f"can't follow {tmp_path}: it is a folder; name a journal file"),
        ("\x1b[31m", "no running agent is called \\x1b[31m: "),
    ):
        code, out, err = run("attach", wanted)
        assert (code, out) == (2, ""), wanted
        assert says in err, wanted
        assert err.count("\n") == 1, wanted
    assert opened.followed == []


# Several


def test_several_are_a_choice(
    run: Run, opened: Opened, agents: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorders = [start(agents, name) for name in ("planner", "reviewer")]
    answering(monkeypatch, "3", "what?", "2")
    code, out, err = run("attach")
    assert (code, err) == (0, "")
    assert out.count("Which one? 1 to 2, enter: the first, q: none\n") == 3
    listed = [line.split()[:2] for line in out.splitlines() if line.startswith("  ")]
    assert sorted(name for _, name in listed) == [each.path.stem for each in recorders]
    assert opened.followed[0][0].endswith(f"{listed[1][1]}.jsonl")
    assert "pid " in out


def test_enter_is_the_first(
    run: Run, opened: Opened, agents: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("planner", "reviewer"):
        start(agents, name)
    answering(monkeypatch, "")
    _, out, _ = run("attach")
    assert opened.followed[0][0].endswith(f"{out.split()[1]}.jsonl")


@pytest.mark.parametrize("answers", [["q"], []])
def test_none_is_chosen(
    run: Run,
    opened: Opened,
    agents: ExitStack,
    monkeypatch: pytest.MonkeyPatch,
    answers: list[str],
) -> None:
    for name in ("planner", "reviewer"):
        start(agents, name)
    answering(monkeypatch, *answers)
    code, _, err = run("attach")
    assert (code, err) == (2, "spanscope: none was chosen\n")
    assert opened.followed == []


def test_without_a_terminal_several_are_named(run: Run, agents: ExitStack) -> None:
    names = [start(agents, name).path.stem for name in ("planner", "reviewer")]
    code, out, err = run("attach")
    assert (code, out) == (2, "")
    assert "several agents are running: name one of" in err
    assert all(name in err for name in names)


def test_without_a_terminal_nothing_is_followed(run: Run, agents: ExitStack) -> None:
    start(agents, "planner")
    code, _, err = run("attach")
    assert code == 2
    assert "the app needs a terminal" in err


# Sessions of other agents


def transcript(name: str = "0196f2a4-1b2c-7d3e-8f40-123456789abc") -> Path:
    session = Transcript(name)
    session.user("hi", cwd="/home/me/shop")
    path = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / "-shop" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(session.rows))
    return path


def test_the_only_agent_may_be_another_one(run: Run, opened: Opened) -> None:
    path = transcript()
    assert run("attach") == (0, "", "")
    assert run("attach", "0196f2") == (0, "", "")
    assert run("attach", path) == (0, "", "")
    assert opened.followed == [(str(path), None)] * 3


def test_other_agents_stand_beside_native_ones(
    run: Run, opened: Opened, agents: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = start(agents, "planner")
    path = transcript()
    answering(monkeypatch, "2")
    code, out, _ = run("attach")
    assert code == 0
    assert recorder.path.stem in out.splitlines()[0]
    assert "shop 0196f2a4" in out.splitlines()[1]
    assert "Claude Code, last event" in out.splitlines()[1]
    assert opened.followed == [(str(path), None)]


def test_one_session_of_a_database_is_followed(
    run: Run, opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    database = Database(tmp_path / "opencode.db")
    monkeypatch.setenv("OPENCODE_DB", str(database.path))
    for name in ("ses_1", "ses_2"):
        database.session(name)
    database.execute("UPDATE session SET time_updated = ?", int(time.time() * 1000))
    assert run("attach", "ses_1") == (0, "", "")
    assert opened.followed == [(f"{database.path} ses_1", None)]
    code, _, err = run("attach", "ses_3")
    assert code == 2
    assert "no running agent is called ses_3" in err


def test_an_old_session_is_followed_where_its_file_is_named(run: Run, opened: Opened) -> None:
    path = transcript()
    os.utime(path, (1, 1))
    assert run("attach").code == 2
    assert run("attach", path) == (0, "", "")
    assert opened.followed == [(str(path), None)]


# Waiting


def test_an_agent_is_waited_for(
    run: Run, opened: Opened, agents: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attach, "LOOK_EVERY", 0.01)
    started = threading.Timer(0.1, lambda: start(agents, "planner"))
    started.start()
    code, out, err = run("attach", "--wait")
    started.join()
    assert (code, out) == (0, "")
    assert err == "spanscope: waiting for an agent; ctrl-c ends it\n"
    assert len(opened.followed) == 1


def test_nobody_waits_for_ever(run: Run, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attach, "LOOK_EVERY", 0.01)
    code, _, err = run("attach", "planner", "--wait", "0")
    assert code == 2
    assert "no running agent is called planner" in err


def test_nothing_is_waited_for_where_one_runs(run: Run, opened: Opened, agents: ExitStack) -> None:
    start(agents, "planner")
    assert run("attach", "--wait") == (0, "", "")


def test_waiting_can_be_ended(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spanscope.cli.attach.time.sleep", interrupted)
    assert run("attach", "--wait").code == 130
