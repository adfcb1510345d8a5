"""The app on a journal in a terminal of a given size, its screen as text, and hostile journals."""

from __future__ import annotations

import json
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from spanscope.app.app import SpanscopeApp
from spanscope.app.settings import Settings
from spanscope.history.history import History, load

SIZES = ((180, 50), (120, 40), (80, 24), (60, 20))

HOSTILE = (
    "\x1b[31m",
    "\x1b]52;c;cm0gLXJmIC8=\x07",
    "\x1b]0;title\x07",
    "\x9b2J",
    "\x00\x08\x7f",
    "\u202eevil\u2066",
    "\ud800",
    "[/",
    "[/x]",
    "[@click=app.quit]click[/]",
    "[bold red]x[/bold red]",
    "a\tb\r\nc",
    "e\u0301\u200b\u200d",
    "\ufeff\U000e0041",
)
"""What a model or the web may have written into any field."""


def screen_lines(app: SpanscopeApp) -> list[str]:
    """The screen as it is drawn, line by line."""
    strips = app.screen._compositor.render_strips(app.size)
    return [strip.text.rstrip() for strip in strips]


def screen_text(app: SpanscopeApp) -> str:
    """The screen as it is drawn."""
    return "\n".join(screen_lines(app)) + "\n"


def pane_text(app: SpanscopeApp, pane: str) -> str:
    """What stands in one pane, without its frame."""
    widget = app.board.panes[pane]
    region = widget.region
    lines = app.screen._compositor.render_strips(app.size)[region.y : region.bottom]
    return "\n".join(line.crop(region.x, region.right).text.strip("│╭╮╰╯─ ") for line in lines)


@asynccontextmanager
async def opened(
    source: Path | History, size: tuple[int, int] = (180, 50), *, at: int | None = None
) -> AsyncIterator[tuple[SpanscopeApp, Pilot[int]]]:
    """The app on a recording, drawn once."""
    history = load(source) if isinstance(source, Path) else source
    app = SpanscopeApp(history, source if isinstance(source, Path) else "journal.jsonl", at=at)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


async def at_sizes(
    source: Path, sizes: Sequence[tuple[int, int]] = SIZES
) -> AsyncIterator[tuple[SpanscopeApp, str]]:
    """The app on a recording at these sizes, and the size as a word.

    It is opened at the first one and resized to the others; where panes are tabs it is opened anew.
    """
    history = load(source)
    for first, *others in filter(None, (sizes_of(sizes, tabs=False), sizes_of(sizes, tabs=True))):
        async with opened(history, first) as (app, pilot):
            yield app, "x".join(map(str, first))
            for size in others:
                await pilot.resize_terminal(*size)
                await pilot.pause()
                yield app, "x".join(map(str, size))


def sizes_of(sizes: Sequence[tuple[int, int]], *, tabs: bool) -> list[tuple[int, int]]:
    """Those at which panes are tabs, or the others."""
    return [size for size in sizes if (size[0] < 80) == tabs]


@asynccontextmanager
async def opened_with(
    history: History, settings: Settings, *, at: int | None = None
) -> AsyncIterator[tuple[SpanscopeApp, Pilot[int]]]:
    """The app on a recording, as a user has settled it."""
    app = SpanscopeApp(history, "journal.jsonl", at=at, settings=settings)
    async with app.run_test(size=SIZES[0]) as pilot:
        await pilot.pause()
        yield app, pilot


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys and wait until they have had their effect."""
    await pilot.press(*keys)
    await pilot.pause()


async def until(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    """Wait until something holds; a machine that is loaded gets its time."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if condition():
            return
        await pilot.pause(0.02)
    raise AssertionError("it never came to hold")


def assert_golden(path: Path, text: str) -> None:
    """The text is that of a committed file; SPANSCOPE_WRITE_GOLDEN=1 writes the file instead."""
    if os.environ.get("SPANSCOPE_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def assert_inert(text: str) -> None:
    """Nothing in the text can act on a terminal or hide in it."""
    for character in text:
        code = ord(character)
        assert character == "\n" or 0x20 <= code < 0x7F or code >= 0xA1, hex(code)
        assert not 0x202A <= code <= 0x202E, hex(code)
        assert not 0x2066 <= code <= 0x2069, hex(code)
        assert not 0x200B <= code <= 0x200F, hex(code)
        assert not 0xD800 <= code < 0xE000, hex(code)
        assert code not in {0x61C, 0xFEFF}, hex(code)
        assert code < 0xE0000, hex(code)


def write_journal(path: Path, events: list[dict[str, Any]], session: str = "made") -> Path:
    """A journal of these events, numbered and timed, with any characters in it."""
    lines: list[dict[str, Any]] = [
        {"type": "session", "format": "spanscope.journal/1", "session": session}
    ]
    for seq, event in enumerate(events, 1):
        time = f"2026-11-11T09:{seq // 60:02}:{seq % 60:02}Z"
        lines.append({"seq": seq, "time": time, **event})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def hostile_events(text: str) -> list[dict[str, Any]]:
    """One text in every field that holds text, in events of every kind that panes show."""
    span, actor = f"s{text}", f"a{text}"

    def event(type: str, /, **fields: Any) -> dict[str, Any]:
        return {"type": type, "actor": actor, **fields}

    return [
        event("ingest", span=span, content=f"one {text}\ntwo", role=text, origin=text),
        event("mark", kind="turn", label=text),
        event("derive", artifact=f"c{text}", span=span, kind=text, range=[0, 3], holder=text),
        event(
            "stage",
            diff=f"d{text}",
            base={"revision": 1},
            reads=[{"span": span}],
            refs=[{"kind": "quote", "span": span, "text": f"one {text}"}],
            edits=[{"type": "splice", "span": span, "at": 0, "delete": 1, "insert": text}],
        ),
        event("rewrite", span=span, op=f"op{text}", content=f"{text} other\n{text}"),
        event("use", artifact=f"c{text}", got=text),
        event("apply", diff=f"d{text}"),
        event("splice", span=span, at=0, delete=0, insert=text),
        event("rewrite", span=span, op="copy", into=f"t{text}", content=text),
        event("checkpoint", checkpoint=f"k{text}"),
        event("render", call=text, items=[{"span": f"t{text}", "shown": text}]),
        event("reject", diff=f"d{text}", reason=text, rule=text),
        event("gap", reason=text),
        event("prune", span=f"t{text}"),
        event(f"unknown{text}", anything=text),
        event("evict", of=[8], reason=text),
        event("rollback", to=f"k{text}"),
    ]
