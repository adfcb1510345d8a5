"""What a second core could take over of `check`, and what a thread that reads ahead gains.

    python -m benchmarks.splitting [--events 50000] [--line 1200]

An event has to be decoded where it is judged; what is left of reading is splitting lines, checksums
and looking whether they are UTF-8. The thread decodes too: it hands over events, a piece at a time.
Two processes that share out the rules would each have to replay, and be as quick as the slower one.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from threading import Thread
from unittest.mock import patch

from benchmarks.journals import write_journal
from spanscope.history.audit import Audit
from spanscope.history.collecting import collection_paused
from spanscope.journal.reader import JournalParser, Parsed, Record, read_journal
from spanscope.model.keeping import MOST_NEWEST, Recent
from spanscope.model.replay import replay
from spanscope.model.state import BufferState
from spanscope.rules import judge

PIECE = 1 << 17

UNDO = ("judge_inverses", "judge_reach", "judge_rollback")
OTHERS = tuple(
    name for name in vars(judge) if name.startswith(("judge_", "rejudge_")) and name not in UNDO
)
"""The judgements of events, in two shares that know nothing of each other."""


def main() -> None:
    """Print a line a way to do it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=50_000)
    parser.add_argument("--line", type=int, default=1200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        write_journal(path, options.events, options.line)
        print("| what | CPU | wall |")
        print("|---|---|---|")
        for _ in range(2):
            _print("judged by one thread", lambda: _judge(read_journal(path, chunk=PIECE)))
            _print("judged, read ahead by another", lambda: _judge(_ahead(path)))
            for share, others in ((UNDO, OTHERS), (OTHERS, UNDO)):
                what = "the rules of the undo stack" if share is UNDO else "all other rules"
                _print(f"{what} alone", lambda others=others: _judge_without(others, path))
            _print("replayed, nothing judged", lambda: _replay(read_journal(path, chunk=PIECE)))
            _print("read and decoded alone", lambda: _exhaust(read_journal(path, chunk=PIECE)))
            _print("lines, checksums and UTF-8 alone", lambda: _check_lines(path))


def _print(what: str, do: object) -> None:
    cpu, wall = time.process_time(), time.perf_counter()
    assert callable(do)
    do()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(f"| {what} | {cpu:.2f} s | {wall:.2f} s |", flush=True)


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
