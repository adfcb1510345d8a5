"""The import contracts hold exactly the table below, shown on skeletons of the package."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.checkout import ROOT

MAY_IMPORT: dict[str, set[str]] = {
    "journal": set(),
    "model": {"journal.events", "journal.parts"},
    "plain": {"journal"},
    "rules": {"model", "journal.events", "journal.parts"},
    "history": {"rules", "model", "journal"},
    "buffer": {"rules", "model", "journal"},
    "importers": {"journal", "model"},
    "integrations": {"buffer", "rules", "model", "journal"},
    "text": set(),
    "widgets": {"history", "rules", "model", "journal", "text"},
    "app": {"widgets", "importers", "buffer", "history", "rules", "model", "journal", "text"},
    "cli": {
        *("app", "widgets", "importers", "buffer", "history", "rules", "model", "journal"),
        *("text", "sample_sessions", "plain", "integrations"),
    },
    "sample_sessions": {"buffer", "rules", "model", "journal"},
}
JOURNAL_MODULES = {"journal.events", "journal.parts", "journal.reader"}
TARGETS = {*MAY_IMPORT, *JOURNAL_MODULES}
WITHOUT_A_TERMINAL = sorted(MAY_IMPORT.keys() - {"text", "widgets", "app", "cli"})


def allowed(room: str, target: str) -> bool:
    granted = MAY_IMPORT[room]
    return target in granted or target.partition(".")[0] in granted


PAIRS = [
    (room, target)
    for room in MAY_IMPORT
    for target in sorted(TARGETS)
    if target.partition(".")[0] != room
]
ALLOWED = [(room, target) for room, target in PAIRS if allowed(room, target)]
FORBIDDEN = [(room, target) for room, target in PAIRS if not allowed(room, target)]


@pytest.fixture
def skeleton(tmp_path: Path) -> Path:
    """The rooms of the package without their contents, under our contracts."""
    shutil.copy(ROOT / ".importlinter", tmp_path)
    for room in ("", *MAY_IMPORT):
        folder = tmp_path / "spanscope" / room
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
    for module in JOURNAL_MODULES:
        (tmp_path / "spanscope" / f"{module.replace('.', '/')}.py").touch()
    return tmp_path


def importing(room: str, target: str) -> str:
    return f"{room}.takes_{target.replace('.', '_')}"


def add_import(skeleton: Path, room: str, target: str, module: str) -> None:
    """Give `room` a module that imports `module`."""
    path = skeleton / "spanscope" / f"{importing(room, target).replace('.', '/')}.py"
    path.write_text(f"import {module}\n", encoding="utf-8")


def lint(skeleton: Path) -> subprocess.CompletedProcess[str]:
    command = ["lint-imports", "--no-cache"]
    script = Path(sys.executable).with_name(command[0])
    return subprocess.run(
        [script, *command[1:]], cwd=skeleton, capture_output=True, text=True, check=False
    )


def test_every_room_is_in_the_table() -> None:
    rooms = {path.parent.name for path in (ROOT / "spanscope").glob("*/__init__.py")}
    assert rooms == MAY_IMPORT.keys()


def test_what_the_table_allows_keeps_the_contracts(skeleton: Path) -> None:
    for room, target in ALLOWED:
        add_import(skeleton, room, target, f"spanscope.{target}")
    done = lint(skeleton)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_what_the_table_leaves_out_breaks_them(skeleton: Path, room: str) -> None:
    targets = [target for source, target in FORBIDDEN if source == room]
    for target in targets:
        add_import(skeleton, room, target, f"spanscope.{target}")
    done = lint(skeleton)
    named = [target for target in targets if f"spanscope.{importing(room, target)}" in done.stdout]
    assert named == targets
    assert done.returncode == (1 if targets else 0)


@pytest.mark.parametrize("library", ["textual", "rich", "watchfiles"])
def test_rooms_without_a_terminal_may_not_import_one(skeleton: Path, library: str) -> None:
    for room in WITHOUT_A_TERMINAL:
        add_import(skeleton, room, library, library)
    done = lint(skeleton)
    missed = [
        room
        for room in WITHOUT_A_TERMINAL
        if f"spanscope.{importing(room, library)}" not in done.stdout
    ]
    assert missed == []


def test_a_new_room_must_be_given_its_place(skeleton: Path) -> None:
    (skeleton / "spanscope" / "attic").mkdir()
    (skeleton / "spanscope" / "attic" / "__init__.py").touch()
    done = lint(skeleton)
    assert done.returncode == 1
    assert "spanscope.attic" in done.stdout
