#!/usr/bin/env python3
"""Sets up what is needed, once, and runs it: `python3 dev.py demo`, `python3 dev.py test`.

Needs Python 3.11 or newer with pip, and nothing else. Everything is installed into `.venv` beside
this file; a second run starts at once, unless pyproject.toml has changed since.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OLDEST = (3, 11)

USAGE = """\
usage: python3 dev.py demo [SCENARIO]     open a recorded session in the app
       python3 dev.py test [PYTEST ARGS]  run the test suite
       python3 dev.py lint                run ruff, mypy and the import contracts
"""

LINTERS = (
    ("ruff", "check"),
    ("ruff", "format", "--check"),
    ("mypy",),
    ("lint-imports",),
)


ALL_TESTS = ("--quiet", "--numprocesses=auto", "--dist=worksteal")


class SetupError(Exception):
    """What could not be set up, and what to do about it, in one line."""


def main(arguments: list[str]) -> int:
    """Run one command and return its exit code; 2 where it is unknown or can't be set up.

    130 where ctrl-c ends it, also while it is set up.
    """
    commands = {"demo": demo, "test": test, "lint": lint}
    name, *rest = arguments or [""]
    if name in {"-h", "--help"}:
        print(USAGE, end="")
        return 0
    if name not in commands:
        print(USAGE, end="", file=sys.stderr)
        return 2
    try:
        return commands[name](rest)
    except (SetupError, OSError) as error:
        print(f"dev.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def demo(arguments: list[str]) -> int:
    """Open a shipped session in the app."""
    set_up("")
    return run([str(PYTHON), "-m", "spanscope", "demo", *(arguments or ["dropped-inverse"])])


def test(arguments: list[str]) -> int:
    """Run the test suite on every core, or the part of it that the arguments name on one."""
    set_up("[dev]")
    return run([str(PYTHON), "-m", "pytest", *(arguments or ALL_TESTS)])


def lint(_arguments: list[str]) -> int:
    """Run every checker, also after one has failed, and return the worst exit code."""
    set_up("[dev]")
    return max([lint_with(command) for command in LINTERS])


def lint_with(command: tuple[str, ...]) -> int:
    """Run one checker under its name."""
    print(f"$ {' '.join(command)}", flush=True)
    return run([str(BIN / command[0]), *command[1:]])


def run(command: list[str]) -> int:
    """Run a command at the root of the repository, with our terminal, and return its exit code."""
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def set_up(extras: str) -> None:
    """Make `.venv` hold this project, with `extras`, unless it does already."""
    if sys.version_info < OLDEST:
        raise SetupError(f"Python {sys.version.split()[0]} is too old: use 3.11 or newer.")
    if is_set_up(extras):
        return
    print(f"Setting up {VENV} (once; takes a minute or two)", file=sys.stderr, flush=True)
    if not is_usable():
        create_environment()
    pip("install", "--quiet", "--editable", f"{ROOT}{extras}")
    stamp(extras).write_text(fingerprint(), encoding="utf-8")


def is_set_up(extras: str) -> bool:
    """Whether `.venv` works and was filled from the pyproject.toml that stands here now."""
    filled = [path for path in (stamp(extras), stamp("[dev]")) if path.is_file()]
    current = any(path.read_text(encoding="utf-8") == fingerprint() for path in filled)
    return current and is_usable()


def stamp(extras: str) -> Path:
    """The file that says what `.venv` was filled from, with these extras."""
    return VENV / f"spanscope-set-up{extras.strip('[]')}.stamp"


def fingerprint() -> str:
    """What an environment depends on: the project's requirements and where it lies."""
    seen = (ROOT / "pyproject.toml").read_bytes() + os.fsencode(ROOT)
    return hashlib.sha256(seen).hexdigest()


def is_usable() -> bool:
    """Whether `.venv` has a Python that starts, is new enough, and comes with pip."""
    probe = f"import sys, pip; sys.exit(sys.version_info < {OLDEST})"
    return PYTHON.is_file() and quietly([str(PYTHON), "-c", probe])


def create_environment() -> None:
    """Make `.venv` by whichever way this machine has: venv, pip without ensurepip, virtualenv."""
    if quietly([sys.executable, "-m", "venv", "--clear", str(VENV)]):
        return
    shutil.rmtree(VENV, ignore_errors=True)
    if quietly([sys.executable, "-m", "venv", "--without-pip", str(VENV)]) and quietly(
        [sys.executable, "-m", "pip", "--python", str(PYTHON), "install", "pip"]
    ):
        return
    shutil.rmtree(VENV, ignore_errors=True)
    if quietly([sys.executable, "-m", "virtualenv", str(VENV)]):
        return
    raise SetupError(
        f"{sys.executable} can't make a virtual environment: install its venv and pip "
        "(on Debian and Ubuntu: apt install python3-venv python3-pip)."
    )


def pip(*arguments: str) -> None:
    """Run pip in `.venv`; what it has to say goes to standard error."""
    command = [str(PYTHON), "-m", "pip", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=sys.stderr)
    if done.returncode:
        raise SetupError("pip could not install the project: see its messages above.")


def quietly(command: list[str]) -> bool:
    """Whether a command succeeds; what it prints is dropped."""
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
