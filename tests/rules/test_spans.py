"""SPN, the spans: claims, ids used again, tombstones, compaction, answers."""

from __future__ import annotations

import pytest
from support.journals import (
    Fields,
    copy,
    derive,
    ids,
    ingest,
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
    use,
)

from spanscope.history.history import History
from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other")
C = derive("c", "a", T)
TWO = splice("a", T, 4, 3, "2")
COPY = copy("a", "a2", "1 2 3")
READ_A = [{"span": "a"}]
PUT = put("a", "one ", " three", "2", delete=3)
UNDO_TWO = of("splice", span="a", at=4, delete=1, insert="two")
WRONG = content_hash("another")


def version(history: History, span: str) -> int:
    state = history.state.spans[span]
    return state.version


class TestVersions:
    """SPN111, and what a version counts."""

    @pytest.mark.parametrize(
        "change",
        [
            [{**TWO, "version": 0}],
            [{**TWO, "version": -1}],
            [rewrite("a", T, "x", version=0)],
            [stage("D", 1, READ_A, [PUT]), of("apply", diff="D", versions={"a": 0})],
        ],
        ids=["splice", "lower", "rewrite", "apply"],
    )
    def test_content_changed_and_the_claim_did_not_increase(self, change: list[Fields]) -> None:
        history = recorded(A, *change)
        assert ids(history, "SPN") == [f"SPN111@{len(change) + 1}"]
        assert the(history, "SPN111").evidence["before"] == 0

    def test_a_rollback_that_goes_back_to_the_old_version(self) -> None:
        history = recorded(A, TWO, of("rollback", steps=1, versions={"a": 0}))
        assert the(history, "SPN111").evidence == {"claimed": 0, "before": 1}

    @pytest.mark.parametrize(
        "silent", [{**TWO, "version": None, "hash": None}, {**TWO, "version": None}]
    )
    def test_a_change_that_claimed_no_version_counts_too(self, silent: Fields) -> None:
        again = splice("a", "one 2 three", 0, 3, "1", version=1)
        history = recorded({**A, "version": 0}, silent, again)
        assert (ids(history), the(history, "SPN111").evidence["before"]) == (["SPN111@3"], 1)

    def test_after_a_claim_that_was_too_low_the_agents_own_count_goes_on(self) -> None:
        again = splice("a", "one 2 three", 0, 3, "1", version=None)
        now = derive("c", "a", "1 2 three", version=1)
        history = recorded({**A, "version": 0}, {**TWO, "version": 0}, again, now)
        assert (ids(history), version(history, "a")) == (["SPN111@2"], 2)

    def test_a_copy_that_does_not_count_on(self) -> None:
        assert ids(recorded(A, {**COPY, "version": 0}), "SPN") == ["SPN111@2"]
        assert ids(recorded(A, {**COPY, "version": 1}), "SPN") == []

    def test_where_nothing_changed_it_need_not_increase(self) -> None:
        assert ids(recorded(A, rewrite("a", T, T, version=0))) == []

    def test_where_it_is_unknown_whether_anything_changed_nobody_is_accused(self) -> None:
        history = recorded(A, of("gap", reason="x"), {**TWO, "version": 0, "hash": None})
        assert ids(history, "SPN") == []

    def test_a_higher_claim_is_counted_on_from(self) -> None:
        again = splice("a", "one 2 three", 0, 3, "1", version=None)
        history = recorded(A, {**TWO, "version": 7}, again)
        assert (version(history, "a"), ids(history, "SPN")) == (8, [])

    def test_a_claim_is_compared_with_the_claim_before(self) -> None:
        again = splice("a", "one 2 three", 0, 3, "1", version=7)
        assert ids(recorded(A, {**TWO, "version": 7}, again), "SPN") == ["SPN111@3"]

    @pytest.mark.parametrize(
        ("change", "grown"),
        [
            ([rewrite("a", T, T)], 1),
            ([TWO], 1),
            ([splice("a", T, 0, 0, "")], 1),
            ([TWO, of("rollback", steps=1)], 2),
            ([of("observe", contents={"a": "x"})], 1),
            ([of("observe", contents={"a": T})], 0),
            ([stage("D", 1, READ_A, [PUT, put("a", "", "one", "> ")]), of("apply", diff="D")], 1),
            ([prune("a", T), A], 1),
            ([B, of("move", span="a", after="b")], 0),
            ([splice("a", T, 99, 0, "x", version=None, hash=None)], 0),
        ],
        ids=[
            *("same bytes", "splice", "empty splice", "rollback", "observe", "observed the same"),
            *("apply of two edits", "used again", "move", "impossible"),
        ],
    )
    def test_a_version_grows_by_one_an_event_that_could_change_content(
        self, change: list[Fields], grown: int
    ) -> None:
        assert version(recorded(A, *change), "a") == grown

    def test_a_copy_has_the_old_version_and_one(self) -> None:
        history = recorded(A, TWO, copy("a", "a2", "x"))
        assert (version(history, "a"), version(history, "a2")) == (1, 2)


class TestHashes:
    """SPN112."""

    @pytest.mark.parametrize(
        "events",
        [
            [ingest("a", T, hash=WRONG)],
            [A, {**TWO, "hash": WRONG}],
            [A, rewrite("a", T, "x", hash=WRONG)],
            [A, {**COPY, "hash": WRONG}],
            [A, stage("D", 1, READ_A, [PUT]), of("apply", diff="D", hashes={"a": WRONG})],
            [A, TWO, of("rollback", steps=1, edits=[UNDO_TWO], hashes={"a": WRONG})],
        ],
        ids=["ingest", "splice", "rewrite", "copy", "apply", "rollback"],
    )
    def test_a_hash_that_is_not_the_contents(self, events: list[Fields]) -> None:
        history = recorded(*events)
        assert ids(history, "SPN") == [f"SPN112@{len(events)}"]
        assert the(history, "SPN112").evidence["claimed"] == WRONG

    def test_not_of_unknown_content(self) -> None:
        assert ids(recorded(A, of("gap", reason="x"), {**TWO, "hash": WRONG}), "SPN") == []

    def test_claims_of_a_redacted_change_are_not_judged(self) -> None:
        hidden = rewrite("a", T, "***", hash=WRONG, redacted=True, inverse=None)
        assert ids(recorded(A, C, hidden), "SPN112") == []


class TestRedacted:
    """The text is not the agent's: its claimed hash is its hash, the content is unknown."""

    HIDDEN = ingest("a", "***", hash=WRONG, redacted=True)

    def test_its_hash_is_the_claimed_one(self) -> None:
        history = recorded(self.HIDDEN)
        span = history.state.spans["a"]
        assert (span.hash, span.text) == (WRONG, None)
        assert (unknown(history), ids(history)) == ({}, [])

    def test_without_a_hash_nothing_is_known_of_it(self) -> None:
        history = recorded({**self.HIDDEN, "hash": None})
        assert unknown(history) == {"span a": (1, "its content is not recorded")}

    def test_its_holders_are_judged_by_hash(self) -> None:
        key = of("derive", artifact="c", span="a", kind="note", hash=WRONG)
        same = rewrite("a", "", "*****", hash=WRONG, redacted=True, inverse=None)
        other = {**same, "hash": content_hash("third"), "version": 2}
        assert state_of(recorded(self.HIDDEN, key, same), "c") == "fresh"
        history = recorded(self.HIDDEN, key, same, other, use("c"))
        assert ids(history, "SPN") == ["SPN101@4", "SPN102@5"]

    def test_a_splice_of_it_is_not_impossible(self) -> None:
        far = splice("a", "***", 99, 2, "x", hash=content_hash("b"), redacted=True, inverse=None)
        history = recorded(self.HIDDEN, far)
        assert (ids(history, "JNL"), history.state.spans["a"].hash) == ([], content_hash("b"))

    def test_a_whole_rewrite_makes_it_known(self) -> None:
        history = recorded(self.HIDDEN, rewrite("a", "***", "x", inverse=None))
        assert history.state.spans["a"].text == "x"

    def test_its_inverse_is_unknown_and_not_wrong(self) -> None:
        history = recorded(self.HIDDEN, rewrite("a", "secret", "x"))
        assert ids(history, "UND") == []
        row = history.at(2).undo_row(2)
        assert row is not None
        assert row.reachable is None


class TestIds:
    """SPN116."""

    @pytest.mark.parametrize(
        "events",
        [
            [A, A],
            [A, prune("a", T), A],
            [A, COPY, A],
            [A, COPY, of("compact", spans=["a"]), A],
            [A, B, copy("b", "a", "x")],
            [A, prune("a", T), B, copy("b", "a", "x")],
            [A, stage("D", 1, [], [A]), of("apply", diff="D")],
        ],
        ids=["live", "pruned", "tombstone", "collected", "into", "into pruned", "apply"],
    )
    def test_an_id_that_was_ever_used(self, events: list[Fields]) -> None:
        history = recorded(*events)
        assert ids(history, "SPN1") == [f"SPN116@{len(events)}"]
        assert the(history, "SPN116").severity == "error"

    @pytest.mark.parametrize(
        "events",
        [
            [A, of("rollback", steps=1), A],
            [A, of("abort", of=1), A],
            [A, COPY, of("rollback", steps=1), copy("a", "a2", "x")],
            [A, B, of("rollback", of=[1]), A],
        ],
        ids=["rollback", "abort", "copy", "selective"],
    )
    def test_not_where_that_use_was_undone(self, events: list[Fields]) -> None:
        assert ids(recorded(*events), "SPN116") == []

    @pytest.mark.parametrize("again", [A, copy("b", "a", "x")], ids=["ingest", "copy"])
    def test_an_earlier_use_that_was_not_undone_counts(self, again: Fields) -> None:
        events = (A, B, prune("a", T), again, of("rollback", steps=1), A)
        assert ids(recorded(*events), "SPN116") == ["SPN116@4", "SPN116@6"]

    def test_but_where_an_artifact_still_holds_it(self) -> None:
        history = recorded(A, C, of("rollback", steps=1), A)
        assert ids(history, "SPN116") == ["SPN116@4"]

    def test_not_where_the_real_buffer_was_seen_to_hold_it(self) -> None:
        history = recorded(A, prune("a", T), of("observe", contents={"a": "x"}))
        assert (ids(history, "SPN116"), ids(history, "JNL005")) == ([], ["JNL005@3"])

    def test_not_where_that_artifact_was_released(self) -> None:
        events = (A, C, of("rollback", steps=1), of("release", artifact="c"), A)
        assert ids(recorded(*events), "SPN116") == []

    @pytest.mark.parametrize(
        ("used", "gone"),
        [
            (A, prune("a", T)),
            (copy("b", "a", T), prune("a", T)),
        ],
        ids=["ingest", "copy"],
    )
    def test_the_next_use_counts_again(self, used: Fields, gone: Fields) -> None:
        events = (B, used, of("rollback", steps=1), used, gone, A)
        assert ids(recorded(*events), "SPN116") == ["SPN116@6"]

    def test_the_new_content_stands_under_the_id_as_a_silent_rewrite(self) -> None:
        history = recorded(A, B, C, ingest("a", "x"), use("c"))
        assert history.state.order == ["a", "b"]
        assert history.state.spans["a"].text == "x"
        assert ids(history, "SPN10") == ["SPN101@4", "SPN102@5"]


class TestTombstones:
    """SPN141 to SPN143: copy-on-rewrite and compaction."""

    @pytest.mark.parametrize(
        "change",
        [
            splice("a", T, 0, 3, "1"),
            rewrite("a", T, "x"),
            prune("a", T),
            of("move", span="a", after=None),
        ],
        ids=["splice", "rewrite", "prune", "move"],
    )
    def test_a_tombstone_is_frozen(self, change: Fields) -> None:
        history = recorded(A, COPY, change)
        assert ids(history, "SPN") == ["SPN143@3"]
        assert (the(history, "SPN143").severity, the(history, "SPN143").caused_by) == ("error", 2)

    def test_an_apply_that_changes_one(self) -> None:
        staged = stage("D", 1, READ_A, [PUT])
        history = recorded(A, staged, COPY, of("apply", diff="D"))
        assert ids(history, "SPN143") == ["SPN143@4"]

    def test_what_revives_it_is_no_change_to_it(self) -> None:
        assert ids(recorded(A, COPY, of("rollback", steps=1)), "SPN143") == []

    def test_its_holders_read_it_still(self) -> None:
        history = recorded(A, C, COPY, use("c"))
        assert (ids(history), state_of(history, "c")) == ([], "fresh")

    @pytest.mark.parametrize(
        ("before", "needed"),
        [
            ([C], "artifact c"),
            ([derive("c", "b", "other", sources=[{"span": "a"}])], "artifact c"),
            ([of("checkpoint", checkpoint="k", snapshot=True)], "snapshot k"),
            ([stage("D", 2, READ_A, [])], "diff D"),
            ([stage("D", 2, [], [PUT])], "diff D"),
            ([stage("D", 2, [], [], refs=[{"kind": "span", "span": "a"}])], "diff D"),
        ],
        ids=["artifact", "source", "snapshot", "read", "edit", "ref"],
    )
    def test_collected_while_somebody_needs_it(self, before: list[Fields], needed: str) -> None:
        history = recorded(A, B, *before, COPY, of("compact", spans=["a"]))
        assert ids(history, "SPN14") == ["SPN141@5"]
        assert the(history, "SPN141").evidence["needed_by"] == [needed]

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ([C], [of("release", artifact="c")]),
            ([of("checkpoint", checkpoint="k")], []),
            ([stage("D", 2, READ_A, [])], [of("withdraw", diff="D")]),
            ([stage("D", 2, READ_A, [])], [of("reject", diff="D")]),
            ([], [derive("c", "a2", "1 2 3")]),
            ([stage("D", 2, [{"span": "b"}], [])], []),
        ],
        ids=["released", "no snapshot", "withdrawn", "rejected", "the copy's holder", "elsewhere"],
    )
    def test_when_nobody_needs_it_any_more(self, before: list[Fields], after: list[Fields]) -> None:
        events = (A, B, *before, COPY, *after, of("compact", spans=["a"]))
        assert ids(recorded(*events), "SPN14") == []

    def test_undo_entries_are_no_holders_and_become_lost(self) -> None:
        history = recorded(A, B, COPY, of("compact", spans=["a"]))
        assert ids(history) == ["UND211@4"]
        row = history.at(4).undo_row(3)
        assert row is not None
        assert (row.status.direct, row.reachable) == ("lost", False)
        assert the(history, "UND211").evidence["entries"] == [1, 2, 3]

    @pytest.mark.parametrize(
        ("events", "state"),
        [([A], "live"), ([A, prune("a", T)], "pruned")],
    )
    def test_only_tombstones_are_collected(self, events: list[Fields], state: str) -> None:
        history = recorded(*events, of("compact", spans=["a"]))
        assert the(history, "SPN142").evidence == {"state": state}
        assert history.state.spans["a"].life == state

    def test_a_span_that_never_was_is_an_unknown_name(self) -> None:
        assert ids(recorded(A, of("compact", spans=["x"]))) == ["JNL007@2"]

    def test_after_lost_lines_it_may_be_a_tombstone(self) -> None:
        history = recorded(A, of("gap", reason="x"), of("compact", spans=["a"]))
        assert (ids(history, "SPN"), "span a" in unknown(history)) == ([], True)

    def test_a_compaction_on_unknown_ground_is_listed(self) -> None:
        history = recorded(A, COPY, of("gap", reason="x"), of("compact", spans=["a"]))
        assert unknown(history)["span a"][0] == 3


CALL = of("mark", kind="llm", label="call")
RENDER = of("render", items=[{"span": "r"}])


class TestAnswers:
    """SPN133."""

    R = ingest("r", "ok", answers="a")

    @pytest.mark.parametrize("call", [CALL, RENDER], ids=["mark", "render"])
    def test_at_a_model_call(self, call: Fields) -> None:
        history = recorded(A, self.R, prune("a", T), call)
        assert ids(history) == ["SPN133@4"]
        orphan = the(history, "SPN133")
        assert (orphan.severity, orphan.subject, orphan.caused_by) == ("error", {"span": "r"}, 3)

    def test_at_the_end(self) -> None:
        history = recorded(A, self.R, prune("a", T), of("mark", kind="note", label="x"))
        assert ids(history) == ["SPN133@4"]

    def test_once(self) -> None:
        assert ids(recorded(A, self.R, prune("a", T), CALL, CALL)) == ["SPN133@4"]

    def test_once_though_spans_come_and_go(self) -> None:
        events = (A, self.R, prune("a", T), CALL, B, CALL, prune("b", "other"), CALL)
        assert ids(recorded(*events)) == ["SPN133@4"]

    def test_not_of_an_answer_that_may_be_gone_too(self) -> None:
        events = (A, self.R, prune("a", T), of("gap", reason="x"), CALL)
        assert ids(recorded(*events), "SPN133") == []

    def test_again_where_it_was_mended_in_between(self) -> None:
        events = (A, self.R, prune("a", T), CALL, of("rollback", steps=1), CALL)
        assert ids(recorded(*events, prune("a", T), CALL)) == ["SPN133@4", "SPN133@8"]

    @pytest.mark.parametrize(
        "events",
        [
            [prune("r", "ok")],
            [of("rollback", steps=1)],
            [ingest("a", "back")],
        ],
        ids=["both pruned", "back again", "used again"],
    )
    def test_not_where_both_or_neither_are_there(self, events: list[Fields]) -> None:
        assert ids(recorded(A, self.R, prune("a", T), *events, CALL), "SPN133") == []

    def test_a_tombstone_is_not_gone(self) -> None:
        assert ids(recorded(A, self.R, COPY, CALL)) == []

    def test_a_collected_tombstone_is(self) -> None:
        events = (A, self.R, COPY, of("compact", spans=["a"]), CALL)
        assert [id for id in ids(recorded(*events)) if id.startswith("SPN")] == ["SPN133@5"]

    def test_the_copy_of_an_answer_answers_too(self) -> None:
        history = recorded(A, self.R, copy("r", "r2", "fine"), prune("a", T), CALL)
        assert the(history, "SPN133").subject == {"span": "r2"}

    def test_an_answer_to_what_was_never_there_is_not_orphaned_by_anything(self) -> None:
        history = recorded(ingest("r", "ok", answers="x"), CALL)
        assert ids(history) == ["JNL007@1"]

    def test_an_answer_that_a_diff_brings_to_what_was_never_there(self) -> None:
        edits = [ingest("c", "call"), ingest("r", "ok", answers="c"), ingest("s", "", answers="x")]
        history = recorded(stage("D", 0, [], edits), of("apply", diff="D"))
        assert the(history, "JNL007").subject == {"span": "x"}
