"""Whatever a file holds, an import ends, and what it writes is a journal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.importing import import_bytes, lines
from support.mutating import mutate
from support.sessions import RICH

from spanscope.importers.lines import LineImporter
from spanscope.importers.registry import LINE_FORMATS, LOOK, recognise, recognise_document
from spanscope.importers.rows import NOTHING, closed
from spanscope.importers.source import find_source

FORMATS = pytest.mark.parametrize(
    ("importer", "rows"), RICH, ids=[importer.name for importer, _ in RICH]
)
FEWER = settings(max_examples=settings().max_examples // 3)


@FORMATS
def test_a_rich_session_is_imported_and_recognised(
    importer: type[LineImporter], rows: list[Any]
) -> None:
    data = lines(rows)
    found = recognise(data, whole=True)
    assert found is not None
    assert found.importer() is importer
    assert found.name == importer.name
    done = import_bytes(importer(), data)
    assert done.summary.rows == len(rows)
    assert not done.summary.unknown_rows
    assert import_bytes(importer(), data, 97).journal == done.journal


@FORMATS
@FEWER
@given(data=st.data())
def test_mutated_rows_end_in_a_journal(
    importer: type[LineImporter], rows: list[Any], data: st.DataObject
) -> None:
    import_bytes(importer(), lines(mutate(data, rows)))


@FORMATS
@FEWER
@given(data=st.data())
def test_cut_and_damaged_bytes_end_in_a_journal(
    importer: type[LineImporter], rows: list[Any], data: st.DataObject
) -> None:
    text = bytearray(lines(rows))
    del text[data.draw(st.integers(0, len(text)), label="cut") :]
    for _ in range(data.draw(st.integers(0, 3), label="damages")):
        if text:
            at = data.draw(st.integers(0, len(text) - 1))
            text[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    import_bytes(importer(), bytes(text), data.draw(st.sampled_from((13, 1000, 1 << 20))))


@pytest.mark.parametrize("importer", [each.importer() for each in LINE_FORMATS])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"\xef\xbb\xbf",
        b"null",
        b"[]",
        b"{}",
        b"[[[[",
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"\xff\xfe\n\x00\n",
        b'{"n": 1e999}\n{"n": ' + b"9" * 5000 + b"}\n",
        json.dumps({"type": "user", "uuid": "\ud800", "sessionId": "\udfff"}).encode(),
    ],
)
def test_what_is_no_session_ends_in_a_journal(importer: type[LineImporter], data: bytes) -> None:
    recognise(data, whole=True)
    assert len(import_bytes(importer(), data).history) >= 1


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


@given(VALUES, st.data())
def test_a_document_that_is_cut_is_closed_to_what_it_began_with(
    value: Any, data: st.DataObject
) -> None:
    text = json.dumps(value).encode()
    end = data.draw(st.integers(0, len(text)), label="cut")
    said = closed(text[:end])
    if said is not NOTHING:
        assert begins(said, value)


def begins(start: Any, whole: Any) -> bool:
    """Whether a value is the beginning of another one."""
    if isinstance(start, list) and isinstance(whole, list):
        return len(start) <= len(whole) and all(map(begins, start, whole))
    if isinstance(start, dict) and isinstance(whole, dict):
        return all(name in whole and begins(start[name], whole[name]) for name in start)
    return type(start) is type(whole) and start == whole


@pytest.mark.parametrize("start", [b"[," * 500_000, b'["' + b"\\" * 999_999, b'{"a":[{' * 100_000])
def test_a_hostile_start_of_a_document_is_soon_looked_through(start: bytes) -> None:
    assert recognise_document(start) is None


@pytest.mark.parametrize(
    ("name", "document"),
    [
        (
            "gemini",
            {"sessionId": "g", "projectHash": "p", "messages": [{"text": "x" * 99}] * 9_999},
        ),
        ("requests", [{"messages": [{"role": "user", "content": "x" * 99}] * 99}] * 120),
        ("otel", {"resourceSpans": [{"scopeSpans": [{"spans": [{"name": "x" * 99}] * 9_999}]}]}),
    ],
)
def test_a_long_document_is_recognised_by_its_start(
    name: str, document: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(document, indent=1))
    assert path.stat().st_size > LOOK
    # No more of it may be read.
    monkeypatch.setattr("spanscope.importers.source.MOST_OF_DOCUMENT", 0)
    found = find_source(path)
    assert found is not None
    assert found.kind.name == name
