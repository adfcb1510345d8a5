"""docs/commands.md says what there is: every command, every option, no other."""

from __future__ import annotations

import re

import pytest
from support.checkout import ROOT
from support.commands import Run

DOCUMENT = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
COMMANDS = ["open", "attach", "check", "show", "log", "rule", "demo", "import", "schema"]


def section(command: str) -> str:
    """The part of the document about one command."""
    found = re.search(rf"^## `{command}`\n(.*?)(?=^## |\Z)", DOCUMENT, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found.group(1)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_options_of_each_command_are_listed(run: Run, command: str) -> None:
    offered = set(re.findall(r"^ +(--[a-z-]+)", run(command, "--help").out, re.MULTILINE))
    rows = [line for line in section(command).splitlines() if line.startswith("| `--")]
    listed = {option for row in rows for option in re.findall(r"`(--[a-z-]+)", row.split("|")[1])}
    assert listed == offered


def test_the_sections_are_the_commands() -> None:
    assert re.findall(r"^## `(\w+)`$", DOCUMENT, re.MULTILINE) == COMMANDS
    assert set(re.findall(r"`spanscope ([a-z]+)", DOCUMENT)) == set(COMMANDS)


@pytest.mark.parametrize("option", ["--output-format", "--fail-on"])
def test_the_choices_of_check_are_listed(run: Run, option: str) -> None:
    found = re.search(rf"{option} {{(.*?)}}", run("check", "--help").out)
    assert found is not None
    [row] = [line for line in section("check").splitlines() if line.startswith(f"| `{option}`")]
    assert {choice for choice in found.group(1).split(",") if f"`{choice}`" not in row} == set()
