"""With NO_COLOR: the same text as in colour, no colour at all, and attributes as in the goldens.

Only the frame of the focused pane differs: it is heavy.

A golden has how the screen is drawn, cell for cell: `b` bold, `d` dim, `u` underlined, `r`
reversed, capital where it is bold too. Above it stands the screen, where it is not that of a golden
in colour.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.style import Style
from support.screens import assert_golden, at_sizes, opened, press, screen_text

from spanscope.app.app import SpanscopeApp
from spanscope.sample_sessions import NAMES, sample
from spanscope.widgets.look import HEAVY

GOLDEN = Path(__file__).parent / "golden"

LIGHT = {heavy: light for light, heavy in HEAVY.items()}

PRESSED = [
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


@pytest.mark.parametrize("name", NAMES)
async def test_sessions_without_colour(name: str) -> None:
    async for app, size in at_sizes(sample(name).path):
        in_colour = GOLDEN / f"{name}-{size}.txt"
        if in_colour.exists():
            text = screen_text(app)
            assert text != in_colour.read_text(encoding="utf-8")
            assert text.translate(LIGHT) == in_colour.read_text(encoding="utf-8")
        assert_golden(GOLDEN / f"mono-{name}-{size}.txt", attributes(app))


@pytest.mark.parametrize(
    ("name", "size", "what", "keys"),
    PRESSED,
    ids=[f"{name}-{size[0]}x{size[1]}-{what}" for name, size, what, _ in PRESSED],
)
async def test_what_keys_open_without_colour(
    name: str, size: tuple[int, int], what: str, keys: tuple[str, ...]
) -> None:
    async with opened(sample(name).path, size) as (app, pilot):
        await press(pilot, *keys)
        golden = GOLDEN / f"mono-{name}-{what}-{size[0]}x{size[1]}.txt"
        assert_golden(golden, f"{screen_text(app)}{attributes(app)}")


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
