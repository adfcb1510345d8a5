"""Message lists of OpenAI, Anthropic and OpenTelemetry, as one row of items."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from spanscope.importers.blocks import CALL, RESULT, TEXT, Block, blocks_of, call_text, result_text
from spanscope.importers.memory import Memory
from spanscope.importers.rows import NOTHING, decode
from spanscope.importers.values import Row, mapping, objects, sequence, string

TOOLS: Final = "tools"
_LIST: Final = msgspec.json.Decoder(list[msgspec.Raw])
_ROLES: Final = {"human": "user", "ai": "assistant", "model": "assistant", "developer": "system"}


class Said(NamedTuple):
    """One item of a message list; `pair` is the id that a call and its result share."""

    kind: str
    role: str
    text: str
    pair: str | None = None


class MessageLists:
    """Reads message lists, of which each says most of the last one again."""

    def __init__(self) -> None:
        self._read: Memory[bytes, list[Said]] = Memory()

    def items_of(self, messages: object) -> list[Said]:
        """The items of a message list, or of a prompt that is only a text."""
        if not isinstance(messages, list):
            return items_of(messages)
        return [item for message in messages for item in self._items_of(message)]

    def items_in(self, text: str) -> list[Said] | None:
        """The items of a message list in JSON; null where it is none.

        A message that the last lists had, byte by byte, is not read again.
        """
        try:
            messages = _LIST.decode(text)
            found = [self._read.get(bytes(each), partial(_read, each)) for each in messages]
        except (ValueError, RecursionError):
            return None
        return [item for items in found for item in items]

    def _items_of(self, message: object) -> list[Said]:
        try:
            key = msgspec.json.encode(message)
        except (UnicodeEncodeError, RecursionError):
            return list(_items(message))
        return self._read.get(key, lambda: list(_items(message)))


def _read(message: msgspec.Raw) -> list[Said]:
    """The items of a message in JSON. Raises ValueError where it can't be read."""
    value = decode(bytes(message))
    if value is NOTHING:
        raise ValueError
    return list(_items(value))


def items_of(messages: object) -> list[Said]:
    """The items of a message list, or of a prompt that is only a text."""
    if isinstance(messages, str):
        return [Said(TEXT, "user", messages)]
    if not isinstance(messages, list):
        return []
    return [item for message in messages for item in _items(message)]


def system_items(system: object) -> list[Said]:
    """A system prompt that stands beside the messages."""
    return [Said(TEXT, "system", block.text) for block in blocks_of(system) if block.text]


def tool_items(tools: object) -> list[Said]:
    """The tools that are offered, as one item: a change of them changes the prompt."""
    if not isinstance(tools, list) or not tools:
        return []
    return [Said(TOOLS, "system", result_text([tool for tool in tools if tool]))]


def _items(message: object) -> Iterator[Said]:
    if not isinstance(message, dict):
        return
    kind = string(message, "type")
    if kind in ("function_call", "custom_tool_call"):
        arguments = message.get("arguments", message.get("input"))
        call = call_text(string(message, "name"), arguments)
        yield Said(CALL, "assistant", call, string(message, "call_id") or string(message, "id"))
        return
    if kind in ("function_call_output", "custom_tool_call_output"):
        output = result_text(message.get("output"))
        yield Said(RESULT, "tool", output, string(message, "call_id"))
        return
    role = string(message, "role") or "user"
    yield from _of_role(message, _ROLES.get(role, role))


def _of_role(message: Row, role: str) -> Iterator[Said]:
    parts = message.get("parts")
    content = parts if isinstance(parts, list) else message.get("content")
    answered = string(message, "tool_call_id")
    if role in ("tool", "function") and (answered or not isinstance(parts, list)):
        yield Said(RESULT, "tool", result_text(content), answered)
        return
    if string(message, "type") == "reasoning":
        content = sequence(message, "summary") or sequence(message, "content")
    for block in blocks_of(content):
        if block.text or block.kind == RESULT:
            yield _of_block(block, role)
    for call in objects(message, "tool_calls"):
        yield _tool_call(call)
    old = mapping(message, "function_call")
    if old:
        yield Said(CALL, "assistant", call_text(string(old, "name"), old.get("arguments")))


def _of_block(block: Block, role: str) -> Said:
    return Said(block.kind, "tool" if block.kind == RESULT else role, block.text, block.pair)


def _tool_call(call: Row) -> Said:
    function: Any = mapping(call, "function") or call
    arguments = function.get("arguments", function.get("args", function.get("input")))
    return Said(
        CALL, "assistant", call_text(string(function, "name"), arguments), string(call, "id")
    )
