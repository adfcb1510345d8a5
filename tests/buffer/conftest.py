"""A recording buffer, whose journal must have no finding above info in the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.buffers import above_info, ticking

from spanscope.buffer.buffer import ContextBuffer


@pytest.fixture
def buffer(tmp_path: Path) -> Iterator[ContextBuffer]:
    made = ContextBuffer.record("planner", tmp_path / "planner.jsonl", clock=ticking())
    yield made
    assert above_info(made) == []
