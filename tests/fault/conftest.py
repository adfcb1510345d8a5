"""What fault tests share: how often to try, more often where a change is judged."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def kills() -> int:
    """How many writers to kill in one test."""
    return 900 if "CI" in os.environ else 100
