"""Where the engine and the second opinion said different things of undo, as small stories."""

from __future__ import annotations

import pytest
from support.journals import Fields, copy, ids, ingest, of, prune, recorded, rewrite, splice, stage
from support.second_opinion import differences

from spanscope.model.content import content_hash

T = "one two three"
A, B = ingest("a", T), ingest("b", "other")
GAP = of("gap", reason="x")
BACK = of("rollback", steps=1)
BY_OFFSET = {"before": "", "after": ""}


def bare(original: str, inserted: int, at: int = 0) -> Fields:
    return {"original": original, "inserted": inserted, "at": at, **BY_OFFSET}


def test_the_inverse_of_an_edit_that_may_not_have_taken_place_is_not_called_wrong() -> None:
    edits = [of("rewrite", span="a", op="o", content="x"), of("prune", span="a")]
    wrong = [None, {"original": "y", "inserted": 1}]
    partly = of("apply", diff="D", outcome="partial", inverses=wrong)
    events = (A, stage("D", 1, [], edits), partly)
    assert ids(recorded(*events), "UND204") == []
    assert differences(*events) == []
    done = of("apply", diff="D", inverses=wrong)
    assert ids(recorded(*events[:2], done), "UND204") == ["UND204@3"]


def test_nor_is_what_it_would_restore_told() -> None:
    edits = [of("prune", span="a")]
    partly = of("apply", diff="D", outcome="partial")
    late = of("inverse", of=3, original="x", inserted=0)
    events = (A, stage("D", 1, [], edits), partly, late)
    assert [row.reachable for row in recorded(*events).at(4).undo()] == [None, None]
    assert differences(*events) == []


NOTES = [
    of("inverse", of=2, **bare("", 2)),
    of("evict", of=[2]),
]


@pytest.mark.parametrize("note", NOTES, ids=["inverse", "evict"])
def test_what_the_log_got_or_lost_of_an_entry_stays_when_its_undo_is_aborted(note: Fields) -> None:
    kept = {} if note["type"] == "evict" else {"inverse": None}
    events = (A, splice("a", T, 0, 0, "> ", **kept), BACK, note, of("abort", of=3))
    entry = next(iter(recorded(*events).at(5).undo())).entry
    assert bool(entry.parts[0].record) == (note["type"] == "inverse")
    assert differences(*events) == []


@pytest.mark.parametrize("note", NOTES, ids=["inverse", "evict"])
def test_also_of_one_that_was_made_again_by_what_is_aborted(note: Fields) -> None:
    kept = {} if note["type"] == "evict" else {"inverse": None}
    first = splice("a", T, 0, 0, "> ", **kept)
    undone = splice("b", "other", 0, 0, "x")
    later = splice("b", "xother", 6, 0, "y", version=2)
    again = of("rollback", of=[4])
    events = (A, first, B, undone, later, again, {**note, "of": note["of"]}, of("abort", of=6))
    assert differences(*events) == []
    moved = {**note, "of": [5] if note["type"] == "evict" else 5}
    assert differences(*events[:6], moved, of("abort", of=6)) == []


def test_an_offset_inverse_over_what_a_rewrite_put_there_is_over_no_other_ones_text() -> None:
    first = splice("a", "\n", 0, 0, "é", inverse=bare("", 1))
    whole = rewrite("a", "é\n", "ab", version=2)
    inside = splice("a", "ab", 1, 0, "\n", version=3, inverse=bare("", 1, 1))
    events = (ingest("a", "\n"), first, whole, inside)
    assert ids(recorded(*events), "UND207") == []
    assert differences(*events) == []


@pytest.mark.parametrize(
    ("at", "delete", "insert", "over"),
    [(1, 1, "", True), (1, 0, "x", True), (0, 0, "x", False), (2, 1, "x", False), (0, 3, "", True)],
)
def test_an_offset_inverse_is_over_the_characters_that_another_put_there(
    at: int, delete: int, insert: str, over: bool
) -> None:
    text = "ab" + T
    first = splice("a", T, 0, 0, "ab", inverse=bare("", 2))
    again = splice("a", text, at, delete, insert, version=2)
    again["inverse"] = bare(text[at : at + delete], len(insert), at)
    assert ids(recorded(A, first, again), "UND207") == (["UND207@3"] if over else [])
    assert differences(A, first, again) == []


def test_text_that_came_in_between_moves_what_another_put_there() -> None:
    last = splice("a", T, 5, 0, "X", inverse=bare("", 1, 5))
    between = splice("a", "one tXwo three", 2, 0, "z", version=2)
    cut = splice("a", "onze tXwo three", 0, 6, "", version=3, inverse=bare("onze t", 0))
    assert ids(recorded(A, last, between, cut), "UND207") == []
    assert differences(A, last, between, cut) == []


def test_an_offset_inverse_where_another_took_text_out_is_over_that() -> None:
    taken = splice("a", T, 3, 4, "", inverse=bare(" two", 0, 3))
    put = splice("a", "one three", 3, 0, "x", version=2, inverse=bare("", 1, 3))
    over = splice("a", "one three", 2, 2, "x", version=2, inverse=bare("e ", 1, 2))
    beside = splice("a", "one three", 3, 1, "x", version=2, inverse=bare(" ", 1, 3))
    for edit, found in ((put, ["UND207@3"]), (over, ["UND207@3"]), (beside, [])):
        assert ids(recorded(A, taken, edit), "UND207") == found
        assert differences(A, taken, edit) == []


def test_a_span_that_a_kept_ingest_brought_in_shows_what_it_held_last() -> None:
    told = of("rollback", of=[3, 1], hashes={"a": content_hash("told")})
    events = (B, A, ingest("a", "o"), told, of("rollback", of=[2]))
    span = recorded(*events).state.spans["a"]
    assert (span.life, span.hash, span.text) == ("pruned", content_hash("told"), None)
    assert differences(*events) == []


def test_an_id_of_which_nobody_knows_whether_its_use_was_undone_is_not_called_reused() -> None:
    seen = of("observe", contents={"a": "x"})
    partly = of("rollback", of=[1], outcome="partial")
    events = (seen, partly, A, of("rollback", of=[3]), A)
    assert ids(recorded(*events), "SPN116") == []
    assert differences(*events) == []


def test_an_id_that_the_edits_of_its_undo_left_as_a_tombstone_is_in_use() -> None:
    back = of("rollback", steps=1, edits=[ingest("b", "x"), copy("b", "c", "b")])
    events = (B, back, B)
    assert ids(recorded(*events), "SPN116") == ["SPN116@3"]
    assert differences(*events) == []


def test_a_redacted_splice_that_says_nothing_may_have_put_anything_anywhere() -> None:
    hidden = ingest("a", "abab", redacted=True)
    nothing = of("splice", span="a", at=0, delete=0, insert="", redacted=True)
    told = {**nothing, "hash": content_hash("abab"), "inverse": bare("\n", 0)}
    [row, _] = recorded(hidden, told).at(2).undo()
    assert row.status.direct == "unknown"
    assert differences(hidden, told) == []


PLACED = of("rollback", of=[3, 6])


def test_a_place_is_followed_back_through_a_text_brought_in_over_another() -> None:
    """As if a rewrite had put it there, when that is undone together with what it stood on."""
    shorter = splice("a", "byyby", 0, 3, "B")
    kept = splice("a", "Bby", 1, 0, "D", version=2)
    over = ingest("a", "G")
    for at, rules in ((3, ["DIF302", "DIF305"]), (0, ["DIF302", "DIF305"])):
        edit = of("splice", span="a", at=at, delete=0, insert="b")
        events = (ingest("a", "byyby"), B, shorter, kept, stage("E", 4, [{"span": "a"}], [edit]))
        [row] = recorded(*events, over, of("rollback", of=[3, 6])).at(7).staging()
        assert [rule for rule in row.judgement.rules if rule != "DIF301"] == rules
        assert differences(*events, over, of("rollback", of=[3, 6])) == []


def test_what_stood_over_what_is_undone_goes_back_first() -> None:
    whole = rewrite("a", "y", "Bacde")
    edit = splice("a", "Bacde", 1, 3, "CC", version=2)
    inside = of("splice", span="a", at=0, delete=0, insert="H")
    staged = stage("E", 3, [{"span": "a"}], [inside])
    events = (ingest("a", "y"), whole, edit, ingest("a", "E"), staged, of("rollback", of=[3, 4]))
    [row] = recorded(*events).at(6).staging()
    assert "DIF302" not in row.judgement.rules
    assert differences(*events) == []


def test_a_tombstone_is_shown_with_what_it_held() -> None:
    assert differences(A, B, copy("a", "b", "x"), prune("b", "x"), BACK, BACK) == []


def test_a_kept_edit_stands_as_made_where_a_hash_says_that_nothing_moved() -> None:
    first, kept = splice("a", T, 0, 0, "> "), splice("a", "> " + T, 15, 0, "!")
    claim = {"hashes": {"a": content_hash(f"> {T}!")}}
    events = (A, first, kept, of("rollback", of=[2], **claim))
    [row, _] = recorded(*events).at(4).undo()
    assert row.status.direct == "exact"
    assert differences(*events) == []


def test_a_span_stands_where_it_is_put_back_though_it_came_again_without_an_entry() -> None:
    back = of("rollback", edits=[B], outcome="failed")
    moved = of("move", span="a", after=None)
    events = (ingest("c", "x"), A, B, prune("b", "other"), back, moved, of("rollback", of=[4]))
    assert recorded(*events).state.order == ["a", "c", "b"]
    assert differences(*events) == []


def test_an_edit_of_nothing_is_exact_also_where_it_may_not_have_taken_place() -> None:
    nothing = of("splice", span="a", at=0, delete=0, insert="")
    hidden = of("rollback", hashes={"a": content_hash("unknown")})
    claim = {"a": content_hash("unknown")}
    partly = of("apply", diff="D", outcome="partial", hashes=claim)
    events = (A, hidden, stage("D", 2, [], [nothing]), partly)
    assert [row.status.direct for row in recorded(*events).at(4).undo()] == ["exact"]
    assert differences(*events) == []


def test_a_span_that_came_back_by_no_entry_stays_there_when_an_older_edit_is_undone() -> None:
    first, gone = splice("a", T, 0, 0, "> "), prune("a", "> " + T, version=1)
    back = of("rollback", edits=[A], outcome="noop")
    told = of("rollback", of=[2], edits=[of("rewrite", span="a", op="undo", content=T)])
    assert "UND221" not in [each.partition("@")[0] for each in ids(recorded(A, first, told))]
    assert ids(recorded(A, first, gone, back, told), "UND221") == ["UND221@4"]
    assert differences(A, first, gone, back, told) == []


def test_a_span_goes_back_behind_a_copy_whose_old_span_was_collected() -> None:
    first = ingest("a", T, store="files")
    copied, collected = copy("a", "c", "x"), of("compact", spans=["a"])
    saved = of("checkpoint", checkpoint="l", snapshot=True)
    back = of("rollback", to="l", method="restore", stores=["context"])
    events = (first, B, saved, copied, collected, prune("b", "other"), back)
    assert recorded(*events).state.order == ["c", "b"]
    assert differences(*events) == []
