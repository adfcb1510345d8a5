"""The command lines that are read without argparse mean what they mean to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.cli.errors import CommandError
from spanscope.cli.parser import parse
from spanscope.cli.quick import opening

HERE = str(Path(__file__))
WORDS = [
    "open",
    "check",
    "--follow",
    "--at",
    "--at=3",
    "3",
    "-1",
    "x",
    "-",
    "--",
    "",
    HERE,
    "--help",
]


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_what_is_read_without_argparse_is_what_argparse_reads(arguments: list[str]) -> None:
    options = opening(arguments)
    if options is not None:
        parsed = parse(arguments)
        assert not isinstance(parsed, int)
        # `main` has taken `--ascii` out before.
        assert vars(options) | {"ascii": False} == vars(parsed)


@pytest.mark.parametrize(
    "arguments",
    [["open", "x"], [HERE], ["open", "--at", "0", HERE, "--follow"], [HERE, "--follow"]],
)
def test_plain_openings_are_read_without_argparse(arguments: list[str]) -> None:
    assert opening(arguments) is not None


@pytest.mark.parametrize(
    "arguments",
    [[], ["check", HERE], ["open"], ["open", "--at", "x", HERE], ["open", "--at", "-1", HERE]],
)
def test_all_else_is_left_to_argparse(arguments: list[str]) -> None:
    assert opening(arguments) is None


def test_a_wrong_place_is_refused_by_argparse() -> None:
    with pytest.raises(CommandError):
        parse(["open", "--at", "-1", HERE])
