"""Journals that commands are run on, and what a command run in this process gives back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, Protocol

from spanscope.buffer.recorder import Recorder
from spanscope.journal.clock import Clock

START = datetime(2026, 11, 11, 9, tzinfo=UTC)
TASK = "Revenue was 4.1 million. Churn stayed flat. The board approved a hiring freeze."
SUMMARY = "Revenue 4.1M; churn flat; hiring freeze."


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


class Run(Protocol):
    """Runs a command line in this process."""

    def __call__(self, *arguments: str | Path) -> Done:
        """How it ended."""


class Opened(NamedTuple):
    """What an app that is not there was given: journals and the steps to open at."""

    recorded: list[tuple[str, int | None]]
    followed: list[tuple[str, int | None]]
    streams: list[int | None]
    presented: list[tuple[str, str, bool]]


Write = Callable[[Recorder], None]


class Record(Protocol):
    """Writes a journal."""

    def __call__(self, name: str, write: Write, *, session: str | None = None) -> Path:
        """Hand a recorder to `write`, and say where the journal lies."""


def ticking() -> Clock:
    """A clock that is a second later at every look."""
    times = (START + timedelta(seconds=tick) for tick in range(10**9))
    return lambda: next(times)


def write_stale_use(recorder: Recorder) -> None:
    """SPN101 (warning) at 3, SPN102 (error, caused by 3) at 4."""
    recorder.ingest("task", TASK, role="user")
    recorder.derive("cite:1", "task", "citation", range=(44, 79), holder="retriever", version=0)
    inverse = {"original": TASK, "inserted": len(SUMMARY)}
    recorder.rewrite("task", SUMMARY, "summarize", version=1, inverse=inverse)
    recorder.use("cite:1")


def write_clean(recorder: Recorder) -> None:
    """Nothing to find, and nothing unknown."""
    recorder.ingest("task", TASK, role="user")
    recorder.derive("cite:1", "task", "citation", range=(0, 7), holder="retriever", version=0)
    recorder.use("cite:1", checked=["version"])


def write_unknown(recorder: Recorder) -> None:
    """JNL011 (error) at 2, and from then on the span is unknown."""
    recorder.ingest("task", TASK)
    recorder.gap("the recorder was restarted", lost=3)


def write_blocked_undo(recorder: Recorder) -> None:
    """The splice at 3 has no inverse: it and the two entries below can't be undone."""
    recorder.ingest("notes", "alpha beta gamma")
    inverse = {"original": "alpha", "inserted": 5, "before": "", "after": " beta gamma"}
    recorder.splice("notes", 0, 5, "ALPHA", version=1, inverse=inverse)
    recorder.splice("notes", 6, 4, "BETA", version=2)
    recorder.prune("notes", inverse={"original": "ALPHA BETA gamma", "inserted": 0})


def write_stale_diff(recorder: Recorder) -> None:
    """D1 read `docs`, which another actor rewrote at 4: stale; `notes` is reconcilable."""
    recorder.ingest("docs", "The quota is 100 requests a minute.")
    recorder.ingest("rules", "Constraints:\n")
    edit = {"type": "splice", "span": "rules", "at": 13, "delete": 0, "insert": "- at most 100\n"}
    recorder.stage(
        "D1",
        {"revision": 2},
        reads=[{"span": "docs"}, {"span": "rules"}],
        edits=[edit],
        refs=[{"kind": "quote", "span": "docs", "text": "quota is 100"}],
    )
    text = "The quota is 40 requests a minute."
    recorder.as_actor("tool:search").rewrite(
        "docs",
        text,
        "refresh",
        version=1,
        inverse={"original": "The quota is 100 requests a minute.", "inserted": len(text)},
    )
