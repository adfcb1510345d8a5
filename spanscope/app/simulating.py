"""What `r` asks, and the answer: what would happen at the cursor. Loaded when it is first asked."""

from __future__ import annotations

from spanscope.history.describing import told
from spanscope.history.what_if.applying import apply_here
from spanscope.history.what_if.rewriting import rewrite_here
from spanscope.history.what_if.rolling import MOST_STEPS, rolling_back
from spanscope.journal.events import Rollback
from spanscope.widgets.lines import plain
from spanscope.widgets.scene import Scene
from spanscope.widgets.what_if import Block, Question, Simulating, Simulation
from spanscope.widgets.what_if_diff import diff_view
from spanscope.widgets.what_if_rollback import AHEAD, rollback_view
from spanscope.widgets.what_if_span import span_view

__all__ = ["MOST_STEPS", "pending", "question", "rollback_point", "simulating"]


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


def pending(asked: Question) -> Simulation:
    """What is said until the answer is there."""
    title = {
        "rollback": f"roll back {asked.steps}",
        "apply": f"apply {asked.name}",
        "rewrite": f"rewrite {asked.name}",
    }[asked.asked]
    said = "working it out..."
    return Simulation(title, said, [Block([plain(said, "muted")])], done=False)


def simulating(scene: Scene, asked: Question, width: int, *, low: bool = False) -> Simulating:
    """The answer at the cursor, for rows of `width` cells; `low`: there are few."""
    history, seq = scene.history, scene.seq
    if asked.asked == "rollback":
        point = rollback_point(scene)
        found = yield from rolling_back(history, point, asked.steps, AHEAD)
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
    return Simulation(title, said, [Block([plain(said, "muted")])])
