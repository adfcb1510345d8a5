"""What-if in the app: what `r` asks, the keys in it, and the box that it is drawn into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from spanscope.app.layout import Plan
from spanscope.history.describing import told
from spanscope.history.what_if.applying import apply_here
from spanscope.history.what_if.rewriting import rewrite_here
from spanscope.history.what_if.rolling import MOST_STEPS, roll_back
from spanscope.journal.events import Rollback
from spanscope.widgets.canvas import Canvas
from spanscope.widgets.lines import plain
from spanscope.widgets.scene import Scene
from spanscope.widgets.simulated import boxed
from spanscope.widgets.what_if import Block, Question, Simulation
from spanscope.widgets.what_if_diff import diff_view
from spanscope.widgets.what_if_rollback import AHEAD, rollback_view
from spanscope.widgets.what_if_span import span_view

KEPT_ABOVE = 4
"""Lines of the panes above that stay in sight."""

LOW = 20
"""Lines of the box below which less of the undo stack is shown."""

LEAST_WIDTH = 62
"""The box takes the whole width where the detail pane is narrower."""

Command = Callable[[int], str | None]


def rollback_point(scene: Scene) -> int:
    """The step to roll back from: the cursor's; at a rollback the one before it."""
    return scene.previous if isinstance(scene.event, Rollback) else scene.seq


def question(scene: Scene, focus: str, *, held: bool) -> Question | str:
    """What to ask with this pane in focus; else why there is nothing to ask.

    `held`: the selection was made by hand.
    """
    selected = scene.selected
    kind = None if selected is None else selected.kind
    rolled = isinstance(scene.event, Rollback) and not held
    if focus == "undo" or (focus not in ("spans", "staging") and (kind == "entry" or rolled)):
        return _rollback(scene)
    if focus == "staging":
        rows = scene.moment.staging(include_out=True)
        names = [row.diff.diff for row in rows]
        if not names:
            return f"nothing is staged at {scene.seq}"
        named = selected is not None and selected.kind == "diff" and selected.id in names
        return Question("apply", str(selected.id) if named and selected else names[0])
    if selected is not None and kind == "diff" and focus != "spans":
        if apply_here(scene.history, scene.seq, str(selected.id)) is None:
            return f"{selected.name} is not staged at {scene.seq}"
        return Question("apply", str(selected.id))
    return _rewrite(scene)


def _rollback(scene: Scene) -> Question | str:
    seq, selected = rollback_point(scene), scene.selected
    moment = scene.history.at(seq)
    if not moment.undo_size:
        return f"there is nothing to undo at {seq}"
    steps = 1
    event = scene.event
    if isinstance(event, Rollback):
        named = [moment.undo_place(of) for of in event.of or ()]
        places = [place for place in named if place is not None]
        steps = event.steps or max(places, default=0) + 1
    elif selected is not None and selected.kind == "entry":
        place = moment.undo_place(int(selected.id))
        steps = 1 if place is None else place + 1
    return Question("rollback", steps=min(steps, moment.undo_size, MOST_STEPS))


def _rewrite(scene: Scene) -> Question | str:
    selected = scene.selected
    name: str | None = None
    if selected is not None and selected.kind == "span":
        name = str(selected.id)
    elif selected is not None and selected.kind == "artifact":
        row = scene.moment.artifact(str(selected.id))
        name = None if row is None else row.artifact.span
    if name is None:
        return "select a span, an entry or a diff first: j k in its pane"
    span = scene.moment.span(name)
    if span is None or not span.live:
        return f"{name} is not in the buffer at {scene.seq}"
    return Question("rewrite", name)


def simulate(scene: Scene, asked: Question, width: int, *, low: bool = False) -> Simulation:
    """The answer at the cursor, for rows of `width` cells; `low`: there are few."""
    history, seq = scene.history, scene.seq
    if asked.asked == "rollback":
        point = rollback_point(scene)
        found = roll_back(history, point, asked.steps, AHEAD)
        asked.steps = max(1, found.asked)
        if not found.size:
            return _nothing("roll back", f"there is nothing to undo at {point}")
        happened = f"{' '.join(told(history, seq)[:1])}; this is the step before"
        return rollback_view(
            found,
            width,
            ahead=1 if low else AHEAD,
            happened=happened if point != seq else "",
        )
    if asked.asked == "apply":
        applied = apply_here(history, seq, asked.name)
        if applied is None:
            return _nothing(f"apply {asked.name}", f"{asked.name} is not staged at {seq}")
        return diff_view(applied, width)
    rewritten = rewrite_here(history, seq, asked.name)
    if rewritten is None:
        return _nothing(f"rewrite {asked.name}", f"{asked.name} is not in the buffer at {seq}")
    return span_view(rewritten, width)


def _nothing(title: str, said: str) -> Simulation:
    return Simulation(title, said, [Block([plain(said, "muted")])], (), (("escape", "back"),))


class WhatIfBox(Canvas):
    """The dashed box above the panes, which go on showing what happened."""

    def show(self, scene: Scene, asked: Question | None, plan: Plan) -> Simulation | None:
        """Draw the answer; null where nothing is asked."""
        self.display = asked is not None
        if asked is None:
            return None
        width, height = self.app.size
        bottom = height - 1 - plan.message
        across, least, most = _room(plan, width, bottom)
        simulation = _remembered(scene, asked, across - 4, low=most < LOW)
        if asked.texts:
            lines = simulation.compared(across - 4, scene.compare)
        else:
            lines = simulation.lines(most - 2)
        high = min(most, max(least, len(lines) + 2))
        room = high - 2
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


def _remembered(scene: Scene, asked: Question, width: int, *, low: bool) -> Simulation:
    """The answer, worked out anew only where it is another question."""
    key = (scene.history, scene.seq, asked.asked, asked.name, asked.steps, width, low)
    if asked.made is None or asked.made[0] != key:
        asked.made = (key, simulate(scene, asked, width, low=low))
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

    def _leave(self, asked: Question) -> str | None:
        if asked.texts:
            asked.texts, asked.top = False, 0
        else:
            self._desk.what_if = None
        return None

    def _texts(self, asked: Question) -> str | None:
        if asked.asked == "rewrite":
            return "no text is made up here: whatever it is rewritten to, this holds"
        asked.texts, asked.top = not asked.texts, 0
        return None

    def _more(self, asked: Question, count: int) -> str | None:
        if asked.asked != "rollback":
            return "how many is asked of rollbacks only"
        wanted = asked.steps + count
        asked.steps = min(max(1, wanted), MOST_STEPS)
        return f"at most {MOST_STEPS} are tried at once" if wanted > MOST_STEPS else None

    def _scroll(self, asked: Question, count: int) -> str | None:
        asked.top += count
        return None
