"""Every event has words, and all surfaces use the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.every_event import CALLS
from support.journals import copy, ingest, of, prune, put, recorded, rewrite, splice, stage
from support.screens import write_journal

from spanscope.history.describing import (
    about,
    changed_chars,
    clock,
    details,
    entry_chars,
    entry_name,
    headline,
    length_of,
    short_hash,
    told,
)
from spanscope.history.history import load
from spanscope.journal.events import EVENT_TYPES, type_of
from spanscope.journal.lines import decode_event


def event(**fields: Any) -> Any:
    return decode_event(msgspec.json.encode({"seq": 3, "time": "2026-11-11T09:00:00Z", **fields}))


@pytest.mark.parametrize("fields", [fields for _, fields in CALLS])
def test_every_event_of_a_recorder_is_described(fields: dict[str, Any]) -> None:
    made = event(**fields)
    assert type_of(made) == fields["type"]
    assert "None" not in about(made)
    assert all(word and "None" not in word for word in details(made))


def test_those_are_all_events_but_the_last() -> None:
    assert {fields["type"] for _, fields in CALLS} | {"close"} == set(EVENT_TYPES)


@pytest.mark.parametrize(
    ("fields", "subject", "words"),
    [
        (
            {"type": "ingest", "span": "a", "content": "x" * 1204, "role": "tool"},
            "a",
            ["1,204 chars", "tool"],
        ),
        (
            {"type": "splice", "span": "a", "at": 9, "delete": 3, "insert": "xx"},
            "a",
            ["at 9 -3 +2"],
        ),
        (
            {"type": "ingest", "span": "a", "content": "", "redacted": True, "role": "user"},
            "a",
            ["redacted", "user"],
        ),
        (
            {"type": "splice", "span": "a", "at": 9, "delete": 3, "insert": "", "redacted": True},
            "a",
            ["at 9 redacted"],
        ),
        ({"type": "move", "span": "a", "after": None}, "a", ["first"]),
        ({"type": "move", "span": "a", "after": "b"}, "a", ["after b"]),
        (
            {"type": "rewrite", "span": "a", "op": "fold", "into": "b", "content": "x"},
            "a",
            ["into b", "fold", "1 char"],
        ),
        (
            {"type": "derive", "artifact": "c", "span": "a", "kind": "map", "range": [1, 4]},
            "c",
            ["a 1..4", "map"],
        ),
        ({"type": "use", "artifact": "c"}, "c", []),
        ({"type": "use", "artifact": "c", "outcome": "caught"}, "c", ["caught"]),
        ({"type": "rollback", "steps": 1}, "1 step", []),
        ({"type": "rollback", "to": "typed", "method": "restore"}, "to typed", ["restore"]),
        ({"type": "rollback", "of": [4, 2]}, "2 entries", ["#4 #2"]),
        (
            {"type": "evict", "of": list(range(1, 12)), "reason": "ttl"},
            "11 entries",
            ["#1 #2 #3 #4 #5 #6 #7 #8 ..", "ttl"],
        ),
        ({"type": "evict", "of": list(range(1, 9))}, "8 entries", ["#1 #2 #3 #4 #5 #6 #7 #8"]),
        ({"type": "rollback", "of": [4]}, "#4", []),
        ({"type": "compact", "spans": ["a"]}, "a", []),
        ({"type": "compact", "spans": ["a", "b"]}, "2 spans", ["a b"]),
        ({"type": "observe", "hashes": {"a": "h"}}, "a", ["1 hash"]),
        ({"type": "observe", "hashes": {"a": "h", "b": "h"}}, "2 spans", ["2 hashes"]),
        (
            {"type": "observe", "contents": {"a": "x"}, "digest": "d"},
            "a",
            ["1 content", "digest"],
        ),
        ({"type": "observe", "digest": "d"}, "", ["digest"]),
        ({"type": "render", "call": "7", "items": [{"span": "a"}]}, "call 7", ["1 span"]),
        ({"type": "close", "events": 3}, "", ["3 events"]),
        ({"type": "teleport", "to": "mars"}, "", ["unknown type"]),
    ],
)
def test_words(fields: dict[str, Any], subject: str, words: list[str]) -> None:
    made = event(**fields)
    assert about(made) == subject
    assert details(made) == words


def test_a_headline_says_who() -> None:
    fields = {"type": "prune", "span": "log/1", "actor": "operator"}
    assert headline(event(**fields)) == "prune log/1 by operator"
    assert headline(event(type="resume")) == "resume by agent"


def test_values_in_short() -> None:
    assert short_hash("sha256:0123456789") == "012345"
    assert short_hash(None) == "?"
    assert clock("2026-11-11T09:00:01.250Z") == "09:00:01"
    assert clock("some time ago") == "some tim"
    assert changed_chars(0, 0) == "0"
    assert changed_chars(3, 0) == "-3"


def test_an_undo_entry_tells_what_it_took_out_and_put_in() -> None:
    history = recorded(
        ingest("a", "one"),
        ingest("b", "twenty"),
        splice("a", "one", 0, 1, "xx"),
        rewrite("b", "twenty", "ten"),
        rewrite("b", "ten", "six"),
        of("move", span="b", after=None),
        copy("a", "c", "copied"),
        stage("d", 7, [], [put("c", "cop", "d", "X", 2), put("b", "s", "x", "ee", 1)]),
        of("apply", diff="d"),
        prune("c", "copXd"),
    )
    said = {row.entry.seq: entry_chars(row.entry) for row in history.at(history.last).undo()}
    assert said == {
        1: "+3",
        2: "+6",
        3: "-1 +2",
        4: "-3",
        5: "0",
        6: "0",
        7: "+6",
        9: "-3 +3",
        10: "-5",
    }
    names = {row.entry.seq: entry_name(row.entry) for row in history.at(history.last).undo()}
    assert (names[7], names[9]) == ("c", "2 spans")


def test_a_length_is_a_question_mark_where_the_text_is_unknown() -> None:
    history = recorded(
        ingest("a", "x" * 1204), ingest("b", "y", redacted=True), of("gap", reason="lost")
    )
    before, after = history.at(2), history.at(3)
    spans = [before.span("a"), before.span("b"), after.span("a")]
    assert [length_of(span) for span in spans if span is not None] == ["1,204", "?", "?"]


def test_the_replay_knows_more(tmp_path: Path) -> None:
    history = load(
        write_journal(
            tmp_path / "made.jsonl",
            [
                {"type": "ingest", "span": "a", "content": "one"},
                {"type": "rewrite", "span": "a", "op": "fold", "content": "seven"},
                {
                    "type": "stage",
                    "diff": "D1",
                    "base": {"revision": 2},
                    "reads": [{"span": "a"}],
                    "edits": [
                        {"type": "splice", "span": "a", "at": 0, "delete": 1, "insert": "xx"}
                    ],
                },
                {"type": "apply", "diff": "D1"},
                {"type": "rollback", "steps": 2, "outcome": "partial"},
                {"type": "rollback", "to": "never made"},
            ],
        )
    )
    assert told(history, 0) == ["before the first event: the buffer is empty"]
    assert told(history, 1) == ["1 ingest a by agent", "3 chars"]
    assert told(history, 2) == ["2 rewrite a by agent", "3 > 5 chars", "fold"]
    assert told(history, 3) == ["3 stage D1 by agent", "base r2", "1 read", "1 edit"]
    assert told(history, 4) == ["4 apply D1 by agent", "a -1 +2"]
    assert told(history, 5) == ["5 rollback 2 steps by agent", "through #2", "partial"]
    assert told(history, 6) == ["6 rollback to never made by agent"]
