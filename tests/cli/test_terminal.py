"""Commands in a real terminal: keys, screens and exit codes as a person has them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from spanscope.buffer.recorder import Recorder
from spanscope.journal.sessions import list_sessions
from spanscope.sample_sessions import sample

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

from support.claude import Transcript
from support.importing import lines
from support.terminals import terminal


@pytest.fixture(autouse=True)
def able(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal of these tests can draw, whatever runs them."""
    monkeypatch.setenv("TERM", "xterm-256color")


def test_a_terminal_that_prints_lines_only_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with terminal("open", sample("stale-base").path) as refused:
        assert refused.ended() == 2
        [line] = refused.drawn.splitlines()
        assert b"the app needs a terminal that can draw, and TERM is dumb: use `spans" in line
    with terminal() as refused:
        assert refused.ended() == 2


def test_standard_input_is_followed_and_the_keys_come_from_the_terminal() -> None:
    data = sample("stale-base").path.read_bytes()
    reading, writing = os.pipe()
    with terminal("-", stdin=reading) as opened:
        os.close(reading)
        os.write(writing, data[:6000])
        opened.until("STREAM")
        os.write(writing, data[6000:])
        os.close(writing)
        opened.until("DIF311")
        opened.press("q")
        assert opened.ended() == 0


def test_attaching_to_an_agent() -> None:
    with Recorder.open("planner") as recorder:
        recorder.ingest("task", "Fix it.")
        with terminal("attach") as opened:
            opened.until("LIVE")
            recorder.mark("note", "fifty milliseconds")
            opened.until("fifty milliseconds")
            opened.press("q")
            assert opened.ended() == 0


def test_attaching_to_another_agent_as_it_goes_on() -> None:
    session = Transcript()
    session.user("Fix the flaky test")
    path = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / "-shop" / "s1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(lines(session.rows))
    with terminal("attach") as opened:
        opened.until("WATCHED")
        session.user("Go on", uuid="fifty-ms")
        with path.open("ab") as stream:
            stream.write(lines(session.rows[1:]))
        opened.until("fifty-ms")
        opened.press("q")
        assert opened.ended() == 0


def test_following_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch()
    with terminal("open", path, "--follow", size=(80, 24)) as opened:
        opened.until("WATCHED")
        path.write_bytes(sample("stale-base").path.read_bytes())
        opened.until("closed in good order")
        opened.press("q")
        assert opened.ended() == 0


def test_a_demo_that_lives() -> None:
    with terminal("demo", "stale-base", "--live") as opened:
        opened.until("LIVE")
        opened.press("q")
        assert opened.ended() == 0
    [session] = list_sessions()
    assert session.path.name.startswith("stale-base-")
    assert session.live is None
