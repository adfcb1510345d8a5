"""DIF301 to DIF307 and the verdicts: may this diff still be applied?"""

from __future__ import annotations

from typing import Any

import pytest
from support.journals import (
    Fields,
    copy,
    ids,
    ingest,
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
from spanscope.model.content import content_hash

T = "one two three"
L = "first\nsecond\nthird\n"
A = ingest("a", T)
B = ingest("b", "other")
LINES = ingest("l", L)
TWO = splice("a", T, 4, 3, "2")
N = "one 2 three"
BACK = of("rollback", steps=1)
GAP = of("gap", reason="x")
READ_A = [{"span": "a"}]
PUT = put("a", "one ", "two", "and ")
HEAD = [{"span": "a", "range": [0, 3]}]
"""A read of `one` alone, so that changes behind it are no drift."""


def judged(history: History, diff: str = "D") -> tuple[str, bool, list[str]]:
    """Verdict, fragile, and the rules of all reasons, at the end."""
    rows = {row.diff.diff: row.judgement for row in history.at(history.last).staging()}
    now = rows[diff]
    return now.verdict, now.fragile, list(now.rules)


def verdict(*events: Any, **header: Any) -> str:
    return judged(recorded(*events, **header))[0]


class TestVerdict:
    """Staleness is judged first, reconciliation only sees the survivors."""

    D = stage("D", 2, READ_A, [PUT])

    def test_admissible_while_the_buffer_is_byte_for_byte_the_base(self) -> None:
        assert verdict(A, B, self.D) == "admissible"

    def test_admissible_again_where_a_change_was_undone(self) -> None:
        assert verdict(A, B, self.D, rewrite("b", "other", "x"), BACK) == "admissible"

    @pytest.mark.parametrize(
        "elsewhere",
        [
            rewrite("b", "other", "x"),
            ingest("c", "new"),
            prune("b", "other"),
            of("move", span="b", after=None),
            copy("b", "b2", "other"),
        ],
        ids=["content", "a new span", "one less", "the order", "the same text under another id"],
    )
    def test_reconcilable_where_it_moved_elsewhere(self, elsewhere: Fields) -> None:
        assert verdict(A, B, self.D, elsewhere) == "reconcilable"

    def test_stale_comes_before_unreachable(self) -> None:
        history = recorded(A, B, self.D, prune("a", T))
        assert judged(history) == ("stale", False, ["DIF301", "DIF304"])

    def test_unreachable_comes_before_conflict(self) -> None:
        edits = [put("a", " two", "", "!"), put("b", "oth", "er", "")]
        blind = stage("D", 2, [], edits)
        history = recorded(A, B, blind, splice("a", T, 7, 0, "?"), prune("b", "other"))
        assert judged(history)[::2] == ("unreachable", ["DIF304", "DIF306"])

    def test_stale_where_something_is_known_to_have_drifted_though_more_is_unknown(self) -> None:
        reads = [{"span": "a"}, {"span": "b"}]
        history = recorded(A, B, stage("D", 2, reads, []), prune("a", T), of("gap", reason="x"))
        assert judged(history)[0] == "stale"

    @pytest.mark.parametrize("reads", [READ_A, [{"all": True}], []])
    def test_unknown_where_it_cannot_be_told(self, reads: list[Fields]) -> None:
        history = recorded(A, B, stage("D", 2, reads, [PUT]), GAP)
        assert (judged(history)[0], "diff D" in unknown(history)) == ("unknown", True)

    def test_known_again_with_the_digest(self) -> None:
        digest = recorded(A, B).state.digest()
        assert verdict(A, B, self.D, GAP, of("observe", digest=digest)) == "admissible"

    def test_after_lost_lines_only_digests_decide(self) -> None:
        digest = recorded(A, B).state.digest()
        known = (A, B, GAP, of("observe", digest=digest))
        staged = stage("D", 2, READ_A, [PUT])
        assert verdict(*known, staged) == "unknown"
        assert verdict(*known, staged | {"base": {"revision": 2, "digest": digest}}) == "admissible"


class TestReads:
    """DIF301: what was read drifted."""

    @pytest.mark.parametrize(
        "drift",
        [
            TWO,
            rewrite("a", T, "x"),
            prune("a", T),
            copy("a", "a2", T),
            of("observe", contents={"a": "x"}),
        ],
        ids=["splice", "rewrite", "prune", "tombstone", "observe"],
    )
    def test_its_content_differs_or_it_is_no_longer_live(self, drift: Fields) -> None:
        history = recorded(A, stage("D", 1, READ_A, []), drift)
        assert (judged(history)[0], ids(history, "DIF")) == ("stale", ["DIF301@3"])
        said = the(history, "DIF301")
        assert (said.severity, said.caused_by) == ("warning", None)
        assert said.evidence["reasons"][0]["cause"] == 3

    @pytest.mark.parametrize(
        "change",
        [rewrite("a", T, T), of("move", span="a", after="b"), rewrite("b", "other", "x")],
        ids=["same bytes", "moved", "another span"],
    )
    def test_nothing_else_drifts_it(self, change: Fields) -> None:
        assert ids(recorded(A, B, stage("D", 2, READ_A, []), change), "DIF") == []

    def test_what_drifted_between_its_base_and_its_stage_is_said_at_stage(self) -> None:
        history = recorded(A, TWO, stage("D", 1, READ_A, []))
        assert (ids(history, "DIF"), the(history, "DIF301").caused_by) == (["DIF301@3"], 2)

    def test_its_base_is_the_last_buffer_that_had_that_revision(self) -> None:
        push = splice("a", T, 0, 0, "> ", version=2)
        history = recorded(A, TWO, of("abort", of=2), push, stage("D", 2, READ_A, []))
        assert judged(history) == ("admissible", False, [])

    def test_said_once_while_it_stays_true_and_again_when_it_becomes_true_again(self) -> None:
        more = splice("a", N, 0, 3, "1", version=2)
        events = (A, stage("D", 1, READ_A, []), TWO, more, BACK, BACK, TWO | {"version": 9})
        assert ids(recorded(*events), "DIF301") == ["DIF301@3", "DIF301@7"]

    def test_a_drift_that_is_undone_is_none_any_more(self) -> None:
        assert verdict(A, stage("D", 1, READ_A, []), TWO, BACK) == "admissible"

    def test_a_drift_by_its_own_author_drifts_all_the_same(self) -> None:
        history = recorded(A, stage("D", 1, READ_A, [], actor="sub"), TWO | {"actor": "sub"})
        assert the(history, "DIF301").evidence["self_inflicted"] is True
        other = recorded(A, stage("D", 1, READ_A, [], actor="sub"), TWO)
        assert the(other, "DIF301").evidence["self_inflicted"] is False

    def test_the_evidence_says_who_when_and_against_what(self) -> None:
        history = recorded(A, B, stage("D", 2, READ_A, [put("b", "oth", "er", "!")]), TWO)
        evidence = the(history, "DIF301").evidence
        assert evidence["reasons"][0]["actor"] == "agent"
        assert evidence["reasons"][0]["thing"] == "read a"
        assert evidence["base"]["revision"] == 2
        assert evidence["write_set_passes"] is True

    def test_a_write_set_check_that_would_not_let_it_pass(self) -> None:
        history = recorded(A, stage("D", 1, READ_A, [put("a", "", "one", "", delete=0)]), TWO)
        assert the(history, "DIF301").evidence["write_set_passes"] is True
        clash = stage("D", 1, READ_A, [put("a", "one ", " three", "II", delete=3)])
        assert the(recorded(A, clash, TWO), "DIF301").evidence["write_set_passes"] is False

    @pytest.mark.parametrize(
        ("change", "drifts"),
        [
            (splice("a", T, 4, 3, "2"), True),
            (splice("a", T, 5, 0, "w"), True),
            (splice("a", T, 0, 0, "> "), False),
            (splice("a", T, 4, 0, "> "), False),
            (splice("a", T, 7, 0, "!"), False),
            (splice("a", T, 4, 3, "two"), False),
            (rewrite("a", T, "1 two three"), False),
            (rewrite("a", T, "one 2 three"), True),
            (rewrite("a", T, "ONE TWO THREE"), True),
            (prune("a", T), True),
        ],
    )
    def test_of_a_range_only_its_text_counts(self, change: Fields, drifts: bool) -> None:
        reads = [{"span": "a", "range": [4, 7]}]
        history = recorded(A, stage("D", 1, reads, []), change)
        assert ids(history, "DIF") == (["DIF301@3"] if drifts else [])

    @pytest.mark.parametrize(
        "change",
        [
            TWO,
            ingest("c", "new"),
            prune("b", "other"),
            of("move", span="b", after=None),
            copy("b", "b2", "other"),
        ],
        ids=["content", "others", "gone", "order", "another id"],
    )
    def test_all_reads_every_span_their_order_and_that_there_are_no_others(
        self, change: Fields
    ) -> None:
        history = recorded(A, B, stage("D", 2, [{"all": True}], []), change)
        assert ids(history, "DIF301") == ["DIF301@4"]
        assert the(history, "DIF301").evidence["reasons"][0]["cause"] == 4

    def test_all_drifts_no_more_where_it_was_undone(self) -> None:
        events = (A, B, stage("D", 2, [{"all": True}], []), ingest("c", "new"), BACK)
        assert verdict(*events) == "admissible"


class TestOldReads:
    """A read's hash of another revision is an old read; one that never was, a phantom."""

    def test_an_old_hash_is_a_drift_at_stage(self) -> None:
        reads = [{"span": "a", "hash": content_hash(T)}]
        history = recorded(A, TWO, stage("D", 2, reads, []))
        assert (ids(history, "DIF"), the(history, "DIF301").caused_by) == (["DIF301@3"], 2)

    def test_the_hash_that_it_has_now_is_none_whatever_the_base(self) -> None:
        reads = [{"span": "a", "hash": content_hash(N)}]
        assert ids(recorded(A, TWO, stage("D", 1, reads, [])), "DIF") == []

    def test_a_hash_that_the_span_never_had(self) -> None:
        reads = [{"span": "a", "hash": content_hash("x")}]
        history = recorded(A, stage("D", 1, reads, []))
        assert (ids(history, "DIF"), judged(history)[0]) == (["DIF313@2"], "stale")

    def test_of_a_range_it_is_the_hash_of_its_text(self) -> None:
        ranged = {"span": "a", "range": [4, 7]}
        right = [ranged | {"hash": content_hash("two")}]
        assert ids(recorded(A, stage("D", 1, right, [])), "DIF") == []
        phantom = [ranged | {"hash": content_hash(T)}]
        assert ids(recorded(A, stage("D", 1, phantom, [])), "DIF") == ["DIF313@2"]
        old = splice("a", T, 4, 3, "TWO")
        history = recorded(A, old, stage("D", 2, right, []))
        assert ids(history, "DIF") == ["DIF301@3"]

    @pytest.mark.parametrize("revision", [9, -1])
    def test_a_revision_that_never_was(self, revision: int) -> None:
        history = recorded(A, stage("D", revision, READ_A, []))
        assert (ids(history, "DIF"), judged(history)[0]) == (["DIF313@2"], "stale")
        assert the(history, "DIF313").severity == "error"

    def test_a_digest_that_is_not_that_revisions(self) -> None:
        digest = recorded(A).state.digest()
        right = stage("D", 1, READ_A, []) | {"base": {"revision": 1, "digest": digest}}
        assert ids(recorded(A, right), "DIF") == []
        wrong = right | {"base": {"revision": 0, "digest": digest}, "reads": []}
        assert ids(recorded(A, wrong), "DIF") == ["DIF313@2"]

    def test_a_span_that_was_not_there_at_the_base(self) -> None:
        history = recorded(A, B, stage("D", 1, [{"span": "b"}], []))
        assert ids(history, "DIF") == ["DIF313@3"]

    def test_a_read_of_what_the_diff_brings_in_itself_is_no_read(self) -> None:
        assert ids(recorded(A, stage("D", 1, [{"span": "n"}], [ingest("n", "x")])), "DIF") == []


class TestPositions:
    """DIF302: a change at or before a positional anchor since the base."""

    @pytest.mark.parametrize(
        ("change", "fires"),
        [
            (splice("a", T, 0, 0, "> "), True),
            (splice("a", T, 2, 2, ""), True),
            (splice("a", T, 4, 0, "!"), True),
            (splice("a", T, 0, 3, "ONE"), True),
            (splice("a", T, 5, 1, "W"), False),
            (splice("a", T, 8, 5, "3"), False),
            (rewrite("b", "other", "x"), False),
        ],
        ids=["before", "up to it", "at it", "same length", "behind", "far", "another span"],
    )
    def test_the_at_of_an_edit(self, change: Fields, fires: bool) -> None:
        edit = of("splice", span="a", at=4, delete=0, insert="and ")
        reads = [{"span": "a", "range": [4, 4]}]
        history = recorded(A, B, stage("D", 2, reads, [edit]), change)
        assert ids(history, "DIF302") == (["DIF302@4"] if fires else [])

    def test_an_edit_with_an_anchor_is_not_positional(self) -> None:
        edit = PUT | {"at": 4}
        history = recorded(A, stage("D", 1, HEAD, [edit]), splice("a", T, 0, 0, "> "))
        assert ids(history, "DIF302") == []

    def test_a_change_that_was_undone_is_none(self) -> None:
        edit = of("splice", span="a", at=4, delete=0, insert="and ")
        push = splice("a", T, 0, 0, "> ")
        history = recorded(A, stage("D", 1, READ_A, [edit]), push, BACK)
        assert judged(history) == ("admissible", False, [])

    def test_its_own_earlier_edits_are_no_change(self) -> None:
        edits = [
            of("splice", span="a", at=0, delete=0, insert="> "),
            of("splice", span="a", at=6, delete=3, insert="2"),
        ]
        assert judged(recorded(A, stage("D", 1, READ_A, edits)))[0] == "admissible"

    @pytest.mark.parametrize(
        ("change", "rules"),
        [
            (splice("l", L, 0, 0, "new\n"), ["DIF302", "DIF303"]),
            (splice("l", L, 0, 5, "First"), ["DIF302"]),
            (splice("l", L, 6, 6, "SECOND"), ["DIF302", "DIF303"]),
            (splice("l", L, 13, 5, "3rd"), []),
        ],
        ids=["a line above", "in a line above", "in the line", "below"],
    )
    def test_a_line_of_a_span(self, change: Fields, rules: list[str]) -> None:
        refs = [{"kind": "line", "span": "l", "line": 2, "text": "second"}]
        reads = [{"span": "l", "range": [0, 0]}]
        history = recorded(LINES, stage("D", 1, reads, [], refs=refs), change)
        assert judged(history)[2] == rules

    @pytest.mark.parametrize(
        ("change", "rules"),
        [
            (splice("a", T, 0, 3, "1"), ["DIF302"]),
            (prune("a", T), ["DIF302", "DIF303"]),
            (ingest("n", "new", after=None), ["DIF302", "DIF303"]),
            (ingest("n", "new", after="l"), []),
            (splice("l", L, 13, 5, "3rd"), []),
        ],
        ids=["a span above", "one less above", "one more above", "behind", "below"],
    )
    def test_a_line_of_the_whole_buffer(self, change: Fields, rules: list[str]) -> None:
        refs = [{"kind": "line", "line": 3, "text": "second"}]
        history = recorded(A, LINES, stage("D", 2, [], [], refs=refs), change)
        assert [rule for rule in judged(history)[2] if rule != "DIF314"] == rules

    @pytest.mark.parametrize(
        ("change", "rules"),
        [
            (ingest("n", "new", after=None), ["DIF302", "DIF303"]),
            (ingest("n", "new", after="b"), []),
            (of("move", span="b", after=None), ["DIF302", "DIF303"]),
            (prune("a", T), ["DIF302", "DIF303"]),
            (rewrite("b", "other", "x"), []),
        ],
        ids=["before", "behind", "moved", "one less", "its text"],
    )
    def test_a_place_in_the_order(self, change: Fields, rules: list[str]) -> None:
        refs = [{"kind": "index", "span": "b", "index": 1}]
        reads = [{"span": "b", "range": [0, 0]}]
        history = recorded(A, B, stage("D", 2, reads, [], refs=refs), change)
        assert judged(history)[2] == rules


class TestReferences:
    """DIF303: everything that a diff refers to resolves in the live buffer."""

    @staticmethod
    def staged(*refs: Fields, edits: list[Fields] | None = None) -> Fields:
        return stage("D", 1, READ_A, edits or [], refs=list(refs))

    @pytest.mark.parametrize(
        ("ref", "resolves"),
        [
            ({"kind": "span", "span": "a"}, True),
            ({"kind": "quote", "span": "a", "text": "two"}, True),
            ({"kind": "quote", "span": "a", "text": "Two"}, False),
            ({"kind": "line", "span": "a", "line": 1, "text": T}, True),
            ({"kind": "line", "span": "a", "line": 1, "text": "one"}, False),
            ({"kind": "line", "span": "a", "line": 1}, True),
            ({"kind": "line", "span": "a", "line": 2}, False),
            ({"kind": "line", "span": "a", "line": 0}, False),
            ({"kind": "line", "line": 1, "text": T}, True),
            ({"kind": "line", "line": 2}, False),
            ({"kind": "index", "span": "a", "index": 0}, True),
            ({"kind": "index", "span": "a", "index": 1}, False),
            ({"kind": "hash", "hash": content_hash(T)}, True),
            ({"kind": "hash", "hash": content_hash("x")}, False),
        ],
    )
    def test_at_stage(self, ref: Fields, resolves: bool) -> None:
        history = recorded(A, self.staged(ref))
        assert ids(history, "DIF") == ([] if resolves else ["DIF303@2"])
        assert judged(history)[0] == ("admissible" if resolves else "stale")

    @pytest.mark.parametrize("gone", [prune("a", T), copy("a", "a2", "x")])
    @pytest.mark.parametrize(
        "ref",
        [
            {"kind": "span", "span": "a"},
            {"kind": "quote", "span": "a", "text": "two"},
            {"kind": "hash", "hash": content_hash(T)},
        ],
        ids=["span", "quote", "hash"],
    )
    def test_gone_since(self, ref: Fields, gone: Fields) -> None:
        history = recorded(A, self.staged(ref), gone)
        assert ids(history, "DIF303") == ["DIF303@3"]

    def test_a_hash_inside_inserted_text_is_a_reference_by_itself(self) -> None:
        says = put("a", "one ", "two", f"(see {content_hash('x')}) ")
        assert ids(recorded(A, self.staged(edits=[says])), "DIF303") == ["DIF303@2"]
        holds = put("a", "one ", "two", f"(see {content_hash(T)}) ")
        assert ids(recorded(A, self.staged(edits=[holds])), "DIF303") == []

    @pytest.mark.parametrize(
        "edits",
        [[ingest("n", "new two")], [of("rewrite", span="a", op="x", into="n", content="new two")]],
        ids=["ingest", "copy"],
    )
    def test_what_the_diff_brings_in_itself_resolves(self, edits: list[Fields]) -> None:
        refs: list[Fields] = [
            {"kind": "span", "span": "n"},
            {"kind": "quote", "span": "n", "text": "two"},
            {"kind": "line", "span": "n", "line": 1, "text": "new two"},
            {"kind": "hash", "hash": content_hash("new two")},
        ]
        assert ids(recorded(A, self.staged(*refs, edits=edits))) == []

    def test_in_unknown_content_nothing_is_said(self) -> None:
        ref = {"kind": "quote", "span": "a", "text": "two"}
        history = recorded(A, self.staged(ref), GAP)
        assert (ids(history, "DIF"), judged(history)[0]) == ([], "unknown")


class TestPlaces:
    """DIF304: no place for an edit."""

    @pytest.mark.parametrize(
        ("edit", "change"),
        [
            (PUT, prune("a", T)),
            (PUT, copy("a", "a2", "x")),
            (PUT, rewrite("a", T, "x")),
            (PUT, rewrite("a", T, "one two, one two")),
            (of("prune", span="a"), prune("a", T)),
            (of("rewrite", span="a", op="x", content="x"), prune("a", T)),
            (of("move", span="a", after=None), prune("a", T)),
            (of("move", span="b", after="a"), prune("a", T)),
            (ingest("n", "x", after="a"), prune("a", T)),
        ],
        ids=[
            *("pruned", "tombstone", "nowhere", "twice", "prune", "rewrite", "move"),
            *("moved after it", "ingested after it"),
        ],
    )
    def test_its_target_is_gone_or_its_anchor_finds_no_place(
        self, edit: Fields, change: Fields
    ) -> None:
        history = recorded(A, B, stage("D", 2, [], [edit]), change)
        assert (judged(history)[0], "DIF304" in judged(history)[2]) == ("unreachable", True)
        assert ids(history, "DIF304") == ["DIF304@4"]

    @pytest.mark.parametrize(
        "edit",
        [
            put("a", "ONE", "", "x"),
            put("a", "", "", "x", delete=1),
            put("a", "one ", " three", "x", delete=3, original="TWO"),
            of("splice", span="a", delete=3, insert="x", original="TWO"),
            of("splice", span="a", at=14, delete=0, insert="x"),
            of("splice", span="a", at=11, delete=3, insert="x"),
        ],
        ids=["nowhere", "anywhere", "another text", "no such text", "outside", "past the end"],
    )
    def test_at_stage(self, edit: Fields) -> None:
        assert "DIF304@2" in ids(recorded(A, stage("D", 1, READ_A, [edit])), "DIF")

    def test_an_original_alone_finds_its_place(self) -> None:
        edit = of("splice", span="a", delete=3, insert="2", original="two")
        assert judged(recorded(A, stage("D", 1, READ_A, [edit])))[0] == "admissible"

    def test_its_later_edits_may_name_what_it_ingests(self) -> None:
        edits = [ingest("n", "new"), put("n", "new", "", "!"), of("move", span="a", after="n")]
        assert judged(recorded(A, stage("D", 1, READ_A, edits)))[0] == "admissible"

    def test_its_later_edits_are_placed_in_what_the_earlier_left(self) -> None:
        edits = [put("a", "one ", " three", "2", delete=3), put("a", "one 2", " three", "!")]
        assert judged(recorded(A, stage("D", 1, READ_A, edits)))[0] == "admissible"


class TestFragile:
    """DIF305: one more write and its inverse would not be found."""

    SAME = "one. one. one. "
    REPEAT = put("r", "", SAME, "one. ")
    """After it the text is four times the same, and only both ends together tell which."""

    def test_a_character_beside_it_would_hide_the_place(self) -> None:
        history = recorded(ingest("r", self.SAME), stage("D", 1, [{"span": "r"}], [self.REPEAT]))
        assert judged(history) == ("admissible", True, ["DIF305"])
        said = the(history, "DIF305")
        assert (said.severity, said.id) == ("warning", "DIF305@2")
        assert "one character inserted in r at" in said.evidence["write"]

    @pytest.mark.parametrize(
        ("text", "edit"),
        [
            ("ab-ab", of("splice", span="r", at=2, delete=1, insert="")),
            (T, put("r", "", "one", "> ")),
            (T, put("r", "three", "", "!")),
        ],
        ids=["a deletion among its like", "at the start", "at the end"],
    )
    def test_so_is_what_has_one_anchor_or_two_of_a_kind(self, text: str, edit: Fields) -> None:
        history = recorded(ingest("r", text), stage("D", 1, [{"span": "r"}], [edit]))
        assert judged(history)[1] is True

    @pytest.mark.parametrize(
        "edit",
        [
            PUT,
            put("a", "one ", " three", "2", delete=3),
            put("a", "one ", " three", "", delete=3),
        ],
        ids=["insertion", "replacement", "deletion"],
    )
    def test_what_is_unique_is_not(self, edit: Fields) -> None:
        assert judged(recorded(A, stage("D", 1, READ_A, [edit]))) == ("admissible", False, [])

    @pytest.mark.parametrize(
        "edit",
        [
            of("rewrite", span="r", op="x", content="one. one. one. one. "),
            of("rewrite", span="r", op="x", into="r2", content="one. one. one. one. "),
            of("prune", span="r"),
            of("move", span="r", after=None),
            ingest("n", "one. one. "),
        ],
        ids=["rewrite", "copy", "prune", "move", "ingest"],
    )
    def test_whole_spans_never_are(self, edit: Fields) -> None:
        history = recorded(ingest("r", self.SAME), stage("D", 1, [{"span": "r"}], [edit]))
        assert judged(history)[1] is False

    @pytest.mark.parametrize(
        ("other", "fragile"),
        [
            (of("rewrite", span="a", op="x", content="all new"), True),
            (of("prune", span="a"), True),
            (put("a", "on", "", "", delete=9), True),
            (put("a", "three", "", "!"), False),
            (of("rewrite", span="b", op="x", content="all new"), False),
            (of("move", span="a", after=None), False),
        ],
        ids=["rewrite", "prune", "around it", "beside it", "another span", "move"],
    )
    def test_the_edits_of_another_staged_diff(self, other: Fields, fragile: bool) -> None:
        mine, theirs = stage("D", 2, READ_A, [PUT]), stage("E", 2, [], [other], actor="x")
        history = recorded(A, B, mine, theirs)
        assert judged(history)[1] is fragile
        if fragile:
            assert "staged diff E" in the(history, "DIF305").evidence["write"]
            assert (the(history, "DIF305").id, judged(history)[0]) == ("DIF305@4", "admissible")

    def test_no_more_when_the_other_diff_has_left(self) -> None:
        theirs = stage("E", 1, [], [of("prune", span="a")], actor="x")
        history = recorded(A, stage("D", 1, READ_A, [PUT]), theirs, of("withdraw", diff="E"))
        assert judged(history) == ("admissible", False, [])

    def test_it_stands_beside_any_verdict(self) -> None:
        repeat = stage("D", 2, [{"span": "a"}, {"span": "r"}], [self.REPEAT])
        history = recorded(ingest("r", self.SAME), A, repeat, TWO)
        assert judged(history) == ("stale", True, ["DIF301", "DIF305"])

    def test_at_a_later_event_that_makes_it_so(self) -> None:
        edit = of("splice", span="a", delete=3, insert="2", original="two")
        staged = stage("D", 1, [], [edit])
        history = recorded(A, staged, splice("a", T, 0, 4, ""))
        assert (ids(history, "DIF305"), judged(history)[0]) == (["DIF305@3"], "reconcilable")


class TestConflict:
    """DIF306: both want the same characters."""

    @pytest.mark.parametrize(
        ("edit", "change", "conflict"),
        [
            (("one ", " three", "II", 3), (4, 3, "2"), True),
            (("one ", " three", "II", 3), (6, 3, "_"), True),
            (("one ", " three", "II", 3), (5, 0, "w"), True),
            (("one tw", "o", "W", 0), (4, 3, "2"), True),
            (("one ", "two", "and ", 0), (4, 0, "or "), True),
            (("one ", " three", "II", 3), (7, 1, "_"), False),
            (("one ", " three", "II", 3), (3, 1, "_"), False),
            (("one ", " three", "II", 3), (4, 0, "or "), False),
            (("one ", " three", "II", 3), (7, 0, ","), False),
            (("one ", "two", "and ", 0), (4, 3, "2"), False),
            (("one two", "", "!", 0), (0, 3, "1"), False),
        ],
        ids=[
            *("the same", "one shared", "theirs inside", "mine inside", "one point"),
            *("right behind", "right before", "they insert before", "they insert behind"),
            *("I insert before", "far"),
        ],
    )
    def test_of_splices(
        self, edit: tuple[str, str, str, int], change: tuple[int, int, str], conflict: bool
    ) -> None:
        before, after, insert, delete = edit
        staged = stage("D", 1, [], [put("a", before, after, insert, delete)])
        history = recorded(A, staged, splice("a", T, *change))
        assert ("DIF306" in judged(history)[2]) is conflict

    @pytest.mark.parametrize(
        ("instead", "judgement"),
        [
            ("TWO", ("conflict", ["DIF306"])),
            ("second", ("unreachable", ["DIF304", "DIF306"])),
        ],
    )
    def test_another_text_than_the_original_between_its_anchors_is_the_conflict(
        self, instead: str, judgement: tuple[str, list[str]]
    ) -> None:
        staged = stage("D", 1, [], [put("a", "one ", " three", "2", 3, original="two")])
        history = recorded(A, staged, splice("a", T, 4, 3, instead))
        assert judged(history)[::2] == judgement

    def test_both_replace_the_whole_span(self) -> None:
        blind = stage("D", 1, [], [of("rewrite", span="a", op="x", content=T + "!")])
        history = recorded(A, blind, rewrite("a", T, "!" + T))
        assert judged(history)[::2] == ("conflict", ["DIF306"])
        said = the(history, "DIF306")
        assert (said.severity, said.evidence["reasons"][0]["cause"]) == ("warning", 3)

    def test_a_whole_rewrite_counts_as_its_differing_middle(self) -> None:
        blind = stage("D", 1, [], [put("a", "thr", "ee", "", delete=0)])
        ahead = stage("D", 1, [], [put("a", "three", "", "!")])
        assert judged(recorded(A, ahead, rewrite("a", T, "1" + T[3:])))[0] == "reconcilable"
        assert judged(recorded(A, blind, rewrite("a", T, "1" + T[3:])))[0] == "reconcilable"

    def test_undone_it_counts_no_more(self) -> None:
        staged = stage("D", 1, [], [put("a", "one ", " three", "II", 3)])
        assert judged(recorded(A, staged, TWO, BACK))[0] == "admissible"

    def test_of_a_change_at_the_base_there_is_none(self) -> None:
        staged = stage("D", 2, [], [put("a", "one ", " three", "II", 1)])
        assert judged(recorded(A, TWO, staged))[0] == "admissible"


class TestAmbiguous:
    """DIF307: what an edit was sought by fits in several places."""

    X = ingest("x", "int a; int b; int c;")
    READ = [{"span": "x"}]

    @pytest.mark.parametrize(
        ("edit", "fires"),
        [
            (put("x", "int ", "", "u", 0), True),
            (put("x", "", " ", "x", 3), True),
            (put("x", "int ", "; int b", "u", 1), False),
            (of("splice", span="x", delete=3, insert="u", original="int"), True),
            (of("splice", span="x", delete=5, insert="u", original="int b"), False),
            (of("splice", span="x", at=7, delete=3, insert="u", original="int"), False),
        ],
        ids=["anchor", "after", "unique", "original", "unique original", "at decides"],
    )
    def test_staged(self, edit: Fields, fires: bool) -> None:
        history = recorded(self.X, stage("D", 1, self.READ, [edit]))
        assert ids(history, "DIF307") == (["DIF307@2"] if fires else [])
        if fires:
            assert the(history, "DIF307").severity == "warning"

    def test_it_is_no_verdict_of_its_own(self) -> None:
        edit = put("x", "int ", "", "u", 1, original="b")
        history = recorded(self.X, stage("D", 1, self.READ, [edit]))
        assert judged(history) == ("admissible", False, ["DIF307"])

    def direct(self, at: int, **sought: Any) -> History:
        return recorded(self.X, splice("x", "int a; int b; int c;", at, 3, "str", **sought))

    def test_direct(self) -> None:
        history = self.direct(7, anchor={"before": "", "after": " "})
        assert the(history, "DIF307").severity == "warning"
        assert the(history, "DIF307").evidence["at"] == 7

    def test_direct_and_found_in_two_places(self) -> None:
        text = "x=1;x=2;"
        sought = splice("x", text, 4, 1, "y", anchor={"before": "", "after": "="})
        history = recorded(ingest("x", text), sought)
        assert the(history, "DIF307").evidence["places"] == [0, 4]

    @pytest.mark.parametrize(
        "sought",
        [
            {"anchor": {"before": "a; ", "after": " b"}},
            {"anchor": {"before": "", "after": " b"}, "original": "int"},
            {},
        ],
    )
    def test_direct_and_found_in_one_place(self, sought: Fields) -> None:
        assert ids(self.direct(7, **sought)) == []

    @pytest.mark.parametrize(("original", "severity"), [("int", "warning"), ("INT", "error")])
    def test_direct_an_error_where_another_text_was_edited(
        self, original: str, severity: str
    ) -> None:
        history = self.direct(7, anchor={"before": "", "after": " "}, original=original)
        assert the(history, "DIF307").severity == severity

    def test_not_in_unknown_content(self) -> None:
        change = splice("x", "int a; int b; int c;", 7, 3, "str", anchor={"after": " "})
        assert ids(recorded(self.X, GAP, change), "DIF") == []


def test_a_read_whole_buffer_keeps_its_first_cause_until_that_is_undone() -> None:
    other = ingest("b", "other")
    staged = stage("D", 2, [{"all": True}], [put("a", "one ", "two", "x")])
    first = splice("b", "other", 0, 0, "> ")
    later = splice("a", T, 13, 0, "!")
    history = recorded(A, other, staged, first, later, of("rollback", of=[4]))
    causes = [
        [reason.cause for reason in history.at(seq).staging()[0].judgement.reasons][:1]
        for seq in (4, 5, 6)
    ]
    assert causes == [[4], [4], [5]]


def test_a_read_by_hash_drifts_where_only_the_base_is_unknown() -> None:
    anywhere = stage("V", 1, [], [of("splice", span="a", delete=0, insert="x")])
    reads = [{"span": "a", "hash": content_hash(T)}]
    now = rewrite("a", "?", "else", version=3)
    history = recorded(A, anywhere, of("apply", diff="V"), stage("D", 2, reads, []), now)
    assert history.at(4).staging()[0].judgement.verdict == "unknown"
    assert history.at(5).staging()[0].judgement.rules == ("DIF301",)


def test_what_several_reads_have_in_common_is_said_once() -> None:
    reads: list[Fields] = [{"span": "b"}, {"span": "b", "range": [0, 2]}]
    found = the(recorded(A, B, stage("D", 1, reads, [PUT])), "DIF313")
    assert found.message == "D: b was not in the buffer at the base."
    assert len(found.evidence["reasons"]) == 2
