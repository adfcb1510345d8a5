"""The direct status of an undo entry: does its evidence find the place, in the buffer as it is?"""

from __future__ import annotations

from typing import Any

import pytest
from support.journals import (
    Fields,
    copy,
    ids,
    ingest,
    inverse,
    of,
    prune,
    put,
    recorded,
    rewrite,
    splice,
    stage,
)

from spanscope.history.history import History
from spanscope.history.rows import UndoRow
from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other")
N = "one 2 three"
BACK = of("rollback", steps=1)
SHORT: Fields = {"original": "two", "inserted": 1, "before": "ne ", "after": " th"}
"""An inverse of `two` by `2` whose anchors are three characters, without the hash."""


def row(history: History, entry: int) -> UndoRow:
    found = history.at(history.last).undo_row(entry)
    assert found is not None
    return found


def direct(*events: Any, entry: int = 2) -> str:
    return row(recorded(*events), entry).status.direct


def edited(text: str, at: int, delete: int, insert: str, **record: Any) -> Fields:
    """A splice with its whole inverse, or with this record."""
    change = splice("a", text, at, delete, insert, version=None)
    return change | ({"inverse": record} if record else {})


TWO = edited(T, 4, 3, "2", **SHORT)


class TestSplice:
    """Located by its evidence, judged by where the edit really stands."""

    @pytest.mark.parametrize(
        ("later", "status", "places"),
        [
            ([], "exact", [(4, True)]),
            ([edited(N, 11, 0, "!")], "exact", [(4, True)]),
            ([edited(N, 0, 0, "> ")], "moved", [(6, True)]),
            ([edited(N, 0, 1, "")], "moved", [(3, True)]),
            ([edited(N, 11, 0, " one 3 three")], "ambiguous", [(4, True), (16, False)]),
            ([edited(N, 0, 0, "one 3 three ")], "ambiguous", [(4, False), (16, True)]),
            ([edited(N, 0, 11, "one 2 three")], "exact", [(4, True)]),
            ([edited(N, 4, 1, "II")], "clobbered", []),
            ([edited(N, 3, 2, "-")], "clobbered", []),
            ([edited(N, 4, 1, "3")], "exact", [(4, True)]),
        ],
        ids=[
            *("untouched", "behind it", "pushed on", "pulled back", "a copy behind"),
            *("a copy before", "the same bytes", "overwritten", "cut out", "same length"),
        ],
    )
    def test_against_what_came_since(
        self, later: list[Fields], status: str, places: list[tuple[int, bool]]
    ) -> None:
        found = row(recorded(A, TWO, *later), 2)
        assert found.status.direct == status
        assert [(place.at, place.true) for place in found.places] == places

    def test_with_its_hash_the_same_length_is_not_enough(self) -> None:
        hashed = edited(T, 4, 3, "2", **SHORT, inserted_hash=content_hash("2"))
        assert direct(A, hashed, edited(N, 4, 1, "3")) == "clobbered"

    def test_misleading_where_only_a_look_alike_fits(self) -> None:
        double = edited(N, 11, 0, " one 3 three")
        both = N + " one 3 three"
        spoiled = edited(both, 0, 4, "")
        found = row(recorded(A, TWO, double, spoiled), 2)
        assert found.status.direct == "misleading"
        assert [(place.at, place.true) for place in found.places] == [(12, False)]

    def test_several_places_where_the_edit_was_made_is_not_exact(self) -> None:
        bare = {"original": "x", "inserted": 1, "before": "", "after": "\n"}
        change = splice("a", "x\nx\n", 2, 1, "y", inverse=bare)
        assert direct(ingest("a", "x\nx\n"), change) == "ambiguous"

    def test_one_whole_anchor_and_the_inserted_text_still_count(self) -> None:
        for gone, left in ((edited(N, 1, 2, "NE"), 4), (edited(N, 6, 5, "x"), 4)):
            found = row(recorded(A, TWO, gone), 2)
            assert (found.status.direct, found.places[0].at) == ("exact", left)
            assert found.status.parts[0].located.weakened in ("before", "after")

    def test_but_not_where_both_anchors_are_gone(self) -> None:
        both = (edited(N, 1, 2, "NE"), edited("oNE 2 three", 6, 5, "x"))
        assert direct(A, TWO, *both) == "lost"

    def test_nor_where_the_one_that_is_left_is_empty(self) -> None:
        start = edited(T, 0, 3, "1", original="one", inserted=1, before="", after=" tw")
        assert direct(A, start, edited("1 two three", 2, 1, "T")) == "lost"

    def test_nor_in_two_places(self) -> None:
        change = edited(T, 4, 3, "2", original="two", inserted=1, before="ne ", after=" thr")
        later = (edited(N, 7, 1, "H"), edited("one 2 tHree", 11, 0, " one 2"))
        assert direct(A, change, *later) == "lost"

    @pytest.mark.parametrize(
        ("later", "status"),
        [
            ([], "exact"),
            ([edited("one  three", 4, 0, "x")], "exact"),
            ([edited("one  three", 0, 3, "1")], "moved"),
            ([edited("one  three", 0, 4, "")], "moved"),
            ([edited("one  three", 5, 5, "3")], "exact"),
            ([edited("one  three", 0, 10, "all new")], "lost"),
        ],
        ids=["untouched", "a character in it", "before it", "up to it", "behind it", "everything"],
    )
    def test_of_a_deletion_the_one_place_beside_an_anchor_counts(
        self, later: list[Fields], status: str
    ) -> None:
        cut = edited(T, 4, 3, "", original="two", inserted=0, before="ne ", after=" th")
        assert direct(A, cut, *later) == status

    def test_an_edit_and_its_exact_undo_cancel(self) -> None:
        away = edited(N, 3, 3, "---")
        assert direct(A, TWO, away, BACK) == "exact"
        assert direct(A, TWO, edited(N, 0, 0, "> "), away | {"at": 5}, BACK) == "moved"

    def test_anchors_as_digests_are_checked_at_the_true_place_and_else_unknown(self) -> None:
        digests = {
            "original": "two",
            "inserted": 1,
            "before": content_hash("one "),
            "after": content_hash(" three"),
            "window": 16,
        }
        hashed = edited(T, 4, 3, "2", **digests)
        assert direct(A, hashed) == "exact"
        assert direct(A, hashed, edited(N, 0, 0, "> ")) == "unknown"

    def test_in_a_span_that_is_gone_it_is_lost(self) -> None:
        assert direct(A, TWO, prune("a", N)) == "lost"

    def test_in_unknown_content_it_is_unknown(self) -> None:
        history = recorded(A, TWO, of("gap", reason="x"))
        assert row(history, 2).status.direct == "unknown"

    def test_where_no_byte_changed_no_place_is_needed(self) -> None:
        assert direct(A, edited(T, 4, 3, "two"), edited(T, 0, 13, "x")) == "exact"


class TestWhole:
    """Ingest, copy, in-place rewrite, prune and move carry their place in themselves."""

    REWRITE = rewrite("a", T, "new")

    @pytest.mark.parametrize(
        ("events", "status"),
        [
            ([], "exact"),
            ([edited(T, 0, 1, "O")], "clobbered"),
            ([edited(T, 0, 1, "O"), BACK], "exact"),
            ([edited(T, 0, 1, "O"), edited("One two three", 0, 1, "o")], "exact"),
            ([prune("a", T)], "lost"),
            ([of("move", span="a", after=None)], "exact"),
        ],
        ids=["held", "another", "undone", "the same bytes again", "gone", "moved"],
    )
    def test_an_ingest(self, events: list[Fields], status: str) -> None:
        assert direct(A, B, *events, entry=1) == status

    @pytest.mark.parametrize(
        ("events", "status"),
        [
            ([], "exact"),
            ([splice("a", "new", 0, 0, "x")], "clobbered"),
            ([prune("a", "new")], "lost"),
        ],
    )
    def test_a_rewrite(self, events: list[Fields], status: str) -> None:
        assert direct(A, self.REWRITE, *events) == status

    @pytest.mark.parametrize(
        ("events", "status"),
        [
            ([], "exact"),
            ([splice("a2", "new", 0, 0, "x")], "clobbered"),
            ([prune("a2", "new")], "lost"),
            ([of("compact", spans=["a"])], "lost"),
        ],
        ids=["held", "another", "gone", "its tombstone collected"],
    )
    def test_a_copy(self, events: list[Fields], status: str) -> None:
        assert direct(A, copy("a", "a2", "new"), *events) == status

    @pytest.mark.parametrize(
        ("events", "status"), [([], "exact"), ([ingest("a", "x")], "clobbered"), ([B], "exact")]
    )
    def test_a_prune(self, events: list[Fields], status: str) -> None:
        assert direct(A, prune("a", T), *events) == status

    @pytest.mark.parametrize(
        ("events", "status"),
        [
            ([], "exact"),
            ([of("move", span="a", after=None)], "exact"),
            ([rewrite("a", T, "x")], "exact"),
            ([prune("a", T)], "lost"),
        ],
    )
    def test_a_move(self, events: list[Fields], status: str) -> None:
        assert direct(A, B, of("move", span="a", after="b"), *events, entry=3) == status


class TestSeveral:
    """An entry of several edits has the worst of theirs."""

    EDITS = (put("a", "one ", " three", "2", delete=3), put("b", "oth", "er", "!"))

    def applied(self, *later: Fields, inverses: list[Fields | None] | None = None) -> str:
        records = inverses or [inverse(T, 4, 3, "2"), inverse("other", 3, 0, "!")]
        staged = stage("D", 2, [{"all": True}], list(self.EDITS))
        return direct(A, B, staged, of("apply", diff="D", inverses=records), *later, entry=4)

    @pytest.mark.parametrize(
        ("later", "status"),
        [
            ([], "exact"),
            ([splice("a", N, 0, 0, "> ")], "moved"),
            ([splice("a", N, 4, 1, "II")], "clobbered"),
            ([splice("a", N, 4, 1, "II"), prune("b", "oth!er")], "lost"),
            ([splice("a", N, 0, 0, "> "), splice("b", "oth!er", 3, 1, "?")], "clobbered"),
        ],
    )
    def test_the_worst(self, later: list[Fields], status: str) -> None:
        assert self.applied(*later) == status

    def test_missing_is_worse_than_lost(self) -> None:
        records = [None, inverse("other", 3, 0, "!")]
        assert self.applied(prune("b", "oth!er"), inverses=records) == "missing"

    def test_two_edits_of_one_span(self) -> None:
        edits = [put("a", "one ", " three", "2", delete=3), put("a", "", "one 2", "> ")]
        records = [inverse(T, 4, 3, "2"), inverse(N, 0, 0, "> ")]
        staged = stage("D", 1, [{"span": "a"}], edits)
        history = recorded(A, staged, of("apply", diff="D", inverses=records))
        assert ids(history, "UND") == []
        assert [part.located.status for part in row(history, 3).status.parts] == ["moved", "exact"]
        assert (row(history, 3).status.direct, row(history, 3).reachable) == ("moved", True)

    def test_what_carries_its_inverse_in_itself_needs_none(self) -> None:
        edits = [
            ingest("n", "new"),
            of("move", span="b", after=None),
            of("rewrite", span="a", op="x", into="a2", content="x"),
        ]
        staged = stage("D", 2, [{"all": True}], edits)
        history = recorded(A, B, staged, of("apply", diff="D", inverses=[None, None, None]))
        assert (ids(history), row(history, 4).reachable) == ([], True)
