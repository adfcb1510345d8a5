"""What the wheel and the sdist hold, against the tree."""

from __future__ import annotations

import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from support.checkout import ROOT, package_files, packages

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def installed(wheel: Path) -> set[str]:
    return {name for name in contents(wheel) if ".dist-info/" not in name}


def metadata(wheel: Path) -> Message:
    [name] = [name for name in contents(wheel) if name.endswith(".dist-info/METADATA")]
    return message_from_bytes(contents(wheel)[name])


def test_every_package_of_the_tree_is_listed() -> None:
    assert set(PYPROJECT["tool"]["setuptools"]["packages"]) == packages()


def test_the_wheel_holds_the_files_of_the_tree_and_no_others(wheel: Path) -> None:
    assert installed(wheel) == package_files()


def test_the_wheel_puts_one_name_into_site_packages(wheel: Path) -> None:
    assert {Path(name).parts[0] for name in installed(wheel)} == {"spanscope"}


@pytest.mark.parametrize(
    "pattern",
    [
        "spanscope/py.typed",
        "spanscope/widgets/__init__.py",
        "spanscope/rules/pages/*.md",
        "spanscope/sample_sessions/*.jsonl",
        "spanscope/sample_sessions/*.findings.json",
    ],
)
def test_the_wheel_holds_what_is_not_plain_code(wheel: Path, pattern: str) -> None:
    assert [name for name in installed(wheel) if Path(name).match(pattern)]


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    said = metadata(wheel)
    assert said["Name"] == "spanscope"
    assert said["License-Expression"] == "MIT"
    assert said["Requires-Python"] == ">=3.11"
    assert f"-{said['Version']}-py3-none-any.whl" in wheel.name


def test_the_wheel_carries_the_licence(wheel: Path) -> None:
    [text] = [data for name, data in contents(wheel).items() if name.endswith("/LICENSE")]
    assert text == (ROOT / "LICENSE").read_bytes()


def test_users_get_the_runtime_dependencies_only(wheel: Path) -> None:
    required = metadata(wheel).get_all("Requires-Dist", [])
    always = {entry.partition(">")[0].partition("<")[0] for entry in required if ";" not in entry}
    assert always == {"msgspec", "textual", "rich", "watchfiles"}


def test_a_wheel_built_from_the_sdist_is_the_same(wheel: Path, wheel_from_sdist: Path) -> None:
    assert contents(wheel_from_sdist) == contents(wheel)


def test_the_sdist_holds_what_a_packager_needs(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "dev.py", ".importlinter"}
    assert needed <= names
    assert "tests/packaging/test_distributions.py" in names
    assert not [name for name in names if "__pycache__" in name]
