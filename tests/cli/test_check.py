"""`spanscope check`: what is judged, what its exit code says, what is selected."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from support.commands import Record, Run, write_clean, write_stale_use
from support.journals import derive, ingest, line, of
from support.lines import HEADER, journal, mark, text

from spanscope.buffer.recorder import Recorder
from spanscope.sample_sessions import NAMES, sample


def judged(run: Run, *arguments: str | Path) -> list[dict[str, Any]]:
    """The journals of `check --output-format json`."""
    report = json.loads(run("check", "--output-format", "json", *arguments).out)
    assert report["version"] == 1
    journals: list[dict[str, Any]] = report["journals"]
    return journals


def rules(journal: dict[str, Any]) -> list[tuple[str, int | None]]:
    return [(finding["rule"], finding["seq"]) for finding in journal["findings"]]


@pytest.mark.parametrize(
    ("fail_on", "codes"),
    [
        ("error", {"stale": 1, "clean": 0, "unknown": 1, "blocked": 1, "staged": 0}),
        ("warning", {"stale": 1, "clean": 0, "unknown": 1, "blocked": 1, "staged": 1}),
        ("info", {"stale": 1, "clean": 0, "unknown": 1, "blocked": 1, "staged": 1}),
        ("unknown", {"stale": 1, "clean": 0, "unknown": 1, "blocked": 1, "staged": 0}),
        ("never", {"stale": 0, "clean": 0, "unknown": 0, "blocked": 0, "staged": 0}),
    ],
)
def test_the_exit_code_is_what_fail_on_asks_for(
    run: Run, request: pytest.FixtureRequest, fail_on: str, codes: dict[str, int]
) -> None:
    paths = {name: request.getfixturevalue(name) for name in codes}
    found = {name: run("check", path, "--fail-on", fail_on).code for name, path in paths.items()}
    assert found == codes


def test_what_cannot_be_told_fails_only_where_that_is_asked(run: Run, unknown: Path) -> None:
    arguments = ("check", unknown, "--ignore", "JNL")
    assert run(*arguments).code == 0
    assert run(*arguments, "--fail-on", "info").code == 0
    assert run(*arguments, "--fail-on", "unknown").code == 1


@pytest.mark.parametrize("cut", [True, False])
def test_a_recording_that_was_cut_short_is_said_so(run: Run, clean: Path, cut: bool) -> None:
    lines = clean.read_bytes().splitlines(keepends=True)
    if cut:
        clean.write_bytes(b"".join(lines[:-1]))
    done = run("check", clean)
    said = f"{clean}:{len(lines) - 2} ends without a `close` event\n"
    assert (done.code, said in done.out, "without a `close`" in done.out) == (0, cut, cut)
    assert run("check", "--output-format", "concise", clean).out == ""


def test_a_recording_that_still_grows_is_not_cut_short(run: Run, tmp_path: Path) -> None:
    with Recorder.open("live", tmp_path / "live.jsonl") as recorder:
        recorder.mark("note", "so far")
        assert "without a `close`" not in run("check", recorder.path).out


def test_without_a_tokenizer_it_says_what_to_install(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "toktok", None)
    path, text_of = tmp_path / "counted.jsonl", "counted by a tokenizer that is not there"
    counted = derive("c", "a", text_of, range=[0, 2], unit="tokens")
    header = of("session", format="spanscope.journal/1", session="s", tokenizer="o200k_base")
    path.write_bytes(line(header) + line(ingest("a", text_of), 1) + line(counted, 2))
    assert run("check", path).code == 0
    done = run("check", path, "--fail-on", "unknown")
    assert done.code == 1
    assert "pip install 'spanscope[tokens]'" in done.out


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ([], [("SPN101", 3), ("SPN102", 4)]),
        (["--select", "SPN102"], [("SPN102", 4)]),
        (["--select", "SPN"], [("SPN101", 3), ("SPN102", 4)]),
        (["--select", "UND,SPN101"], [("SPN101", 3)]),
        (["--select", "UND", "--select", " SPN101 , "], [("SPN101", 3)]),
        (["--ignore", "SPN102"], [("SPN101", 3)]),
        (["--ignore", "SPN", "--select", "SPN101"], [("SPN101", 3)]),
        (["--select", "SPN10", "--ignore", "SPN10"], []),
        (["--ignore", "ALL"], []),
    ],
)
def test_rules_are_selected(
    run: Run, stale: Path, options: list[str], kept: list[tuple[str, int]]
) -> None:
    [journal_report] = judged(run, stale, *options)
    assert rules(journal_report) == kept
    severities = [finding["severity"] for finding in journal_report["findings"]]
    assert journal_report["summary"] == {
        "error": severities.count("error"),
        "warning": severities.count("warning"),
        "info": 0,
        "unknown": 0,
    }
    failed = run("check", stale, *options).code
    assert failed == (1 if ("SPN102", 4) in kept else 0)


@pytest.mark.parametrize(
    ("rule", "hint"), [("SPN1O2", "did you mean SPN1"), ("spn", "SPN"), ("", "rule")]
)
@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize("command", ["check", "log"])
def test_an_unknown_rule_is_refused(
    run: Run, stale: Path, command: str, option: str, rule: str, hint: str
) -> None:
    code, out, err = run(command, stale, option, rule)
    assert (code, out) == (2, "")
    assert f"unknown rule {rule!r}" in err
    assert hint in err


def test_several_journals_are_judged_in_order_and_once(
    run: Run, stale: Path, clean: Path, tmp_path: Path
) -> None:
    journals = judged(run, clean, stale, tmp_path, clean)
    assert [entry["path"] for entry in journals] == [str(clean), str(stale)]


def test_a_folder_is_judged(run: Run, record: Record, tmp_path: Path) -> None:
    record("runs/one", write_clean)
    record("runs/deep/two", write_stale_use)
    (tmp_path / "runs" / "notes.jsonl").write_text("{}\n", encoding="utf-8")
    journals = judged(run, tmp_path / "runs")
    assert [entry["session"] for entry in journals] == ["runs/one", "runs/deep/two"]


def test_what_cannot_be_read_does_not_stop_the_others_and_beats_what_is_found(
    run: Run, stale: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "missing.jsonl"
    code, out, err = run("check", missing, stale, "--output-format", "json")
    assert code == 2
    assert [entry["path"] for entry in json.loads(out)["journals"]] == [str(stale)]
    why = f"can't open {missing}: no such file or directory; name a journal that is there"
    assert err == f"spanscope: {why}\n"
    assert run("check", missing, "--fail-on", "never").code == 2


def test_a_folder_without_a_journal_is_refused(run: Run, stale: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, out, err = run("check", tmp_path / "empty", stale, "--output-format", "concise")
    assert code == 2
    assert "holds no journal" in err
    assert "SPN102" in out


def test_a_report_on_nothing_is_still_json(run: Run, tmp_path: Path) -> None:
    done = run("check", tmp_path / "missing.jsonl", "--output-format", "json")
    assert json.loads(done.out) == {"version": 1, "journals": []}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_and_a_device_are_refused_at_once(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((tmp_path / "pipe", "a pipe"), ("/dev/zero", "a device")):
        code, _, err = run("check", path)
        assert code == 2
        assert f"it is {what}" in err


def test_standard_input_is_judged(run: Run, stale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stale.read_bytes())))
    [report] = judged(run, "-")
    assert report["path"] == "-"
    assert rules(report) == [("SPN101", 3), ("SPN102", 4)]


def test_closed_standard_input_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = run("check", "-")
    assert code == 2
    assert "standard input is closed" in err


def test_a_file_without_a_header_is_judged(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bare.jsonl"
    path.write_bytes(text(mark(1)) + b"\n")
    [report] = judged(run, path)
    assert report["session"] is None
    assert report["events"] == 1
    assert [finding["id"] for finding in report["findings"]] == ["JNL010@+0"]
    assert run("check", path).code == 1


def test_a_named_file_of_another_kind_is_judged_too(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("just a note\n", encoding="utf-8")
    [report] = judged(run, path)
    assert {finding["rule"] for finding in report["findings"]} == {"JNL002", "JNL010"}
    assert run("check", path).code == 1


def test_longer_lines_than_asked_for_are_skipped(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(journal(mark(1, "x" * 500), mark(2)))
    assert judged(run, path)[0]["findings"] == []
    [report] = judged(run, path, "--max-line", "300")
    assert ("JNL002", None) in rules(report)
    assert report["events"] == 1


def test_a_torn_tail_is_one_only_when_its_writer_is_gone(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    recorder = Recorder.open("live", path)
    write_clean(recorder)
    with path.open("ab") as stream:
        stream.write(b'{"type":"mark","se')
    [report] = judged(run, path)
    assert rules(report) == []
    assert report["events"] == 3
    recorder.close()
    path.with_name("live.jsonl.live").unlink(missing_ok=True)
    path.write_bytes(journal(mark(1)) + b'{"type":"mark","se')
    assert rules(judged(run, path)[0]) == [("JNL001", None)]


def test_the_json_has_the_shape_of_the_contract(run: Run, stale: Path, unknown: Path) -> None:
    done = run("check", stale, unknown, "--output-format", "json")
    assert done.out.isascii()
    first, second = json.loads(done.out)["journals"]
    assert list(first) == ["path", "session", "events", "summary", "unknown", "findings"]
    assert (first["path"], first["session"], first["events"]) == (str(stale), "stale", 5)
    assert first["unknown"] == []
    warning, error = first["findings"]
    assert list(error) == [
        *("id", "rule", "name", "severity", "seq", "subject", "message", "evidence", "remedy"),
        "caused_by",
    ]
    assert (error["id"], error["subject"], error["caused_by"]) == (
        "SPN102@4",
        {"artifact": "cite:1", "span": "task"},
        3,
    )
    assert (warning["severity"], warning["caused_by"]) == ("warning", None)
    assert second["summary"]["unknown"] == len(second["unknown"]) > 0
    assert list(second["unknown"][0]) == ["subject", "since", "why"]
    assert {"span": "task"} in [entry["subject"] for entry in second["unknown"]]


def test_concise_is_a_line_a_finding(run: Run, stale: Path, unknown: Path, clean: Path) -> None:
    code, out, err = run("check", stale, unknown, clean, "--output-format", "concise")
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"{stale}:3: SPN101 stale-holder warning ")
    assert lines[1].startswith(f"{stale}:4: SPN102 stale-use error ")
    assert lines[2].startswith(f"{unknown}:2: JNL011 gap error ")
    assert any(line.startswith(f"{unknown}:2: unknown span task: ") for line in lines[3:])
    assert str(clean) not in out


def test_a_finding_about_the_file_has_its_offset(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(journal(mark(1)) + b"nonsense\n")
    offset = len(text(HEADER)) + len(text(mark(1))) + 2
    [line] = [
        line
        for line in run("check", path, "--output-format", "concise").out.splitlines()
        if "JNL002" in line
    ]
    assert line.startswith(f"{path}:+{offset}: JNL002 unreadable-line error ")


def test_full_says_everything_of_an_incident(run: Run, stale: Path) -> None:
    code, out, _ = run("check", stale)
    assert code == 1
    lines = out.splitlines()
    assert lines[0] == "incident 3  rewrite task by agent  2 findings"
    assert f"  {stale}:3 ~ SPN101 stale-holder (warning)" in lines
    assert f"  {stale}:4 ! SPN102 stale-use (error)" in lines
    [finding] = [f for f in judged(run, stale)[0]["findings"] if f["rule"] == "SPN102"]
    assert f"    {finding['message']}" in lines
    assert f"    instead {finding['remedy']}" in lines
    assert "    more    spanscope rule SPN102" in lines
    assert any(line.startswith("      signals: length-delta, ") for line in lines)
    assert lines[-1] == "Found 1 error, 1 warning: 5 events in 1 journal."


def test_full_names_the_cause_of_a_finding_that_stands_alone(run: Run, stale: Path) -> None:
    out = run("check", stale, "--select", "SPN102").out
    assert "incident" not in out
    assert "  cause   3 rewrite task by agent" in out.splitlines()


def test_full_lists_what_cannot_be_told(run: Run, unknown: Path) -> None:
    out = run("check", unknown, "--ignore", "ALL").out
    assert f"{unknown}:2 ? unknown span task" in out.splitlines()
    assert out.splitlines()[-1].startswith("Found ")
    assert " unknown: 3 events in 1 journal." in out


def test_full_says_that_nothing_was_found(run: Run, clean: Path) -> None:
    assert run("check", clean).out == "Found nothing: 4 events in 1 journal.\n"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("safe", [False, True], ids=["unsafe", "safe"])
def test_a_sample_gives_exactly_its_findings_file(run: Run, name: str, safe: bool) -> None:
    shipped = sample(name, safe=safe)
    [journal] = judged(run, shipped.path)
    found = [
        (each["rule"], each["seq"] or 0, each["severity"], each["subject"])
        for each in journal["findings"]
    ]
    assert found == [(e.rule, e.seq, e.severity, e.subject) for e in shipped.findings]
    assert journal["unknown"] == []
    failed = "error" in {each.severity for each in shipped.findings}
    assert run("check", shipped.path).code == int(failed)
