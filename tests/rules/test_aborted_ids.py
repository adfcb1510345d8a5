"""An id whose use was aborted was never used: its versions start at 0 again."""

from __future__ import annotations

import pytest
from support.journals import Fields, copy, derive, ids, ingest, inverse, of, prune, recorded
from support.second_opinion import differences

T = "one two three"
A = ingest("a", T)
AGAIN = ingest("a", "x")
BACK = of("rollback", steps=1)
STAGED = of("stage", diff="D", base={"revision": 0}, reads=[], edits=[AGAIN])
APPLIED = of("apply", diff="D")


def aborted(seq: int) -> Fields:
    return of("abort", of=seq)


@pytest.mark.parametrize(
    ("events", "span", "version"),
    [
        ([A, aborted(1), AGAIN], "a", 0),
        ([A | {"version": 5}, aborted(1), AGAIN], "a", 0),
        ([A, aborted(1), AGAIN, aborted(3), A], "a", 0),
        ([STAGED, APPLIED, aborted(2), APPLIED], "a", 0),
        ([A, copy("a", "b", "x"), aborted(2), copy("a", "b", "y")], "b", 1),
        ([A, aborted(1), of("observe", contents={"a": "x"})], "a", 0),
        ([A, aborted(1), AGAIN, BACK, A], "a", 1),
        ([A, BACK, AGAIN, aborted(3), A], "a", 1),
        ([A, prune("a", T), AGAIN, aborted(3), AGAIN], "a", 1),
        ([A, BACK, aborted(2), BACK, AGAIN], "a", 1),
        ([A, AGAIN, aborted(2), of("splice", span="a", at=0, delete=3, insert="")], "a", 1),
        ([ingest("b", T), aborted(1), A, copy("a", "b", "x"), BACK, ingest("b", "y")], "b", 2),
    ],
    ids=[
        *("ingested", "with a claim", "twice", "applied", "copied", "observed"),
        *("then undone", "undone before", "pruned before", "an undo", "beside another", "a copy"),
    ],
)
def test_the_version_of_an_id(events: list[Fields], span: str, version: int) -> None:
    assert recorded(*events).state.spans[span].version == version
    assert differences(*events) == []


def test_what_is_based_on_it_is_not_stale() -> None:
    change = of("splice", span="a", at=0, delete=1, insert="y", version=1, base={"version": 0})
    changed = change | {"inverse": inverse("x", 0, 1, "y")}
    held = derive("c", "a", "x")
    assert ids(recorded(A, aborted(1), AGAIN, held, of("release", artifact="c"), changed)) == []
    assert ids(recorded(A, BACK, AGAIN, held), "SPN") == ["SPN115@4"]
