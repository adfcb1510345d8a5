"""The time in a sample session: the same at every build."""

from __future__ import annotations

from datetime import datetime, time, timedelta


class Clock:
    """Time that passes with every look at it, by steps that are always the same."""

    def __init__(self, start: datetime) -> None:
        self._now = start
        self._looks = 0

    def __call__(self) -> datetime:
        """The time now."""
        now = self._now
        self._looks += 1
        self._now += timedelta(milliseconds=40 + self._looks * 137 % 610)
        return now

    def pause(self, seconds: float) -> None:
        """Let time pass: a model thinks, a tool runs, a person reads."""
        self._now += timedelta(seconds=seconds)

    def until(self, hour: str) -> None:
        """Let time pass until so late on this day (`14:03:10`), where it is not as late yet."""
        at = time.fromisoformat(hour)
        self._now = max(self._now, datetime.combine(self._now.date(), at, self._now.tzinfo))
