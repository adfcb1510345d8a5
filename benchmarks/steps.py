"""What a step and a page of the app cost on a long journal: CPU milliseconds, with all panes.

python -m benchmarks.steps [--events 100000] [--spans 1000] [--size 180 50]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.journals import write_journal
from spanscope.app.app import SpanscopeApp
from spanscope.history.history import load

FRAME = 0.04
"""Seconds after which a frame has been painted for sure."""

TIMES = 60


def main() -> None:
    """Print a line a key."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--spans", type=int, default=1_000)
    parser.add_argument("--size", type=int, nargs=2, default=(180, 50))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        write_journal(path, options.events, spans=options.spans)
        asyncio.run(_measure(path, options.events * 9 // 10, tuple(options.size)))


async def _measure(path: Path, at: int, size: tuple[int, int]) -> None:
    history = load(path)
    gc.collect()
    gc.freeze()
    app = SpanscopeApp(history, path, at=at)
    print("| key | median | least | 9 of 10 |")
    print("|---|---|---|---|")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key, action in (("l", "step_forward"), ("h", "step_back"), ("page down", "page_down")):
            costs = []
            for _ in range(TIMES):
                await asyncio.sleep(FRAME / 2)
                start = time.process_time()
                app.perform(action)
                await asyncio.sleep(FRAME)
                costs.append(1000 * (time.process_time() - start))
            costs.sort()
            print(
                f"| {key} | {statistics.median(costs):.1f} ms | {costs[0]:.1f} ms "
                f"| {costs[TIMES * 9 // 10]:.1f} ms |"
            )


if __name__ == "__main__":
    main()
