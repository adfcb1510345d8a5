"""Reads of a range in a text that the journal does not have: the whole hash tells, or nobody."""

from __future__ import annotations

import pytest

from spanscope.journal.events import AnyEvent, Ingest, Splice, Stage
from spanscope.journal.parts import DiffBase, Inverse, Read
from spanscope.model.content import content_hash
from spanscope.rules.judge import Judge

TIME = "2026-11-11T09:00:00Z"
TEXT, OTHER = "the key is 12345", "The key is 12345"


def verdict(*events: AnyEvent) -> str:
    judge = Judge()
    found = [finding.rule for event in events for finding in judge.feed(event)]
    assert not any(rule.startswith("DIF") for rule in found)
    return judge.memory.verdicts["d"].verdict


def ingest() -> Ingest:
    hash = content_hash(TEXT)
    return Ingest(seq=1, time=TIME, span="a", content="***", hash=hash, redacted=True)


def stage(seq: int) -> Stage:
    read = Read(span="a", range=(11, 16), hash=content_hash("12345"))
    return Stage(seq=seq, time=TIME, diff="d", base=DiffBase(revision=1), reads=[read], edits=[])


def test_an_untouched_span_reads_the_same() -> None:
    assert verdict(ingest(), stage(2)) == "admissible"


@pytest.mark.parametrize("changed_first", [True, False])
def test_of_a_changed_span_it_can_not_be_told(changed_first: bool) -> None:
    splice = Splice(
        seq=3 - changed_first,
        time=TIME,
        span="a",
        at=0,
        delete=1,
        insert="*",
        hash=content_hash(OTHER),
        redacted=True,
        inverse=Inverse(original="*", inserted=1, at=0),
    )
    events: list[AnyEvent] = [splice, stage(3)] if changed_first else [stage(2), splice]
    assert verdict(ingest(), *events) == "unknown"
