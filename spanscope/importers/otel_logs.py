"""Model calls that are told by log records: one a message, the last one the choice.

So wrote instrumentations of OTel GenAI before messages became attributes of the span.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from spanscope.importers.values import Row, mapping, objects, string

DETAILS: Final = "gen_ai.client.inference.operation.details"
"""An event that has all messages of a call as attributes."""
_MESSAGE: Final = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message")
_CHOICE: Final = "gen_ai.choice"
_MOST_OPEN: Final = 10_000
"""Calls that wait for their choice at once; older ones are given up."""


class Spoken(NamedTuple):
    """A call as its log records tell it."""

    span: Row
    """The first record, which names span and trace."""
    messages: list[Row]
    replies: list[Row]


class LoggedCalls:
    """Collects the records of each call."""

    def __init__(self) -> None:
        self._open: dict[tuple[str | None, str | None], Spoken] = {}

    def add(self, record: Row, name: str, body: Any) -> Spoken | None:
        """A record; the call, once it has its choice."""
        key = string(record, "traceId"), string(record, "spanId")
        found = _MESSAGE.fullmatch(name)
        if found is None and name != _CHOICE:
            return None
        if key not in self._open and len(self._open) >= _MOST_OPEN:
            del self._open[next(iter(self._open))]
        spoken = self._open.setdefault(key, Spoken(record, [], []))
        if found is not None:
            spoken.messages.append(_message(found.group(1), body))
            return None
        spoken.replies.append(_message("assistant", mapping(body, "message")))
        del self._open[key]
        return spoken


def _message(role: str, body: Any) -> Row:
    facts = body if isinstance(body, dict) else {}
    message: Row = {"role": string(facts, "role") or role}
    for name in ("content", "tool_calls"):
        if name in facts:
            message[name] = facts[name]
    if role == "tool":
        message["tool_call_id"] = string(facts, "id")
    return message


def says(messages: list[Row]) -> bool:
    """Whether texts were captured: a program has to be told to."""
    return any("content" in message for message in messages)


def log_records(row: Row) -> Iterator[Row]:
    """The log records of a batch."""
    for resource in objects(row, "resourceLogs"):
        for scope in objects(resource, "scopeLogs"):
            yield from objects(scope, "logRecords")
