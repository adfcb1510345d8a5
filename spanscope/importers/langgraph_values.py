"""Values of LangGraph checkpoints: msgpack with extension types, or JSON of old.

An extension names a class and how to make one. It is never imported: what it was made from is
kept as plain data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from spanscope.importers.blocks import call_text, message_text
from spanscope.importers.memory import Memory
from spanscope.importers.rows import NOTHING, decode
from spanscope.importers.values import Row, mapping, objects, sequence, string

Extension = Callable[[int, memoryview], Any]
REMOVE_ALL: Final = "__remove_all__"
_ROLES: Final = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant"}
_DELTA_SNAPSHOT: Final = 7


class Made(NamedTuple):
    """What an extension says: a class by name, and what one is made from."""

    module: str
    name: str
    value: Any


class Message(NamedTuple):
    """A message: its id, what it says, the calls that it makes, and the call that it answers."""

    id: str | None
    kind: str
    text: str
    calls: tuple[str, ...]
    answers: str | None
    summary: bool

    @property
    def role(self) -> str:
        """The role as journals have it."""
        return _ROLES.get(self.kind, self.kind)

    @property
    def removes(self) -> bool:
        """Whether it takes a message out instead of saying something."""
        return self.kind == "remove"


def nodes_sent_to(channels: Row) -> list[str]:
    """The nodes that something was sent to after a checkpoint, in order."""
    sends = sequence(channels, "__pregel_tasks")
    values = [each.value if isinstance(each, Made) else None for each in sends]
    found = (each[0] if isinstance(each, list) and each else None for each in values)
    return [name if isinstance(name, str) else "node" for name in found]


class Values:
    """Reads stored values, of which each checkpoint says most of the last one's again."""

    def __init__(self) -> None:
        self._made: Memory[tuple[int, bytes], Any] = Memory()
        self._read: Memory[int, tuple[Made, Message | None]] = Memory()

    def value_of(self, kind: object, data: object) -> Any:
        """A stored value as plain data, as the function of this name has it."""
        if kind == "msgpack" and isinstance(data, bytes):
            return _unpacked(data, self._extension)
        return value_of(kind, data)

    def _extension(self, code: int, data: memoryview) -> Any:
        return self._made.get((code, bytes(data)), lambda: _extension(code, data))

    def messages_of(self, value: Any) -> list[Message] | None:
        """The messages of a channel, as the function of this name has them."""
        return _all_messages(value, self._message_of)

    def _message_of(self, value: Any) -> Message | None:
        if not isinstance(value, Made):
            return message_of(value)
        # The value is kept beside what was read from it, so that its number stays its own.
        return self._read.get(id(value), lambda: (value, message_of(value)))[1]


def value_of(kind: object, data: object) -> Any:
    """A stored value as plain data; NOTHING where it can't be read, or only by running it."""
    if kind == "json" and isinstance(data, bytes | str):
        return decode(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    if kind == "msgpack" and isinstance(data, bytes):
        return _unpacked(data, _extension)
    if kind in ("null", None) and data in (None, b""):
        return None
    if kind in ("bytes", "bytearray") and isinstance(data, bytes):
        return data
    return NOTHING


def _unpacked(data: bytes | memoryview, extension: Extension) -> Any:
    try:
        return msgspec.msgpack.decode(data, ext_hook=extension)
    except (ValueError, TypeError, RecursionError, OverflowError):
        return NOTHING


def _extension(code: int, data: memoryview) -> Any:
    inside = _unpacked(data, _extension)
    if code == _DELTA_SNAPSHOT:
        return inside
    if isinstance(inside, list) and len(inside) >= 3:
        module, name, value = inside[:3]
        if isinstance(module, str) and isinstance(name, str):
            return Made(module, name, value)
    return inside


def messages_of(value: Any) -> list[Message] | None:
    """The messages of a channel; null where it is not a list of messages."""
    return _all_messages(value, message_of)


def _all_messages(value: Any, read: Callable[[Any], Message | None]) -> list[Message] | None:
    items = value if isinstance(value, list) else [value]
    found = [read(item) for item in items]
    messages = [message for message in found if message is not None]
    return messages if messages and len(messages) == len(found) else None


def message_of(value: Any) -> Message | None:
    """A message of langchain in any of its stored forms; null where it is none."""
    fields: Any = None
    if isinstance(value, Made) and value.module.startswith("langchain"):
        fields = value.value
    elif isinstance(value, dict) and "lc" in value:
        names = sequence(value, "id")
        if names and isinstance(names[-1], str) and "Message" in names[-1]:
            kind = names[-1].removesuffix("Chunk").removesuffix("Message").lower()
            fields = {"type": kind, **mapping(value, "kwargs")}
    elif isinstance(value, dict) and "content" in value and string(value, "type") in _KINDS:
        fields = value
    if not isinstance(fields, dict) or "content" not in fields or string(fields, "type") is None:
        return None
    return _message(fields)


_KINDS: Final = ("human", "ai", "system", "tool", "function", "chat", "remove", "AIMessageChunk")


def _message(fields: Row) -> Message:
    calls = list(objects(fields, "tool_calls"))
    texts = [message_text(fields.get("content"))] if fields.get("content") else []
    texts += [call_text(string(call, "name"), call.get("args")) for call in calls]
    source = string(mapping(fields, "additional_kwargs"), "lc_source")
    return Message(
        id=string(fields, "id"),
        kind=string(fields, "type") or "human",
        text="\n".join(texts),
        calls=tuple(id for call in calls if (id := string(call, "id")) is not None),
        answers=string(fields, "tool_call_id"),
        summary=source == "summarization" or fields.get("lc_source") == "summarization",
    )


class Held(NamedTuple):
    """Something that a state keeps of a message: a citation with a range, or a vector."""

    message: str
    kind: str
    range: tuple[int, int] | None
    quote: str | None


_IDS: Final = ("message_id", "source_id", "document_id", "doc_id", "span")
_STARTS: Final = (("start", "end"), ("start_index", "end_index"), ("begin", "end"))
_VECTORS: Final = ("embedding", "vector")


def held_of(value: Any) -> Held | None:
    """What a state's item keeps of a message; null where it keeps nothing."""
    if isinstance(value, Made):
        value = value.value
    if not isinstance(value, dict):
        return None
    message = next((found for name in _IDS if (found := string(value, name))), None)
    if message is None:
        return None
    for start, end in _STARTS:
        ends = (value.get(start), value.get(end))
        if all(isinstance(at, int) and not isinstance(at, bool) for at in ends):
            quote = string(value, "quote") or string(value, "text") or string(value, "exact")
            return Held(message, "citation", (int(ends[0] or 0), int(ends[1] or 0)), quote)
    if any(isinstance(value.get(name), list) for name in _VECTORS):
        return Held(message, "embedding", None, None)
    return None
