"""An agent that is looked at while it runs: how soon an event is there, and what looking costs it.

    python -m benchmarks.live [--events 400] [--viewers 4]

The writer is a process of its own that records at a steady pace and notes how long each call took
and when it was over. `state`: the event is in the history of a follower. `screen`: a frame with it
has been drawn by an app. Times are wall time: they want a machine with nothing else to do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.measuring import spanscope
from benchmarks.terminals import Terminal, terminal
from spanscope.app.app import SpanscopeApp
from spanscope.app.following import Follower
from spanscope.journal.tail import Tail

WRITER = """
import json, sys, time
from spanscope.buffer.recorder import Recorder

path, events, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
taken, over = [], []
with Recorder.open("writer", path=path) as recorder:
    recorder.ingest("task", "Fix it.")
    sys.stdin.readline()
    for number in range(events):
        time.sleep(pause)
        start = time.perf_counter()
        recorder.mark("note", f"event {number} " + "of some words " * 8)
        taken.append(time.perf_counter() - start)
        over.append(time.monotonic())
    print(json.dumps([taken, over]), flush=True)
    sys.stdin.readline()
"""

PAUSE = 0.01
"""Seconds between two events: a busy agent."""

STEADY = 2.0
"""Seconds that viewers get to open."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=400)
    parser.add_argument("--viewers", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _print_delays(Path(folder), options.events)
        _print_writer(Path(folder), options.events, options.viewers)


def _print_delays(folder: Path, events: int) -> None:
    print("| from the end of a write to | median | p99 | most |")
    print("|---|---|---|---|")
    with _writer(folder / "state.jsonl", events) as writer:
        _print_row("state", _state_delays(folder / "state.jsonl", writer, events))
    with _writer(folder / "screen.jsonl", events) as writer:
        _print_row("screen", asyncio.run(_screen_delays(folder / "screen.jsonl", writer, events)))


def _print_row(name: str, delays: Sequence[float]) -> None:
    median, p99, most = _figures(delays)
    print(f"| {name} | {1e3 * median:.1f} ms | {1e3 * p99:.1f} ms | {1e3 * most:.1f} ms |")


def _figures(times: Sequence[float]) -> tuple[float, float, float]:
    ordered = sorted(times)
    return statistics.median(ordered), ordered[len(ordered) * 99 // 100], ordered[-1]


@contextmanager
def _writer(path: Path, events: int) -> Iterator[subprocess.Popen[str]]:
    """A process that records once a line comes, and ends when its input does."""
    command = [sys.executable, "-c", WRITER, str(path), str(events), str(PAUSE)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        while not path.exists() or b'"task"' not in path.read_bytes():
            time.sleep(0.01)
        yield process
    finally:
        process.communicate()


def _begin(writer: subprocess.Popen[str]) -> None:
    assert writer.stdin is not None
    writer.stdin.write("\n")
    writer.stdin.flush()


def _noted(writer: subprocess.Popen[str]) -> tuple[list[float], list[float]]:
    """How long each call took, and when it was over."""
    assert writer.stdout is not None
    taken, over = json.loads(writer.stdout.readline())
    return taken, over


def _state_delays(path: Path, writer: subprocess.Popen[str], events: int) -> list[float]:
    follower = Follower(Tail(path))
    seen: list[float] = []
    ended = threading.Event()

    def look() -> bool:
        found = Follower.look(follower)
        seen.extend([time.monotonic()] * (len(follower.history) - 1 - len(seen)))
        return found

    follower.look = look  # type: ignore[method-assign]
    reading = threading.Thread(target=follower.run, args=(lambda _: None, ended.is_set))
    reading.start()
    time.sleep(STEADY / 4)
    _begin(writer)
    _, over = _noted(writer)
    while len(seen) < events:
        time.sleep(0.01)
    ended.set()
    reading.join()
    follower.close()
    return _delays(over, seen)


async def _screen_delays(path: Path, writer: subprocess.Popen[str], events: int) -> list[float]:
    follower = Follower(Tail(path))
    app = SpanscopeApp(follower, path)
    seen: list[float] = []
    redraw = app.redraw

    def note() -> None:
        redraw()
        shown = app.navigator.scene().position
        app.call_after_refresh(lambda: seen.extend([time.monotonic()] * max(0, shown - len(seen))))

    app.redraw = note  # type: ignore[method-assign]
    async with app.run_test(size=(180, 50)) as pilot:
        await pilot.pause(STEADY / 4)
        _begin(writer)
        _, over = await asyncio.to_thread(_noted, writer)
        while len(seen) < events:
            await pilot.pause(0.01)
        app.exit(0)
    follower.close()
    return _delays(over, seen)


def _delays(over: Sequence[float], seen: Sequence[float]) -> list[float]:
    return [max(0.0, at - end) for end, at in zip(over, seen, strict=False)]


def _print_writer(folder: Path, events: int, viewers: int) -> None:
    print()
    print("| viewers of a writer | its call, median | p99 |")
    print("|---|---|---|")
    for count in (0, viewers, 0, viewers):
        path = folder / f"writer-{time.monotonic_ns()}.jsonl"
        with _writer(path, events) as writer, ExitStack() as stack:
            opened = [
                stack.enter_context(terminal(spanscope("open", str(path), "--follow")))
                for _ in range(count)
            ]
            ended = threading.Event()
            draining = [threading.Thread(target=_drain, args=(each, ended)) for each in opened]
            for each in draining:
                each.start()
            time.sleep(STEADY if count else 0)
            _begin(writer)
            taken, _ = _noted(writer)
            ended.set()
            for each in draining:
                each.join()
        median, p99, _ = _figures(taken)
        print(f"| {count} | {1e6 * median:.0f} us | {1e6 * p99:.0f} us |")


def _drain(opened: Terminal, ended: threading.Event) -> None:
    """Read what is drawn, as a terminal does."""
    while not ended.is_set() and opened.read(0.1):
        opened.drawn = b""


if __name__ == "__main__":
    main()
