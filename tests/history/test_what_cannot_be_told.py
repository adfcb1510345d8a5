"""What a rollback, a partial apply or a lost line leaves unknown, and what makes it known again."""

from __future__ import annotations

from typing import Any

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
    splice,
    stage,
    unknown,
    use,
)

from spanscope.history.history import History
from spanscope.model.content import buffer_digest, content_hash

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other text")
GAP = of("gap", reason="x")
TWO = splice("a", T, 4, 3, "2")
LOST_TWO = splice("a", T, 4, 3, "2", inverse=None)
LOST_PRUNE = of("prune", span="a")
MARK = of("mark", kind="turn", label="x")
BACK = of("rollback", steps=1)


def spans(history: History, seq: int | None = None) -> dict[str, tuple[str, str | None]]:
    """State and content of every span after an event."""
    rows = history.at(history.last if seq is None else seq).spans()
    return {row.name: (row.state, row.span.text) for row in rows}


def span(history: History, name: str) -> Any:
    return next(row.span for row in history.at(history.last).spans() if row.name == name)


def digest(*pairs: tuple[str, str]) -> str:
    return buffer_digest([(name, content_hash(text)) for name, text in pairs])


class TestUndoThatIsNotSound:
    def test_a_span_that_may_be_back_is_no_unknown_name(self) -> None:
        history = recorded(A, B, LOST_PRUNE, BACK, splice("a", T, 0, 0, "x", hash=None))
        assert "JNL007" not in ids(history)
        assert spans(history)["a"] == ("unknown", None)

    def test_its_digest_is_not_told(self) -> None:
        history = recorded(A, B, LOST_PRUNE, BACK)
        assert history.at(3).digest is not None
        assert history.at(4).digest is None

    def test_seen_again_it_stands_where_it_stood(self) -> None:
        seen = of("observe", hashes={"a": content_hash(T)})
        history = recorded(A, B, LOST_PRUNE, BACK, seen)
        assert list(spans(history).items()) == [("a", ("live", T)), ("b", ("live", "other text"))]

    def test_its_origin_goes_back_with_its_text(self) -> None:
        lost = rewrite("a", T, "x", inverse=None)
        history = recorded(A, lost, of("rollback", steps=1, hashes={"a": content_hash(T)}))
        assert (span(history, "a").text, span(history, "a").produced_by) == (T, "ingest")

    def test_where_the_tombstone_was_collected_nobody_knows_what_the_copy_is(self) -> None:
        history = recorded(A, copy("a", "a2", "x"), of("compact", spans=["a"]), BACK)
        assert spans(history) == {"a2": ("unknown", None)}

    def test_an_entry_that_meets_another_text_than_it_left_is_not_undone(self) -> None:
        damage = of("rollback", steps=1, outcome="failed", edits=[rewrite("a", T, "x")])
        history = recorded(A, TWO, damage, BACK)
        assert spans(history)["a"] == ("unknown", None)

    def test_seeing_what_is_there_is_no_revision(self) -> None:
        history = recorded(A, LOST_TWO, BACK, of("observe", contents={"a": "x"}))
        assert history.at(3).revision == history.at(4).revision == 3

    def test_a_digest_tells_nothing_of_a_tombstone_made_while_its_text_was_unknown(self) -> None:
        events = [A, LOST_TWO, BACK, copy("a", "a2", "x")]
        told = of("checkpoint", checkpoint="c", digest=digest(("a2", "x")))
        assert spans(recorded(*events))["a"] == ("unknown", None)
        known = spans(recorded(*events, told))
        assert (known["a2"], known["a"]) == (("live", "x"), ("unknown", None))


class TestSelectiveUndo:
    def test_through_lost_events_is_unknown_and_no_fault(self) -> None:
        history = recorded(A, B, TWO, GAP, of("rollback", of=[2]))
        assert ids(history, "UND222") == []
        assert {state for state, _ in spans(history).values()} == {"unknown"}
        assert [row.entry.seq for row in history.at(history.last).undo()] == [3, 1]

    def test_of_an_entry_that_was_undone_since_the_damage_moves_nothing(self) -> None:
        history = recorded(A, GAP, B, BACK, of("rollback", of=[3]), ingest("c", "x"))
        assert spans(history)["c"] == ("live", "x")

    def test_a_move_of_a_span_whose_ingest_goes_can_not_be_done_again(self) -> None:
        history = recorded(A, B, of("move", span="a", after="b"), of("rollback", of=[1]))
        assert ids(history, "UND222") == ["UND222@4"]
        assert spans(history)["a"] == ("live", T)

    def test_a_kept_rewrite_keeps_its_origin_and_an_undone_one_gives_it_back(self) -> None:
        text = "one two three!"
        anchored = {"original": "", "inserted": 1, "before": " three", "after": ""}
        later = splice("a", "1 two three", 11, 0, "!", version=2, inverse=anchored)
        kept = recorded(A, later | {"at": 13}, rewrite("a", text, "ein two three!"), BACK)
        assert span(kept, "a").produced_by == "ingest"
        history = recorded(A, rewrite("a", T, "1 two three"), later, of("rollback", of=[2]))
        assert (span(history, "a").text, span(history, "a").produced_by) == (text, "ingest")
        again = recorded(A, rewrite("a", T, "1 two three"), later, of("rollback", of=[2]), BACK)
        assert (span(again, "a").text, span(again, "a").produced_by) == (T, "ingest")


class TestPartialApply:
    PART = (
        A,
        B,
        stage("D", 2, [{"span": "a"}], [of("prune", span="a")]),
        of("apply", diff="D", outcome="partial"),
    )

    def test_a_prune_that_may_not_have_happened_leaves_its_span_in_place(self) -> None:
        history = recorded(*self.PART, of("observe", contents={"a": T}))
        assert list(spans(history)) == ["a", "b"]
        assert spans(history, 4)["a"] == ("unknown", None)

    def test_since_when_a_diff_that_read_it_is_unknown(self) -> None:
        reader = stage("E", 2, [{"span": "a"}], [])
        why = "the apply at 5 was partial"
        before = recorded(*self.PART[:3], reader, self.PART[3])
        assert unknown(before)["diff E"] == (5, why)
        after = recorded(
            *self.PART, {**reader, "base": {"revision": 2}}, of("mark", kind="turn", label="x")
        )
        assert unknown(after)["diff E"] == (5, "the apply at 4 was partial")

    def test_its_holder_does_not_dangle(self) -> None:
        events = [*self.PART[:2], derive("c", "a", T), *self.PART[2:]]
        history = recorded(*events)
        assert [row.judgement.state for row in history.at(5).artifacts()] == ["unknown"]
        assert ids(history, "SPN131") == []

    def test_a_hash_tells_what_is_there(self) -> None:
        apply = of("apply", diff="D", outcome="partial", hashes={"a": content_hash("x")})
        history = recorded(*self.PART[:3], apply)
        assert (span(history, "a").hash, span(history, "a").live) == (content_hash("x"), True)


class TestLostLines:
    def test_a_full_copy_may_have_been_made_anew(self) -> None:
        point = of("checkpoint", checkpoint="c", snapshot=True)
        back = of("rollback", to="c", method="restore")
        history = recorded(A, point, LOST_TWO, GAP, B, back)
        assert spans(history)["a"] == ("unknown", None)
        again = recorded(A, point, LOST_TWO, GAP, B, back | {"hashes": {"a": content_hash(T)}})
        assert spans(again)["a"] == ("live", T)

    def test_what_was_pruned_since_is_gone_for_sure(self) -> None:
        history = recorded(A, GAP, prune("a", T), splice("a", T, 0, 0, "x"))
        assert ids(history, "JNL007") == ["JNL007@4"]

    def test_what_was_pruned_before_may_be_back(self) -> None:
        history = recorded(A, prune("a", T), GAP, splice("a", T, 0, 0, "x"))
        assert ids(history, "JNL007") == []

    def test_a_digest_says_nothing_of_artifacts_and_diffs(self) -> None:
        told = of("observe", digest=digest(("a", T)))
        events = [use("c"), of("release", artifact="c"), of("reject", diff="D")]
        assert ids(recorded(A, GAP, told, *events), "JNL007") == []

    def test_a_tombstone_that_may_live_again_is_not_accused(self) -> None:
        events = [A, copy("a", "a2", "x"), GAP, splice("a", T, 0, 0, "y")]
        assert ids(recorded(*events), "SPN143") == []


def test_an_observation_that_agrees_is_no_change_to_abort() -> None:
    history = recorded(A, TWO, of("observe", contents={"a": "one 2 three"}), of("abort", of=2))
    assert (ids(history), spans(history)["a"]) == ([], ("live", T))


@pytest.mark.parametrize("before", [copy("a", "a2", "x"), prune("a", T)])
def test_an_id_used_again_and_undone_holds_what_it_held(before: Fields) -> None:
    history = recorded(A, before, ingest("a", "new"), BACK)
    assert spans(history)["a"] == spans(history, 2)["a"]


def test_an_observed_span_is_no_second_use_of_its_id() -> None:
    history = recorded(A, prune("a", T), of("observe", contents={"a": T}))
    assert ids(history) == ["JNL005@3"]


def test_an_id_used_twice_in_one_apply_is_reused() -> None:
    edits = [ingest("n", "1"), ingest("n", "2")]
    history = recorded(A, stage("D", 1, [], edits), of("apply", diff="D"))
    assert ids(history, "SPN116") == ["SPN116@3"]


def test_texts_that_are_unknown_are_not_said_to_differ() -> None:
    render = of("render", items=[{"span": "a"}])
    history = recorded(A, LOST_TWO, BACK, render, of("move", span="a", after=None), render)
    assert found(history, "SHN404") == []
    other = of("render", items=[{"span": "b"}])
    assert found(recorded(A, B, LOST_TWO, BACK, render, other), "SHN404") == []
