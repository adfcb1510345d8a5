"""With NO_COLOR: the same text as in colour, no colour at all, and attributes as in the goldens.

A golden has the screen and below it, cell for cell, how it is drawn: `b` bold, `d` dim,
`u` underlined, `r` reversed, capital where it is bold too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.style import Style
from support.screens import SIZES, assert_golden, opened, press, screen_text

from spanscope.app.app import SpanscopeApp
from spanscope.sample_sessions import NAMES, sample

GOLDEN = Path(__file__).parent / "golden"

OPENED = [
    *(("stale-base", size, "", ()) for size in SIZES),
    *((name, (80, 24), "", ()) for name in NAMES if name != "stale-base"),
    ("dropped-inverse", (80, 24), "what-if", ("r",)),
    ("stale-base", (80, 24), "diff", ("d",)),
    ("stale-base", (80, 24), "search", ("alt+6", "slash", *"parallel", "enter")),
    ("stale-base", (80, 24), "findings", ("i", "enter")),
    ("stale-base", (80, 24), "pinned", ("p", "6", "h")),
    ("stale-base", (80, 24), "map", ("v",)),
]


@pytest.fixture(autouse=True)
def no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.parametrize(
    ("name", "size", "what", "keys"),
    OPENED,
    ids=[f"{name}-{size[0]}x{size[1]}-{what}" for name, size, what, _ in OPENED],
)
async def test_without_colour(
    name: str, size: tuple[int, int], what: str, keys: tuple[str, ...]
) -> None:
    async with opened(sample(name).path, size) as (app, pilot):
        await press(pilot, *keys)
        text = screen_text(app)
        stem = "-".join(part for part in (name, what, f"{size[0]}x{size[1]}") if part)
        assert_golden(GOLDEN / f"mono-{stem}.txt", f"{text}{attributes(app)}")
        in_colour = GOLDEN / f"{stem}.txt"
        if not what:
            assert text == in_colour.read_text(encoding="utf-8")


def attributes(app: SpanscopeApp) -> str:
    """How each cell of the screen is drawn. No cell has a colour."""
    lines = []
    for strip in app.screen._compositor.render_strips(app.size):
        line = ""
        for segment in strip:
            style = segment.style or Style()
            assert style.color is None or style.color.is_default, segment
            assert style.bgcolor is None or style.bgcolor.is_default, segment
            line += letter(style) * segment.cell_length
        lines.append(line.rstrip())
    return "\n".join(lines) + "\n"


def letter(style: Style) -> str:
    """The attributes of a cell as one letter."""
    if style.reverse or style.underline:
        sign = "r" if style.reverse else "u"
        return sign.upper() if style.bold else sign
    return "b" if style.bold else "d" if style.dim else " "
