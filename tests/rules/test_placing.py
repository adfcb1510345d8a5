"""Where a diff's own edits go among each other, and what they find of their base."""

from __future__ import annotations

from typing import Any

import pytest
from support.journals import Fields, copy, ingest, of, prune, put, recorded, rewrite, splice, stage
from support.second_opinion import differences

from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
READ_A = [{"span": "a"}]
HEAD = [{"span": "a", "range": [0, 3]}]
GAP = of("gap", reason="x")


def at(offset: int, delete: int, insert: str, span: str = "a", **more: Any) -> Fields:
    return of("splice", span=span, at=offset, delete=delete, insert=insert, **more)


def judged(*events: Any) -> tuple[str, bool, list[str]]:
    """Verdict, fragile and rules of D at the end."""
    history = recorded(*events)
    rows = {row.diff.diff: row.judgement for row in history.at(history.last).staging()}
    return rows["D"].verdict, rows["D"].fragile, list(rows["D"].rules)


class TestOwnEdits:
    def test_an_offset_may_lie_in_what_an_earlier_edit_inserted(self) -> None:
        edits = [put("a", "one ", "two", "and then "), at(8, 4, "now")]
        assert judged(A, stage("D", 1, READ_A, edits)) == ("admissible", False, [])

    def test_an_offset_behind_an_earlier_edit_is_followed_with_it(self) -> None:
        edits = [put("a", "one ", "two", "and "), at(12, 5, "3")]
        late = splice("a", T, 3, 1, "  ")
        assert judged(A, stage("D", 1, HEAD, edits), late)[2] == ["DIF302", "DIF304"]

    def test_what_the_diff_itself_takes_away_is_gone_for_its_later_edits(self) -> None:
        gone = ("unreachable", False, ["DIF304"])
        for taking in (
            of("prune", span="a"),
            of("rewrite", span="a", op="x", into="b", content=""),
        ):
            for edit in (at(0, 0, "x"), of("prune", span="a"), of("move", span="a", after=None)):
                assert judged(A, stage("D", 1, READ_A, [taking, edit])) == gone

    def test_a_rewrite_after_an_edit_wants_what_differs_in_the_base(self) -> None:
        edits = [put("a", "", "one", "now "), of("rewrite", span="a", op="x", content="now one 2")]
        elsewhere = splice("a", T, 0, 0, "")
        assert "DIF306" not in judged(A, stage("D", 1, HEAD, edits), elsewhere)[2]
        assert "DIF306" in judged(A, stage("D", 1, HEAD, edits), splice("a", T, 8, 5, "3"))[2]


class TestChangesThatCount:
    def test_a_change_that_puts_back_what_it_took_is_none(self) -> None:
        same = splice("a", T, 0, 3, "one")
        edits = [at(4, 3, "2")]
        assert judged(A, stage("D", 1, READ_A, edits), same)[2] == []
        again = rewrite("a", T, T)
        whole = [of("rewrite", span="a", op="x", content="new")]
        assert "DIF306" not in judged(A, stage("D", 1, [], whole), again)[2]

    @pytest.mark.parametrize("change", [(0, 3, "ONE"), (4, 0, "x"), (13, 0, "!"), (0, 0, "> ")])
    def test_a_whole_rewrite_would_take_back_any_change(self, change: tuple[int, int, str]) -> None:
        staged = stage("D", 1, [], [of("rewrite", span="a", op="x", content="one two 3")])
        assert judged(A, staged, splice("a", T, *change))[:1] == ("conflict",)
        undone = (splice("a", T, *change), of("rollback", steps=1))
        assert "DIF306" not in judged(A, staged, *undone)[2]

    def test_a_position_drifts_behind_a_conflict_too(self) -> None:
        edits = [at(8, 5, "3")]
        conflict, before = splice("a", T, 10, 1, "R"), splice("a", "one two thRee", 0, 0, "> ")
        assert judged(A, stage("D", 1, HEAD, edits), conflict)[2] == ["DIF306"]
        assert judged(A, stage("D", 1, HEAD, edits), conflict, before)[2] == ["DIF302", "DIF306"]

    def test_what_a_read_says_beyond_the_end_was_not_read(self) -> None:
        reads = [{"span": "a", "range": [8, 99]}]
        more = splice("a", T, 13, 0, "!")
        assert judged(A, stage("D", 1, reads, []), more)[0] == "reconcilable"


class TestUnknownGround:
    def test_an_anchor_needs_no_base(self) -> None:
        known = of("observe", contents={"a": T})
        lost = stage("D", 1, [], [put("a", "nowhere", "", "x")])
        assert judged(A, GAP, known, lost) == ("unknown", False, ["DIF304"])

    def test_a_tombstone_in_doubt_may_live_again(self) -> None:
        reads = stage("D", 1, READ_A, [])
        assert judged(A, reads, copy("a", "a2", "new"))[0] == "stale"
        assert judged(A, reads, copy("a", "a2", "new"), GAP)[0] == "unknown"
        assert judged(A, reads, prune("a", T), GAP)[0] == "stale"

    def test_a_span_in_doubt_may_not_have_come(self) -> None:
        base = stage("D", 1, [{"all": True}], [])
        assert judged(A, base, ingest("b", "new"))[0] == "stale"
        assert judged(A, base, ingest("b", "new"), GAP)[0] == "unknown"


class TestTombstones:
    def test_what_was_read_of_a_tombstone_that_lives_again_still_holds(self) -> None:
        reads = [{"span": "a", "hash": content_hash(T)}]
        back = of("rollback", steps=1)
        events = (A, copy("a", "a2", "new"), stage("D", 2, reads, []), back)
        assert judged(*events)[0] == "reconcilable"


class TestFragile:
    TWICE = "ok\nok\n"
    INSERT = put("a", "one ", "two", "X")

    def test_an_unplaced_diff_is_not_also_fragile(self) -> None:
        edits = [put("a", "ok\n", "", "ok\n"), put("a", "nowhere", "", "x")]
        assert judged(ingest("a", self.TWICE), stage("D", 1, READ_A, edits))[1:] == (
            False,
            ["DIF304", "DIF307"],
        )

    def test_an_edit_that_a_rewrite_of_its_own_follows_is_not(self) -> None:
        fragile = put("a", "", "one", "> ")
        assert judged(A, stage("D", 1, READ_A, [fragile]))[1]
        whole = of("rewrite", span="a", op="x", content="new")
        assert not judged(A, stage("D", 1, READ_A, [fragile, whole]))[1]

    def test_nor_is_an_edit_that_writes_nothing(self) -> None:
        assert not judged(A, stage("D", 1, READ_A, [at(0, 3, "one")]))[1]

    def test_another_diffs_edits_are_tried_as_an_apply_would_make_them(self) -> None:
        mine = stage("D", 1, READ_A, [self.INSERT])
        there = stage("E", 1, READ_A, [at(4, 1, "x")])
        elsewhere = stage("E", 1, READ_A, [at(9, 1, "x"), put("a", "nowhere", "", "x")])
        assert judged(A, mine, there)[1]
        assert not judged(A, mine, elsewhere)[1]
        copied = of("rewrite", span="a", op="x", into="b", content="one Xtwo three")
        assert judged(A, mine, stage("E", 1, READ_A, [copied]))[1]


class TestExpectedText:
    """A positional edit that says which text it replaces."""

    @pytest.mark.parametrize(
        ("edits", "rules"),
        [
            ([at(4, 3, "2", original="two")], []),
            ([at(4, 0, "2 ", original="")], []),
            ([at(8, 5, "3", original="three"), at(4, 3, "2", original="two")], []),
            ([at(4, 3, "2", original="one")], ["DIF304"]),
            ([at(4, 3, "2", original="two ")], ["DIF304"]),
            ([at(4, 3, "2", original="two"), at(8, 5, "3", original="three")], ["DIF304"]),
        ],
        ids=[
            "right",
            "nothing",
            "from behind",
            "another",
            "a longer one",
            "of before its own edit",
        ],
    )
    def test_it_must_be_there_at_the_base(self, edits: list[Fields], rules: list[str]) -> None:
        events = (A, stage("D", 1, READ_A, edits))
        assert [rule for rule in judged(*events)[2] if rule != "DIF305"] == rules
        assert differences(*events) == []

    @pytest.mark.parametrize(
        ("change", "rules"),
        [
            (splice("a", T, 0, 3, "uno"), ["DIF302"]),
            (splice("a", T, 0, 3, "1"), ["DIF302"]),
            (splice("a", T, 4, 3, "TWO"), ["DIF302", "DIF306"]),
            (splice("a", T, 8, 5, "3"), []),
        ],
        ids=["before", "shifted", "itself", "behind"],
    )
    def test_what_changed_since_is_drift(self, change: Fields, rules: list[str]) -> None:
        events = (A, stage("D", 1, [], [at(4, 3, "2", original="two")]), change)
        assert judged(*events)[2] == rules
        assert differences(*events) == []
