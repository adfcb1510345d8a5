"""The command line as a whole: what it offers, what it refuses, and how it ends."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from support.commands import Run

from spanscope import __version__
from spanscope.cli import schema
from spanscope.cli.main import main
from spanscope.importers.source import formats

COMMANDS = ["open", "attach", "check", "show", "log", "rule", "demo", "import", "schema"]


def fail_with(error: BaseException) -> Any:
    def fail(*_: object) -> int:
        raise error

    return fail


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"spanscope {__version__}\n", "")


def test_help_names_every_command(run: Run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    listed = re.findall(r"^    (\w+) ", out.partition("COMMAND\n")[2], re.MULTILINE)
    assert listed == COMMANDS
    assert "exit codes: 0 nothing" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    code, out, err = run(command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: spanscope {command} ")
    assert ("--fail-on" in out) == (command == "check")


def test_the_help_of_import_names_every_format(run: Run) -> None:
    out = " ".join(run("import", "--help").out.split())
    assert f"formats: {', '.join(formats())} (" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name a journal to open"),
        (["chekc"], "no command and no file is called 'chekc': did you mean `spanscope check`?"),
        (["zzzzzz"], "no command and no file is called 'zzzzzz': see `spanscope --help`"),
        (["--at", "3"], "'--at' can't stand first: name a command (see `spanscope --help`)"),
        (["missing/x.jsonl"], "can't open missing/x.jsonl: no such file or directory; name a"),
        (["check"], "PATH (see `spanscope check --help`)"),
        (["check", "a", "--frobnicate"], "--frobnicate (see `spanscope check --help`)"),
        (["check", "a", "--output-format", "xml"], "invalid choice: 'xml'"),
        (["check", "a", "--fail-on", "bad"], "invalid choice: 'bad'"),
        (["check", "a", "--max-line", "0"], "'0' is not a whole number from 1 up"),
        (["check", "a", "--out", "json"], "unrecognized arguments"),
        (["show", "a", "--at", "-1"], "'-1' is not a whole number from 0 up"),
        (["show", "a", "--at", "two"], "'two' is not a whole number from 0 up"),
        (["show", "a", "b"], "unrecognized arguments: b"),
        (["attach"], "no agent is running: an agent shows up with `ContextBuffer.record"),
        (["attach", "--wait", "planner"], "'planner' is not a whole number from 0 up"),
        (["import", "codex"], "codex is a format: name the session after it"),
        (["import", "gopher", "x"], "there is no file and no format 'gopher'"),
        (["demo", "--live"], "--live needs a scenario: stale-citation, "),
        (["demo", "stale-base", "--live"], "--live needs a terminal"),
        (["demo", "--present"], "--present needs a scenario: stale-citation, "),
        (["demo", "stale-base", "--present"], "--present needs a terminal"),
        (["demo", "stale-base", "--present", "--live"], "leave out --live"),
        (["open", "x", "--follow"], "can't open x"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(run: Run, arguments: list[str], says: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.startswith("spanscope: ")
    assert err.count("\n") == 1


def test_hostile_arguments_do_not_reach_the_terminal(run: Run) -> None:
    for arguments in (["\x1b[31m"], ["check", "a", "--\x1b[31m"], ["rule", "\x9b31m\n"]):
        code, _, err = run(*arguments)
        assert code == 2
        assert err.rstrip("\n").isprintable()


def test_a_path_alone_is_opened(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("hello\n", encoding="utf-8")
    assert run(other) == run("open", other)


def test_a_fault_of_ours_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "journal_schema", fail_with(KeyError("lost\x1b[31m\nkey")))
    code, _, err = run("schema")
    assert code == 2
    assert "this is a fault in spanscope (KeyError: " in err
    assert "\x1b" not in err
    assert err.count("\n") == 1


def test_an_error_without_words_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "journal_schema", fail_with(MemoryError()))
    assert "(MemoryError)" in run("schema").err


def test_the_traceback_is_there_for_who_asks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPANSCOPE_DEBUG", "1")
    monkeypatch.setattr(schema, "journal_schema", fail_with(KeyError("\x1b[31m")))
    code, _, err = run("schema")
    assert code == 2
    assert "Traceback (most recent call last)" in err
    assert "in fail" in err
    assert "\x1b" not in err


def test_an_interrupted_command_says_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "journal_schema", fail_with(KeyboardInterrupt()))
    assert run("schema") == (130, "", "")


def test_closed_streams_are_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["rule"]) == 0
    assert main(["rule", "nonsense"]) == 2


def test_a_full_disk_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    code, _, err = run("rule")
    assert code == 2
    assert err == "spanscope: can't write standard output: no space left on device\n"
