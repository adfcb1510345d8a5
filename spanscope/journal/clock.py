"""The time of events, as journals write it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

Clock = Callable[[], datetime]

_MILLISECONDS: Final = [f"{number:03}Z" for number in range(1000)]


def utc_now() -> datetime:
    """The clock of a journal unless it is given another one."""
    return datetime.now(UTC)


def rfc3339(moment: datetime) -> str:
    """A moment as journals write it: UTC, milliseconds, `Z`. One without a zone counts as UTC."""
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return aware.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


class SystemTime:
    """The time now, as `rfc3339` writes it; its seconds are formatted once a second."""

    def __init__(self) -> None:
        self._second = -1
        self._words = ""

    def __call__(self) -> str:
        """UTC in milliseconds."""
        second, rest = divmod(time.time_ns(), 1_000_000_000)
        if second != self._second:
            self._words = time.strftime("%Y-%m-%dT%H:%M:%S.", time.gmtime(second))
            self._second = second
        return self._words + _MILLISECONDS[rest // 1_000_000]


def stamps(clock: Clock | None) -> Callable[[], str]:
    """What gives an event its time: a clock's moments as journals write them."""
    return SystemTime() if clock is None else lambda: rfc3339(clock())
