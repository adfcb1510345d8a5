"""`python -m spanscope.sample_sessions.build`: writes all sample sessions anew, byte for byte."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Final

import msgspec

from spanscope.buffer.recorder import Recorder
from spanscope.sample_sessions import (
    NAMES,
    ExpectedFinding,
    Sample,
    dropped_inverse,
    killed_writer,
    late_inverse,
    lost_update,
    needless_reject,
    orphaned_results,
    selective_rollback,
    shown_otherwise,
    stale_base,
    stale_citation,
    stale_embedding,
    twin_blocks,
)
from spanscope.sample_sessions.clock import Clock
from spanscope.sample_sessions.session import SampleSession, Script, Story

SCRIPTS: Final[dict[str, ModuleType]] = {
    "stale-citation": stale_citation,
    "dropped-inverse": dropped_inverse,
    "stale-base": stale_base,
    "orphaned-results": orphaned_results,
    "stale-embedding": stale_embedding,
    "twin-blocks": twin_blocks,
    "late-inverse": late_inverse,
    "selective-rollback": selective_rollback,
    "needless-reject": needless_reject,
    "lost-update": lost_update,
    "killed-writer": killed_writer,
    "shown-otherwise": shown_otherwise,
}


def files() -> Iterator[tuple[str, bytes]]:
    """Every file of the samples: its name and its bytes."""
    for scenario in NAMES:
        for safe in (False, True):
            yield from _files(scenario, safe)


def _files(scenario: str, safe: bool) -> Iterator[tuple[str, bytes]]:
    story: Story = SCRIPTS[scenario].STORY
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


def _in_order(finding: ExpectedFinding) -> tuple[float, str, list[tuple[str, int, str]]]:
    """As `check` lists them: by event, rule and subject; what is torn is at the end."""
    subject = sorted(finding.subject.items())
    ids = [(name, id if isinstance(id, int) else 0, str(id)) for name, id in subject]
    return finding.seq or inf, finding.rule, ids


def _record(name: str, story: Story, script: Script) -> tuple[bytes, SampleSession]:
    clock = Clock(story.started)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.jsonl"
        with Recorder.open(name, path, agent=story.agent, clock=clock, session=name) as recorder:
            session = SampleSession(recorder, clock)
            script(session)
        written = path.read_bytes()
    return _torn(written) if session.torn else written, session


def _torn(journal: bytes) -> bytes:
    """The journal of a process that was killed in the middle of its last event."""
    *whole, last, _close = journal.splitlines(keepends=True)
    return b"".join(whole) + last[: len(last) * 3 // 5]


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
