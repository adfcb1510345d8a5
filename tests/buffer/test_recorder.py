"""`Recorder`: what it is told is what the journal says, for every event, byte for byte."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.every_event import CALLS
from support.lines import headers, parse, records, rules

import spanscope
from spanscope import Recorder
from spanscope.journal.errors import JournalError, JournalWriteError
from spanscope.journal.events import EVENT_TYPES, AnyEvent, Ingest, Session, Unknown
from spanscope.journal.parts import Parent
from spanscope.journal.sessions import sessions_folder


def ticking() -> Callable[[], datetime]:
    moment = datetime(2026, 11, 11, 9, 0, tzinfo=UTC)

    def tick() -> datetime:
        nonlocal moment
        moment += timedelta(milliseconds=250)
        return moment

    return tick


def recorded(path: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        del line["crc"]
    return lines


def test_every_event_is_recorded_as_it_is_told(tmp_path: Path) -> None:
    with Recorder.open("planner", tmp_path / "a.jsonl") as recorder:
        for number, (call, _) in enumerate(CALLS, 1):
            assert call(recorder) == number == recorder.seq
    told = [{**fields, "seq": number} for number, (_, fields) in enumerate(CALLS, 1)]
    said = recorded(recorder.path)
    for line in said[1:]:
        del line["time"]
    assert said[1:-1] == told
    assert said[-1] == {"type": "close", "seq": len(CALLS) + 1, "events": len(CALLS)}


def test_what_is_recorded_is_read_without_a_fault(tmp_path: Path) -> None:
    with Recorder.open("planner", tmp_path / "a.jsonl") as recorder:
        for call, _ in CALLS:
            call(recorder)
    found = parse(recorder.path.read_bytes())
    assert rules(found) == []
    events: list[AnyEvent | Unknown] = [record.event for record in records(found)]
    assert not any(isinstance(event, Unknown) for event in events)
    assert {str(event.__struct_config__.tag) for event in events} == set(EVENT_TYPES)


def test_short_fields_come_first_and_bulky_ones_last(tmp_path: Path) -> None:
    with Recorder.open("planner", tmp_path / "a.jsonl") as recorder:
        for call, _ in CALLS:
            call(recorder)
    bulky = ["inverse", "inverses", "original", "insert", "edits", "content", "contents"]
    for line in recorded(recorder.path):
        names = list(line)
        assert names[0] == "type"
        places = [names.index(name) for name in bulky if name in names]
        assert sorted(places) == list(range(len(names) - len(places), len(names)))


def test_there_is_a_method_for_every_event() -> None:
    methods = {name for name, _ in inspect.getmembers(Recorder) if not name.startswith("_")}
    assert set(EVENT_TYPES) <= methods


def test_the_same_calls_write_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for name in ("a.jsonl", "b.jsonl"):
        with Recorder.open(
            "planner", tmp_path / name, clock=ticking(), session="stale-citation"
        ) as recorder:
            for call, _ in CALLS:
                call(recorder)
        written.append(recorder.path.read_bytes())
    assert written[0] == written[1]
    first, second = written[0].splitlines()[:2]
    assert b'"started":"2026-11-11T09:00:00.250Z"' in first
    assert b'"time":"2026-11-11T09:00:00.500Z"' in second


def test_a_header_says_what_it_is_given(tmp_path: Path) -> None:
    with Recorder.open(
        "planner",
        tmp_path / "a.jsonl",
        agent="Planner 2",
        tokenizer="o200k",
        records=["versions"],
        parent=Parent(session="p", seq=3),
        session="s",
        clock=ticking(),
    ) as recorder:
        pass
    (header,) = headers(parse(recorder.path.read_bytes()))
    assert header.session == recorder.session
    assert header.session == Session(
        format="spanscope.journal/1",
        session="s",
        agent="Planner 2",
        tokenizer="o200k",
        started="2026-11-11T09:00:00.250Z",
        parent=Parent(session="p", seq=3),
        records=["versions"],
    )


def test_without_more_it_lies_in_the_state_folder_named_after_the_agent() -> None:
    with Recorder.open("planner") as recorder:
        recorder.ingest("task", "Fix the flaky test")
    assert recorder.path.parent == sessions_folder()
    assert recorder.path.name == recorder.session.session + ".jsonl"
    assert recorder.session.session.startswith("planner-")
    assert recorder.session.agent == "planner"


@pytest.mark.parametrize("wrong", [{"parent": {"seq": 1}}, {"records": "versions"}, {"agent": 3}])
def test_a_wrong_header_leaves_no_file(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="header"):
        Recorder.open("planner", tmp_path / "a.jsonl", **wrong)
    assert list(tmp_path.iterdir()) == []


def test_a_view_by_actor_writes_into_the_same_journal(tmp_path: Path) -> None:
    with Recorder.open("planner", tmp_path / "a.jsonl") as recorder:
        search = recorder.as_actor("tool:search")
        recorder.mark("note", "1")
        search.mark("note", "2")
        search.mark("note", "3", actor="operator")
        search.mark("note", "4", actor="agent")
        recorder.mark("note", "5", actor="subagent:2")
    found = parse(recorder.path.read_bytes())
    assert [(r.event.seq, r.event.actor) for r in records(found)[:-1]] == [
        (1, "agent"),
        (2, "tool:search"),
        (3, "operator"),
        (4, "agent"),
        (5, "subagent:2"),
    ]


def test_leaving_the_block_closes_the_journal_even_on_an_error(tmp_path: Path) -> None:
    recorder = Recorder.open("planner", tmp_path / "a.jsonl")

    def fail() -> None:
        with recorder:
            recorder.mark("note", "x")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert recorder.closed
    assert [line["type"] for line in recorded(recorder.path)] == ["session", "mark", "close"]
    with pytest.raises(JournalWriteError, match="closed"):
        recorder.mark("note", "y")
    recorder.close()


def test_it_enforces_nothing(tmp_path: Path) -> None:
    with Recorder.open("planner", tmp_path / "a.jsonl") as recorder:
        recorder.splice("never-ingested", 900, 5, "x", version=-3, hash="not a hash")
        recorder.rollback(99)
        recorder.apply("never-staged")
    assert rules(parse(recorder.path.read_bytes())) == []


def test_an_existing_file_is_refused(tmp_path: Path) -> None:
    with Recorder.open("planner", tmp_path / "a.jsonl"):
        pass
    with pytest.raises(JournalError, match="exists"):
        Recorder.open("planner", tmp_path / "a.jsonl")


def test_lone_surrogates_are_recorded_and_read_back(tmp_path: Path) -> None:
    with Recorder.open("pl\ud800", tmp_path / "a.jsonl", session="\udfff") as recorder:
        recorder.ingest("a\ud800", "b\udfff")
    found = parse(recorder.path.read_bytes())
    assert rules(found) == []
    event = records(found)[0].event
    assert isinstance(event, Ingest)
    assert (event.span, event.content) == ("a\ud800", "b\udfff")


def test_the_package_offers_it_lazily() -> None:
    assert spanscope.Recorder is Recorder
    assert "Recorder" in dir(spanscope)
    assert spanscope.__version__
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        spanscope.Nothing  # noqa: B018
