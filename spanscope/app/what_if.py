"""What-if in the app: the keys in it, and the box that it is drawn into."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from spanscope.app.hints import ROWS, Hint
from spanscope.app.layout import Plan
from spanscope.app.pace import SLICE
from spanscope.widgets.canvas import Canvas
from spanscope.widgets.scene import Scene
from spanscope.widgets.simulated import boxed

if TYPE_CHECKING:
    from spanscope.widgets.what_if import Question, Simulation

NO_TEXTS = "no text would be another than it is"
"""Where there is nothing to compare."""

KEPT_ABOVE = 4
"""Lines of the panes above that stay in sight."""

LOW = 20
"""Lines of the box below which less of the undo stack is shown."""

AT_ONCE = SLICE
"""Seconds that a question may hold up the screen; a longer answer is worked out beside it."""

LEAST_WIDTH = 62
"""The box takes the whole width where the detail pane is narrower."""

Command = Callable[[int], str | None]


def hints(asked: Question, simulation: Simulation, seq: int) -> list[Hint]:
    """What the key line names in What-if, with the cursor at a step."""
    if asked.texts:
        return [Hint(ROWS, "scroll"), Hint(("close",), "the answer")]
    texts = [Hint(("enter",), "the texts")] if simulation.texts else []
    rows = Hint(ROWS, "how many" if asked.asked == "rollback" else "scroll")
    return [rows, *texts, Hint(("close",), f"back to {seq}")]


class WhatIfBox(Canvas):
    """The dashed box above the panes, which go on showing what happened."""

    _high = 0
    """Lines of the box as it was drawn last: it stays as high while an answer is worked out."""

    def show(self, scene: Scene, asked: Question | None, plan: Plan) -> Simulation | None:
        """Draw the answer; null where nothing is asked."""
        self.display = asked is not None
        if asked is None:
            return None
        width, height = self.app.size
        bottom = height - 1 - plan.message
        across, least, most = _room(plan, width, bottom)
        simulation = _answer(scene, asked, across - 4, low=most < LOW)
        if asked.texts:
            lines = simulation.compared(across - 4, scene.compare)
        else:
            lines = simulation.lines(most - 2)
        wanted = len(lines) + 2 if simulation.done else self._high
        high = self._high = min(most, max(least, wanted))
        room = high - 2
        if simulation.done:
            asked.top = max(0, min(asked.top, len(lines) - room))
        shown = lines[asked.top : asked.top + room]
        hidden = len(lines) > room
        seen = f"{asked.top + 1}..{asked.top + len(shown)} of {len(lines)}"
        note = f"{seen}, page down" if hidden else ""
        self.styles.width, self.styles.height = across, high
        self.styles.offset = (width - across, bottom - high)
        self.draw(boxed(simulation.title, shown, across, high, note=note))
        return simulation


def _room(plan: Plan, width: int, bottom: int) -> tuple[int, int, int]:
    """How wide the box is, and how high at least and at most."""
    body = bottom - 1 - plan.timeline - (plan.form == "tabs")
    if not plan.first:
        return width, body, body
    second = max(place.height for place in plan.second.values())
    detail = plan.second.get("detail")
    if detail is not None and plan.boxed and detail.width >= LEAST_WIDTH:
        return detail.width, detail.height, detail.height
    return width, second, max(second, body - KEPT_ABOVE)


def _answer(scene: Scene, asked: Question, width: int, *, low: bool) -> Simulation:
    """The answer, worked out anew only where it is another question; else that it is coming."""
    from spanscope.app.simulating import pending, simulating

    key = (scene.history, scene.seq, asked.asked, asked.name, asked.steps, width, low)
    if asked.made is None or asked.made[0] != key:
        if asked.making is None or asked.making[0] != key:
            asked.made, asked.making = None, (key, simulating(scene, asked, width, low=low))
            asked.work_on(AT_ONCE)
        if asked.made is None:
            return pending(asked)
    return asked.made[1]


class Desk(Protocol):
    """Where the question lies."""

    help: bool
    what_if: Question | None


class WhatIfKeys:
    """The keys while What-if is open; others do what they always do."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def find(self, id: str) -> Command | None:
        """What an action does in What-if; null where it does the usual."""
        asked = self._desk.what_if
        if asked is None or self._desk.help:
            return None
        move = self._more if asked.asked == "rollback" and not asked.texts else self._scroll
        moves: dict[str, Command] = {
            "what_if": lambda _: self._leave(asked),
            "close": lambda _: self._leave(asked),
            "enter": lambda _: self._texts(asked),
            "select_next": lambda n: move(asked, n),
            "select_previous": lambda n: move(asked, -n),
            "map_nearer": lambda n: self._more(asked, n),
            "map_farther": lambda n: self._more(asked, -n),
            "page_down": lambda n: self._scroll(asked, 10 * n),
            "page_up": lambda n: self._scroll(asked, -10 * n),
        }
        return moves.get(id)

    @property
    def working(self) -> bool:
        """Whether an answer is still being worked out."""
        asked = self._desk.what_if
        return asked is not None and asked.making is not None

    def advance(self) -> None:
        """Work on for a moment."""
        if self._desk.what_if is not None:
            self._desk.what_if.work_on(SLICE)

    def _leave(self, asked: Question) -> str | None:
        if asked.texts:
            asked.texts, asked.top = False, 0
        else:
            self._desk.what_if = None
        return None

    def _texts(self, asked: Question) -> str | None:
        if asked.asked == "rewrite":
            return "no text is made up here: whatever it is rewritten to, this holds"
        if not asked.texts and asked.made is not None and not asked.made[1].texts:
            return NO_TEXTS
        asked.texts, asked.top = not asked.texts, 0
        return None

    def _more(self, asked: Question, count: int) -> str | None:
        if asked.asked != "rollback":
            return "how many is asked of rollbacks only"
        from spanscope.app.simulating import MOST_STEPS

        wanted = asked.steps + count
        asked.steps = min(max(1, wanted), MOST_STEPS)
        return f"at most {MOST_STEPS} are tried at once" if wanted > MOST_STEPS else None

    def _scroll(self, asked: Question, count: int) -> str | None:
        asked.top += count
        return None
