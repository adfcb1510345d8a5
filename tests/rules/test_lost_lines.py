"""Lines that are lost accuse nobody: what a finding says must be so whatever they were.

A whole journal that no rule accuses is one of the things that a journal with lost lines may have
been. Whatever is found above info behind the loss is therefore false, but for the damage itself.

A matching digest behind the loss ends that for artifacts, diffs and the undo stack: it proves
nothing of them, but who writes it means to go on as before.
"""

from __future__ import annotations

import json
import random

import pytest
from support.journals import (
    Fields,
    copy,
    derive,
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
    unknown,
    use,
)
from support.second_opinion import differences
from support.sound import HEADER, UNREADABLE, accusations, losses, sound_journal

from spanscope.model.content import buffer_digest, content_hash

GROUPS = 8


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_journals(group: int) -> None:
    for seed in range(group, 320, GROUPS):
        lines = sound_journal(seed, 12)
        left = [loss for loss in losses(lines) if not goes_on(loss[1])]
        for how, journal in random.Random(seed).sample(left, min(len(left), 16)):
            assert accusations(journal) == [], (seed, how, lines)


@pytest.mark.parametrize("seed", [5195, 5489])
def test_journals_of_which_a_loss_once_accused_somebody(seed: int) -> None:
    for how, journal in losses(sound_journal(seed, 13)):
        assert goes_on(journal) or accusations(journal) == [], how


T, N = "one two three", "one 2 three"
A, B = ingest("a", T), ingest("b", "other")
TWO = splice("a", T, 4, 3, "2")
HASH_T, HASH_N = content_hash(T), content_hash(N)
SEEN = of("observe", hashes={"a": HASH_T})
GAP = of("gap", reason="x")
MARK = of("mark", kind="turn", label="x")
BACK = of("rollback", steps=1)
HELD = derive("c", "a", T)
CALL, ANSWER = ingest("call", "?"), ingest("r", "result", answers="call")
LLM = of("mark", kind="llm", label="x")
EDIT = put("a", "one ", " three", "2", 3)
INVERSE = TWO["inverse"]
APPLIED = of("apply", diff="D", inverses=[INVERSE], hashes={"a": HASH_N})


HIDDEN = of("splice", span="x", at=0, delete=0, insert="!")
IN_CONTEXT = of("rollback", stores=["context"])


def goes_on(journal: bytes) -> bool:
    """Whether a digest lets artifacts, diffs and the undo stack be judged as before a loss."""
    events = [
        json.loads(line)
        for line in journal.splitlines()
        if line.startswith(b'{"') and line != UNREADABLE[:-1]
    ]
    kinds = {event["type"] for event in events}
    seen = any(e["type"] in ("observe", "checkpoint") and "digest" in e for e in events)
    return seen and not kinds.isdisjoint({"derive", "stage", "rollback", "inverse", "evict"})


def all_known(**texts: str) -> Fields:
    """An observation that is right of the whole buffer."""
    hashes = [(name, content_hash(text)) for name, text in texts.items()]
    return of("observe", digest=buffer_digest(hashes))


def staged(*edits: Fields, revision: int = 1, **more: object) -> Fields:
    return stage("D", revision, [{"span": "a"}], list(edits), **more)


STORIES: dict[str, tuple[int, list[Fields]]] = {
    "an artifact was released": (3, [A, HELD, of("release", artifact="c"), SEEN, TWO]),
    "one that was keyed on its id alone, too": (
        3,
        [A, derive("c", "a", T, hash=None, version=None), of("release", artifact="c"), SEEN, TWO],
    ),
    "an expensive one, too": (
        3,
        [A, derive("c", "a", T, kind="embedding"), of("release", artifact="c"), SEEN, TWO],
    ),
    "an artifact was derived again, from another span": (
        4,
        [A, B, {**HELD}, derive("c", "b", "other"), prune("a", T), use("c")],
    ),
    "and its old span has changed since": (
        4,
        [A, B, {**HELD}, derive("c", "b", "other"), SEEN, TWO, use("c")],
    ),
    "an artifact was derived again, with another range": (
        3,
        [
            A,
            derive("c", "a", T, range=[0, 3]),
            derive("c", "a", T, range=[4, 7]),
            SEEN,
            use("c", range=[4, 7]),
        ],
    ),
    "what an artifact is derived from came back": (
        3,
        [A, BACK, A, derive("c", "a", T, version=None), use("c")],
    ),
    "a diff was taken back": (3, [A, staged(EDIT), of("withdraw", diff="D"), SEEN, TWO]),
    "a diff was staged": (2, [A, staged(EDIT), SEEN, APPLIED]),
    "a diff was staged anew": (
        3,
        [A, staged(of("prune", span="a")), staged(EDIT), SEEN, APPLIED],
    ),
    "a diff was staged anew and takes nothing away": (
        3,
        [A, staged(of("prune", span="a")), staged(), of("apply", diff="D"), TWO],
    ),
    "a diff was staged anew that brings in what is used since": (
        2,
        [
            A,
            stage("D", 1, [], [ingest("n", "new")]),
            all_known(a=T),
            of("apply", diff="D"),
            splice("n", "new", 0, 0, "a "),
        ],
    ),
    "the target of a diff came back": (
        4,
        [A, copy("a", "b", "x"), BACK, ingest("b", "new"), stage("D", 4, [{"span": "b"}], [])],
    ),
    "a copy did not happen after all": (
        3,
        [
            A,
            copy("a", "b", "x"),
            MARK,
            of("abort", of=2),
            {**TWO, "version": 2},
            of("render", items=[{"span": "a"}]),
        ],
    ),
    "the newest change may have been one of them": (
        2,
        [
            A,
            rewrite("a", T, "x"),
            SEEN | {"hashes": {"a": content_hash("x")}},
            of("abort", of=2),
            derive("c", "a", T),
        ],
    ),
    "a change before them did not happen after all": (
        3,
        [A, TWO, MARK, of("abort", of=2), SEEN, {**TWO, "version": 1}],
    ),
    "nor one that a digest knows of": (
        3,
        [A, copy("a", "b", "x"), MARK, all_known(b="x"), of("abort", of=2), {**TWO, "version": 2}],
    ),
    "an abort was lost": (3, [A, TWO, of("abort", of=2), SEEN, {**TWO, "version": 1}]),
    "what an abort takes back told of a span": (
        1,
        [A, copy("a", "b", "x"), all_known(b="x"), of("abort", of=2), HELD],
    ),
    "what a rollback brings back told of a span": (
        1,
        [A, prune("a", T), of("rollback", of=[2]), {**TWO, "version": 1}],
    ),
    "a rollback names one of them": (
        1,
        [A, of("observe", contents={"a": T}), SEEN, of("rollback", of=[1])],
    ),
    "a rollback went through one of them": (
        2,
        [
            A,
            of("rewrite", span="a", op="o", content=T),
            SEEN,
            BACK,
            of("render", items=[{"span": "a"}]),
        ],
    ),
    "a full copy has what they brought in": (
        1,
        [
            A,
            of("checkpoint", checkpoint="k", snapshot=True),
            TWO,
            of("rollback", to="k", method="restore"),
            prune("a", T),
        ],
    ),
    "an inverse that was evicted was owed to nobody": (
        1,
        [A, rewrite("a", T, T, version=None), of("evict", of=[2])],
    ),
    "a tombstone was made": (2, [A, copy("a", "b", "x"), SEEN, of("compact", spans=["a"])]),
    "what is superseded came and went": (
        1,
        [of("gap", reason="y"), all_known(), ingest("b", "x", supersedes=["a"])],
    ),
    "a text was changed that was frozen after it": (
        2,
        [A, TWO, copy("a", "b", "x"), all_known(b="x"), of("observe", contents={"a": N})],
    ),
    "the text in a range is told there": (
        2,
        [
            A,
            TWO,
            {**SEEN, "hashes": {"a": HASH_N}},
            derive("c", "a", N, range=[0, 3], version=1),
            splice("a", N, 11, 0, "!", version=2),
        ],
    ),
    "a version was counted there": (
        1,
        [A, BACK, ingest("a", T, version=0), derive("c", "a", T, version=1)],
    ),
    "what a change was made on came back": (
        3,
        [A, BACK, ingest("a", N), splice("a", N, 0, 0, "> ", version=2, base={"hash": HASH_N})],
    ),
}


def written(events: list[Fields]) -> list[bytes]:
    return [HEADER, *(line(event, seq) for seq, event in enumerate(events, 1))]


@pytest.mark.parametrize("story", STORIES)
def test_a_story_of_which_a_line_is_lost(story: str) -> None:
    lost, events = STORIES[story]
    lines = written(events)
    before, after = lines[:lost], lines[lost + 1 :]
    gap = line(GAP, lost)
    for kept in ((), (b"}\n",), (gap,)):
        assert accusations(b"".join([*before, *kept, *after])) == []


@pytest.mark.parametrize("story", STORIES)
def test_it_accuses_nobody_without_the_loss(story: str) -> None:
    assert [
        f for f in accusations(b"".join(written(STORIES[story][1]))) if f.rule != "JNL011"
    ] == []


class TestWhatStands:
    """What is so whatever was lost is said all the same."""

    def test_of_what_was_derived_since(self) -> None:
        history = recorded(A, GAP, SEEN, HELD, TWO, use("c"))
        assert ids(history, "SPN") == ["SPN101@5", "SPN102@6"]

    def test_of_a_holder_who_was_told_since(self) -> None:
        history = recorded(A, HELD, GAP, TWO | {"invalidates": ["c"]}, use("c"))
        assert ids(history, "SPN") == ["SPN102@5"]

    def test_of_a_diff_that_was_staged_since(self) -> None:
        seen = all_known(a=T)
        based = stage(
            "D", 1, [{"span": "a"}], [EDIT], base={"revision": 1, "digest": seen["digest"]}
        )
        history = recorded(A, GAP, seen, based, TWO, of("apply", diff="D"))
        assert "DIF301@5" in ids(history, "DIF")
        assert "DIF311@6" in ids(history, "DIF")

    def test_of_an_abort_that_is_not_of_the_newest_change(self) -> None:
        assert ids(recorded(A, GAP, SEEN, TWO, of("abort", of=1)), "JNL007") == ["JNL007@5"]
        assert ids(recorded(A, GAP, SEEN, TWO, MARK, of("abort", of=5)), "JNL007") == ["JNL007@6"]

    def test_of_a_rollback_of_what_came_since(self) -> None:
        wrong = of("rollback", steps=1, edits=[of("rewrite", span="a", op="undo", content="x")])
        assert ids(recorded(A, GAP, SEEN, TWO, wrong), "UND221") == ["UND221@5"]

    def test_of_what_is_pruned_since(self) -> None:
        history = recorded(A, GAP, prune("a", T), staged(EDIT))
        assert ids(history, "DIF304") == ["DIF304@4"]

    def test_of_what_is_derived_from_a_span_that_was_pruned_since(self) -> None:
        history = recorded(A, GAP, prune("a", T), HELD, use("c"))
        assert ids(history, "JNL007") == ["JNL007@4"]
        assert ids(recorded(A, prune("a", T), GAP, HELD, use("c")), "JNL007") == []

    def test_of_what_left_since(self) -> None:
        gone = of("release", artifact="c")
        assert ids(recorded(A, HELD, GAP, gone, use("c")), "JNL007") == ["JNL007@5"]
        assert ids(recorded(A, HELD, GAP, gone, HELD, use("c")), "JNL007") == []
        taken = of("withdraw", diff="D")
        assert ids(recorded(A, GAP, taken, of("apply", diff="D")), "JNL007") == ["JNL007@4"]
        assert ids(recorded(A, GAP, taken, GAP, of("apply", diff="D")), "JNL007") == []

    def test_of_entries_that_can_not_be(self) -> None:
        assert ids(recorded(A, GAP, of("evict", of=[7])), "JNL007") == ["JNL007@3"]

    def test_of_a_restore_to_no_checkpoint(self) -> None:
        history = recorded(A, GAP, of("rollback", steps=1, method="restore"))
        assert ids(history, "UND224") == ["UND224@3"]


class TestAfterADigest:
    """What came before the loss is judged as ever once a digest tells that the buffer is known."""

    def test_a_holder_that_is_not_told(self) -> None:
        history = recorded(A, HELD, GAP, all_known(a=T), TWO, use("c"))
        assert ids(history, "SPN") == ["SPN101@5", "SPN102@6"]

    def test_a_span_that_is_pruned_under_its_holder(self) -> None:
        history = recorded(A, HELD, GAP, all_known(a=T), prune("a", T), use("c"))
        assert ids(history, "SPN") == ["SPN131@5", "SPN132@6"]

    def test_where_a_range_stands(self) -> None:
        held = derive("c", "a", T, range=[0, 3])
        history = recorded(A, held, GAP, all_known(a=T), use("c", range=[4, 7]))
        assert ids(history, "SPN") == ["SPN106@5"]

    def test_a_diff_whose_read_drifts(self) -> None:
        history = recorded(A, staged(EDIT), GAP, all_known(a=T), TWO, of("apply", diff="D"))
        assert {"DIF301@5", "DIF311@6"} <= set(ids(history, "DIF"))

    def test_a_rollback(self) -> None:
        history = recorded(A, TWO, GAP, all_known(a=N), of("rollback", steps=1))
        assert history.state.spans["a"].text == T
        wrong = of("rollback", steps=1, hashes={"a": HASH_N})
        assert ids(recorded(A, TWO, GAP, all_known(a=N), wrong), "UND221") == ["UND221@5"]
        beyond = of("rollback", steps=3)
        assert ids(recorded(A, TWO, GAP, all_known(a=N), beyond), "UND") == ["UND223@5"]

    def test_an_inverse_that_is_dropped(self) -> None:
        history = recorded(A, TWO, GAP, all_known(a=N), of("evict", of=[2]))
        assert ids(history, "UND203") == ["UND203@5"]

    def test_what_was_frozen_before_it(self) -> None:
        history = recorded(A, copy("a", "b", "x"), GAP, all_known(b="x"))
        assert history.state.spans["a"].text == T
        assert "span a" not in unknown(history)

    def test_but_not_what_was_frozen_unknown(self) -> None:
        history = recorded(A, GAP, copy("a", "b", "x"), all_known(b="x"))
        assert history.state.spans["a"].text is None
        assert "span a" in unknown(history)

    def test_but_not_the_use_of_what_was_stale_already(self) -> None:
        history = recorded(A, HELD, TWO, GAP, all_known(a=N), use("c"))
        assert ids(history, "SPN") == ["SPN101@3"]
        assert "artifact c" in unknown(history)


class TestUnknown:
    """What is not said is listed as unknown."""

    def test_the_use_of_what_may_have_been_derived_again(self) -> None:
        history = recorded(A, HELD, GAP, prune("a", T), use("c"))
        assert ids(history, "SPN") == []
        assert unknown(history)["artifact c"][1] == (
            "it may have been derived again where events were lost"
        )

    def test_what_a_diff_did_that_may_have_been_staged_anew(self) -> None:
        history = recorded(A, B, staged(EDIT, revision=2), GAP, of("apply", diff="D"))
        assert {"span a", "span b", "diff D"} <= set(unknown(history))

    def test_but_what_it_claims_is_known(self) -> None:
        there = of("splice", span="a", at=4, delete=3, insert="2")
        history = recorded(A, B, staged(there, revision=2), GAP, APPLIED)
        assert history.state.spans["a"].text == N
        assert "span b" in unknown(history)

    def test_what_an_abort_took_back(self) -> None:
        history = recorded(A, MARK, GAP, all_known(a=T), of("abort", of=1))
        assert "span a" in unknown(history)

    def test_what_a_rollback_left_that_went_beyond_the_loss(self) -> None:
        back = of("rollback", steps=1)
        events = (A, TWO, GAP, of("observe", hashes={"a": HASH_N}))
        assert recorded(*events, back).state.spans["a"].hash is None
        claimed = recorded(*events, back | {"hashes": {"a": HASH_T}})
        assert claimed.state.spans["a"].text == T


def test_what_is_presumed_of_a_span_may_be_proved_by_the_key_of_an_artifact() -> None:
    held = derive("c", "a", T, range=[0, 3])
    history = recorded(A, GAP, held, SEEN, splice("a", T, 4, 3, "2"))
    assert [f.severity for f in history.findings if f.rule == "SPN101"] == ["info"]


def test_a_stale_use_may_be_right_by_luck_where_the_text_in_its_range_was_lost() -> None:
    held = derive("c", "a", N, range=[0, 3], version=1)
    change = splice("a", N, 11, 0, "!", version=2)
    there = of("observe", hashes={"a": HASH_N})
    lost = recorded(A, GAP, there, held, change, use("c"))
    assert [f.severity for f in lost.findings if f.rule == "SPN102"] == ["warning"]
    secret = splice("a", T, 4, 3, "?", redacted=True, hash=HASH_N, inverse=None)
    redacted = recorded(A, secret, held, change, use("c"))
    assert [f.severity for f in redacted.findings if f.rule == "SPN102"] == ["error"]


def test_a_refusal_is_no_false_alarm_where_the_origin_was_lost() -> None:
    held, told = derive("c", "a", T), of("observe", contents={"a": T})
    assert ids(recorded(GAP, held, told, use("c", outcome="caught")), "SPN") == []


def test_a_version_that_an_abort_took_back_has_moved() -> None:
    events = (A, splice("a", T, 0, 0, ""), derive("c", "a", T, version=1), of("abort", of=2))
    assert ids(recorded(*events, use("c", outcome="caught")), "SPN") == ["SPN103@5"]


def test_an_abort_leaves_alone_what_was_released_or_derived_again_since() -> None:
    told = TWO | {"invalidates": ["c"]}
    released = recorded(A, HELD, told, of("release", artifact="c"), of("abort", of=3))
    assert released.at(5).artifact("c") is None
    again = derive("c", "a", N, version=1)
    assert state_of(recorded(A, HELD, told, again, of("abort", of=3)), "c") == "stale"


def test_an_ingest_of_another_staged_diff_under_an_id_that_lives_takes_the_way_back() -> None:
    other = stage("E", 1, [], [ingest("a", "new")])
    assert "DIF305@3" in ids(recorded(A, other, staged(EDIT)), "DIF305")


class TestWhatMayNotBe:
    """What only holds if nothing was lost is not said."""

    TEXT = ingest("b", "abx = 1\nab\n")

    def test_a_partial_apply_moved_nothing_that_is_unknown(self) -> None:
        edit = of("splice", span="a", at=0, delete=1, insert="x")
        partly = of("apply", diff="D", outcome="partial")
        for hashes in ({}, {"a": HASH_T}):
            history = recorded(A, GAP, stage("D", 1, [], [edit]), partly | {"hashes": hashes})
            assert ids(history, "DIF318") == []
        whole = of("rewrite", span="a", op="fold", content="abc")
        history = recorded(A, GAP, stage("D", 1, [], [whole, edit]), partly)
        assert ids(history, "DIF318") == []
        known = stage("D", 1, [], [edit | {"span": "b"}])
        assert ids(recorded(A, GAP, self.TEXT, known, partly), "DIF318") == ["DIF318@5"]

    def test_a_claim_about_what_was_pruned_before(self) -> None:
        told = of("rollback", steps=0, edits=[], hashes={"a": HASH_N})
        assert ids(recorded(A, prune("a", T), GAP, told), "SPN112") == []
        assert ids(recorded(GAP, A, prune("a", T), told), "SPN112") == ["SPN112@4"]

    def test_the_place_of_an_edit_behind_one_that_has_none_for_sure(self) -> None:
        first = of("splice", span="b", at=8, delete=3, insert="")
        history = recorded(GAP, self.TEXT, stage("D", 1, [], [first, put("b", "", "ab", "x")]))
        assert ids(history, "DIF3") == ["DIF314@3"]
        alone = recorded(GAP, self.TEXT, stage("D", 1, [], [put("b", "", "ab", "x")]))
        assert ids(alone, "DIF304") == ["DIF304@3"]

    def test_an_abort_of_what_was_seen_of_an_unknown_text(self) -> None:
        seen = of("observe", contents={"a": N})
        history = recorded(A, GAP, seen, of("abort", of=3))
        assert ids(history, "JNL007") == []
        assert set(unknown(history)) >= {"span a"}
        assert ids(recorded(A, GAP, seen, use("c"), of("abort", of=4)), "JNL007") == ["JNL007@5"]
        assert ids(recorded(A, GAP, seen, seen, of("abort", of=4)), "JNL007") == ["JNL007@5"]
        twice = recorded(A, GAP, seen, TWO, of("abort", of=3))
        assert ids(twice, "JNL007") == ["JNL007@5"]

    def test_a_span_of_which_only_an_aborted_rollback_told_is_not_gone(self) -> None:
        edits = [of("splice", span="c", at=0, delete=0, insert="x")]
        told = of("rollback", steps=0, edits=edits)
        again = of("move", span="c", after=None)
        assert ids(recorded(A, GAP, told, of("abort", of=3), again), "JNL007") == []
        new = told | {"edits": [ingest("c", "x")]}
        ended = recorded(A, GAP, new, of("abort", of=3), again)
        assert ids(ended, "JNL007") == ["JNL007@5"]

    def test_in_which_store_a_span_is_that_nobody_told(self) -> None:
        files = ingest("f", T, store="files")
        hidden = of("splice", span="x", at=0, delete=0, insert="!")
        for how in ({"steps": 1}, {"to": "k"}, {"of": [5]}):
            undone = of("rollback", stores=["context"], **how)
            history = recorded(files, GAP, of("checkpoint", checkpoint="k"), A, hidden, undone)
            assert [f.id for f in history.findings if f.severity != "info"] == ["JNL011@2"], how
            assert "entry 5" in unknown(history), how
            span = history.state.spans["x"]
            assert (span.live, span.life_known) == (True, False)
        known = of("rollback", steps=1, stores=["files"])
        history = recorded(GAP, A, hidden, ingest("f", T, store="files"), known)
        assert (ids(history, "UND22"), history.at(5).undo()[0].entry.seq) == ([], 3)

    def test_a_name_that_an_event_since_has_is_that_of_no_entry(self) -> None:
        late = of("inverse", of=3, original="x", inserted=1)
        assert ids(recorded(A, GAP, MARK, late), "JNL007") == ["JNL007@4"]
        assert ids(recorded(A, GAP, MARK, late | {"of": 2}), "JNL007") == []

    def test_a_span_that_a_partial_apply_may_have_pruned(self) -> None:
        partly = of("apply", diff="D", outcome="partial")
        diff = stage("D", 1, [], [of("prune", span="c"), of("prune", span="a")])
        history = recorded(A, GAP, diff, partly, of("move", span="c", after=None))
        assert ids(history, "JNL007") == []


@pytest.mark.parametrize(
    "events",
    [
        [A, GAP, of("observe", contents={"a": N, "b": T}), of("abort", of=3), TWO],
        [
            A,
            GAP,
            of("observe", contents={"a": N}),
            derive("c", "a", N),
            of("abort", of=3),
            use("c"),
        ],
        [A, GAP, of("checkpoint", checkpoint="k"), HIDDEN, A, of("rollback", stores=["context"])],
        [A, GAP, of("checkpoint", checkpoint="k"), HIDDEN, A, IN_CONTEXT | {"steps": 2}],
        [A, GAP, of("checkpoint", checkpoint="k"), HIDDEN, A, IN_CONTEXT | {"steps": 3}],
        [A, GAP, of("checkpoint", checkpoint="k"), HIDDEN, A, IN_CONTEXT | {"of": [4]}],
        [A, GAP, of("checkpoint", checkpoint="k"), HIDDEN, A, IN_CONTEXT | {"of": [4, 5]}],
        [A, GAP, of("checkpoint", checkpoint="k"), HIDDEN, A, IN_CONTEXT | {"to": "k"}],
        [
            A,
            GAP,
            of("checkpoint", checkpoint="k", snapshot=True),
            HIDDEN,
            A,
            IN_CONTEXT | {"to": "k", "method": "restore"},
        ],
        [
            A,
            GAP,
            of("observe", contents={"x": N}),
            HIDDEN,
            all_known(a=T, x="!" + N),
            IN_CONTEXT | {"steps": 3},
        ],
        [
            A,
            GAP,
            stage(
                "D",
                1,
                [],
                [of("rewrite", span="a", op="fold", content="abc"), put("a", "a", "b", "x")],
            ),
            of("apply", diff="D", outcome="partial"),
        ],
        [A, GAP, MARK, of("inverse", of=3, original="x", inserted=1)],
        [
            A,
            GAP,
            of("rollback", steps=0, edits=[of("prune", span="c")]),
            of("abort", of=3),
            of("move", span="c", after=None),
        ],
        [
            A,
            GAP,
            stage("D", 1, [], [of("prune", span="c")]),
            of("apply", diff="D", outcome="partial", hashes={"c": HASH_T}),
            of("move", span="c", after=None),
        ],
    ],
)
def test_the_second_opinion_agrees(events: list[Fields]) -> None:
    assert differences(*events) == []
