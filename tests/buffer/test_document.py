"""The library's page says what is so: its examples run, one after the other, as they stand."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from support.checkout import ROOT
from support.processes import output

import spanscope
from spanscope import ContextBuffer, Draft
from spanscope.buffer.artifacts import Artifact

PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
EXAMPLE = ROOT / "examples" / "rolling_summary.py"


def public(kind: type) -> list[str]:
    return [name for name in dir(kind) if not name.startswith("_")]


def test_its_examples_run_and_write_journals_without_warnings(state_folder: Path) -> None:
    assert len(EXAMPLES) > 5
    told = output(sys.executable, "-c", "\n".join(EXAMPLES), cwd=state_folder)
    assert told.startswith("SPN102: ")
    journals = sorted((state_folder / "sessions").glob("*.jsonl"))
    assert len(journals) == 2
    check = [sys.executable, "-m", "spanscope", "check", "--fail-on", "warning"]
    output(*check, *journals, cwd=state_folder)


@pytest.mark.parametrize("kind", [ContextBuffer, Draft, Artifact])
def test_it_names_every_method(kind: type) -> None:
    plain = {"actor", "path", "closed", "seq", "kind", "range", "artifact", "author", "diff"}
    plain |= {"applied", "refused", "released", "revision", "apply", "extend"}
    missing = [name for name in public(kind) if f"{name}" not in PAGE and name not in plain]
    assert missing == []


def test_it_names_every_error() -> None:
    errors = [name for name in spanscope.__all__ if name.endswith("Error")]
    assert [name for name in errors if f"`{name}`" not in PAGE] == []


def test_the_agent_loop_runs_and_its_journal_is_clean(tmp_path: Path) -> None:
    journal = tmp_path / "a.jsonl"
    told = output(sys.executable, EXAMPLE, journal, cwd=ROOT)
    assert "the task is task@compress:1 now" in told
    assert "rolled back exactly: True" in told
    assert "applied at attempt 2" in told
    assert "what the model was shown has changed" in told
    output(*(sys.executable, "-m", "spanscope", "check", "--fail-on", "warning", journal), cwd=ROOT)
