"""Opening a long journal: when its first screen stands, and what the audit beside it holds up.

    python -m benchmarks.opening [--events 200000]

The first screen is compared with that of an app with nothing in it. While the audit runs, the
interface is asked every few milliseconds for a sign of life: the longest silence, in CPU time, is
its longest block. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from benchmarks.heartbeat import Heartbeat
from benchmarks.journals import write_journal
from benchmarks.measuring import peak_memory, spanscope
from benchmarks.terminals import first_screens
from spanscope.app.app import SpanscopeApp
from spanscope.app.loading import Loader

TIMES = 15
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
    empty, ours = first_screens(TIMES, b"AUDITING", spanscope("open", str(path)))
    print("| | first screen | an empty app | ratio |")
    print("|---|---|---|---|")
    for name, most, least in (("CPU", ours.cpu, empty.cpu), ("wall", ours.wall, empty.wall)):
        print(f"| {name} | {1000 * most:.0f} ms | {1000 * least:.0f} ms | {most / least:.2f} |")


async def _audit(path: Path) -> None:
    """Open a journal and press keys until it is audited."""
    loader = Loader(path)
    app = SpanscopeApp(loader, path)
    async with app.run_test(size=(180, 50)) as pilot:
        start = time.process_time()
        async with Heartbeat() as heartbeat:
            pressed = 0
            while not app.navigator.audit.done:
                await pilot.press(KEYS[pressed % len(KEYS)])
                await asyncio.sleep(0.1)
                pressed += 1
        taken = time.process_time() - start
        app.exit(0)
    print()
    print("| audited in, CPU | keys meanwhile | longest block | p99.9 | p99 | peak memory |")
    print("|---|---|---|---|---|---|")
    print(
        f"| {taken:.0f} s | {pressed} | {1000 * heartbeat.longest:.0f} ms "
        f"| {1000 * heartbeat.quantile(0.999):.0f} ms "
        f"| {1000 * heartbeat.quantile(0.99):.0f} ms | {peak_memory() / 1e6:,.0f} MB |"
    )


if __name__ == "__main__":
    main()
