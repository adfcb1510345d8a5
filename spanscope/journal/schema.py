"""The JSON Schema of a journal line, made from the wire schema."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from spanscope.journal.events import EVENT_TYPES, FORMAT, AnyEvent, Session

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_CRC: Final = {
    "type": "string",
    "pattern": "^[0-9a-f]{8}$",
    "description": 'CRC-32 of the line\'s bytes before `,"crc"`; the last field of the line',
}
_DESCRIPTIONS: Final = {
    "seq": "The number of the event: the first is 1, each next one more",
    "time": "RFC 3339, UTC",
    "actor": "Who did it: agent, tool:search, subagent:2, operator",
    "meta": "Any object",
    "version": "What the agent says the span's version is after the event",
    "hash": "sha256: and 64 hex digits, of the content's UTF-8 bytes",
}
_LENIENT: Final = {
    "Anchor": ("before", "after"),
    "Inverse": ("before", "after"),
    "InverseRecord": ("before", "after"),
    "RewriteEdit": ("op",),
}
"""Fields that a writer must give although our reader has a default for them."""
_UNKNOWN: Final = "UnknownEvent"


def journal_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) that every line of a format 1 journal meets.

    Unknown fields and events of unknown types are allowed: a reader keeps them.
    """
    structs: list[type] = [Session, *EVENT_TYPES.values()]
    names = [struct.__name__ for struct in structs]
    schema: dict[str, Any] = msgspec.json.schema(Session | AnyEvent)
    definitions = schema["$defs"]
    for name in names:
        _complete(definitions[name]["properties"])
    for name, fields in _LENIENT.items():
        definitions[name].setdefault("required", []).extend(fields)
    definitions["Session"]["properties"]["format"] = {"const": FORMAT}
    definitions[_UNKNOWN] = _unknown_event([*EVENT_TYPES, "session"])
    lines = [{"$ref": f"#/$defs/{name}"} for name in names]
    return {
        "$schema": _DIALECT,
        "title": "A line of a buffer journal, format 1",
        "description": "Line 1 is the session header, every later line an event.",
        "anyOf": [*lines, {"$ref": f"#/$defs/{_UNKNOWN}"}],
        "$defs": definitions,
    }


def _complete(properties: dict[str, Any]) -> None:
    for name, description in _DESCRIPTIONS.items():
        if name in properties:
            properties[name].setdefault("description", description)
    properties["crc"] = dict(_CRC)


def _unknown_event(known: list[str]) -> dict[str, Any]:
    return {
        "title": _UNKNOWN,
        "description": "An event of a type that this format does not know: kept and shown.",
        "type": "object",
        "properties": {
            "type": {"type": "string", "not": {"enum": known}},
            "seq": {"type": "integer", "minimum": 1, "maximum": 2**53},
            "time": {"type": "string"},
            "actor": {"type": "string", "default": "agent"},
            "crc": dict(_CRC),
        },
        "required": ["type", "seq", "time"],
    }
