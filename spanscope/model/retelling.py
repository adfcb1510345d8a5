"""Orders that kept edits would have met without what is undone, told once for all of them."""

from __future__ import annotations

from typing import NamedTuple

from spanscope.model.steps import Step, redo_step, undo_step


class Retelling:
    """An order as it came to be: `order` is what the steps so far left."""

    def __init__(self, order: list[str]) -> None:
        self.order = list(order)
        self._steps: list[Step[str]] = []

    def step(self, place: int, removed: str | None, inserted: str | None) -> None:
        """An id goes from a place, another comes there, or both."""
        step = Step(0, place, removed, inserted)
        redo_step(self.order, step)
        self._steps.append(step)

    @property
    def count(self) -> int:
        """How many steps there are."""
        return len(self._steps)

    def before(self, count: int) -> list[str]:
        """The order as it was after so many steps."""
        order = list(self.order)
        for step in reversed(self._steps[count:]):
            undo_step(order, step)
        return order


class Retold(NamedTuple):
    """The order that an event would have met: a retelling after `start` steps; `end`: it left."""

    telling: Retelling
    start: int
    end: int

    def order(self) -> list[str]:
        """The ids in order."""
        return self.telling.before(self.start)

    def follows(self, other: Retold) -> bool:
        """Whether it is what another event left."""
        return self.telling is other.telling and self.start == other.end


UNWRITTEN = Retold(Retelling([]), 0, 0)
"""The order that the stack below gives; the place of an edit is in that."""
