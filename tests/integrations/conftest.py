"""Recorders for the tests of other libraries' agents, and what the audit says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from spanscope import Recorder


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder.open("agent", tmp_path / "agent.jsonl")
