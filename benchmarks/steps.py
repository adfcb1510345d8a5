"""What keys of the app cost on a long journal: CPU milliseconds, with all panes.

    python -m benchmarks.steps [--events 100000] [--spans 1000] [--size 180 50]

Search and filter look on beside the screen: for them it is told when the first hit is there, and
how long the interface was held up until all was looked through. At the end the same in a terminal
of its own, with what Textual takes for a key and for the terminal's codes. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import count, cycle
from pathlib import Path

from textual.pilot import Pilot

from benchmarks.heartbeat import Heartbeat
from benchmarks.journals import write_journal
from benchmarks.measuring import peak_memory, spanscope
from benchmarks.terminals import terminal
from spanscope.app.app import SpanscopeApp
from spanscope.history.history import History, load
from spanscope.history.what_if.rolling import MOST_STEPS

FRAME = 0.04
"""Seconds after which a frame has been painted for sure."""

TIMES = 40
FEW = 12

Act = Callable[[], None]


def main() -> None:
    """Print a line a key, then a line for what is looked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--spans", type=int, default=1_000)
    parser.add_argument("--size", type=int, nargs=2, default=(180, 50))
    parser.add_argument("--path", type=Path, help="a journal to open instead of a made one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.path or Path(folder) / "long.jsonl"
        if options.path is None:
            write_journal(path, options.events, spans=options.spans)
        # As when the program starts: the app lets it run again, and puts aside what is there.
        gc.disable()
        history = load(path)
        asyncio.run(_measure(history, path, tuple(options.size)))
        print()
        _print_in_terminal(path, history.seqs[len(history) * 9 // 10])


async def _measure(history: History, path: Path, size: tuple[int, int]) -> None:
    app = SpanscopeApp(history, path, at=history.seqs[len(history) * 9 // 10])
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        print("| key | median | least | 9 of 10 | longest block |")
        print("|---|---|---|---|---|")
        for name, act, times in _keys(app, history):
            costs = await _costs(act, times)
            longest = 1000 * await _longest_block(act, times)
            print(f"{_row(name, costs)} {longest:.0f} ms |")
        print()
        print("| looked for | first hit, CPU | all, CPU | longest block |")
        print("|---|---|---|---|")
        for name, sign, text in LOOKED_FOR:
            await _print_looking(app, pilot, name, sign, text)
        print()
        print(f"{len(history):,} events, {peak_memory() / 1e6:,.0f} MB at the most.")


def _keys(app: SpanscopeApp, history: History) -> list[tuple[str, Act, int]]:
    """What is pressed: a name, what it does, and how often."""

    def key(action: str) -> Act:
        return lambda: app.perform(action)

    places = count(1)

    def jump() -> None:
        app.commands.prompts.entered(":", str(next(places) * 7919 % history.last))
        app.redraw()

    def jump_to_span() -> None:
        names = history.span_names()
        app.commands.prompts.entered(":", names[next(places) * 7919 % len(names)])
        app.redraw()

    def far_down() -> None:
        app.perform("focus_undo")
        app.commands.select_row("undo", next(places) % 40 + MOST_STEPS - 40)
        app.redraw()

    return [
        ("l", key("step_forward"), TIMES),
        ("h", key("step_back"), TIMES),
        ("page down", key("page_down"), TIMES),
        (":N", jump, TIMES),
        (":span", jump_to_span, TIMES),
        ("g, G", _in_turn(key("first"), key("last")), FEW),
        ("ctrl+o", key("back"), FEW),
        ("e", key("next_finding"), FEW),
        ("E", key("previous_finding"), FEW),
        ("t", key("next_turn"), FEW),
        ("s", key("next_touch"), FEW),
        ("b", key("blame"), FEW),
        ("page down in Spans", _in_turn(key("focus_spans"), key("page_down")), FEW),
        ("page down in Undo", _in_turn(key("focus_undo"), key("page_down")), FEW),
        ("next tab", key("next_tab"), FEW),
        ("what-if, and back", _in_turn(key("what_if"), key("close")), FEW),
        ("what-if, 200 deep, and back", _in_turn(far_down, key("what_if"), key("close")), FEW),
        ("map, and back", key("map"), FEW),
        ("lens, and off", key("enter"), FEW),
        ("pin, and off", key("pin"), FEW),
    ]


LOOKED_FOR = (
    ("/ with many hits", "/", "quota"),
    ("/ with no hit", "/", "nowhere to be found"),
    ("filter of one kind", "F", "kind:rollback"),
    ("filter of a text", "F", '"quota retry"'),
)

PRESSED = (("l", b"l"), ("h", b"h"), ("page down", b"\x1b[6~"))


def _print_in_terminal(path: Path, at: int) -> None:
    """What keys cost the whole program in a terminal of its own: reading them, and its output."""
    print("| key | median | least | 9 of 10 |")
    print("|---|---|---|---|")
    with terminal(spanscope("open", str(path), "--at", str(at))) as opened:
        opened.until(b"AUDITING")
        while b"AUDITING" in opened.drawn:
            opened.drawn = b""
            opened.settle(2.0)
        for name, keys in PRESSED:
            costs = []
            for _ in range(TIMES):
                before = opened.cpu
                opened.press(keys)
                opened.settle(3 * FRAME)
                costs.append(1000 * (opened.cpu - before))
            print(_row(name, costs))


def _row(name: str, costs: list[float]) -> str:
    costs.sort()
    return (
        f"| {name} | {statistics.median(costs):.1f} ms | {costs[0]:.1f} ms "
        f"| {costs[len(costs) * 9 // 10]:.1f} ms |"
    )


def _in_turn(*acts: Act) -> Act:
    """One after the other, one a call."""
    turn = cycle(acts)

    def act() -> None:
        next(turn)()

    return act


async def _costs(act: Act, times: int) -> list[float]:
    costs = []
    for _ in range(times):
        await asyncio.sleep(FRAME / 2)
        start = time.process_time()
        act()
        await asyncio.sleep(FRAME)
        costs.append(1000 * (time.process_time() - start))
    return costs


async def _longest_block(act: Act, times: int) -> float:
    """For how many seconds the interface was held up at once; apart, since listening costs too."""
    async with Heartbeat() as heartbeat:
        for _ in range(times):
            await asyncio.sleep(FRAME / 2)
            act()
            await asyncio.sleep(FRAME)
    return heartbeat.longest


async def _print_looking(
    app: SpanscopeApp, pilot: Pilot[int], name: str, sign: str, text: str
) -> None:
    app.perform("first")
    await pilot.pause()
    async with Heartbeat() as heartbeat:
        start = time.process_time()
        app.commands.prompts.entered(sign, text)
        app.redraw()
        first = ""
        while app.commands.looking:
            if not first and _hit(app, sign):
                first = f"{1000 * (time.process_time() - start):.0f} ms"
            await asyncio.sleep(0.005)
        taken = time.process_time() - start
    print(f"| {name} | {first or 'none'} | {taken:.1f} s | {heartbeat.longest * 1000:.0f} ms |")
    app.commands.prompts.entered(sign, "")
    app.redraw()


def _hit(app: SpanscopeApp, sign: str) -> bool:
    if sign == "F":
        return app.navigator.filter is not None and bool(app.navigator.filter.seqs)
    return app.commands.searching.sought is not None and bool(app.commands.searching.sought.found)


if __name__ == "__main__":
    main()
