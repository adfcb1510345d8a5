"""Faults of the engine that the second opinion showed, each in a journal of a few events."""

from __future__ import annotations

import pytest
from support.journals import (
    Fields,
    copy,
    derive,
    found,
    ids,
    ingest,
    of,
    prune,
    recorded,
    rewrite,
    signals_of,
    splice,
    stage,
    state_of,
    use,
)

from spanscope.model.content import content_hash

T = "one two three"
A, B = ingest("a", T), ingest("b", "other")
GAP = of("gap", reason="x")


def test_a_claimed_hash_of_a_span_that_the_event_left_alone_is_judged() -> None:
    applied = of("rollback", steps=0, edits=[], hashes={"a": content_hash("x")})
    assert ids(recorded(A, applied), "SPN112") == ["SPN112@2"]


def test_what_an_ingest_answers_must_be_there() -> None:
    assert ids(recorded(ingest("r", "x", answers="call")), "JNL007") == ["JNL007@1"]
    assert ids(recorded(A, ingest("r", "x", answers="a")), "JNL007") == []
    assert ids(recorded(GAP, ingest("r", "x", answers="call")), "JNL007") == []


def test_every_missing_source_is_named() -> None:
    derived = of("derive", artifact="c", span="x", kind="note", sources=[{"span": "y"}])
    subjects = [finding.subject for finding in found(recorded(derived), "JNL007")]
    assert [subject["span"] for subject in subjects] == ["x", "y"]


def test_a_source_gives_signals_too() -> None:
    held = derive("c", "b", "other", sources=[{"span": "a"}])
    history = recorded(A, B, held, splice("a", T, 4, 3, "2"))
    assert state_of(history, "c") == "stale"
    assert "hash-divergence" in signals_of(history, "c")


def test_a_copy_under_a_live_id_leaves_what_it_overwrote_in_reach() -> None:
    history = recorded(A, B, copy("a", "b", "x"))
    assert [row.reachable for row in history.at(3).undo()] == [True, True, True]


def test_the_edit_of_an_inverse_is_counted_among_all_edits() -> None:
    edits = [of("splice", span="gone", at=0, delete=0, insert="x"), of("prune", span="a")]
    applied = of("apply", diff="D", edits=edits)
    late: Fields = of("inverse", of=2, edit=1, original=T, inserted=0)
    assert ids(recorded(A, applied, late), "JNL007")[-1] == "JNL007@2.2"
    assert ids(recorded(A, applied, late), "UND202") == ["UND202@3"]


def test_a_rollback_by_edits_gives_the_origin_back() -> None:
    back = of("rollback", steps=1, edits=[of("rewrite", span="a", op="undo", content=T)])
    history = recorded(A, rewrite("a", T, "x"), back)
    assert history.state.spans["a"].produced_by == "ingest"


def test_what_was_lost_behind_the_last_event_makes_its_revision_unknown() -> None:
    history = recorded(A, b'{"type":\n')
    assert history.at(1).revision is None


def test_an_empty_splice_owes_no_inverse_wherever_it_is() -> None:
    nothing = of("splice", span="a", at=3, delete=0, insert="")
    assert ids(recorded(ingest("a", "***", redacted=True), nothing), "UND201") == []


def test_an_origin_that_is_unknown_gives_no_signal() -> None:
    bare = of("derive", artifact="c", span="a", kind="note")
    history = recorded(GAP, bare, A)
    assert state_of(history, "c") == "unknown"
    assert signals_of(history, "c") == []


def test_an_observed_hash_that_proves_the_text_makes_it_known() -> None:
    seen = of("observe", hashes={"a": content_hash(T)})
    history = recorded(ingest("a", T, redacted=True), seen)
    assert history.state.spans["a"].text == T


def test_a_read_of_nothing_is_no_phantom() -> None:
    assert ids(recorded(A, stage("D", 1, [{}], [])), "DIF313") == []


def test_a_use_of_a_superseded_span_is_told_where_its_state_is_unknown() -> None:
    newer = ingest("b", "x", supersedes=["a"])
    history = recorded(A, derive("c", "a", T), newer, GAP, use("c"))
    assert ids(history, "SPN144") == ["SPN144@5"]


def test_a_pruned_span_that_an_aborted_note_names_is_no_problem() -> None:
    assert ids(recorded(A, prune("a", T), of("abort", of=2)), "JNL007") == []


HIDDEN = ingest("a", "***", redacted=True, hash=content_hash(T))
NOTHING = of("splice", span="a", at=3, delete=0, insert="")


@pytest.mark.parametrize("at", [3, 9])
def test_an_empty_splice_leaves_a_known_hash_known(at: int) -> None:
    history = recorded(HIDDEN, {**NOTHING, "at": at})
    assert history.state.spans["a"].hash == content_hash(T)
    assert [row.reachable for row in history.at(2).undo()] == [True, True]


def test_one_that_hides_what_it_put_there_does_not() -> None:
    history = recorded(HIDDEN, {**NOTHING, "redacted": True})
    assert history.state.spans["a"].hash is None
    assert ids(history, "UND201") == ["UND201@2"]


def test_what_a_hash_told_of_an_untouched_text_is_undone_to_the_same() -> None:
    bare = ingest("a", "***", redacted=True)
    history = recorded(bare, {**NOTHING, "hash": content_hash(T)})
    assert [row.reachable for row in history.at(2).undo()] == [True, True]


READ = stage("D", 1, [{"span": "a"}], [])
UNREAD = ingest("a", "***", redacted=True)


def verdict(*events: Fields) -> str:
    history = recorded(*events)
    [row] = history.at(history.last).staging()
    return row.judgement.verdict


@pytest.mark.parametrize("part", [{}, {"range": [0, 2]}])
def test_a_read_of_a_text_that_was_never_recorded_holds_while_nobody_touches_it(
    part: Fields,
) -> None:
    read = stage("D", 1, [{"span": "a", **part}], [])
    assert verdict(UNREAD, read) == "admissible"
    assert verdict(UNREAD, read, NOTHING) == "admissible"
    again = of("rewrite", span="a", op="o", content="***", redacted=True)
    assert verdict(UNREAD, read, again) == "unknown"


def test_a_hash_is_a_key_also_of_a_span_whose_ingest_was_lost() -> None:
    held = of("derive", artifact="c", span="a", kind="note", hash=content_hash(T))
    seen = of("observe", contents={"a": T})
    assert state_of(recorded(GAP, held, seen), "c") == "fresh"
    assert state_of(recorded(GAP, held), "c") == "unknown"
