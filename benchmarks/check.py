"""`spanscope check` against `json.loads` over the same lines: CPU time and peak memory.

    python -m benchmarks.check [--events 1000000] [--line 250 1200]

Journals of every kind of event over 10,000 spans of 2 to 4 KB; all rules, all hashes.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.journals import write_journal
from benchmarks.measuring import best_of, floor_of, spanscope


def main() -> None:
    """Print a line a size of line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--line", type=int, nargs="+", default=[250, 1200])
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--path", type=Path, nargs="+", help="journals of so many events, made")
    options = parser.parse_args()
    print("| bytes a line | events | file | json.loads | check | ratio | peak memory |")
    print("|---|---|---|---|---|---|---|")
    for path in options.path or ():
        print(_row(path, options.events, options.times))
    if options.path:
        return
    with tempfile.TemporaryDirectory() as folder:
        for line in options.line:
            path = Path(folder) / f"{line}.jsonl"
            write_journal(path, options.events, line)
            print(_row(path, options.events, options.times))
            path.unlink()


def _row(path: Path, events: int, times: int) -> str:
    size = path.stat().st_size
    floor = floor_of(str(path), times)
    check = best_of(times, spanscope("check", str(path), "--output-format", "json"))
    return (
        f"| {size // events} | {events:,} | {size / 1e6:,.0f} MB | {floor.cpu:.2f} s "
        f"| {check.cpu:.2f} s | {check.cpu / floor.cpu:.1f} | {check.memory / 1e6:,.0f} MB |"
    )


if __name__ == "__main__":
    main()
