"""A step costs what is in view, however long the journal is and whatever stands in the buffer."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from support.screens import opened, press, write_journal

from spanscope.history.history import History, load
from spanscope.model.state import BufferState

SPANS = 1_500


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> History:
    """Many spans with an artifact each, then splices here and there."""
    events: list[dict[str, Any]] = []
    for number in range(SPANS):
        span = f"s{number}"
        events.append({"type": "ingest", "span": span, "content": f"text {number}"})
        derive = {"artifact": f"a{number}", "span": span, "kind": "citation", "range": [0, 4]}
        events.append({"type": "derive", **derive})
    for number in range(200):
        span = f"s{number * 7 % SPANS}"
        events.append({"type": "splice", "span": span, "at": 0, "delete": 0, "insert": "x"})
    return load(write_journal(tmp_path_factory.mktemp("crowded") / "crowded.jsonl", events))


@pytest.mark.parametrize("key", ["l", "h", "j", "s", "pagedown"])
async def test_a_step_looks_at_few_spans_and_artifacts(
    key: str, crowded: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[str] = Counter()
    span_at, artifact_at = BufferState.span_at, History.artifact_at

    def count_span(self: BufferState, name: str, seq: int) -> Any:
        asked["span"] += 1
        return span_at(self, name, seq)

    def count_artifact(self: History, name: str, seq: int) -> Any:
        asked["artifact"] += 1
        return artifact_at(self, name, seq)

    async with opened(crowded, at=crowded.last - 60) as (_, pilot):
        await press(pilot, "alt+1", "j", "alt+4")
        monkeypatch.setattr(BufferState, "span_at", count_span)
        monkeypatch.setattr(History, "artifact_at", count_artifact)
        await press(pilot, key)
        assert 0 < asked["span"] < SPANS / 4
        assert asked["artifact"] < SPANS / 4
