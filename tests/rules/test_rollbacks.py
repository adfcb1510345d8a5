"""UND221 to UND227, and undo exactly: what a rollback does, leaves and takes off the stack."""

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
from spanscope.model.content import buffer_digest, content_hash

T = "one two three"
A = ingest("a", T)
B = ingest("b", "other")
F = ingest("f", "file", store="files")
TWO = splice("a", T, 4, 3, "2")
N = "one 2 three"
PUSH = splice("a", N, 0, 0, "> ", version=2)
UNDO_TWO = of("splice", span="a", at=4, delete=1, insert="two")
UNDO_PUSH = of("splice", span="a", at=0, delete=2, insert="")
BARE = {**TWO, "inverse": None}
BACK = of("rollback", steps=1)
GAP = of("gap", reason="x")


def back(**fields: Any) -> Fields:
    return of("rollback", **fields)


def text(history: History, span: str) -> str | None:
    return history.state.spans[span].text


def stack(history: History) -> list[int]:
    """The undo stack, head first."""
    return [row.entry.seq for row in history.at(history.last).undo()]


class TestWhatItDoes:
    """Without `edits` the reader does the sound undo itself."""

    @pytest.mark.parametrize("how", [{"steps": 2}, {"to": "k"}, {"of": [3, 4]}, {"of": [4, 3]}])
    def test_entries_come_off_the_head_and_content_goes_back(self, how: Fields) -> None:
        history = recorded(A, of("checkpoint", checkpoint="k"), TWO, PUSH, back(**how))
        assert (ids(history), text(history, "a"), stack(history)) == ([], T, [1])

    def test_an_undone_ingest_is_pruned(self) -> None:
        history = recorded(A, B, BACK)
        assert (history.state.spans["b"].life, history.state.order) == ("pruned", ["a"])

    def test_an_undone_prune_is_live_at_its_old_place(self) -> None:
        history = recorded(A, B, F, prune("b", "other"), BACK)
        assert (history.state.spans["b"].life, history.state.order) == ("live", ["a", "b", "f"])
        assert ids(history) == []

    def test_an_undone_move_stands_where_it_stood(self) -> None:
        history = recorded(A, B, F, of("move", span="a", after="f"), BACK)
        assert (history.state.order, ids(history)) == (["a", "b", "f"], [])

    def test_an_undone_copy_revives_the_tombstone_and_prunes_the_copy(self) -> None:
        history = recorded(A, B, copy("a", "a2", "x"), BACK)
        lives = [history.state.spans[name].life for name in ("a", "a2")]
        assert (lives, history.state.order, ids(history)) == (["live", "pruned"], ["a", "b"], [])

    def test_an_undone_apply_takes_its_last_edit_back_first(self) -> None:
        edits = [put("a", "one ", " three", "2", delete=3), put("a", "one 2", " three", "!")]
        inverses = [inverse(T, 4, 3, "2"), inverse(N, 5, 0, "!")]
        staged = stage("D", 1, [{"span": "a"}], edits)
        history = recorded(A, staged, of("apply", diff="D", inverses=inverses), BACK)
        assert (ids(history), text(history, "a"), stack(history)) == ([], T, [1])

    def test_the_origin_goes_back_and_versions_go_on(self) -> None:
        history = recorded(ingest("a", T, origin="retrieve"), rewrite("a", T, "x"), BACK)
        span = history.state.spans["a"]
        assert (span.produced_by, span.version) == ("retrieve", 2)

    def test_a_rollback_is_no_entry_itself(self) -> None:
        assert stack(recorded(A, TWO, BACK, TWO | {"version": 3})) == [4, 1]

    def test_a_redone_change_can_be_undone_again(self) -> None:
        history = recorded(A, TWO, BACK, TWO | {"version": 3}, BACK)
        assert (ids(history), text(history, "a"), stack(history)) == ([], T, [1])

    def test_the_revision_grows_only_where_something_changed(self) -> None:
        assert recorded(A, TWO, BACK).state.revision == 3
        assert recorded(A, rewrite("a", T, T), BACK).state.revision == 1


class TestUnsound:
    """What is not sound is not done."""

    def test_the_sound_entries_from_the_head_are_undone(self) -> None:
        history = recorded(A, B, BARE, of("move", span="b", after=None), back(steps=2))
        assert history.state.order == ["a", "b"]
        assert (text(history, "a"), stack(history)) == (None, [2, 1])
        assert unknown(history)["span a"] == (5, "the rollback at 5 went through entry 3")

    def test_the_spans_of_the_rest_are_unknown_until_a_hash(self) -> None:
        history = recorded(A, BARE, BACK, of("observe", hashes={"a": content_hash(T)}))
        assert (text(history, "a"), unknown(history)) == (T, {})

    def test_a_hash_of_the_rollback_itself_will_do(self) -> None:
        history = recorded(A, BARE, back(steps=1, hashes={"a": content_hash(T)}))
        assert (text(history, "a"), ids(history, "UND22")) == (T, ["UND222@3"])

    def test_a_hash_that_is_another_is_a_corruption(self) -> None:
        history = recorded(A, BARE, back(steps=1, hashes={"a": content_hash("x")}))
        corrupted = the(history, "UND221")
        assert corrupted.evidence["expected_hash"] == content_hash(T)
        assert corrupted.evidence["actual_hash"] == content_hash("x")
        assert corrupted.caused_by == 2

    def test_an_ambiguous_entry_without_an_offset_is_not_done(self) -> None:
        bare = {"original": "x", "inserted": 1, "before": "", "after": "\n"}
        change = splice("a", "x\nx\n", 2, 1, "y", inverse=bare)
        history = recorded(ingest("a", "x\nx\n"), change, BACK)
        assert (text(history, "a"), stack(history)) == (None, [1])
        with_at = splice("a", "x\nx\n", 2, 1, "y", inverse=bare | {"at": 2})
        assert text(recorded(ingest("a", "x\nx\n"), with_at, BACK), "a") == "x\nx\n"

    @pytest.mark.parametrize(
        "past_the_log",
        [
            of("observe", hashes={"a": content_hash("x")}),
            back(steps=0, edits=[of("splice", span="a", at=0, delete=0, insert="x")]),
        ],
        ids=["observed", "by a rollback"],
    )
    def test_an_entry_that_does_not_meet_the_text_it_left_is_not_done(
        self, past_the_log: Fields
    ) -> None:
        history = recorded(A, TWO, past_the_log)
        rows = [(row.entry.seq, row.reachable) for row in history.at(3).undo()]
        assert rows == [(2, False), (1, False)]
        history = recorded(A, TWO, past_the_log, BACK)
        assert (text(history, "a"), stack(history)) == (None, [1])
        assert unknown(history)["span a"] == (4, "the rollback at 4 went through entry 2")

    def test_on_a_span_that_a_rollback_left_unknown_the_next_leaves_it_so(self) -> None:
        history = recorded(A, TWO, PUSH | {"inverse": None}, BACK, BACK)
        assert (text(history, "a"), stack(history)) == (None, [1])

    @pytest.mark.parametrize("outcome", ["failed", "noop"])
    def test_what_failed_takes_no_entry_off(self, outcome: str) -> None:
        history = recorded(A, TWO, back(steps=1, outcome=outcome))
        assert (ids(history), text(history, "a"), stack(history)) == ([], N, [2, 1])

    @pytest.mark.parametrize("outcome", ["failed", "noop"])
    def test_what_failed_and_moved_all_the_same_is_a_corruption(self, outcome: str) -> None:
        wrong = of("splice", span="a", at=0, delete=1, insert="x")
        history = recorded(A, TWO, back(steps=1, outcome=outcome, edits=[wrong]))
        assert (ids(history, "UND221"), stack(history)) == (["UND221@3"], [2, 1])

    def test_what_was_partial_takes_all_off_and_leaves_unknown_what_hashes_leave_out(self) -> None:
        other = rewrite("b", "other", "x")
        hashes = {"a": content_hash(T)}
        history = recorded(A, B, TWO, other, back(steps=2, outcome="partial", hashes=hashes))
        assert (text(history, "a"), text(history, "b"), stack(history)) == (T, None, [2, 1])
        assert set(unknown(history)) == {"span b"}

    def test_on_unknown_ground_everything_is_unknown_after_it(self) -> None:
        history = recorded(A, TWO, GAP, of("observe", contents={"a": N}), BACK)
        assert text(history, "a") is None
        assert unknown(history)["entry 2"][0] == 3


class TestCorrupted:
    """UND221: a span is not what it was before the undone entries."""

    def test_the_damaged_range_with_what_should_stand_there(self) -> None:
        first_match = of("splice", span="a", at=0, delete=1, insert="two")
        history = recorded(A, TWO, back(steps=1, edits=[first_match]))
        said = the(history, "UND221")
        assert (said.severity, said.subject, said.caused_by) == ("error", {"span": "a"}, None)
        assert said.evidence["expected_hash"] == content_hash(T)
        assert said.evidence["expected"] == "one two"
        assert said.evidence["ranges"] == [[0, len(said.evidence["actual"])]]
        assert stack(history) == [1]

    def test_one_a_span(self) -> None:
        other = rewrite("b", "other", "x")
        history = recorded(A, B, TWO, other, back(steps=2, edits=[]))
        assert [f.subject["span"] for f in found(history, "UND221")] == ["a", "b"]
        assert [f.id for f in found(history, "UND221")] == ["UND221@5", "UND221@5.2"]

    def test_caused_by_the_entry_without_a_sound_inverse(self) -> None:
        history = recorded(A, BARE, PUSH, back(steps=2, edits=[UNDO_PUSH]))
        assert the(history, "UND221").caused_by == 2

    def test_a_span_that_was_not_undone_and_changed(self) -> None:
        stray = of("splice", span="b", at=0, delete=0, insert="x")
        history = recorded(A, B, TWO, back(steps=1, edits=[UNDO_TWO, stray]))
        assert the(history, "UND221").subject == {"span": "b"}

    @pytest.mark.parametrize(
        ("events", "edits"),
        [
            ([A, B], []),
            ([A, prune("a", T)], []),
            ([A, B, copy("a", "a2", "x")], [of("prune", span="a2")]),
        ],
        ids=["still there", "not back", "not revived"],
    )
    def test_a_span_that_should_be_there_or_gone(
        self, events: list[Fields], edits: list[Fields]
    ) -> None:
        assert ids(recorded(*events, back(steps=1, edits=edits)), "UND221") != []

    def test_the_order_is_content_too(self) -> None:
        history = recorded(A, B, of("move", span="b", after=None), back(steps=1, edits=[]))
        assert ids(history, "UND22") == ["UND221@4", "UND227@4"]

    def test_what_is_unknown_is_not_called_corrupted(self) -> None:
        edits = [of("splice", span="a", at=0, delete=0, insert="x")]
        history = recorded(A, TWO, GAP, back(steps=1, edits=edits))
        assert ids(history, "UND") == []

    def test_the_entry_that_the_damage_hit_blocks_from_then_on(self) -> None:
        wrong = of("splice", span="a", at=0, delete=0, insert="x")
        history = recorded(A, TWO, PUSH, back(steps=1, edits=[UNDO_PUSH, wrong]))
        row = history.at(4).undo_row(2)
        assert row is not None
        assert row.reachable is False
        assert ids(history, "UND211") == ["UND211@4"]


class TestOutOfOrder:
    """UND222."""

    def test_through_a_missing_inverse(self) -> None:
        history = recorded(A, BARE, back(steps=1, edits=[UNDO_TWO]))
        assert ids(history, "UND22") == ["UND222@3"]
        assert (the(history, "UND222").severity, the(history, "UND222").caused_by) == ("error", 2)

    def test_a_copy_that_was_not_restored_helps_nobody(self) -> None:
        kept = of("checkpoint", checkpoint="k", snapshot=True)
        assert ids(recorded(A, kept, BARE, back(to="k")), "UND22") == ["UND222@4"]

    def test_a_restore_without_a_copy_went_through_it_too(self) -> None:
        kept = of("checkpoint", checkpoint="k")
        history = recorded(A, kept, BARE, back(to="k", method="restore"))
        assert ids(history, "UND22") == ["UND222@4", "UND224@4"]

    def test_not_where_the_source_records_none(self) -> None:
        history = recorded(A, BARE, back(steps=1, edits=[UNDO_TWO]), records=["versions"])
        assert ids(history) == []

    def test_edits_that_skip_what_was_made_on_top(self) -> None:
        history = recorded(A, TWO, PUSH, back(of=[2], edits=[UNDO_TWO | {"at": 6}]))
        said = the(history, "UND222")
        assert said.evidence == {"undone": [2], "skipped": 3}
        assert (said.subject, said.caused_by) == ({"entry": 3, "span": "a"}, 3)

    def test_edits_that_skip_what_changed_the_order_too(self) -> None:
        moved = of("move", span="a", after="b")
        history = recorded(A, B, F, moved, prune("b", "other"), back(of=[4], edits=[]))
        assert ids(history, "UND222") == ["UND222@6"]

    @pytest.mark.parametrize(
        "between",
        [rewrite("b", "other", "x"), of("move", span="b", after=None)],
        ids=["another span", "the order"],
    )
    def test_independent_entries_may_be_skipped(self, between: Fields) -> None:
        history = recorded(A, B, TWO, between, back(of=[3], edits=[UNDO_TWO]))
        assert (ids(history), stack(history)) == ([], [4, 2, 1])


class TestSelective:
    """`of` without `edits`: down to the oldest named, and the others done again."""

    RECORD: Fields = {"original": "", "inserted": 1, "before": "three", "after": ""}
    LATE = splice("a", N, 11, 0, "!", version=2, inverse=RECORD)

    def test_the_others_are_redone_at_their_mapped_places(self) -> None:
        history = recorded(A, TWO, self.LATE, back(of=[2]))
        assert (text(history, "a"), stack(history), ids(history)) == (T + "!", [3, 1], [])

    def test_they_stay_on_the_stack_and_can_be_undone(self) -> None:
        history = recorded(A, TWO, self.LATE, back(of=[2]), BACK)
        assert (text(history, "a"), stack(history), ids(history)) == (T, [1], [])

    def test_an_anchor_that_held_what_was_undone_finds_them_no_more(self) -> None:
        wide = splice("a", N, 11, 0, "!", version=2)
        history = recorded(A, TWO, wide, back(of=[2]))
        assert (text(history, "a"), ids(history)) == (T + "!", ["UND211@4"])

    def test_without_their_offset(self) -> None:
        text_then = "x\nx\n--"
        record = {"original": "x", "inserted": 1, "before": "", "after": "\n", "at": 2}
        change = splice("a", text_then, 2, 1, "y", version=2, inverse=record)
        tail = splice("a", "x\nx\n", 4, 0, "--")
        history = recorded(ingest("a", "x\nx\n"), tail, change, back(of=[2]))
        row = history.at(4).undo_row(3)
        assert row is not None
        assert (text(history, "a"), row.status.direct, row.reachable) == (
            "x\ny\n",
            "ambiguous",
            False,
        )

    def test_over_a_text_that_is_not_what_it_left_it_is_impossible(self) -> None:
        away = of("observe", hashes={"a": content_hash("x")})
        assert ids(recorded(A, TWO, away, back(of=[2])), "UND22") == ["UND222@4"]

    @pytest.mark.parametrize(
        "on_top",
        [
            splice("a", N, 3, 3, "-", version=2),
            {**PUSH, "inverse": None},
        ],
        ids=["overlaps", "has no inverse"],
    )
    def test_where_it_is_impossible_nothing_moves(self, on_top: Fields) -> None:
        history = recorded(A, TWO, on_top, back(of=[2]))
        assert ids(history, "UND22") == ["UND222@4"]
        assert (history.state.revision, stack(history)) == (3, [3, 2, 1])

    def test_a_kept_entry_on_a_span_whose_ingest_is_undone(self) -> None:
        history = recorded(A, TWO, back(of=[1]))
        assert (ids(history, "UND22"), text(history, "a")) == (["UND222@3"], N)

    def test_an_entry_that_is_not_on_the_stack(self) -> None:
        history = recorded(A, TWO, BACK, back(of=[2]))
        assert the(history, "JNL007").subject == {"entry": 2}


class TestStores:
    """`stores` limits a rollback: entries of others stay and are not skipped."""

    FILE = rewrite("f", "file", "new")

    def test_entries_of_other_stores_stay_on_the_stack(self) -> None:
        history = recorded(A, F, TWO, self.FILE, back(steps=1, stores=["context"]))
        assert (text(history, "a"), text(history, "f"), stack(history)) == (T, "new", [4, 2, 1])
        assert ids(history) == []

    def test_an_entry_of_another_store_is_said_to_be_one(self) -> None:
        history = recorded(A, F, back(steps=None, of=[2], stores=["context"]))
        message = the(history, "JNL007").message
        assert message == "rollback names entry 2, which changed files, not context."

    def test_a_rollback_to_a_checkpoint_that_leaves_another_store(self) -> None:
        kept = (A, F, of("checkpoint", checkpoint="k"), TWO, self.FILE)
        history = recorded(*kept, back(to="k", stores=["context"]))
        assert ids(history) == ["UND225@6"]
        said = the(history, "UND225")
        assert (said.severity, said.caused_by) == ("warning", 5)
        assert said.evidence == {"stores": ["files"], "entries": [5]}

    def test_caused_by_its_earliest_change(self) -> None:
        again = rewrite("f", "new", "newer", version=2)
        kept = (A, F, of("checkpoint", checkpoint="k"), TWO, self.FILE, again)
        said = the(recorded(*kept, back(to="k", stores=["context"])), "UND225")
        assert (said.caused_by, said.evidence["entries"]) == (5, [5, 6])

    @pytest.mark.parametrize(
        "events",
        [
            [TWO, FILE, back(to="k")],
            [TWO, FILE, back(to="k", stores=["context", "files"])],
            [FILE, BACK, TWO, back(to="k", stores=["context"])],
            [TWO, rewrite("f", "file", "file"), back(to="k", stores=["context"])],
            [TWO, FILE, back(steps=1, stores=["context"])],
        ],
        ids=["all stores", "both named", "undone before", "no byte changed", "no checkpoint"],
    )
    def test_not_where_nothing_is_left_of_it(self, events: list[Fields]) -> None:
        history = recorded(A, F, of("checkpoint", checkpoint="k"), *events)
        assert ids(history) == []

    def test_what_failed_left_nothing_half_done(self) -> None:
        kept = (A, F, of("checkpoint", checkpoint="k"), TWO, self.FILE)
        history = recorded(*kept, back(to="k", stores=["context"], outcome="failed"))
        assert ids(history) == []

    def test_a_restore_of_one_store(self) -> None:
        kept = (A, F, of("checkpoint", checkpoint="k", snapshot=True), TWO, self.FILE)
        history = recorded(*kept, back(to="k", method="restore", stores=["context"]))
        assert (text(history, "a"), text(history, "f")) == (T, "new")
        assert ids(history) == ["UND225@6"]


class TestPastStart:
    """UND223."""

    def test_nothing_moves(self) -> None:
        history = recorded(A, TWO, back(steps=3))
        assert (ids(history), text(history, "a"), stack(history)) == (["UND223@3"], N, [2, 1])
        assert the(history, "UND223").evidence == {"steps": 3, "stack": 2}

    def test_of_the_entries_of_its_stores(self) -> None:
        history = recorded(A, F, back(steps=2, stores=["files"]))
        said = the(history, "UND223")
        assert said.evidence == {"steps": 2, "stack": 1}
        assert said.message == ("a rollback of 2 steps, but the undo stack has 1 entry of files.")

    def test_where_lines_were_lost_the_stack_may_be_longer(self) -> None:
        history = recorded(A, GAP, back(steps=3))
        assert (ids(history, "UND"), "entry 1" in unknown(history)) == ([], True)


class TestRestore:
    """UND224."""

    def test_a_full_copy_is_put_back_whatever_the_inverses(self) -> None:
        kept = of("checkpoint", checkpoint="k", snapshot=True)
        history = recorded(A, kept, BARE, B, back(to="k", method="restore"))
        assert ids(history, "UND22") == []
        assert (text(history, "a"), history.state.order, stack(history)) == (T, ["a"], [1])
        assert history.state.spans["a"].version == 2

    def test_without_a_full_copy_there_is_nothing_to_restore(self) -> None:
        kept = of("checkpoint", checkpoint="k", digest=None)
        history = recorded(A, kept, TWO, back(to="k", method="restore"))
        assert ids(history) == ["UND224@4"]
        assert (the(history, "UND224").severity, the(history, "UND224").caused_by) == ("error", 2)

    def test_a_checkpoint_that_was_never_made(self) -> None:
        assert ids(recorded(A, back(to="k")), "JNL") == ["JNL007@2"]
        restored = recorded(A, back(to="k", method="restore"))
        assert ids(restored) == ["JNL007@2", "UND224@2"]

    def test_no_checkpoint_at_all(self) -> None:
        history = recorded(A, TWO, back(steps=1, method="restore"))
        assert (ids(history), the(history, "UND224").caused_by) == (["UND224@3"], None)

    def test_the_latest_of_a_name_counts(self) -> None:
        kept = of("checkpoint", checkpoint="k")
        history = recorded(A, kept, TWO, kept, PUSH, back(to="k"))
        assert (text(history, "a"), stack(history)) == (N, [3, 1])


class TestActors:
    """UND226."""

    def test_each_entry_of_another_actor(self) -> None:
        theirs = {"actor": "tool:search"}
        history = recorded(A, TWO | theirs, PUSH | theirs, back(steps=2))
        assert [f.subject["entry"] for f in found(history, "UND226")] == [2, 3]
        assert [f.severity for f in found(history, "UND226")] == ["info", "info"]
        assert [f.caused_by for f in found(history, "UND226")] == [2, 3]

    @pytest.mark.parametrize("outcome", ["failed", "noop"])
    def test_not_where_nothing_was_undone(self, outcome: str) -> None:
        history = recorded(A, TWO | {"actor": "x"}, back(steps=1, outcome=outcome))
        assert ids(history) == []


class TestDidNothing:
    """UND227."""

    def test_reported_done_and_nothing_was_restored(self) -> None:
        history = recorded(A, TWO, back(steps=1, edits=[]))
        assert ids(history, "UND22") == ["UND221@3", "UND227@3"]
        assert the(history, "UND227").severity == "error"
        assert stack(history) == [1]

    def test_not_where_something_was(self) -> None:
        wrong = of("splice", span="a", at=0, delete=0, insert="x")
        assert ids(recorded(A, TWO, back(steps=1, edits=[wrong])), "UND227") == []

    @pytest.mark.parametrize("outcome", ["failed", "noop", "partial"])
    def test_not_where_it_was_not_reported_done(self, outcome: str) -> None:
        history = recorded(A, TWO, back(steps=1, edits=[], outcome=outcome))
        assert ids(history, "UND227") == []

    def test_not_where_there_was_nothing_to_restore(self) -> None:
        assert ids(recorded(A, rewrite("a", T, T), back(steps=1, edits=[]))) == []


class TestAbort:
    """The newest change was logged and then did not happen."""

    @pytest.mark.parametrize(
        "change",
        [TWO, rewrite("a", T, "x"), prune("a", T), copy("a", "a2", "x"), B],
        ids=["splice", "rewrite", "prune", "copy", "ingest"],
    )
    def test_everything_is_as_before(self, change: Fields) -> None:
        before, after = recorded(A), recorded(A, change, of("abort", of=2))
        assert (text(after, "a"), after.state.order, stack(after)) == (T, ["a"], [1])
        assert after.state.revision == before.state.revision == 1
        assert after.state.digest() == before.state.digest()

    def test_the_revision_is_used_again(self) -> None:
        history = recorded(A, TWO, of("abort", of=2), PUSH | {"at": 0, "version": 3, "hash": None})
        assert history.state.revision == 2

    def test_an_aborted_rollback_puts_its_entries_back(self) -> None:
        history = recorded(A, TWO, BACK, of("abort", of=3))
        assert (text(history, "a"), stack(history)) == (N, [2, 1])

    def test_an_aborted_apply_is_staged_again(self) -> None:
        staged = stage("D", 1, [{"span": "a"}], [put("a", "one ", " three", "2", delete=3)])
        history = recorded(A, staged, of("apply", diff="D"), of("abort", of=3))
        assert [row.diff.diff for row in history.at(4).staging()] == ["D"]

    @pytest.mark.parametrize("seq", [1, 9])
    def test_only_the_newest_change(self, seq: int) -> None:
        history = recorded(A, TWO, of("abort", of=seq))
        assert (ids(history, "JNL"), text(history, "a")) == (["JNL007@3"], N)

    def test_an_artifact_derived_in_between_does_not_hinder(self) -> None:
        history = recorded(A, TWO, derive("c", "a", N, version=1), of("abort", of=2))
        assert text(history, "a") == T


def test_an_impossible_selective_rollback_names_what_blocks_not_what_cannot_be_told() -> None:
    untold = of("observe", hashes={"a": content_hash("?")})
    fold = {**rewrite("a", "?", "new", version=3), "inverse": {"original": "?", "inserted": 3}}
    history = recorded(A, B, BARE, untold, fold, back(of=[1]))
    assert the(history, "UND222").subject == {"entry": 3, "span": "a"}


def test_a_move_that_a_selective_rollback_left_is_damage_too() -> None:
    move = of("move", span="f", after=None)
    history = recorded(A, B, F, move, TWO, back(of=[4], edits=[]))
    assert ids(history, "UND22") == ["UND221@6", "UND227@6"]
    assert the(history, "UND221").subject == {"span": "a"}


@pytest.mark.parametrize("lost", [[GAP], []], ids=["lines were lost", "partial"])
def test_a_pruned_span_of_which_a_hash_is_claimed_stands_again(lost: list[Fields]) -> None:
    hashes = {"a": content_hash(N)}
    undo = back(steps=2, hashes=hashes, outcome="done" if lost else "partial")
    history = recorded(A, TWO, *lost, prune("a", N), undo)
    assert (text(history, "a"), history.state.spans["a"].life) == (N, "live")
    assert history.state.order == ["a"]


class TestAMoveBelowAMissingInverse:
    """Where it was undone to is told by what the agent holds, never by what the reader left."""

    MOVED = (A, B, of("move", span="b", after=None), BARE)

    @pytest.mark.parametrize("hashes", [{}, {"a": content_hash(T), "b": content_hash("other")}])
    def test_is_no_damage(self, hashes: dict[str, str]) -> None:
        history = recorded(*self.MOVED, back(steps=2, hashes=hashes))
        assert ids(history, "UND22") == ["UND222@5"]
        assert set(unknown(history)) == (set() if hashes else {"span a", "span b"})

    def test_a_digest_of_what_was_meant_makes_all_known(self) -> None:
        meant = buffer_digest([("a", content_hash(T)), ("b", content_hash("other"))])
        history = recorded(*self.MOVED, back(steps=2), of("observe", digest=meant))
        assert (unknown(history), text(history, "a")) == ({}, T)
        assert history.state.order == ["a", "b"]
