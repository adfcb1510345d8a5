"""Where the engine and the second opinion said different things of ids, as small stories."""

from __future__ import annotations

from support.journals import copy, ids, ingest, of, prune, recorded, splice, stage
from support.second_opinion import differences

from spanscope.model.content import buffer_digest, content_hash

T = "one two"
A, B = ingest("a", T), ingest("b", "other")
GAP = of("gap", reason="x")
BACK = of("rollback", steps=1)


def test_what_a_rollback_brings_back_is_no_use_of_its_own() -> None:
    told = of("rollback", steps=1, edits=[ingest("a", "one")])
    events = (A, splice("a", T, 3, 4, ""), told, BACK, ingest("a", "anew"))
    assert ids(recorded(*events), "SPN116") == []
    assert differences(*events) == []


def test_but_it_is_where_no_other_event_brought_the_id_in() -> None:
    told = of("rollback", edits=[A])
    for events in ((told, prune("a", T), A), (told, of("abort", of=1), A)):
        assert bool(ids(recorded(*events), "SPN116")) == (events[1]["type"] == "prune")
        assert differences(*events) == []


def test_an_id_that_its_undo_left_as_a_tombstone_is_in_use_also_of_a_rewrite_into_itself() -> None:
    told = of("rollback", edits=[of("rewrite", span="a", op="o", content="x", into="c")])
    events = (A, A, of("abort", of=2), told, copy("a", "a", "y"))
    assert ids(recorded(*events), "SPN116") == ["SPN116@2", "SPN116@5"]
    assert differences(*events) == []


def test_an_id_can_be_used_again_and_again_after_a_rollback_that_nobody_can_follow() -> None:
    gone = of("prune", span="a")
    events = (of("checkpoint", checkpoint="k"), A, gone, of("rollback", to="k"), A, BACK, A)
    assert ids(recorded(*events), "SPN116") == []
    assert differences(*events) == []


def test_what_a_prune_says_of_a_span_that_came_back_where_events_were_lost_is_known() -> None:
    events = (A, prune("a", T), GAP, of("prune", span="a", hash=content_hash(T)))
    assert recorded(*events).state.spans["a"].text == T
    assert differences(*events) == []


def test_a_span_may_have_held_what_was_read_before_the_first_that_is_known_of_it() -> None:
    seen = of("checkpoint", checkpoint="k", digest=buffer_digest([("a", content_hash(T))]))
    reads = [{"span": "a", "hash": content_hash("another")}]
    staged = stage("E", 0, reads, [])
    assert ids(recorded(A, seen, staged), "DIF313") == ["DIF313@3"]
    assert ids(recorded(GAP, A, seen, staged), "DIF313") == []
    for events in ((A, seen, staged), (GAP, A, seen, staged)):
        assert differences(*events) == []


def test_an_id_whose_undo_is_aborted_is_in_use_again() -> None:
    back = of("rollback", steps=2)
    for events in ((A, prune("a", T), back, A), (A, prune("a", T), back, of("abort", of=3), A)):
        assert bool(ids(recorded(*events), "SPN116")) == (len(events) == 5)
        assert differences(*events) == []


def test_a_tombstone_is_one_since_its_copy_whatever_touched_either_later() -> None:
    changed = splice("a", T, 0, 1, "O", version=1)
    shown = of("render", call="1", items=[{"span": "a"}])
    events = (A, copy("a", "c", "x"), changed, of("rollback", steps=1), GAP, shown)
    assert ids(recorded(*events), "SHN402") == []
    assert "2" in next(f.message for f in recorded(*events[:4], shown).findings if f.caused_by == 2)
    assert differences(*events) == []


def test_a_rewrite_into_another_span_tells_that_an_id_was_there_after_a_partial_undo() -> None:
    events = (A, of("rollback", outcome="partial"), copy("a", "c", "x"), A)
    assert ids(recorded(*events), "SPN116") == ["SPN116@4"]
    assert differences(*events) == []


def test_what_is_claimed_of_a_span_that_stays_gone_makes_nothing_known() -> None:
    seen = of("checkpoint", checkpoint="k", digest=buffer_digest([]))
    claim = of("rollback", edits=[], outcome="partial", hashes={"a": content_hash(T)})
    events = (GAP, of("prune", span="a"), seen, claim)
    assert recorded(*events).state.spans["a"].text is None
    assert differences(*events) == []
