"""The examples run as their pages say, and `check` says of their journals what the pages say."""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.checkout import ROOT

from spanscope.cli.main import main

Run = Callable[..., tuple[int, list[str]]]

PAGES = {"langchain": "langchain", "openai-agents": "agents", "rolling-summary": "spanscope"}


def pages() -> list[object]:
    return [
        pytest.param(
            page,
            marks=pytest.mark.skipif(find_spec(needs) is None, reason=f"needs {needs}"),
        )
        for page, needs in PAGES.items()
    ]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def example(page: str) -> Path:
    [name] = set(re.findall(r"python examples/(\w+)\.py", "".join(blocks(page, "sh"))))
    return ROOT / "examples" / f"{name}.py"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs an example in this process, which has loaded its library once."""

    def checked(page: str, *options: str) -> tuple[int, list[str]]:
        journal = Path("agent.jsonl")
        monkeypatch.setattr(sys, "argv", ["example", *options, str(journal)])
        runpy.run_path(str(example(page)), run_name="__main__")
        capsys.readouterr()
        code = main(["check", "--output-format", "concise", str(journal)])
        told = capsys.readouterr().out.splitlines()
        return code, [line.partition(":")[2] for line in told if " info " not in line]

    return checked


@pytest.mark.parametrize("page", PAGES)
def test_a_page_starts_with_what_to_install(page: str) -> None:
    assert blocks(page, "sh")[0].startswith("pip install ")


@pytest.mark.parametrize("page", pages())
def test_the_example_has_no_finding_above_info(
    page: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(page) == (0, [])


@pytest.mark.parametrize("page", pages())
def test_the_unsafe_one_fails_as_its_page_says(
    page: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, found = run(page, "--unsafe")
    said = [line.partition(":")[2] for line in blocks(page, "text")[0].splitlines()]
    assert code == 1
    assert [line for line in found if " error " in line]
    assert set(said) <= set(found)
    assert {line.split()[1] for line in found} == {line.split()[1] for line in said}
