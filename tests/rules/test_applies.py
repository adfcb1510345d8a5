"""DIF311 to DIF318: what becomes of a diff, and direct changes on an old base."""

from __future__ import annotations

from typing import Any

import pytest
from support.journals import (
    Fields,
    derive,
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
    state_of,
    the,
    unknown,
)

from spanscope.history.history import History
from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other")
TWO = splice("a", T, 4, 3, "2")
N = "one 2 three"
AFTER = "one and two three"
READ_A = [{"span": "a"}]
PUT = put("a", "one ", "two", "and ")
INVERSE = inverse(T, 4, 0, "and ")
D = stage("D", 1, READ_A, [PUT])
APPLY = of("apply", diff="D", versions={"a": 1}, inverses=[INVERSE])
REJECT = of("reject", diff="D")
BACK = of("rollback", steps=1)
GAP = of("gap", reason="x")


def text(history: History, span: str = "a") -> str | None:
    return history.state.spans[span].text


class TestApply:
    """The diff committed: one event, one undo entry; stale-apply (DIF311)."""

    def test_all_its_edits_as_one_entry(self) -> None:
        edits = [PUT, put("b", "other", "", "!"), ingest("n", "new")]
        history = recorded(A, B, stage("D", 2, READ_A, edits), of("apply", diff="D"))
        assert (text(history), text(history, "b"), text(history, "n")) == (AFTER, "other!", "new")
        rows = history.at(history.last).undo()
        assert [(row.entry.seq, row.entry.span) for row in rows] == [(4, None), (2, "b"), (1, "a")]
        assert history.state.staged == {}

    def test_while_admissible_it_is_clean(self) -> None:
        history = recorded(A, D, APPLY)
        assert (ids(history), text(history)) == ([], AFTER)

    def test_while_reconcilable_it_is_clean(self) -> None:
        history = recorded(A, B, D | {"base": {"revision": 2}}, rewrite("b", "other", "x"), APPLY)
        assert (ids(history), text(history)) == ([], AFTER)

    def test_while_stale(self) -> None:
        push = splice("a", T, 13, 0, "!")
        history = recorded(A, D, push, APPLY)
        said = the(history, "DIF311")
        assert (said.severity, said.caused_by) == ("error", 3)
        assert said.evidence["verdict"] == "stale"
        assert [reason["rule"] for reason in said.evidence["reasons"]] == ["DIF301"]
        assert text(history) == AFTER + "!"

    def test_while_in_conflict(self) -> None:
        clash = stage("D", 1, [], [put("a", "one ", " three", "II", 3)])
        edits = [of("splice", span="a", at=4, delete=1, insert="II")]
        history = recorded(A, clash, TWO, of("apply", diff="D", edits=edits))
        assert the(history, "DIF311").evidence["verdict"] == "unreachable"
        both = stage("D", 1, [], [of("rewrite", span="a", op="x", content="x")])
        history = recorded(A, both, rewrite("a", T, "y"), of("apply", diff="D"))
        assert the(history, "DIF311").evidence["verdict"] == "conflict"

    def test_while_unreachable(self) -> None:
        history = recorded(A, stage("D", 1, [], [PUT]), prune("a", T), of("apply", diff="D"))
        assert the(history, "DIF311").evidence["verdict"] == "unreachable"
        assert the(history, "DIF311").caused_by == 3

    def test_caused_by_its_first_reason(self) -> None:
        reads = [{"span": "a"}, {"span": "b"}]
        refs = [{"kind": "quote", "span": "b", "text": "other"}]
        staged = stage("D", 2, reads, [PUT], refs=refs)
        history = recorded(A, B, staged, rewrite("b", "other", "x"), TWO, of("apply", diff="D"))
        assert the(history, "DIF311").caused_by == 4

    def test_where_nothing_but_the_diff_is_to_blame_the_stage_is(self) -> None:
        history = recorded(A, D | {"base": {"revision": 9}}, APPLY)
        assert the(history, "DIF311").caused_by == 2

    @pytest.mark.parametrize("outcome", ["failed", "noop"])
    def test_what_did_not_happen_is_none_and_stays_staged(self, outcome: str) -> None:
        tail = splice("a", T, 13, 0, "!")
        history = recorded(A, D, tail, of("apply", diff="D", outcome=outcome))
        assert (ids(history), text(history)) == (["DIF301@3"], T + "!")
        assert list(history.state.staged) == ["D"]

    def test_while_unknown_it_is_listed_and_not_accused(self) -> None:
        history = recorded(A, D, GAP, APPLY)
        assert (ids(history, "DIF"), unknown(history)["diff D"][0]) == ([], 3)

    def test_of_a_diff_that_is_not_staged_its_edits_still_count(self) -> None:
        edits = [of("splice", span="a", at=4, delete=0, insert="and ")]
        history = recorded(A, of("apply", diff="E", edits=edits, inverses=[INVERSE]))
        assert (ids(history), text(history)) == (["JNL007@2"], AFTER)
        assert [row.entry.seq for row in history.at(2).undo()] == [2, 1]

    @pytest.mark.parametrize("kind", ["apply", "reject", "withdraw"])
    def test_a_diff_leaves_once(self, kind: str) -> None:
        history = recorded(A, D, of("withdraw", diff="D"), of(kind, diff="D"))
        assert the(history, "JNL007").subject == {"diff": "D"}


class TestEditsInPlace:
    """What an edit carries as the event of its kind does: whom it tells, its own inverse."""

    WHOLE = of("rewrite", span="a", op="fold", content="x", invalidates=["c"])
    UNDO: Fields = {"original": T, "inserted": 1, "before": "", "after": ""}
    CLAIMS: Fields = {"versions": {"a": 1}, "hashes": {"a": content_hash("x")}}

    def applied(self, **more: Any) -> History:
        done = of("apply", diff="D", **self.CLAIMS) | more
        return recorded(
            A, derive("c", "a", T, cost="expensive"), stage("D", 1, [], [self.WHOLE]), done
        )

    @pytest.mark.parametrize("edits", [None, [WHOLE]])
    def test_holders_are_told_by_the_edits_that_were_applied(
        self, edits: list[Fields] | None
    ) -> None:
        history = self.applied(edits=edits, inverses=[self.UNDO])
        assert (ids(history), state_of(history, "c")) == ([], "invalidated")

    def test_only_those_that_the_applied_edits_name(self) -> None:
        silent = {**self.WHOLE, "invalidates": []}
        history = self.applied(edits=[silent], inverses=[self.UNDO])
        assert ids(history) == ["SPN101@4", "SPN121@4"]

    def test_nobody_is_told_of_what_did_not_happen(self) -> None:
        history = self.applied(outcome="noop")
        assert state_of(history, "c") == "fresh"

    def test_an_abort_takes_back_that_they_were_told(self) -> None:
        staged = stage("D", 1, [], [self.WHOLE])
        done = of("apply", diff="D", inverses=[self.UNDO], **self.CLAIMS)
        history = recorded(A, derive("c", "a", T), staged, done, of("abort", of=4))
        assert (ids(history), state_of(history, "c")) == ([], "fresh")

    def test_a_name_that_is_not_live(self) -> None:
        done = of("apply", diff="D", inverses=[self.UNDO], **self.CLAIMS)
        history = recorded(A, stage("D", 1, [], [self.WHOLE]), done)
        assert ids(history) == ["JNL007@3"]

    def test_the_edits_of_a_rollback_tell_too(self) -> None:
        back = {**self.WHOLE, "content": T, "invalidates": ["c"]}
        folded = rewrite("a", T, "x")
        held = derive("c", "a", "x", version=1)
        history = recorded(A, folded, held, of("rollback", steps=1, edits=[back]))
        assert (ids(history), state_of(history, "c")) == ([], "invalidated")

    def test_its_own_inverse_counts_where_none_is_listed(self) -> None:
        whole = {**self.WHOLE, "inverse": self.UNDO}
        for inverses in (None, [None]):
            assert ids(self.applied(edits=[whole], inverses=inverses)) == []
        wrong = {**self.UNDO, "original": "y"}
        assert "UND204@4" in ids(self.applied(edits=[whole], inverses=[wrong]))


class TestReject:
    """DIF312: needlessly refused; DIF317: livelock."""

    def test_while_admissible(self) -> None:
        history = recorded(A, D, REJECT | {"reason": "the base moved", "rule": "digest"})
        said = the(history, "DIF312")
        assert (ids(history), said.severity) == (["DIF312@3"], "warning")
        assert said.evidence == {
            "verdict": "admissible",
            "reason": "the base moved",
            "rule": "digest",
        }

    def test_while_reconcilable(self) -> None:
        base = {"base": {"revision": 2}}
        history = recorded(A, B, D | base, rewrite("b", "other", "x"), REJECT)
        assert the(history, "DIF312").evidence["verdict"] == "reconcilable"

    @pytest.mark.parametrize(
        "events",
        [
            [D, TWO, REJECT],
            [stage("D", 1, [], [PUT]), prune("a", T), REJECT],
            [stage("D", 1, [], [put("a", "one ", "two", "x")]), splice("a", T, 4, 0, "y"), REJECT],
            [stage("D", 1, READ_A, [put("a", "", "one", "> ")]), REJECT],
            [D, GAP, REJECT],
            [D, of("withdraw", diff="D")],
        ],
        ids=["stale", "unreachable", "conflict", "fragile", "unknown", "withdrawn"],
    )
    def test_not_where_it_was_right_or_cannot_be_told(self, events: list[Fields]) -> None:
        assert ids(recorded(A, *events), "DIF312") == []

    @staticmethod
    def refused(span: str = "a", actor: str = "agent") -> list[Fields]:
        edit = of("rewrite", span=span, op="x", content="x")
        return [stage("D", 2, [], [edit], actor=actor), REJECT]

    def livelocks(self, *rounds: Any) -> list[str]:
        events = [event for turn in rounds for event in turn]
        return ids(recorded(A, B, *events), "DIF317")

    def test_the_third_in_a_row(self) -> None:
        history = recorded(A, B, *self.refused() * 3)
        said = the(history, "DIF317")
        assert (said.id, said.severity, said.caused_by) == ("DIF317@8", "info", 4)
        assert said.evidence == {"rejections": [4, 6, 8], "spans": ["a"]}

    def test_neither_the_second_nor_the_fourth(self) -> None:
        assert self.livelocks(*[self.refused()] * 2) == []
        assert self.livelocks(*[self.refused()] * 5) == ["DIF317@8"]

    def test_rejections_that_were_right_count_too(self) -> None:
        edit = of("rewrite", span="a", op="x", content="x")
        turn = [stage("D", 1, READ_A, [edit]), REJECT]
        history = recorded(A, TWO, *turn * 3)
        assert (ids(history, "DIF317"), ids(history, "DIF312")) == (["DIF317@8"], [])

    def test_by_the_diffs_author_whoever_rejects(self) -> None:
        turns = [
            [stage, reject | {"actor": who}]
            for who, (stage, reject) in zip("xyz", [self.refused(actor="sub")] * 3, strict=True)
        ]
        assert self.livelocks(*turns) == ["DIF317@8"]

    @pytest.mark.parametrize(
        "between",
        [
            [
                stage("E", 2, [], [of("rewrite", span="b", op="x", content="x")]),
                of("reject", diff="E"),
            ],
            [
                stage("E", 2, [], [of("rewrite", span="a", op="x", content="y")]),
                of("apply", diff="E"),
            ],
        ],
        ids=["over other spans", "an apply over them"],
    )
    def test_what_ends_the_row(self, between: list[Fields]) -> None:
        assert self.livelocks(*[self.refused()] * 2, between, self.refused()) == []

    @pytest.mark.parametrize(
        "between",
        [
            [stage("E", 2, [], [PUT], actor="x"), of("reject", diff="E")],
            [stage("E", 2, [], [PUT], actor="x"), of("apply", diff="E")],
            [stage("E", 2, [], [PUT]), of("withdraw", diff="E")],
            [stage("E", 2, [], [PUT]), of("apply", diff="E", outcome="failed")],
            [
                stage("E", 2, [], [of("rewrite", span="b", op="x", content="x")]),
                of("apply", diff="E"),
            ],
            [TWO],
        ],
        ids=[
            *("another's rejection", "another's apply", "a withdrawal", "a failed apply"),
            *("an apply over other spans", "a change"),
        ],
    )
    def test_what_does_not(self, between: list[Fields]) -> None:
        seq = 8 + len(between)
        assert self.livelocks(*[self.refused()] * 2, between, self.refused()) == [f"DIF317@{seq}"]


class TestUndeclared:
    """DIF314: what a diff touches and its reads leave out."""

    @pytest.mark.parametrize(
        ("edits", "refs", "fires"),
        [
            ([put("b", "oth", "er", "!")], [], True),
            ([], [{"kind": "quote", "span": "b", "text": "other"}], True),
            ([], [{"kind": "line", "span": "b", "line": 1}], True),
            ([], [{"kind": "line", "line": 2}], True),
            ([], [{"kind": "index", "span": "b", "index": 1}], True),
            ([], [{"kind": "span", "span": "b"}], False),
            ([], [{"kind": "hash", "hash": content_hash("other")}], False),
            ([of("rewrite", span="b", op="x", content="x")], [], False),
            ([of("rewrite", span="b", op="x", into="b2", content="x")], [], False),
            ([of("prune", span="b")], [], False),
            ([of("move", span="b", after=None)], [], False),
            ([ingest("n", "new"), put("n", "new", "", "!")], [], False),
            ([PUT], [{"kind": "quote", "span": "a", "text": "two"}], False),
        ],
        ids=[
            *("splice", "quote", "line", "line of the buffer", "index", "span", "hash", "rewrite"),
            *("copy", "prune", "move", "its own", "declared"),
        ],
    )
    def test_what_must_be_declared(
        self, edits: list[Fields], refs: list[Fields], fires: bool
    ) -> None:
        history = recorded(A, B, stage("D", 2, READ_A, edits, refs=refs))
        assert ids(history) == (["DIF314@3"] if fires else [])
        if fires:
            assert the(history, "DIF314").severity == "warning"
            assert the(history, "DIF314").evidence == {"spans": ["b"]}

    def test_all_names_every_span(self) -> None:
        staged = stage("D", 2, [{"all": True}], [put("b", "other", "", "!")])
        assert ids(recorded(A, B, staged)) == ["DIF305@3"]

    def test_only_at_stage(self) -> None:
        blind = stage("D", 1, [], [PUT])
        assert ids(recorded(A, B, blind, rewrite("b", "other", "x")), "DIF314") == ["DIF314@3"]


class TestOtherwise:
    """DIF315: what was applied is not what was staged."""

    @pytest.mark.parametrize(
        ("edits", "fires"),
        [
            ([of("splice", span="a", at=4, delete=0, insert="and ")], False),
            ([PUT], False),
            ([of("splice", span="a", at=4, delete=0, insert="or ")], True),
            ([of("splice", span="a", at=4, delete=3, insert="and ")], True),
            ([of("splice", span="a", at=8, delete=0, insert="and ")], True),
            ([of("splice", span="b", at=4, delete=0, insert="and ")], True),
            ([of("rewrite", span="a", op="x", content=AFTER)], True),
            ([], True),
            ([of("splice", span="a", at=4, delete=0, insert="and "), ingest("n", "x")], True),
        ],
        ids=[
            *("re-anchored", "as staged", "another text", "more deleted", "another place"),
            *("another span", "another kind", "an edit less", "an edit more"),
        ],
    )
    def test_beyond_finding_its_place(self, edits: list[Fields], fires: bool) -> None:
        staged = stage("D", 2, READ_A, [PUT])
        history = recorded(A, B, staged, of("apply", diff="D", edits=edits))
        assert ids(history, "DIF315") == (["DIF315@4"] if fires else [])
        if fires:
            assert the(history, "DIF315").severity == "warning"

    def test_at_the_place_where_it_stands_now(self) -> None:
        push = splice("a", T, 0, 0, "> ")
        at = stage("D", 1, [], [of("splice", span="a", at=4, delete=0, insert="and ")])
        for place, fires in ((6, False), (4, False), (5, True)):
            edits = [of("splice", span="a", at=place, delete=0, insert="and ")]
            history = recorded(A, at, push, of("apply", diff="D", edits=edits))
            assert bool(ids(history, "DIF315")) is fires

    def test_without_edits_it_was_applied_as_staged(self) -> None:
        assert ids(recorded(A, D, APPLY), "DIF315") == []


class TestLostUpdate:
    """DIF316: a direct change whose base is not the span as it was."""

    OLD = content_hash(T)

    @pytest.mark.parametrize(
        "change",
        [
            splice("a", N, 0, 3, "1", version=2, base={"version": 0}),
            splice("a", N, 0, 3, "1", version=2, base={"hash": content_hash(T)}),
            rewrite("a", N, "x", version=2, base={"version": 0, "hash": content_hash(T)}),
            prune("a", N, base={"version": 0}),
        ],
        ids=["version", "hash", "rewrite", "prune"],
    )
    def test_it_overwrote_what_it_never_saw(self, change: Fields) -> None:
        history = recorded(A, TWO, change)
        assert (ids(history), the(history, "DIF316").severity) == (["DIF316@3"], "error")
        assert the(history, "DIF316").caused_by == 2

    @pytest.mark.parametrize(
        "base",
        [{"version": 1}, {"hash": content_hash(N)}, {"version": 1, "hash": content_hash(N)}, None],
    )
    def test_not_on_the_span_as_it_was(self, base: Fields | None) -> None:
        change = splice("a", N, 0, 3, "1", version=2, base=base)
        assert ids(recorded(A, TWO, change)) == []

    @pytest.mark.parametrize(
        ("base", "cause", "words"),
        [
            ({"hash": OLD}, 2, "overwrote what was written since 2"),
            ({"version": 0}, 2, "overwrote what was written since 2"),
            ({"version": 1}, 3, "overwrote what was written at 3"),
            ({"version": 7}, None, "which it never was"),
            ({"hash": content_hash("x")}, None, "which it never was"),
            ({"version": 0, "hash": content_hash("x")}, None, "which it never was"),
        ],
    )
    def test_caused_by_the_first_change_that_its_base_had_not_seen(
        self, base: Fields, cause: int | None, words: str
    ) -> None:
        same = rewrite("a", N, N, version=2)
        change = splice("a", N, 0, 3, "1", version=3, base=base)
        said = the(recorded(A, TWO, same, change), "DIF316")
        assert said.caused_by == cause
        assert words in said.message

    def test_a_version_claimed_before_a_silent_change_is_not_the_spans(self) -> None:
        change = splice("a", N, 0, 3, "1", version=None, base={"version": 0})
        history = recorded({**A, "version": 0}, {**TWO, "version": None}, change)
        assert ids(history) == ["DIF316@3"]

    def test_a_version_that_the_agent_claimed_is_the_spans(self) -> None:
        change = splice("a", N, 0, 3, "1", version=8, base={"version": 7})
        assert ids(recorded(A, TWO | {"version": 7}, change)) == []

    def test_a_change_of_nothing_overwrote_nothing(self) -> None:
        base = {"version": 7, "hash": content_hash("x")}
        assert ids(recorded(A, of("prune", span="x", base=base))) == ["JNL007@2"]
        far = of("splice", span="a", at=99, delete=0, insert="x", base=base)
        assert ids(recorded(A, far)) == ["JNL008@2"]

    def test_not_by_hash_where_the_hash_is_unknown(self) -> None:
        hidden = ingest("a", "***", redacted=True)
        change = rewrite("a", "", "x", inverse=None, base={"hash": content_hash("y")})
        assert ids(recorded(hidden, change), "DIF") == []

    def test_not_on_unknown_content(self) -> None:
        change = splice("a", N, 0, 3, "1", version=2, base={"version": 0})
        assert ids(recorded(A, TWO, GAP, change), "DIF") == []


class TestPartly:
    """DIF318: partial or failed, and content moved."""

    EDITS = [of("splice", span="a", at=4, delete=0, insert="and ")]

    @pytest.mark.parametrize("outcome", ["partial", "failed"])
    def test_by_its_edits(self, outcome: str) -> None:
        history = recorded(A, D, of("apply", diff="D", outcome=outcome, edits=self.EDITS))
        assert ids(history, "DIF318") == ["DIF318@3"]
        assert the(history, "DIF318").severity == "error"
        assert (text(history), the(history, "DIF318").evidence["spans"]) == (AFTER, ["a"])

    def test_by_a_claimed_hash(self) -> None:
        hashes = {"a": content_hash("x")}
        history = recorded(A, D, of("apply", diff="D", outcome="failed", hashes=hashes))
        assert ids(history, "DIF318") == ["DIF318@3"]

    @pytest.mark.parametrize("outcome", ["failed", "noop"])
    def test_not_where_nothing_moved(self, outcome: str) -> None:
        nothing: list[Fields] = [{}, {"edits": []}, {"hashes": {"a": content_hash(T)}}]
        for more in nothing:
            history = recorded(A, D, of("apply", diff="D", outcome=outcome, **more))
            assert (ids(history, "DIF318"), text(history)) == ([], T)

    def test_how_much_of_a_partial_one_took_place_only_hashes_tell(self) -> None:
        edits = [PUT, put("b", "other", "", "!")]
        staged = stage("D", 2, [{"all": True}], edits)
        hashes = {"a": content_hash(AFTER)}
        history = recorded(A, B, staged, of("apply", diff="D", outcome="partial", hashes=hashes))
        assert (text(history), text(history, "b")) == (AFTER, None)
        assert "span b" in unknown(history)
        assert ids(history, "DIF318") == ["DIF318@4"]
