"""Every format on the command line: the same bytes twice, hostile rows, branches, summaries."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.commands import Run
from support.importing import lines
from support.langgraph import Thread, ai, human
from support.opencode import Database
from support.sessions import RICH

HOSTILE = "\x1b]52;c;aGk=\x07\x9b2J\x1b[31m\u202e\u200b\x7f\r\n\t[bold]\ud800\U000e0041"
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def in_lines(rows: list[Any]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(lines(rows))

    return write


def langgraph(path: Path) -> None:
    thread = Thread(path)
    asked = [human("h", HOSTILE.replace("\ud800", ""))]
    thread.says(asked)
    fork = thread.last
    thread.says([*asked, ai("a", "older")])
    thread.step({"messages": [*asked, ai("b", "newer")]}, parent=fork, source="fork")


def opencode(path: Path) -> None:
    database = Database(path)
    for name in ("ses_1", "ses_2"):
        session = database.session(name)
        session.user(f"{HOSTILE} {name}")
        session.tool("bash", HOSTILE, command=HOSTILE)


SOURCES: dict[str, Callable[[Path], None]] = {
    **{importer.name: in_lines(rows) for importer, rows in RICH},
    "langgraph": langgraph,
    "opencode": opencode,
}
EACH = pytest.mark.parametrize("name", SOURCES)


@EACH
def test_importing_twice_gives_the_same_bytes(run: Run, name: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    SOURCES[name](source)
    for out in ("a", "b"):
        assert run("import", name, source, "-o", tmp_path / out).code == 0
    first, second = (tmp_path / out for out in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
    code, _, err = run("check", first, "--fail-on", "never")
    assert (code, err) == (0, "")


def spoiled(value: Any, chance: random.Random) -> Any:
    """A value with hostile text behind some of its texts that are no names of things."""
    if isinstance(value, dict):
        return {key: spoiled(item, chance) for key, item in value.items()}
    if isinstance(value, list):
        return [spoiled(item, chance) for item in value]
    if isinstance(value, str) and chance.random() < 0.3:
        return value + HOSTILE
    return value


@pytest.mark.parametrize(("importer", "rows"), RICH, ids=[each.name for each, _ in RICH])
def test_nothing_that_rows_say_can_act_on_a_terminal(
    run: Run, importer: Any, rows: list[Any], tmp_path: Path
) -> None:
    chance = random.Random(importer.name)
    source, out = tmp_path / "session.jsonl", tmp_path / "out.jsonl"
    hostile = [row if n == 0 else spoiled(row, chance) for n, row in enumerate(rows)]
    hostile.append({HOSTILE: 1, "type": HOSTILE})
    source.write_bytes(lines(hostile))
    code, _, err = run("import", importer.name, source, "-o", out)
    assert code == 0
    assert not ACTING.search(err)
    for command in (("check", "--fail-on", "never"), ("show",), ("log",)):
        code, said, err = run(command[0], out, *command[1:])
        assert code == 0
        assert not ACTING.search(said), command
        assert not ACTING.search(err), command


@pytest.mark.parametrize(
    ("name", "branch", "says", "hides"),
    [
        ("langgraph", None, "newer", "older"),
        ("langgraph", "1f1ec3c7-0002", "older", "newer"),
        ("opencode", "ses_1", "ses_1", "ses_2"),
    ],
)
def test_one_of_several_branches_is_asked_for(
    run: Run, name: str, branch: str | None, says: str, hides: str, tmp_path: Path
) -> None:
    source, out = tmp_path / "source.db", tmp_path / "out.jsonl"
    SOURCES[name](source)
    asked = () if branch is None else ("--branch", branch)
    assert run("import", source, "-o", out, *asked).code == 0
    contents = [json.loads(line).get("content", "") for line in out.read_bytes().splitlines()]
    assert any(says in content for content in contents)
    assert not any(hides in content for content in contents)


@pytest.mark.parametrize("name", ["langgraph", "opencode"])
def test_a_branch_that_is_not_there(run: Run, name: str, tmp_path: Path) -> None:
    source = tmp_path / "source.db"
    SOURCES[name](source)
    code, out, err = run("import", source, "-o", tmp_path / "out", "--branch", "\x1b[31mx")
    assert (code, out) == (2, "")
    assert "there is no branch \\x1b[31mx: there are " in err
    assert err.count("\n") == 1


def test_what_was_left_aside_is_said(run: Run, tmp_path: Path) -> None:
    importer, rows = RICH[0]
    source = tmp_path / "session.jsonl"
    source.write_bytes(lines([*rows, {"type": "shiny", "sessionId": "s1", "novel": 1}]) + b"\xff\n")
    _, _, err = run("import", source, "-o", tmp_path / "out.jsonl")
    assert f"{importer.name}: {len(rows) + 2} rows read, 1 unreadable" in err
    assert "1 unknown row: shiny (1)" in err
    assert "1 unknown field: novel (1)" in err
