"""`spanscope open` and `spanscope demo`: what they hand to the app, and what they refuse."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from pathlib import Path

import pytest
from support.claude import Transcript
from support.commands import Opened, Run

from spanscope.sample_sessions import NAMES, sample

needs_posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no /dev/tty")


def transcript() -> str:
    session = Transcript()
    session.user("hi")
    return "".join(json.dumps(row) + "\n" for row in session.rows)


def test_a_journal_is_opened(run: Run, opened: Opened, stale: Path) -> None:
    assert run("open", stale) == (0, "", "")
    assert run(stale, "--at", "3") == (0, "", "")
    assert run("open", "--at", "0", stale) == (0, "", "")
    assert opened.recorded == [(str(stale), None), (str(stale), 3), (str(stale), 0)]


def test_what_the_app_says_is_the_exit_code(
    run: Run, opened: Opened, stale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["spanscope.app.run"], "run", lambda path, **_: 2)
    assert run("open", stale).code == 2


def test_other_formats_are_refused(run: Run, opened: Opened, tmp_path: Path) -> None:
    other = tmp_path / "session.jsonl"
    other.write_text('{"kind":"user","words":{"content":"hi"}}\n', encoding="utf-8")
    code, _, err = run("open", other)
    assert code == 2
    assert "is no buffer journal and no session that `import` knows" in err
    assert opened.recorded == []


@pytest.mark.parametrize("path", ["missing.jsonl", "."])
def test_what_is_no_file_is_refused(run: Run, opened: Opened, path: str) -> None:
    code, _, err = run("open", path)
    assert code == 2
    assert err.count("\n") == 1
    assert opened.recorded == []


def test_a_journal_is_followed(run: Run, opened: Opened, stale: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert run("open", stale, "--follow") == (0, "", "")
    assert run(empty, "--follow", "--at", "3") == (0, "", "")
    assert opened.followed == [(str(stale), None), (str(empty), 3)]
    assert opened.recorded == []


def test_another_tools_session_is_followed(run: Run, opened: Opened, tmp_path: Path) -> None:
    session = tmp_path / "session.jsonl"
    session.write_text(transcript(), encoding="utf-8")
    assert run("open", session, "--follow") == (0, "", "")
    assert opened.followed == [(str(session), None)]


def test_what_is_no_journal_is_not_followed(run: Run, opened: Opened, tmp_path: Path) -> None:
    other = tmp_path / "session.jsonl"
    other.write_text('{"kind":"user","words":{"content":"hi"}}\n', encoding="utf-8")
    code, _, err = run("open", other, "--follow")
    assert code == 2
    assert "is no buffer journal: `spanscope check`" in err
    assert err.count("\n") == 1
    assert opened.followed == []


@needs_posix
def test_standard_input_is_shown(run: Run, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert run("-") == (0, "", "")
    assert run("open", "-", "--at", "3") == (0, "", "")
    assert opened.streams == [None, 3]


@needs_posix
def test_a_terminal_is_no_journal(
    run: Run, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.StringIO()
    monkeypatch.setattr(stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", stdin)
    code, _, err = run("-")
    assert code == 2
    assert "as in `agent | spanscope -`" in err
    assert opened.streams == []


@needs_posix
def test_standard_input_without_a_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    code, _, err = run("-")
    assert code == 2
    assert "the app needs a terminal: use `spanscope show -` or `spanscope log -`" in err


def test_without_a_terminal_the_app_is_not_started(run: Run, stale: Path) -> None:
    code, out, err = run("open", stale)
    assert (code, out) == (2, "")
    assert "the app needs a terminal: use `spanscope show` or `spanscope log`" in err


def test_the_gallery_lists_every_recording(run: Run) -> None:
    code, out, _ = run("demo")
    assert code == 0
    entry = r"^(\S+)  +(\S.+)\n +unsafe  (.+)\n +safe +(.+)$"
    listed = re.findall(entry, out, re.MULTILINE)
    stories = {name: (sample(name), sample(name, safe=True)) for name in NAMES}
    assert listed == [
        (name, unsafe.title, unsafe.story, safe.story) for name, (unsafe, safe) in stories.items()
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_is_opened(run: Run, opened: Opened, name: str) -> None:
    for arguments in ([name], [name, "--safe"], [f"{name}-safe"], [f"{name}-safe", "--safe"]):
        assert run("demo", *arguments) == (0, "", "")
    unsafe, safe = sample(name), sample(name, safe=True)
    assert opened.recorded == [
        (str(unsafe.path), unsafe.look_at),
        *[(str(safe.path), safe.look_at)] * 3,
    ]
    assert unsafe.path.is_file()
    assert safe.path.is_file()


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("stale-bse", "did you mean stale-base?"), ("nope", f"there are {', '.join(NAMES)}")],
)
def test_an_unknown_scenario_is_refused(run: Run, opened: Opened, asked: str, hint: str) -> None:
    code, _, err = run("demo", asked)
    assert code == 2
    assert err == f"spanscope: no scenario is called {asked!r}: {hint}\n"
    assert opened.recorded == []


def test_a_scenario_is_presented(run: Run, opened: Opened) -> None:
    assert run("demo", "stale-base", "--present") == (0, "", "")
    assert run("demo", "stale-base-safe", "--present") == (0, "", "")
    assert opened.presented == [
        ("stale-base", "stale-base-safe", False),
        ("stale-base", "stale-base-safe", True),
    ]
    assert opened.recorded == []


def test_an_agent_that_does_not_start_is_said(
    run: Run, opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SPANSCOPE_HOME", str(tmp_path / "file" / "folder"))
    (tmp_path / "file").write_text("")
    code, _, err = run("demo", "stale-base", "--live")
    assert code == 2
    assert err.startswith("spanscope: the agent of stale-base did not start: ")
    assert "can't create" in err
    assert err.count("\n") == 1
    assert opened.followed == []
