"""Drafts: stale before anything is reconciled, undoable before anything is applied (seed 004)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.buffers import audited, events_of

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import (
    AmbiguousAnchorError,
    ConflictError,
    SpanscopeError,
    StaleBaseError,
    StaleSpanError,
    UnreachableRollbackError,
)
from spanscope.journal.events import Apply, Mark, Release, Rewrite, Stage
from spanscope.journal.parts import QuoteRef, RewriteEdit, SpanRef

RULES = "Rules\nConstraints:\n- be brief\n"
DOCS = "The quota is 100 requests a minute."


@pytest.fixture
def filled(buffer: ContextBuffer) -> ContextBuffer:
    buffer.ingest("rules", RULES, role="system")
    buffer.ingest("docs/3", DOCS, role="tool")
    return buffer


def types(buffer: ContextBuffer) -> list[str]:
    return [str(event.__struct_config__.tag) for event in events_of(buffer)]


def refused(buffer: ContextBuffer, error: type[SpanscopeError], apply: Any) -> SpanscopeError:
    """The error of a draft that is refused; the buffer is as before, the journal has a note."""
    before = buffer.digest, buffer.revision
    with pytest.raises(error) as caught:
        apply()
    assert type(caught.value) is error
    assert (buffer.digest, buffer.revision) == before
    note = events_of(buffer)[-1]
    assert isinstance(note, Mark)
    assert note.label.startswith("refused: ")
    assert "stage" not in types(buffer)
    return caught.value


def test_a_draft_is_staged_and_applied_as_one_change(filled: ContextBuffer) -> None:
    with filled.draft("planner") as draft:
        assert draft.read("docs/3") == DOCS
        draft.quote("docs/3", "quota is 100")
        draft.refer("rules")
        draft.insert("rules", "- mind the quota\n", following="Constraints:\n")
        draft.ingest("note", "quota 100", role="user", after="rules")
        draft.splice("note", 0, 5, "Quota")
        assert filled.text("rules") == RULES
    assert draft.applied
    assert filled.text("rules") == "Rules\nConstraints:\n- mind the quota\n- be brief\n"
    assert filled.text("note") == "Quota 100"
    assert filled.order == ("rules", "note", "docs/3")
    stage, apply = events_of(filled)[-2:]
    assert isinstance(stage, Stage)
    assert isinstance(apply, Apply)
    assert (stage.actor, stage.base.revision, apply.seq) == ("planner", 2, draft.seq)
    assert [read.span for read in stage.reads] == ["docs/3", "rules"]
    assert stage.refs == [QuoteRef(span="docs/3", text="quota is 100"), SpanRef(span="rules")]
    assert apply.inverses is not None
    assert [inverse is None for inverse in apply.inverses] == [False, True]
    filled.rollback(1)
    assert filled.text("rules") == RULES
    assert "note" not in filled


def test_the_scene_of_the_seed(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    draft.read("docs/3")
    draft.insert("rules", "- mind the quota\n", following="Constraints:\n")
    filled.as_actor("tool:search").rewrite("docs/3", "The quota is 5 requests an hour.")
    assert draft.check().verdict == "stale"
    assert draft.check().write_set_passes
    error = refused(filled, StaleBaseError, draft.apply)
    assert "docs/3 was changed at 3 by tool:search" in str(error)
    assert error.finding is not None
    assert error.finding.rule == "DIF311"
    assert error.finding.evidence["write_set_passes"] is True
    assert [reason["rule"] for reason in error.finding.evidence["reasons"]] == ["DIF301"]


def test_its_own_authors_change_makes_it_stale_all_the_same(filled: ContextBuffer) -> None:
    planner = filled.as_actor("planner")
    draft = planner.draft()
    draft.read("docs/3")
    draft.insert("rules", "x\n", following="Constraints:\n")
    planner.splice("docs/3", 0, 0, "NB: ")
    refused(filled, StaleBaseError, draft.apply)


def test_a_moved_base_alone_is_no_reason(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    draft.read("docs/3")
    draft.insert("rules", "- mind the quota\n", following="Constraints:\n")
    filled.ingest("more", "elsewhere")
    filled.splice("rules", 0, 5, "The rules")
    assert draft.check().verdict == "reconcilable"
    draft.apply()
    assert filled.text("rules") == "The rules\nConstraints:\n- mind the quota\n- be brief\n"


def test_a_range_read_drifts_with_its_range_alone(filled: ContextBuffer) -> None:
    first, second = filled.draft("a"), filled.draft("b")
    for draft in (first, second):
        assert draft.read("docs/3", (13, 16)) == "100"
        draft.insert("rules", "- 100\n", following="Constraints:\n")
    filled.splice("docs/3", 0, 3, "This")
    first.apply()
    filled.replace("docs/3", "100", "50")
    with pytest.raises(StaleBaseError):
        second.apply()


def test_undone_drift_is_no_drift(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    draft.read("docs/3")
    draft.insert("rules", "x\n", following="Constraints:\n")
    filled.splice("docs/3", 0, 0, "NB: ")
    filled.rollback(1)
    draft.apply()


def test_a_quote_must_still_stand(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    draft.quote("docs/3", "quota is 100")
    draft.insert("rules", "- 100 a minute\n", following="Constraints:\n")
    filled.replace("docs/3", "100", "50")
    error = refused(filled, StaleBaseError, draft.apply)
    assert error.finding is not None
    assert "DIF303" in {reason["rule"] for reason in error.finding.evidence["reasons"]}
    with pytest.raises(StaleBaseError, match="does not stand"):
        filled.draft("planner").quote("docs/3", "no such words")


def test_reading_what_has_drifted_is_refused_at_once(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    filled.splice("docs/3", 0, 0, "NB: ")
    filled.ingest("late", "later")
    with pytest.raises(StaleBaseError, match="DIF301"):
        draft.read("docs/3")
    with pytest.raises(StaleBaseError, match="DIF313"):
        draft.read("late")
    with pytest.raises(SpanscopeError, match="JNL007"):
        draft.read("never")
    with pytest.raises(SpanscopeError, match="JNL008"):
        draft.read("rules", (0, 999))


def test_reading_all_is_the_strictest(filled: ContextBuffer) -> None:
    first, second = filled.draft("a"), filled.draft("b")
    assert first.read_all() == {"rules": RULES, "docs/3": DOCS}
    for draft in (first, second):
        draft.insert("rules", "x\n", following="Constraints:\n")
    filled.ingest("more", "elsewhere")
    refused(filled, StaleBaseError, first.apply)
    second.apply()


def test_two_insertions_at_one_place_conflict(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    draft.insert("rules", "- mine\n", following="Constraints:\n")
    filled.splice("rules", RULES.index("- be"), 0, "- theirs\n")
    error = refused(filled, ConflictError, draft.apply)
    assert error.finding is not None
    assert error.finding.rule == "DIF311"
    assert error.finding.evidence["verdict"] == "conflict"


def test_a_rewrite_overwrites_nobody(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    draft.rewrite("rules", RULES.replace("brief", "short"))
    filled.splice("rules", 0, 5, "The rules")
    refused(filled, StaleBaseError, draft.apply)


def test_a_gone_target_is_out_of_reach(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    draft.prune("docs/3")
    filled.prune("docs/3")
    refused(filled, UnreachableRollbackError, draft.apply)


def test_a_place_that_became_ambiguous_is_refused(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    draft.insert("rules", "- x\n", following="Constraints:\n")
    filled.splice("rules", len(RULES), 0, "Constraints:\n- of others\n")
    refused(filled, AmbiguousAnchorError, draft.apply)


def test_a_fragile_draft_is_refused_unless_it_is_wanted(tmp_path: Path) -> None:
    buffer = ContextBuffer.record("fragile", tmp_path / "a.jsonl")
    buffer.ingest("a", "one two")
    draft = buffer.draft("planner")
    draft.insert("a", " three")
    assert draft.check().fragile
    error = refused(buffer, UnreachableRollbackError, draft.apply)
    assert error.finding is not None
    assert error.finding.rule == "DIF305"
    with buffer.draft("planner", allow_fragile=True) as wanted:
        wanted.insert("a", " three")
    assert buffer.text("a") == "one two three"
    buffer.rollback(1)
    assert buffer.text("a") == "one two"
    assert [(f.rule, f.severity) for f in audited(buffer).findings if f.severity != "info"] == [
        ("DIF305", "warning")
    ]


def test_an_exception_drops_the_draft(filled: ContextBuffer) -> None:
    seq = filled.seq

    def fail() -> None:
        with filled.draft("planner") as draft:
            draft.insert("rules", "x", following="Constraints:\n")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert filled.seq == seq
    assert filled.text("rules") == RULES


def test_a_draft_is_applied_once_and_an_empty_one_not_at_all(filled: ContextBuffer) -> None:
    seq = filled.seq
    with filled.draft("planner") as draft:
        draft.read("docs/3")
    assert not draft.applied
    assert filled.seq == seq
    with pytest.raises(SpanscopeError, match="is over"):
        draft.apply()


def test_edits_see_what_the_draft_has_written(filled: ContextBuffer) -> None:
    with filled.draft("planner") as draft:
        draft.insert("rules", "- one\n", following="Constraints:\n")
        assert "- one" in draft.read("rules")
        draft.replace("rules", "- one", "- two")
        draft.insert("docs/3", " (for now)", preceding=" a minute")
        draft.move("docs/3", None)
    assert filled.text("rules") == "Rules\nConstraints:\n- two\n- be brief\n"
    assert filled.text("docs/3") == "The quota is 100 requests (for now) a minute."
    stage = next(event for event in events_of(filled) if isinstance(event, Stage))
    # An edit inside of what the draft wrote is what it wrote.
    assert [edit.span for edit in stage.edits] == ["rules", "docs/3", "docs/3"]
    assert filled.order == ("docs/3", "rules")
    filled.rollback(1)
    assert filled.text("rules") == RULES


def test_impossible_edits_are_refused_when_they_are_made(filled: ContextBuffer) -> None:
    draft = filled.draft("planner")
    with pytest.raises(AmbiguousAnchorError) as caught:
        draft.insert("docs/3", "x", following="e")
    assert len(caught.value.places) > 1
    calls: list[Any] = [
        lambda: draft.splice("docs/3", 999, 0, "x"),
        lambda: draft.replace("docs/3", "nowhere", "x"),
        lambda: draft.rewrite("never", "x"),
        lambda: draft.prune("never"),
        lambda: draft.move("docs/3", "never"),
        lambda: draft.ingest("new", "x", after="never"),
        lambda: draft.ingest("new", "x", answers="never"),
    ]
    for call in calls:
        with pytest.raises(SpanscopeError):
            call()
    assert draft.apply() is None


def test_ids_and_answers_are_checked_in_drafts_too(filled: ContextBuffer) -> None:
    with pytest.raises(SpanscopeError, match="SPN116"), filled.draft("a") as draft:
        draft.ingest("docs/3", "again")
    filled.ingest("call", "search()")
    filled.ingest("result", "42", answers="call")
    with pytest.raises(SpanscopeError, match="SPN133"), filled.draft("a") as draft:
        draft.prune("call")
    with filled.draft("a") as draft:
        draft.prune("result")
        draft.prune("call")
    assert filled.order == ("rules", "docs/3")


def test_holders_of_what_a_draft_changes_lose_it(filled: ContextBuffer) -> None:
    cite = filled.derive("rules", "citation", quote="be brief")
    other = filled.derive("docs/3", "citation", quote="100")
    with filled.draft("planner") as draft:
        draft.insert("rules", "- x\n", following="Constraints:\n")
    assert any(isinstance(event, Release) for event in events_of(filled))
    with pytest.raises(StaleSpanError, match="withdrawn"):
        cite.text()
    assert other.text() == "100"
    assert cite.rebuild().text() == "be brief"


def test_a_rewrite_in_a_draft_copies_for_expensive_holders(filled: ContextBuffer) -> None:
    vector = filled.derive("docs/3", "embedding", value=[1])
    with filled.draft("planner") as draft:
        draft.rewrite("docs/3", "Quota: 100.", op="fold")
        draft.replace("docs/3", "100", "100 a minute")
    assert vector.value == [1]
    assert filled.head("docs/3").text == "Quota: 100 a minute."
    stage = next(event for event in events_of(filled) if isinstance(event, Stage))
    edit = stage.edits[0]
    assert isinstance(edit, RewriteEdit)
    assert edit.into == "docs/3@fold:1"
    with filled.draft("planner") as draft:
        draft.rewrite("rules", "x")
    assert not any(isinstance(event, Rewrite) for event in events_of(filled))
    assert filled.text("rules") == "x"


def test_attempts_read_again_until_one_holds(filled: ContextBuffer) -> None:
    seen = []
    for draft in filled.attempts("planner", limit=3):
        with draft:
            seen.append(draft.read("docs/3"))
            draft.insert("rules", f"- {len(seen)}\n", following="Constraints:\n")
            if len(seen) < 3:
                filled.splice("docs/3", 0, 0, "x")
    assert seen == [DOCS, "x" + DOCS, "xx" + DOCS]
    assert draft.applied
    assert filled.text("rules") == "Rules\nConstraints:\n- 3\n- be brief\n"


def test_the_last_attempt_raises(filled: ContextBuffer) -> None:
    tried = 0

    def hopeless() -> None:
        nonlocal tried
        for draft in filled.attempts("planner", limit=2):
            with draft:
                tried += 1
                draft.read("docs/3")
                draft.insert("rules", "x\n", following="Constraints:\n")
                filled.splice("docs/3", 0, 0, "x")

    with pytest.raises(StaleBaseError):
        hopeless()
    assert tried == 2


def test_other_errors_end_the_attempts(filled: ContextBuffer) -> None:
    tried = 0

    def wrong() -> None:
        nonlocal tried
        for draft in filled.attempts("planner"):
            with draft:
                tried += 1
                draft.read("never")

    with pytest.raises(SpanscopeError, match="JNL007"):
        wrong()
    assert tried == 1


def test_a_reading_that_drifts_in_the_block_leads_to_the_next_attempt(
    filled: ContextBuffer,
) -> None:
    tried = 0
    for draft in filled.attempts("planner"):
        with draft:
            tried += 1
            if tried == 1:
                filled.splice("docs/3", 0, 0, "x")
            draft.read("docs/3")
            draft.insert("rules", "x\n", following="Constraints:\n")
    assert tried == 2
    assert draft.applied


def test_no_attempt_at_all_is_an_error(buffer: ContextBuffer) -> None:
    with pytest.raises(ValueError, match="limit from 1"):
        buffer.attempts("planner", limit=0)


def test_a_draft_says_what_it_is(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one two three")
    draft = buffer.draft("planner")
    draft.replace("a", "two", "2")
    assert repr(draft) == "<Draft planner-1: 1 edits on revision 1, open>"
    draft.apply()
    assert repr(draft) == "<Draft planner-1: 1 edits on revision 1, applied at 3>"
    assert repr(buffer.span("a")) == "<Span a v1: live, 11 characters>"
    assert repr(buffer) == f"<ContextBuffer of agent: 1 spans, revision 2, in {buffer.path}>"
    assert repr(ContextBuffer().as_actor("x")) == "<BufferView of x: 0 spans, revision 0>"
