"""`python -m spanscope.sample_sessions.build`: writes all sample sessions anew, byte for byte."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from spanscope.buffer.recorder import Recorder
from spanscope.sample_sessions import (
    NAMES,
    ExpectedFinding,
    Sample,
    dropped_inverse,
    orphaned_results,
    stale_base,
    stale_citation,
)
from spanscope.sample_sessions.clock import Clock
from spanscope.sample_sessions.session import SampleSession, Script


class Story(Struct, frozen=True):
    """How a scenario is told, unsafe and safe."""

    title: str
    seed: str
    agent: str
    started: datetime
    unsafe: tuple[str, Script]
    safe: tuple[str, Script]


STORIES: Final = {
    "stale-citation": Story(
        "The citation that drifted",
        "000",
        "planner",
        datetime(2026, 11, 11, 9, 12, 4, tzinfo=UTC),
        ("A rolling summary is read at the offsets of the old text.", stale_citation.unsafe),
        ("The old text stays readable, and offsets are derived again.", stale_citation.safe),
    ),
    "dropped-inverse": Story(
        "The rollback through a hole in the log",
        "003",
        "coder",
        datetime(2026, 11, 13, 15, 40, 31, tzinfo=UTC),
        ("One inverse is dropped, and a rollback trusts an old offset.", dropped_inverse.unsafe),
        ("Every inverse is written first, and the rollback is exact.", dropped_inverse.safe),
    ),
    "stale-base": Story(
        "The merge that saw no conflict",
        "004",
        "planner",
        datetime(2026, 11, 11, 13, 55, 18, tzinfo=UTC),
        ("A diff goes in although the page it quotes has changed.", stale_base.unsafe),
        ("The diff is taken back and authored again on the new page.", stale_base.safe),
    ),
    "orphaned-results": Story(
        "The results that lost their calls",
        "000",
        "coder",
        datetime(2026, 11, 12, 10, 3, 47, tzinfo=UTC),
        ("A compaction drops tool calls and leaves their results.", orphaned_results.unsafe),
        ("Calls and results leave together, and holders let go first.", orphaned_results.safe),
    ),
}


def files() -> Iterator[tuple[str, bytes]]:
    """Every file of the samples: its name and its bytes."""
    for scenario in NAMES:
        for safe in (False, True):
            yield from _files(scenario, safe)


def _files(scenario: str, safe: bool) -> Iterator[tuple[str, bytes]]:
    story = STORIES[scenario]
    line, script = story.safe if safe else story.unsafe
    name = f"{scenario}-safe" if safe else scenario
    journal, session = _record(name, story, script)
    described = Sample(
        name=name,
        scenario=scenario,
        safe=safe,
        title=story.title,
        seed=story.seed,
        story=line,
        look_at=session.look_at,
        findings=sorted(session.expected, key=_in_order),
    )
    yield f"{name}.jsonl", journal
    encoded = msgspec.json.format(msgspec.json.encode(described), indent=1)
    yield f"{name}.findings.json", encoded + b"\n"


def _in_order(finding: ExpectedFinding) -> tuple[int, str, list[tuple[str, int, str]]]:
    """As `check` lists them: by event, rule and subject."""
    subject = sorted(finding.subject.items())
    ids = [(name, id if isinstance(id, int) else 0, str(id)) for name, id in subject]
    return finding.seq, finding.rule, ids


def _record(name: str, story: Story, script: Script) -> tuple[bytes, SampleSession]:
    clock = Clock(story.started)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.jsonl"
        with Recorder.open(name, path, agent=story.agent, clock=clock, session=name) as recorder:
            session = SampleSession(recorder, clock)
            script(session)
        return path.read_bytes(), session


def main() -> None:
    """Write the files into a folder, by default beside the scripts."""
    parser = argparse.ArgumentParser(prog="python -m spanscope.sample_sessions.build")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent)
    folder: Path = parser.parse_args().folder
    for name, content in files():
        (folder / name).write_bytes(content)
        print(f"{folder / name}: {len(content)} bytes")


if __name__ == "__main__":
    main()
