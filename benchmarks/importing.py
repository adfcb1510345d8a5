"""What importing costs: translation against `json.loads` over the rows, and the first screen.

    python -m benchmarks.importing [--megabytes 200] [--formats claude-code codex]

Long healthy sessions of each format that can be imported. The floor reads the same rows: the
lines of a file, the JSON of an opencode event log, and for LangGraph, whose rows are msgpack, the
same values as JSON. The first screen is measured against an empty app of Textual's: the CPU time
from the start of the process to what it paints in a terminal of its own. Linux only.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.measuring import best_of, floor_of, spanscope
from benchmarks.transcripts import MAKERS

TIMES = 5
"""Starts of which the quickest counts."""

EMPTY_APP = """
from textual.app import App
from textual.widgets import Static

class Empty(App):
    def compose(self):
        yield Static("painted")

Empty().run()
"""
FIRST_SCREEN = b"Spans"
"""A pane's title: it is painted with the first screen."""


def main() -> None:
    """Print a table of formats, and one of first screens."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--formats", nargs="+", choices=list(MAKERS), default=list(MAKERS))
    options = parser.parse_args()
    print("| format | session | rows as JSON | json.loads | import | ratio | peak memory |")
    print("|---|---|---|---|---|---|---|")
    screens: list[tuple[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.formats:
            path = Path(folder) / name
            MAKERS[name](path, options.megabytes * 1_000_000)
            print(_row(name, path), flush=True)
            screens.append((name, _first_paint(spanscope("open", str(path)), FIRST_SCREEN)))
            path.unlink()
    empty = _first_paint([sys.executable, "-c", EMPTY_APP], b"painted")
    print("\n| first screen | after | to an empty app |")
    print("|---|---|---|")
    for name, seconds in [("an empty app", empty), *screens]:
        print(f"| {name} | {1000 * seconds:.0f} ms | {seconds / empty:.2f} |")


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


def _first_paint(command: Sequence[str], painted: bytes) -> float:
    """CPU seconds until a program has painted something, the cheapest of some starts."""
    return min(_start(command, painted) for _ in range(TIMES))


def _cpu(process: int) -> float:
    """CPU seconds that all threads of a process have taken so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _start(command: Sequence[str], painted: bytes) -> float:
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 180, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "SPANSCOPE_HOME": tempfile.mkdtemp()}
    # An installed program has its byte code; the first start writes it.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, close_fds=True
    ) as process:
        os.close(theirs)
        seen = b""
        while painted not in seen:
            seen += os.read(ours, 1 << 16)
        taken = _cpu(process.pid)
        process.kill()
    os.close(ours)
    return taken


if __name__ == "__main__":
    main()
