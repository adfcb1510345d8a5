"""The JSON Schema says what the reader does: the same types, fields and requirements."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from spanscope.journal.events import EVENT_TYPES, FORMAT, Session
from spanscope.journal.schema import journal_schema

SCHEMA = journal_schema()
STRUCTS: dict[str, type[msgspec.Struct]] = {"session": Session, **EVENT_TYPES}


def definition(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = SCHEMA["$defs"][STRUCTS[kind].__name__]
    return found


def test_it_is_plain_json() -> None:
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_every_reference_leads_somewhere() -> None:
    text = json.dumps(SCHEMA)
    targets = {piece.split('"')[0] for piece in text.split('"#/$defs/')[1:]}
    assert targets <= set(SCHEMA["$defs"])
    assert len(SCHEMA["anyOf"]) == len(STRUCTS) + 1


@pytest.mark.parametrize("kind", STRUCTS)
def test_a_line_of_each_type_is_described(kind: str) -> None:
    found = definition(kind)
    assert found["description"]
    assert found["properties"]["type"]["enum"] == [kind]
    fields = {field.encode_name for field in msgspec.structs.fields(STRUCTS[kind])}
    assert set(found["properties"]) == {"type", "crc", *fields}
    required = {
        field.encode_name for field in msgspec.structs.fields(STRUCTS[kind]) if field.required
    }
    lenient = {"before", "after"} if kind == "inverse" else set()
    assert set(found["required"]) == {"type", *required, *lenient}
    assert found.get("additionalProperties", True) is True


def test_the_header_has_the_one_format() -> None:
    assert definition("session")["properties"]["format"] == {"const": FORMAT}


def test_an_unknown_type_is_allowed_and_a_known_one_is_not_unknown() -> None:
    unknown = SCHEMA["$defs"]["UnknownEvent"]
    assert unknown["properties"]["type"]["not"]["enum"] == [*EVENT_TYPES, "session"]
    assert unknown["required"] == ["type", "seq", "time"]


def test_inverses_and_edits_require_what_a_writer_must_give() -> None:
    assert {"before", "after", "original", "inserted"} <= set(
        SCHEMA["$defs"]["Inverse"]["required"]
    )
    assert "op" in SCHEMA["$defs"]["RewriteEdit"]["required"]
