"""The examples run as their pages say, and `check` says of their journals what the pages say."""

from __future__ import annotations

import re
import runpy
import shlex
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
    """Runs an example, and `check` on its journal, in this process, which loads a library once."""

    def checked(page: str, made: list[str], check: list[str]) -> tuple[int, list[str]]:
        monkeypatch.setattr(sys, "argv", ["example", *made])
        runpy.run_path(str(example(page)), run_name="__main__")
        capsys.readouterr()
        code = main(check)
        return code, capsys.readouterr().out.splitlines()

    return checked


@pytest.mark.parametrize("page", PAGES)
def test_a_page_starts_with_what_to_install(page: str) -> None:
    assert blocks(page, "sh")[0].startswith("pip install ")


@pytest.mark.parametrize("page", pages())
def test_the_example_has_no_finding_above_info(
    page: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, found = run(page, ["a.jsonl"], ["check", "--output-format", "concise", "a.jsonl"])
    assert code == 0
    assert [line for line in found if " info " not in line] == []


@pytest.mark.parametrize("page", pages())
def test_the_unsafe_one_fails_as_its_page_says(
    page: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    [block] = [block for block in blocks(page, "sh") if "--unsafe" in block]
    example_line, check_line = map(shlex.split, block.splitlines())
    code, found = run(page, example_line[2:], check_line[1:])
    assert code == 1
    assert found == blocks(page, "text")[0].splitlines()


@pytest.mark.parametrize("page", pages())
def test_a_journal_that_is_there_already_is_said_in_a_line(
    page: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").touch()
    with pytest.raises(SystemExit, match=r"a\.jsonl: it exists; give another path$"):
        run(page, ["a.jsonl"], [])
