"""`spanscope check --verify`: both engines agree, or each difference is said."""

from __future__ import annotations

import io
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.checkout import ROOT
from support.claude import Transcript
from support.commands import Run, write_clean
from support.importing import lines

from spanscope.buffer.recorder import Recorder
from spanscope.cli import verifying
from spanscope.history.audited import Audited, audit_pieces
from spanscope.plain import states
from spanscope.sample_sessions import sample

AGREES = "a second opinion agrees on {} findings and on the state after each of {} events"
"""What is said where nothing differs."""


def opinion(run: Run, path: Path) -> dict[str, Any]:
    done = run("check", "--verify", "--output-format", "json", path)
    assert done.err == ""
    (journal,) = json.loads(done.out)["journals"]
    found: dict[str, Any] = journal["second_opinion"]
    return found


def test_that_both_agree_is_one_line(run: Run, clean: Path, stale: Path) -> None:
    done = run("check", "--verify", "--output-format", "concise", clean)
    assert done.code == 0
    assert done.out == ""
    assert done.err == f"spanscope: {clean}: {AGREES.format(0, 4)}\n"
    done = run("check", "--verify", stale, clean)
    assert done.code == 1
    assert done.out == run("check", stale, clean).out
    assert AGREES.format(2, 5) in done.err
    assert AGREES.format(0, 4) in done.err


def test_json_says_it_in_the_journal(run: Run, stale: Path) -> None:
    assert opinion(run, stale) == {"agrees": True, "findings": 2, "events": 5, "differences": []}


@pytest.mark.parametrize("name", ["dropped-inverse", "selective-rollback", "twin-blocks"])
def test_both_agree_on_rollbacks_that_went_wrong(run: Run, name: str) -> None:
    assert opinion(run, sample(name).path)["differences"] == []


def test_both_compare_the_digest_of_a_checkpoint(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with Recorder.open("planner", path=path) as recorder:
        recorder.checkpoint("c", digest=f"sha256:{'0' * 64}")
    found = opinion(run, path)
    assert (found["findings"], found["differences"]) == (1, [])


def test_both_take_a_copy_under_its_own_id_as_a_silent_rewrite(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with Recorder.open("planner", path=path) as recorder:
        recorder.ingest("a", "one")
        recorder.rewrite("a", "two", op="fold", into="a")
    found = opinion(run, path)
    assert (found["findings"], found["differences"]) == (3, [])


@pytest.fixture
def other_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second opinion to which every artifact is fresh."""
    real = states.artifacts
    fresh = {"state": "fresh"}
    monkeypatch.setattr(states, "artifacts", lambda world: [row | fresh for row in real(world)])


@pytest.mark.usefixtures("other_state")
def test_a_state_that_differs_is_told_where_that_begins(run: Run, stale: Path) -> None:
    done = run("check", "--verify", stale)
    assert done.code == 3
    said, report = done.err.splitlines()
    assert said == (
        f"spanscope: {stale}:3: artifact cite:1, state: "
        'the engine says "stale", the second opinion "fresh"'
    )
    assert "fault in spanscope" in report
    assert "slice" in report
    assert opinion(run, stale) == {
        "agrees": False,
        "findings": 2,
        "events": 5,
        "differences": [
            {"seq": 3, "what": "artifact cite:1, state", "engine": "stale", "plain": "fresh"}
        ],
    }


@pytest.mark.usefixtures("other_state")
def test_a_difference_beats_what_is_found_and_not_what_failed(
    run: Run, stale: Path, tmp_path: Path
) -> None:
    assert run("check", "--verify", "--fail-on", "never", stale).code == 3
    assert run("check", "--verify", stale, tmp_path / "missing.jsonl").code == 2


def test_findings_that_one_of_them_has_are_told(
    run: Run, stale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = audit_pieces

    def without_the_last(*arguments: Any, **options: Any) -> Audited:
        audited = real(*arguments, **options)
        audited.findings.pop()
        return audited

    monkeypatch.setattr("spanscope.cli.verifying.audit_pieces", without_the_last)
    done = run("check", "--verify", stale)
    assert done.code == 3
    assert (
        f"{stale}:4: SPN102 (error), artifact cite:1, span task: "
        "the engine says no, the second opinion yes\n"
    ) in done.err


def test_a_second_opinion_that_fails_is_another(
    run: Run, stale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(states, "spans", lambda world: world.nothing)
    done = run("check", "--verify", stale)
    assert done.code == 3
    assert "the second opinion failed" in done.err
    assert "has no attribute 'nothing'" in done.err


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[:-9], id="torn"),
        pytest.param(lambda data: data[data.index(b"\n") + 1 :], id="no header"),
        pytest.param(lambda data: data.replace(b'"derive"', b'"derived"'), id="unknown event"),
        pytest.param(lambda data: data.replace(b'"crc":"', b'"crc":"0', 2), id="bad checksums"),
        pytest.param(lambda data: data.replace(b"\n", b"\n\xff\n", 3), id="unreadable lines"),
        pytest.param(lambda data: data + data, id="twice"),
        pytest.param(lambda data: b"", id="empty"),
    ],
)
def test_both_agree_on_what_is_damaged(run: Run, stale: Path, damage: Any) -> None:
    stale.write_bytes(damage(stale.read_bytes()))
    assert opinion(run, stale)["differences"] == []


def test_standard_input_and_other_formats_are_verified(
    run: Run, stale: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stale.read_bytes())))
    assert AGREES.format(2, 5) in run("check", "--verify", "-").err
    made = Transcript()
    made.user("Fix the flaky test")
    session = tmp_path / "claude.jsonl"
    session.write_bytes(lines(made.rows))
    done = run("check", "--verify", session)
    assert "a second opinion agrees" in done.err


def test_a_journal_that_is_being_written_is_not_over(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    recorder = Recorder.open("live", path)
    write_clean(recorder)
    with path.open("ab") as stream:
        stream.write(b'{"type":"mark","se')
    assert opinion(run, path) == {"agrees": True, "findings": 0, "events": 3, "differences": []}
    recorder.close()


def test_what_is_too_large_is_refused(
    run: Run, stale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "MOST_BYTES", 100)
    done = run("check", "--verify", stale)
    assert done.code == 2
    assert "too large for --verify" in done.err


def test_how_far_it_is_is_said(run: Run, stale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(step=6)
    monkeypatch.setattr("spanscope.cli.verifying.time.monotonic", lambda: float(next(clock)))
    said = run("check", "--verify", stale).err.splitlines()[:-1]
    assert [line.partition(": ")[2].partition("; ")[0] for line in said] == [
        f"{stale}: after 12 s the second opinion has compared 1 of 5 events",
        f"{stale}: after 24 s the second opinion has compared 3 of 5 events",
    ]


def test_that_it_takes_long_is_said_beforehand(
    run: Run, stale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "MANY_EVENTS", 5)
    said = run("check", "--verify", stale).err.splitlines()
    assert said[0] == (
        f"spanscope: {stale}: the second opinion judges all 5 events before it compares them, "
        "some hundredths of a second each; ctrl-c gives up"
    )
    assert len(said) == 2


def test_it_is_loaded_only_where_it_is_asked_for(stale: Path) -> None:
    program = (
        "import sys; from spanscope.cli.main import main; "
        f"main(['check', {str(stale)!r}]); "
        "print([name for name in sys.modules if name.startswith('spanscope.plain')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
