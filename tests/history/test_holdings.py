"""Which spans somebody held something of, after any event."""

from __future__ import annotations

import pytest
from support.anything import any_journal
from support.histories import a_program, whole
from support.journals import derive, ingest, of, recorded

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
