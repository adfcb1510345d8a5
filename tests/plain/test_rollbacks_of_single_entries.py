"""Rollbacks of single entries: what is made again without them, and when it can't be."""

from __future__ import annotations

from support.journals import Fields, copy, ids, ingest, of, prune, recorded, rewrite, splice, stage
from support.second_opinion import differences

from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)


def text_after(*edits: tuple[int, int, str], of_these: list[int], held: str = "pq") -> str | None:
    """What is left of a text after some splices and a rollback that names some of their seqs.

    Null where that is impossible.
    """
    events, text = [ingest("a", held)], held
    for version, (at, delete, insert) in enumerate(edits, 1):
        events.append(splice("a", text, at, delete, insert, version=version))
        text = text[:at] + insert + text[at + delete :]
    events.append(of("rollback", of=of_these))
    history = recorded(*events)
    assert differences(*events) == []
    refused = bool(ids(history, "UND222"))
    left = history.state.spans["a"].text
    assert not refused or left == text
    return None if refused else left


PUT = (1, 0, "ab")
TAKEN = (1, 2, "")


def test_an_insert_and_its_delete_are_undone_around_what_stands_at_that_point() -> None:
    assert text_after(PUT, TAKEN, (1, 0, "I"), (2, 0, "J"), of_these=[2, 3]) == "pIJq"
    assert text_after(PUT, (1, 0, "I"), (2, 2, ""), (2, 0, "J"), of_these=[2, 4]) == "pIJq"
    assert text_after(PUT, TAKEN, (0, 2, "J"), of_these=[2, 3]) == "J"
    assert text_after((1, 0, "abc"), (2, 2, ""), (2, 0, "I"), of_these=[2, 3]) == "pIq"


def test_one_that_stands_where_a_text_comes_back_has_no_place() -> None:
    """Whether it stood before or behind what was taken out nobody knows."""
    assert text_after(TAKEN, (1, 0, "I"), of_these=[2], held="pzzq") is None
    assert text_after(TAKEN, PUT, (3, 0, "I"), of_these=[2, 3], held="pzzq") is None
    assert text_after((1, 2, "ab"), TAKEN, (1, 0, "I"), of_these=[2, 3], held="pzzq") is None
    assert text_after(PUT, (2, 2, ""), (2, 0, "I"), of_these=[2, 3]) is None
    put_before = (PUT, (3, 2, ""), (3, 0, "I"))
    assert text_after(*put_before, of_these=[2, 3], held="pzzq") is None


def test_one_that_is_known_to_stand_behind_or_before_it_has() -> None:
    put_behind = ((3, 0, "ab"), TAKEN, (3, 0, "I"))
    assert text_after(*put_behind, of_these=[2, 3], held="pzzq") == "pzzIq"
    assert text_after(PUT, (3, 0, "cd"), (3, 0, "I"), of_these=[2, 3]) == "pIq"


def test_inside_what_was_replaced_in_two_steps_there_is_no_place() -> None:
    steps = ((1, 3, "abd"), (2, 2, "YX"), (2, 0, "I"))
    assert text_after(*steps, of_these=[2, 3], held="pabcq") is None


def test_a_rewrite_that_is_kept_gives_its_origin_though_it_changes_nothing() -> None:
    same = rewrite("a", "x" + T, "x" + T, version=2)
    events = (A, splice("a", T, 0, 0, "x"), same, of("rollback", of=[2]))
    assert recorded(*events).state.spans["a"].produced_by == "rewrite:fold"
    assert differences(*events) == []


def test_a_kept_edit_of_a_text_that_no_entry_left_has_no_place() -> None:
    """What happened between is not on the stack: what should be left can't be told."""
    first = splice("a", T, 0, 3, "1")
    told = of(
        "rollback", steps=1, outcome="failed", edits=[of("rewrite", span="a", op="o", content="x")]
    )
    kept = splice("a", "x", 0, 0, "> ", version=3)
    wrong = of("rollback", of=[2], edits=[])
    events = (A, first, told, kept, wrong)
    assert ids(recorded(*events), "UND221") == ["UND221@3"]
    assert differences(*events) == []


def order_after(*events: Fields) -> list[str]:
    """In which order the spans p, l, x and a stand after some events."""
    events = (*(ingest(name, name) for name in "plxa"), *events)
    assert differences(*events) == []
    return recorded(*events).state.order


def moved(span: str, after: str | None) -> Fields:
    return of("move", span=span, after=after)


def test_moves_of_one_event_are_taken_back_together() -> None:
    both = [moved("l", "a"), moved("x", "l")]
    applied = (stage("D", 4, [], both), of("apply", diff="D", inverses=[None, None]))
    assert order_after(*applied) == ["p", "a", "l", "x"]
    assert order_after(*applied, of("rollback", steps=1)) == ["p", "l", "x", "a"]


def test_a_span_goes_back_beside_the_copy_of_its_neighbour() -> None:
    back = of("rollback", of=[5])
    assert order_after(moved("x", None), copy("l", "c", "l"), back) == ["p", "c", "x", "a"]
    assert order_after(prune("x", "x"), copy("l", "c", "l"), back) == ["p", "c", "x", "a"]
    then = (moved("x", None), copy("l", "c", "l"), back, of("rollback", of=[6]))
    assert order_after(*then) == ["p", "l", "x", "a"]


def test_it_does_not_follow_a_neighbour_who_was_moved_since() -> None:
    back = of("rollback", of=[5])
    assert order_after(moved("x", None), moved("l", "a"), back) == ["p", "x", "a", "l"]
    new = (moved("x", None), ingest("n", "n", after="p"), prune("l", "l"), back)
    assert order_after(*new) == ["p", "n", "x", "a"]


def test_one_that_came_in_beside_an_undone_move_stays_where_it_is() -> None:
    back = of("rollback", of=[5])
    new = (moved("x", None), ingest("n", "n", after="x"), back)
    assert order_after(*new) == ["n", "p", "l", "x", "a"]
    assert order_after(*new, moved("n", None), of("rollback", of=[6, 8])) == ["p", "l", "x", "a"]


def test_what_was_gone_for_a_while_has_its_old_place_behind_two_rollbacks() -> None:
    gone = (moved("p", "a"), prune("p", "p"), ingest("n", "n", after="a"))
    backs = (of("rollback", of=[6]), of("rollback", of=[5]))
    assert order_after(*gone, *backs) == ["p", "l", "x", "a", "n"]


def test_a_kept_move_that_moved_nothing_still_moves_nothing() -> None:
    stays = (moved("l", "x"), ingest("n", "n"), moved("l", "x"))
    backs = (of("rollback", of=[6]), of("rollback", steps=1))
    assert order_after(*stays, *backs) == ["p", "x", "l", "a"]


def test_entries_of_another_store_keep_their_places() -> None:
    new = (moved("x", None), ingest("f", "f", store="files", after="l"))
    back = of("rollback", steps=1, stores=["context"])
    assert order_after(*new, back) == ["p", "l", "x", "f", "a"]


def test_nor_does_an_undone_move_take_one_of_another_store_along() -> None:
    events = (ingest("f", "f", store="files"), moved("x", None), moved("f", "x"))
    back = of("rollback", steps=1, stores=["context"])
    assert order_after(*events, back) == ["f", "p", "l", "x", "a"]
    assert ids(recorded(*(ingest(name, name) for name in "plxa"), *events, back), "UND221") == []


def test_a_span_that_was_only_presumed_to_be_there_goes_back_where_it_was_presumed() -> None:
    gap, gone = of("gap", reason="x"), prune("d", "one")
    events = (gap, gone, ingest("a", "x"), of("rollback", of=[2]))
    assert recorded(*events).state.order == ["d", "a"]
    assert differences(*events) == []


def test_what_a_rollback_left_open_does_not_stand_twice() -> None:
    events = (
        ingest("d", "one"),
        of("gap", reason="x"),
        prune("d", "one"),
        ingest("b", "abab"),
        of("observe", hashes={"b": content_hash("abab")}),
        of("rollback", of=[3]),
        of("observe", contents={"d": "one"}),
        of("rollback", of=[1]),
    )
    order = recorded(*events).state.order
    assert sorted(set(order)) == sorted(order)
    assert differences(*events) == []


UNTOLD = (A, splice("a", T, 0, 0, "x"), of("rollback", steps=1, outcome="partial"))
"""After these nobody knows what a holds."""
C = ingest("c", "see")


def test_what_surely_can_not_be_done_is_refused_whatever_else_can_not_be_told() -> None:
    edits = (splice("a", T, 0, 0, "> ", hash=None, version=None), C, splice("c", "see", 0, 0, "x"))
    events = (*UNTOLD, *edits, of("rollback", of=[4, 5]))
    assert ids(recorded(*events), "UND222") == ["UND222@7"]
    assert recorded(*events).state.spans["c"].text == "xsee"
    assert differences(*events) == []


def test_it_is_also_where_an_unknown_text_is_in_the_way_too() -> None:
    bare = {"hash": None, "version": None}
    unsure = (splice("a", T, 0, 0, "> ", **bare), splice("a", "> " + T, 1, 1, "x", **bare))
    events = (*UNTOLD, *unsure, C, splice("c", "see", 0, 0, "x"), of("rollback", of=[4, 6]))
    assert ids(recorded(*events), "UND222") == ["UND222@8"]
    assert differences(*events) == []


def test_what_only_overlaps_in_an_unknown_text_may_be_possible() -> None:
    bare = {"hash": None, "version": None}
    edits = (splice("a", T, 0, 0, "> ", **bare), splice("a", "> " + T, 1, 1, "x", **bare))
    events = (*UNTOLD, *edits, C, prune("c", "see"), of("rollback", of=[4, 7]))
    history = recorded(*events)
    assert ids(history, "UND222") == []
    assert (history.state.order, history.state.spans["c"].text) == (["a", "c"], None)
    assert differences(*events) == []


def test_a_span_that_may_be_back_stands_behind_the_copy_of_the_one_before_it() -> None:
    events = (A, ingest("b", "B"), prune("b", "B"), copy("a", "c", "x"), of("gap", reason="x"))
    back = of("rollback", of=[3, 4])
    assert recorded(*events, back).state.order == ["c", "b"]
    assert differences(*events, back) == []


def test_a_kept_edit_of_a_span_that_is_not_undone_is_in_no_way() -> None:
    back = {"type": "ingest", "span": "b", "content": "B"}
    pruned, changed = prune("b", "B"), splice("a", T, 0, 3, "1")
    done = of("rollback", steps=1, edits=[back])
    events = (A, ingest("b", "B"), changed, pruned, ingest("c", "C"), done, pruned)
    undo = {"type": "splice", "span": "a", "at": 0, "delete": 1, "insert": "one"}
    brought_back = (*events, of("rollback", of=[3], edits=[undo, back]))
    assert "UND221@8" in ids(recorded(*brought_back))
    assert differences(*brought_back) == []
    left_out = (*events, of("rollback", of=[3], edits=[undo]))
    assert "UND221@8" not in ids(recorded(*left_out))
    assert differences(*left_out) == []
