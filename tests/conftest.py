"""What every test gets: a state folder of its own, a plain environment, one Hypothesis profile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test asserts wall time, so neither does Hypothesis: a loaded machine is no failure.
_unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)

settings.register_profile("default", _unhurried)
# The gate judges a change, not its luck: the same examples every time.
settings.register_profile("ci", _unhurried, derandomize=True, database=None)
settings.register_profile("thorough", _unhurried, max_examples=5000)
_usual = "ci" if "CI" in os.environ else "default"
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", _usual))


@pytest.fixture(autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty state folder, no other agents, and nothing said about colour or size."""
    folder = tmp_path_factory.mktemp("state")
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLUMNS", "LINES", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SPANSCOPE_HOME", str(folder))
    monkeypatch.setenv("SPANSCOPE_ASCII", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "no-config"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(folder / "no-agents"))
    monkeypatch.delenv("OPENCODE_DB", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return folder
