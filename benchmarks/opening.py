"""Opening a long journal: when its first screen stands, and what the audit beside it holds up.

    python -m benchmarks.opening [--events 200000]

The first screen is compared with that of an app with nothing in it. While the audit runs, the
interface is asked every few milliseconds for a sign of life: the longest silence is its longest
block.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.heartbeat import Heartbeat
from benchmarks.journals import write_journal
from benchmarks.measuring import peak_memory, spanscope
from benchmarks.terminals import terminal
from spanscope.app.app import SpanscopeApp
from spanscope.app.loading import Loader

EMPTY = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    def compose(self):
        yield Static("nothing in it")

Empty().run()
"""

TIMES = 7
KEYS = ("l", "h", "pagedown", "j", "G", "e")


def main() -> None:
    """Print a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--path", type=Path, help="a journal to open instead of a made one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.path or Path(folder) / "long.jsonl"
        if options.path is None:
            write_journal(path, options.events)
        _print_first_screens(path)
        asyncio.run(_audit(path))


def _print_first_screens(path: Path) -> None:
    empty, ours = [], []
    for _ in range(TIMES):
        empty.append(_first_screen([sys.executable, "-c", EMPTY], b"nothing in it"))
        ours.append(_first_screen(spanscope("open", str(path)), b"AUDITING"))
    least = statistics.median(empty)
    most = statistics.median(ours)
    print("| first screen | an empty app | ratio |")
    print("|---|---|---|")
    print(f"| {most:.2f} s | {least:.2f} s | {most / least:.2f} |")


def _first_screen(command: list[str], text: bytes) -> float:
    start = time.monotonic()
    with terminal(command) as opened:
        return opened.until(text) - start


async def _audit(path: Path) -> None:
    """Open a journal and press keys until it is audited."""
    loader = Loader(path)
    app = SpanscopeApp(loader, path)
    async with app.run_test(size=(180, 50)) as pilot:
        start = time.monotonic()
        async with Heartbeat() as heartbeat:
            pressed = 0
            while not app.navigator.audit.done:
                await pilot.press(KEYS[pressed % len(KEYS)])
                await asyncio.sleep(0.1)
                pressed += 1
        taken = time.monotonic() - start
        app.exit(0)
    print()
    print("| audited in | keys meanwhile | longest block | p99.9 | p99 | peak memory |")
    print("|---|---|---|---|---|---|")
    print(
        f"| {taken:.0f} s | {pressed} | {1000 * heartbeat.longest:.0f} ms "
        f"| {1000 * heartbeat.quantile(0.999):.0f} ms "
        f"| {1000 * heartbeat.quantile(0.99):.0f} ms | {peak_memory() / 1e6:,.0f} MB |"
    )


if __name__ == "__main__":
    main()
