"""Recorded agent sessions that ship with Spanscope, and the scripts that write them.

Each scenario is a journal in which an agent fails the way one of the seeds describes, a safe
twin that tells the same story without the failure, and for both a file of the findings that
`check` must give.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from spanscope.rules.finding import Severity

__all__ = [
    "NAMES",
    "ExpectedFinding",
    "Sample",
    "Scenario",
    "sample",
    "sample_path",
    "scenarios",
]

NAMES: Final = (
    "stale-citation",
    "dropped-inverse",
    "stale-base",
    "orphaned-results",
    "stale-embedding",
    "twin-blocks",
    "late-inverse",
    "selective-rollback",
    "needless-reject",
    "lost-update",
    "killed-writer",
    "shown-otherwise",
)
"""The scenarios, in the order of a gallery."""

_FOLDER: Final = Path(__file__).parent


class ExpectedFinding(Struct, kw_only=True, frozen=True):
    """A finding that `check` must give: rule, event, severity and the ids it is about.

    `seq` is 0 where it is about the end of the file.
    """

    rule: str
    seq: int
    severity: Severity
    subject: dict[str, str | int]


class Sample(Struct, kw_only=True, frozen=True):
    """One recorded session: what it shows, and every finding in it.

    `name` is that of its files, `scenario` the one it belongs to, `story` one line for a
    gallery, `look_at` the seq at which to open it.
    """

    name: str
    scenario: str
    safe: bool
    title: str
    seed: str
    story: str
    look_at: int
    findings: list[ExpectedFinding]

    @property
    def path(self) -> Path:
        """The journal."""
        return _FOLDER / f"{self.name}.jsonl"


class Scenario(Struct, kw_only=True, frozen=True):
    """A failure and its safe twin."""

    name: str
    unsafe: Sample
    safe: Sample


def scenarios() -> list[Scenario]:
    """All scenarios that ship, in the order of a gallery."""
    return [
        Scenario(name=name, unsafe=sample(name), safe=sample(name, safe=True)) for name in NAMES
    ]


def sample_path(name: str, *, safe: bool = False) -> Path:
    """The journal of a scenario, or (`safe`) of its twin.

    Raises ValueError where no scenario has this name.
    """
    return _file(name, safe, "jsonl")


def sample(name: str, *, safe: bool = False) -> Sample:
    """What a scenario's journal, or (`safe`) its twin's, shows and must give.

    Raises ValueError where no scenario has this name.
    """
    return msgspec.json.decode(_file(name, safe, "findings.json").read_bytes(), type=Sample)


def _file(name: str, safe: bool, suffix: str) -> Path:
    if name not in NAMES:
        raise ValueError(f"there is no scenario {name}; there are {', '.join(NAMES)}")
    return _FOLDER / f"{name}{'-safe' if safe else ''}.{suffix}"
