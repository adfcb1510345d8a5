"""What the environment says of what may be drawn."""

from __future__ import annotations

import os
import sys
from typing import Final

ASCII_VARIABLE: Final = "SPANSCOPE_ASCII"
"""Set (and not to 0), everything of our own is drawn in ASCII; `--ascii` sets it."""


def wants_ascii() -> bool:
    """Whether the user wants ASCII."""
    return os.environ.get(ASCII_VARIABLE, "") not in ("", "0")


def can_draw() -> bool:
    """Whether the terminal can do more than print lines, by what it is called."""
    return os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


def has_terminal(*, keys: bool = True) -> bool:
    """Whether what is drawn goes to a terminal and, with `keys`, standard input is one.

    One that can only print lines is none.
    """
    streams = (sys.stdin, sys.stdout, sys.stderr) if keys else (sys.stdout, sys.stderr)
    return can_draw() and all(stream is not None and stream.isatty() for stream in streams)
