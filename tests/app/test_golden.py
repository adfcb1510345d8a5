"""The whole screen on the shipped sessions, as a person sees it at the step they open at."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.screens import assert_golden, opened, press, screen_lines, screen_text

from spanscope.sample_sessions import NAMES, sample

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [(180, 50), (80, 24)], ids=["180x50", "80x24"])
async def test_a_session_opens_where_the_trouble_is(name: str, size: tuple[int, int]) -> None:
    async with opened(sample(name).path, size) as (app, _):
        assert_golden(GOLDEN / f"{name}-{size[0]}x{size[1]}.txt", screen_text(app))


@pytest.mark.parametrize("size", [(120, 40), (60, 20)], ids=["120x40", "60x20"])
async def test_other_sizes(size: tuple[int, int]) -> None:
    async with opened(sample("stale-base").path, size) as (app, _):
        assert_golden(GOLDEN / f"stale-base-{size[0]}x{size[1]}.txt", screen_text(app))


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
