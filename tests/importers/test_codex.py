"""Codex: histories, compactions, turns taken back, patches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.codex import Rollout
from support.importing import Imported, import_files, lines

from spanscope.importers.codex import Codex
from spanscope.importers.registry import recognise

HUNK = "-alpha = 1\n+alpha = 10\n beta = 2\n"
STALE = "-alpha = 1\n+alpha = 99\n beta = 2\n"
FAILED = "apply_patch verification failed: Failed to find expected lines in /p/a.py:"
REFUSED = f"{FAILED}\nalpha = 1\nbeta = 2"
REGION = "file:/p/a.py#1"


def working(**fields: Any) -> Rollout:
    thread = Rollout(**fields)
    thread.message("user", "<environment_context>\n  <cwd>/p</cwd>\n</environment_context>")
    thread.turn("Change alpha")
    thread.message("assistant", "I look.")
    thread.tool("c1", "exec_command", '{"cmd": "ls"}', "a.py")
    thread.patch("c2", HUNK, "ok")
    thread.message("assistant", "Done.")
    return thread


@pytest.mark.parametrize("legacy", [False, True])
def test_a_healthy_session_has_no_findings(legacy: bool) -> None:
    done = working(legacy=legacy).imported()
    assert done.history.findings == []
    assert done.history.unknown == []
    texts = done.texts()
    assert texts[1:4] == ["Change alpha", "I look.", 'exec_command {"cmd": "ls"}']
    assert [mark.label for mark in done.events("mark") if mark.kind == "turn"] == ["Change alpha"]


def test_results_answer_calls_by_call_id() -> None:
    done = working().imported()
    spans = done.history.state.spans.values()
    pairs = {(span.text, done.text(span.answers)) for span in spans if span.answers}
    assert ("a.py", 'exec_command {"cmd": "ls"}') in pairs


def test_a_patch_shows_a_region_of_its_file() -> None:
    done = working().imported()
    assert done.text(REGION) == "alpha = 10\nbeta = 2\n"
    [splice] = done.events("splice")
    assert splice.inverse.original == "alpha = 1\nbeta = 2\n"


def test_a_patch_whose_quoted_base_is_gone() -> None:
    thread = working()
    thread.patch("c3", STALE, REFUSED)
    done = thread.imported()
    assert [rule for rule, _ in done.found()] == ["DIF303", "DIF304"]
    [stage] = done.events("stage")
    assert done.at("DIF303") == [stage]
    assert done.events("reject")[0].diff == stage.diff == "edit:c3"
    assert done.text(REGION) == "alpha = 10\nbeta = 2\n"


def test_a_refusal_that_shows_a_foreign_write_accuses_nobody() -> None:
    thread = working()
    thread.patch("c3", "-alpha = 10\n+alpha = 11\n beta = 2\n", REFUSED)
    done = thread.imported()
    assert done.text(REGION) is None
    assert len(done.events("reject")) == 1
    assert done.found() == []


def test_files_that_a_patch_adds_are_known_whole() -> None:
    thread = working()
    added = {"/p/b.py": {"type": "add", "content": "one\ntwo\n"}}
    change = {"type": "FileChange", "changes": added, "status": "completed"}
    thread.row("event_msg", {"type": "item_completed", "item": change})
    diff = "@@ -2,1 +2,1 @@\n-two\n+2\n"
    for changes in ({"/p/b.py": {"update": {"unified_diff": diff}}},):
        thread.row("event_msg", {"type": "patch_apply_end", "success": True, "changes": changes})
    assert thread.imported().text("file:/p/b.py") == "one\n2\n"
    thread.row("event_msg", {"type": "patch_apply_end", "changes": {"/p/b.py": {"delete": {}}}})
    assert "file:/p/b.py" not in thread.imported().live()


@pytest.mark.parametrize("legacy", [False, True])
def test_a_compaction_keeps_the_items_that_it_names(legacy: bool) -> None:
    thread = working(legacy=legacy)
    prompt = next(r["payload"] for r in thread.rows if r["payload"].get("role") == "user")
    thread.compacted("All is done.", [prompt, thread.summary("All is done.")])
    thread.turn("And now?")
    done = thread.imported()
    assert done.texts() == [prompt["content"][0]["text"], "All is done.", "And now?"]
    assert done.found() == []
    [derive] = done.events("derive")
    assert derive.kind == "summary"
    assert len(done.events("apply")) == 1


def test_an_older_compaction_says_only_its_summary() -> None:
    thread = working(legacy=True)
    thread.compacted("All is done.", None)
    done = thread.imported()
    assert done.texts()[1:] == ["Change alpha", "All is done."]
    assert done.summary.untold == {"compactions do not say what they kept": 1}
    assert done.found() == []


def test_a_result_that_a_compaction_orphaned() -> None:
    thread = working()
    result = next(r["payload"] for r in thread.rows if r["payload"].get("output") == "a.py")
    thread.compacted("All is done.", [result, thread.summary("All is done.")])
    thread.turn("And now?")
    thread.message("assistant", "Nothing.")
    done = thread.imported()
    assert done.found() == [("SPN133", {"span": result["id"]})]
    [event] = done.at("SPN133")
    assert event.kind == "llm"


def test_a_kept_message_that_was_cut_is_a_rewrite_under_its_id() -> None:
    thread = working()
    prompt = next(
        r["payload"]
        for r in thread.rows
        if r["payload"].get("content", [{}])[0].get("text") == "Change alpha"
    )
    cut = {**prompt, "content": [{"type": "input_text", "text": "Change…"}]}
    thread.compacted("All is done.", [cut, thread.summary("All is done.")])
    done = thread.imported()
    [rewrite] = done.events("rewrite")
    assert (rewrite.span, rewrite.content, rewrite.version) == (prompt["id"], "Change…", None)


def test_turns_taken_back_in_older_files() -> None:
    thread = working(legacy=True)
    thread.turn("Second")
    thread.message("assistant", "2")
    thread.turn("Third")
    thread.row("event_msg", {"type": "thread_rolled_back", "num_turns": 2})
    thread.turn("Instead")
    done = thread.imported()
    assert done.texts()[-2:] == ["Done.", "Instead"]
    [rollback] = done.events("rollback")
    assert (rollback.steps, rollback.stores, rollback.edits) == (3, ["context"], None)
    assert done.found() == []


def segment(
    thread: Rollout, cut: int, folder: Path, patch: tuple[str, str] = ("", "")
) -> list[Path]:
    """A second file that goes on where row `cut` of the first one was; `patch`: a hunk, its end."""
    base = {"thread_id": "t1", "end_ordinal_exclusive": cut, "end_byte_offset": 0}
    second = Rollout(first=thread.ordinal, history_base=base)
    second.turn("Instead")
    if patch[0]:
        second.patch("c9", *patch)
    second.message("assistant", "Fine.")
    paths = [folder / "1.jsonl", folder / "2.jsonl"]
    paths[0].write_bytes(lines(thread.rows))
    paths[1].write_bytes(lines(second.rows))
    return paths


def test_a_revert_goes_on_in_a_new_file(tmp_path: Path) -> None:
    thread = working()
    cut = thread.ordinal
    thread.turn("Second")
    thread.message("assistant", "2")
    done = import_files(*segment(thread, cut, tmp_path))
    assert done.texts()[-3:] == ["Done.", "Instead", "Fine."]
    assert len(done.events("rollback")) == 1
    assert done.found() == []


def reverted(folder: Path, patch: tuple[str, str] = ("", "")) -> Imported:
    """A turn that changed a file was taken back; `patch` comes in the turn after that."""
    thread = Rollout()
    thread.turn("Start")
    cut = thread.ordinal + 1
    thread.turn("Change alpha")
    thread.patch("c2", HUNK, "ok")
    return import_files(*segment(thread, cut, folder, patch))


def test_of_files_a_revert_tells_nothing(tmp_path: Path) -> None:
    """No row says that they were restored or left: whoever goes back is accused of neither."""
    done = reverted(tmp_path)
    assert done.texts() == ["Start", "Instead", "Fine."]
    [rollback] = done.events("rollback")
    assert (rollback.to, rollback.stores, rollback.meta) == (
        None,
        ["context"],
        {"files": "not told"},
    )
    assert done.found() == []


def test_a_patch_after_a_revert_that_knows_what_the_file_holds(tmp_path: Path) -> None:
    done = reverted(tmp_path, ("-alpha = 10\n+alpha = 11\n beta = 2\n", "ok"))
    assert done.text(REGION) == "alpha = 11\nbeta = 2\n"
    assert done.found() == []


def test_a_patch_after_a_revert_that_quotes_what_the_turn_had_changed(tmp_path: Path) -> None:
    """It was refused: that the turn's change is still in the file is why."""
    done = reverted(tmp_path, (STALE, REFUSED))
    [stage] = done.events("stage")
    assert done.found() == [(rule, {"diff": stage.diff}) for rule in ("DIF303", "DIF304")]
    assert done.at("DIF303") == done.at("DIF304") == [stage]
    assert done.text(REGION) == "alpha = 10\nbeta = 2\n"


def test_a_revert_across_a_compaction_brings_the_history_back(tmp_path: Path) -> None:
    thread = working()
    cut = thread.ordinal
    before = thread.imported().texts()
    thread.compacted("All is done.", [thread.summary("All is done.")])
    thread.turn("Second")
    done = import_files(*segment(thread, cut, tmp_path))
    assert done.texts() == [*before, "Instead", "Fine."]
    assert done.found() == []


def test_a_segment_alone_says_what_is_missing(tmp_path: Path) -> None:
    done = import_files(segment(working(), 5, tmp_path)[1])
    assert done.texts() == ["Instead", "Fine."]
    assert "the history before this file is in another one: name that too" in done.summary.notes


def test_another_thread_is_a_sub_agent(tmp_path: Path) -> None:
    other = Rollout("t2", first=100, parent_thread_id="t1")
    other.message("user", "Search")
    paths = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    paths[0].write_bytes(lines(working().rows))
    paths[1].write_bytes(lines(other.rows))
    done = import_files(*paths)
    assert done.texts("subagent:t2") == ["Search"]
    assert len(done.texts()) == 8


def test_model_calls_are_told_by_how_far_they_read() -> None:
    thread = Rollout()
    thread.turn("Go")
    for number, sampled in enumerate((1, 1, 3)):
        row = thread.message("assistant", str(number))
        thread.rows[-1]["metadata"] = {"sampled_through_sequence": sampled}
        assert row["id"]
    done = thread.imported()
    assert [mark.label for mark in done.events("mark") if mark.kind == "llm"] == ["i3", "i5"]


def test_undone_files_are_unknown_and_unknown_rows_are_counted() -> None:
    thread = working()
    added = {"/p/b.py": {"add": {"content": "one\n"}}}
    thread.row("event_msg", {"type": "patch_apply_end", "success": True, "changes": added})
    thread.row("event_msg", {"type": "undo_completed", "success": True})
    thread.row("event_msg", {"type": "invented"})
    thread.row("shiny", {}, extra=1)
    thread.item({"type": "hologram"})
    thread.item({"type": "ghost_snapshot", "ghost_commit": {"id": "abc"}})
    done = thread.imported()
    assert done.text("file:/p/b.py") is None
    assert done.summary.unknown_rows == {
        "event_msg invented": 1,
        "shiny": 1,
        "response_item hologram": 1,
    }
    assert done.events("checkpoint")[-1].checkpoint == "files:abc"


def test_two_live_items_with_one_id() -> None:
    thread = working()
    first = thread.message("user", "One")
    content = [{"type": "input_text", "text": "Another"}]
    thread.compacted("Done.", [first, {**first, "content": content}, thread.summary("Done.")])
    done = thread.imported()
    assert done.found() == [("SPN116", {"span": first["id"]})]
    [event] = done.at("SPN116")
    assert (event.span, event.content) == (first["id"], "Another")


def test_a_type_that_is_no_text_is_no_fault() -> None:
    rollout = Rollout()
    rollout.rows.insert(0, {"type": ["response_item"], "payload": {}})
    data = lines(rollout.rows)
    found = recognise(data, whole=True)
    assert found is not None
    assert found.importer() is Codex
    assert rollout.imported().summary.unknown_rows == {"without a type": 1}
