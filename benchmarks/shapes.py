"""Journals that grow in one direction alone: does `check` grow with their length, or its square?

    python -m benchmarks.shapes [--events 20000]

Each is checked at so many events and at twice as many. Twice the length should cost twice the CPU
time and memory, start-up left out; where the last columns say 4, something looks at all there was.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.measuring import Cost, best_of, spanscope

Events: TypeAlias = Iterator[dict[str, Any]]
TIME = "2026-11-30T12:00:00Z"
SENTENCE = "one two three four five six seven eight nine ten "


def _spans(count: int) -> Events:
    """A context that only grows."""
    for number in range(count):
        yield _ingest(number)


def _window(count: int) -> Events:
    """The oldest span leaves as a new one comes."""
    for number in range(count // 2):
        yield _ingest(number)
        if number >= 50:
            gone = number - 50
            inverse = {"original": f"text {gone}", "inserted": 0, "before": "", "after": ""}
            yield {"type": "prune", "span": f"m/{gone}", "inverse": inverse}


def _splices(count: int) -> Events:
    """One span, changed in place all the time."""
    yield {"type": "ingest", "span": "a", "content": SENTENCE}
    for number in range(count):
        yield {"type": "splice", "span": "a", "at": 4, "delete": 3, "insert": f"{number % 999:03}"}


def _rewrites(count: int) -> Events:
    """A rolling summary: one span, written anew all the time."""
    last = SENTENCE * 40
    yield {"type": "ingest", "span": "a", "content": last}
    for number in range(count):
        text = f"{number} {SENTENCE * 40}"
        inverse = {"original": last, "inserted": len(text), "before": "", "after": ""}
        yield {
            "type": "rewrite",
            "span": "a",
            "content": text,
            "op": "summarize",
            "inverse": inverse,
        }
        last = text


def _calls(count: int) -> Events:
    """Tool calls, their results, and a model call each."""
    for number in range(count // 3):
        yield {"type": "ingest", "span": f"call/{number}", "content": "ls", "role": "tool_call"}
        yield {
            "type": "ingest",
            "span": f"result/{number}",
            "content": "a b",
            "role": "tool_result",
            "answers": f"call/{number}",
        }
        yield {"type": "mark", "kind": "llm", "label": str(number)}


def _holder(count: int) -> Events:
    """A holder that sees each change of its span and derives anew."""
    yield {"type": "ingest", "span": "a", "content": SENTENCE}
    for number in range(count // 3):
        yield {
            "type": "derive",
            "artifact": "c",
            "span": "a",
            "kind": "citation",
            "version": number,
        }
        yield {"type": "splice", "span": "a", "at": 4, "delete": 3, "insert": f"{number % 999:03}"}
        yield {"type": "use", "artifact": "c", "outcome": "caught"}


def _snapshots(count: int) -> Events:
    """Checkpoints with a snapshot of a context that grows."""
    for number in range(count // 2):
        yield _ingest(number)
        yield {"type": "checkpoint", "checkpoint": f"k/{number}", "snapshot": True}


def _gaps(count: int) -> Events:
    """A recorder that misses events again and again."""
    for number in range(count // 2):
        yield _ingest(number)
        yield {"type": "gap", "reason": "disk full", "lost": 1}


def _undone(count: int) -> Events:
    """A change that is undone, again and again."""
    yield {"type": "ingest", "span": "a", "content": SENTENCE}
    inverse = {"original": "two", "inserted": 1, "before": "one ", "after": " three"}
    for _ in range(count // 2):
        change = {"at": 4, "delete": 3, "insert": "2", "inverse": inverse}
        yield {"type": "splice", "span": "a", **change}
        yield {"type": "rollback", "steps": 1}


def _moves(count: int) -> Events:
    """Moves in a context that grows, each rolled back from below a newer span."""
    yield from (_ingest(0), _ingest(1))
    for number in range(count // 4):
        yield _ingest(2 * number + 2)
        yield {"type": "move", "span": f"m/{number}", "after": f"m/{number + 1}"}
        yield _ingest(2 * number + 3)
        yield {"type": "rollback", "of": [4 * number + 4]}


def _points(count: int) -> Events:
    """Moves in a context that grows, rolled back to a checkpoint."""
    yield from (_ingest(0), _ingest(1))
    for number in range(count // 5):
        yield _ingest(number + 2)
        yield {"type": "checkpoint", "checkpoint": f"k/{number}"}
        yield {"type": "move", "span": f"m/{number}", "after": f"m/{number + 1}"}
        yield {"type": "ingest", "span": f"x/{number}", "content": "text"}
        yield {"type": "rollback", "to": f"k/{number}"}


def _staged(count: int) -> Events:
    """Diffs that are staged and taken back."""
    yield {"type": "ingest", "span": "a", "content": SENTENCE}
    edit = {"type": "splice", "span": "a", "at": 4, "delete": 3, "insert": "2"}
    for number in range(count // 2):
        base = {"revision": 1}
        yield {"type": "stage", "diff": f"d/{number}", "base": base, "reads": [], "edits": [edit]}
        yield {"type": "withdraw", "diff": f"d/{number}"}


def _alone(count: int) -> Events:
    """Spans that are all undone alone, the oldest first."""
    for number in range(count // 2):
        yield _ingest(number)
    for number in range(count // 2):
        yield {"type": "rollback", "of": [number + 1]}


def _restored(count: int) -> Events:
    """Full copies of a context that grows, each restored."""
    for number in range(count // 4):
        yield _ingest(number)
        yield {"type": "checkpoint", "checkpoint": "k", "snapshot": True}
        yield {"type": "ingest", "span": f"x/{number}", "content": "text"}
        yield {"type": "rollback", "to": "k", "method": "restore"}


def _beside(count: int) -> Events:
    """Four diffs of one span that stay staged, each staged anew on a base of long ago."""
    yield {"type": "ingest", "span": "a", "content": SENTENCE}
    edit = {"type": "splice", "span": "a", "at": 4, "delete": 3, "insert": "2"}
    base = {"revision": 1}
    for number in range(count // 2):
        yield _ingest(number)
        name = f"d/{number % 4}"
        yield {"type": "stage", "diff": name, "base": base, "reads": [], "edits": [edit]}


def _edits(count: int) -> Events:
    """One diff of one text, with an edit for twenty events of the others."""
    yield {"type": "ingest", "span": "a", "content": "ab" * count}
    edit = {"type": "splice", "span": "a", "delete": 0, "insert": "x"}
    edits = [edit | {"at": 30 * number} for number in range(count // 20)]
    yield {"type": "stage", "diff": "d", "base": {"revision": 1}, "reads": [], "edits": edits}
    yield {"type": "apply", "diff": "d"}


SHAPES: tuple[Callable[[int], Events], ...] = (
    *(_spans, _window, _splices, _rewrites, _calls, _holder),
    *(_snapshots, _gaps, _undone, _moves, _points, _alone, _restored),
    *(_staged, _beside, _edits),
)


def _ingest(number: int) -> dict[str, Any]:
    return {"type": "ingest", "span": f"m/{number}", "content": f"text {number}"}


def _write(path: Path, events: Events) -> None:
    header = {"type": "session", "format": "spanscope.journal/1", "session": path.stem}
    with path.open("w", encoding="utf-8") as out:
        out.write(json.dumps(header) + "\n")
        for seq, event in enumerate(events, 1):
            out.write(json.dumps({"seq": seq, "time": TIME, **event}) + "\n")


def _checked(path: Path, events: Events) -> Cost:
    _write(path, events)
    return best_of(2, spanscope("check", str(path), "--output-format", "json"))


def main() -> None:
    """Print a line a shape."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=20_000)
    count = parser.parse_args().events
    print(f"| {2 * count:,} events | CPU | memory | CPU of half, times | memory of half, times |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shape.jsonl"
        start = _checked(path, iter(()))
        for shape in SHAPES:
            once, twice = (_checked(path, shape(events)) for events in (count, 2 * count))
            cpu = (twice.cpu - start.cpu) / (once.cpu - start.cpu)
            memory = (twice.memory - start.memory) / max(1, once.memory - start.memory)
            what = (shape.__doc__ or "").removesuffix(".")
            print(
                f"| {what} | {twice.cpu:.2f} s | {twice.memory / 1e6:,.0f} MB "
                f"| {cpu:.1f} | {memory:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
