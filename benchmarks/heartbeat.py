"""How long an event loop is silent, beyond what it was asked to sleep.

A silence is counted in CPU time of the whole process: the thread that holds the interpreter's lock
meanwhile is in it, and what other processes took is not.
"""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Self

BEAT = 0.002


class Heartbeat:
    """Asks for a sign of life every few milliseconds while its block runs."""

    def __init__(self) -> None:
        self.silences: list[float] = []
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._beat())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        self.silences.sort()

    @property
    def longest(self) -> float:
        """The longest silence, in seconds."""
        return self.silences[-1] if self.silences else 0.0

    def quantile(self, share: float) -> float:
        """The silence that this share of all was no longer than."""
        return self.silences[int(len(self.silences) * share)] if self.silences else 0.0

    async def _beat(self) -> None:
        while True:
            start = time.process_time()
            await asyncio.sleep(BEAT)
            self.silences.append(max(0.0, time.process_time() - start - BEAT))
