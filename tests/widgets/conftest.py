"""What the tests of the panes share: scenes of the shipped sessions, without a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spanscope.history.history import History, load
from spanscope.sample_sessions import NAMES, sample
from spanscope.widgets.findings import FindingIndex
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject

SceneOf = Callable[..., Scene]


@pytest.fixture(scope="session")
def sessions() -> dict[str, History]:
    """Every shipped session by name, the safe twins too."""
    found = {}
    for name in NAMES:
        for safe in (False, True):
            one = sample(name, safe=safe)
            found[one.name] = load(one.path)
    return found


@pytest.fixture(scope="session")
def scene(sessions: dict[str, History]) -> SceneOf:
    """A scene of a shipped session."""
    indexes = {
        name: FindingIndex(history.findings, history.touched) for name, history in sessions.items()
    }

    def make(name: str, seq: int, selected: Subject | None = None) -> Scene:
        return Scene(sessions[name], indexes[name], seq, selected)

    return make


@pytest.fixture(scope="session")
def every_scene(sessions: dict[str, History], scene: SceneOf) -> Callable[[], Iterator[Scene]]:
    """Every step of every shipped session."""

    def walk() -> Iterator[Scene]:
        for name, history in sessions.items():
            for seq in (0, *history.seqs):
                yield scene(name, seq)

    return walk


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "made.jsonl"
