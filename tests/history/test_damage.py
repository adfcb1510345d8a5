"""What damage makes unknown, exactly, and what makes it known again."""

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
    line,
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
N = "one 2 three"
READ_A = [{"span": "a"}]
D = stage("D", 2, READ_A, [put("a", "one ", "two", "and ")])
MARK = of("mark", kind="note", label="x")
BASE = (A, B, C, D)

DAMAGE: dict[str, tuple[list[Fields | bytes], str]] = {
    "not JSON": ([b"}\n"], "JNL002"),
    "not UTF-8": ([b'{"type":"\xff"}\n'], "JNL002"),
    "a field is missing": ([b'{"type":"prune","seq":5,"time":"x"}\n'], "JNL002"),
    "a wrong checksum": ([line(MARK, 5)[:-2] + b',"crc":"00000000"}\n'], "JNL004"),
    "a seq too high": ([MARK | {"seq": 7}], "JNL003"),
    "a gap": ([of("gap", reason="x", lost=2)], "JNL011"),
    "another line of a seq": ([line(MARK, 3)], "JNL003"),
}
HARMLESS: dict[str, tuple[list[Fields | bytes], list[str]]] = {
    "the same line twice": ([line(D, 4)], ["JNL003"]),
    "an unknown event": ([of("novel", what=1)], ["JNL006"]),
    "an unknown field": ([MARK | {"novel": 1}], []),
    "an earlier time": ([MARK | {"time": "2026-01-01T00:00:00Z"}], ["JNL009"]),
    "a torn tail": ([line(MARK, 5)[:-1]], ["JNL001"]),
    "a torn half line": ([line(TWO, 5)[:-9]], ["JNL001"]),
    "an unknown name": ([of("prune", span="x")], ["JNL007"]),
    "an impossible edit": ([of("splice", span="a", at=99, delete=0, insert="x")], ["JNL008"]),
}


def words(history: History) -> dict[str, str]:
    """The state of every span, artifact, entry and diff at the end."""
    now = history.at(history.last)
    found_words: dict[str, str] = {f"span {row.name}": row.state for row in now.spans()}
    found_words |= {f"artifact {r.artifact.artifact}": r.judgement.state for r in now.artifacts()}
    found_words |= {f"entry {row.entry.seq}": str(row.reachable) for row in now.undo()}
    found_words |= {f"diff {row.diff.diff}": row.judgement.verdict for row in now.staging()}
    return found_words


@pytest.mark.parametrize("case", DAMAGE)
class TestPoison:
    """After each kind of damage everything that stood is unknown."""

    def after(self, case: str, *events: Fields | bytes) -> History:
        return recorded(*BASE, *DAMAGE[case][0], *events)

    def test_it_is_said_once(self, case: str) -> None:
        history = self.after(case)
        assert [f.rule for f in history.findings] == [DAMAGE[case][1]]

    def test_spans_order_stack_holders_and_diffs(self, case: str) -> None:
        history = self.after(case, MARK)
        assert words(history) == {
            "span a": "unknown",
            "span b": "unknown",
            "artifact c": "unknown",
            "entry 1": "None",
            "entry 2": "None",
            "diff D": "unknown",
        }
        assert set(unknown(history)) == set(words(history))
        assert (history.state.revision, history.state.digest()) == (None, None)

    def test_what_came_before_it_is_as_it_was(self, case: str) -> None:
        history = self.after(case, MARK)
        before = history.at(4)
        assert [row.state for row in before.spans()] == ["live", "live"]
        assert (before.revision, before.digest is not None) == (2, True)
        assert [row.judgement.state for row in before.artifacts()] == ["fresh"]

    def test_nobody_is_accused_of_what_cannot_be_told(self, case: str) -> None:
        events: list[Fields] = [
            use("c"),
            {**TWO, "version": 0, "hash": content_hash("x"), "inverse": None},
            of("splice", span="a", at=99, delete=4, insert="!"),
            of("apply", diff="D"),
            of("use", artifact="novel"),
            of("prune", span="novel"),
            of("rollback", steps=9),
            of("compact", spans=["novel"]),
            of("render", items=[{"span": "b", "shown": "x"}, {"span": "novel2"}]),
            MARK,
        ]
        history = self.after(case, *events)
        assert [f.rule for f in history.findings] == [DAMAGE[case][1]]


@pytest.mark.parametrize("case", HARMLESS)
def test_what_is_harmless_makes_nothing_unknown(case: str) -> None:
    events, rules = HARMLESS[case]
    history = recorded(*BASE, *events)
    assert sorted(finding.rule for finding in history.findings) == rules
    assert unknown(history) == {}
    assert words(history)["diff D"] == "admissible"


GAP = of("gap", reason="x")
HASH_A = content_hash(T)


class TestKnownAgain:
    """What makes one span known again, and nothing else."""

    @pytest.mark.parametrize(
        ("event", "text"),
        [
            (of("observe", hashes={"a": HASH_A}), T),
            (of("observe", contents={"a": T}), T),
            (of("observe", contents={"a": "x"}), "x"),
            (splice("a", T, 4, 3, "2"), N),
            (rewrite("a", T, "x"), "x"),
            (rewrite("a", T, "x", hash=None, version=None), "x"),
            (of("rollback", steps=0, hashes={"a": HASH_A}, edits=[]), T),
        ],
        ids=[
            *("an observed hash", "observed text", "another observed text", "a matching hash"),
            *("a whole rewrite", "a whole rewrite without a claim", "a hash of an untouched span"),
        ],
    )
    def test_one_span(self, event: Fields, text: str | None) -> None:
        history = recorded(*BASE, GAP, event)
        assert history.state.spans["a"].text == text
        assert ("span a" in unknown(history)) is (text is None)
        assert unknown(history)["span b"] == (5, "the recorder missed events at 5: x")
        assert history.state.digest() is None

    def test_an_observed_hash_of_another_text_tells_the_hash_alone(self) -> None:
        history = recorded(*BASE, GAP, of("observe", hashes={"a": content_hash("x")}))
        span = history.state.spans["a"]
        assert (span.hash, span.text, ids(history, "JNL005")) == (content_hash("x"), None, [])

    @pytest.mark.parametrize(
        "event",
        [
            {**TWO, "hash": None},
            {**TWO, "hash": content_hash("x")},
            of("move", span="a", after="b"),
            of("checkpoint", checkpoint="k"),
            derive("d", "a", T),
            TWO | {"hash": None, "base": {"hash": HASH_A}},
            of("render", items=[{"span": "a", "shown": T}]),
            of("observe", hashes={"b": content_hash("other")}),
        ],
        ids=[
            *("no claim", "another hash", "a move", "a checkpoint", "a holder's key"),
            *("a writer's belief", "a render", "another span"),
        ],
    )
    def test_what_does_not(self, event: Fields) -> None:
        history = recorded(*BASE, GAP, event)
        assert history.state.spans["a"].text is None

    def test_its_holders_are_judged_again(self) -> None:
        same = recorded(*BASE, GAP, of("observe", contents={"a": T}))
        other = recorded(*BASE, GAP, of("observe", contents={"a": "x"}))
        assert (state_of(same, "c"), state_of(other, "c")) == ("fresh", "stale")

    def test_a_new_span_is_known(self) -> None:
        history = recorded(*BASE, GAP, ingest("n", "new"))
        assert (history.state.spans["n"].text, "span n" in unknown(history)) == ("new", False)

    def test_a_pruned_span_is_gone_for_certain(self) -> None:
        assert words(recorded(*BASE, GAP, prune("a", T)))["span a"] == "pruned"

    def test_entries_made_on_known_ground_are_known(self) -> None:
        again = splice("a", "x", 0, 1, "y", version=2)
        history = recorded(*BASE, GAP, rewrite("a", T, "x"), again)
        reach = {row.entry.seq: row.reachable for row in history.at(7).undo()}
        assert reach == {7: True, 6: None, 2: None, 1: None}

    def test_a_missing_inverse_on_known_ground_is_said(self) -> None:
        again = splice("a", "x", 0, 1, "y", version=2, inverse=None)
        history = recorded(*BASE, GAP, rewrite("a", T, "x"), again)
        assert ids(history, "UND201") == ["UND201@7"]

    def test_a_tombstone_is_a_span_like_another(self) -> None:
        events = (A, C, copy("a", "a2", "x"), GAP)
        assert state_of(recorded(*events), "c") == "unknown"
        assert state_of(recorded(*events, of("observe", hashes={"a": HASH_A})), "c") == "fresh"


class TestDigest:
    """A matching digest makes everything known again."""

    @staticmethod
    def digest(*events: Fields) -> str:
        found_digest = recorded(*events).state.digest()
        assert found_digest is not None
        return found_digest

    @pytest.mark.parametrize("kind", ["observe", "checkpoint"])
    def test_spans_order_stack_holders_and_diffs(self, kind: str) -> None:
        fields = {"checkpoint": "k"} if kind == "checkpoint" else {}
        matching = of(kind, digest=self.digest(A, B), **fields)
        history = recorded(*BASE, GAP, matching)
        assert words(history) == {
            "span a": "live",
            "span b": "live",
            "artifact c": "fresh",
            "entry 1": "True",
            "entry 2": "True",
            "diff D": "admissible",
        }
        assert unknown(history) == {}

    def test_another_one_leaves_it_unknown_and_accuses_nobody(self) -> None:
        history = recorded(*BASE, GAP, of("observe", digest=self.digest(A)))
        assert (ids(history), "span a" in unknown(history)) == (["JNL011@5"], True)

    def test_what_was_unknown_when_it_mattered_stays_listed(self) -> None:
        matching = of("observe", digest=self.digest(A, B))
        history = recorded(*BASE, GAP, use("c"), matching)
        assert (state_of(history, "c"), unknown(history)["artifact c"][0]) == ("fresh", 5)

    def test_a_diffs_base_is_no_claim_of_what_the_buffer_holds(self) -> None:
        staged = D | {"diff": "E", "base": {"revision": 2, "digest": self.digest(A, B)}}
        history = recorded(*BASE, GAP, staged)
        assert words(history)["span a"] == "unknown"

    def test_revisions_stay_unknown(self) -> None:
        history = recorded(*BASE, GAP, of("observe", digest=self.digest(A, B)), TWO)
        assert history.state.revision is None

    def test_all_hashes_one_by_one_tell_nothing_of_the_order(self) -> None:
        hashes = {"a": HASH_A, "b": content_hash("other")}
        history = recorded(*BASE, GAP, of("observe", hashes=hashes))
        assert history.state.digest() is None
        assert words(history)["diff D"] == "unknown"


class TestSequence:
    """JNL003, and the lines that stand for a seq or for none."""

    def test_an_unreadable_line_may_stand_for_one_seq_or_none(self) -> None:
        bad = b"}\n"
        assert [f.rule for f in recorded(A, bad, MARK | {"seq": 3}).findings] == ["JNL002"]
        assert [f.rule for f in recorded(A, bad, MARK | {"seq": 2}).findings] == ["JNL002"]
        assert ids(recorded(A, bad, MARK | {"seq": 4}), "JNL003") == ["JNL003@4"]

    def test_as_many_seqs_as_there_are_such_lines(self) -> None:
        bad = b"}\n"
        assert ids(recorded(A, bad, bad, MARK | {"seq": 4}), "JNL003") == []
        assert ids(recorded(A, bad, bad, MARK | {"seq": 5}), "JNL003") == ["JNL003@5"]

    def test_it_stands_at_the_line_that_came_too_far(self) -> None:
        said = the(recorded(A, MARK | {"seq": 4}), "JNL003")
        assert (said.seq, said.severity) == (4, "error")

    def test_a_first_seq_that_is_not_one(self) -> None:
        assert ids(recorded(A | {"seq": 2})) == ["JNL003@2"]

    def test_a_line_that_was_there_is_not_applied_again(self) -> None:
        history = recorded(A, TWO, line(TWO, 2), line(rewrite("a", N, "x"), 2))
        assert ids(history, "JNL003") == ["JNL003@2", "JNL003@2.2"]
        assert history.state.spans["a"].node.text == N

    def test_swapped_lines(self) -> None:
        history = recorded(A, MARK | {"seq": 3}, MARK | {"seq": 2}, MARK | {"seq": 4})
        assert ids(history, "JNL003") == ["JNL003@3", "JNL003@2"]


class TestHeader:
    """JNL010 and JNL004 of line 1."""

    @staticmethod
    def read(*lines: bytes) -> History:
        history = History()
        for each in lines:
            history.feed(each)
        history.finish()
        return history

    def test_a_file_without_a_header_is_read_on(self) -> None:
        history = self.read(line(A, 1), line(TWO, 2))
        assert [f.rule for f in history.findings] == ["JNL010"]
        assert (history.state.spans["a"].text, unknown(history)) == (N, {})

    @pytest.mark.parametrize("named", ["spanscope.journal/2", "other", ""])
    def test_a_format_that_is_not_known(self, named: str) -> None:
        history = self.read(line(of("session", format=named, session="s")), line(A, 1))
        said = the(history, "JNL010")
        assert (said.severity, said.seq, said.id) == ("error", None, "JNL010@+0")
        assert history.state.spans["a"].text == T

    def test_without_a_header_all_that_is_absent_is_missing(self) -> None:
        history = self.read(line(A, 1), line({**TWO, "inverse": None}, 2))
        assert ids(history, "UND201") == ["UND201@2"]

    def test_an_empty_file(self) -> None:
        assert [f.rule for f in self.read().findings] == ["JNL010"]

    def test_a_second_header_is_an_unreadable_line(self) -> None:
        header = line(of("session", format="spanscope.journal/1", session="t"))
        history = recorded(A, header, MARK)
        assert ([f.rule for f in history.findings], history.name) == (["JNL002"], "s")


class TestPast:
    """What is learned later does not change what was known before."""

    @pytest.mark.parametrize("hash", [None, content_hash("x")])
    def test_a_hash_that_is_claimed_later(self, hash: str | None) -> None:
        hidden = ingest("a", "***", hash=hash, redacted=True)
        gone = of("prune", span="a", hash=content_hash("y"), redacted=True)
        history = recorded(hidden, gone)
        before = history.at(1).span("a")
        assert before is not None
        assert before.hash == hash

    def test_a_compaction_takes_the_target_of_a_diff_for_certain(self) -> None:
        staged = stage("D", 1, [], [put("a", "one ", "two", "and ")])
        history = recorded(A, copy("a", "a2", "x"), GAP, staged, of("compact", spans=["a"]))
        (row,) = history.at(5).staging()
        assert row.judgement.rules == history.at(5).judge(row.diff).rules == ("DIF304",)


class TestObserved:
    """JNL005: the buffer outran its log."""

    @pytest.mark.parametrize(
        "event",
        [
            of("observe", contents={"a": "one 2 three"}),
            of("observe", hashes={"a": content_hash("x")}),
            of("observe", digest="sha256:" + "0" * 64),
            of("checkpoint", checkpoint="k", digest="sha256:" + "0" * 64),
        ],
        ids=["text", "hash", "digest", "checkpoint"],
    )
    def test_it_differs_from_the_replay(self, event: Fields) -> None:
        history = recorded(A, event)
        assert the(history, "JNL005").severity == "error"

    @pytest.mark.parametrize(
        "event",
        [
            of("observe", contents={"a": T}),
            of("observe", hashes={"a": HASH_A}),
            of("observe"),
        ],
    )
    def test_it_does_not(self, event: Fields) -> None:
        history = recorded(A, event)
        assert (ids(history), history.at(2).undo_size) == ([], 1)

    def test_the_range_that_differs(self) -> None:
        evidence = the(recorded(A, of("observe", contents={"a": N})), "JNL005").evidence
        assert (evidence["ranges"], evidence["expected"], evidence["actual"]) == (
            [[4, 5]],
            "two",
            "2",
        )

    def test_a_span_that_its_log_never_put_there(self) -> None:
        history = recorded(A, of("observe", contents={"n": "new"}))
        assert the(history, "JNL005").subject == {"span": "n"}
        assert history.state.spans["n"].text == "new"

    @pytest.mark.parametrize("held", [{"contents": {"n": "x"}}, {"hashes": {"n": HASH_A}}])
    def test_a_span_that_should_not_be_there(self, held: Fields) -> None:
        assert the(recorded(A, of("observe", **held)), "JNL005").subject == {"span": "n"}
        pruned = (ingest("n", "x"), prune("n", "x"))
        assert the(recorded(*pruned, of("observe", **held)), "JNL005").subject == {"span": "n"}

    @pytest.mark.parametrize("held", [{"contents": {"n": "x"}}, {"hashes": {"n": HASH_A}}])
    def test_after_lost_lines_it_may_have_been_put_there(self, held: Fields) -> None:
        assert ids(recorded(A, GAP, of("observe", **held)), "JNL005") == []

    def test_contents_make_artifacts_stale_like_any_change(self) -> None:
        history = recorded(A, C, of("observe", contents={"a": "x"}))
        assert ids(history, "SPN101") == ["SPN101@3"]

    def test_the_unlogged_change_is_an_entry_without_an_inverse(self) -> None:
        history = recorded(A, of("observe", contents={"a": "x"}))
        row = history.at(2).undo_row(2)
        assert row is not None
        assert (row.status.direct, row.reachable) == ("missing", False)
        assert ids(history, "UND201") == []

    @pytest.mark.parametrize("content", [T, "x", "y"])
    def test_a_text_after_a_hash_alone(self, content: str) -> None:
        events = (A, of("observe", hashes={"a": content_hash("x")}))
        history = recorded(*events, of("observe", contents={"a": content}))
        assert history.state.spans["a"].text == content
        outran = ["JNL005@2"] if content == "x" else ["JNL005@2", "JNL005@3"]
        assert ids(history, "JNL005") == outran

    def test_the_hash_alone_leaves_the_text_unknown(self) -> None:
        history = recorded(A, of("observe", hashes={"a": content_hash("x")}))
        assert (history.state.spans["a"].text, history.state.spans["a"].hash) == (
            None,
            content_hash("x"),
        )


class TestOther:
    """JNL006 to JNL009."""

    def test_an_unknown_event_is_kept_and_shown(self) -> None:
        history = recorded(A, of("novel", what=1), MARK)
        assert ids(history) == ["JNL006@2"]
        assert the(history, "JNL006").severity == "info"
        assert (len(history), history.seqs[1]) == (3, 2)

    @pytest.mark.parametrize(
        ("event", "subject"),
        [
            (splice("x", T, 0, 0, "y"), {"span": "x"}),
            (of("rewrite", span="x", op="y", content="z"), {"span": "x"}),
            (of("prune", span="x"), {"span": "x"}),
            (of("move", span="x", after=None), {"span": "x"}),
            (of("move", span="a", after="x"), {"span": "x"}),
            (ingest("n", "new", after="x"), {"span": "x"}),
            (derive("c", "x", "y"), {"artifact": "c", "span": "x"}),
            (derive("c", "a", T, sources=[{"span": "x"}]), {"artifact": "c", "span": "x"}),
            (use("c"), {"artifact": "c"}),
            (of("release", artifact="c"), {"artifact": "c"}),
            (
                of("inverse", of=1, edit=3, inserted=0, original="", before="", after=""),
                {"entry": 1},
            ),
            (of("inverse", of=1, edit=-1, inserted=0, original=""), {"entry": 1}),
            (of("inverse", of=1, edit=-(2**63), inserted=0, original=""), {"entry": 1}),
            (of("abort", of=7), {"entry": 7}),
            (of("rollback", of=[7]), {"entry": 7}),
            (of("rollback", to="k"), {}),
            (of("apply", diff="D"), {"diff": "D"}),
            (of("reject", diff="D"), {"diff": "D"}),
            (of("withdraw", diff="D"), {"diff": "D"}),
            (stage("D", 1, [{"span": "x"}], []), {"diff": "D", "span": "x"}),
            (of("compact", spans=["x"]), {"span": "x"}),
            (of("render", items=[{"span": "x"}]), {"span": "x"}),
            (ingest("n", "new", supersedes=["x"]), {"span": "x"}),
        ],
        ids=lambda value: value.get("type", ""),
    )
    def test_an_unknown_name(self, event: Fields, subject: Any) -> None:
        history = recorded(A, event)
        assert subject in [f.subject for f in found(history, "JNL007")]
        assert the(history, "JNL007").severity == "error"
        assert history.state.spans["a"].text == T

    @pytest.mark.parametrize(("at", "delete"), [(14, 0), (13, 1), (0, 14), (-1, 0), (3, -1)])
    def test_an_impossible_edit_changes_nothing(self, at: int, delete: int) -> None:
        history = recorded(A, of("splice", span="a", at=at, delete=delete, insert="x"))
        assert (ids(history), history.state.spans["a"].text) == (["JNL008@2"], T)
        assert (history.state.revision, history.at(2).undo_size) == (1, 1)
        assert history.state.spans["a"].version == 0

    @pytest.mark.parametrize(
        ("time", "fires"),
        [
            ("2026-11-11T08:59:59Z", True),
            ("2026-11-11T08:59:59.999Z", True),
            ("2026-11-11T09:00:00Z", False),
            ("2026-11-11T09:00:00.000Z", False),
            ("2026-11-11T10:00:00+01:00", False),
            ("2026-11-11T09:30:00+01:00", True),
            ("yesterday", False),
        ],
    )
    def test_a_clock_that_goes_backwards(self, time: str, fires: bool) -> None:
        history = recorded(A, MARK | {"time": time})
        assert ids(history) == (["JNL009@2"] if fires else [])
        if fires:
            assert the(history, "JNL009").severity == "info"

    def test_times_without_a_zone_are_not_compared(self) -> None:
        naive = ("2026-11-11T09:00:00", "2026-11-11 08:00")
        assert ids(recorded(*(MARK | {"time": time} for time in naive))) == []


def test_one_missing_event_is_one() -> None:
    assert unknown(recorded(A, MARK | {"seq": 3}))["span a"][1] == "event 2 is missing"
    assert unknown(recorded(A, MARK | {"seq": 4}))["span a"][1] == "events 2..3 are missing"
