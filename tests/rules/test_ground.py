"""What becomes unreachable or drifts where the journal can tell only part of it."""

from __future__ import annotations

from typing import Any

import pytest
from support.journals import (
    copy,
    derive,
    ids,
    ingest,
    of,
    prune,
    recorded,
    rewrite,
    splice,
    stage,
    state_of,
    use,
)

from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other")
GAP = of("gap", reason="x")
BACK = of("rollback", steps=1)
BARE = splice("a", T, 4, 3, "2", inverse=None)


def reasons(*events: Any) -> list[str]:
    """The rules that hold of D at the end."""
    history = recorded(*events)
    rows = {row.diff.diff: row.judgement for row in history.at(history.last).staging()}
    return list(rows["D"].rules)


def reachable(*events: Any) -> dict[int, bool | None]:
    history = recorded(*events)
    return {row.entry.seq: row.reachable for row in history.at(history.last).undo()}


class TestUnreachable:
    def test_a_partial_apply_without_an_inverse_takes_what_was_reachable_with_it(self) -> None:
        edit = of("splice", span="a", at=0, delete=3, insert="1")
        half = of("apply", diff="D", outcome="partial")
        history = recorded(A, stage("D", 1, [{"span": "a"}], [edit]), half)
        assert ids(history, "UND211") == ["UND211@3"]

    def test_what_could_not_be_told_to_be_reachable_is_not_said_to_be_lost(self) -> None:
        change = splice("a", T, 4, 3, "2")
        history = recorded(A, GAP, change, of("evict", of=[3]))
        assert ids(history, "UND211") == []

    def test_a_kept_prune_does_not_bring_back_what_was_undone_below_it(self) -> None:
        push = splice("a", T, 0, 0, "> ")
        kept = prune("a", "> " + T)
        assert reachable(A, push, kept, of("rollback", of=[2])) == {3: False, 1: False}

    def test_nor_is_an_entry_reachable_whose_span_was_collected(self) -> None:
        gone = (A, copy("a", "a2", "new"), of("compact", spans=["a"]), of("rollback", steps=1))
        assert reachable(*gone) == {1: False}

    def test_a_digest_makes_known_what_a_rollback_left_unknown(self) -> None:
        history = recorded(A, BARE, of("rollback", steps=1))
        digest = history.state.digest(presumed=True)
        known = of("checkpoint", checkpoint="k", digest=digest)
        assert reachable(A, BARE, of("rollback", steps=1), known) == {1: True}


class TestLostLine:
    """What a line that is missing may have done makes no other line's rule fire."""

    def test_it_may_have_undone_the_first_use_of_an_id(self) -> None:
        again = ingest("b", "new", seq=4)
        assert ids(recorded(A, B, again)) == ["JNL003@4"]
        held = derive("c", "b", "other")
        assert ids(recorded(A, B, held, ingest("b", "new", seq=5))) == ["JNL003@5"]
        copied = copy("a", "b", "new", seq=4)
        assert ids(recorded(A, B, copied)) == ["JNL003@4"]

    def test_an_id_that_was_seen_since_is_used_twice(self) -> None:
        seen = splice("b", "other", 0, 0, "an", seq=4)
        assert ids(recorded(A, B, seen, ingest("b", "new")), "SPN116") == ["SPN116@5"]
        found = of("observe", digest=recorded(A, B).state.digest())
        assert ids(recorded(A, B, GAP, found, ingest("b", "new")), "SPN116") == ["SPN116@5"]
        twice = recorded(A, B, GAP, ingest("b", "new"), ingest("b", "newer"))
        assert ids(twice, "SPN116") == ["SPN116@5"]

    def test_a_span_that_only_an_aborted_change_named_may_be_there(self) -> None:
        change = of("splice", span="b", at=0, delete=1, insert="x")
        aborted = [A, {**change, "seq": 3}, of("abort", of=3)]
        assert ids(recorded(*aborted, change)) == ["JNL003@3"]
        answer = ingest("r", "result", answers="b")
        assert ids(recorded(*aborted, answer, of("mark", kind="llm", label="x"))) == ["JNL003@3"]

    def test_an_abort_of_what_went_through_lost_entries_makes_nothing_known(self) -> None:
        whole, back = rewrite("a", T, "x"), of("rollback", steps=1, hashes={"a": content_hash("x")})
        keyed = derive("c", "a", "z", version=2)
        history = recorded(A, whole, {**back, "seq": 4}, of("abort", of=4), keyed)
        assert (ids(history), state_of(history, "c")) == (["JNL003@4"], "unknown")

    D = stage("D", 1, [{"span": "a"}], [of("rewrite", span="a", op="x", content="y")])
    LATER = splice("a", T, 0, 3, "1")

    def test_a_diff_may_have_been_applied_or_taken_back(self) -> None:
        assert ids(recorded(A, self.D, {**self.LATER, "seq": 4})) == ["JNL003@4"]

    @pytest.mark.parametrize("kind", ["apply", "reject"])
    def test_or_staged_anew_before_it_leaves(self, kind: str) -> None:
        left = recorded(A, self.D, {**self.LATER, "seq": 4}, of(kind, diff="D"))
        assert ids(left, "DIF") == []

    def test_once_all_is_known_again_it_is_judged(self) -> None:
        found = of("observe", digest=recorded(A).state.digest())
        history = recorded(A, self.D, GAP, found, self.LATER)
        assert ids(history, "DIF") == ["DIF301@5", "DIF306@5"]

    def test_but_what_drifted_before_is_not_said_then(self) -> None:
        found = of("observe", digest=recorded(A, self.LATER).state.digest())
        assert ids(recorded(A, self.D, GAP, self.LATER, found), "DIF") == []

    CALL, ANSWER = ingest("call", "?"), ingest("r", "result", answers="call")
    LLM = of("mark", kind="llm", label="x")

    def test_a_call_that_was_pruned_may_be_back(self) -> None:
        seen = of("observe", hashes={"r": content_hash("result")})
        events = [self.CALL, self.ANSWER, prune("call", "?"), GAP, seen, self.LLM]
        assert ids(recorded(*events), "SPN") == []
        digest = recorded(*events[:3]).state.digest()
        found = of("observe", digest=digest)
        assert ids(recorded(*events, found, self.LLM), "SPN") == ["SPN133@8"]

    def test_one_that_is_pruned_since_is_gone(self) -> None:
        seen = of("observe", hashes={"r": content_hash("result")})
        events = [self.CALL, self.ANSWER, GAP, prune("call", "?"), seen, self.LLM]
        assert ids(recorded(*events), "SPN") == ["SPN133@6"]

    def test_a_tombstone_may_be_live_again(self) -> None:
        back = of("rollback", to="k", hashes={"a": content_hash(T)})
        change = splice("a", T, 4, 3, "2")
        events = [A, copy("a", "b", "x"), {**back, "seq": 4}, change]
        assert ids(recorded(*events), "SPN143") == []
        seen = of("observe", hashes={"a": content_hash(T)})
        since = recorded(A, GAP, seen, copy("a", "b", "x"), change)
        assert ids(since, "SPN143") == ["SPN143@5"]

    def test_what_was_stale_may_have_been_derived_again(self) -> None:
        held, told = derive("c", "a", T), splice("a", T, 4, 3, "2", invalidates=["c"])
        assert ids(recorded(A, held, told, use("c", seq=5))) == ["JNL003@5"]
        gone = prune("a", T, invalidates=["c"])
        assert ids(recorded(A, held, gone, use("c", seq=5))) == ["JNL003@5"]
        seen = of("observe", hashes={"a": content_hash("one 2 three")})
        assert ids(recorded(A, held, told, GAP, seen, use("c")), "SPN") == []

    def test_but_not_since_a_change_that_came_after(self) -> None:
        held, told = derive("c", "a", T), splice("a", T, 4, 3, "2", invalidates=["c"])
        assert ids(recorded(A, held, GAP, told, use("c")), "SPN") == ["SPN102@5"]
        gone = prune("a", T, invalidates=["c"])
        assert ids(recorded(A, held, GAP, gone, use("c")), "SPN") == ["SPN132@5"]

    def test_an_artifact_may_have_been_released(self) -> None:
        held = derive("c", "a", T)
        assert ids(recorded(A, held, prune("a", T, seq=4))) == ["JNL003@4"]
        assert ids(recorded(A, GAP, held, prune("a", T)), "SPN") == ["SPN131@4"]

    def test_what_was_counted_since_is_no_version_that_was_claimed(self) -> None:
        copied, whole = copy("a", "b", "x"), rewrite("b", "x", "y", version=None)
        change = splice("b", "y", 0, 1, "z", version=3)
        events = [A, copied, {**BACK, "seq": 4}, whole, change]
        assert ids(recorded(*events), "SPN111") == []
        assert ids(recorded(*events[:-1], {**change, "version": 1}), "SPN111") == ["SPN111@6"]


class TestVersions:
    """Where events were lost, a span may have gone on to a version that was never seen."""

    SEEN = of("observe", hashes={"a": content_hash(T)})

    @pytest.mark.parametrize("version", [0, 4])
    def test_a_higher_version_may_be_its_own(self, version: int) -> None:
        keyed = derive("c", "a", T, version=version)
        assert ids(recorded(A, GAP, self.SEEN, keyed), "SPN115") == []
        based = splice("a", T, 4, 3, "2", version=9, base={"version": version})
        assert ids(recorded(A, GAP, self.SEEN, based), "DIF316") == []

    def test_one_by_the_version_alone_is_of_the_text_that_is_there(self) -> None:
        keyed = derive("c", "a", T, version=4, hash=None)
        assert state_of(recorded(A, GAP, self.SEEN, keyed), "c") == "fresh"

    def test_without_a_loss_it_is_none_that_there_was(self) -> None:
        assert ids(recorded(A, derive("c", "a", T, version=4)), "SPN115") == ["SPN115@2"]

    def test_a_lower_one_is_an_old_one_all_the_same(self) -> None:
        change = splice("a", T, 4, 3, "2")
        seen = of("observe", hashes={"a": content_hash("one 2 three")})
        keyed = derive("c", "a", "one 2 three")
        assert ids(recorded(A, change, GAP, seen, keyed), "SPN115") == ["SPN115@5"]

    def test_what_was_counted_since_may_be_too_high(self) -> None:
        keyed = derive("c", "b", "other", version=0)
        known = of("observe", hashes={"b": content_hash("other")})
        events = [A, B, {**BACK, "seq": 4}, known, keyed]
        assert ids(recorded(*events), "SPN115") == []
        assert ids(recorded(*events[:-1], of("gap", reason="x"), known, keyed), "SPN115") == []

    def test_what_was_claimed_since_is_known_again(self) -> None:
        change = splice("a", T, 4, 3, "2", version=4)
        keyed = derive("c", "a", "one 2 three", version=5)
        assert ids(recorded(A, GAP, change, keyed), "SPN115") == ["SPN115@4"]

    def test_undos_beyond_the_loss_may_have_changed_it_fewer_times(self) -> None:
        change, known = splice("b", "other", 0, 1, "O", version=1), content_hash("other")
        seen = of("observe", hashes={"b": known})
        keyed = of("derive", artifact="c", span="b", kind="citation", version=2)
        events = [A, B, change, {**BACK, "seq": 5}, change | {"version": 2}, BACK, BACK, seen]
        assert ids(recorded(*events, {**keyed, "version": 3}), "SPN115") == []
        assert ids(recorded(*events, {**keyed, "version": 1}), "SPN115") == ["SPN115@10"]

    def test_nor_is_a_refusal_a_false_alarm(self) -> None:
        caught = use("c", outcome="caught")
        assert ids(recorded(A, derive("c", "a", T), GAP, self.SEEN, caught), "SPN10") == []
        assert ids(recorded(A, GAP, self.SEEN, derive("c", "a", T), caught), "SPN10") == [
            "SPN104@5"
        ]


class TestDrift:
    def test_a_line_of_the_buffer_whose_span_is_gone_drifted_whatever_the_order(self) -> None:
        line = stage("D", 1, [{"all": True}], [], refs=[{"kind": "line", "line": 1}])
        assert "DIF302" in reasons(A, line, B, prune("a", T), GAP)
        assert "DIF302" not in reasons(A, line, B, GAP)

    def test_an_index_in_an_order_that_is_unknown_did_not_surely_drift(self) -> None:
        index = stage("D", 2, [], [], refs=[{"kind": "index", "span": "b", "index": 1}])
        edit = of("prune", span="a")
        half = (stage("E", 2, [], [edit]), of("apply", diff="E", outcome="partial"))
        assert reasons(A, B, index, *half) == []

    def test_the_original_of_a_direct_splice_is_not_what_it_was_sought_by(self) -> None:
        change = splice("a", "two two", 0, 3, "2", original="two")
        assert ids(recorded(ingest("a", "two two"), change), "DIF307") == []

    def test_the_same_text_written_again_is_no_change_since_the_base(self) -> None:
        line = stage("D", 1, [{"all": True}], [], refs=[{"kind": "line", "line": 1, "span": "a"}])
        again, later = splice("a", T, 0, 3, "one"), rewrite("a", T + "\n4", T + "\n5")
        more = splice("a", T, 13, 0, "\n4")
        assert "DIF302" in reasons(A, line, more)
        assert "DIF302" not in reasons(ingest("a", T + "\n4"), line, again, later)
