"""Several journals at once: what processes share out comes in order, and is the same as by one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from multiprocessing import active_children
from pathlib import Path

import pytest
from support.checkout import ROOT
from support.commands import Record, Run
from support.pieces import DEADLY, WRONG, shouted

from spanscope.buffer.recorder import Recorder
from spanscope.cli import check, cores
from spanscope.cli.cores import Ended, shared_out

UNIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")


def test_results_come_in_the_order_of_the_items() -> None:
    items = ["slow a", "b", "c", "slow d", "e"]
    found = list(shared_out(shouted, items, [1, 9, 1, 1, 5], 2))
    assert found == [item.upper() for item in items]
    assert not active_children()


@UNIX
def test_a_process_that_is_killed_costs_one_item() -> None:
    found = list(shared_out(shouted, ["a", DEADLY, "b", "c"], [1, 1, 1, 1], 2))
    assert [found[0], *found[2:]] == ["A", "B", "C"]
    assert found[1] == Ended(f"was ended by signal 9 ({signal.strsignal(9)})")


def test_an_error_is_raised_where_the_results_are_taken() -> None:
    with pytest.raises(RuntimeError, match="KeyError: 'wrong'") as raised:
        list(shared_out(shouted, ["a", WRONG, "b"], [1, 1, 1], 2))
    assert "shouted" in raised.value.__notes__[0], "what the other process was about"
    assert not active_children()


def test_processes_end_with_whoever_takes_the_results() -> None:
    with closing(shared_out(shouted, ["a", "slow b", "slow c"], [1, 1, 1], 3)) as results:
        assert next(results) == "A"
    assert not active_children()


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small journals are, and however many cores there are."""
    monkeypatch.setattr(check, "SHARED_FROM", 0)
    monkeypatch.setattr("spanscope.cli.sharing.cores", lambda: 2)


@pytest.mark.parametrize("form", ["full", "concise", "json"])
def test_several_journals_are_told_of_as_by_one_process(
    run: Run, stale: Path, clean: Path, unknown: Path, form: str, request: pytest.FixtureRequest
) -> None:
    missing = clean.with_name("missing.jsonl")
    arguments = ("check", stale, missing, clean, unknown, "--output-format", form)
    alone = run(*arguments)
    request.getfixturevalue("shared")
    assert run(*arguments) == alone
    assert alone.code == 2
    assert "missing.jsonl" in alone.err


@pytest.mark.usefixtures("shared")
def test_a_second_opinion_is_asked_of_several_journals(run: Run, stale: Path, clean: Path) -> None:
    found = run("check", "--verify", stale, clean)
    assert found.code == 1
    assert found.err.count("a second opinion agrees") == 2


@UNIX
@pytest.mark.usefixtures("shared")
def test_a_journal_whose_process_was_killed_is_said_so(
    run: Run, stale: Path, clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_work: object, items: list[str], *_: object) -> list[str | Ended]:
        return list(shared_out(shouted, [DEADLY] * len(items), [1] * len(items), 2))

    monkeypatch.setattr("spanscope.cli.sharing.shared_out", killed)
    found = run("check", stale, clean)
    assert found.code == 2
    assert "stale.jsonl was not judged: the process that read it was ended by signal 9" in found.err


def test_where_there_is_one_core_nothing_is_shared_out(
    run: Run, stale: Path, clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "SHARED_FROM", 0)
    monkeypatch.setattr("spanscope.cli.sharing.cores", lambda: 1)
    monkeypatch.setattr("spanscope.cli.sharing.shared_out", None)
    assert run("check", stale, clean).code == 1


def test_there_is_a_core() -> None:
    assert cores.cores() >= 1


def _write_long(recorder: Recorder) -> None:
    for number in range(12_000):
        recorder.mark("note", f"{number} " + "x" * 900)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only there it is seen")
def test_ctrl_c_ends_all_processes_without_a_word(record: Record) -> None:
    paths = [record(name, _write_long) for name in ("one", "two", "three")]
    command = [sys.executable, "-m", "spanscope", "check", *map(str, paths)]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        if cores.cores() > 1:
            _wait_until(lambda: len(_processes_of(process.pid)) > 2)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")
    _wait_until(lambda: not _processes_of(process.pid))


def _processes_of(session: int) -> list[str]:
    """The processes of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(stat.parent.name)
    return found


def _wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(1500):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("it never came")
