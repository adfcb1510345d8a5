"""Events with any value that their schema lets through are judged and shown, without a fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.every_event import CALLS, HASH
from support.journals import TIME, Fields, derive, ingest, of, put, recorded, splice, stage, use

from spanscope.cli.show import moment_as_json
from spanscope.history.history import History
from spanscope.model.content import content_hash

NUMBERS = (-(2**63), -1, 0, 1, 2, 5, 2**31, 2**53, 2**63 - 1, 2**64 - 1, 2**70)
TEXTS = ("", "a", "b", "c", "d", "\ud800", "e\u0301", "\0", HASH, content_hash("one"), "x" * 40)
EVENTS = [fields for _, fields in CALLS if fields["type"] != "close"]
PRELUDE = (
    ingest("a", "one two three"),
    ingest("b", "é\n🧠\nx"),
    derive("c", "a", "one two three", range=[4, 7]),
    splice("a", "one two three", 4, 3, "2"),
    stage("d", 3, [{"span": "a"}], [put("b", "", "é", "x")]),
)
RENDER = of("render", items=[{"span": "a"}])
CODA = (use("c"), of("apply", diff="d"), of("rollback", steps=1), RENDER)
FIXED = {"cheap", "expensive", "bytes", "chars", "tokens", "replay", "restore", "version", "hash"}
FIXED |= {"used", "caught", "rederived", "done", "partial", "failed", "noop", "quote"}


def odd(draw: st.DrawFn, value: Any) -> Any:
    """The value with some numbers and texts in it replaced."""
    if isinstance(value, dict):
        return {
            name: odd(draw, inner) if name != "type" else inner for name, inner in value.items()
        }
    if isinstance(value, list):
        return [odd(draw, inner) for inner in value]
    if isinstance(value, bool) or value is None or not draw(st.booleans()):
        return value
    if isinstance(value, int):
        return draw(st.sampled_from(NUMBERS))
    return draw(st.sampled_from(TEXTS)) if value not in FIXED else value


@st.composite
def odd_events(draw: st.DrawFn) -> list[Fields]:
    chosen = draw(st.lists(st.sampled_from(EVENTS), min_size=1, max_size=4))
    return [odd(draw, fields) for fields in chosen]


def look_at_everything(history: History) -> None:
    """Every step as `show` prints it, and every finding and unknown subject as `check` does."""
    for seq in range(history.last + 1):
        json.dumps(moment_as_json(history.at(seq)))
    for finding in history.findings:
        json.dumps(finding.evidence)
        assert finding.message.endswith(".")
    assert all(subject.why for subject in history.unknown)


@given(odd_events())
@settings(max_examples=150)
def test_no_value_is_a_fault_of_ours(events: list[Fields]) -> None:
    look_at_everything(recorded(*PRELUDE, *events, *CODA, tokenizer="o200k_base"))


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("fields", EVENTS, ids=lambda fields: fields["type"])
def test_no_number_in_any_place_is_one(fields: Fields, number: int) -> None:
    def everywhere(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: everywhere(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [everywhere(inner) for inner in value]
        return number if type(value) is int else value

    event = everywhere(fields) | {"time": TIME}
    look_at_everything(recorded(*PRELUDE, event, *CODA))
