"""How often the screen is told of what was read."""

from __future__ import annotations

import os
import time
from contextlib import suppress

SLICE = 0.012
"""Seconds that are looked on at a time, for what is sought: the screen stays quick."""

INTERVAL = 1 / 60
"""Seconds between two moments of looking on."""

LEAST = 1 / 30
"""Seconds between two messages to the screen, at least."""

SHARE = 4
"""So many times as long as the screen took to draw is waited for the next message: whoever reads
gets on, however slow the screen is."""

REST = 1 / 60
"""Seconds from one look at a growing file to the next: no screen shows more, and a writer that
writes all the time wakes no reader. Also the least between two messages of a few events."""

FEW = 4
"""Events that are told sooner than a stream is: an agent that takes its time is seen at once."""

SHARE_OF_FEW = 2
"""`SHARE` for a few events."""

GIVEN_WAY = 50e-6
"""Seconds that whoever reads sleeps between two pieces."""


NICENESS = 5
"""What a process that watches an agent is to the scheduler: an agent is not held up by it."""


def step_back() -> None:
    """Leave the processor to the agent that is watched, where both want it."""
    with suppress(AttributeError, OSError):  # Windows has no such calls
        if os.getpriority(os.PRIO_PROCESS, 0) < NICENESS:
            os.setpriority(os.PRIO_PROCESS, 0, NICENESS)


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
        self._drew = 0.0

    @property
    def left(self) -> float:
        """Seconds until then; zero or less: now."""
        return self._until(max(LEAST, SHARE * self._drew))

    def left_for(self, events: int) -> float:
        """The same where so many events are to be told."""
        if events > FEW:
            return self.left
        return self._until(max(REST, SHARE_OF_FEW * self._drew))

    def told(self) -> None:
        """The screen is told now."""
        self._told = time.monotonic()

    def drew(self, seconds: float) -> None:
        """The screen took so long for what it was told."""
        self._drew = seconds

    def _until(self, every: float) -> float:
        return self._told + every - time.monotonic()
