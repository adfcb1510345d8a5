"""The documents at the top of the repository say what is so."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from support.checkout import ROOT
from support.processes import output

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    """The fenced blocks of a document in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", read(name), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_within_the_repository_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)", read(name))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (ROOT / target).exists()] == []


def test_the_gate_runs_the_test_command_of_the_readme() -> None:
    assert "python3 dev.py test\n" in blocks("README.md", "sh")
    assert '"$python" dev.py test\n' in read(".ci/run")


def test_the_readme_names_only_commands_that_exist() -> None:
    offered = output(sys.executable, "-m", "spanscope", "--help", cwd=ROOT)
    named = set(re.findall(r"`spanscope ([a-z]+)", read("README.md")))
    assert named
    assert [name for name in sorted(named) if not re.search(rf"\b{name}\b", offered)] == []


def test_the_demo_of_the_readme_ships() -> None:
    [scenario] = re.findall(r"dev\.py demo (\S+)", read("README.md"))
    assert (ROOT / "sample_sessions" / f"{scenario}.jsonl").is_file()


@pytest.mark.parametrize("number", range(2))
def test_the_examples_in_python_write_journals_without_errors(
    state_folder: Path, number: int
) -> None:
    example = blocks("README.md", "python")[number]
    output(sys.executable, "-c", example, cwd=state_folder)
    [journal] = (state_folder / "sessions").glob("*.jsonl")
    output(sys.executable, "-m", "spanscope", "check", journal, cwd=state_folder)


def test_each_example_in_python_is_tested() -> None:
    assert len(blocks("README.md", "python")) == 2


def test_the_gate_can_be_started() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
