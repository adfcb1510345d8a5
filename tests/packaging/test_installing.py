"""The package as installed with pip into a new environment: from the wheel, and editable."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.checkout import copy_checkout, packages
from support.environments import Environment
from support.processes import output

from spanscope._version import __version__

IMPORT_ALL = "".join(f"import {package}\n" for package in sorted(packages()))
SAY_WHERE = "import spanscope, spanscope.widgets as w; print(spanscope.__file__, w.__file__)"
LIST_SAMPLES = (
    "from importlib.resources import files\n"
    "print(*(file.name for file in files('spanscope.sample_sessions').iterdir()))"
)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder of the user's that has its own `widgets`, which nobody may run."""
    folder = tmp_path / "elsewhere"
    (folder / "widgets").mkdir(parents=True)
    trap = "raise SystemExit('ran the widgets of another project')"
    (folder / "widgets" / "__init__.py").write_text(trap, encoding="utf-8")
    return folder


def test_the_wheel_installs_every_package_and_the_samples(
    environment: Environment, wheel: Path, elsewhere: Path
) -> None:
    environment.install(wheel)
    where = environment.run(IMPORT_ALL + SAY_WHERE, cwd=elsewhere).split()
    assert all(Path(file).is_relative_to(environment.site_packages) for file in where)
    assert ".jsonl" in environment.run(LIST_SAMPLES, cwd=elsewhere)


def test_the_command_of_the_wheel_starts_in_any_folder(
    environment: Environment, wheel: Path, elsewhere: Path
) -> None:
    environment.install(wheel)
    assert __version__ in output(environment.script("spanscope"), "--version", cwd=elsewhere)
    assert __version__ in output(environment.python, "-m", "spanscope", "--version", cwd=elsewhere)


def test_an_editable_install_runs_the_checkout(
    environment: Environment, tmp_path: Path, elsewhere: Path
) -> None:
    checkout = copy_checkout(tmp_path / "checkout")
    environment.install("--editable", checkout)
    where = environment.run(IMPORT_ALL + SAY_WHERE, cwd=elsewhere).split()
    assert all(Path(file).resolve().is_relative_to(checkout.resolve()) for file in where)
    assert ".jsonl" in environment.run(LIST_SAMPLES, cwd=elsewhere)


@pytest.mark.parametrize("room", ["spanscope/text", "widgets", "sample_sessions"])
def test_an_editable_install_sees_a_new_file(
    environment: Environment, tmp_path: Path, elsewhere: Path, room: str
) -> None:
    checkout = copy_checkout(tmp_path / "checkout")
    environment.install("--editable", checkout)
    (checkout / room / "newcomer.py").write_text("HELLO = 'seen'\n", encoding="utf-8")
    package = f"spanscope.{Path(room).name}"
    code = f"import {package}.newcomer as newcomer; print(newcomer.HELLO)"
    assert environment.run(code, cwd=elsewhere) == "seen"


def test_the_command_of_an_editable_install_starts(
    environment: Environment, checkout: Path, elsewhere: Path
) -> None:
    environment.install("--editable", checkout)
    assert __version__ in output(environment.script("spanscope"), "--version", cwd=elsewhere)
