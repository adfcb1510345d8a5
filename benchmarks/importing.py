"""What importing costs: translation against `json.loads` over the rows, and the first screen.

    python -m benchmarks.importing [--megabytes 200] [--formats claude-code codex]

Long healthy sessions of each format that can be imported. The floor reads the same rows: the
lines of a file, the JSON of an opencode event log, and for LangGraph, whose rows are msgpack, the
same values as JSON. The first screen is measured against an empty app of Textual's: the CPU time
from the start of the process to what it paints in a terminal of its own, for a session as it is and
for one that is followed. Linux only.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.measuring import best_of, floor_of, spanscope
from benchmarks.terminals import Start, first_screens
from benchmarks.transcripts import MAKERS

TIMES = 9
"""Starts of which the median counts."""


def main() -> None:
    """Print a table of formats, and one of first screens."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--formats", nargs="+", choices=list(MAKERS), default=list(MAKERS))
    options = parser.parse_args()
    print("| format | session | rows as JSON | json.loads | import | ratio | peak memory |")
    print("|---|---|---|---|---|---|---|")
    screens: list[tuple[str, list[Start]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.formats:
            path = Path(folder) / name
            MAKERS[name](path, options.megabytes * 1_000_000)
            print(_row(name, path), flush=True)
            opened = spanscope("open", str(path))
            screens.append((name, first_screens(TIMES, b"AUDITING", opened, [*opened, "--follow"])))
            path.unlink()
    print("\n| first screen | an empty app, CPU | opened | ratio | followed | ratio |")
    print("|---|---|---|---|---|---|")
    for name, (empty, *others) in screens:
        told = (f"{1000 * each.cpu:.0f} ms | {each.cpu / empty.cpu:.2f}" for each in others)
        print(f"| {name} | {1000 * empty.cpu:.0f} ms | {' | '.join(told)} |")


def _row(name: str, path: Path) -> str:
    rows = _as_lines(name, path)
    floor = floor_of(str(rows))
    size = rows.stat().st_size
    if rows != path:
        rows.unlink()
    cost = best_of(2, spanscope("import", str(path)))
    return (
        f"| {name} | {path.stat().st_size / 1e6:,.0f} MB | {size / 1e6:,.0f} MB "
        f"| {floor.cpu:.2f} s | {cost.cpu:.2f} s | {cost.cpu / floor.cpu:.1f} "
        f"| {cost.memory / 1e6:,.0f} MB |"
    )


def _as_lines(name: str, path: Path) -> Path:
    """The rows of a session as lines of JSON."""
    queries = {
        "opencode": "SELECT data FROM event",
        "langgraph": "SELECT checkpoint FROM checkpoints",
    }
    if name not in queries:
        return path
    lines = path.with_name(f"{name}.jsonl")
    with closing(sqlite3.connect(path)) as connection, lines.open("wb") as stream:
        for (data,) in connection.execute(queries[name]):
            text = data.encode() if isinstance(data, str) else msgspec.json.encode(_plain(data))
            stream.write(text + b"\n")
    return lines


def _plain(data: bytes | memoryview) -> Any:
    return msgspec.msgpack.decode(data, ext_hook=lambda _, inside: _plain(inside))


if __name__ == "__main__":
    main()
