"""Running commands as a user would, in processes of their own."""

from __future__ import annotations

import subprocess
from pathlib import Path


def output(*command: str | Path, cwd: Path, exit_code: int = 0) -> str:
    """What a command prints on standard output; the test fails where it exits otherwise."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == exit_code, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
