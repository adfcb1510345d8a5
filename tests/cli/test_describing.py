"""Every event has words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.every_event import CALLS

from spanscope.cli.describing import describe, headline
from spanscope.journal.events import EVENT_TYPES
from spanscope.journal.lines import decode_event


def event(**fields: Any) -> Any:
    return decode_event(msgspec.json.encode({"seq": 3, "time": "2026-11-11T09:00:00Z", **fields}))


@pytest.mark.parametrize("fields", [fields for _, fields in CALLS])
def test_every_event_of_a_recorder_is_described(fields: dict[str, Any]) -> None:
    words = describe(event(**fields))
    assert words.type == fields["type"]
    assert "None" not in words.detail


def test_those_are_all_events_but_the_last() -> None:
    assert {fields["type"] for _, fields in CALLS} | {"close"} == set(EVENT_TYPES)


@pytest.mark.parametrize(
    ("fields", "subject", "detail"),
    [
        ({"type": "ingest", "span": "a", "content": "x" * 1204}, "a", "1,204 chars"),
        ({"type": "splice", "span": "a", "at": 9, "delete": 3, "insert": "xx"}, "a", "at 9 -3 +2"),
        ({"type": "move", "span": "a", "after": None}, "a", "first"),
        ({"type": "move", "span": "a", "after": "b"}, "a", "after b"),
        (
            {"type": "rewrite", "span": "a", "op": "fold", "into": "b", "content": "x"},
            "a",
            "fold  into b  1 char",
        ),
        (
            {"type": "derive", "artifact": "c", "span": "a", "kind": "map", "range": [1, 4]},
            "c",
            "map  a 1..4",
        ),
        ({"type": "use", "artifact": "c"}, "c", ""),
        ({"type": "use", "artifact": "c", "outcome": "caught"}, "c", "caught"),
        ({"type": "rollback", "steps": 1}, "", "1 step"),
        ({"type": "rollback", "to": "typed", "method": "restore"}, "", "to typed  restore"),
        ({"type": "rollback", "of": [4, 2]}, "", "of #4, #2"),
        ({"type": "evict", "of": list(range(1, 12))}, "#1, #2, #3, #4, #5, #6, #7, #8 ..", ""),
        ({"type": "observe", "hashes": {"a": "h"}}, "", "1 hash"),
        ({"type": "observe", "hashes": {"a": "h", "b": "h"}}, "", "2 hashes"),
        ({"type": "observe", "contents": {"a": "x"}, "digest": "d"}, "", "1 content  digest"),
        ({"type": "close", "events": 3}, "", "3 events"),
        ({"type": "teleport", "to": "mars"}, "", "unknown type"),
    ],
)
def test_words(fields: dict[str, Any], subject: str, detail: str) -> None:
    assert describe(event(**fields))[1:] == (subject, detail)


def test_a_headline_says_who() -> None:
    fields = {"type": "prune", "span": "log/1", "actor": "operator"}
    assert headline(event(**fields)) == "prune log/1 by operator"
    assert headline(event(type="resume")) == "resume by agent"
