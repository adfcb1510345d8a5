"""Running a command in this process, and journals to run it on."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from support.commands import (
    Done,
    Opened,
    Record,
    Run,
    Write,
    ticking,
    write_blocked_undo,
    write_clean,
    write_stale_diff,
    write_stale_use,
    write_unknown,
)

from spanscope.buffer.recorder import Recorder
from spanscope.cli import attach, demo
from spanscope.cli import open as opening
from spanscope.cli.main import main
from spanscope.importers.source import Source


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_main(*arguments: str | Path) -> Done:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Done(int(code), captured.out, captured.err)

    return run_main


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """A terminal, and an app that notes what it is given and ends with 0."""
    calls = Opened([], [], [], [])

    def run(
        path: str,
        *,
        at: int | None = None,
        follow: bool = False,
        branch: str | None = None,
        session: Source | None = None,
    ) -> int:
        named = path if branch is None else f"{path} {branch}"
        (calls.followed if follow else calls.recorded).append((named, at))
        return 0

    def run_stream(*, at: int | None = None) -> int:
        calls.streams.append(at)
        return 0

    def run_presentation(title: str, unsafe: Path, safe: Path, *, begin_safe: bool) -> int:
        calls.presented.append((unsafe.stem, safe.stem, begin_safe))
        return 0

    module = ModuleType("spanscope.app.run")
    module.run = run  # type: ignore[attr-defined]
    module.run_stream = run_stream  # type: ignore[attr-defined]
    module.run_presentation = run_presentation  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spanscope.app.run", module)
    for command in (attach, demo, opening):
        monkeypatch.setattr(command, "has_terminal", lambda keys=True: True)
    return calls


@pytest.fixture
def record(tmp_path: Path) -> Record:
    def write_journal(name: str, write: Write, *, session: str | None = None) -> Path:
        path = tmp_path / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with Recorder.open(name, path, clock=ticking(), session=session or name) as recorder:
            write(recorder)
        return path

    return write_journal


@pytest.fixture
def stale(record: Record) -> Path:
    return record("stale", write_stale_use)


@pytest.fixture
def clean(record: Record) -> Path:
    return record("clean", write_clean)


@pytest.fixture
def unknown(record: Record) -> Path:
    return record("unknown", write_unknown)


@pytest.fixture
def blocked(record: Record) -> Path:
    return record("blocked", write_blocked_undo)


@pytest.fixture
def staged(record: Record) -> Path:
    return record("staged", write_stale_diff)
