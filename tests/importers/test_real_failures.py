"""Failures in sessions that the real programs wrote (`fixtures/make_*`): each with its finding.

What the programs get right there must be silent: going back across a compaction brings everything
back, as the requests after it show.
"""

from __future__ import annotations

from pathlib import Path

from support.importing import Imported, import_files
from support.recorded import (
    FIXTURES,
    asked_by_claude_code,
    asked_by_codex,
    asked_by_gemini,
    asked_by_opencode,
    made_from_sql,
    shown_at_calls,
    shown_in_renders,
)

FILE = "file:/home/user/project/a.py"


def refused(done: Imported, *rules: str) -> list[tuple[str, dict[str, str | int]]]:
    """The findings of the one edit that was refused."""
    [reject] = done.events("reject")
    return [(rule, {"diff": reject.diff}) for rule in rules]


def test_claude_code_goes_back_across_a_compaction() -> None:
    done = import_files(FIXTURES / "claude-code/failures/session.jsonl")
    assert shown_in_renders(done) == asked_by_claude_code("claude-code/failures")
    assert done.found() == refused(done, "DIF304", "DIF307")
    assert done.at("DIF307") == done.events("stage")[:1]
    assert len(done.events("rollback")) == 1
    assert done.texts()[-1] == "So be it."


def test_codex_goes_back_across_a_compaction() -> None:
    folder = FIXTURES / "codex/failures"
    done = import_files(folder / "rollout.jsonl", folder / "segment.jsonl")
    assert shown_at_calls(done) == asked_by_codex("codex/failures")
    assert done.found() == refused(done, "DIF303", "DIF304")
    assert len(done.events("rollback")) == 1
    assert done.text(f"{FILE}#1") == "alpha = 10\nbeta = 2\n"


def test_opencode_goes_back_across_a_compaction(tmp_path: Path) -> None:
    done = import_files(made_from_sql("opencode/failures", tmp_path / "opencode.db"))
    [summary] = done.events("derive")
    made = summary.artifact.removeprefix("summary:")
    assert shown_at_calls(done, made) == asked_by_opencode("opencode/failures")
    assert done.found() == refused(done, "DIF304", "DIF307")
    assert len(done.events("rollback")) == 1


def test_gemini_writes_over_what_its_sub_agent_did() -> None:
    done = import_files(FIXTURES / "gemini/failures/chat.jsonl")
    asked = [
        texts for texts in asked_by_gemini("gemini/failures") if "Set gamma to 30" not in texts
    ]
    assert shown_at_calls(done) == asked
    assert done.found() == [*refused(done, "DIF304", "DIF307"), ("DIF316", {"span": FILE})]
    [event] = done.at("DIF316")
    assert (event.actor, event.op) == ("agent", "write_file")
    [finding] = [each for each in done.history.findings if each.rule == "DIF316"]
    cause = done.history.event(finding.caused_by or 0)
    assert cause is not None
    assert cause.actor.startswith("subagent:")


def test_gemini_rewinds_to_what_another_terminal_has_compacted_away() -> None:
    """The program clears all that there is; then the terminal that went back says what it has."""
    done = import_files(FIXTURES / "gemini/failures/two-terminals.jsonl")
    said = {event.span for event in done.events("ingest")[:3]}
    assert {str(subject["span"]) for _, subject in done.found()} == said
    assert {rule for rule, _ in done.found()} == {"UND221"}
    assert done.at("UND221") == done.events("rollback") * 3
    assert [len(text or "") for text in done.texts()] == [len("Say numbers"), 100]
