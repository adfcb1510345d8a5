"""What a message says, as text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.importers.blocks import call_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.booleans(), st.sampled_from((None, 0, 2)), st.sampled_from("\n \t"))
def test_a_call_reads_the_same_however_its_arguments_are_spelled(
    value: Any, escaped: bool, indent: int | None, blank: str
) -> None:
    spelled = blank + json.dumps(value, ensure_ascii=escaped, indent=indent) + blank
    if isinstance(value, dict | list):
        assert call_text("ls", spelled) == call_text("ls", value)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ('{"a":1,"b":"x, y"}', '{"a": 1, "b": "x, y"}'),
        ('{"a":"\\u00e9\\/"}', '{"a": "é/"}'),
        ('{"n":1.50}', '{"n": 1.50}'),
        ("*** Begin Patch", "*** Begin Patch"),
        ('{"a":', '{"a":'),
        ('{"a":"\\u00', '{"a":"\\u00'),
        ('"a text"', "a text"),
        ("", ""),
        ("{\ud800", "{\ud800"),
    ],
)
def test_arguments_in_a_string(given: str, shown: str) -> None:
    assert call_text(None, given) == f"tool {shown}"
