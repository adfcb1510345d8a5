"""Claude Code: conversations, compactions, rewinds, requests, and what is wrong with them."""

from __future__ import annotations

import pytest
from support.claude import Transcript
from support.importing import import_bytes, import_rows, lines

from spanscope.importers.claude_code import ClaudeCode


def healthy() -> Transcript:
    session = Transcript()
    session.user("Fix the flaky test")
    session.says("I look at it.", "m1")
    session.tool("t1", "Bash", "1 failed", message="m1", command="pytest")
    session.says("Done.", "m2")
    session.user("Thanks")
    session.says("You are welcome.", "m3")
    return session


def test_a_healthy_session_has_no_findings() -> None:
    done = healthy().imported()
    assert done.history.findings == []
    assert done.history.unknown == []
    assert done.texts() == [
        "Fix the flaky test",
        "I look at it.",
        'Bash {"command": "pytest"}',
        "1 failed",
        "Done.",
        "Thanks",
        "You are welcome.",
    ]


def test_a_result_answers_its_call() -> None:
    done = healthy().imported()
    spans = done.history.state.spans
    [result] = [span for span in spans.values() if span.produced_by == "tool-result"]
    assert spans[result.answers or ""].produced_by == "tool-call"
    assert result.role == "tool"


def test_turns_and_model_calls_are_marked() -> None:
    marks = [(mark.kind, mark.label) for mark in healthy().imported().events("mark")]
    assert marks == [
        ("turn", "Fix the flaky test"),
        ("llm", "m1"),
        ("llm", "m2"),
        ("turn", "Thanks"),
        ("llm", "m3"),
    ]


def test_nothing_is_claimed_that_the_source_does_not_say() -> None:
    session = healthy()
    session.compaction("They fixed a test.")
    for event in session.imported().history.events:
        assert getattr(event, "version", None) is None
        assert getattr(event, "hash", None) is None
        assert getattr(event, "inverses", None) is None


def test_a_session_is_imported_in_pieces_of_any_size_to_the_same_bytes() -> None:
    session = healthy()
    session.compaction("They fixed a test.", ["a8"])
    session.user("Go on")
    data = lines(session.rows)
    whole = import_bytes(ClaudeCode(), data)
    assert [import_bytes(ClaudeCode(), data, size).journal for size in (1, 7, 501)] == [
        whole.journal
    ] * 3


def test_time_never_goes_back_and_the_rows_own_is_kept() -> None:
    session = healthy()
    session.rows[3]["timestamp"] = "2026-11-11T08:00:00Z"
    done = session.imported()
    times = [event.time for event in done.history.events]
    assert times == sorted(times)
    late = [meta for e in done.history.events if (meta := getattr(e, "meta", None))]
    assert late == [{"time": "2026-11-11T08:00:00.000Z"}]


def test_answers_to_parallel_calls_are_no_rewind() -> None:
    session = Transcript()
    session.user("Read both")
    first = session.calls("t1", "Read", "m1", file_path="a")
    second = session.calls("t2", "Read", "m1", file_path="b")
    session.result("t1", "A", parent=first)
    session.result("t2", "B", parent=second)
    session.says("Both read.", "m2")
    done = session.imported()
    assert done.events("rollback") == []
    assert done.texts()[-3:] == ["A", "B", "Both read."]
    assert done.history.findings == []


def test_a_block_that_streams_in_after_the_first_result_is_no_rewind() -> None:
    session = Transcript()
    session.user("Read both")
    first = session.calls("t1", "Read", "m1", file_path="a")
    session.result("t1", "A")
    session.add(
        "assistant",
        parent=first,
        message={
            "id": "m1",
            "content": [{"type": "tool_use", "id": "t2", "name": "Read", "input": {}}],
        },
    )
    session.result("t2", "B")
    assert session.imported().events("rollback") == []


def test_a_system_row_beside_the_chain_is_no_rewind() -> None:
    session = Transcript()
    session.user("One")
    answer = session.says("1", "m1")
    session.add("system", subtype="turn_duration")
    session.user("Two", parent=answer)
    done = session.imported()
    assert done.events("rollback") == []
    assert done.texts() == ["One", "1", "Two"]


def test_a_rewind_is_a_rollback_of_the_conversation_alone() -> None:
    session = Transcript()
    session.user("Start")
    ready = session.says("Ready", "m1")
    session.user("First attempt")
    session.edit("t1", "/p/a.py", "x = 1\n", "1", "2")
    session.says("First answer", "m3")
    session.user("Second attempt", parent=ready)
    session.says("Second answer", "m4")
    done = session.imported()
    [rollback] = done.events("rollback")
    assert rollback.stores == ["context"]
    assert rollback.steps == 4
    assert rollback.edits is None
    assert done.texts() == ["Start", "Ready", "Second attempt", "Second answer"]
    assert done.text("file:/p/a.py") == "x = 2\n"
    assert done.found() == []


def test_a_rewind_to_the_very_start() -> None:
    session = Transcript()
    session.user("First attempt")
    session.says("First answer", "m1")
    session.user("Second attempt", parent=None)
    done = session.imported()
    assert done.texts() == ["Second attempt"]
    assert done.found() == []


def test_going_on_in_an_abandoned_branch_brings_it_back() -> None:
    session = Transcript()
    session.user("Start")
    ready = session.says("Ready", "m1")
    session.user("First attempt")
    first = session.says("First answer", "m2")
    session.user("Second attempt", parent=ready)
    session.says("Second answer", "m3")
    session.user("After all", parent=first)
    done = session.imported()
    assert done.texts() == ["Start", "Ready", "First attempt", "First answer", "After all"]
    assert done.found() == []


def test_a_compaction_keeps_what_it_preserves_behind_its_summary() -> None:
    session = healthy()
    session.compaction("They fixed a test.", [session.head or ""])
    session.user("Go on")
    done = session.imported()
    assert done.texts() == ["They fixed a test.", "You are welcome.", "Go on"]
    assert done.found() == []
    [stage] = done.events("stage")
    assert len(stage.edits) == 6
    assert [read.span for read in stage.reads] == [edit.span for edit in stage.edits]


def test_a_summary_that_names_a_digest_refers_to_no_span() -> None:
    session = healthy()
    session.compaction(f"They pulled image sha256:{'0' * 64}.", [])
    assert session.imported().found() == []


def test_a_summary_keeps_its_sources() -> None:
    session = healthy()
    summary = session.compaction("They fixed a test.", [])
    [derive] = session.imported().events("derive")
    assert derive.kind == "summary"
    assert derive.holder == summary
    assert [derive.span, *(source.span for source in derive.sources)] == [
        row["uuid"] for row in session.rows[:7]
    ]


def test_older_compactions_write_preserved_rows_again() -> None:
    session = healthy()
    copy = dict(session.rows[-1])
    summary = session.compaction("They fixed a test.")
    session.rows.append({**copy, "parentUuid": summary})
    session.head = copy["uuid"]
    session.user("Go on")
    done = session.imported()
    assert done.texts() == ["They fixed a test.", "You are welcome.", "Go on"]
    assert done.found() == []


def test_a_compaction_at_the_end_of_the_file_takes_effect() -> None:
    session = healthy()
    session.compaction("They fixed a test.")
    assert session.imported().texts() == ["They fixed a test."]


def test_a_result_whose_call_was_compacted_away_is_an_orphan_at_the_next_call() -> None:
    session = healthy()
    session.compaction("They fixed a test.", [session.rows[3]["uuid"]])
    session.user("Go on")
    session.says("I go on.", "m9")
    done = session.imported()
    result = session.rows[3]["uuid"]
    assert ("SPN133", {"span": result}) in done.found()
    [call] = done.at("SPN133")
    assert (call.kind, call.label) == ("llm", "m9")


def test_a_rewind_across_a_compaction_brings_everything_back() -> None:
    session = healthy()
    before = session.head
    session.compaction("They fixed a test.", [])
    session.user("Go on")
    session.says("Gone on.", "m9")
    session.user("No, go back", parent=before)
    done = session.imported()
    assert done.texts()[-2:] == ["You are welcome.", "No, go back"]
    assert len(done.live("context")) == 8
    assert done.found() == []
    [rollback] = done.events("rollback")
    assert len(rollback.edits) == 10


@pytest.mark.parametrize("more", [0, 2])
def test_a_rewind_to_a_row_that_a_compaction_kept(more: int) -> None:
    session = Transcript()
    session.user("One")
    first = session.says("1", "m1")
    second = session.says("2", "m2")
    session.compaction("One was asked.", [first, second])
    for number in range(more):
        session.user(f"Go on {number}")
    session.user("Back", parent=first)
    done = session.imported()
    assert done.texts() == ["One was asked.", "1", "Back"]
    assert done.found() == []
    assert len(done.events("rollback")) == bool(more)


def test_a_rewind_across_a_compaction_to_a_context_that_never_was() -> None:
    """Rows that were written again hang under the summary; what follows them never did."""
    session = Transcript()
    session.user("One")
    session.says("1", "m1")
    session.user("Two")
    copy = dict(session.rows[-1])
    last = session.says("2", "m2")
    summary = session.compaction("One was answered.")
    session.rows.append({**copy, "parentUuid": summary})
    session.head = copy["uuid"]
    session.says("2 again", "m3")
    session.user("Back to before", parent=last)
    done = session.imported()
    assert done.texts() == ["One was answered.", "Two", "2", "Back to before"]
    assert ("UND221", {"span": last}) in done.found()


def test_a_row_rewritten_under_its_uuid_is_a_rewrite_without_a_version() -> None:
    session = healthy()
    row = session.rows[3]
    block = {**row["message"]["content"][0], "content": "[cleared]"}
    session.rows.append({**row, "message": {"role": "user", "content": [block]}})
    done = session.imported()
    [rewrite] = done.events("rewrite")
    assert (rewrite.span, rewrite.version, rewrite.content) == (row["uuid"], None, "[cleared]")
    assert done.found() == []


def test_a_row_that_stands_twice_is_one_span() -> None:
    session = healthy()
    session.rows.insert(4, session.rows[3])
    assert session.imported().journal == healthy().imported().journal


def test_a_microcompaction_leaves_results_unknown() -> None:
    session = healthy()
    session.add(
        "system", subtype="microcompact_boundary", microcompactMetadata={"compactedToolIds": ["t1"]}
    )
    done = session.imported()
    result = session.rows[3]["uuid"]
    assert done.text(result) is None
    assert {"span": result} in [unknown.subject for unknown in done.history.unknown]
    assert done.found() == []


def test_a_sub_agent_is_an_actor_with_a_store_of_its_own() -> None:
    session = healthy()
    main = session.head
    side = {"isSidechain": True, "agentId": "abc"}
    session.user("Search", parent=None, **side)
    session.says("Found it.", "m7", **side)
    session.user("And now?", parent=main)
    done = session.imported()
    assert done.texts("subagent:abc") == ["Search", "Found it."]
    assert done.texts()[-1] == "And now?"
    assert {e.actor for e in done.history.events} == {"agent", "subagent:abc"}
    assert done.found() == []


def test_older_side_chains_name_no_agent() -> None:
    session = healthy()
    main = session.head
    session.user("Search", parent=None, uuid="root-of-side", isSidechain=True)
    session.says("Found it.", "m7", isSidechain=True)
    session.user("And now?", parent=main)
    assert session.imported().texts("subagent:root-of-") == ["Search", "Found it."]


def test_rows_that_the_program_took_back_are_gone() -> None:
    session = healthy()
    gone = session.head or ""
    session.add("system", subtype="model_refusal_fallback", retractedMessageUuids=[gone])
    assert session.imported().texts()[-1] == "Thanks"


def test_api_errors_are_no_part_of_the_context() -> None:
    session = healthy()
    session.says("API Error: 500", "m8", isApiErrorMessage=True)
    done = session.imported()
    assert done.texts()[-1] == "You are welcome."
    assert [mark.label for mark in done.events("mark")][-1] == "API Error: 500"


def test_what_the_program_says_in_the_models_place_is_no_call() -> None:
    session = healthy()
    calls = len([m for m in session.imported().events("mark") if m.kind == "llm"])
    session.says("No response requested.", "m8")
    session.rows[-1]["message"]["model"] = "<synthetic>"
    done = session.imported()
    assert done.texts()[-1] == "No response requested."
    assert len([mark for mark in done.events("mark") if mark.kind == "llm"]) == calls


def test_a_prompt_typed_while_the_agent_works_counts() -> None:
    session = healthy()
    session.add("attachment", attachment={"type": "queued_command", "prompt": "Also lint"})
    session.add("attachment", attachment={"type": "hook_success", "stdout": "{}"})
    assert session.imported().texts()[-1] == "Also lint"


def test_unknown_rows_and_fields_are_counted() -> None:
    session = healthy()
    session.rows.append({"type": "invented", "sessionId": "s1", "shiny": 1})
    session.add("attachment", attachment={"type": "also-invented"})
    summary = session.imported().summary
    assert summary.unknown_rows == {"invented": 1, "attachment also-invented": 1}
    assert summary.unknown_fields == {"shiny": 1}
    assert "2 unknown rows" in " ".join(summary.lines())


def test_a_request_shows_what_it_was_given() -> None:
    session = Transcript()
    session.user("Fix the flaky test")
    note = [{"content": "<system-reminder>\nBe brief.\n</system-reminder>"}]
    session.add("attachment", attachment={"type": "date"}, rendered=note, renderedRole="system")
    prompt = {"role": "user", "content": "Fix the flaky test"}
    session.request([prompt, {"role": "system", "content": "Be brief."}])
    session.says("Done.", "m1", requestRef="req_4")
    done = session.imported()
    assert done.shown() == ["Fix the flaky test", "Be brief."]
    assert [mark.kind for mark in done.events("mark")] == ["turn"]
    assert done.history.findings == []


def test_messages_that_rows_give_need_no_blob() -> None:
    session = healthy()
    prompt = {"role": "user", "content": "Fix the flaky test"}
    blocks = [row["message"]["content"][0] for row in session.rows[1:3]]
    result = session.rows[3]["message"]
    said = {"role": "assistant", "content": blocks}
    session.request([prompt, said, result], blobs=False)
    done = session.imported()
    assert done.shown() == [
        "Fix the flaky test",
        "I look at it.",
        'Bash {"command": "pytest"}',
        "1 failed",
    ]
    assert done.found() == []


def test_a_request_that_shows_another_text_than_the_row_says_so() -> None:
    session = healthy()
    row = session.rows[3]["message"]
    cleared = {"role": "user", "content": [{**row["content"][0], "content": "[cleared]"}]}
    session.request([cleared])
    done = session.imported()
    assert done.shown() == ["[cleared]"]
    assert done.found("info") == [("SHN401", {"span": session.rows[3]["uuid"]})]
    assert done.text(session.rows[3]["uuid"]) == "1 failed"


def test_a_message_that_can_not_be_rebuilt_is_unknown_and_not_left_out() -> None:
    session = healthy()
    session.request([{"role": "user", "content": "never logged"}], blobs=False)
    done = session.imported()
    assert done.shown() == [None]
    assert done.summary.untold == {"messages of requests can't be rebuilt from the file": 1}


def test_side_requests_are_not_what_the_main_conversation_was_shown() -> None:
    session = healthy()
    session.request([{"role": "user", "content": "Name this session"}])
    session.rows[-1]["querySource"] = "generate_session_title"
    done = session.imported()
    assert done.events("render") == []
    assert done.events("mark")[-1].actor == "request:generate_session_title"


def test_a_snapshot_of_files_is_a_checkpoint() -> None:
    session = healthy()
    backup = {"a.py": {"backupFileName": "x@v1", "version": 1}}
    snapshot = {"messageId": "u1", "trackedFileBackups": backup, "timestamp": session.time()}
    row = {"type": "file-history-snapshot", "messageId": "u1", "snapshot": snapshot}
    session.rows += [row, {**row, "isSnapshotUpdate": True}]
    [checkpoint] = session.imported().events("checkpoint")
    assert checkpoint.checkpoint == "files:u1"
    assert checkpoint.snapshot is False
    assert checkpoint.meta == {"files": ["a.py"]}


def test_a_fork_says_which_session_it_left() -> None:
    session = healthy()
    fork = {"sessionId": "older", "messageUuid": "u0"}
    rows = [{**row, "forkedFrom": fork} for row in session.rows[:2]] + session.rows[2:]
    header = import_rows(ClaudeCode(), rows).history.session
    assert header is not None
    assert header.parent is None
    assert header.meta is not None
    assert header.meta["imported"]["forked_from"] == "older"
    plain = session.imported().history.session
    assert plain is not None
    assert plain.meta is not None
    assert "forked_from" not in plain.meta["imported"]
