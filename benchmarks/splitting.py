"""What a second core takes over of `check`: of one journal, where it would, and of several.

    python -m benchmarks.splitting [--events 50000] [--line 1200]

An event has to be decoded where it is judged; what is left of reading is splitting lines, checksums
and looking whether they are UTF-8. The thread decodes too: it hands over events, a piece at a time.
Two processes that share out the rules would each have to replay, and be as quick as the slower one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import Queue
from threading import Thread
from unittest.mock import patch

from benchmarks.journals import write_journal
from benchmarks.measuring import cost_of, spanscope
from spanscope.history.audit import Audit
from spanscope.history.collecting import collection_paused
from spanscope.journal.reader import JournalParser, Parsed, Record, read_journal
from spanscope.model.keeping import MOST_NEWEST, Recent
from spanscope.model.replay import replay
from spanscope.model.state import BufferState
from spanscope.rules import judge

PIECE = 1 << 17

ROUNDS = 3

JOURNALS = 4

UNDO = ("judge_inverses", "judge_reach", "judge_rollback")
OTHERS = tuple(
    name for name in vars(judge) if name.startswith(("judge_", "rejudge_")) and name not in UNDO
)
"""The judgements of events, in two shares that know nothing of each other."""


def main() -> None:
    """Print a line a way to do it: the least of some rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=50_000)
    parser.add_argument("--line", type=int, default=1200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "0.jsonl"
        write_journal(path, options.events, options.line)
        print("| one journal | CPU | wall |")
        print("|---|---|---|")
        _print_least(_ways_for_one(path))
        for number in range(1, JOURNALS):
            shutil.copyfile(path, path.with_name(f"{number}.jsonl"))
        print(f"\n| {JOURNALS} such journals | CPU | wall |")
        print("|---|---|---|")
        _print_least({cores: partial(_check, folder, cores) for cores in ("one core", "two cores")})


def _ways_for_one(path: Path) -> dict[str, Callable[[], None]]:
    return {
        "judged by one thread": lambda: _judge(read_journal(path, chunk=PIECE)),
        "judged, read ahead by another": lambda: _judge(_ahead(path)),
        "the rules of the undo stack alone": lambda: _judge_without(OTHERS, path),
        "all other rules alone": lambda: _judge_without(UNDO, path),
        "replayed, nothing judged": lambda: _replay(read_journal(path, chunk=PIECE)),
        "read and decoded alone": lambda: _exhaust(read_journal(path, chunk=PIECE)),
        "lines, checksums and UTF-8 alone": lambda: _check_lines(path),
    }


def _print_least(ways: Mapping[str, Callable[[], None]]) -> None:
    taken: dict[str, list[tuple[float, float]]] = {what: [] for what in ways}
    for _ in range(ROUNDS):
        for what, do in ways.items():
            taken[what].append(_cost(do))
    for what, costs in taken.items():
        cpu, wall = map(min, zip(*costs, strict=True))
        print(f"| {what} | {cpu:.2f} s | {wall:.2f} s |")


def _cost(do: Callable[[], None]) -> tuple[float, float]:
    """CPU seconds, with those of processes that were waited for, and seconds passed."""
    before, start = os.times(), time.perf_counter()
    do()
    after = os.times()
    return sum(after[:4]) - sum(before[:4]), time.perf_counter() - start


def _check(folder: str, cores: str) -> None:
    """The command on a folder of journals."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(allowed)[: 1 if cores == "one core" else 2]))
    try:
        cost_of(spanscope("check", folder, "--output-format", "json"))
    finally:
        os.sched_setaffinity(0, allowed)


def _judge(items: Iterable[Parsed]) -> None:
    audit = Audit()
    with collection_paused():
        for item in items:
            audit.take(item)
        audit.finish()


def _judge_without(others: Sequence[str], path: Path) -> None:
    """What one of two processes would have to do that share out the rules.

    What tells at a look that most splices are sound needs both.
    """
    with ExitStack() as stack:
        for name in others:
            stack.enter_context(patch.object(judge, name, lambda *_: None))
        stack.enter_context(patch.object(judge, "judge_quietly", lambda *_: False))
        _judge(read_journal(path, chunk=PIECE))


def _replay(items: Iterable[Parsed]) -> None:
    """What each of two processes that share out the rules would have to do."""
    state = BufferState()
    state.recent = Recent(MOST_NEWEST)
    with collection_paused():
        for item in items:
            if isinstance(item, Record):
                replay(state, item.event)


def _exhaust(items: Iterable[Parsed]) -> None:
    for _ in items:
        pass


def _check_lines(path: Path) -> None:
    with path.open("rb", buffering=PIECE) as lines:
        for line in lines:
            zlib.crc32(line[:-18])
            line.decode()


def _ahead(path: Path) -> Iterator[Parsed]:
    """What a journal says, read and decoded by a thread of its own."""
    pieces: Queue[list[Parsed] | None] = Queue(maxsize=8)

    def read() -> None:
        parser = JournalParser()
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                pieces.put(parser.feed(piece))
        pieces.put(parser.finish())
        pieces.put(None)

    Thread(target=read, daemon=True).start()
    while (found := pieces.get()) is not None:
        yield from found


if __name__ == "__main__":
    main()
