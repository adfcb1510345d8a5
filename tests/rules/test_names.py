"""JNL007: what an event names beside what it is about."""

from __future__ import annotations

import pytest
from support.journals import Fields, found, ingest, inverse, of, prune, put, recorded, splice, stage
from support.second_opinion import differences

from spanscope.model.content import content_hash

T = "one two three"
A = ingest("a", T)
GAP = of("gap", reason="x")
NOTE = of("mark", kind="note", label="x")
TWO = splice("a", T, 4, 3, "2")
BARE = of("splice", span="a", at=4, delete=3, insert="2")
STAGED = stage("D", 1, [{"span": "a"}], [put("a", "one ", " three", "2", 3)])
NEW = stage("D", 1, [], [ingest("z", "x")])
RECORD = inverse(T, 4, 3, "2")
HASHES = {"z": content_hash("x")}


def applied(**more: object) -> Fields:
    return of("apply", diff="D", inverses=[RECORD], **more)


def back(**more: object) -> Fields:
    return of("rollback", steps=1, **more)


def ahead(seq: int, **more: object) -> Fields:
    return of("inverse", of=seq, **RECORD, **more)


@pytest.mark.parametrize(
    ("events", "subject"),
    [
        ([A, STAGED, applied(hashes=HASHES)], {"span": "z"}),
        ([A, STAGED, applied(versions={"z": 1})], {"span": "z"}),
        ([A, STAGED, applied(versions={"z": 1}, hashes=HASHES)], {"span": "z"}),
        ([A, TWO, back(hashes=HASHES)], {"span": "z"}),
        ([A, TWO, back(versions={"z": 1})], {"span": "z"}),
        ([A, ahead(99)], {"entry": 99}),
        ([A, ahead(4), NOTE, BARE], {"entry": 4}),
        ([A, STAGED | {"compensates": 9}], {"diff": "D", "entry": 9}),
        ([A, STAGED | {"compensates": 2}], {"diff": "D", "entry": 2}),
    ],
)
def test_what_is_not_there(events: list[Fields], subject: dict[str, str | int]) -> None:
    assert [finding.subject for finding in found(recorded(*events), "JNL007")] == [subject]
    assert differences(*events) == []


@pytest.mark.parametrize(
    "events",
    [
        [A, ingest("z", "x"), prune("z", "x"), TWO, back(hashes=HASHES)],
        [A, NEW, of("apply", diff="D", hashes=HASHES)],
        [A, NEW, of("apply", diff="D", outcome="failed", hashes=HASHES)],
        [A, GAP, TWO, back(hashes=HASHES)],
        [A, ahead(3), BARE],
        [A, ahead(3)],
        [A, STAGED, ahead(5, edit=0), NOTE, of("apply", diff="D")],
        [A, TWO, stage("D", 2, [], [], compensates=2)],
    ],
)
def test_what_is_or_may_be(events: list[Fields]) -> None:
    assert found(recorded(*events), "JNL007") == []
    assert differences(*events) == []
