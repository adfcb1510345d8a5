"""The whole screen on the shipped sessions, as a person sees it at the step they open at."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.screens import (
    SIZES,
    assert_golden,
    at_sizes,
    opened,
    press,
    screen_lines,
    screen_text,
)

from spanscope.sample_sessions import NAMES, sample

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", NAMES)
async def test_a_session_opens_where_the_trouble_is(name: str) -> None:
    async for app, size in at_sizes(sample(name).path, SIZES):
        assert_golden(GOLDEN / f"{name}-{size}.txt", screen_text(app))


@pytest.mark.parametrize("size", SIZES[1:3], ids=["120x40", "80x24"])
async def test_a_session_opened_at_a_size_looks_as_one_resized_to_it(size: tuple[int, int]) -> None:
    golden = GOLDEN / f"stale-base-{size[0]}x{size[1]}.txt"
    async with opened(sample("stale-base").path, size) as (app, _):
        assert screen_text(app) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("keys", "name"),
    [
        (("right_square_bracket",), "content"),
        (("d",), "diff"),
        (("d", "vertical_line"), "diff-unified"),
        (("alt+8",), "holders"),
        (("alt+9",), "context"),
        (("p", "6", "h"), "pinned"),
        (("alt+1", "j", "j", "j", "enter"), "lens"),
        (("z",), "zoomed-events"),
    ],
)
async def test_what_keys_open(keys: tuple[str, ...], name: str) -> None:
    async with opened(sample("stale-base").path) as (app, pilot):
        await press(pilot, *keys)
        assert_golden(GOLDEN / f"stale-base-{name}.txt", screen_text(app))


async def test_help() -> None:
    async with opened(sample("stale-base").path) as (app, pilot):
        await press(pilot, "question_mark")
        panel = [line[-60:] for line in screen_lines(app)]
        assert_golden(GOLDEN / "help.txt", "\n".join(panel) + "\n")


async def test_a_unified_diff_where_it_is_narrow() -> None:
    async with opened(sample("stale-base").path, (80, 24)) as (app, pilot):
        await press(pilot, "d")
        assert_golden(GOLDEN / "stale-base-diff-80x24.txt", screen_text(app))
