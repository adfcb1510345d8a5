"""Random journals of every kind of event, and all that a history says of a step."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from spanscope.history.history import History
from spanscope.rules.judge import Judge
from support.wild import wild_event

HEADER = b'{"type":"session","format":"spanscope.journal/1","session":"s"}\n'


def whole(data: bytes) -> History:
    """The history of a recording, fed at once."""
    history = History()
    history.feed(data)
    history.finish()
    return history


def told(history: History, seq: int) -> dict[str, Any]:
    """Everything that a step says, as plain values."""
    moment = history.at(seq)
    return {
        "revision": moment.revision,
        "digest": moment.digest,
        "spans": [
            (row.name, row.state, row.span.version, row.span.hash, row.span.produced_by)
            for row in moment.spans()
        ],
        "artifacts": sorted((row.artifact.artifact, row.judgement) for row in moment.artifacts()),
        "undo": [
            (row.entry.seq, row.status.direct, row.reachable, row.places) for row in moment.undo()
        ],
        "staging": sorted(
            (row.diff.diff, row.judgement.verdict, row.judgement.fragile, row.judgement.rules)
            for row in moment.staging()
        ),
    }


def a_program(seed: int, events: int) -> bytes:
    """A journal of random events of every kind, sound and faulty."""
    chance, judge = random.Random(seed), Judge()
    lines = [HEADER]
    for _ in range(events):
        event = wild_event(chance, judge.state)
        judge.feed(event)
        lines.append(msgspec.json.encode(event) + b"\n")
    return b"".join(lines)
