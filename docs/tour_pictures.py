"""Draws the pictures of docs/tour.md: `python docs/tour_pictures.py`."""

from __future__ import annotations

import asyncio
from pathlib import Path

from spanscope.app.app import SpanscopeApp
from spanscope.app.exporting import without_links
from spanscope.history.history import load
from spanscope.sample_sessions import sample

FOLDER = Path(__file__).resolve().parent / "pictures"
SIZE = (120, 36)

STOPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("tour-1-trouble", ()),
    ("tour-2-blame", ("b",)),
    ("tour-3-use", ("e", "e")),
    ("tour-4-what-if", ("h", "h", "h", "h", "h", "h", "h", "alt+2", "j", "r")),
)
"""What each picture is called, and the keys that lead to it from the one before."""


async def draw() -> None:
    """Walk through the session and draw each stop."""
    FOLDER.mkdir(exist_ok=True)
    shown = sample("dropped-inverse")
    app = SpanscopeApp(load(shown.path), shown.path, at=shown.look_at)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for name, keys in STOPS:
            await pilot.press(*keys)
            await pilot.pause()
            picture = app.export_screenshot(title="spanscope demo dropped-inverse")
            # Whoever looks at a picture needs no network for it.
            (FOLDER / f"{name}.svg").write_text(without_links(picture), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(draw())
