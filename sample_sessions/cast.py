"""The actors of a live session: each acts in a thread of its own, at a pace a person can follow."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

PACE = 0.25
"""Seconds before an act. After a caption and a model call it takes longer until the next."""

CAPTION = 14
CALL = 3
"""So many acts long: a caption is read while it is the last event."""

T = TypeVar("T")


class Cast:
    """Who acts; they take turns, as the script says. `pace`: seconds an act."""

    def __init__(self, pace: float = PACE) -> None:
        self.pace = pace
        self._actors: dict[str, ThreadPoolExecutor] = {}

    def act(self, actor: str, what: Callable[[], T], *, length: int = 1) -> T:
        """Let an actor do something; what it gives, or the error that it raises."""
        if actor not in self._actors:
            self._actors[actor] = ThreadPoolExecutor(1, thread_name_prefix=actor)

        def paced() -> T:
            time.sleep(self.pace)
            done = what()
            time.sleep(self.pace * (length - 1))
            return done

        return self._actors[actor].submit(paced).result()

    def leave(self) -> None:
        """Every actor has ended."""
        for actor in self._actors.values():
            actor.shutdown()
