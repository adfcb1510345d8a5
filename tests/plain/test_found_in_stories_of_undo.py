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


def test_a_move_that_moved_nothing_changed_no_store() -> None:
    point = of("checkpoint", checkpoint="k")
    back = of("rollback", to="k", stores=["files"])
    stay, away = of("move", span="b", after="a"), of("move", span="b", after=None)
    assert ids(recorded(A, B, point, stay, back), "UND225") == []
    assert ids(recorded(A, B, point, away, back), "UND225") == ["UND225@5"]
    assert differences(A, B, point, stay, back) == []
    assert differences(A, B, point, away, back) == []


def test_a_true_place_is_followed_through_what_only_seemed_to_be_undone() -> None:
    """The changes that a rollback told stand: they took away what was put in."""
    put = of(
        "splice", span="a", at=4, delete=0, insert="2 ", inverse={"original": "", "inserted": 2}
    )
    seen = of("observe", contents={"a": "one TWO"})
    told = {**BACK, "edits": [of("splice", span="a", at=2, delete=3, insert="x and y")]}
    assert differences(A, put, seen, told) == []


def test_what_an_entry_meets_counts_not_what_it_left() -> None:
    """Its inverse takes too much out, and by now there is so much."""
    wrong = {"original": "one", "inserted": 3, "before": "", "after": ""}
    events = (
        ingest("a", "one"),
        of("splice", span="a", at=0, delete=3, insert="on", inverse=wrong),
        of("rollback", steps=0, edits=[of("splice", span="a", at=2, delete=0, insert="e")]),
    )
    assert [row.reachable for row in recorded(*events).at(3).undo()] == [True, True]
    assert differences(*events) == []


def test_of_an_unknown_text_nobody_knows_whether_it_came_back() -> None:
    """What stood there was unknown, and now another text than the change left stands there."""
    change = splice("a", T, 0, 3, "1") | {"hash": content_hash("1 two three")}
    seen = of("observe", hashes={"a": content_hash("?")})
    events = (A, of("gap", reason="x"), change, seen)
    assert recorded(*events).at(4).undo()[0].reachable is None
    assert differences(*events) == []


def test_a_text_made_again_is_known_as_far_as_what_its_edits_met() -> None:
    first, whole = splice("a", T, 0, 3, "1"), rewrite("a", "1 two three", "1 and 2", version=2)
    told = of("rollback", of=[3], edits=[])
    unknown = (A, of("gap", reason="x"), first, whole, told)
    assert ids(recorded(*unknown), "UND221") == []
    assert differences(*unknown) == []
    known = (A, of("mark", kind="note", label="x"), first, whole, told)
    assert differences(*known) == []


def test_a_change_of_which_the_text_is_not_told_leaves_an_unknown_one_when_made_again() -> None:
    first = splice("a", T, 0, 3, "1")
    hidden = rewrite("a", "1 two three", "", version=2) | {"redacted": True}
    events = (A, first, hidden | {"hash": content_hash("?")}, of("rollback", of=[2], edits=[]))
    assert ids(recorded(*events), "UND221") == []
    assert differences(*events) == []


def test_a_move_that_is_undone_says_nothing_of_a_text() -> None:
    moved, change = of("move", span="b", after=None), splice("b", "other", 0, 5, "x")
    failed = of("apply", diff="D", outcome="failed", hashes={"b": content_hash("?")})
    staged = stage("D", 2, [], [of("splice", span="b", at=0, delete=0, insert="2")])
    events = (A, B, staged, moved, change, failed, of("rollback", of=[4], edits=[]))
    assert differences(*events) == []


def test_nothing_is_followed_through_a_text_that_is_not_known() -> None:
    """What differs gave way as a whole: who put what where cannot be told."""
    staged = stage("D", 1, [], [of("splice", span="a", at=13, delete=0, insert="!")])
    failed = of("apply", diff="D", outcome="failed", hashes={"a": content_hash("?")})
    blind = of("splice", span="a", at=13, delete=0, insert="x")
    whole = rewrite("a", T, "four", version=3)
    events = (A, staged, failed, blind, whole)
    [row] = recorded(*events).at(5).staging()
    assert "DIF306" not in row.judgement.rules
    assert differences(*events) == []


def test_a_span_that_came_again_by_itself_stands_where_its_undone_prune_puts_it() -> None:
    again = of("rollback", steps=0, edits=[ingest("a", "another")])
    events = (A, B, of("prune", span="a"), again, BACK)
    assert recorded(*events).state.order == ["a", "b"]
    assert differences(*events) == []


def test_overlapping_offsets_are_those_over_the_very_characters() -> None:
    """Not those of a text that gave way, nor before the first of them."""

    def alone(at: int, old: str, new: str) -> dict[str, object]:
        inverse = {"original": old, "inserted": len(new), "at": at}
        return of("splice", span="a", at=at, delete=len(old), insert=new, inverse=inverse)

    first, cut = alone(4, "two", "twenty"), splice("a", "one twenty three", 4, 1, "")
    whole = rewrite("a", "one twenty three", "four", version=2)
    over = {
        "inside": (alone(6, "", "x"), True),
        "a part": (alone(8, "y t", "x"), True),
        "before": (alone(4, "", "x"), False),
        "behind": (alone(9, " ", "x"), False),
    }
    for then, found in over.values():
        events = (A, first, cut, then)
        assert ids(recorded(*events), "UND207") == (["UND207@4"] if found else [])
        assert differences(*events) == []
    replaced = (A, first, whole, alone(0, "four", "x"))
    assert ids(recorded(*replaced), "UND207") == []
    assert differences(*replaced) == []


def test_a_store_that_is_restored_goes_back_to_its_places_among_the_others() -> None:
    point, back = of("checkpoint", checkpoint="k", snapshot=True), of("rollback", to="k")
    files = back | {"method": "restore", "stores": ["files"]}
    first = ingest("a", T, store="files")
    gone = (first, B, point, prune("a", T), files)
    assert recorded(*gone).state.order == ["a", "b"]
    assert differences(*gone) == []
    moved = (B, first, ingest("c", ""), point, of("move", span="c", after=None), files)
    assert recorded(*moved).state.order == ["c", "b", "a"]
    assert differences(*moved) == []


def test_an_entry_that_was_unknown_is_so_again_after_an_abort() -> None:
    events = (
        A,
        of("rewrite", span="a", op="x", content="x"),
        of("gap", reason="x"),
        {**BACK, "edits": []},
        of("abort", of=4),
    )
    status = {row.entry.seq: row.status.direct for row in recorded(*events).at(5).undo()}
    assert status[2] == "unknown"
    assert differences(*events) == []


def test_spans_that_may_be_back_stand_as_they_stood_before_each_other() -> None:
    copied = of("rewrite", span="a", op="x", into="c", content="x")
    events = (A, B, ingest("d", ""), prune("b", "other"), copied, of("prune", span="d"))
    back = of("rollback", steps=3)
    assert recorded(*events, back).state.order == ["a", "b", "d", "c"]
    assert differences(*events, back) == []
    again = (A, ingest("b", "", after=None), of("prune", span="b"), ingest("b", "x"))
    blind = (copied, of("splice", span="b", at=0, delete=1, insert="y"), of("rollback", steps=4))
    assert differences(*again, *blind) == []


def test_a_span_that_is_gone_however_the_undo_went_is_gone() -> None:
    away = of("rollback", steps=0, edits=[of("prune", span="a")])
    events = (A, away, ingest("a", "again"), of("rollback", steps=2))
    assert recorded(*events).state.spans["a"].life == "pruned"
    assert differences(*events) == []


def test_a_span_goes_back_to_its_seat_though_another_was_moved_without_an_entry() -> None:
    moved, away = of("move", span="b", after="c"), of("move", span="a", after="c")
    events = (A, B, ingest("c", ""), moved, away, {**BACK, "edits": []}, of("rollback", steps=2))
    assert recorded(*events).state.order == ["b", "a"]
    assert differences(*events) == []


def test_a_copy_that_was_told_by_no_entry_stands_for_its_old_span() -> None:
    copied = copy("a", "d", "x")
    events = (A, B, ingest("c", ""), prune("b", "other"), copied, {**BACK, "edits": []}, BACK)
    assert recorded(*events).state.order == ["d", "b", "c"]
    assert differences(*events) == []


def test_the_old_span_of_a_copy_that_was_copied_on_comes_back_where_it_stood() -> None:
    told = {**BACK, "edits": []}
    events = (A, B, copy("a", "c", "x"), copy("c", "d", "y"), told, BACK)
    assert differences(*events) == []


def test_a_tombstone_that_was_collected_is_no_damage_of_a_kept_copy() -> None:
    events = (A, splice("a", T, 0, 3, "1"), copy("a", "c", "x"), of("compact", spans=["a"]))
    told = of("rollback", of=[2], edits=[])
    assert ids(recorded(*events, told), "UND221") == []
    assert differences(*events, told) == []


def test_an_id_whose_undone_undo_did_not_happen_is_free_once_it_is_undone() -> None:
    again = (BACK, of("abort", of=2), BACK, ingest("a", "x"))
    assert ids(recorded(A, *again), "SPN116") == []
    assert differences(A, *again) == []


def test_what_a_tombstone_holds_after_an_undo_that_nobody_knows_no_digest_tells() -> None:
    change = of("splice", span="a", at=0, delete=3, insert="1")
    events = (A, B, change, copy("a", "c", "x"), {**BACK, "edits": []}, BACK)
    seen = of(
        "observe", digest=buffer_digest([("c", content_hash("x")), ("b", content_hash("other"))])
    )
    assert differences(*events, seen) == []


def test_what_an_undo_did_that_did_not_happen_is_on_no_way_to_a_true_place() -> None:
    wrong = {"original": "", "inserted": 1, "before": "nowhere", "after": ""}
    put = of("splice", span="a", at=4, delete=0, insert="2", inverse=wrong)
    other = splice("a", "one 2two three", 0, 3, "1", version=2)
    events = (A, put, other, of("rollback", steps=2), of("abort", of=4))
    status = {row.entry.seq: row.status.direct for row in recorded(*events).at(5).undo()}
    assert status[2] == "lost"
    assert differences(*events) == []


def test_a_buffer_that_an_abort_put_back_is_the_base_whatever_it_holds() -> None:
    blind = splice("a", T, 0, 3, "1", inverse=None)
    told = of("apply", diff="D", hashes={"a": content_hash(T)})
    events = (A, blind, BACK, stage("D", 3, [], []), told, of("abort", of=5))
    [row] = recorded(*events).at(6).staging()
    assert row.judgement.verdict == "admissible"
    assert differences(*events) == []


def test_of_an_edit_of_nothing_that_left_another_text_nobody_knows_whether_it_took_place() -> None:
    staged = stage("D", 1, [], [of("splice", span="a", at=1, delete=0, insert="")])
    partly = of("apply", diff="D", outcome="partial", hashes={"a": content_hash("?")})
    status = {r.entry.seq: r.status.direct for r in recorded(A, staged, partly).at(3).undo()}
    assert status[3] == "unknown"
    assert differences(A, staged, partly) == []


def test_a_prune_that_was_kept_takes_a_text_away_that_nobody_knows() -> None:
    hidden = of("splice", span="a", at=0, delete=0, insert="1", redacted=True)
    put = of("splice", span="a", at=1, delete=0, insert="2")
    cut = of("splice", span="a", at=0, delete=2, insert="")
    told = of("rollback", of=[3], edits=[ingest("a", "2")])
    events = (A, hidden, put, cut, prune("a", T), told)
    assert "UND221@6" in ids(recorded(*events))
    assert differences(*events) == []


def test_an_edit_of_nothing_in_an_unknown_text_is_still_one_when_it_is_made_again() -> None:
    hidden = of("splice", span="a", at=0, delete=0, insert="1", redacted=True)
    nothing = of("splice", span="a", at=1, delete=0, insert="")
    events = (A, hidden, nothing, nothing, of("rollback", of=[3]))
    status = {row.entry.seq: row.status.direct for row in recorded(*events).at(5).undo()}
    assert status[4] == "exact"
    assert differences(*events) == []


def test_a_digest_may_tell_that_an_entry_meets_another_text_than_it_left() -> None:
    """What it would restore stays unknown: it can't be undone all the same."""
    hidden = of("rewrite", span="a", op="fold", content="?", redacted=True)
    change = rewrite("a", "?", "x", version=2)
    other = of("rollback", of=[], edits=[of("rewrite", span="a", op="undo", content="other")])
    again = of("splice", span="a", at=0, delete=5, insert="y")
    seen = of("observe", digest=buffer_digest([("a", content_hash("other"))]))
    events = (A, hidden, change, other, again, BACK, seen)
    reachable = {row.entry.seq: row.reachable for row in recorded(*events).at(7).undo()}
    assert reachable == {3: False, 2: False, 1: False}
    assert differences(*events) == []


def test_what_a_digest_tells_of_the_stack_stays_when_what_it_saw_did_not_happen() -> None:
    blind = splice("b", "other", 0, 0, "x", inverse=None)
    digest = buffer_digest([("a", content_hash(T)), ("b", content_hash("xother"))])
    gap, seen = of("gap", reason="x"), of("observe", digest=digest)
    events = (A, B, blind, gap, copy("a", "c", "y"), BACK, seen, of("abort", of=6))
    status = {row.entry.seq: row.status.direct for row in recorded(*events).at(8).undo()}
    assert status[3] == "missing"
    assert differences(*events) == []


def test_what_led_to_a_full_copy_stands_again_once_that_is_put_back() -> None:
    """The change that was put back with it did not happen at first; what came since is undone."""
    staged = stage("D", 1, [], [of("splice", span="a", at=8, delete=0, insert="X")])
    point = of("checkpoint", checkpoint="k", snapshot=True)
    events = (A, staged, of("apply", diff="D"), point, of("abort", of=3), splice("a", T, 1, 0, "y"))
    back = of("rollback", to="k", method="restore")
    [row] = recorded(*events, back).at(7).staging()
    assert "DIF306" in row.judgement.rules
    assert differences(*events, back) == []


def test_an_entry_that_only_left_the_stack_took_nothing_back_on_the_way_to_a_true_place() -> None:
    put = {"original": "one", "inserted": 1, "before": "", "after": " t"}
    first = splice("a", T, 0, 3, "1", inverse=put)
    kept = splice("a", "1 two three", 11, 0, "ab", version=2)
    whole = splice("a", "1 two threeab", 0, 12, "x", version=3)
    told = of("rollback", of=[3], edits=[])
    again = splice("a", "xb", 0, 1, "1 two threea", version=4)
    assert differences(A, first, kept, whole, told, again) == []


def test_the_old_span_of_a_copy_comes_back_where_that_was_moved_by_no_entry() -> None:
    copied, moved = copy("b", "c", "x"), of("move", span="d", after="a")
    events = (A, B, ingest("d", ""), copied, moved, {**BACK, "edits": []}, of("rollback", of=[4]))
    assert recorded(*events).state.order == ["a", "d", "b"]
    assert differences(*events) == []


def test_what_may_have_changed_a_span_that_is_gone_since_can_not_be_undone() -> None:
    staged = stage("D", 1, [], [of("splice", span="a", at=0, delete=3, insert="1")])
    inverse = {"original": "one", "inserted": 1, "before": "", "after": " two"}
    partly = of("apply", diff="D", outcome="partial", inverses=[inverse])
    events = (A, staged, partly, of("prune", span="a"), {**BACK, "edits": []})
    reachable = {row.entry.seq: row.reachable for row in recorded(*events).at(5).undo()}
    assert reachable[3] is False
    assert differences(*events) == []


def test_on_unknown_ground_no_edit_is_made_again() -> None:
    put, cut = splice("a", T, 13, 0, "!"), splice("a", T + "!", 13, 1, "", version=2)
    other = splice("a", T, 12, 1, "x", version=3)
    seen = of("observe", digest=buffer_digest([("a", content_hash("one two threx"))]))
    back = of("rollback", of=[3])
    last = splice("a", "one two threx", 12, 1, "!", version=5)
    assert differences(A, put, cut, other, of("gap", reason="x"), back, seen, last) == []


def test_a_text_that_is_claimed_stands_behind_the_old_span_of_a_copy_that_is_undone() -> None:
    claimed = of("rollback", steps=2, hashes={"b": content_hash("?")})
    events = (A, B, copy("a", "c", "x"), claimed)
    assert recorded(*events).state.order == ["a", "b"]
    assert differences(*events) == []


def test_an_entry_that_no_undone_one_touched_meets_what_it_met_also_what_no_entry_left() -> None:
    told = of("rollback", stores=["files"], edits=[of("rewrite", span="c", op="o", content="y")])
    events = (A, splice("a", T, 0, 3, "1"), copy("a", "c", "x"), told)
    last, back = splice("c", "y", 1, 0, "z", version=3), of("rollback", of=[2])
    reachable = {r.entry.seq: r.reachable for r in recorded(*events, last, back).at(6).undo()}
    assert reachable == {5: True, 3: True, 1: True}
    assert differences(*events, last, back) == []


def test_what_may_be_back_stands_where_it_would_stand_without_what_is_undone() -> None:
    """Since lines were lost nobody knows whether the rollback could be done."""
    unheard = of("prune", span="b", inverse={"original": "other", "inserted": 0})
    moved = of("move", span="c", after=None)
    events = (A, of("gap", reason="x"), unheard, ingest("c", "x"), moved, of("rollback", of=[5]))
    assert differences(*events, of("rollback", of=[3])) == []
    again = (ingest("d", "", after="c"), of("rollback", of=[3, 7]))
    assert differences(*events, *again) == []


def test_copies_that_may_still_be_there_stand_beside_what_they_were_made_of() -> None:
    point, partly = of("checkpoint", checkpoint="k"), of("rollback", to="k", outcome="partial")
    events = (A, B, point, copy("b", "d", "x"), copy("a", "c", "y"), partly)
    assert recorded(*events).state.order == ["c", "a", "d", "b"]
    assert differences(*events) == []


def test_a_partial_apply_does_not_tell_that_an_id_of_which_the_use_may_be_undone_is_used() -> None:
    edit = of("splice", span="a", at=0, delete=1, insert="1")
    partly = of("apply", diff="D", outcome="partial")
    events = (A, {**BACK, "outcome": "partial"}, stage("D", 1, [], [edit]), partly, A)
    assert ids(recorded(*events), "SPN116") == []
    assert differences(*events) == []


def test_an_edit_before_one_of_nothing_left_what_that_left() -> None:
    told = content_hash("?")
    hidden = ingest("a", T, redacted=True, hash=told)
    cut = of("splice", span="a", at=0, delete=5, insert="")
    nothing = of("splice", span="a", at=0, delete=0, insert="")
    events = (hidden, stage("D", 1, [], [cut, nothing]), of("apply", diff="D", hashes={"a": told}))
    assert ids(recorded(*events), "UND201") == []
    assert differences(*events) == []


def test_a_span_that_came_again_by_itself_and_was_copied_stands_only_where_it_is_put_back() -> None:
    told = of("rollback", steps=0, edits=[A, of("prune", span="c")])
    events = (A, B, ingest("c", "x"), of("prune", span="a"), told, ingest("d", ""))
    back = of("rollback", steps=4)
    assert recorded(*events, copy("a", "e", "y"), back).state.order == ["a", "b"]
    assert differences(*events, copy("a", "e", "y"), back) == []


def test_what_nobody_knows_to_be_undone_is_presumed_with_the_others_made_again() -> None:
    partly = of("apply", diff="D", outcome="partial")
    staged = stage("D", 1, [], [of("splice", span="a", at=0, delete=3, insert="1")])
    put = splice("a", "1 two three", 0, 0, "> ", version=2, hash=None)
    kept = splice("a", "> 1 two three", 13, 0, "!", version=3, hash=None)
    back = of("rollback", of=[4, 6])
    told = content_hash("z1 two three!")
    last = of("splice", span="a", at=0, delete=0, insert="z", hash=told)
    events = (A, staged, partly, put, kept, prune("a", "> 1 two three!"), back, last)
    assert recorded(*events).state.spans["a"].text == "z1 two three!"
    assert differences(*events) == []


def test_what_may_still_be_there_does_not_follow_one_that_stood_under_another_ones_id() -> None:
    told = of("rollback", steps=0, edits=[A])
    partly = of("rollback", steps=2, outcome="partial")
    events = (A, B, of("prune", span="a"), told, ingest("d", ""), partly)
    assert recorded(*events).state.order == ["a", "b", "d"]
    assert differences(*events) == []
