"""Holders: what they keep is true when they use it, or it is refused (seed 000)."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from support.buffers import events_of, said

from spanscope.buffer.artifacts import Artifact
from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import AmbiguousAnchorError, SpanscopeError, StaleSpanError
from spanscope.journal.events import Derive, Prune, Release, Rewrite, Splice, Use

TASK = "Fix the flaky test in test_retry.py before Friday."


@pytest.fixture
def cite(buffer: ContextBuffer) -> Artifact:
    buffer.ingest("task", TASK, role="user")
    return buffer.derive("task", "citation", range=(4, 18), holder="retriever")


def test_an_artifact_is_keyed_on_version_and_hash(buffer: ContextBuffer, cite: Artifact) -> None:
    event = events_of(buffer)[-1]
    assert isinstance(event, Derive)
    span = buffer.span("task")
    assert (event.version, event.hash) == (span.version, span.hash)
    assert (event.range, event.holder, event.kind) == ((4, 18), "retriever", "citation")
    assert cite.fresh
    assert cite.text() == "the flaky test"
    use = events_of(buffer)[-1]
    assert isinstance(use, Use)
    assert (use.outcome, use.checked) == ("used", ["version", "hash"])


def test_a_stale_citation_is_refused_with_what_changed_when_and_by_whom(
    buffer: ContextBuffer, cite: Artifact
) -> None:
    buffer.as_actor("subagent:2").rewrite("task", "Fix test_retry by Friday.", op="summarize")
    assert not cite.fresh
    with pytest.raises(StaleSpanError) as caught:
        cite.text()
    finding = caught.value.finding
    assert finding is not None
    assert finding.rule == "SPN102"
    assert "length-delta" in finding.evidence["signals"]
    assert finding.caused_by == 3
    words = str(caught.value)
    assert '"the flaky test"' in words
    assert "by subagent:2 at 2026-11-11T09:00:01." in words
    use = events_of(buffer)[-1]
    assert isinstance(use, Use)
    assert use.outcome == "caught"
    assert said(buffer) == ["SPN103"]


@pytest.mark.parametrize("change", ["rewrite", "splice", "replace", "prune"])
def test_holders_are_told_by_the_change_itself(
    buffer: ContextBuffer, cite: Artifact, change: str
) -> None:
    changes: dict[str, Any] = {
        "rewrite": lambda: buffer.rewrite("task", "x"),
        "splice": lambda: buffer.splice("task", 0, 3, "Mend"),
        "replace": lambda: buffer.replace("task", "Fix", "Mend"),
        "prune": lambda: buffer.prune("task"),
    }
    changes[change]()
    event = events_of(buffer)[-1]
    assert isinstance(event, Rewrite | Splice | Prune)
    assert event.invalidates == [cite.artifact]
    with pytest.raises(StaleSpanError):
        cite.text()


def test_the_same_bytes_tell_nobody_and_stay_true(buffer: ContextBuffer, cite: Artifact) -> None:
    buffer.rewrite("task", TASK, op="normalize")
    event = events_of(buffer)[-1]
    assert isinstance(event, Rewrite)
    assert (event.invalidates, event.inverse, event.version) == ([], None, 1)
    assert cite.text() == "the flaky test"


def test_an_expensive_holder_keeps_a_frozen_copy(buffer: ContextBuffer, cite: Artifact) -> None:
    vector = buffer.derive("task", "embedding", value=[0.1], rebuild=lambda text: [len(text)])
    span = buffer.rewrite("task", "Fix it.", op="summarize")
    assert span.span == "task@summarize:1"
    assert buffer.order == ("task@summarize:1",)
    event = events_of(buffer)[-1]
    assert isinstance(event, Rewrite)
    assert (event.into, event.invalidates, event.inverse) == (span.span, [], None)
    # Both holders keep what they refer to.
    assert vector.value == [0.1]
    assert cite.text() == "the flaky test"
    # Copied once: nobody holds the copy, so it is changed in place.
    assert buffer.rewrite(span.span, "Fix.", op="summarize").span == span.span
    assert buffer.compact() == []
    cite.release()
    assert vector.rebuild().value == [4]
    assert vector.span == "task@summarize:1"
    assert buffer.compact() == ["task"]


def test_a_policy_overrides(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    vector = buffer.derive("a", "embedding", value=1)
    assert buffer.rewrite("a", "two", policy="tell").span == "a"
    with pytest.raises(StaleSpanError):
        _ = vector.value
    # What is invalid already is no reason to copy.
    assert buffer.rewrite("a", "three").span == "a"
    assert buffer.rewrite("a", "four", policy="copy", into="b").span == "b"


def test_a_policy_that_there_is_not_decides_nothing(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.derive("a", "embedding", value=1)
    odd: Any = "copy-on-rewrite"
    with pytest.raises(ValueError, match="there is no policy 'copy-on-rewrite': give tell, copy"):
        buffer.rewrite("a", "two", policy=odd)
    with pytest.raises(ValueError, match="no policy"), buffer.draft("planner") as draft:
        draft.rewrite("a", "two", policy=odd)
    assert buffer.text("a") == "one"


def test_a_cheap_embedding_is_told(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.derive("a", "embedding", cost="cheap", value=1)
    assert buffer.rewrite("a", "two").span == "a"


def test_a_further_source_counts(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    buffer.ingest("b", "two")
    both = buffer.derive("a", "summary", sources=["b"], value="one, two")
    buffer.splice("b", 0, 0, "x")
    with pytest.raises(StaleSpanError, match="b was changed at 4"):
        _ = both.value


def test_a_range_outside_its_span_is_refused(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    for range in ((0, 4), (2, 1), (-1, 2)):
        with pytest.raises(SpanscopeError) as caught:
            buffer.derive("a", "citation", range=range)
        assert caught.value.finding is not None
        assert caught.value.finding.rule == "SPN115"
    assert buffer.derive("a", "map", range=(0, 3), unit="bytes").text() == "one"


def test_a_quote_is_sought_once(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one two one")
    assert buffer.derive("a", "citation", quote="two").range == (4, 7)
    with pytest.raises(AmbiguousAnchorError):
        buffer.derive("a", "citation", quote="one")


def test_rebuild_follows_the_range_through_the_edits(buffer: ContextBuffer, cite: Artifact) -> None:
    buffer.splice("task", 0, 0, "Please: ")
    with pytest.raises(StaleSpanError):
        cite.text()
    assert cite.rebuild() is cite
    assert cite.range == (12, 26)
    assert cite.text() == "the flaky test"
    outcomes = [event.outcome for event in events_of(buffer) if isinstance(event, Use)]
    assert outcomes == ["caught", "rederived", "used"]
    buffer.rewrite("task", "Nothing of it.")
    with pytest.raises(StaleSpanError, match="give a range"):
        cite.rebuild()
    assert cite.rebuild((0, 7)).text() == "Nothing"


def test_the_value_is_made_by_rebuild(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    seen: list[str] = []

    def count(text: str) -> int:
        seen.append(text)
        return len(text)

    tokens = buffer.derive("a", "token-count", rebuild=count)
    assert tokens.value == 3
    buffer.splice("a", 3, 0, "four")
    with pytest.raises(StaleSpanError):
        _ = tokens.value
    assert tokens.rebuild().value == 7
    assert seen == ["one", "onefour"]


def test_a_rebuild_that_is_overtaken_starts_again(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one")
    overtaken: list[str] = []

    def slow(text: str) -> str:
        if not overtaken:
            overtaken.append(text)
            other = threading.Thread(target=lambda: buffer.splice("a", 0, 0, "x"))
            other.start()
            other.join()
        return text.upper()

    upper = buffer.derive("a", "upper", rebuild=slow)
    assert upper.value == "XONE"
    assert overtaken == ["one"]


def test_a_released_artifact_needs_nothing_and_gives_nothing(
    buffer: ContextBuffer, cite: Artifact
) -> None:
    cite.release()
    cite.release()
    assert sum(isinstance(event, Release) for event in events_of(buffer)) == 1
    assert cite.released
    for use in (cite.text, cite.rebuild):
        with pytest.raises(SpanscopeError, match="was released") as caught:
            use()
        assert caught.value.finding is not None
    buffer.rewrite("task", "x")
    assert events_of(buffer)[-1].invalidates == []  # type: ignore[union-attr]


def test_a_rollback_withdraws_what_it_makes_untrue(buffer: ContextBuffer, cite: Artifact) -> None:
    buffer.splice("task", 0, 0, "Now: ")
    late = buffer.derive("task", "citation", quote="Now")
    plan = buffer.rollback(1)
    assert plan.withdrawn == (late.artifact,)
    with pytest.raises(StaleSpanError, match="withdrawn"):
        late.text()
    # The earlier one was told of the change, and may be rebuilt now that its text is back.
    assert cite.rebuild().text() == "the flaky test"
    with pytest.raises(StaleSpanError, match="did not survive"):
        late.rebuild()


def test_of_a_pruned_span_nothing_is_given(buffer: ContextBuffer, cite: Artifact) -> None:
    buffer.prune("task")
    with pytest.raises(StaleSpanError) as caught:
        cite.text()
    assert caught.value.finding is not None
    assert caught.value.finding.rule == "SPN132"
    with pytest.raises(StaleSpanError, match="is gone"):
        cite.rebuild()


def test_token_ranges_have_no_text_but_a_value(buffer: ContextBuffer) -> None:
    buffer.ingest("a", "one two")
    tokens = buffer.derive("a", "token-range", range=(0, 1), unit="tokens", value="one")
    with pytest.raises(SpanscopeError, match="tokens"):
        tokens.text()
    assert tokens.value == "one"
