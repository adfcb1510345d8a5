"""What the tests of the app share: the shipped sessions, read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from spanscope.history.history import History, load
from spanscope.sample_sessions import sample


@pytest.fixture(scope="module")
def stale_base() -> History:
    return load(sample("stale-base").path)


@pytest.fixture(scope="module")
def dropped_inverse() -> History:
    return load(sample("dropped-inverse").path)


@pytest.fixture(scope="module")
def stale_citation() -> History:
    return load(sample("stale-citation").path)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return tmp_path / "hostile.jsonl"
