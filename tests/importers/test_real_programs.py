"""Sessions that the real programs wrote while they talked to a scripted model (`fixtures/make_*`).

The requests that the model got are the truth: what the journal says the model was shown must be
that, at every call.
"""

from __future__ import annotations

import heapq
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.importing import (
    Imported,
    check_followed,
    import_files,
    import_rows,
    lines,
    read_whole,
)
from support.mutating import mutate
from support.recorded import (
    FIXTURES,
    asked_by_claude_code,
    asked_by_codex,
    asked_by_gemini,
    asked_by_opencode,
    made_from_sql,
    of_chat,
    requests,
    rows_of,
    shown_at_calls,
    shown_in_renders,
)

from spanscope.importers.claude_code import ClaudeCode
from spanscope.importers.codex import Codex
from spanscope.importers.gemini import Gemini
from spanscope.importers.lines import LineImporter
from spanscope.importers.merging import FileRows
from spanscope.importers.otel import Otel
from spanscope.importers.registry import recognise


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("claude-code", "claude-code/session.jsonl"),
        ("codex", "codex/rollout.jsonl"),
        ("codex", "codex/segment.jsonl"),
        ("gemini", "gemini/chat.jsonl"),
        ("otel", "otel/genai.jsonl"),
        ("otel", "otel/openinference.jsonl"),
    ],
)
def test_it_is_recognised_by_its_content(name: str, file: str) -> None:
    found = recognise((FIXTURES / file).read_bytes(), whole=True)
    assert found is not None
    assert found.name == name


def refusal(done: Imported) -> list[tuple[str, dict[str, str | int]]]:
    """What the one edit that did not fit must give."""
    [reject] = done.events("reject")
    return [(rule, {"diff": reject.diff}) for rule in ("DIF303", "DIF304")]


# Claude Code


def test_claude_code_was_shown_what_the_transcript_holds() -> None:
    """Naming the session is enough: the file of its sub-agent is read with it."""
    done = import_files(FIXTURES / "claude-code/session.jsonl")
    # Two agents ask at once, and a request may arrive before one that was logged earlier.
    shown, told = shown_in_renders(done), asked_by_claude_code("claude-code")
    assert sorted(map(str, shown)) == sorted(map(str, told))
    [other] = {render.actor for render in done.events("render")} - {"agent"}
    assert done.found() == refusal(done)
    assert {rule for rule, _ in done.found("info")} == {"SHN401", "SHN404"}
    assert [rollback.stores for rollback in done.events("rollback")] == [["context"]]
    edits = [(splice.actor, splice.insert) for splice in done.events("splice")]
    assert edits == [("agent", "alpha = 10"), (other, "beta = 20")]
    assert done.text("file:/home/user/project/a.py") == "alpha = 10\nbeta = 20\ngamma = 3\n"
    assert not done.summary.unknown_rows
    assert not done.summary.unknown_fields
    assert not done.summary.untold


def test_an_older_claude_code_was_shown_what_the_transcript_holds() -> None:
    done = import_files(FIXTURES / "claude-code/older/session.jsonl")
    summary = "Your task is to create a detailed summary"
    asked = asked_by_claude_code("claude-code/older")
    assert shown_at_calls(done) == [texts for texts in asked if not texts[-1].startswith(summary)]
    assert done.found("info", "warning", "error") == []
    assert done.text("file:/home/user/project/a.py") == "alpha = 10\nbeta = 2\ngamma = 3\n"
    assert not done.summary.unknown_rows
    assert not done.summary.unknown_fields


# Codex


def test_codex_was_shown_what_the_rollout_holds() -> None:
    done = import_files(FIXTURES / "codex/rollout.jsonl", FIXTURES / "codex/segment.jsonl")
    assert shown_at_calls(done) == asked_by_codex("codex")
    assert done.found("info", "warning", "error") == refusal(done)
    [rollback] = done.events("rollback")
    assert (rollback.stores, rollback.edits) == (["context"], None)
    assert done.text("file:/home/user/project/a.py#1") == "alpha = 10\nbeta = 20\n"
    assert not done.summary.unknown_rows
    assert not done.summary.unknown_fields


def test_an_older_codex_was_shown_what_its_rollout_holds() -> None:
    """Its rows have no ids, and its compaction tells only the summary."""
    done = import_files(FIXTURES / "codex/older/rollout.jsonl")
    asked = asked_by_codex("codex/older", instructions=0)
    # One of the calls made the summary, and only that is recorded.
    aside = ["CONTEXT CHECKPOINT" in str(each["input"][-1]) for each in requests("codex/older")]
    told = [texts for texts, made in zip(asked, aside, strict=True) if not made]
    assert len(told) == len(asked) - 1
    assert shown_at_calls(done) == told
    assert done.found("info", "warning", "error") == []
    assert done.summary.untold == {"compactions do not say what they kept": 1}


@pytest.mark.parametrize("name", ["looker", "reader"])
def test_codexs_sub_agents_were_shown_what_their_rollouts_hold(name: str) -> None:
    """Naming the session is enough; the one that is called looker begins with its context."""
    done = import_files(FIXTURES / "codex/agents/rollout-main.jsonl")
    asked: dict[str, list[list[str]]] = {"main": [], "looker": [], "reader": []}
    calls = zip(requests("codex/agents"), asked_by_codex("codex/agents"), strict=True)
    for request, texts in calls:
        told = [item.get("recipient", "") for item in request["input"]]
        whose = next((name for name in ("looker", "reader") if f"/root/{name}" in told), "main")
        # For the call that made it, a copy of the context has no result; Codex tells the model so.
        asked[whose].append([text for text in texts if text != "aborted"])
    assert shown_at_calls(done) == asked["main"]
    assert shown_at_calls(done, actor=f"subagent:{name}") == asked[name]
    assert done.found("info", "warning", "error") == []
    [splice] = done.events("splice")
    assert (splice.actor, splice.insert) == ("subagent:looker", "beta = 2\ngamma = 30\n")
    assert [mark.label for mark in done.events("mark") if mark.kind == "turn"] == [
        "Look at a.py",
        "Have gamma set to 30, and read",
    ]
    assert not done.summary.unknown_rows
    assert not done.summary.unknown_fields


# Gemini CLI


def test_gemini_was_shown_what_the_chat_holds() -> None:
    done = import_files(FIXTURES / "gemini/chat.jsonl")
    assert shown_at_calls(done) == asked_by_gemini("gemini")
    assert done.found("info", "warning", "error") == refusal(done)
    [rollback] = done.events("rollback")
    assert (rollback.steps, rollback.edits) == (4, None)
    assert not done.summary.unknown_rows
    assert not done.summary.unknown_fields


def test_geminis_sub_agent_was_shown_what_its_chat_holds() -> None:
    done = import_files(FIXTURES / "gemini/agents/chat.jsonl")
    asked: list[list[list[str]]] = [[], []]
    for texts in asked_by_gemini("gemini/agents"):
        asked["Set gamma to 30" in texts].append(texts)
    [other] = {event.actor for event in done.events("ingest")} - {"agent"}
    assert shown_at_calls(done) == asked[False]
    assert shown_at_calls(done, actor=other) == asked[True]
    assert done.found("info", "warning", "error") == []
    edits = [(splice.actor, splice.insert) for splice in done.events("splice")]
    assert edits == [(other, "gamma = 30"), ("agent", "alpha = 10")]
    assert done.text("file:/home/user/project/a.py") == "alpha = 10\nbeta = 2\ngamma = 30\n"
    assert not done.summary.unknown_rows
    assert not done.summary.unknown_fields


# opencode


def test_opencode_was_shown_what_the_database_holds(tmp_path: Path) -> None:
    done = import_files(made_from_sql("opencode", tmp_path / "opencode.db"))
    [summary] = done.events("derive")
    made = summary.artifact.removeprefix("summary:")
    assert shown_at_calls(done, made) == asked_by_opencode("opencode")
    assert done.found() == []
    assert {rule for rule, _ in done.found("info")} == {"SHN401", "SHN404"}
    assert [rollback.edits for rollback in done.events("rollback")] == [None]
    assert not done.summary.unknown_rows


# OpenTelemetry


@pytest.mark.parametrize("name", ["openinference", "genai"])
def test_traces_say_what_the_client_was_asked(name: str) -> None:
    done = import_files(FIXTURES / f"otel/{name}.jsonl")
    asked = [
        [text for message in request["messages"] for text in of_chat(message)]
        for request in requests("otel")
    ]
    if name == "genai":
        # Of a message with calls, that instrumentation records the calls alone.
        asked = [[text for text in texts if text != "Let me look."] for texts in asked]
    tools = [span for span in done.history.state.order if span == "tools"]
    shown = [texts[len(tools) :] for texts in shown_at_calls(done)]
    assert shown == asked
    assert tools == (["tools"] if name == "openinference" else [])
    assert done.found("info", "warning", "error") == [("SHN404", {"span": "result/call_10"})]
    assert [rewrite.span for rewrite in done.events("rewrite")] == ["result/call_10"]
    assert not done.summary.untold


# Whatever becomes of their rows

ROWS: dict[str, tuple[type[LineImporter], list[Any]]] = {
    file: (importer, rows_of(file))
    for importer, file in (
        (ClaudeCode, "claude-code/session.jsonl"),
        (Codex, "codex/rollout.jsonl"),
        (Gemini, "gemini/chat.jsonl"),
        (Otel, "otel/genai.jsonl"),
    )
}
EACH = pytest.mark.parametrize("file", ROWS)


@EACH
def test_it_gives_no_false_alarm_at_any_row(file: str) -> None:
    """As somebody sees it who follows it while it is written."""
    importer, rows = ROWS[file]
    for count in range(1, len(rows), 6):
        done = import_rows(importer(), rows[:count])
        rules = {rule for rule, _ in done.found()}
        assert rules <= ({"DIF303", "DIF304"} if done.events("reject") else set()), count


@EACH
@settings(max_examples=settings().max_examples // 10)
@given(data=st.data())
def test_its_mutated_rows_end_in_a_journal(file: str, data: st.DataObject) -> None:
    importer, rows = ROWS[file]
    import_rows(importer(), mutate(data, rows))


SESSIONS = {
    "codex": ("rollout-main.jsonl", "rollout-looker.jsonl", "rollout-reader.jsonl"),
    "gemini": ("chat.jsonl", "bfb591db-b591-4c78-abc6-c195ae41ebc2/helper.jsonl"),
}


@pytest.mark.parametrize("name", SESSIONS)
@settings(max_examples=settings().max_examples // 10)
@given(data=st.data())
def test_mutated_rows_of_it_and_of_its_sub_agents_end_in_a_journal(
    name: str, data: st.DataObject
) -> None:
    importer = {"codex": Codex, "gemini": Gemini}[name]()
    rows = []
    for part, file in enumerate(SESSIONS[name]):
        reader = FileRows(importer, part)
        reader.feed(lines(mutate(data, rows_of(f"{name}/agents/{file}"))))
        rows.append(reader.taken())
    for row in heapq.merge(*rows, key=lambda row: row[:3]):
        importer.part = row.part
        importer.value(row.value)
    read_whole(importer.finish())
    check_followed(importer.builder)
