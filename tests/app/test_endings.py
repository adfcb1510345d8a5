"""Whatever ends the app, the terminal is as it was before; what can't be opened is said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

from support.terminals import terminal

from spanscope.sample_sessions import sample

STORY = sample("stale-base").path
LEFT = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1003l", b"\x1b[?2004l")
"""The other screen is left, the cursor shown, mouse and pastes are no longer reported."""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_gives_the_terminal_back(name: str) -> None:
    number = getattr(signal, name)
    with terminal("open", STORY, size=(80, 24)) as opened:
        before = opened.modes
        opened.until("DIF311")
        assert opened.modes != before
        opened.process.send_signal(number)
        assert opened.ended() == 128 + number
        assert [part for part in LEFT if part not in opened.everything] == []
        assert opened.modes == before


def test_the_chooser_too() -> None:
    with terminal(size=(80, 24)) as opened:
        before = opened.modes
        opened.until("Demos")
        opened.process.send_signal(signal.SIGTERM)
        assert opened.ended() == 128 + signal.SIGTERM
        assert opened.modes == before


def test_a_terminal_that_is_gone_ends_it() -> None:
    with terminal("open", STORY, size=(80, 24)) as opened:
        opened.until("DIF311")
        opened.close()
        assert opened.process.wait(60) != 0


STUCK = """
import threading
from spanscope.app.hangup import end_with_terminal
end_with_terminal(0, lambda: print("leaving", flush=True), 0.2)
threading.Event().wait()
"""


def test_also_one_that_waits_for_ever() -> None:
    master, slave = os.openpty()
    command = [sys.executable, "-c", STUCK]
    with subprocess.Popen(command, stdin=slave, stdout=subprocess.PIPE) as stuck:
        os.close(slave)
        with pytest.raises(subprocess.TimeoutExpired):
            stuck.wait(0.5)
        os.close(master)
        assert stuck.wait(60) == 128 + signal.SIGHUP
        assert stuck.stdout is not None
        assert stuck.stdout.read() == b"leaving\n"


def test_sizes_that_come_and_go() -> None:
    with terminal("open", STORY, size=(1, 1)) as opened:
        opened.settle(30)
        for step in range(40):
            opened.resize(1 + step * 37 % 200, 1 + step * 13 % 60)
        opened.resize(0, 0)
        opened.resize(120, 40)
        opened.until("DIF311")
        opened.press("q")
        assert opened.ended() == 0


def test_no_home_and_nowhere_to_write(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    nowhere = {"SPANSCOPE_HOME": str(occupied), "HOME": None, "XDG_CONFIG_HOME": None}
    with terminal("open", STORY, environment=nowhere) as opened:
        opened.until("DIF311")
        opened.press("m")
        opened.until("a note")
        opened.press("x\r")
        opened.until("holds until you leave")
        opened.press("q")
        assert opened.ended() == 0


@pytest.mark.parametrize("kind", ["empty", "folder", "pipe"])
def test_what_is_no_journal_is_said_in_a_line(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.touch()
    with terminal("open", path) as opened:
        assert opened.ended() == 2
        assert opened.drawn.startswith(b"spanscope: ")
        assert opened.drawn.count(b"\n") == 1


def test_a_dumb_terminal_and_no_standard_input() -> None:
    with terminal("open", STORY, environment={"TERM": "dumb"}) as opened:
        assert opened.ended() == 2
        assert b"TERM is dumb" in opened.drawn
    shell = f"exec {sys.executable} -m spanscope open {STORY} <&-"
    done = subprocess.run(["/bin/sh", "-c", shell], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
