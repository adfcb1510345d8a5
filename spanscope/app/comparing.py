"""Comparing texts without holding up the screen: short ones at once, long ones in a thread."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from spanscope.widgets.scene import compare_at_once

if TYPE_CHECKING:
    from spanscope.text.diff import TextDiff

AT_ONCE = 12_000
"""Characters of both texts together that take less than half a frame at the worst."""

KEPT = 16

Texts = tuple[str, str]


class Comparisons:
    """What panes ask for as `Scene.compare`.

    `begin` starts a thread that calls `run`; whoever is told that it ended draws again. Only what
    the last frame asked for is worked on.
    """

    def __init__(self, begin: Callable[[], None]) -> None:
        self._begin = begin
        self._lock = threading.Lock()
        self._known: OrderedDict[Texts, TextDiff] = OrderedDict()
        self._wanted: dict[Texts, None] = {}
        self._running = False

    def new_frame(self) -> None:
        """Forget what is no longer asked for."""
        with self._lock:
            self._wanted.clear()

    def __call__(self, old: str, new: str) -> TextDiff | None:
        """The comparison; null as long as it is being made."""
        if len(old) + len(new) <= AT_ONCE:
            return compare_at_once(old, new)
        texts = (old, new)
        with self._lock:
            if texts in self._known:
                self._known.move_to_end(texts)
                return self._known[texts]
            self._wanted[texts] = None
            begins, self._running = not self._running, True
        if begins:
            self._begin()
        return None

    def run(self, cancelled: Callable[[], bool]) -> None:
        """Make one comparison after the other until none is wanted."""
        from spanscope.text.diff import word_diff

        while (texts := self._next()) is not None and not cancelled():
            made = word_diff(*texts)
            with self._lock:
                self._known[texts] = made
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)

    def _next(self) -> Texts | None:
        with self._lock:
            texts = next((wanted for wanted in self._wanted if wanted not in self._known), None)
            self._running = texts is not None
            return texts
