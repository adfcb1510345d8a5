"""What a write-ahead splice costs an agent, beside a log line: `python -m benchmarks.recording`.

Microseconds of one call, in the same run: a splice on a span of 4 KB, journaled with its inverse,
its anchors unique, and made; the same in memory; and `logging` with a JSON formatter and a file,
which says as much and enforces nothing. Only the ratio travels between machines.
"""

from __future__ import annotations

import json
import logging
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spanscope import ContextBuffer

WORDS = ("the", "quick", "fox", "jumps", "over", "lazy", "dogs", "and", "writes", "notes", "again")
CALLS = 4000


class JsonFormatter(logging.Formatter):
    """One JSON object a record, as most services write it."""

    def format(self, record: logging.LogRecord) -> str:
        """The record's time, level, name, message and fields."""
        fields: dict[str, Any] = getattr(record, "fields", {})
        return json.dumps(
            {
                "time": self.formatTime(record),
                "level": record.levelname,
                "logger": record.name,
                "message": record.getMessage(),
                **fields,
            }
        )


def costs(call: Callable[[int], object]) -> tuple[float, float]:
    """(median, 99th percentile) of one call, in microseconds."""
    taken = []
    for number in range(CALLS):
        start = time.perf_counter_ns()
        call(number)
        taken.append((time.perf_counter_ns() - start) / 1000)
    return statistics.median(taken), sorted(taken)[CALLS * 99 // 100]


def logger_to(path: Path) -> logging.Logger:
    """A logger that writes JSON lines into a file."""
    logger = logging.getLogger("benchmark")
    handler = logging.FileHandler(path)
    handler.setFormatter(JsonFormatter())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    return logger


def main() -> None:
    """Measure all three and print them with their ratios."""
    chance = random.Random(1)
    text = " ".join(chance.choice(WORDS) for _ in range(900))[:4096]
    places = [chance.randrange(4000) for _ in range(CALLS)]
    inserts = [f"{number % 1000:03}" for number in range(CALLS)]
    with tempfile.TemporaryDirectory() as folder:
        logger = logger_to(Path(folder) / "log.jsonl")
        fields = {
            "span": "types",
            "at": 120,
            "delete": 3,
            "insert": "abc",
            "inverse": {"original": "int", "before": text[:16], "after": text[16:32], "at": 120},
        }
        recording = ContextBuffer.record("benchmark", Path(folder) / "journal.jsonl")
        memory = ContextBuffer()
        for buffer in (recording, memory):
            buffer.ingest("types", text)
        measured = {
            "logging, JSON": costs(lambda _: logger.info("splice", extra={"fields": fields})),
            "splice, recording": costs(
                lambda n: recording.splice("types", places[n], 3, inserts[n])
            ),
            "splice, in memory": costs(lambda n: memory.splice("types", places[n], 3, inserts[n])),
        }
    base = measured["logging, JSON"][0]
    for name, (median, tail) in measured.items():
        print(f"{name:18} {median:7.1f} µs  p99 {tail:8.1f} µs  {median / base:5.2f} of logging")


if __name__ == "__main__":
    main()
