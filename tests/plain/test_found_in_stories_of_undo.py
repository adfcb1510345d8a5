"""Faults that random stories of undo showed of the engine or the second opinion."""

from __future__ import annotations

from support.journals import copy, ids, ingest, of, prune, recorded, rewrite, splice, stage
from support.second_opinion import differences

from spanscope.model.content import buffer_digest, content_hash

T = "one two three"
A, B = ingest("a", T), ingest("b", "other")
BACK = of("rollback", steps=1)


def test_an_undone_move_gives_the_origin_back_too() -> None:
    moved = of("move", span="a", after="b")
    told = {**BACK, "edits": [of("rewrite", span="a", op="undo", content=T)]}
    assert recorded(A, B, moved, told).state.spans["a"].produced_by == "ingest"
    assert differences(A, B, moved, told) == []


def test_a_change_that_tells_that_a_span_is_there_bars_the_way_through_its_prune() -> None:
    moved = of("move", span="a", after=None)
    again = of("rollback", of=[2], edits=[A], outcome="partial")
    events = (A, moved, prune("a", T), again, splice("a", T, 0, 0, "x", version=2))
    reachable = {row.entry.seq: row.reachable for row in recorded(*events).at(5).undo()}
    assert reachable == {5: None, 3: False, 1: False}
    assert differences(*events) == []


def test_a_copy_of_a_tombstone_that_is_undone_leaves_a_tombstone() -> None:
    events = (A, B, copy("a", "c", "x"), copy("a", "d", "y"), BACK)
    history = recorded(*events)
    assert (history.state.order, history.state.spans["a"].life) == (["c", "b"], "tombstone")
    assert differences(*events) == []
    assert recorded(*events, BACK).state.order == ["a", "b"]
    assert differences(*events, BACK) == []


def test_what_should_come_of_an_undone_prune_does_not_rest_on_what_lives_there_since() -> None:
    other = of("rollback", steps=0, edits=[ingest("a", "another", store="files")])
    told = {**BACK, "edits": []}
    assert ids(recorded(A, prune("a", T), other, told), "UND221") == ["UND221@3", "UND221@4"]
    assert differences(A, prune("a", T), other, told) == []


def test_a_move_that_moved_nothing_takes_nothing_back() -> None:
    stay = of("move", span="b", after="a")
    events = (A, B, stay, copy("a", "c", "x"), of("rollback", of=[3]))
    assert recorded(*events).state.order == ["c", "b"]
    assert differences(*events) == []
    assert differences(*events, BACK) == []


def test_a_text_that_reads_as_at_the_base_is_that_of_the_base() -> None:
    """However it came back: a diff goes where it would have gone there."""
    edit = of("splice", span="a", at=4, delete=3, insert="2")
    other, back = rewrite("a", T, "x"), rewrite("a", "x", T, version=2)
    events = (A, stage("D", 1, [{"span": "a"}], [edit]), other, back)
    [row] = recorded(*events).at(4).staging()
    assert row.judgement.verdict == "admissible"
    assert differences(*events) == []


def test_edits_of_a_rollback_that_lead_back_are_no_changes() -> None:
    edit = of("splice", span="a", at=4, delete=3, insert="2")
    first, whole = splice("a", T, 0, 1, "O"), rewrite("a", "One two three", "x", version=2)
    told = {**BACK, "edits": [of("rewrite", span="a", op="undo", content="One two three")]}
    events = (A, stage("D", 1, [{"span": "b"}], [edit]), first, whole, told)
    [row] = recorded(*events).at(5).staging()
    assert "DIF306" not in row.judgement.rules
    assert differences(*events) == []


def test_through_a_text_that_was_unknown_in_between_no_place_is_followed() -> None:
    other = "one 2 three!"
    put = splice("a", T, 4, 3, "2")
    there = of("observe", hashes={"a": content_hash(other)})
    seen = of("observe", contents={"a": other})
    events = (A, put, there, seen)
    status = {row.entry.seq: row.status.direct for row in recorded(*events).at(4).undo()}
    assert status[2] == "unknown"
    assert differences(*events) == []


def test_a_change_that_tells_that_a_gone_span_was_there_bars_the_way_through_its_prune() -> None:
    again = of("prune", span="a", inverse={"original": T, "inserted": 0})
    seen = of("observe", digest=buffer_digest([("b", content_hash("other"))]))
    events = (A, B, prune("a", T), of("gap", reason="x"), again, seen)
    reachable = {row.entry.seq: row.reachable for row in recorded(*events).at(6).undo()}
    assert reachable[3] is False
    assert differences(*events) == []
