"""Traces of model calls: OTLP JSON with what OTel GenAI or OpenInference say of them.

There are no message ids, so identity is inferred as for lists of requests. Messages are recorded
only where a program was told to capture them; a call without them is a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from spanscope.importers.conversations import IDENTITY, Conversations
from spanscope.importers.lines import LineImporter
from spanscope.importers.messages import (
    MessageLists,
    Said,
    items_of,
    system_items,
    tool_items,
)
from spanscope.importers.otel_logs import DETAILS, LoggedCalls, log_records, says
from spanscope.importers.rows import NOTHING, decode
from spanscope.importers.values import Row, mapping, moment, objects, sequence, string

_OPERATIONS: Final = ("chat", "text_completion", "generate_content")
_FLATTENED: Final = re.compile(r"llm\.(input|output)_messages\.(\d{1,6})\.message\.(.+)")
_CALL: Final = re.compile(r"tool_calls\.(\d{1,6})\.tool_call\.(?:function\.)?(id|name|arguments)")
_TOOL: Final = re.compile(r"llm\.tools\.(\d{1,6})\.tool\.json_schema")
_PART: Final = re.compile(r"contents\.(\d{1,6})\.message_content\.text")


class Call(NamedTuple):
    """A span of a trace that is a model call."""

    start: int
    time: Any
    id: str | None
    span: str | None
    key: str | None
    trace: str
    items: list[Said]
    reply: list[Said]
    captured: bool


class Otel(LineImporter):
    """Reads traces and logs; calls are told in the order in which they started."""

    name = "otel"

    def __init__(self) -> None:
        super().__init__()
        self._conversations = Conversations(self.builder)
        self._calls: list[Call] = []
        self._logged = LoggedCalls()
        self._told: dict[str, bool] = {}
        """Of each span that is a call: whether its messages were told."""
        self._lists = MessageLists()
        self._service: str | None = None

    def row(self, row: Row) -> None:
        """A batch of spans or of log records, or one span."""
        spans = list(_spans(row))
        records = list(log_records(row))
        if not spans and not records:
            self.summary.unknown_row("no spans")
        for resource in [*objects(row, "resourceSpans"), *objects(row, "resourceLogs")]:
            found = attributes(mapping(resource, "resource")).get("service.name")
            self._service = self._service or (found if isinstance(found, str) else None)
        found = [call for span in spans if (call := _call(span, self._lists)) is not None]
        found += [call for record in records if (call := self._in_log(record)) is not None]
        if self.growing:
            self._tell(found)
        else:
            self._calls += found

    def _in_log(self, record: Row) -> Call | None:
        """The model call that a log record tells, or the last one of several."""
        found = attributes(record)
        name = string(record, "eventName") or found.get("event.name")
        if name == DETAILS:
            return _call({**record, "startTimeUnixNano": _logged_at(record)}, self._lists)
        if not isinstance(name, str):
            return None
        spoken = self._logged.add(record, name, _value(mapping(record, "body")))
        if spoken is None:
            return None
        start = _logged_at(spoken.span)
        return Call(
            start=_number(start),
            time=moment(start),
            id=string(record, "spanId"),
            span=string(record, "spanId"),
            key=None,
            trace=string(record, "traceId") or "trace",
            items=self._lists.items_of(spoken.messages),
            reply=items_of(spoken.replies),
            captured=says(spoken.messages),
        )

    def end(self) -> None:
        """All spans are there: exporters write them in the order in which they ended."""
        self._tell(self._calls)
        if not self.builder.started:
            self.summary.note("no span is a model call of GenAI or OpenInference")

    def _tell(self, calls: list[Call]) -> None:
        """Calls that are known together, in the order in which they started."""
        for call in sorted(_each_once(calls), key=lambda call: call.start):
            if call.span is not None:
                if call.span in self._told and not call.captured > self._told[call.span]:
                    continue
                self._told[call.span] = call.captured
            self._start(call)
            self.builder.at(call.time)
            if call.captured:
                self._conversations.request(call.items, call.reply, call=call.id, key=call.key)
            else:
                self.summary.untold["model calls were traced without their messages"] += 1
                self.builder.mark("llm", call.id or "call")

    def _start(self, call: Call) -> None:
        if self.builder.started:
            return
        self.summary.note("ids are inferred: the source has none")
        self.builder.header(
            call.key or call.trace,
            self._service or "traced",
            source=self.name,
            identity=IDENTITY,
            time=call.time,
        )


def _each_once(calls: list[Call]) -> list[Call]:
    """The calls; where a span and log records tell the same one, what has its messages."""
    found: dict[object, Call] = {}
    for number, call in enumerate(calls):
        key = number if call.span is None else call.span
        if key not in found or call.captured > found[key].captured:
            found[key] = call
    return list(found.values())


def _spans(row: Row) -> Iterator[Row]:
    """The spans of a batch; a row may be a span by itself."""
    if "spanId" in row and "traceId" in row:
        yield row
    for resource in objects(row, "resourceSpans"):
        scopes = [
            *objects(resource, "scopeSpans"),
            *objects(resource, "instrumentationLibrarySpans"),
        ]
        for scope in scopes:
            yield from objects(scope, "spans")


def attributes(holder: Row) -> Row:
    """OTLP's attributes, a list of key and typed value, as an object."""
    found = holder.get("attributes")
    if isinstance(found, dict):
        return found
    return {
        name: _value(mapping(item, "value"))
        for item in objects(holder, "attributes")
        if (name := string(item, "key")) is not None
    }


def _value(value: Row, depth: int = 0) -> Any:
    if "arrayValue" in value and depth < 50:
        return [_value(item, depth + 1) for item in objects(mapping(value, "arrayValue"), "values")]
    if "kvlistValue" in value and depth < 50:
        pairs = objects(mapping(value, "kvlistValue"), "values")
        return {string(p, "key") or "": _value(mapping(p, "value"), depth + 1) for p in pairs}
    return next(iter(value.values()), None)


def _call(span: Row, lists: MessageLists) -> Call | None:
    """The model call that a span is; null where it is another step."""
    found = attributes(span)
    for event in objects(span, "events"):
        if string(event, "name") == DETAILS:
            found = {**found, **attributes(event)}
    genai = found.get("gen_ai.operation.name") in _OPERATIONS
    inference = found.get("openinference.span.kind") == "LLM"
    if not genai and not inference:
        return None
    given = found.get("gen_ai.input.messages")
    flat = _flattened(found)
    captured = given is not None or bool(flat["input"])
    items = tool_items(_parsed(found.get("gen_ai.tool.definitions")) or _tools(found))
    items += system_items(_parts(found.get("gen_ai.system_instructions")))
    items += lists.items_of(flat["input"]) if given is None else _given(given, lists)
    output = found.get("gen_ai.output.messages")
    reply = items_of(_parsed(output)) if output is not None else items_of(flat["output"])
    start = span.get("startTimeUnixNano")
    key = next((k for name in _KEYS if isinstance(k := found.get(name), str)), None)
    id = found.get("gen_ai.response.id")
    return Call(
        start=_number(start),
        time=moment(start),
        id=id if isinstance(id, str) else string(span, "spanId"),
        span=string(span, "spanId"),
        key=key,
        trace=string(span, "traceId") or "trace",
        items=items,
        reply=reply,
        captured=captured,
    )


def _given(value: Any, lists: MessageLists) -> list[Said]:
    """The items of a message list that stands in an attribute, as JSON or as it is."""
    found = lists.items_in(value) if isinstance(value, str) else None
    return lists.items_of(_parsed(value)) if found is None else found


_KEYS: Final = ("gen_ai.conversation.id", "session.id", "gen_ai.thread.id")


def _number(start: Any) -> int:
    return int(start) if isinstance(start, int | str) and _digits(start) else 0


def _logged_at(record: Row) -> Any:
    """When a log record was written, or came in."""
    return record.get("timeUnixNano") or record.get("observedTimeUnixNano")


def _tools(found: Row) -> list[Any]:
    """OpenInference's tools, each in JSON."""
    matches = ((_TOOL.fullmatch(name), value) for name, value in found.items())
    tools = {int(match.group(1)): _parsed(value) for match, value in matches if match is not None}
    return [tools[number] for number in sorted(tools)]


def _digits(value: int | str) -> bool:
    text = str(value)
    return text.isascii() and text.isdecimal() and len(text) <= 20


def _parsed(value: Any) -> Any:
    """An attribute that holds JSON, as a string or as it is."""
    if not isinstance(value, str):
        return value
    found = decode(value.encode("utf-8", "surrogatepass"))
    return [{"role": "user", "content": value}] if found is NOTHING else found


def _parts(value: Any) -> Any:
    found = _parsed(value)
    return sequence({"parts": found}, "parts") or found


def _flattened(found: Row) -> dict[str, list[Row]]:
    """OpenInference's messages, one attribute a field, put together again."""
    messages: dict[str, dict[int, Row]] = {"input": {}, "output": {}}
    for name, value in found.items():
        match = _FLATTENED.fullmatch(name)
        if match is None:
            continue
        message = messages[match.group(1)].setdefault(int(match.group(2)), {})
        field = match.group(3)
        call, part = _CALL.fullmatch(field), _PART.fullmatch(field)
        if call is not None:
            calls = message.setdefault("calls", {})
            entry = calls.setdefault(int(call.group(1)), {})
            entry[call.group(2)] = value
        elif part is not None:
            message.setdefault("parts_of", {})[int(part.group(1))] = value
        else:
            message[field] = value
    return {
        kind: [_message(found) for _, found in sorted(each.items())]
        for kind, each in messages.items()
    }


def _message(flat: Row) -> Row:
    parts = flat.pop("parts_of", {})
    calls = flat.pop("calls", {})
    if parts and "content" not in flat:
        flat["content"] = [parts[index] for index in sorted(parts)]
    if calls:
        flat["tool_calls"] = [calls[index] for index in sorted(calls)]
    flat.setdefault("role", "user")
    return flat
