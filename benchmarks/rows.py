"""What is in view at any step: how long the data for it takes, and what a history costs in memory.

python -m benchmarks.rows [--events 100000]
"""

from __future__ import annotations

import argparse
import gc
import random
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from benchmarks.journals import write_journal
from benchmarks.measuring import held_memory
from spanscope.history.history import History, load
from spanscope.history.moment import Moment

IN_VIEW = 50
STEPS = 2000


def _spans(history: History, moment: Moment, chance: random.Random) -> None:
    names = history.span_names()
    start = chance.randrange(max(1, len(names) - IN_VIEW))
    for name in names[start : start + IN_VIEW]:
        moment.span_row(name)
        moment.artifacts_under(name)


def _undo_entries(_history: History, moment: Moment, _chance: random.Random) -> None:
    list(islice(moment.undo(0, IN_VIEW), IN_VIEW))


def _staged(_history: History, moment: Moment, _chance: random.Random) -> None:
    moment.staging()


def _events(history: History, moment: Moment, _chance: random.Random) -> None:
    position = history.position(moment.seq)
    for place in range(max(0, position - IN_VIEW), position):
        history.event_row(place)


def _every_pane(history: History, moment: Moment, chance: random.Random) -> None:
    for rows in (_spans, _undo_entries, _staged, _events):
        rows(history, moment, chance)


ROWS: dict[str, Callable[[History, Moment, random.Random], None]] = {
    "spans, and all artifacts under them": _spans,
    "undo entries": _undo_entries,
    "what is staged": _staged,
    "events": _events,
    "all of them": _every_pane,
}


def _times(history: History, rows: Callable[[History, Moment, random.Random], None]) -> list[float]:
    """CPU seconds until the data is there, at random steps, ascending."""
    chance, taken = random.Random(7), []
    for _ in range(STEPS):
        seq = chance.randint(1, history.last)
        start = time.process_time()
        rows(history, history.at(seq), chance)
        taken.append(time.process_time() - start)
    return sorted(taken)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--path", type=Path, help="a journal to load instead of a made one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.path or Path(folder) / "journal.jsonl"
        if options.path is None:
            write_journal(path, options.events)
        gc.collect()
        before = held_memory()
        history = load(path)
        after = held_memory()
        live = sum(len(span.node.text.encode()) for span in history.state.spans.values())
        print("| events | live contents | memory, all told | an event |")
        print("|---|---|---|---|")
        print(
            f"| {len(history):,} | {live / 1e6:,.0f} MB | {(after - before) / 1e6:,.0f} MB | "
            f"{(after - before) / len(history):,.0f} B |"
        )
        print(f"\n| {IN_VIEW} rows of | median | p99 |")
        print("|---|---|---|")
        for what, rows in ROWS.items():
            taken = _times(history, rows)
            median, slow = taken[STEPS // 2] * 1e3, taken[STEPS * 99 // 100] * 1e3
            print(f"| {what} | {median:.2f} ms | {slow:.2f} ms |")


if __name__ == "__main__":
    main()
