"""Files of our own in the state folder, readable by nobody else."""

from __future__ import annotations

import os
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write a whole file, or leave what was there: it is never seen half written.

    Raises OSError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with os.fdopen(os.open(temporary, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    temporary.replace(path)
