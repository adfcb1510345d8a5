"""How often the screen is told of what was read."""

from __future__ import annotations

import time

LEAST = 1 / 30
"""Seconds between two messages to the screen, at least."""

SHARE = 4
"""So many times as long as the screen took to draw is waited for the next message: whoever reads
gets on, however slow the screen is."""

GIVEN_WAY = 50e-6
"""Seconds that whoever reads sleeps between two pieces."""


def give_way() -> None:
    """Let the screen's thread run.

    Reading hashes long texts, and each hash lets go of the interpreter's lock for some
    microseconds: whoever waits for it then wakes too late, and never counts as waiting long.
    """
    time.sleep(GIVEN_WAY)


class Pace:
    """The time until the screen may be told again. One thread tells, another one draws."""

    def __init__(self) -> None:
        self._told = float("-inf")
        self._every = LEAST

    @property
    def left(self) -> float:
        """Seconds until then; zero or less: now."""
        return self._told + self._every - time.monotonic()

    def told(self) -> None:
        """The screen is told now."""
        self._told = time.monotonic()

    def drew(self, seconds: float) -> None:
        """The screen took so long for what it was told."""
        self._every = max(LEAST, SHARE * seconds)
