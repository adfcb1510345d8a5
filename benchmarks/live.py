"""How late what an agent writes is known and seen, and what it costs: `python -m benchmarks.live`.

Milliseconds from before an append in another process until the event is in the history, until it is
drawn in the app (without a terminal), and until a reader that waits with watchfiles' defaults has
it; then microseconds of a recorded splice, a thousand a second, with no viewer and with four of the
whole app, in turns. In one run: only the ratios travel between machines, and any other load shows
in the tails first.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from watchfiles import watch

from spanscope.app.app import SpanscopeApp
from spanscope.app.following import Follower
from spanscope.history.history import History
from spanscope.journal.events import Mark
from spanscope.journal.tail import Tail

EVENTS = 200
SPLICES = 3000
ROUNDS = 3
VIEWERS = 4

WRITE = f"""
import random, sys, time
from spanscope import Recorder
with Recorder.open("writer", sys.argv[1]) as recorder:
    chance = random.Random(1)
    sys.stdin.readline()
    for _ in range({EVENTS}):
        time.sleep(chance.uniform(0.02, 0.08))
        recorder.mark("note", str(time.monotonic_ns()))
"""

SPLICE = f"""
import random, sys, time
from spanscope import ContextBuffer
with ContextBuffer.record("writer", sys.argv[1]) as buffer:
    chance = random.Random(1)
    buffer.ingest("a", "".join(chance.choice("abcdefgh ") for _ in range(4096)))
    sys.stdin.readline()
    taken = []
    for _ in range({SPLICES}):
        time.sleep(0.001)
        at = chance.randrange(4000)
        start = time.perf_counter_ns()
        buffer.splice("a", at, 3, "xyz")
        taken.append((time.perf_counter_ns() - start) / 1000)
    taken.sort()
    print(taken[len(taken) // 2], taken[len(taken) * 99 // 100])
"""

VIEW = """
import sys, threading
from contextlib import closing
from spanscope.app.app import SpanscopeApp
from spanscope.app.following import Follower
from spanscope.app.pace import step_back
from spanscope.journal.tail import Tail
step_back()
with closing(Follower(Tail(sys.argv[1]))) as follower:
    app = SpanscopeApp(follower, sys.argv[1])
    def leave():
        sys.stdin.readline()
        app.call_from_thread(app.exit)
    def begin():
        print("ready", flush=True)
        threading.Thread(target=leave, daemon=True).start()
    app.call_later(begin)
    app.run(headless=True, size=(180, 50))
"""


class Timed(Follower):
    """A follower that notes when it had each event."""

    def __init__(self, path: Path) -> None:
        super().__init__(Tail(path))
        self.known: list[float] = []

    def look(self) -> bool:
        """Take in what has happened."""
        before = len(self.history)
        happened = super().look()
        self.known += late(self.history, before)
        return happened


class TimedApp(SpanscopeApp):
    """An app that notes when it has drawn each event."""

    painted: list[float]
    drawn = 0

    def on_spanscope_app_grew(self, _message: SpanscopeApp.Grew) -> None:
        """Once all is drawn that this message led to."""
        self.call_after_refresh(self._drew)

    def _drew(self) -> None:
        self.painted += late(self.navigator.history, self.drawn)
        self.drawn = len(self.navigator.history)


def late(history: History, since: int) -> list[float]:
    """How many milliseconds ago the marks after so many events were written."""
    now = time.monotonic_ns()
    events = [history.event(seq) for seq in list(history.seqs)[since:]]
    return [(now - int(event.label)) / 1e6 for event in events if isinstance(event, Mark)]


@contextmanager
def process(code: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process at work on a path; a line to its standard input starts or ends it."""
    command = [sys.executable, "-c", code, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as running:
        yield running


def start(running: subprocess.Popen[str]) -> None:
    """Let it begin, or end."""
    assert running.stdin is not None
    running.stdin.write("\n")
    running.stdin.flush()


def answer(running: subprocess.Popen[str]) -> str:
    """The next line that it prints."""
    assert running.stdout is not None
    return running.stdout.readline()


def until_there(path: Path) -> None:
    """Wait until a journal is there."""
    while not path.exists() or not path.stat().st_size:
        time.sleep(0.01)


def in_state(path: Path) -> list[float]:
    """Until each event is in the history of a follower."""
    with process(WRITE, path) as writer:
        until_there(path)
        with closing(Timed(path)) as follower:
            end = threading.Event()
            reading = threading.Thread(target=follower.run, args=(lambda _: None, end.is_set))
            reading.start()
            time.sleep(0.5)
            start(writer)
            writer.wait()
            time.sleep(0.5)
            end.set()
            reading.join()
            return follower.known


def on_screen(path: Path) -> list[float]:
    """Until each event is drawn."""

    async def look(writer: subprocess.Popen[str]) -> list[float]:
        with closing(Follower(Tail(path))) as source:
            app = TimedApp(source, path)
            app.painted = []
            async with app.run_test(size=(180, 50)) as pilot:
                await pilot.pause(0.5)
                start(writer)
                while writer.poll() is None:  # noqa: ASYNC110 a process tells no event loop
                    await asyncio.sleep(0.1)
                await pilot.pause(0.5)
            return app.painted

    with process(WRITE, path) as writer:
        until_there(path)
        return asyncio.run(look(writer))


def with_defaults(path: Path) -> list[float]:
    """Until a reader has each event that watchfiles wakes as it does by default."""
    with process(WRITE, path) as writer:
        until_there(path)
        history, end = History(), threading.Event()
        found: list[float] = []
        with path.open("rb") as stream:

            def read() -> None:
                before = len(history)
                history.feed(stream.read())
                found.extend(late(history, before))

            def end_after_it() -> None:
                writer.wait()
                time.sleep(0.5)
                end.set()

            read()
            threading.Thread(target=end_after_it).start()
            threading.Timer(0.5, start, (writer,)).start()
            for _ in watch(path.parent, watch_filter=None, stop_event=end):
                read()
        return found


def splicing(path: Path, viewers: int) -> tuple[float, float]:
    """(median, 99th percentile) of a recorded splice with so many viewers."""
    with ExitStack() as stack:
        writer = stack.enter_context(process(SPLICE, path))
        until_there(path)
        watching = [stack.enter_context(process(VIEW, path)) for _ in range(viewers)]
        for viewer in watching:
            answer(viewer)
        time.sleep(1.0)
        start(writer)
        median, tail = answer(writer).split()
        for viewer in watching:
            start(viewer)
        return float(median), float(tail)


def watched(folder: Path) -> None:
    """Print what viewers cost a writer: the middle of some rounds, in turns with none."""
    found: dict[int, list[tuple[float, float]]] = {0: [], VIEWERS: []}
    for number in range(ROUNDS):
        for viewers, rounds in found.items():
            rounds.append(splicing(folder / f"{number}-{viewers}.jsonl", viewers))
    tails = []
    for viewers, rounds in found.items():
        median, tail = (statistics.median(side) for side in zip(*rounds, strict=True))
        tails.append(tail)
        print(f"a splice, {viewers} viewers {median:9.1f} µs  p99 {tail:7.1f} µs")
    print(f"p99 with {VIEWERS} viewers {tails[1] / tails[0]:.2f} of none, aimed at 1.10")


def main() -> None:
    """Measure and print."""
    measures: dict[str, Callable[[Path], list[float]]] = {
        "in the history": in_state,
        "on the screen": on_screen,
        "watchfiles' defaults": with_defaults,
    }
    medians, tails = {}, {}
    with tempfile.TemporaryDirectory() as name:
        for number, (title, measure) in enumerate(measures.items()):
            folder = Path(name) / str(number)
            folder.mkdir()
            found = sorted(measure(folder / "live.jsonl"))
            tails[title] = found[len(found) * 99 // 100]
            medians[title] = statistics.median(found)
            line = f"{title:20} {medians[title]:7.2f} ms  p99 {tails[title]:7.2f} ms"
            print(f"{line}  {len(found)} events")
        times = [side["watchfiles' defaults"] / side["in the history"] for side in (medians, tails)]
        print(f"in the history {times[0]:.0f} times sooner than by default at the median")
        print(f"and {times[1]:.1f} times at p99, aimed at 20")
        print(f"on the screen within {tails['on the screen']:.1f} ms, aimed at 50")
        watched(Path(name))


if __name__ == "__main__":
    main()
