"""Evidence in short lines."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from spanscope.cli.evidence import MOST_CHARS, MOST_ITEMS, evidence_lines, in_words


class Region(NamedTuple):
    span: str
    range: tuple[int, int]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "none"),
        (True, "yes"),
        (False, "no"),
        (7, "7"),
        ("docs/3", "docs/3"),
        ("two words", '"two words"'),
        ("", '""'),
        ([], "none"),
        ({}, "none"),
        (["length-delta", "version-advanced"], "length-delta, version-advanced"),
        ([3, 5], "3, 5"),
        ({"span": "task", "range": [3, 5]}, "span task  range 3..5"),
        ({"span": "task", "actor": None, "regions": [[3, 5]]}, "span task  regions 3..5"),
        ({"actor": None}, "none"),
        ("sha256:" + "0123456789abcdef" * 4, "sha256:0123456789ab.."),
    ],
)
def test_values_in_words(value: Any, words: str) -> None:
    assert in_words(value) == words


def test_a_range_is_written_as_one() -> None:
    assert list(evidence_lines({"damaged_range": [3, 9]})) == [("damaged range", "3..9")]
    assert list(evidence_lines({"ranges": [[3, 9], [12, 14]]})) == [("ranges", "3..9, 12..14")]
    assert list(evidence_lines({"entries": [3, 9]})) == [("entries", "3, 9")]


def test_the_number_of_an_edit_is_no_count() -> None:
    assert list(evidence_lines({"edits": [0]})) == [("edits", "1st")]
    assert list(evidence_lines({"edits": [1, 2, 11, 20]})) == [("edits", "2nd, 3rd, 12th, 21st")]


def test_an_item_a_line_up_to_a_limit() -> None:
    places = [{"at": at, "true": at == 0} for at in range(MOST_ITEMS + 2)]
    lines = list(evidence_lines({"places": places}))
    assert lines[0] == ("places", "at 0  true yes")
    assert lines[-1] == ("places", "and 2 more")
    assert len(lines) == MOST_ITEMS + 1


def test_a_long_list_and_a_long_text_are_cut() -> None:
    assert in_words(list(range(MOST_ITEMS + 1))).endswith(", and 1 more")
    assert len(in_words("x" * 1000)) == MOST_CHARS


def test_what_is_no_plain_value_is_made_one() -> None:
    [line] = evidence_lines({"regions": [{"where": Region("a", (1, 2))}]})
    assert line == ("regions", "where a, 1, 2")
