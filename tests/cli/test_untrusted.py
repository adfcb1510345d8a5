"""What a journal says can't act on a terminal, whichever command prints it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.commands import Run
from support.every_event import CALLS
from support.lines import journal, text

HOSTILE = "\x1b]52;c;aGk=\x07\x9b2J\x1b[31m\u202e\u200b\x7f\r\n\t[bold]\ud800\U000e0041"
FIXED = frozenset({"type", "kind", "unit", "cost", "outcome", "method", "time", "format"})
NAMED_BY_DATA = frozenset({"versions", "hashes", "contents", "meta"})
TIME = "2026-11-11T09:00:00Z"


def poisoned(value: Any, name: str = "") -> Any:
    """The value of a field with hostile text in every text that is no fixed word."""
    if isinstance(value, str):
        return value if name in FIXED else f"{value}{HOSTILE}"
    if isinstance(value, list):
        return value if name == "checked" else [poisoned(item) for item in value]
    if isinstance(value, dict):
        ending = HOSTILE if name in NAMED_BY_DATA else ""
        return {f"{key}{ending}": poisoned(item, key) for key, item in value.items()}
    return value


def events() -> Iterator[dict[str, Any]]:
    """A small session and then every event with every field, all of it poisoned."""
    story = [
        {"type": "ingest", "span": "a", "content": "one two three", "role": "user"},
        {"type": "derive", "artifact": "c", "span": "a", "kind": "citation", "range": [4, 7]},
        {
            "type": "stage",
            "diff": "D",
            "base": {"revision": 1},
            "reads": [{"span": f"a{HOSTILE}"}],
            "refs": [{"kind": "quote", "span": f"a{HOSTILE}", "text": "two"}],
            "edits": [{"type": "splice", "span": "a", "at": 0, "delete": 0, "insert": "x"}],
        },
        {"type": "rewrite", "span": "a", "op": "fold", "content": "1 2 3"},
        {"type": "use", "artifact": "c", "got": "two"},
        {"type": "observe", "hashes": {"a": "sha256:" + "0" * 64}},
    ]
    for fields in (*story, *(fields for _, fields in CALLS)):
        yield poisoned(fields)
    yield {**poisoned({"extra": [{"deep": "x"}]}), "type": f"teleport{HOSTILE}"}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    lines: list[dict[str, Any] | bytes] = [
        {"actor": HOSTILE, **fields, "seq": seq, "time": TIME}
        for seq, fields in enumerate(events(), 1)
    ]
    lines.append(b'{"type":"\x1b[2J\xc2\x9b')
    header = {
        "type": "session",
        "format": "spanscope.journal/1",
        "session": f"s{HOSTILE}",
        "agent": HOSTILE,
    }
    path = tmp_path / "\x1b[31mred\u202e.jsonl"
    written = text(header) + b"\n" + journal(*lines).partition(b"\n")[2]
    # A lone surrogate is JSON only when it is escaped.
    path.write_bytes(written.replace(b"\xed\xa0\x80", b"\\ud800"))
    return path


COMMANDS = [
    *(["check", "--output-format", form] for form in ("full", "concise", "json")),
    *(["show", "--output-format", form] for form in ("text", "json")),
    *(["log", "--output-format", form] for form in ("text", "json")),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_printed_can_act(run: Run, hostile: Path, command: list[str]) -> None:
    code, out, err = run(*command, hostile)
    assert code in {0, 1}
    assert err == ""
    assert out.count("\n") > 0
    assert [line for line in out.split("\n") if not line.isprintable()] == []
    assert command[-1] != "json" or out.isascii()


@pytest.mark.parametrize("at", range(8))
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_step_shown_can_act(run: Run, hostile: Path, form: str, at: int) -> None:
    code, out, err = run("show", hostile, "--at", str(at), "--output-format", form)
    assert (code, err) == (0, "")
    assert [line for line in out.split("\n") if not line.isprintable()] == []


def test_messages_about_a_hostile_path_are_one_line(run: Run, tmp_path: Path) -> None:
    for command in ("open", "check", "show", "log"):
        code, _, err = run(command, tmp_path / HOSTILE.replace("\ud800", ""))
        assert code == 2
        assert err.count("\n") == 1
        assert err.rstrip("\n").isprintable()


def test_the_journal_really_is_hostile(hostile: Path) -> None:
    assert {fields["type"] for fields in events()} > {fields["type"] for _, fields in CALLS}
    written = hostile.read_bytes()
    for raw in ("\x9b", "\x7f", "\u202e", "\U000e0041"):
        assert written.count(raw.encode()) > 100
    assert written.count(b"\\u001b") > 100
