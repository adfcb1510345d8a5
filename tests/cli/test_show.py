"""`spanscope show`: the buffer after any event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.commands import SUMMARY, TASK, Run

from spanscope.buffer.recorder import Recorder
from spanscope.model.content import content_hash


def shown(run: Run, path: Path, at: int | None = None) -> dict[str, Any]:
    arguments = [] if at is None else ["--at", str(at)]
    done = run("show", path, *arguments, "--output-format", "json")
    assert (done.code, done.err) == (0, "")
    assert done.out.isascii()
    answer: dict[str, Any] = json.loads(done.out)
    return answer


def test_nothing_stands_at_the_beginning(run: Run, stale: Path) -> None:
    answer = shown(run, stale, 0)
    assert list(answer) == [
        *("version", "seq", "revision", "digest", "spans", "artifacts", "undo", "staging"),
    ]
    assert (answer["version"], answer["seq"], answer["revision"]) == (1, 0, 0)
    assert answer["digest"] == content_hash("[]")
    assert [answer[name] for name in ("spans", "artifacts", "undo", "staging")] == [[]] * 4


def test_spans_have_the_shape_of_the_contract(run: Run, stale: Path) -> None:
    answer = shown(run, stale, 1)
    assert answer["revision"] == 1
    assert answer["spans"] == [
        {
            "span": "task",
            "state": "live",
            "version": 0,
            "hash": content_hash(TASK),
            "produced_by": answer["spans"][0]["produced_by"],
            "role": "user",
            "store": "context",
            "length": len(TASK),
            "content": TASK,
        }
    ]
    compact = json.dumps([["task", content_hash(TASK)]], separators=(",", ":"))
    assert answer["digest"] == content_hash(compact)


def test_artifacts_are_judged_at_the_step(run: Run, stale: Path) -> None:
    fresh = {
        "artifact": "cite:1",
        "span": "task",
        "kind": "citation",
        "state": "fresh",
        "signals": [],
    }
    assert shown(run, stale, 2)["artifacts"] == [fresh]
    [after] = shown(run, stale, 3)["artifacts"]
    assert after["state"] == "stale"
    assert "hash-divergence" in after["signals"]
    [span] = shown(run, stale, 3)["spans"]
    assert (span["content"], span["version"], span["produced_by"]) == (
        SUMMARY,
        1,
        "rewrite:summarize",
    )


def test_the_undo_stack_comes_head_first(run: Run, blocked: Path) -> None:
    undo = shown(run, blocked, 3)["undo"]
    assert [(entry["entry"], entry["op"], entry["span"]) for entry in undo] == [
        (3, "splice", "notes"),
        (2, "splice", "notes"),
        (1, "ingest", "notes"),
    ]
    assert [entry["reachable"] for entry in undo] == [False, False, False]
    assert undo[0]["direct"] == "missing"
    assert (undo[1]["direct"], undo[1]["places"]) == ("lost", [])
    before = shown(run, blocked, 2)["undo"]
    assert before[0]["places"] == [{"span": "notes", "at": 0, "true": True}]
    assert [entry["reachable"] for entry in before] == [True, True]


def test_staged_diffs_have_their_verdicts(run: Run, staged: Path) -> None:
    before = {"diff": "D1", "verdict": "admissible", "fragile": True, "reasons": ["DIF305"]}
    assert shown(run, staged, 3)["staging"] == [before]
    after = {**before, "verdict": "stale", "reasons": ["DIF301", "DIF303", "DIF305"]}
    assert shown(run, staged, 4)["staging"] == [after]


def test_the_last_event_is_the_default(run: Run, blocked: Path) -> None:
    assert shown(run, blocked) == shown(run, blocked, 5)
    [span] = shown(run, blocked)["spans"]
    assert span["state"] == "pruned"


@pytest.mark.parametrize("form", ["text", "json"])
def test_beyond_the_end_is_refused(run: Run, stale: Path, form: str) -> None:
    code, out, err = run("show", stale, "--at", "6", "--output-format", form)
    assert (code, out) == (2, "")
    assert err == f"spanscope: {stale} has no event 6: its last is 5\n"


def test_select_is_not_for_states(run: Run, stale: Path) -> None:
    assert run("show", stale, "--select", "SPN").code == 2


def test_what_is_unknown_is_null(run: Run, unknown: Path) -> None:
    answer = shown(run, unknown, 2)
    assert answer["revision"] is None
    assert answer["digest"] is None
    [span] = answer["spans"]
    assert (span["state"], span["hash"], span["length"], span["content"]) == (
        "unknown",
        None,
        None,
        None,
    )
    assert [entry["reachable"] for entry in answer["undo"]] == [None]


def test_a_journal_that_is_being_written_is_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    with Recorder.open("live", path) as recorder:
        recorder.ingest("task", TASK)
        assert shown(run, path)["seq"] == 1
        recorder.prune("task")
        assert shown(run, path)["seq"] == 2


def test_text_says_what_json_says_of_spans(run: Run, stale: Path) -> None:
    lines = run("show", stale, "--at", "3").out.splitlines()
    assert lines[0] == "stale  step 3/5  rev 2"
    assert lines[2] == "event  3 rewrite task by agent"
    assert any(line.startswith("  ~ SPN101 ") for line in lines)
    at = lines.index("Spans 1")
    name, version, hash, chars, written, op = lines[at + 1].split()[:6]
    assert (name, version, hash) == ("task", "v1", content_hash(SUMMARY)[7:13])
    assert (chars, written, op) == (str(len(SUMMARY)), "3", "summarize")
    assert lines[at + 1].endswith(f'"{SUMMARY}"')
    assert lines[at + 2].startswith("    cite:1  ~ stale  length-delta, ")
    assert lines[at + 2].endswith("citation retriever 44..79")
    assert "Undo 2  reachable all" in lines
    assert lines[-1] == "Staging 0"


def test_text_says_where_undoing_ends(run: Run, blocked: Path) -> None:
    lines = run("show", blocked, "--at", "3").out.splitlines()
    at = lines.index("Undo 3  reachable 0")
    assert lines[at + 1] == "  -- 3 blocked by #3 --"
    assert lines[at + 2].split() == ["#3", "splice", "notes", "missing"]
    pruned = run("show", blocked, "--at", "4").out.splitlines()
    at = pruned.index("Undo 4  reachable 1")
    assert pruned[at + 1].split() == ["#4", "prune", "notes", "exact"]
    assert pruned[at + 2] == "  -- 3 blocked by #3 --"
    assert "Spans 0  pruned 1" in pruned


def test_text_says_what_cannot_be_told(run: Run, unknown: Path) -> None:
    lines = run("show", unknown, "--at", "2").out.splitlines()
    assert lines[0] == "unknown  step 2/3  rev ?"
    assert "digest unknown" in lines
    assert any(line.startswith("? task") and " unknown " in line for line in lines)
    assert "  -- 1 unknown from #1 on --" in lines


def test_text_says_why_a_diff_is_stale(run: Run, staged: Path) -> None:
    lines = run("show", staged, "--at", "4").out.splitlines()
    at = lines.index("Staging 1")
    assert lines[at + 1] == "  D1  ~ stale  fragile  base r2 by agent"
    assert any(line.startswith("    read docs  ~ changed") for line in lines[at:])
    assert any(line.startswith("    read rules  same") for line in lines[at:])


def test_text_at_the_beginning(run: Run, stale: Path) -> None:
    lines = run("show", stale, "--at", "0").out.splitlines()
    assert lines[0] == "stale  step 0/5  rev 0"
    assert [x for x in lines[2:] if x] == ["Spans 0", "Undo 0  reachable all", "Staging 0"]
