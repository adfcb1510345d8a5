"""`spanscope schema`."""

from __future__ import annotations

import json

from support.commands import Run

from spanscope.journal.schema import journal_schema


def test_the_schema_is_printed_for_reading(run: Run) -> None:
    code, out, _ = run("schema")
    assert code == 0
    assert out.isascii()
    assert out.startswith('{\n  "$schema"')
    assert json.loads(out) == journal_schema()
