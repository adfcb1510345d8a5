"""What is in view at any step: how long the data for it takes, and what a history costs in memory.

python -m benchmarks.rows [--events 100000]
"""

from __future__ import annotations

import argparse
import gc
import random
import tempfile
import time
from itertools import islice
from pathlib import Path

from benchmarks.journals import write_journal
from benchmarks.measuring import held_memory
from spanscope.history.history import History, load

IN_VIEW = 50
STEPS = 2000


def rows_at(history: History, seq: int, chance: random.Random) -> None:
    """Fifty spans with their holders, fifty undo entries, fifty events and what is staged."""
    moment = history.at(seq)
    names = history.span_names()
    start = chance.randrange(max(1, len(names) - IN_VIEW))
    for name in names[start : start + IN_VIEW]:
        moment.span_row(name)
        moment.artifacts_under(name)
    list(islice(moment.undo(0, IN_VIEW), IN_VIEW))
    moment.staging()
    position = history.position(seq)
    for place in range(max(0, position - IN_VIEW), position):
        history.event_row(place)


def main() -> None:
    """Print the table."""
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
        chance, taken = random.Random(7), []
        for _ in range(STEPS):
            seq = chance.randint(1, history.last)
            start = time.process_time()
            rows_at(history, seq, chance)
            taken.append(time.process_time() - start)
        taken.sort()
        live = sum(len(span.node.text.encode()) for span in history.state.spans.values())
        print("| events | rows in view, median | p99 | memory an event | live contents |")
        print("|---|---|---|---|---|")
        print(
            f"| {len(history):,} | {taken[STEPS // 2] * 1e3:.2f} ms | "
            f"{taken[STEPS * 99 // 100] * 1e3:.2f} ms | "
            f"{(after - before - live) / len(history):,.0f} B | {live / 1e6:,.0f} MB |"
        )


if __name__ == "__main__":
    main()
