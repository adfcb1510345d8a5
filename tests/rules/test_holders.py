"""SPN, the holders: artifacts go stale, are told, are used, dangle; each special case."""

from __future__ import annotations

from typing import Any

import pytest
from support.journals import (
    Fields,
    copy,
    derive,
    found,
    ids,
    ingest,
    of,
    prune,
    put,
    recorded,
    rewrite,
    signals_of,
    splice,
    stage,
    state_of,
    the,
    unknown,
    use,
)

from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other")
C = derive("c", "a", T, range=[8, 13])
TWO = splice("a", T, 4, 3, "2")
"""`a` is then "one 2 three": the range of `c` stands at 6..11."""
SAME = rewrite("a", T, T)
EXACT: Fields = {"name": "c"}


def last(history: Any, rule: str) -> Any:
    return found(history, rule)[-1]


class TestGoingStale:
    """SPN101: a fresh live artifact went stale and its holder was not told."""

    @pytest.mark.parametrize(
        "change",
        [
            [TWO],
            [rewrite("a", T, "x")],
            [
                stage("D", 1, [{"span": "a"}], [put("a", "one ", " three", "2", delete=3)]),
                of("apply", diff="D"),
            ],
            [of("observe", contents={"a": "x"})],
            [of("observe", hashes={"a": content_hash("x")})],
            [ingest("a", "x")],
            [B, copy("b", "a", "x")],
            [of("rollback", steps=0, edits=[of("rewrite", span="a", op="x", content="x")])],
        ],
        ids=["splice", "rewrite", "apply", "observe", "hash", "ingest", "copy into", "rollback"],
    )
    def test_whatever_changes_the_content(self, change: list[Fields]) -> None:
        history = recorded(A, derive("c", "a", T), *change)
        seq = len(change) + 2
        assert ids(history, "SPN101") == [f"SPN101@{seq}"]
        assert (the(history, "SPN101").severity, state_of(history, "c")) == ("warning", "stale")

    def test_once_at_the_first_change(self) -> None:
        history = recorded(A, C, TWO, splice("a", "one 2 three", 0, 3, "1", version=2))
        assert ids(history, "SPN101") == ["SPN101@3"]

    def test_again_where_it_had_become_fresh_again(self) -> None:
        again = splice("a", T, 4, 3, "2", version=3)
        history = recorded(A, C, TWO, of("rollback", steps=1), again)
        assert ids(history, "SPN101") == ["SPN101@3", "SPN101@5"]

    def test_each_holder_that_was_not_told(self) -> None:
        told = {**TWO, "invalidates": ["d"]}
        history = recorded(A, C, derive("d", "a", T), derive("e", "a", T), told)
        assert [f.subject["artifact"] for f in found(history, "SPN101")] == ["c", "e"]
        assert [f.id for f in found(history, "SPN101")] == ["SPN101@5", "SPN101@5.2"]

    def test_a_released_artifact_is_nobodys(self) -> None:
        assert ids(recorded(A, C, of("release", artifact="c"), TWO), "SPN") == []

    def test_a_source_counts_as_its_own_span_does(self) -> None:
        source = derive("c", "b", "other", sources=[{"span": "a", "hash": content_hash(T)}])
        history = recorded(A, B, source, TWO)
        assert the(history, "SPN101").subject == {"artifact": "c", "span": "b"}
        assert the(history, "SPN101").evidence["culprit"] == "a"
        assert state_of(history, "c") == "stale"

    def test_a_source_that_is_gone_is_not_what_it_was_derived_from(self) -> None:
        source = derive("c", "b", "other", sources=[{"span": "a"}])
        history = recorded(A, B, source, prune("a", T))
        assert (ids(history, "SPN"), state_of(history, "c")) == (["SPN101@4"], "stale")

    def test_the_same_bytes_leave_it_fresh_and_only_signal(self) -> None:
        history = recorded(A, C, SAME)
        assert (ids(history), state_of(history, "c")) == ([], "fresh")
        assert signals_of(history, "c") == ["version-advanced", "provenance-changed"]

    def test_a_copy_leaves_it_fresh(self) -> None:
        history = recorded(A, C, copy("a", "a2", "1 2 3"))
        assert (ids(history), state_of(history, "c"), signals_of(history, "c")) == ([], "fresh", [])

    def test_derived_again_it_is_fresh_again(self) -> None:
        now = "one 2 three"
        history = recorded(A, C, TWO, derive("c", "a", now, version=1), use("c"))
        assert (state_of(history, "c"), ids(history, "SPN102")) == ("fresh", [])

    def test_an_undone_change_makes_it_fresh_again(self) -> None:
        history = recorded(A, C, TWO, of("rollback", steps=1), use("c"))
        assert (state_of(history, "c"), ids(history, "SPN102")) == ("fresh", [])
        assert signals_of(history, "c") == ["version-advanced"]


class TestSignals:
    """The five signals, by name, in the evidence."""

    @pytest.mark.parametrize(
        ("change", "signals"),
        [
            (
                splice("a", T, 0, 0, "> "),
                ["length-delta", "version-advanced", "hash-divergence"],
            ),
            (splice("a", T, 4, 3, "TWO"), ["version-advanced", "hash-divergence"]),
            (
                rewrite("a", T, "ONE TWO THREE"),
                ["version-advanced", "hash-divergence", "provenance-changed"],
            ),
            (
                splice("a", T, 8, 5, "3"),
                ["length-delta", "version-advanced", "hash-divergence", "boundary-crossed"],
            ),
        ],
    )
    def test_of_a_change(self, change: Fields, signals: list[str]) -> None:
        history = recorded(A, C, change, use("c"))
        assert the(history, "SPN101").evidence["signals"] == signals
        assert the(history, "SPN102").evidence["signals"] == signals

    def test_a_range_of_bytes_that_ends_inside_a_character(self) -> None:
        base = (ingest("a", "ab"), derive("c", "a", "ab", range=[0, 1], unit="bytes"))
        history = recorded(*base, rewrite("a", "ab", "éb"))
        assert "boundary-crossed" in the(history, "SPN101").evidence["signals"]


class TestRangeIntact:
    """The text in the range stands byte for byte at the same offsets."""

    FOUR = splice("a", T, 13, 0, " four")

    def test_going_stale_is_then_information(self) -> None:
        history = recorded(A, C, self.FOUR)
        assert (the(history, "SPN101").severity, state_of(history, "c")) == ("info", "stale")
        assert the(history, "SPN101").evidence["range_intact"] is True

    def test_a_use_is_then_right_by_luck(self) -> None:
        history = recorded(A, C, self.FOUR, use("c"))
        assert the(history, "SPN102").severity == "warning"

    def test_without_a_range_nothing_is_intact(self) -> None:
        history = recorded(A, derive("c", "a", T), self.FOUR, use("c"))
        assert [f.severity for f in found(history, "SPN10")] == ["warning", "error"]

    def test_moved_to_says_where_the_text_stands_once(self) -> None:
        history = recorded(A, C, TWO)
        assert the(history, "SPN101").evidence["range_intact"] is False
        assert the(history, "SPN101").evidence["moved_to"] == [6, 11]

    @pytest.mark.parametrize("change", [rewrite("a", T, "x"), rewrite("a", T, "three, three")])
    def test_moved_to_is_left_out_where_it_stands_nowhere_or_twice(self, change: Fields) -> None:
        assert "moved_to" not in the(recorded(A, C, change), "SPN101").evidence


class TestTold:
    """A mutation that names the artifact in `invalidates` told its holder."""

    TOLD = {**TWO, "invalidates": ["c"]}

    def test_it_is_invalidated_and_not_stale(self) -> None:
        history = recorded(A, C, self.TOLD)
        assert (ids(history), state_of(history, "c")) == ([], "invalidated")

    def test_even_where_the_bytes_are_the_same(self) -> None:
        history = recorded(A, C, {**SAME, "invalidates": ["c"]}, use("c"))
        assert ids(history, "SPN") == ["SPN102@4"]
        assert the(history, "SPN102").caused_by == 3

    def test_even_where_its_content_is_unknown_since(self) -> None:
        history = recorded(A, C, self.TOLD, of("gap", reason="x"))
        assert (state_of(history, "c"), unknown(history).get("artifact c")) == ("invalidated", None)

    def test_its_use_is_a_stale_use(self) -> None:
        assert the(recorded(A, C, self.TOLD, use("c")), "SPN102").caused_by == 3

    def test_a_later_change_says_nothing_more(self) -> None:
        later = splice("a", "one 2 three", 0, 3, "1", version=2)
        assert ids(recorded(A, C, self.TOLD, later), "SPN101") == []

    def test_derived_again_it_is_fresh(self) -> None:
        now = derive("c", "a", "one 2 three", version=1)
        assert state_of(recorded(A, C, self.TOLD, now), "c") == "fresh"

    def test_an_aborted_change_told_nobody(self) -> None:
        assert state_of(recorded(A, C, self.TOLD, of("abort", of=3)), "c") == "fresh"

    def test_only_a_live_artifact_can_be_told(self) -> None:
        history = recorded(A, {**TWO, "invalidates": ["c"]})
        assert the(history, "JNL007").subject == {"artifact": "c"}


class TestUse:
    """SPN102 to SPN104 and SPN106."""

    def test_stale_and_not_caught(self) -> None:
        history = recorded(A, C, TWO, use("c", checked=["version"], got="ree"))
        stale = the(history, "SPN102")
        assert (stale.severity, stale.caused_by) == ("error", 3)
        assert (stale.evidence["got"], stale.evidence["meant"]) == ("ree", "three")
        assert stale.evidence["checked"] == ["version"]

    def test_the_message_says_of_no_span_that_it_changed_where_none_did(self) -> None:
        told = the(recorded(A, C, {**SAME, "invalidates": ["c"]}, use("c")), "SPN102")
        assert "c was used stale: its holder was told at 3 that it is invalid, the" in told.message
        changed = {**TWO, "invalidates": ["c"]}
        assert "a was changed at 3 (v0 " in the(recorded(A, C, changed, use("c")), "SPN102").message
        born = derive("c", "a", T, range=[8, 99])
        stale = the(recorded(A, born, use("c")), "SPN102")
        assert stale.message.startswith("c was used stale: it was derived stale at 2; it means")
        old = derive("c", "a", T, version=0)
        assert "a was changed at 2 (v0 " in the(recorded(A, TWO, old, use("c")), "SPN102").message

    def test_the_evidence_says_where_its_text_stands(self) -> None:
        evidence = the(recorded(A, C, TWO, use("c")), "SPN102").evidence
        assert (evidence["range"], evidence["range_intact"]) == ([8, 13], False)
        assert (evidence["moved_to"], evidence["culprit"]) == ([6, 11], "a")
        whole = the(recorded(A, derive("c", "a", T), TWO, use("c")), "SPN102").evidence
        assert not whole.keys() & {"range", "range_intact", "moved_to"}

    def test_without_got_the_evidence_has_what_it_would_get(self) -> None:
        assert the(recorded(A, C, TWO, use("c")), "SPN102").evidence["got"] == "ree"

    @pytest.mark.parametrize("outcome", ["caught", "rederived"])
    def test_caught(self, outcome: str) -> None:
        history = recorded(A, C, TWO, use("c", outcome=outcome))
        assert ids(history, "SPN10") == ["SPN101@3", "SPN103@4"]
        assert (the(history, "SPN103").severity, the(history, "SPN103").caused_by) == ("info", 3)

    @pytest.mark.parametrize("outcome", ["caught", "rederived"])
    def test_caught_where_only_version_or_provenance_moved(self, outcome: str) -> None:
        history = recorded(A, C, SAME, use("c", outcome=outcome))
        assert ids(history) == ["SPN103@4"]

    def test_caught_because_a_source_moved(self) -> None:
        source = derive("c", "b", "other", sources=[{"span": "a"}])
        history = recorded(A, B, source, SAME, use("c", outcome="caught"))
        assert (ids(history), the(history, "SPN103").caused_by) == (["SPN103@5"], 4)

    def test_caught_after_an_undo_because_the_version_moved(self) -> None:
        history = recorded(A, C, TWO, of("rollback", steps=1), use("c", outcome="caught"))
        assert ids(history, "SPN103") == ["SPN103@5"]

    def test_caught_though_nothing_moved_is_a_false_alarm(self) -> None:
        history = recorded(A, C, use("c", outcome="caught"))
        assert (ids(history), the(history, "SPN104").severity) == (["SPN104@3"], "warning")

    def test_derived_again_though_nothing_moved_is_no_alarm(self) -> None:
        assert ids(recorded(A, C, use("c", outcome="rederived"))) == []

    @pytest.mark.parametrize(
        ("range", "rules"),
        [
            ([6, 11], []),
            ([8, 13], ["SPN102@4", "SPN106@4"]),
            ([0, 3], ["SPN102@4", "SPN106@4"]),
        ],
        ids=["its own place", "its old place", "another"],
    )
    def test_re_anchored(self, range: list[int], rules: list[str]) -> None:
        history = recorded(A, C, TWO, use("c", range=range))
        assert [id for id in ids(history, "SPN10") if id != "SPN101@3"] == rules

    def test_its_own_place_with_another_text_is_stale_all_the_same(self) -> None:
        history = recorded(A, C, splice("a", T, 9, 1, "H"), use("c", range=[8, 13]))
        assert ids(history, "SPN10") == ["SPN101@3", "SPN102@4"]

    def test_a_look_alike_is_said_of_a_fresh_artifact_too(self) -> None:
        twice = "two two"
        history = recorded(
            ingest("a", twice), derive("c", "a", twice, range=[4, 7]), use("c", range=[0, 3])
        )
        assert ids(history) == ["SPN106@3"]
        assert (the(history, "SPN106").severity, the(history, "SPN106").caused_by) == (
            "error",
            None,
        )

    def test_a_place_in_unknown_content_is_no_look_alike(self) -> None:
        history = recorded(A, C, of("gap", reason="x"), use("c", range=[0, 3]))
        assert (ids(history, "SPN"), "artifact c" in unknown(history)) == ([], True)

    def test_an_artifact_that_is_not_there(self) -> None:
        history = recorded(A, C, of("release", artifact="c"), use("c"))
        assert the(history, "JNL007").subject == {"artifact": "c"}


class TestKeys:
    """SPN113 to SPN115."""

    BARE = of("derive", artifact="c", span="a", kind="note")

    def test_no_claim_under_a_live_holder_is_said_once_an_event(self) -> None:
        silent = {**TWO, "version": None, "hash": None}
        history = recorded(A, C, derive("d", "a", T), silent)
        assert the(history, "SPN113").evidence == {"spans": ["a"], "holders": ["c", "d"]}

    @pytest.mark.parametrize("claim", ["version", "hash"])
    def test_one_claim_is_enough(self, claim: str) -> None:
        assert ids(recorded(A, C, {**TWO, claim: None}), "SPN113") == []

    def test_without_a_holder_or_a_change_nobody_misses_it(self) -> None:
        silent = {"version": None, "hash": None}
        assert ids(recorded(A, {**TWO, **silent}), "SPN113") == []
        assert ids(recorded(A, C, {**SAME, **silent}), "SPN113") == []

    @pytest.mark.parametrize(
        "change",
        [of("observe", contents={"a": "x"}), of("rollback", steps=1), ingest("a", "x")],
        ids=["an unlogged change", "an undo", "an id used again"],
    )
    def test_only_changes_in_place_owe_a_claim(self, change: Fields) -> None:
        now = derive("c", "a", "one 2 three", version=1)
        assert ids(recorded(A, TWO, now, change), "SPN113") == []

    def test_an_apply_that_claims_one_of_two_spans(self) -> None:
        edits = [put("a", "one", " two", "!"), put("b", "other", "", "!")]
        applied = of("apply", diff="D", versions={"a": 1})
        reads = [{"span": "a"}, {"span": "b"}]
        base = (A, B, C, derive("d", "b", "other"))
        history = recorded(*base, stage("D", 2, reads, edits), applied)
        assert the(history, "SPN113").subject == {"span": "b"}

    def test_an_apply_that_leaves_out_a_span_without_a_holder(self) -> None:
        edits = [put("a", "one", " two", "!"), put("b", "oth", "er", "!")]
        staged = stage("D", 2, [{"all": True}], edits)
        applied = of("apply", diff="D", versions={"a": 1})
        assert ids(recorded(A, B, C, staged, applied), "SPN113") == []

    def test_keyed_on_the_id_alone_is_said_at_the_first_change(self) -> None:
        later = splice("a", "one 2 three", 0, 3, "1", version=2)
        history = recorded(A, self.BARE, TWO, later)
        assert ids(history, "SPN114") == ["SPN114@3"]

    def test_and_again_where_it_was_keyed_so_again(self) -> None:
        later = splice("a", "one 2 three", 0, 3, "1", version=2)
        history = recorded(A, self.BARE, TWO, self.BARE, later)
        assert ids(history, "SPN114") == ["SPN114@3", "SPN114@5"]

    @pytest.mark.parametrize("key", [{"version": 0}, {"hash": content_hash(T)}])
    def test_either_key_will_do(self, key: Fields) -> None:
        assert ids(recorded(A, self.BARE | key, TWO), "SPN114") == []

    @pytest.mark.parametrize("change", [SAME, copy("a", "a2", "x"), prune("a", T)])
    def test_it_needs_a_change_in_place(self, change: Fields) -> None:
        assert ids(recorded(A, self.BARE, change), "SPN114") == []

    @pytest.mark.parametrize(
        ("key", "evidence"),
        [
            ({"version": 0, "hash": None}, {"version": {"key": 0, "actual": 1}}),
            ({"hash": content_hash(T)}, None),
            ({"range": [0, 12]}, {"range": {"key": [0, 12], "length": 11}}),
            ({"sources": [{"span": "b", "hash": content_hash("x")}]}, None),
        ],
        ids=["version", "hash", "range", "source"],
    )
    def test_born_stale(self, key: Fields, evidence: Fields | None) -> None:
        now = derive("c", "a", "one 2 three", version=1) | key
        history = recorded(A, B, TWO, now)
        assert ids(history) == ["SPN115@4"]
        assert state_of(history, "c") == "stale"
        if evidence is not None:
            assert the(history, "SPN115").evidence == evidence

    @pytest.mark.parametrize(
        ("range", "why"),
        [
            ([0, 9], "0..9, outside d (7 bytes)"),
            ([2, 1], "2..1, which ends before it starts"),
            ([0, 4], "0..4, which cuts a character of d in two"),
        ],
    )
    def test_why_a_range_is_none_of_its_span(self, range: list[int], why: str) -> None:
        held = derive("c", "d", "é🧠x", range=range, unit="bytes")
        assert f"with range {why}." in the(recorded(ingest("d", "é🧠x"), held), "SPN115").message

    @pytest.mark.parametrize(
        "change", [TWO | {"version": None}, TWO | {"version": None, "hash": None}]
    )
    def test_a_version_claimed_before_a_silent_change_is_not_the_spans(
        self, change: Fields
    ) -> None:
        key = {"span": "a", "kind": "citation", "version": 0}
        history = recorded(A | {"version": 0}, change, of("derive", artifact="c", **key))
        assert ids(history) == ["SPN115@3"]

    def test_a_version_that_the_agent_claimed_is_the_spans(self) -> None:
        claimed = {**TWO, "version": 7}
        now = "one 2 three"
        history = recorded(A, claimed, derive("c", "a", now, version=7))
        assert (ids(history), state_of(history, "c")) == ([], "fresh")

    def test_of_an_unknown_span_no_key_is_wrong(self) -> None:
        history = recorded(A, of("gap", reason="x"), derive("c", "a", T, range=[0, 99], version=4))
        assert (ids(history, "SPN"), state_of(history, "c")) == ([], "unknown")


class TestExpensive:
    """SPN121: copy-on-rewrite was due."""

    @pytest.mark.parametrize(
        ("kind", "cost", "fires"),
        [
            ("embedding", None, True),
            ("index entry", None, True),
            ("index-entry", None, True),
            ("citation", None, False),
            ("embedding", "cheap", False),
            ("citation", "expensive", True),
        ],
    )
    def test_by_cost_or_else_by_kind(self, kind: str, cost: str | None, fires: bool) -> None:
        history = recorded(A, derive("c", "a", T, kind=kind, cost=cost), TWO)
        assert bool(ids(history, "SPN121")) is fires

    @pytest.mark.parametrize(
        "change",
        [of("observe", contents={"a": "x"}), of("rollback", steps=1), ingest("a", "x")],
        ids=["an unlogged change", "an undo", "an id used again"],
    )
    def test_only_where_a_copy_could_have_been_made(self, change: Fields) -> None:
        expensive = derive("c", "a", "one 2 three", version=1, kind="embedding")
        assert ids(recorded(A, TWO, expensive, change), "SPN121") == []

    def test_not_where_the_holder_was_told_nor_copied_nor_unchanged(self) -> None:
        expensive = derive("c", "a", T, kind="embedding")
        for change in ({**TWO, "invalidates": ["c"]}, copy("a", "a2", "x"), SAME):
            assert ids(recorded(A, expensive, change), "SPN121") == []

    def test_a_source_that_is_changed_in_place(self) -> None:
        expensive = derive("c", "b", "other", kind="embedding", sources=[{"span": "a"}])
        assert ids(recorded(A, B, expensive, TWO), "SPN121") == ["SPN121@4"]


class TestGone:
    """SPN131, SPN132, SPN144."""

    def test_pruned_under_a_holder(self) -> None:
        history = recorded(A, C, prune("a", T))
        assert (ids(history), state_of(history, "c")) == (["SPN131@3"], "dangling")

    def test_the_ingest_undone_under_a_holder(self) -> None:
        history = recorded(A, C, of("rollback", steps=1))
        assert (ids(history, "SPN"), state_of(history, "c")) == (["SPN131@3"], "dangling")

    def test_pruned_under_a_holder_that_was_stale_already(self) -> None:
        history = recorded(A, C, rewrite("a", T, "x"), prune("a", "x"))
        assert ids(history, "SPN") == ["SPN101@3", "SPN131@4"]

    def test_not_where_the_prune_itself_told_its_holder(self) -> None:
        assert ids(recorded(A, C, prune("a", T, invalidates=["c"]))) == []

    @pytest.mark.parametrize(
        ("outcome", "severity"), [("used", "error"), ("caught", "info"), ("rederived", "info")]
    )
    def test_a_dangling_use(self, outcome: str, severity: str) -> None:
        history = recorded(A, C, prune("a", T), use("c", outcome=outcome))
        assert ids(history, "SPN") == ["SPN131@3", "SPN132@4"]
        assert (the(history, "SPN132").severity, the(history, "SPN132").caused_by) == (severity, 3)

    def test_a_collected_span_is_gone(self) -> None:
        history = recorded(A, C, copy("a", "a2", "x"), of("compact", spans=["a"]), use("c"))
        assert ids(history, "SPN") == ["SPN141@4", "SPN132@5"]
        assert (state_of(history, "c"), the(history, "SPN132").caused_by) == ("dangling", 4)

    def test_brought_back_it_is_as_it_was(self) -> None:
        history = recorded(A, C, prune("a", T), of("rollback", steps=1), use("c"))
        assert (state_of(history, "c"), ids(history)) == ("fresh", ["SPN131@3"])

    @pytest.mark.parametrize(
        ("between", "cause"),
        [
            ([prune("a", T), ingest("a", "x")], 4),
            ([splice("a", T, 4, 3, "2"), prune("a", "one 2 three"), ingest("a", "x")], 3),
            ([prune("a", T), ingest("a", T), rewrite("a", T, "x", version=2)], 5),
        ],
        ids=["another text", "another since before", "the same text first"],
    )
    def test_what_stands_there_again_is_stale_since_it_is_another_text(
        self, between: list[Fields], cause: int
    ) -> None:
        history = recorded(A, C, *between, use("c"))
        said = the(history, "SPN102")
        assert said.caused_by == cause
        assert f"was changed at {cause}" in said.message

    def test_a_source_that_was_gone_made_it_stale(self) -> None:
        held = derive("c", "b", "other", sources=[{"span": "a"}])
        history = recorded(A, B, held, prune("a", T), ingest("a", "x"), use("c"))
        assert the(history, "SPN102").caused_by == 4

    def test_a_superseded_span(self) -> None:
        history = recorded(A, ingest("n", "1 2 3", supersedes=["a"]), C, use("c"))
        assert ids(history) == ["SPN144@4"]
        found_ = the(history, "SPN144")
        assert (found_.severity, found_.caused_by) == ("info", 2)
        assert found_.evidence == {"superseded_by": "n"}

    @pytest.mark.parametrize("undo", [of("rollback", steps=1), of("abort", of=2)])
    def test_not_where_the_newer_span_was_undone(self, undo: Fields) -> None:
        newer = ingest("n", "1 2 3", supersedes=["a"])
        assert ids(recorded(A, newer, undo, C, use("c")), "SPN144") == []

    def test_caused_by_the_ingest_that_superseded_it(self) -> None:
        history = recorded(
            *(A, ingest("n", "x"), of("rollback", steps=1)),
            *(ingest("n", "1 2 3", supersedes=["a"]), C, use("c")),
        )
        assert the(history, "SPN144").caused_by == 4

    def test_caused_by_the_first_of_two_that_supersede_it(self) -> None:
        newer = [ingest(name, "1 2 3", supersedes=["a"]) for name in ("n", "m")]
        said = the(recorded(A, C, *newer, use("c")), "SPN144")
        assert (said.caused_by, said.evidence) == (3, {"superseded_by": "m"})

    def test_superseding_a_span_that_never_was(self) -> None:
        assert the(recorded(ingest("n", "x", supersedes=["a"])), "JNL007").subject == {"span": "a"}
