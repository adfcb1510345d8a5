"""What can be reached once something went past the log: an inverse is judged by its result."""

from __future__ import annotations

from support.journals import (
    Fields,
    copy,
    found,
    ids,
    ingest,
    of,
    prune,
    recorded,
    rewrite,
    splice,
    the,
)

from spanscope.history.history import History
from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
TWO = splice("a", T, 4, 3, "2")
N = "one 2 three"


def aside(*edits: Fields) -> Fields:
    """Edits that no entry tells of."""
    return of("rollback", steps=0, edits=list(edits))


PUT = aside(of("splice", span="a", at=0, delete=0, insert="x"))
TAKEN = aside(of("splice", span="a", at=0, delete=1, insert=""))


def stack(history: History) -> dict[int, tuple[str, bool | None]]:
    """Direct status and reachability of each entry, head first."""
    rows = history.at(history.last).undo()
    return {row.entry.seq: (row.status.direct, row.reachable) for row in rows}


def test_an_entry_is_reachable_again_when_its_content_returns() -> None:
    assert stack(recorded(A, TWO, PUT)) == {2: ("moved", False), 1: ("clobbered", False)}
    back = recorded(A, TWO, PUT, TAKEN)
    assert stack(back) == {2: ("exact", True), 1: ("clobbered", True)}


def test_it_stays_out_of_reach_where_the_content_returns_under_a_later_change() -> None:
    later = splice("a", "x" + N, 0, 0, "> ", version=3)
    assert stack(recorded(A, TWO, PUT, later))[2] == ("moved", False)
    undone = of("rollback", steps=1)
    assert stack(recorded(A, TWO, PUT, later, undone, TAKEN))[2] == ("exact", True)


def test_a_wrong_inverse_that_restores_the_right_text_reaches_it() -> None:
    inverse = {"original": "", "inserted": 1, "before": "ab", "after": ""}
    history = recorded(ingest("a", "ab"), splice("a", "ab", 0, 2, "abc", inverse=inverse))
    assert ids(history, "UND204") == ["UND204@2"]
    assert stack(history)[2][1] is True
    undone = recorded(
        ingest("a", "ab"),
        splice("a", "ab", 0, 2, "abc", inverse=inverse),
        of("rollback", steps=1),
    )
    assert undone.state.spans["a"].text == "ab"
    assert found(undone, "UND22") == []


def test_a_place_that_is_not_the_true_one_does_where_it_restores_the_same_text() -> None:
    inverse = {"original": "", "inserted": 1, "before": "", "after": "aa"}
    history = recorded(ingest("a", "aa"), splice("a", "aa", 1, 0, "a", inverse=inverse))
    assert stack(history)[2] == ("misleading", True)


def test_evidence_that_fits_with_a_wrong_original_does_not() -> None:
    inverse = {"original": "TWO", "inserted": 1, "before": "one ", "after": " three"}
    history = recorded(A, {**TWO, "inverse": inverse})
    assert stack(history)[2] == ("exact", False)


def test_a_damaged_text_is_undone_where_the_evidence_still_leads_to_what_was_there() -> None:
    bare = {"original": "two", "inserted": 1, "before": "one ", "after": " three"}
    other = aside(of("splice", span="a", at=4, delete=1, insert="9"))
    history = recorded(A, {**TWO, "inverse": bare}, other)
    assert stack(history)[2][1] is True
    undone = recorded(A, {**TWO, "inverse": bare}, other, of("rollback", steps=1))
    assert (undone.state.spans["a"].text, ids(undone, "UND22")) == (T, ["UND221@3"])


def test_to_drop_what_was_ingested_needs_no_text() -> None:
    assert stack(recorded(A, PUT)) == {1: ("clobbered", True)}
    assert ids(recorded(A, PUT, of("rollback", steps=1)), "UND22") == ["UND221@2"]


def test_a_rewrite_to_the_same_bytes_is_clobbered_by_another_text() -> None:
    history = recorded(A, rewrite("a", T, T), rewrite("a", T, N, version=2))
    assert stack(history)[2] == ("clobbered", True)


def test_a_copy_whose_old_span_is_gone_is_lost() -> None:
    gone = recorded(A, copy("a", "b", N), prune("a", T))
    assert stack(gone)[2] == ("lost", True)
    assert stack(recorded(A, copy("a", "b", N), of("compact", spans=["a"])))[2] == ("lost", False)


def test_a_rollback_does_not_bring_back_a_span_that_was_collected() -> None:
    history = recorded(A, copy("a", "b", N), of("compact", spans=["a"]), of("rollback", steps=1))
    corrupted = the(history, "UND221")
    assert corrupted.subject == {"span": "a"}
    assert corrupted.evidence == {"expected": "live", "actual": "collected"}


def test_a_true_place_is_not_followed_through_a_text_that_is_not_known() -> None:
    untold = of("observe", hashes={"a": content_hash("?")})
    again = rewrite("a", "?", f"{N}!", version=2)
    history = recorded(A, TWO, untold, again)
    assert stack(history)[2][0] == "unknown"


def test_after_a_gap_a_text_that_an_entry_did_not_leave_says_nothing_of_it() -> None:
    gap, other = of("gap", reason="x"), of("observe", contents={"a": "something else"})
    assert stack(recorded(A, TWO, gap, other))[2] == ("unknown", None)


def test_a_partial_rollback_leaves_what_it_left_unknown_unknown() -> None:
    partial = recorded(A, of("rollback", steps=1, outcome="partial"))
    assert partial.state.order == ["a"]
    assert partial.state.spans["a"].text is None
    told = recorded(A, of("rollback", steps=1, outcome="partial", hashes={"a": content_hash(T)}))
    assert (told.state.spans["a"].text, ids(told, "UND22")) == (T, ["UND221@2"])


def test_a_claimed_hash_says_that_an_undone_span_is_still_there() -> None:
    history = recorded(A, of("rollback", steps=1, hashes={"a": content_hash(T)}))
    assert history.state.spans["a"].text == T
    assert ids(history, "UND22") == ["UND221@2", "UND227@2"]


def test_which_edits_of_a_partial_apply_took_place_cannot_be_told() -> None:
    change = of("splice", span="a", at=0, delete=0, insert="x")
    staged = of("stage", diff="D", base={"revision": 1}, reads=[{"span": "a"}], edits=[change])
    inverse = {"original": "", "inserted": 1, "before": "", "after": "one "}
    apply = of("apply", diff="D", outcome="partial", inverses=[inverse])
    then = of("observe", contents={"a": f"x{T}"})
    assert stack(recorded(A, staged, apply, then))[3] == ("unknown", None)


def test_edits_that_restore_exactly_cancel_what_they_undo() -> None:
    again = splice("a", N, 0, 0, "> ", version=2)
    whole = of("rewrite", span="a", op="undo", content=N)
    history = recorded(A, TWO, again, of("rollback", steps=1, edits=[whole]))
    assert history.state.spans["a"].produced_by == "ingest"
    assert stack(history)[2] == ("exact", True)


def test_a_selective_rollback_takes_the_offsets_of_all_that_it_redoes() -> None:
    bare = {"original": "", "inserted": 2, "at": 0}
    kept = splice("b", "other", 0, 0, "> ", inverse=bare)
    history = recorded(A, ingest("b", "other"), TWO, kept, of("rollback", of=[3]))
    assert stack(history)[4][1] is False
    assert ids(history, "UND211") == ["UND211@5"]


def test_what_edits_did_is_known_after_lost_lines_too() -> None:
    put = of("rewrite", span="a", op="undo", content=T)
    history = recorded(A, TWO, of("gap", reason="x"), of("rollback", steps=1, edits=[put]))
    assert history.state.spans["a"].text == T


def test_an_inverse_over_an_untold_text_may_have_a_wrong_length() -> None:
    untold = rewrite("a", T, "?", redacted=True, hash=None)
    wrong = rewrite("a", "?", N, version=2, inverse={"original": "?", "inserted": 99})
    assert ids(recorded(A, untold, wrong), "UND204") == ["UND204@3"]


def test_a_claimed_hash_makes_known_what_a_rollback_through_lost_lines_left() -> None:
    claim = {"a": content_hash(T)}
    history = recorded(A, TWO, of("gap", reason="x"), of("rollback", steps=1, hashes=claim))
    assert history.state.spans["a"].text == T
    assert history.at(4).undo_row(1) is not None
