"""Whatever a file holds, an import ends, and what it writes is a journal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.importing import import_bytes, lines
from support.mutating import mutate
from support.sessions import RICH

from spanscope.importers.lines import LineImporter
from spanscope.importers.registry import LINE_FORMATS, recognise

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
