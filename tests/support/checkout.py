"""The repository as files: where it lies, what it ships, a copy to do things to."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_LEFTOVERS = shutil.ignore_patterns(
    ".git", ".venv", "venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis"
)


def copy_checkout(target: Path) -> Path:
    """Copy the repository without what tools leave behind; symlinks stay symlinks."""
    return Path(shutil.copytree(ROOT, target, symlinks=True, ignore=_LEFTOVERS))


def package_files() -> set[str]:
    """Every file of the package as it stands in the tree, by its path when installed."""
    return {
        (Path(folder) / name).relative_to(ROOT).as_posix()
        for folder, folders, names in os.walk(ROOT / "spanscope", followlinks=True)
        for name in names
        if "__pycache__" not in Path(folder).parts
    }


def packages() -> set[str]:
    """Every package in the tree, dotted: the folders that hold an `__init__.py`."""
    inits = (Path(file) for file in package_files() if file.endswith("/__init__.py"))
    return {".".join(init.parent.parts) for init in inits}
