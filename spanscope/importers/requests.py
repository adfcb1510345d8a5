"""Plain lists of requests, as proxies and LLM logs write them: OpenAI's and Anthropic's lists.

A row is a request with its messages, alone or inside an envelope with its response; a file of one
request, or rows that are single messages, are read too.
"""

from __future__ import annotations

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
from spanscope.importers.request_rows import is_message, request_body
from spanscope.importers.rows import decode
from spanscope.importers.values import Row, mapping, moment, number, objects, string

_TIMES: Final = (
    *("timestamp", "time", "created_at", "created", "startTime", "start_time", "date"),
)
_KEYS: Final = ("conversation_id", "session_id", "sessionId", "thread_id", "conversation")


class Request(NamedTuple):
    """A model call: what it was given and what it said."""

    items: list[Said]
    reply: list[Said]
    id: str | None
    key: str | None
    note: str | None


class Requests(LineImporter):
    """Reads one log of requests."""

    name = "requests"

    def __init__(self) -> None:
        super().__init__()
        self._conversations = Conversations(self.builder)
        self._lists = MessageLists()

    def time_of(self, value: Any) -> str | None:
        """When the request was made."""
        return _time(value)

    def value(self, value: Any) -> None:
        """A request, a bare list of messages, or one message."""
        if isinstance(value, list) and any(map(is_message, value)):
            items = self._lists.items_of(value)
            self._request(value, Request(items, [], None, None, None))
        elif isinstance(value, dict) and (request := read_request(value, self._lists)) is not None:
            self._request(value, request)
        elif is_message(value):
            self._start(value)
            self.builder.at(_time(value))
            self._conversations.say(items_of([value]))
        else:
            self.summary.unknown_row("neither a request nor a message")

    def _start(self, value: Any) -> None:
        if self.builder.started:
            return
        self.summary.note("ids are inferred: the source has none")
        name = next((found for key in _KEYS if (found := string(value, key))), None)
        self.builder.header(
            name or self.name,
            string(value, "agent") or "requests",
            source=self.name,
            identity=IDENTITY,
            time=_time(value),
        )

    def _request(self, value: Any, request: Request) -> None:
        self._start(value)
        self.builder.at(_time(value))
        self._conversations.request(
            request.items, request.reply, call=request.id, key=request.key, note=request.note
        )


def _time(value: object) -> str | None:
    for holder in (value, mapping(value, "request"), mapping(value, "response")):
        for name in _TIMES:
            found = moment(holder.get(name)) if isinstance(holder, dict) else None
            if found is not None:
                return found
    return None


def read_request(row: Row, lists: MessageLists) -> Request | None:
    """The request that a row is or holds; null where it holds none."""
    body = request_body(row)
    if body is None:
        return None
    messages = body.get("messages")
    if not isinstance(messages, list):
        messages = body.get("input")
    items = tool_items(body.get("tools"))
    items += system_items(body.get("system") or body.get("instructions"))
    items += lists.items_of(messages)
    answer = _answer(row)
    key = next((found for name in _KEYS if (found := string(row, name))), None)
    id = string(answer, "id") or string(row, "id")
    return Request(items, _reply(answer), id, key, _cleared(answer))


def _answer(row: Row) -> Row:
    """The response that stands beside a request."""
    for name in ("response", "output", "completion", "result"):
        found = mapping(row, name)
        if not found and isinstance(row.get(name), str):
            value = decode(row[name].encode("utf-8", "surrogatepass"))
            found = value if isinstance(value, dict) else {}
        if found:
            return mapping(found, "body") or found
    return row if "choices" in row else {}


def _reply(answer: Row) -> list[Said]:
    choice = next(objects(answer, "choices"), None)
    if choice is not None:
        return items_of([{"role": "assistant", **mapping(choice, "message")}])
    if isinstance(answer.get("output"), list):
        return items_of([{"role": "assistant", **item} for item in objects(answer, "output")])
    if isinstance(answer.get("content"), str | list):
        return items_of([{**answer, "role": "assistant"}])
    return []


def _cleared(answer: Row) -> str | None:
    """What the API cleared by itself in this call; which results, it does not say."""
    edits = objects(mapping(answer, "context_management"), "applied_edits")
    told = []
    for edit in edits:
        count = number(edit, "cleared_tool_uses") or number(edit, "cleared_thinking_turns")
        if count:
            told.append(f"{string(edit, 'type') or 'an edit'}: {count}")
    return f"cleared by the API before this call: {', '.join(told)}" if told else None
