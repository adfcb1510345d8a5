"""Where the engine and the second opinion said different things of staged diffs."""

from __future__ import annotations

import pytest
from support.journals import Fields, copy, ids, ingest, of, prune, recorded, rewrite, splice, stage
from support.second_opinion import differences

from spanscope.model.content import buffer_digest, content_hash

T = "one two three"
A, B = ingest("a", T), ingest("b", "aba")
GAP = of("gap", reason="x")


def test_what_a_span_came_to_hold_later_was_not_read() -> None:
    staged = stage("D", 0, [{"span": "a", "hash": content_hash("")}], [])
    events = (GAP, staged, ingest("a", ""), ingest("a", "b"))
    assert ids(recorded(*events), "DIF301") == []
    assert differences(*events) == []


@pytest.mark.parametrize("more", [{}, {"hash": content_hash(T)}, {"range": [1, 2]}])
def test_a_read_of_what_is_gone_drifted_whatever_the_base_was(more: Fields) -> None:
    both = more if not more else {**more, "hash": content_hash("ne")}
    for read in ({"span": "a", **more}, {"span": "a", **both}):
        events = (GAP, prune("a", T), stage("D", 0, [read], []))
        assert ids(recorded(*events), "DIF301") == ["DIF301@3"]
        assert differences(*events) == []


def test_a_line_before_the_first_never_moved() -> None:
    ref = {"kind": "line", "line": -1, "span": "a"}
    events = (A, stage("D", 1, [{"span": "a"}], [], refs=[ref]), rewrite("a", T, "x"))
    assert ids(recorded(*events), "DIF302") == []
    assert ids(recorded(*events), "DIF303") == ["DIF303@2"]
    assert differences(*events) == []


ANYWHERE = of("splice", span="a", delete=0, insert="x")


def test_whether_a_sought_text_stands_twice_is_not_known_of_an_unknown_one() -> None:
    hidden = of("rewrite", span="a", op="o", content="b", redacted=True)
    events = (A, stage("D", 1, [{"span": "a"}], [ANYWHERE]), hidden, ingest("a", "x"))
    assert ids(recorded(*events), "DIF307") == ["DIF307@2"]
    assert differences(*events) == []


def test_it_is_told_whatever_the_base_was() -> None:
    nowhere = of("splice", span="c", at=0, delete=0, insert="x")
    other = {**ANYWHERE, "span": "b"}
    events = (
        B,
        stage("D", 9, [], [nowhere, other, ANYWHERE]),
        ingest("c", "x"),
        prune("b", "aba"),
        A,
    )
    assert ids(recorded(*events), "DIF307") == ["DIF307@2", "DIF307@5"]
    assert differences(*events) == []


CUT = of("splice", span="b", delete=2, insert="", anchor={"before": "a", "after": ""})


@pytest.mark.parametrize("source", ["a", "gone", "b"])
def test_a_copy_over_its_text_takes_the_place_of_an_inverse(source: str) -> None:
    """Where there is something to copy; onto itself it is a rewrite in place."""
    other = of("rewrite", span=source, op="o", content="e", into="b")
    events = (A, B, stage("E", 2, [], [other]), stage("D", 2, [{"span": "b"}], [CUT]))
    [row] = [row for row in recorded(*events).at(4).staging() if row.diff.diff == "D"]
    assert row.judgement.fragile == (source != "gone")
    assert differences(*events) == []
    assert differences(*events, copy("a", "c", "x")) == []


def test_an_aborted_change_of_a_text_that_is_unknown_leaves_it_as_it_was() -> None:
    nowhere = of("splice", span="a", delete=0, insert="x")
    edited = of("apply", diff="E", edits=[nowhere])
    staged = stage("D", 2, [], [])
    events = (A, stage("E", 1, [], [nowhere]), edited, staged, rewrite("a", T, "x"))
    [row] = recorded(*events, of("abort", of=5)).at(6).staging()
    assert row.judgement.verdict == "admissible"
    assert differences(*events, of("abort", of=5)) == []


def test_an_aborted_rollback_leaves_what_stands_in_the_way_of_a_diff() -> None:
    edit = of("splice", span="a", delete=0, insert="y", anchor={"before": T, "after": ""})
    added = of("splice", span="a", at=len(T), delete=0, insert="x")
    staged = stage("D", 1, [{"span": "a"}], [edit])
    events = (A, staged, added, of("rollback"), of("mark", kind="note", label="x"))
    assert "DIF306" in recorded(*events, of("abort", of=4)).at(6).staging()[0].judgement.rules
    assert differences(*events, of("abort", of=4)) == []


def test_an_aborted_apply_that_had_failed_stages_nothing() -> None:
    events = (A, stage("D", 1, [], []), of("apply", diff="D", outcome="failed"))
    left = (of("withdraw", diff="D"), of("abort", of=3))
    assert recorded(*events, *left).at(5).staging() == []
    assert differences(*events, *left) == []


def test_what_was_said_of_a_diff_is_not_said_again_when_it_is_back() -> None:
    staged = stage("D", 1, [{"span": "a"}], [])
    events = (A, staged, rewrite("a", T, "x"), of("apply", diff="D"), stage("D", 2, [], []))
    another = (stage("E", 2, [], []), of("apply", diff="E"))
    back = (of("withdraw", diff="D"), of("abort", of=4), *another)
    assert ids(recorded(*events, *back), "DIF301") == ["DIF301@3"]
    assert differences(*events, *back) == []


def test_a_change_that_met_an_unknown_text_stands_between_it_and_the_base() -> None:
    nowhere = of("splice", span="a", delete=0, insert="x")
    whole = of("rewrite", span="a", op="o", content="one 2 three")
    more = of("splice", span="a", delete=0, insert="!", anchor={"before": "three", "after": ""})
    edit = of("splice", span="a", delete=3, insert="2", anchor={"before": "one ", "after": " "})
    events = (A, stage("E", 1, [{"span": "a"}], [nowhere, whole, more]), stage("D", 1, [], [edit]))
    history = recorded(*events, of("apply", diff="E"))
    assert "DIF306" in history.at(4).staging()[0].judgement.rules
    assert differences(*events, of("apply", diff="E")) == []


def test_a_whole_rewrite_without_a_base_is_not_unknown_because_its_text_is() -> None:
    nowhere = of("splice", span="a", delete=0, insert="x")
    end = of("splice", span="c", delete=5, insert="!", anchor={"before": "1 ", "after": ""})
    staged = stage("D", 9, [], [of("rewrite", span="a", op="o", content="x"), end])
    edited = of("apply", diff="E", edits=[nowhere])
    twice = splice("c", "1 abab ", 4, 0, "1 ")
    opened = (A, ingest("c", "1 abab "), stage("E", 2, [], []), edited)
    events = (*opened, staged, twice, of("rollback"))
    assert ids(recorded(*events), "DIF305") == ["DIF305@5", "DIF305@7"]
    assert differences(*events) == []


def test_a_drift_is_told_though_the_digest_of_the_base_is_not() -> None:
    hidden = of("ingest", span="a", content="b", redacted=True)
    base = {"revision": 1, "digest": content_hash("")}
    staged = of("stage", diff="D", base=base, reads=[{"span": "a"}], edits=[])
    gone = of("prune", span="a")
    events = (hidden, staged, gone, of("abort", of=3), gone)
    assert ids(recorded(*events), "DIF301") == ["DIF301@3", "DIF301@5"]
    assert differences(*events) == []


def test_edits_of_a_rollback_that_lead_elsewhere_take_nothing_back() -> None:
    reads, edit = [{"span": "a"}], of("splice", span="a", at=3, delete=0, insert="")
    end = of("splice", span="a", at=len(T), delete=0, insert="1")
    early = of("splice", span="a", at=3, delete=0, insert="1")
    there = of("rewrite", span="a", op="o", content=T + "1")
    events = (A, stage("D", 1, reads, [edit]), end, early, of("rollback", steps=2, edits=[there]))
    assert "DIF302" in recorded(*events).at(5).staging()[0].judgement.rules
    assert differences(*events) == []


@pytest.mark.parametrize("outcome", ["done", "partial"])
def test_a_digest_does_not_tell_what_a_tombstone_holds_that_was_changed(outcome: str) -> None:
    nowhere = of("splice", span="a", delete=0, insert="x")
    edits = {"edits": [nowhere]} if outcome == "done" else {}
    there = of("splice", span="a", at=0, delete=1, insert="")
    edited = of("apply", diff="E", outcome=outcome, **edits)
    seen = of("observe", digest=buffer_digest([("c", content_hash("x"))]))
    opened = (A, copy("a", "c", "x"), stage("E", 2, [], [there]), edited)
    for after in ((seen,), (of("rollback"), seen)):
        assert recorded(*opened, *after).state.spans["a"].text is None
        assert differences(*opened, *after) == []


def test_a_digest_tells_what_a_tombstone_holds_that_nobody_changed() -> None:
    seen = of("observe", digest=buffer_digest([("c", content_hash("x"))]))
    events = (A, copy("a", "c", "x"), GAP, seen)
    assert recorded(*events).state.spans["a"].text == T
    assert differences(*events) == []


def test_an_offset_in_what_the_diff_put_first_is_before_a_change_behind_that() -> None:
    whole = of("splice", span="a", at=0, delete=len(T), insert="ab")
    first = of("splice", span="a", delete=1, insert="", anchor={"before": "", "after": "b"})
    rest = of("splice", span="a", at=0, delete=1, insert="ab")
    behind = of("splice", span="a", at=len(T), delete=0, insert="!")
    events = (A, stage("D", 1, [], [whole, first, rest]), behind)
    assert "DIF302" not in recorded(*events).at(3).staging()[0].judgement.rules
    assert differences(*events) == []


def test_a_character_that_the_diff_itself_takes_is_nowhere_though_another_reads_the_same() -> None:
    anchored = of("splice", span="b", delete=2, insert="ba.", anchor={"before": "", "after": "a"})
    taken = of("splice", span="b", at=1, delete=1, insert="")
    opened = (ingest("b", "bab.\nbb"), of("rewrite", span="b", op="o", content="baa"))
    events = (*opened, stage("D", 1, [], [anchored, taken]))
    assert "DIF304" in recorded(*events).at(3).staging()[0].judgement.rules
    assert differences(*events) == []


def test_what_an_edit_is_sought_by_is_looked_up_in_the_buffer_whatever_the_base_was() -> None:
    sought = of("splice", span="a", delete=1, insert="x", anchor={"before": "tw", "after": ""})
    twice, again = splice("a", T, 0, 0, "tw! "), splice("a", T, 0, 0, "tw? ")
    digest = buffer_digest([("a", content_hash(T))])
    known = of("checkpoint", checkpoint="c", digest=digest)
    opened = (GAP, of("rewrite", span="a", op="o", content=T), known, stage("D", 0, [], [sought]))
    events = (*opened, twice, of("rollback", steps=1), again)
    assert ids(recorded(*events), "DIF307") == ["DIF307@5", "DIF307@7"]
    assert differences(*events) == []
