"""The reference page says what the code does: its example is a journal, no field is left out."""

from __future__ import annotations

import re

import msgspec
import pytest
from support.checkout import ROOT
from support.lines import headers, parse, rules, seqs

from spanscope.journal import parts
from spanscope.journal.events import EVENT_TYPES, Session

PAGE = (ROOT / "docs" / "journal.md").read_text(encoding="utf-8")
STRUCTS: dict[str, type[msgspec.Struct]] = {"session": Session, **EVENT_TYPES}
PARTS = [part for part in vars(parts).values() if isinstance(part, type(msgspec.Struct))]


def test_its_example_is_a_journal() -> None:
    example = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert example
    found = parse(example[1].encode())
    assert rules(found) == []
    assert len(headers(found)) == 1
    assert seqs(found) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("kind", STRUCTS)
def test_it_has_every_event_with_every_field(kind: str) -> None:
    assert f"| `{kind}` |" in PAGE
    for field in msgspec.structs.fields(STRUCTS[kind]):
        assert f"`{field.encode_name}`" in PAGE


def test_it_has_every_field_of_every_part() -> None:
    names = {field.encode_name for part in PARTS for field in msgspec.structs.fields(part)}
    assert len(names) > 20
    for name in names:
        assert f"`{name}`" in PAGE or f'"{name}"' in PAGE
