"""Message lists of OpenAI and Anthropic as blocks, one a span, and back again.

A block is the text that an agent edits, and a frame: everything else that is needed to say the
message again. Text stands as it is, what is no text stands as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from spanscope.journal.surrogates import joined

Message = Mapping[str, Any]

Kind = Literal["text", "call", "result", "other"]
Shape = Literal["string", "content", "bare", "part", "tool_calls", "nothing"]

_BESIDE: Final = ("content", "tool_calls")


class Frame(Struct, kw_only=True, omit_defaults=True):
    """What a block is in its message beside its text; plain data, for an event's `meta`.

    `number` is the message's, `fields` what the message has beside content and calls. `shape`
    says where the text belongs: the whole `content` (a `string`, or a tool's result), a `bare`
    string or a `part` of the content list, one of the `tool_calls`, or `nothing` in a message
    without content. `part` is the rest of a part whose `key` is the text; `only` the rest of the
    one part that a result consists of. `json`: the text stands for a value. `pair` is the id that
    a call and its result share.
    """

    number: int = 0
    kind: Kind = "text"
    shape: Shape
    fields: dict[str, Any]
    pair: str | None = None
    json: bool = False
    key: str = "text"
    part: dict[str, Any] | None = None
    only: dict[str, Any] | None = None
    content: Any | UnsetType = UNSET
    tool_calls: Any | UnsetType = UNSET


class Block(NamedTuple):
    """One block of a message: its text, and what belongs to it."""

    text: str
    frame: Frame

    @property
    def role(self) -> str:
        """The role of its span: what a tool gave back is the tool's, whoever hands it on."""
        return "tool" if self.frame.kind == "result" else str(self.frame.fields["role"])


class MessageError(ValueError):
    """What can't be read as a message, or a text that can't be put back into one."""


def blocks_of(message: Message) -> list[Block]:
    """The blocks of one message, at least one.

    Raises:
        MessageError: it has no role, or holds what JSON can't.
    """
    plain = _plain(message)
    if not isinstance(plain, dict) or not isinstance(plain.get("role"), str):
        raise MessageError("a message is a dict with a `role`")
    common = Frame(shape="nothing", fields={n: v for n, v in plain.items() if n not in _BESIDE})
    content, calls = plain.get("content", UNSET), plain.get("tool_calls", UNSET)
    if content is None or content == []:
        common.content = content
    if not isinstance(calls, list) or not calls:
        common.tool_calls = calls
    found = _of_content(content, plain, common)
    if isinstance(calls, list):
        found += [_call(call, replace(common, shape="tool_calls")) for call in calls]
    return found or [Block("", common)]


def lenient_blocks(message: object) -> list[Block]:
    """The blocks of anything that an agent gave its model as a message; never an error."""
    try:
        return blocks_of(message)  # type: ignore[arg-type]
    except MessageError:
        role = message.get("role") if isinstance(message, Mapping) else None
        fields = {"role": role if isinstance(role, str) else "message"}
        content = message.get("content") if isinstance(message, Mapping) else message
        return [Block(joined(str(content)), Frame(kind="other", shape="content", fields=fields))]


def _of_content(content: Any, message: dict[str, Any], common: Frame) -> list[Block]:
    answers = message.get("tool_call_id")
    whole = replace(common, shape="content")
    if message["role"] in {"tool", "function"} or isinstance(answers, str):
        return [_result(None if content is UNSET else content, answers, whole)]
    if isinstance(content, str):
        return [Block(content, replace(common, shape="string"))]
    if content is UNSET or content is None:
        return []
    if not isinstance(content, list):
        return [Block(dumped(content), replace(whole, kind="other", json=True))]
    return [_part(part, common) for part in content]


def _part(part: Any, common: Frame) -> Block:
    """One part of a content list."""
    if isinstance(part, str):
        return Block(part, replace(common, shape="bare"))
    frame = replace(common, shape="part")
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "tool_result":
        frame.key, frame.part = "content", _without(part, "content")
        return _result(part.get("content"), part.get("tool_use_id"), frame)
    if kind == "tool_use":
        return _call(part, frame)
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        frame.part = _without(part, "text")
        return Block(part["text"], frame)
    return Block(dumped(part), replace(frame, kind="other", json=True))


def _call(call: Any, frame: Frame) -> Block:
    pair = call.get("id") if isinstance(call, dict) else None
    pair = pair if isinstance(pair, str) else None
    return Block(dumped(call), replace(frame, kind="call", json=True, pair=pair))


def _result(content: Any, pair: Any, frame: Frame) -> Block:
    """What a tool gave back; a list of one text is that text."""
    frame = replace(frame, kind="result", pair=pair if isinstance(pair, str) else None)
    if isinstance(content, str):
        return Block(content, frame)
    only = content[0] if isinstance(content, list) and len(content) == 1 else None
    if isinstance(only, dict) and isinstance(only.get("text"), str):
        return Block(only["text"], replace(frame, only=_without(only, "text")))
    return Block(dumped(content), replace(frame, json=True))


def _without(part: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name != key}


def dumped(value: object) -> str:
    """A value as JSON, on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """Dicts and lists all the way down; objects of a client library say themselves as dicts."""
    if isinstance(value, str):
        # A client sends JSON: that is how the model reads it.
        return joined(value)
    if value is None or isinstance(value, int | float | bool):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return _plain(dump(exclude_unset=True))
    raise MessageError(f"a message can't hold a {type(value).__name__}: make a dict of it")


def message_of(parts: Iterable[tuple[str, Frame]]) -> dict[str, Any]:
    """One message from the texts and frames of those of its blocks that are left, in order.

    Raises:
        MessageError: a text that stands for JSON is none any more.
    """
    message: dict[str, Any] = {}
    for text, frame in parts:
        if not message:
            message = _started(frame)
        if frame.shape in {"string", "content"} or (frame.shape == "nothing" and text):
            message["content"] = _value(text, frame)
        elif frame.shape == "tool_calls":
            _listed(message, "tool_calls").append(_loaded(text))
        elif frame.shape == "bare":
            _listed(message, "content").append(text)
        elif frame.shape == "part":
            _listed(message, "content").append(_said(text, frame))
    return message


def _started(frame: Frame) -> dict[str, Any]:
    message = dict(frame.fields)
    for name in _BESIDE:
        value = getattr(frame, name)
        if value is not UNSET:
            message[name] = value
    return message


def _listed(message: dict[str, Any], name: str) -> list[Any]:
    """A list of the message to add to; what stands there else is replaced."""
    if not isinstance(message.get(name), list):
        message[name] = []
    found: list[Any] = message[name]
    return found


def _said(text: str, frame: Frame) -> Any:
    if frame.part is None:
        return _loaded(text)
    return {**frame.part, frame.key: _value(text, frame)}


def _value(text: str, frame: Frame) -> Any:
    if frame.json:
        return _loaded(text)
    return text if frame.only is None else [{**frame.only, "text": text}]


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise MessageError(f"it is no JSON any more: {text[:60]!r}") from None
