"""A copy of the repository, what is built from it, and an environment to install that into."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.checkout import copy_checkout
from support.environments import Environment
from support.processes import output


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy to build in: builds leave files behind that a later build would pick up."""
    return copy_checkout(tmp_path_factory.mktemp("checkout") / "spanscope")


@pytest.fixture(scope="session")
def distributions(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel, each built straight from the checkout."""
    return build(checkout, tmp_path_factory.mktemp("dist"), "--sdist", "--wheel")


@pytest.fixture(scope="session")
def wheel(distributions: Path) -> Path:
    return only(distributions, "*.whl")


@pytest.fixture(scope="session")
def sdist(distributions: Path) -> Path:
    return only(distributions, "*.tar.gz")


@pytest.fixture(scope="session")
def wheel_from_sdist(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What somebody gets who builds from the sdist."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    output(sys.executable, "-m", "tarfile", "--extract", sdist, unpacked, cwd=unpacked)
    return only(build(only(unpacked, "*"), tmp_path_factory.mktemp("rebuilt"), "--wheel"), "*.whl")


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(tmp_path / "environment")


def build(source: Path, target: Path, *kinds: str) -> Path:
    """Build distributions of `source` into `target` with the tools that are installed here."""
    output(
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--outdir",
        target,
        *kinds,
        source,
        cwd=source,
    )
    return target


def only(folder: Path, pattern: str) -> Path:
    """The one file or folder in `folder` that matches."""
    [path] = folder.glob(pattern)
    return path
