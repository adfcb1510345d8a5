"""Which spans somebody held something of, after any event."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from support.anything import any_journal
from support.histories import a_program, whole
from support.journals import derive, ingest, line, of, recorded, rewrite

from spanscope.history.history import History

A, B = ingest("a", "one"), ingest("b", "two")


def test_a_span_is_held_from_the_first_artifact_to_the_last() -> None:
    first, second = derive("c", "a", "one"), derive("d", "a", "one")
    gone = [of("release", artifact=name) for name in "cd"]
    history = recorded(A, first, second, *gone, first)
    held = [history.is_held("a", seq) for seq in range(history.last + 1)]
    assert held == [False, False, True, True, True, False, True]


def test_an_artifact_that_is_derived_from_another_span_leaves_the_first() -> None:
    history = recorded(A, B, derive("c", "a", "one"), derive("c", "b", "two"))
    assert [history.is_held(name, 3) for name in "ab"] == [True, False]
    assert [history.is_held(name, 4) for name in "ab"] == [False, True]


@pytest.mark.parametrize("seed", range(12))
def test_as_all_artifacts_say(seed: int) -> None:
    history = whole(any_journal(seed, 20) if seed % 2 else a_program(seed, 40))
    for seq in range(history.last + 1):
        for name in history.span_names():
            under = [each for each in history.artifacts_at(seq) if each.span == name]
            assert history.is_held(name, seq) == bool(under)
            assert sorted(each.artifact for each in under) == sorted(
                each.artifact for each in history.artifacts_under(name, seq)
            )


def test_the_artifacts_of_a_span_stand_in_the_order_in_which_they_were_first_derived() -> None:
    names = ("c", "d", "e")
    events = [derive(name, "a", "one") for name in names]
    events += [of("release", artifact="c"), derive("d", "b", "two"), derive("c", "a", "one")]
    history = recorded(A, B, *events, derive("d", "a", "one"))
    under = [
        "".join(found.artifact for found in history.artifacts_under("a", seq))
        for seq in range(2, history.last + 1)
    ]
    assert under == ["", "c", "cd", "cde", "de", "e", "ce", "cde"]
    assert list(history.artifacts_of("a")) == ["c", "d", "e"]
    assert list(history.artifacts_of("b")) == ["d"]


@pytest.mark.parametrize("seed", range(12))
def test_an_artifact_is_at_each_step_what_it_was_when_that_came(seed: int) -> None:
    data = any_journal(seed, 40) if seed % 2 else a_program(seed, 60)
    history, seen = History(), {}
    for each in data.splitlines(keepends=True):
        history.feed(each)
        seen[history.last] = dict(history.state.artifacts)
    history.finish()
    for seq in range(1, history.last):
        if seq in seen and seq + 1 in seen:
            artifacts = {each.artifact: each for each in history.artifacts_at(seq)}
            assert artifacts == seen[seq]


def test_an_artifact_stays_what_it_was_though_lines_were_lost_behind_its_event() -> None:
    history = History()
    history.feed(line(A, 1) + line(derive("c", "a", "one"), 2))
    before = history.artifact_at("c", 2)
    history.feed(b'{"type":"x-cut","seq"\n')
    history.finish()
    assert history.state.doubt is not None
    assert history.artifact_at("c", 2) == before


@pytest.mark.parametrize("artifacts", [3, 40])
def test_what_came_and_left_hundreds_of_times_stands_in_its_order(artifacts: int) -> None:
    chance = random.Random(artifacts)
    live: dict[str, str] = {}
    first: dict[str, dict[str, None]] = {"a": {}, "b": {}}
    events, expected = [A, B], [("", ""), ("", "")]
    while len(events) < 400:
        name, span = f"c{chance.randrange(artifacts)}", chance.choice("ab")
        if name in live and chance.random() < 0.6:
            del live[name]
            events.append(of("release", artifact=name))
        else:
            live[name] = span
            first[span][name] = None
            events.append(derive(name, span, {"a": "one", "b": "two"}[span]))
        a, b = (" ".join(c for c in first[s] if live.get(c) == s) for s in "ab")
        expected.append((a, b))
    history = recorded(*events)
    for seq, spans in enumerate(expected, 1):
        under = [
            " ".join(found.artifact for found in history.artifacts_under(name, seq))
            for name in "ab"
        ]
        assert (under[0], under[1]) == spans


def test_an_artifact_that_is_told_ever_again_is_told_at_each_step() -> None:
    texts = [str(number) for number in range(2000)]
    changes = [rewrite("a", old, new, invalidates=["c"]) for old, new in pairwise(texts)]
    history = recorded(ingest("a", texts[0]), derive("c", "a", texts[0]), *changes)
    assert [
        (found.told, found.seq)
        for seq in (2, 3, 4, 1999)
        if (found := history.artifact_at("c", seq)) is not None
    ] == [(None, 2), (3, 2), (4, 2), (1999, 2)]
