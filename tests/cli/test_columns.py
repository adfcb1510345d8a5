"""Rows in columns, counted as they are shown."""

from __future__ import annotations

import pytest

from spanscope.cli.columns import columns, shorten, width


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    rows = [("a", "1", "x"), ("long", "1,204", ""), ("b",)]
    assert columns(rows, numbers=(1,)) == ["a         1  x", "long  1,204", "b"]


def test_wide_and_hostile_cells_are_counted_as_shown() -> None:
    first, second = columns([("日本", "x"), ("\x1b[2J", "y")])
    assert first == "日本  x"
    assert second == "␛[2J  y"


def test_no_rows_are_no_lines() -> None:
    assert columns([]) == []


@pytest.mark.parametrize(
    ("text", "cells"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("é", 1), ("", 0)]
)
def test_width(text: str, cells: int) -> None:
    assert width(text) == cells


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("plain", '"plain"'),
        ("0123456789", '"0123456789"'),
        ("0123456789a", '"01234567.."'),
        ("two\nlines", '"two␤lines"'),
        ("日本日本日本", '"日本日本.."'),
        ("", '""'),
    ],
)
def test_contents_are_cut_to_their_room(text: str, short: str) -> None:
    assert shorten(text, 10) == short


def test_a_content_of_any_size_is_cut_at_once() -> None:
    assert len(shorten("\x1b" * 10**6, 10)) <= 12
