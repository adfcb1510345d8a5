"""What a write-ahead splice costs, beside what a log costs: `python -m benchmarks.recording`.

Microseconds of one call, all in one run and in turns, so that what else the machine does falls on
all alike: a splice on a span of 4 KB, journaled with its inverse, its anchors unique, and made; the
same in memory; its record alone; the calls of C that no such splice can do without (the new text,
one search through it that tells whether the anchors fit once, a checksum and a write of the
record's bytes), and with them a hash of the new text, which every eighth record has; and the same
facts as a line of `logging` with a JSON formatter, of structlog, as a
row of SQLite with a write-ahead log, as a span of OpenTelemetry written to a file. Those say as
much and enforce nothing. Only the ratios travel between machines.

The others come with `pip install -e '.[benchmarks]'`; one that is not there is left out.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from spanscope import ContextBuffer
from spanscope.journal.clock import SystemTime
from spanscope.journal.encoding import encode_line
from spanscope.journal.events import Splice
from spanscope.journal.parts import Inverse

WORDS = ("the", "quick", "fox", "jumps", "over", "lazy", "dogs", "and", "writes", "notes", "again")
CALLS = 200
ROUNDS = 25

Call = Callable[[int], object]


class Measured(NamedTuple):
    """Microseconds of one call."""

    median: float
    tail: float


class Bound(NamedTuple):
    """What a splice may cost of another's record."""

    name: str
    most: float


BOUNDS = (
    Bound("logging, JSON", 1 / 5),
    Bound("structlog, JSON", 1 / 3),
    Bound("SQLite, WAL insert", 1 / 3),
    Bound("OpenTelemetry span", 1 / 30),
)


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


def in_turns(calls: dict[str, Call]) -> dict[str, Measured]:
    """The median and the 99th percentile of each, a few calls at a time, one after the other."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(ROUNDS):
        for name, call in calls.items():
            for each in range(number * CALLS, (number + 1) * CALLS):
                start = time.perf_counter_ns()
                call(each)
                taken[name].append((time.perf_counter_ns() - start) / 1000)
    return {
        name: Measured(statistics.median(found), sorted(found)[len(found) * 99 // 100])
        for name, found in taken.items()
    }


def edits() -> tuple[list[int], list[str]]:
    """Where three characters give way, and what to, at each call."""
    chance = random.Random(1)
    places = [chance.randrange(4000) for _ in range(CALLS * ROUNDS)]
    return places, [f"{number % 1000:03}" for number in range(CALLS * ROUNDS)]


def splicing(buffer: ContextBuffer, text: str) -> Call:
    """A splice of three characters somewhere in the text, other ones each time."""
    places, inserts = edits()
    buffer.ingest("types", text)
    return lambda number: buffer.splice("types", places[number], 3, inserts[number])


def record_alone(path: Path, text: str, stack: ExitStack) -> Call:
    """The line that the journal of such a splice gets."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    stack.callback(os.close, descriptor)
    clock = SystemTime()

    def record(number: int) -> None:
        os.write(descriptor, encode_line(a_splice(number, clock(), text)))

    return record


def a_splice(number: int, time: str, text: str) -> Splice:
    """The event of such a splice, with its inverse."""
    inverse = Inverse(
        original="int",
        inserted=3,
        inserted_hash="sha256:" + "0" * 64,
        at=120,
        before=text[:16],
        after=text[16:32],
    )
    return Splice(
        seq=number + 1,
        time=time,
        span="types",
        at=120,
        delete=3,
        version=number,
        inverse=inverse,
        insert="abc",
    )


def c_calls_alone(path: Path, text: str, stack: ExitStack, *, hashed: bool) -> Call:
    """What no such splice can do without, `hashed`: with a hash of the whole new text."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    stack.callback(os.close, descriptor)
    line = bytes(encode_line(a_splice(1, SystemTime()(), text)))
    places, inserts = edits()
    now = text

    def call(number: int) -> None:
        nonlocal now
        at = places[number]
        now = now[:at] + inserts[number] + now[at + 3 :]
        start, end = max(0, at - 16), at + 19
        sought = now[start:end]
        assert now.rfind(sought) == start
        assert now.rfind(sought, 0, end - 1) < 0
        if hashed:
            hashlib.sha256(now.encode()).digest()
        crc32(line)
        os.write(descriptor, line)

    return call


def logging_to(path: Path, fields: dict[str, Any]) -> Call:
    """A line of `logging` with a JSON formatter."""
    logger = logging.getLogger("benchmark")
    handler = logging.FileHandler(path)
    handler.setFormatter(JsonFormatter())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    return lambda _: logger.info("splice", extra={"fields": fields})


def structlog_to(path: Path, fields: dict[str, Any], stack: ExitStack) -> Call:
    """A line of structlog, set up for speed as its manual says: bytes by orjson, no filter."""
    import orjson
    import structlog

    file = stack.enter_context(path.open("wb"))
    structlog.configure(
        cache_logger_on_first_use=True,
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(serializer=orjson.dumps),
        ],
        logger_factory=structlog.BytesLoggerFactory(file),
    )
    logger = structlog.get_logger()
    return lambda _: logger.info("splice", **fields)


def sqlite_to(path: Path, fields: dict[str, Any], stack: ExitStack) -> Call:
    """A row in a transaction of its own, with a write-ahead log and without an fsync a row."""
    database = sqlite3.connect(path, isolation_level=None)
    stack.callback(database.close)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=NORMAL")
    database.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, time REAL, event TEXT)")
    insert = "INSERT INTO events (time, event) VALUES (?, ?)"
    return lambda _: database.execute(insert, (time.time(), json.dumps(fields)))


def otel_to(path: Path, fields: dict[str, Any], stack: ExitStack) -> Call:
    """A span that is exported as JSON when it ends."""
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

    file = stack.enter_context(path.open("w"))
    provider = TracerProvider()
    stack.callback(provider.shutdown)
    provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=file)))
    tracer = provider.get_tracer("benchmark")
    flat = {**fields, **fields["inverse"]}
    del flat["inverse"]

    def record(_number: int) -> None:
        with tracer.start_as_current_span("splice", attributes=flat):
            pass

    return record


def others(folder: Path, text: str, stack: ExitStack) -> Iterator[tuple[str, Call]]:
    """What else records the same facts, as far as it is installed."""
    inverse = {"original": "int", "before": text[:16], "after": text[16:32], "at": 120}
    fields = {"span": "types", "at": 120, "delete": 3, "insert": "abc", "inverse": inverse}
    yield BOUNDS[0].name, logging_to(folder / "log.jsonl", fields)
    if find_spec("structlog") and find_spec("orjson"):
        yield BOUNDS[1].name, structlog_to(folder / "structlog.jsonl", fields, stack)
    yield BOUNDS[2].name, sqlite_to(folder / "events.db", fields, stack)
    if find_spec("opentelemetry.sdk" if find_spec("opentelemetry") else "opentelemetry"):
        yield BOUNDS[3].name, otel_to(folder / "spans.jsonl", fields, stack)


def main() -> None:
    """Measure all of them and print each with what a splice costs of it."""
    chance = random.Random(1)
    text = " ".join(chance.choice(WORDS) for _ in range(900))[:4096]
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        recording = stack.enter_context(ContextBuffer.record("benchmark", folder / "journal.jsonl"))
        calls = {
            "splice, recording": splicing(recording, text),
            "splice, in memory": splicing(ContextBuffer(), text),
            "its record alone": record_alone(folder / "alone.jsonl", text, stack),
            "its calls of C": c_calls_alone(folder / "c.jsonl", text, stack, hashed=False),
            "and a hash": c_calls_alone(folder / "hashed.jsonl", text, stack, hashed=True),
            **dict(others(folder, text, stack)),
        }
        measured = in_turns(calls)
    splice = measured["splice, recording"].median
    least = measured["its calls of C"].median
    bounds = dict(BOUNDS)
    for title, (median, tail) in measured.items():
        line = f"{title:20} {median:7.1f} µs  p99 {tail:8.1f} µs"
        if title in bounds:
            line += f"  a splice is {splice / median:5.3f} of it, aimed at {bounds[title]:5.3f},"
            line += f" its calls of C {least / median:5.3f}"
        print(line)


if __name__ == "__main__":
    main()
