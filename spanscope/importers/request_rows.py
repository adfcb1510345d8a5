"""Which rows of JSON are requests to a model, or messages of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanscope.importers.rows import NOTHING, decode

if TYPE_CHECKING:
    from spanscope.importers.values import Row

_ENVELOPES: Final = ("request", "body", "kwargs", "payload", "data", "input")


def is_request(row: object) -> bool:
    """Whether a value is a list of messages, or holds a request."""
    return (isinstance(row, list) and any(map(is_message, row))) or request_body(row) is not None


def is_message(row: object) -> bool:
    """Whether a value is one message of a list."""
    if not isinstance(row, dict):
        return False
    role = row.get("role")
    if role in ("user", "assistant", "system", "developer", "tool", "function", "model"):
        return any(name in row for name in ("content", "parts", "tool_calls", "function_call"))
    return row.get("type") in ("function_call", "function_call_output")


def request_body(row: object, depth: int = 0) -> Row | None:
    """The object with the message list, through envelopes."""
    if not isinstance(row, dict) or depth > 3:
        return None
    messages = row.get("messages")
    if isinstance(messages, list) and (not messages or any(map(is_message, messages))):
        return row
    given = row.get("input")
    if isinstance(given, list) and any(map(is_message, given)):
        return row
    if isinstance(given, str) and "model" in row:
        return row
    for name in _ENVELOPES:
        inner = row.get(name)
        if isinstance(inner, str) and inner[:1] == "{":
            value = decode(inner.encode("utf-8", "surrogatepass"))
            inner = None if value is NOTHING else value
        found = request_body(inner, depth + 1)
        if found is not None:
            return found
    return None
