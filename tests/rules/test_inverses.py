"""UND201 to UND211: inverse records that are missing, late, dropped, wrong or find no place."""

from __future__ import annotations

import pytest
from support.journals import (
    Fields,
    copy,
    found,
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
    the,
    unknown,
)

from spanscope.history.history import History
from spanscope.history.rows import UndoRow
from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other")
TWO = splice("a", T, 4, 3, "2")
N = "one 2 three"
READ_A = [{"span": "a"}]
PUT = put("a", "one ", " three", "2", delete=3)
STAGED = stage("D", 1, READ_A, [PUT])
GAP = of("gap", reason="x")


def at_alone(original: str, inserted: str, at: int) -> Fields:
    return {"original": original, "inserted": len(inserted), "at": at, "anchored": False}


def row(history: History, entry: int) -> UndoRow:
    found_row = history.at(history.last).undo_row(entry)
    assert found_row is not None
    return found_row


class TestMissing:
    """UND201."""

    @pytest.mark.parametrize(
        "change",
        [
            [{**TWO, "inverse": None}],
            [rewrite("a", T, "x", inverse=None)],
            [prune("a", T, inverse=None)],
            [STAGED, of("apply", diff="D")],
            [STAGED, of("apply", diff="D", inverses=[None])],
        ],
        ids=["splice", "rewrite", "prune", "apply", "null"],
    )
    def test_what_needs_an_inverse_and_has_none(self, change: list[Fields]) -> None:
        history = recorded(A, *change)
        seq = len(change) + 1
        assert ids(history, "UND201") == [f"UND201@{seq}"]
        assert (row(history, seq).status.direct, row(history, seq).reachable) == ("missing", False)

    @pytest.mark.parametrize(
        "change",
        [
            [B],
            [B, of("move", span="b", after=None)],
            [copy("a", "a2", "x")],
            [rewrite("a", T, T, inverse=None)],
            [splice("a", T, 4, 3, "two", inverse=None)],
            [of("observe", contents={"a": T})],
        ],
        ids=["ingest", "move", "copy", "same bytes", "same splice", "observed the same"],
    )
    def test_what_needs_none(self, change: list[Fields]) -> None:
        history = recorded(A, *change)
        assert ids(history) == []
        assert history.at(history.last).reachable == history.at(history.last).undo_size

    def test_an_unlogged_change_is_said_by_another_rule(self) -> None:
        history = recorded(A, of("observe", contents={"a": "x"}))
        assert ids(history) == ["JNL005@2", "UND211@2"]
        assert (row(history, 2).status.direct, row(history, 2).reachable) == ("missing", False)

    def test_of_an_apply_the_edits_that_lack_one_are_named(self) -> None:
        edits = [
            PUT,
            ingest("n", "new"),
            of("move", span="n", after=None),
            put("a", "", "one", ">"),
        ]
        inverses = [inverse(T, 4, 3, "2"), None, None, None]
        history = recorded(
            A, stage("D", 1, READ_A, edits), of("apply", diff="D", inverses=inverses)
        )
        assert the(history, "UND201").evidence == {"edits": [3]}

    def test_a_source_that_records_no_inverses_is_not_accused(self) -> None:
        history = recorded(A, {**TWO, "inverse": None}, records=["versions"])
        assert ids(history) == []
        assert (row(history, 2).status.direct, row(history, 2).reachable) == ("unknown", None)
        assert set(unknown(history)) == {"entry 2"}


class TestLate:
    """UND202: mutate, then log."""

    BARE: Fields = {**TWO, "inverse": None}

    def record(self, of_seq: int, **more: object) -> Fields:
        return of("inverse", of=of_seq, **inverse(T, 4, 3, "2"), **more)

    def test_it_comes_after_its_change_and_the_entry_is_whole_from_then_on(self) -> None:
        history = recorded(A, self.BARE, self.record(2))
        assert ids(history, "UND20") == ["UND201@2", "UND202@3"]
        assert the(history, "UND202").caused_by == 2
        assert (row(history, 2).status.direct, row(history, 2).reachable) == ("exact", True)
        before = history.at(2).undo_row(2)
        assert before is not None
        assert before.reachable is False

    def test_written_ahead_it_is_in_time(self) -> None:
        history = recorded(A, self.record(3), self.BARE)
        assert (ids(history), row(history, 3).reachable) == ([], True)

    def test_written_ahead_for_one_edit_of_an_apply(self) -> None:
        edits = [ingest("n", "new"), PUT]
        history = recorded(
            A, stage("D", 1, READ_A, edits), self.record(4, edit=1), of("apply", diff="D")
        )
        assert (ids(history), row(history, 4).reachable) == ([], True)

    def test_late_for_one_edit_of_an_apply(self) -> None:
        edits = [ingest("n", "new"), PUT]
        history = recorded(
            A, stage("D", 1, READ_A, edits), of("apply", diff="D"), self.record(3, edit=1)
        )
        assert ids(history, "UND20") == ["UND201@3", "UND202@4"]
        assert row(history, 3).reachable is True

    def test_a_second_record_is_not_late(self) -> None:
        assert ids(recorded(A, TWO, self.record(2))) == []

    def test_a_late_record_may_be_wrong_too(self) -> None:
        wrong = self.record(2) | {"original": "TWO"}
        history = recorded(A, self.BARE, wrong)
        assert ids(history, "UND20") == ["UND201@2", "UND202@3", "UND204@3"]
        assert row(history, 2).reachable is False

    def test_of_what_is_no_entry(self) -> None:
        history = recorded(A, of("mark", kind="turn", label="x"), self.record(2))
        assert the(history, "JNL007").subject == {"entry": 2}

    def test_of_an_unlogged_change_it_makes_the_entry_whole(self) -> None:
        whole = of("inverse", of=2, original=T, inserted=1, inserted_hash=content_hash("x"))
        history = recorded(A, of("observe", contents={"a": "x"}), whole)
        assert ids(history) == ["JNL005@2", "UND211@2", "UND202@3"]
        assert row(history, 2).reachable is True

    def test_of_what_a_rollback_undid_it_came_too_late(self) -> None:
        history = recorded(A, TWO, of("rollback", steps=1), self.record(2))
        assert the(history, "JNL007").subject == {"entry": 2}

    def test_of_what_was_aborted_it_is_no_use_and_no_fault(self) -> None:
        assert ids(recorded(A, TWO, of("abort", of=2), self.record(2))) == []

    def test_of_what_was_impossible_the_fault_is_said_once(self) -> None:
        outside = of("splice", span="a", at=99, delete=1, insert="x")
        assert ids(recorded(A, outside, self.record(2))) == ["JNL008@2"]


class TestEvicted:
    """UND203."""

    def test_the_change_is_unrecoverable_from_here(self) -> None:
        history = recorded(A, TWO, of("evict", of=[2], reason="full"))
        assert ids(history) == ["UND203@3", "UND211@3"]
        assert (the(history, "UND203").severity, the(history, "UND203").caused_by) == ("error", 2)
        assert (row(history, 2).status.direct, row(history, 2).reachable) == ("missing", False)
        assert (row(history, 1).reachable, the(history, "UND211").evidence["entries"]) == (
            False,
            [1, 2],
        )
        earlier = history.at(2).undo_row(2)
        assert earlier is not None
        assert earlier.reachable is True

    def test_each_of_several(self) -> None:
        again = splice("a", N, 0, 3, "1", version=2)
        history = recorded(A, TWO, again, of("evict", of=[2, 3]))
        assert [f.subject["entry"] for f in found(history, "UND203")] == [2, 3]

    @pytest.mark.parametrize(
        "events",
        [
            [A, B, of("evict", of=[1])],
            [A, rewrite("a", T, T), of("evict", of=[2])],
            [A, TWO, of("rollback", steps=1), of("evict", of=[2])],
        ],
        ids=["owes none", "same bytes", "undone already"],
    )
    def test_nothing_is_lost_where_none_is_owed(self, events: list[Fields]) -> None:
        assert ids(recorded(*events)) == []

    def test_what_is_yet_to_come_is_an_unknown_name(self) -> None:
        assert ids(recorded(A, of("evict", of=[7]))) == ["JNL007@2"]


class TestWrong:
    """UND204."""

    @pytest.mark.parametrize(
        ("field", "claimed", "actual"),
        [
            ("original", "TWO", "two"),
            ("inserted", 2, 1),
            ("inserted_hash", content_hash("3"), content_hash("2")),
            ("before", "One ", "one "),
            ("after", " Three", " three"),
        ],
    )
    def test_each_field_of_a_splices_inverse(
        self, field: str, claimed: str | int, actual: str | int
    ) -> None:
        wrong = inverse(T, 4, 3, "2") | {field: claimed}
        history = recorded(A, {**TWO, "inverse": wrong})
        assert ids(history, "UND204") == ["UND204@2"]
        assert the(history, "UND204").evidence["wrong"] == [
            {"field": field, "claimed": claimed, "actual": actual}
        ]

    @pytest.mark.parametrize(
        ("field", "reachable"),
        [("original", False), ("inserted", False), ("before", False)],
    )
    def test_what_is_wrong_is_not_reachable(self, field: str, reachable: bool) -> None:
        wrong = inverse(T, 4, 3, "2") | {field: 9 if field == "inserted" else "zzz"}
        history = recorded(A, {**TWO, "inverse": wrong | {"after": ""}})
        assert row(history, 2).reachable is reachable

    @pytest.mark.parametrize("field", ["original", "inserted"])
    @pytest.mark.parametrize("change", [rewrite("a", T, "x"), prune("a", T)])
    def test_of_a_whole_span(self, change: Fields, field: str) -> None:
        wrong = change["inverse"] | {field: 9 if field == "inserted" else "zzz"}
        history = recorded(A, {**change, "inverse": wrong})
        assert ids(history, "UND204") == ["UND204@2"]

    @pytest.mark.parametrize("change", [rewrite("a", T, "x"), prune("a", T)])
    def test_of_a_whole_span_no_anchors_are_looked_for(self, change: Fields) -> None:
        history = recorded(A, {**change, "inverse": change["inverse"] | {"before": "zzz"}})
        assert (ids(history), row(history, 2).reachable) == ([], True)

    def test_in_an_apply_it_describes_the_state_right_after_its_edit(self) -> None:
        edits = [PUT, put("a", "", "one", "> ")]
        right = [inverse(T, 4, 3, "2"), inverse(N, 0, 0, "> ")]
        staged = stage("D", 1, READ_A, edits)
        assert ids(recorded(A, staged, of("apply", diff="D", inverses=right)), "UND") == []
        later = [inverse(T, 4, 3, "2") | {"before": "> one "}, right[1]]
        history = recorded(A, staged, of("apply", diff="D", inverses=later))
        assert ids(history, "UND204") == ["UND204@3"]

    def test_anchors_kept_as_digests_are_checked_where_they_belong(self) -> None:
        digests = {"before": content_hash("one "), "after": content_hash(" three"), "window": 16}
        hashed = inverse(T, 4, 3, "2") | digests
        history = recorded(A, {**TWO, "inverse": hashed})
        assert (ids(history), row(history, 2).status.direct) == ([], "exact")
        wrong = {**TWO, "inverse": hashed | {"before": content_hash("One ")}}
        assert ids(recorded(A, wrong), "UND") == ["UND204@2"]


class TestAmbiguous:
    """UND205: right after the change its evidence does not find the one place."""

    X = ingest("a", "x\nx\n")

    def change(self, **more: object) -> Fields:
        """A `y` for the second `x`, with evidence that fits both lines."""
        bare = {"original": "x", "inserted": 1, "before": "", "after": "\n"} | more
        return splice("a", "x\nx\n", 2, 1, "y", inverse=bare)

    def test_several_places_and_no_offset(self) -> None:
        history = recorded(self.X, self.change())
        assert ids(history, "UND20") == ["UND205@2"]
        said = the(history, "UND205")
        assert (said.severity, said.evidence["first_match_wrong"]) == ("warning", True)
        assert said.evidence["places"] == [{"at": 0, "true": False}, {"at": 2, "true": True}]
        assert (row(history, 2).status.direct, row(history, 2).reachable) == ("ambiguous", False)

    def test_with_an_offset_it_is_information_and_reachable(self) -> None:
        history = recorded(self.X, self.change(at=2))
        assert (ids(history), the(history, "UND205").severity) == (["UND205@2"], "info")
        assert (row(history, 2).status.direct, row(history, 2).reachable) == ("ambiguous", True)

    def test_the_first_match_may_be_the_right_one(self) -> None:
        bare = {"original": "x", "inserted": 1, "before": "", "after": "\n"}
        history = recorded(self.X, splice("a", "x\nx\n", 0, 1, "y", inverse=bare))
        assert the(history, "UND205").evidence["first_match_wrong"] is False

    @pytest.mark.parametrize(
        "more",
        [{"inserted_hash": content_hash("y")}, {"before": "\n"}],
        ids=["its hash", "an anchor"],
    )
    def test_one_more_piece_of_evidence_decides(self, more: Fields) -> None:
        history = recorded(self.X, self.change(**more))
        assert (ids(history), row(history, 2).status.direct) == ([], "exact")

    def test_only_in_a_wrong_place(self) -> None:
        elsewhere = {"original": "two", "inserted": 1, "before": "on", "after": " 2"}
        history = recorded(A, {**TWO, "inverse": elsewhere})
        assert ids(history, "UND20") == ["UND204@2", "UND205@2"]
        assert the(history, "UND205").evidence["places"] == [{"at": 2, "true": False}]

    def test_a_wrong_original_hides_no_ambiguity(self) -> None:
        history = recorded(self.X, self.change(original="X"))
        assert ids(history, "UND20") == ["UND204@2", "UND205@2"]


class TestOffsetOnly:
    """UND206 and UND207."""

    FIRST = {**TWO, "inverse": at_alone("two", "2", 4)}

    @pytest.mark.parametrize(
        "record",
        [at_alone("two", "2", 4), {"original": "two", "inserted": 1, "at": 4}],
        ids=["anchored false", "no anchors"],
    )
    def test_an_absolute_offset_alone(self, record: Fields) -> None:
        history = recorded(A, {**TWO, "inverse": record})
        assert (ids(history), the(history, "UND206").severity) == (["UND206@2"], "info")
        assert row(history, 2).reachable is True

    def test_an_offset_beside_anchors_is_not_alone(self) -> None:
        assert ids(recorded(A, {**TWO, "inverse": inverse(T, 4, 3, "2") | {"at": 4}})) == []

    @staticmethod
    def second(at: int, delete: int, insert: str, **more: object) -> Fields:
        record = at_alone(N[at : at + delete], insert, at)
        return splice("a", N, at, delete, insert, version=2, **({"inverse": record} | more))

    @pytest.mark.parametrize(
        ("at", "delete", "insert", "overlaps"),
        [
            (4, 1, "II", True),
            (3, 3, "-", True),
            (0, 5, "1", True),
            (5, 1, "_", False),
            (0, 4, "1 ", False),
            (9, 2, "EE", False),
        ],
        ids=["the same", "around", "from before", "right after", "up to it", "far"],
    )
    def test_over_text_that_another_changed(
        self, at: int, delete: int, insert: str, overlaps: bool
    ) -> None:
        history = recorded(A, self.FIRST, self.second(at, delete, insert))
        assert ids(history, "UND207") == (["UND207@3"] if overlaps else [])
        if overlaps:
            said = the(history, "UND207")
            assert (said.severity, said.caused_by) == ("warning", 2)

    def test_the_place_is_followed_back_through_what_lies_between(self) -> None:
        push = splice("a", N, 0, 0, "> ", version=2)
        text = "> " + N
        over = splice("a", text, 6, 1, "II", version=3, inverse=at_alone("2", "II", 6))
        beside = splice("a", text, 4, 1, "E", version=3, inverse=at_alone("e", "E", 4))
        assert ids(recorded(A, self.FIRST, push, over), "UND207") == ["UND207@4"]
        assert ids(recorded(A, self.FIRST, push, beside), "UND207") == []

    def test_a_checkpoint_in_between_ends_it(self) -> None:
        history = recorded(A, self.FIRST, of("checkpoint", checkpoint="k"), self.second(4, 1, "II"))
        assert ids(history, "UND207") == []

    def test_a_checkpoint_before_both_does_not(self) -> None:
        history = recorded(A, of("checkpoint", checkpoint="k"), self.FIRST, self.second(4, 1, "II"))
        assert ids(history, "UND207") == ["UND207@4"]

    def test_an_anchored_change_underneath_is_none_of_its_kind(self) -> None:
        assert ids(recorded(A, TWO, self.second(4, 1, "II")), "UND207") == []

    def test_an_anchored_change_on_top_is_none_either(self) -> None:
        anchored = self.second(4, 1, "II", inverse=inverse(N, 4, 1, "II"))
        assert ids(recorded(A, self.FIRST, anchored), "UND207") == []

    def test_what_was_undone_since_is_not_there(self) -> None:
        over = splice("a", T, 4, 3, "II", version=3, inverse=at_alone("two", "II", 4))
        history = recorded(A, self.FIRST, of("rollback", steps=1), over)
        assert ids(history, "UND207") == []

    def test_another_span_is_another_text(self) -> None:
        over = splice("b", "other", 4, 1, "R", inverse=at_alone("r", "R", 4))
        assert ids(recorded(A, B, self.FIRST, over), "UND207") == []


class TestUnreachable:
    """UND211: once an event, what became unreachable and what blocks it."""

    def test_everything_below_a_blocked_entry(self) -> None:
        history = recorded(A, B, TWO, splice("a", N, 0, 3, "1", version=2, inverse=None))
        assert ids(history) == ["UND201@4", "UND211@4"]
        said = the(history, "UND211")
        assert (said.severity, said.subject, said.caused_by) == ("info", {"entry": 4}, None)
        assert said.evidence["entries"] == [1, 2, 3]
        assert said.evidence["blocked_by"] == 4

    def test_only_what_could_be_reached_until_then(self) -> None:
        first = {**TWO, "inverse": None}
        again = splice("a", N, 0, 3, "1", version=2)
        history = recorded(A, first, again, of("evict", of=[3]))
        assert [f.evidence["entries"] for f in found(history, "UND211")] == [[1], [3]]

    def test_not_where_nothing_below_was_reachable(self) -> None:
        bare = {"inverse": None}
        second = splice("a", N, 0, 3, "1", version=2, **bare)
        assert ids(recorded(A, {**TWO, **bare}, second), "UND211") == ["UND211@2"]

    def test_caused_by_the_entry_that_blocks(self) -> None:
        assert the(recorded(A, TWO, of("evict", of=[2])), "UND211").caused_by == 2

    def test_what_goes_above_a_blocked_entry_is_reachable(self) -> None:
        history = recorded(A, {**TWO, "inverse": None}, B)
        assert [row(history, entry).reachable for entry in (3, 2, 1)] == [True, False, False]

    def test_a_rollback_takes_the_blocked_entry_off(self) -> None:
        bad = {**TWO, "inverse": None}
        history = recorded(
            A,
            bad,
            of("rollback", steps=1, edits=[of("splice", span="a", at=4, delete=1, insert="two")]),
        )
        assert row(history, 1).reachable is True

    def test_below_unknown_entries_nothing_is_said(self) -> None:
        history = recorded(A, B, GAP, of("observe", contents={"a": T}), {**TWO, "inverse": None})
        assert ids(history, "UND211") == []
        assert [row(history, entry).reachable for entry in (1, 2)] == [False, False]
