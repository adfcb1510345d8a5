"""`spanscope log`: the events with what was found at them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
from support.commands import Run
from support.lines import journal, mark

from spanscope.journal.lines import decode_event


def test_a_line_an_event(run: Run, stale: Path) -> None:
    code, out, err = run("log", stale)
    assert (code, err) == (0, "")
    events = [line for line in out.splitlines() if not line.startswith(" ")]
    assert [line.split("  ")[0] for line in events] == ["1", "2", "3", "4", "5"]
    assert (
        events[2] == "3  2026-11-11T09:00:03.000Z  agent  rewrite  task  79 > 40 chars, summarize"
    )


def test_findings_stand_under_their_event(run: Run, stale: Path) -> None:
    lines = run("log", stale).out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("4  "))
    assert lines[at + 1].startswith("    ! SPN102 stale-use: ")


def test_findings_can_be_selected(run: Run, stale: Path) -> None:
    assert "SPN101" not in run("log", stale, "--select", "SPN102").out
    assert "SPN102" in run("log", stale, "--select", "SPN102").out
    assert len(run("log", stale, "--ignore", "ALL").out.splitlines()) == 5


def test_what_is_wrong_with_the_file_comes_first(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(journal(mark(1)) + b"nonsense\n")
    first, *_ = run("log", path).out.splitlines()
    assert first.startswith("    ! JNL002 unreadable-line +")


def test_a_finding_at_a_line_that_is_no_event_is_not_lost(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(journal(mark(1), mark(3), mark(2)))
    first, *_ = run("log", path).out.splitlines()
    assert first.startswith("    ! JNL003 sequence-gap 2: ")
    answer = json.loads(run("log", path, "--output-format", "json").out)
    assert [finding["seq"] for finding in answer["findings"]] == [2]
    found = [len(entry["findings"]) for entry in answer["events"]]
    assert found == [0, 1]


def test_json_has_the_fields_of_the_journal(run: Run, stale: Path) -> None:
    done = run("log", stale, "--output-format", "json")
    assert (done.code, done.out.isascii()) == (0, True)
    answer = json.loads(done.out)
    assert list(answer) == ["version", "session", "findings", "events"]
    assert (answer["version"], answer["session"], answer["findings"]) == (1, "stale", [])
    assert [entry["seq"] for entry in answer["events"]] == [1, 2, 3, 4, 5]
    lines = [json.loads(line) for line in stale.read_bytes().splitlines()[1:]]
    for entry, line in zip(answer["events"], lines, strict=True):
        assert decode_event(msgspec.json.encode(entry["event"])) == decode_event(
            msgspec.json.encode(line)
        )
    found = [[finding["rule"] for finding in entry["findings"]] for entry in answer["events"]]
    assert found == [[], [], ["SPN101"], ["SPN102"], []]


def test_json_keeps_an_unknown_event_and_the_findings_of_the_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    unknown = {"type": "teleport", "seq": 2, "time": "2026-11-11T09:01:00Z", "to": {"x": [1]}}
    path.write_bytes(journal(mark(1), unknown) + b"{")
    answer = json.loads(run("log", path, "--output-format", "json").out)
    assert answer["events"][1]["event"] == {**unknown, "actor": "agent"}
    assert [finding["rule"] for finding in answer["findings"]] == ["JNL001"]


def test_a_journal_without_events(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(journal())
    assert run("log", path) == (0, "", "")
    answer = json.loads(run("log", path, "--output-format", "json").out)
    assert answer["events"] == []
