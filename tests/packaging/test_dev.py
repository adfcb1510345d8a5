"""The script that sets everything up: when it installs, when it starts at once, what it says."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from support.checkout import ROOT


@pytest.fixture
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, at work on another checkout whose environment is this very Python."""
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / ".venv").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", Path(sys.executable))
    return module


@pytest.fixture
def installs(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the script asked pip for, in order; nothing is installed."""
    asked: list[str] = []
    monkeypatch.setattr(dev, "pip", lambda *arguments: asked.append(arguments[-1]))
    return asked


def test_a_second_run_starts_at_once(dev: ModuleType, installs: list[str]) -> None:
    dev.set_up("[dev]")
    dev.set_up("[dev]")
    assert installs == [f"{dev.ROOT}[dev]"]


def test_what_the_tests_need_is_enough_for_the_demo(dev: ModuleType, installs: list[str]) -> None:
    dev.set_up("[dev]")
    dev.set_up("")
    assert len(installs) == 1


def test_what_the_demo_needs_is_not_enough_for_the_tests(
    dev: ModuleType, installs: list[str]
) -> None:
    dev.set_up("")
    dev.set_up("[dev]")
    assert installs == [f"{dev.ROOT}", f"{dev.ROOT}[dev]"]


def test_changed_requirements_are_installed(dev: ModuleType, installs: list[str]) -> None:
    dev.set_up("")
    (dev.ROOT / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    dev.set_up("")
    assert len(installs) == 2


def test_an_environment_that_does_not_start_is_made_anew(
    dev: ModuleType, installs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bool] = []
    dev.set_up("")
    monkeypatch.setattr(dev, "PYTHON", dev.VENV / "bin" / "gone")
    monkeypatch.setattr(dev, "create_environment", lambda: made.append(True))
    dev.set_up("")
    assert made == [True]
    assert len(installs) == 2


def test_an_old_python_is_told_in_one_line(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "OLDEST", (99, 0))
    assert dev.main(["test"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "use 3.11 or newer" in line


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for a Python is a shell script")
def test_a_machine_without_venv_and_pip_is_told_what_to_install(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    poor = dev.ROOT / "python"
    poor.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    poor.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(poor))
    monkeypatch.setattr(dev, "PYTHON", dev.VENV / "bin" / "python")
    assert dev.main(["test"]) == 2
    assert "apt install python3-venv python3-pip" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (PermissionError(13, "Permission denied", "/x/.venv"), 2, "Permission denied: '/x/.venv'"),
    ],
)
def test_what_ends_the_set_up_is_no_traceback(
    dev: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    said: str,
) -> None:
    def pip(*_: str) -> None:
        raise error

    monkeypatch.setattr(dev, "pip", pip)
    assert dev.main(["demo"]) == code
    told = capsys.readouterr().err.splitlines()[1:]
    assert [line for line in told if said not in line] == []
    assert len(told) == (1 if said else 0)


@pytest.mark.parametrize("arguments", [[], ["tset"]])
def test_wrong_use_shows_the_usage(
    dev: ModuleType, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert dev.main(arguments) == 2
    assert capsys.readouterr().err.startswith("usage: python3 dev.py")
