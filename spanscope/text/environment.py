"""What the environment says of what may be drawn."""

from __future__ import annotations

import os
from typing import Final

ASCII_VARIABLE: Final = "SPANSCOPE_ASCII"
"""Set (and not to 0), everything of our own is drawn in ASCII; `--ascii` sets it."""


def wants_ascii() -> bool:
    """Whether the user wants ASCII."""
    return os.environ.get(ASCII_VARIABLE, "") not in ("", "0")


def can_draw() -> bool:
    """Whether the terminal can do more than print lines, by what it is called."""
    return os.environ.get("TERM", "").lower() not in ("dumb", "unknown")
