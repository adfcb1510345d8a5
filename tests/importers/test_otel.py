"""OTLP traces: GenAI's and OpenInference's messages of a conversation, aligned."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.importing import Imported, import_bytes, import_rows

from spanscope.importers.messages import MessageLists
from spanscope.importers.otel import Otel

Row = dict[str, Any]


def attribute(key: str, value: Any) -> Row:
    if isinstance(value, list):
        values = [{"stringValue": item} for item in value]
        return {"key": key, "value": {"arrayValue": {"values": values}}}
    return {"key": key, "value": {"stringValue": value}}


def span(start: int, attributes: Row, **fields: Any) -> Row:
    return {
        "traceId": "t" * 32,
        "spanId": f"{start:016}",
        "name": "chat",
        "startTimeUnixNano": str(1_795_988_693_000_000_000 + start),
        "attributes": [attribute(key, value) for key, value in attributes.items()],
        **fields,
    }


def batch(*spans: Row) -> Row:
    resource = {"attributes": [attribute("service.name", "demo-agent")]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": list(spans)}]}]}


def part(kind: str, **fields: Any) -> Row:
    return {"type": kind, **fields}


def said(role: str, *parts: Row) -> Row:
    return {"role": role, "parts": list(parts)}


ASKED = said("user", part("text", content="How long?"))
CALLED = said("assistant", part("tool_call", id="c1", name="fetch", arguments={"q": "x"}))
ANSWERED = said("tool", part("tool_call_response", id="c1", response="90 days"))
TOLD = said("assistant", part("text", content="90 days [doc 1]."))


def genai(start: int, given: list[Row], output: Row | None = None, **more: Any) -> Row:
    found = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(given), **more}
    if output is not None:
        found["gen_ai.output.messages"] = json.dumps([output])
    return span(start, {**found, "gen_ai.response.id": f"r{start}"})


def conversation() -> list[Row]:
    return [
        genai(1, [ASKED], CALLED),
        genai(2, [ASKED, CALLED, ANSWERED], TOLD),
    ]


def traced(*spans: Row) -> Imported:
    return import_rows(Otel(), [batch(*spans)])


def test_a_healthy_trace_has_no_findings() -> None:
    done = traced(*conversation())
    assert done.history.findings == []
    assert done.texts() == ["How long?", 'fetch {"q": "x"}', "90 days", "90 days [doc 1]."]
    assert [len(render.items) for render in done.events("render")] == [1, 3]
    assert done.history.session is not None
    assert done.history.session.agent == "demo-agent"


def test_spans_are_told_in_the_order_in_which_they_started() -> None:
    done = traced(*reversed(conversation()))
    assert [render.call for render in done.events("render")] == ["r1", "r2"]
    assert done.history.findings == []


def test_a_result_cleared_between_two_calls_is_a_rewrite() -> None:
    cleared = said("tool", part("tool_call_response", id="c1", response="[cleared]"))
    done = traced(*conversation(), genai(3, [ASKED, CALLED, cleared, TOLD]))
    [rewrite] = done.events("rewrite")
    assert (rewrite.span, rewrite.content, rewrite.version) == ("result/c1", "[cleared]", None)
    assert [rule for rule, _ in done.found("info")] == ["SHN404"]
    assert done.found() == []


def test_conversations_are_told_apart_by_their_id() -> None:
    spans = [
        genai(number, [ASKED], **dict[str, Any]({"gen_ai.conversation.id": id}))
        for number, id in enumerate("ab")
    ]
    done = traced(*spans)
    assert done.texts("context") == done.texts("context:2") == ["How long?"]


def test_details_may_stand_on_an_event_and_instructions_beside() -> None:
    details = {
        "gen_ai.input.messages": json.dumps([ASKED]),
        "gen_ai.system_instructions": json.dumps([part("text", content="Be brief.")]),
    }
    event = {
        "name": "gen_ai.client.inference.operation.details",
        "attributes": [attribute(key, value) for key, value in details.items()],
    }
    done = traced(span(1, {"gen_ai.operation.name": "chat"}, events=[event]))
    assert done.texts() == ["Be brief.", "How long?"]


def test_a_call_without_captured_messages_is_a_mark() -> None:
    done = traced(span(1, {"gen_ai.operation.name": "chat"}))
    assert [mark.kind for mark in done.events("mark")] == ["llm"]
    assert done.summary.untold == {"model calls were traced without their messages": 1}


def test_other_spans_are_passed_over() -> None:
    done = traced(span(0, {"gen_ai.operation.name": "execute_tool"}), *conversation())
    assert len(done.events("render")) == 2
    nothing = traced(span(0, {"http.method": "GET"}))
    assert "no span is a model call of GenAI or OpenInference" in nothing.summary.notes


def test_openinference_flattens_its_messages() -> None:
    flat = {
        "openinference.span.kind": "LLM",
        "session.id": "s1",
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.contents.0.message_content.text": "Be brief.",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.content": "How long?",
        "llm.input_messages.2.message.role": "assistant",
        "llm.input_messages.2.message.tool_calls.0.tool_call.id": "c1",
        "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "fetch",
        "llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments": '{"q": "x"}',
        "llm.input_messages.3.message.role": "tool",
        "llm.input_messages.3.message.tool_call_id": "c1",
        "llm.input_messages.3.message.content": "90 days",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "90 days.",
    }
    done = traced(span(1, flat))
    texts = ["Be brief.", "How long?", 'fetch {"q": "x"}', "90 days", "90 days."]
    assert done.texts() == texts
    assert done.history.state.spans["result/c1"].answers == "call/c1"


def test_a_batch_that_is_one_document() -> None:
    data = json.dumps(batch(*conversation()), indent=2).encode()
    assert len(import_bytes(Otel(), data).live()) == 4


def logs(*records: Row) -> Row:
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": list(records)}]}]}


def record(name: str, start: int, body: Row | None = None, **found: Any) -> Row:
    values = [attribute(key, value) for key, value in (body or {}).items()]
    return {
        "traceId": "t" * 32,
        "spanId": f"{start:016}",
        "timeUnixNano": str(1_795_988_693_000_000_000 + start),
        "eventName": f"gen_ai.{name}",
        "body": {"kvlistValue": {"values": values}},
        "attributes": [attribute(key, value) for key, value in found.items()],
    }


def test_an_event_in_the_log_tells_a_whole_call() -> None:
    told: Row = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps([ASKED])}
    details = record("client.inference.operation.details", 1, **told)
    done = import_rows(Otel(), [logs(details)])
    assert done.shown() == ["How long?"]
    assert done.summary.untold == {}


def test_a_call_that_span_and_log_tell_counts_once() -> None:
    bare = span(1, {"gen_ai.operation.name": "chat"})
    spoken = [record("user.message", 1, {"content": "How long?"}), record("choice", 1)]
    for rows in ([batch(bare), logs(*spoken)], [logs(*spoken), batch(bare)]):
        done = import_rows(Otel(), rows)
        assert done.shown() == ["How long?"]
        assert len(done.events("render")) == 1
        assert [mark.kind for mark in done.events("mark")] == ["turn"]


def test_log_records_without_texts_are_a_call_without_messages() -> None:
    done = import_rows(Otel(), [logs(record("user.message", 1), record("choice", 1))])
    assert [mark.kind for mark in done.events("mark")] == ["llm"]
    assert done.summary.untold == {"model calls were traced without their messages": 1}


@pytest.mark.parametrize(
    "text",
    [
        '[{"role": "user", "content": "\\ud800"}, {"role": "user", "content": "x"}]',
        '[{"role": "user", "content": NaN}]',
        '[{"role": "user", "content": "x"}, 3, null, ["y"]]',
        '[{"role": "user", "content": 1e999}]',
        '[ { "role" : "user", "content":"x" } ,{"role":"user","content":"x"}]',
        "[]",
    ],
)
def test_a_list_is_read_in_json_as_it_is_read_as_a_value(text: str) -> None:
    value = json.loads(text)
    assert MessageLists().items_in(text) in (None, MessageLists().items_of(value))
    found = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": text}
    done = import_rows(Otel(), [span(1, found), span(2, found)])
    assert done.texts() == [item.text for item in MessageLists().items_of(value)]


@pytest.mark.parametrize("text", ['{"role": "user"}', "[", '[{"role": tru}]', "3", "\ud800"])
def test_what_is_no_list_in_json_is_left_to_others(text: str) -> None:
    assert MessageLists().items_in(text) is None


def test_a_result_whose_call_is_no_longer_sent_is_an_orphan_in_the_call_that_shows_it() -> None:
    summed_up = said("user", part("text", content="They asked how long."))
    done = traced(*conversation(), genai(3, [summed_up, ANSWERED, TOLD]))
    [event] = done.at("SPN133")
    assert ("SPN133", {"span": "result/c1"}) in done.found()
    assert event == done.events("render")[-1]


def test_two_answers_to_one_call_are_shown_twice() -> None:
    done = traced(*conversation(), genai(3, [ASKED, CALLED, ANSWERED, ANSWERED]))
    assert [rule for rule, _ in done.found()] == ["SHN403"]
    assert done.at("SHN403") == done.events("render")[-1:]
