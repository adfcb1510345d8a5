"""Faults that the engine or the second opinion showed of the other, in journals of few events."""

from __future__ import annotations

import pytest
from support.journals import (
    Fields,
    copy,
    derive,
    found,
    ids,
    ingest,
    line,
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
from support.second_opinion import differences, opinion

from spanscope.history.history import History
from spanscope.model.content import content_hash

T = "one two three"
N = "one 2 three"
PRUNED, COPIED = prune("b", "B"), copy("a", "a2", "x")
FIRST, LAST = of("move", span="c", after=None), of("move", span="a2", after="c")
A, B = ingest("a", T), ingest("b", "other")
GAP = of("gap", reason="x")
BACK = of("rollback", steps=1)


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


def version(history: History, name: str) -> int:
    return history.state.spans[name].version


Q = content_hash("q")


def test_a_claimed_hash_of_what_a_rollback_should_have_undone_counts_a_version() -> None:
    kept = of("rollback", steps=1, hashes={"a": Q})
    assert version(recorded(A, kept), "a") == 1
    assert differences(A, kept) == []


def test_a_name_that_a_compact_gives_twice_is_collected_once() -> None:
    twice = of("compact", spans=["a", "a"])
    assert ids(recorded(A, copy("a", "b", "x"), twice), "SPN142") == []
    assert differences(A, copy("a", "b", "x"), twice) == []


def test_a_claim_about_what_is_gone_tells_nothing() -> None:
    bare = ingest("a", "***", redacted=True)
    assert differences(bare, BACK, {**BACK, "hashes": {"a": Q}}) == []


def test_the_hash_of_a_redacted_prune_is_that_of_what_it_took() -> None:
    bare = ingest("a", "***", redacted=True)
    gone = of("prune", span="a", hash=Q, redacted=True)
    assert recorded(bare, gone).state.spans["a"].hash == Q
    assert differences(bare, gone) == []


def test_a_place_after_what_the_diff_itself_takes_away_is_none() -> None:
    taking = [of("prune", span="a"), ingest("c", "x", after="a")]
    assert differences(stage("D", 99, [], taking), of("observe", contents={"a": ""})) == []


UNSOUND = (A, B, splice("a", T, 0, 3, "1", inverse=None), BACK)


def test_a_buffer_of_which_a_span_was_unknown_at_the_base_is_not_called_the_same() -> None:
    staged = stage("D", 2, [], [])
    seen = of("observe", contents={"a": T})
    assert verdict(*UNSOUND, stage("D", 4, [], []), seen) == "unknown"
    assert differences(*UNSOUND, staged, seen) == []


def test_what_a_partial_apply_brought_in_is_there_where_it_was_seen() -> None:
    applied = of("apply", diff="D", outcome="partial")
    events = (stage("D", 0, [], [A]), applied, of("observe", contents={"a": T}))
    [row] = recorded(*events).at(3).undo()
    assert (row.status.direct, row.reachable) == ("exact", True)
    assert differences(*events) == []


def test_a_line_before_a_span_that_is_unknown_is_known() -> None:
    hidden = ingest("z", "***", redacted=True)
    staged = stage("D", 2, [], [], refs=[{"kind": "line", "line": 1}])
    assert ids(recorded(A, hidden, staged), "DIF314") == ["DIF314@3"]
    assert differences(A, hidden, staged, of("move", span="z", after=None)) == []


def test_a_line_of_a_text_that_was_unknown_at_the_base_cannot_be_told() -> None:
    hidden = ingest("a", "***", redacted=True)
    staged = stage("D", 2, [{"span": "b"}], [], refs=[{"kind": "line", "span": "a", "line": 1}])
    moved = of("move", span="b", after=None)
    events = (hidden, B, staged, of("observe", contents={"a": "x"}), moved)
    assert verdict(*events) == "unknown"
    assert differences(*events) == []


def test_a_span_whose_life_is_unknown_is_there_once_it_was_moved() -> None:
    events = (A, B, GAP, of("move", span="a", after="b"))
    assert recorded(*events).state.spans["a"].life_known
    assert differences(*events) == []


def test_a_rule_that_holds_again_after_it_could_not_be_told_is_not_said_again() -> None:
    edit = of("splice", span="a", at=0, delete=0, insert="x")
    staged = stage("D", 0, [{"span": "b"}], [edit])
    events = (staged, GAP, of("rewrite", span="a", op="o", content=T), of("prune", span="a"))
    assert ids(recorded(*events), "DIF304") == ["DIF304@1"]
    assert differences(*events) == []


def test_changes_that_happen_to_put_back_what_others_took_still_stand() -> None:
    edit = of("splice", span="a", anchor={"before": "three", "after": ""}, delete=0, insert="!")
    put = of("splice", span="a", at=13, delete=0, insert="?")
    taken = of("splice", span="a", at=13, delete=1, insert="")
    events = (
        A,
        stage("D", 1, [], [edit]),
        put,
        taken,
        of("splice", span="a", at=0, delete=1, insert=""),
    )
    assert differences(*events) == []


def test_a_diff_rejected_on_ground_just_lost_is_not_rejected_needlessly() -> None:
    staged = stage("D", 1, [{"span": "a"}], [])
    lines = [line(of("session", format="spanscope.journal/1", session="s"))]
    lines += [line(A, 1), line(staged, 2), line(of("reject", diff="D"), 4)]
    assert opinion(b"".join(lines)).differences == []


def test_two_lines_with_one_wrong_seq_are_two_faults() -> None:
    lines = [line(of("session", format="spanscope.journal/1", session="s"))]
    lines += [line(A, 1), line(B, 3), line(B, 3)]
    assert opinion(b"".join(lines)).differences == []


def test_a_change_behind_lost_lines_can_be_aborted() -> None:
    lines = [line(of("session", format="spanscope.journal/1", session="s"))]
    lines += [line(A, 1), line(B, 3), line(of("abort", of=3), 4)]
    assert opinion(b"".join(lines)).differences == []


def test_what_was_staged_last_was_staged_before_what_was_lost_behind_it() -> None:
    lines = [line(of("session", format="spanscope.journal/1", session="s"))]
    lines += [line(A, 1), line(stage("D", 9, [], []), 2), b'{"type":\n']
    assert opinion(b"".join(lines)).differences == []


EDIT = of("splice", span="a", at=0, delete=3, insert="1")


def partly(*edits: Fields, **hashes: str) -> tuple[Fields, ...]:
    applied = of("apply", diff="D", outcome="partial", hashes=hashes)
    return A, stage("D", 1, [{"span": "a"}], list(edits)), applied


@pytest.mark.parametrize("edit", [EDIT, of("prune", span="a"), rewrite("a", T, "x")])
def test_an_edit_that_a_hash_says_never_took_place_is_no_change(edit: Fields) -> None:
    events = partly(edit, a=content_hash(T))
    history = recorded(*events)
    assert (ids(history, "DIF318"), ids(history, "UND201")) == ([], [])
    assert [row.entry.seq for row in history.at(3).undo()] == [1]
    assert differences(*events) == []


@pytest.mark.parametrize("held", ["1 two three", "q"])
def test_one_that_it_does_not_say_that_of_may_be_one(held: str) -> None:
    events = partly(EDIT, a=content_hash(held))
    assert ids(recorded(*events), "DIF318") == ["DIF318@3"]
    assert differences(*events) == []


def test_whether_a_copy_of_a_partial_apply_froze_its_old_span_is_unknown() -> None:
    events = partly(copy("a", "b", "x"), b=content_hash("q"))
    history = recorded(*events)
    assert history.state.spans["a"].unknown
    assert history.state.spans["b"].hash == content_hash("q")
    assert differences(*events) == []


def test_a_move_of_a_partial_apply_is_no_content_that_moved() -> None:
    events = (A, GAP, *partly(of("move", span="a", after=None), a=Q)[1:])
    assert ids(recorded(*events), "DIF318") == []
    assert differences(*events) == []


HELD = [{"span": "b", "hash": Q}]


def test_a_read_of_what_is_gone_for_sure_drifted_whatever_was_read() -> None:
    events = (GAP, stage("D", 9, HELD, []), copy("b", "a", "x"))
    assert verdict(*events) == "stale"
    assert differences(*events) == []


def test_an_unknown_text_is_not_recognised_as_another_unknown_one() -> None:
    bare = ingest("b", "***", redacted=True)
    put = of("splice", span="b", at=1, delete=2, insert="ab")
    undone = {**BACK, "edits": [put]}
    assert differences(bare, ingest("b", "x"), of("observe", hashes={"b": Q}), undone) == []


def test_a_place_in_the_order_of_what_is_gone_for_sure_does_not_resolve() -> None:
    staged = stage("D", 0, [], [A], refs=[{"kind": "index", "span": "a", "index": 3}])
    assert differences(GAP, staged, of("prune", span="a")) == []


def test_a_rewrite_under_its_own_id_is_a_reuse_also_in_an_apply() -> None:
    itself = of("rewrite", span="c", op="o", content="ab", into="c")
    events = (GAP, stage("D", 0, [], [itself]), of("apply", diff="D"))
    assert ids(recorded(*events), "SPN116") == ["SPN116@3"]
    assert differences(*events) == []


def test_whether_a_span_is_there_to_stand_after_cannot_be_told_behind_lost_lines() -> None:
    edits = [ingest("a", T, after="c"), of("move", span="a", after="c")]
    assert ids(recorded(GAP, stage("D", 9, [], edits)), "DIF304") == []
    assert differences(GAP, stage("D", 9, [], edits)) == []


def test_a_splice_without_inverse_of_a_partial_apply_lacks_it_also_before_a_prune() -> None:
    edits = [EDIT, of("prune", span="a")]
    pruned = {"original": "1 two three", "inserted": 0, "before": "", "after": ""}
    applied = of("apply", diff="D", outcome="partial", inverses=[None, pruned])
    events = (A, stage("D", 1, [], edits), applied)
    assert ids(recorded(*events), "UND201") == ["UND201@3"]
    assert differences(*events) == []


def test_a_span_of_which_only_the_text_is_unknown_lives() -> None:
    anywhere = of("splice", span="a", delete=0, insert="x")
    staged = stage("D", 1, [], [], refs=[{"kind": "index", "span": "a", "index": 0}])
    events = (A, staged, of("apply", diff="E", edits=[anywhere]))
    assert recorded(*events).state.spans["a"].life_known
    assert differences(*events) == []
    assert not recorded(*events, GAP).state.spans["a"].life_known


def test_a_partial_rollback_may_have_changed_what_it_brought_back() -> None:
    events = (A, prune("a", T), {**BACK, "outcome": "partial"})
    assert version(recorded(*events), "a") == 1
    assert differences(*events) == []


def test_a_text_that_has_no_place_is_not_found_in_one_that_reads_the_same() -> None:
    text = "\n\néabbaaba"
    edits = [
        of("splice", span="a", at=2, delete=3, insert="aéa"),
        of("splice", span="a", at=1, delete=2, insert="é\n"),
    ]
    events = (ingest("a", text), stage("D", 1, [], edits), splice("a", text, 2, 4, ""))
    assert ids(recorded(*events), "DIF304") == ["DIF304@3"]
    assert differences(*events) == []
    same = of("splice", span="a", at=2, delete=2, insert="aé")
    staged = stage("D", 1, [], [same, of("splice", span="a", at=3, delete=1, insert="a")])
    assert differences(ingest("a", "abaé"), staged, rewrite("a", "abaé", "éaaa")) == []


IN, AGAIN = rewrite("a", T, "x"), ingest("a", "abab")


@pytest.mark.parametrize("over", [AGAIN, copy("b", "a", "abab")], ids=["ingest", "copy"])
@pytest.mark.parametrize("told", [{}, {"edits": []}], ids=["worked out", "told"])
def test_a_text_brought_in_over_what_is_undone_stays(over: Fields, told: Fields) -> None:
    events = (A, B, IN, over, of("rollback", of=[3], **told))
    history = recorded(*events)
    assert history.state.spans["a"].text == "abab"
    assert ids(history, "UND221") == []
    assert differences(*events) == []


@pytest.mark.parametrize("over", [AGAIN, copy("b", "a", "abab")], ids=["ingest", "copy"])
def test_and_gives_back_what_was_there_without_it(over: Fields) -> None:
    events = (A, B, IN, over, of("rollback", of=[3]), BACK)
    history = recorded(*events)
    assert history.state.spans["a"].text == T
    assert differences(*events) == []


def test_a_move_goes_back_to_where_it_stood_without_what_was_undone_before_it() -> None:
    moved = of("move", span="b", after=None)
    events = (A, prune("a", T), B, moved, of("rollback", of=[2]), BACK)
    assert recorded(*events).state.order == ["a", "b"]
    assert differences(*events) == []


@pytest.mark.parametrize("over", [ingest("a", N), copy("b", "a", N)], ids=["ingest", "copy"])
def test_what_was_made_on_a_text_that_took_a_used_id_cannot_stay_without_it(over: Fields) -> None:
    kept = splice("a", N, 0, 0, "> ", version=2)
    events = (A, B, over, kept, of("rollback", of=[3]))
    assert ids(recorded(*events), "UND222") == ["UND222@5"]
    assert differences(*events) == []


def life_known(*events: Fields) -> bool:
    return recorded(*events).state.spans["a"].life_known


ASIDE = of("rollback", steps=0, edits=[], versions={"a": 7})


def test_only_an_event_about_a_span_tells_that_it_is_there() -> None:
    edit = splice("a", T, 0, 0, "x")
    assert not life_known(A, GAP)
    assert life_known(A, GAP, edit)
    assert not life_known(A, GAP, edit, GAP)
    assert not life_known(A, GAP, edit, of("abort", of=3))
    assert not life_known(A, GAP, ASIDE)


@pytest.mark.parametrize("last", [splice("a", T, 0, 0, "x"), ASIDE, of("abort", of=4)])
def test_a_place_in_the_order_is_told_by_what_is_known_to_be_there(last: Fields) -> None:
    staged = stage("D", 2, [], [], refs=[{"kind": "index", "span": "b", "index": 1}])
    unsound = splice("a", T, 0, 3, "1", inverse=None)
    events = (A, B, staged, unsound, {**BACK, "steps": 3}, last)
    assert differences(*events) == []
    assert differences(*events[:3], GAP, last, *events[3:]) == []


def test_a_range_that_was_read_is_followed_along_what_was_undone() -> None:
    text = "éone"
    first = splice("a", text, 4, 0, "!")
    whole = rewrite("a", text + "!", "xyz", version=2)
    read = stage("D", 2, [{"span": "a", "range": [0, 1]}], [])
    events = (ingest("a", text), first, read, whole, of("rollback", steps=2))
    assert ids(recorded(*events), "DIF301") == ["DIF301@4"]
    assert verdict(*events) == "reconcilable"
    assert differences(*events) == []


def test_an_id_that_an_earlier_edit_of_the_event_changed_was_used() -> None:
    edits = [of("splice", span="a", at=4, delete=0, insert="x"), copy("b", "a", "y")]
    events = (GAP, of("apply", diff="D", edits=edits))
    assert ids(recorded(*events), "SPN116") == ["SPN116@2"]
    assert differences(*events) == []


def test_an_ingest_over_a_live_span_brings_its_text_back() -> None:
    edits = [of("splice", span="a", delete=13, insert=""), ingest("a", "")]
    events = (A, stage("D", 1, [{"span": "a"}], edits))
    [row] = recorded(*events).at(2).staging()
    assert not row.judgement.fragile
    assert differences(*events) == []


def test_a_diff_needs_no_tombstone_under_the_id_that_it_brings_in() -> None:
    events = (A, stage("D", 1, [], [A]), copy("a", "b", "x"), of("compact", spans=["a"]))
    assert ids(recorded(*events), "SPN141") == []
    assert differences(*events) == []


def test_an_impossible_rewrite_uses_no_id() -> None:
    itself = of("rewrite", span="a", op="o", content="x", into="a")
    events = (A, BACK, itself, A)
    assert ids(recorded(*events), "SPN116") == []
    assert differences(*events) == []


def test_a_tombstone_that_is_changed_behind_lost_lines_may_be_one_no_more() -> None:
    events = (A, copy("a", "b", "x"), GAP, of("splice", span="a", at=0, delete=0, insert="y"))
    assert not recorded(*events).state.spans["a"].life_known
    assert differences(*events, of("move", span="a", after=None)) == []


def test_a_splice_that_a_hash_says_changed_nothing_owes_no_inverse() -> None:
    held = content_hash("held")
    outside = of("splice", span="a", at=9, delete=0, insert="x", hash=held)
    events = (ingest("a", "***", redacted=True, hash=held), outside)
    assert ids(recorded(*events), "UND201") == []
    assert differences(*events) == []


def test_a_span_that_came_after_the_base_has_no_place_to_drift_from() -> None:
    edits = [
        of("splice", span="b", at=0, delete=1, insert="x"),
        of("splice", span="c", at=-1, delete=1, insert=""),
    ]
    events = (A, stage("D", 1, [], edits), ingest("c", "***", redacted=True, hash=Q))
    assert verdict(*events) == "unreachable"
    assert differences(*events) == []


def test_what_is_superseded_may_have_come_where_events_were_lost() -> None:
    newer = ingest("c", "x", supersedes=["b"])
    held = of("derive", artifact="p", span="b", kind="note")
    assert ids(recorded(GAP, newer, held, use("p")), "SPN144") == ["SPN144@4"]
    assert differences(GAP, newer, held, use("p")) == []
    assert ids(recorded(newer, B, held, use("p")), "SPN144") == []
    assert differences(newer, B, held, use("p")) == []


def test_what_was_made_on_an_unknown_text_is_unknown_without_what_was_below_it() -> None:
    hidden = of("rewrite", span="a", op="o", content="x", redacted=True, hash=Q)
    seen = of("observe", contents={"a": "y"})
    told = of("rollback", of=[2], edits=[])
    assert ids(recorded(A, hidden, seen, told), "UND221") == []
    assert differences(A, hidden, seen, told) == []


def test_an_earlier_use_of_an_id_counts_whatever_was_undone_on_unknown_ground() -> None:
    edits = [of("splice", span="b", at=0, delete=0, insert="x"), copy("b", "a", "y")]
    events = (A, B, prune("a", T), of("apply", diff="D", edits=edits), BACK, ingest("a", "z"))
    assert ids(recorded(*events), "SPN116") == ["SPN116@4", "SPN116@6"]
    assert differences(*events) == []


def test_a_diff_without_edits_is_judged_anew_where_it_is_staged_again() -> None:
    events = (A, GAP, stage("D", 1, [], []), of("apply", diff="D"), of("abort", of=4))
    assert verdict(*events) == "unknown"
    assert differences(*events) == []


def test_no_span_supersedes_itself() -> None:
    held = of("derive", artifact="p", span="a", kind="note")
    events = (ingest("a", T, supersedes=["a"]), held, use("p"))
    assert ids(recorded(*events), "SPN144") == []
    assert differences(*events) == []


def test_an_id_that_the_event_itself_took_away_was_used_behind_lost_lines_too() -> None:
    events = (GAP, of("apply", diff="D", edits=[of("prune", span="a"), A]))
    assert ids(recorded(*events), "SPN116") == ["SPN116@2"]
    assert differences(*events) == []


@pytest.mark.parametrize(("version", "found"), [(4, ["SPN111@6"]), (5, [])])
def test_a_claim_goes_on_from_the_last_one_of_the_id_also_over_a_copy(
    version: int, found: list[str]
) -> None:
    edit = splice("a", T, 0, 0, "x", version=2)
    seen = of("observe", contents={"a": "y"})
    events = (A, B, edit, seen, copy("b", "a", "z"), ingest("a", "q", version=version))
    assert ids(recorded(*events), "SPN111") == found
    assert differences(*events) == []


def test_a_version_claimed_of_what_stays_gone_does_not_count() -> None:
    undone = of("rollback", steps=2, outcome="partial", versions={"a": 3})
    events = (A, of("prune", span="a"), undone)
    assert version(recorded(*events), "a") == 0
    assert differences(*events) == []


KEPT = (
    A,
    splice("a", T, 0, 0, "A"),
    splice("a", "A" + T, 8, 5, "BCDE", version=2),
)
"""Two edits of one span: "Aone twoBCDEe" is left."""


def test_an_edit_that_a_rollback_of_an_older_one_kept_is_no_change() -> None:
    edit = of("splice", span="a", anchor={"before": "two", "after": "DE"}, delete=2, insert="x")
    staged = stage("D", 3, [{"span": "a", "range": [9, 11]}], [edit])
    held = of("derive", artifact="p", span="a", kind="note", range=[9, 11], version=2)
    older = of("rollback", of=[2])
    events = (*KEPT, staged, held, older, use("p", range=[8, 10]))
    history = recorded(*events)
    assert ids(history, "DIF301") + ids(history, "DIF306") + ids(history, "SPN106") == []
    assert ids(history, "SPN102") == []
    assert differences(*events) == []


def test_what_a_rollback_took_from_below_a_kept_edit_is_a_change() -> None:
    replaced = splice("a", T, 0, 3, "1")
    later = splice("a", "1 two three", 11, 0, "!", version=2)
    edit = of("splice", span="a", anchor={"before": "", "after": " two"}, delete=1, insert="x")
    staged = stage("D", 3, [], [edit])
    assert ids(recorded(A, replaced, later, staged, of("rollback", of=[2])), "DIF306") == [
        "DIF306@5"
    ]


@pytest.mark.parametrize("place", [[0, 3], [2, 2], [3, 5], [4, 7], [12, 13]])
def test_what_a_selective_rollback_undid_does_not_count_for_what_is_older(place: list[int]) -> None:
    start, end = place
    edit = of("splice", span="a", at=start, delete=end - start, insert="x")
    staged = [stage("D", 1, [], [edit]), stage("E", 1, [{"span": "a", "range": place}], [])]
    held = derive("p", "a", T, range=place)
    undone = splice("a", T, 2, 3, "AB")
    kept = splice("a", "onABwo three", 12, 0, "!", version=2)
    events = (A, *staged, held, undone, kept, of("rollback", of=[5]), use("p", range=place))
    history = recorded(*events)
    assert ids(history, "DIF302") == (["DIF302@5"] if start >= 2 else [])
    assert next(iter(history.at(7).staging())).judgement.verdict != "stale"
    assert differences(*events) == []


def test_what_was_there_when_it_was_undone_below_a_kept_edit_was_replaced_whole() -> None:
    shorter = splice("a", "abb", 0, 2, "b")
    kept = splice("a", "bb", 2, 0, "!", version=2)
    edit = of("splice", span="a", at=0, delete=1, insert="x")
    events = (ingest("a", "abb"), shorter, kept, of("rollback", of=[2]), stage("D", 3, [], [edit]))
    assert ids(recorded(*events), "DIF306") == ["DIF306@5"]
    assert differences(*events) == []


def test_what_was_seen_of_an_unknown_text_takes_no_identity_from_what_a_rollback_brings_back() -> (
    None
):
    edit = splice("a", T, 4, 3, "2")
    top = splice("a", N, 0, 0, "x", version=2)
    seen = of("observe", contents={"a": "one two three 2 thre"})
    other = of("observe", contents={"a": "x" + N})
    known = of("observe", hashes={"a": content_hash(N)})
    assert differences(A, edit, top, GAP, seen, BACK, other, known) == []


@pytest.mark.parametrize(
    ("events", "presumed"),
    [
        ([PRUNED, COPIED, of("gap", reason="x"), FIRST, of("rollback", steps=3)], ["a", "b", "a2"]),
        ([of("gap", reason="x"), PRUNED, COPIED, LAST, of("rollback", steps=3)], ["a", "b", "a2"]),
    ],
    ids=["the copy stayed where it was", "the copy was moved"],
)
def test_spans_that_may_be_back_stand_as_before_whatever_copy_may_be_there_beside_them(
    events: list[Fields], presumed: list[str]
) -> None:
    a, b, c = (ingest(name, name.upper()) for name in "abc")
    order = recorded(a, b, c, *events).state.order
    assert sorted(order) == ["a", "a2", "b", "c"]
    assert [name for name in order if name != "c"] == presumed
    assert differences(a, b, c, *events) == []


def test_the_edits_of_what_is_gone_surely_have_no_place() -> None:
    first = of("splice", span="a", at=0, delete=0, insert="x")
    diff = stage("D", 1, [{"span": "a"}], [first, {**first, "at": 3}])
    events = [A, diff, prune("a", T), BACK]
    assert ids(recorded(*events), "DIF305") == ["DIF305@2", "DIF305@4"]
    assert differences(*events) == []
