"""Commands as processes of their own: pipes that close, ctrl-c, no terminal, what is imported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.checkout import ROOT
from support.commands import Record
from support.processes import output

from spanscope.buffer.recorder import Recorder

COMMAND = [sys.executable, "-m", "spanscope"]
UNIX = pytest.mark.skipif(os.name == "nt", reason="Windows has neither these pipes nor signals")

LOADED = """
import json, sys
from spanscope.cli.main import main
code = main({arguments!r})
sys.stdout.flush()
print()
print(json.dumps([code, sorted({{name.partition(".")[0] for name in sys.modules}})]))
"""


def write_much(recorder: Recorder) -> None:
    """Far more than a pipe holds, and an error at every second event."""
    for number in range(2000):
        recorder.mark("note", f"{number} " + "x" * 60)
        recorder.use(f"nobody's artifact {number}")


def start(*arguments: str | Path, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=ROOT,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@UNIX
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["log"], 0),
        (["log", "--output-format", "json"], 0),
        (["show"], 0),
        (["check"], 1),
        (["check", "--output-format", "concise"], 1),
        (["check", "--output-format", "json"], 1),
        (["check", "--fail-on", "never"], 0),
    ],
    ids=str,
)
def test_a_closed_pipe_ends_quietly_and_keeps_the_verdict(
    record: Record, arguments: list[str], code: int
) -> None:
    path = record("much", write_much)
    with start(*arguments, path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == code


@UNIX
def test_a_pipe_that_was_closed_before_ends_quietly() -> None:
    for arguments in (["--help"], ["rule"], ["schema"], ["--version"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False
        )
        os.close(writing)
        assert (done.returncode, done.stderr) == (0, b"")


@UNIX
def test_ctrl_c_ends_with_130_and_without_a_word(stale: Path) -> None:
    arguments = ("check", "--output-format", "concise", stale, "-")
    with start(*arguments, stdin=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"SPN101" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (process.returncode, err) == (130, b"")


def python(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """What a Python process says."""
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=False)


@UNIX
def test_ctrl_c_while_modules_are_loaded_ends_with_130_and_without_a_word() -> None:
    script = "import os, signal, spanscope._start; os.kill(os.getpid(), signal.SIGINT); print(1)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@UNIX
def test_an_interrupt_that_is_ignored_stays_ignored() -> None:
    script = (
        "import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN); import spanscope._start;"
        "import sys; sys.argv[1:] = ['--version']; code = spanscope._start.main();"
        "os.kill(os.getpid(), signal.SIGINT); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_package_itself_loads_next_to_nothing() -> None:
    script = (
        "import sys; before = set(sys.modules); import spanscope; print(*set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert set(done.stdout.split()) == {"spanscope", "spanscope._version"}


@UNIX
def test_output_that_is_closed_is_survived(stale: Path) -> None:
    command = 'exec "$@" >&- 2>&-'
    done = subprocess.run(
        ["sh", "-c", command, "sh", *COMMAND, "check", stale], cwd=ROOT, check=False
    )
    assert done.returncode == 1


def test_without_a_terminal_the_app_says_so(stale: Path) -> None:
    with start("open", stale) as process:
        out, err = process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert b"needs a terminal" in err
    assert err.count(b"\n") == 1


def test_a_terminal_that_knows_no_unicode_gets_ascii(record: Record) -> None:
    def write(recorder: Recorder) -> None:
        recorder.mark("note", "é\x1b日本")

    path = record("notes", write)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*COMMAND, "log", path], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"<U+00E9>^[<U+65E5><U+672C>" in done.stdout


def test_hash_seeds_do_not_change_what_is_said(record: Record) -> None:
    path = record("much", write_much)
    reports = {
        subprocess.run(
            [*COMMAND, "check", path],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=False,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(reports) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["rule"],
        ["rule", "SPN101"],
        ["schema"],
        ["demo"],
        ["check", "PATH"],
        ["check", "--output-format", "json", "PATH"],
        ["show", "PATH"],
        ["log", "PATH"],
        ["open", "PATH"],
    ],
    ids=" ".join,
)
def test_no_command_but_the_app_loads_a_terminal(stale: Path, arguments: list[str]) -> None:
    given = [str(stale) if argument == "PATH" else argument for argument in arguments]
    printed = output(sys.executable, "-c", LOADED.format(arguments=given), cwd=ROOT)
    code, loaded = json.loads(printed.splitlines()[-1])
    assert code in {0, 1, 2}
    assert "spanscope" in loaded
    assert not set(loaded) & {"textual", "rich", "watchfiles"}
