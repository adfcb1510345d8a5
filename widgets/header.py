"""The line at the top: which session, what state it is in, where the cursor is, what was found."""

from __future__ import annotations

from spanscope.history.describing import clock, number
from spanscope.widgets.lines import Line, Role, Row, fitted, spread
from spanscope.widgets.scene import Scene

WIDE = 150
MIDDLE = 100
COMPACT = 76


def header(scene: Scene, width: int) -> Line:
    """The header in exactly `width` cells; words first, then shorter ones, then numbers."""
    right = _numbers(scene, width).gap()
    left = Row().gap()
    if width >= MIDDLE:
        left.put("spanscope", "strong").gap(2)
    room = width - right.width - left.width - 2
    state, role = _state(scene, width)
    name = scene.history.name or scene.file
    kept = max(8, room - (len(state) + 3 if width >= COMPACT or role != "muted" else 0))
    left.put(name, "muted" if width >= MIDDLE else "strong", min(kept, len(name)))
    if width >= COMPACT or role != "muted":
        left.gap(3 if width >= MIDDLE else 2).put(state, role)
    return fitted(spread(left.line(), right.line(), width, "surface"), width)


def _state(scene: Scene, width: int) -> tuple[str, Role]:
    audit, history = scene.audit, scene.history
    if not audit.done:
        said = f"AUDITING {audit.percent}%"
        return (f"{said}, to {number(history.last)}" if width >= MIDDLE else said), "strong"
    if width < MIDDLE:
        return "rec", "muted"
    if history.closed is None:
        return "recording, cut short", "warning"
    if width < WIDE:
        return "recording", "muted"
    return f"recording, closed {clock(history.closed.time)}", "muted"


def _numbers(scene: Scene, width: int) -> Row:
    history, findings = scene.history, scene.findings
    row = Row()
    if width >= COMPACT:
        row.put("step ", "muted")
    row.put(number(scene.seq), "strong").put(f"/{number(history.last)}", "muted")
    wide = 3 if width >= MIDDLE else 2
    if history.turns:
        row.gap(wide).put("turn " if width >= COMPACT else "t", "muted")
        row.put(str(scene.turn)).put(f"/{len(history.turns)}", "muted")
    revision = history.revision_at(scene.seq)
    if revision is not None:
        row.gap(wide).put("rev " if width >= MIDDLE else "r", "muted").put(str(revision))
    more = "" if scene.audit.done else "+"
    for severity, word, sign in (("error", "errors", "!"), ("warning", "warnings", "~")):
        here, all_ = findings.count(severity, scene.seq), findings.count(severity)
        role: Role = ("error" if severity == "error" else "warning") if here else "muted"
        row.gap(wide).put(f"{word if width >= MIDDLE else sign} ", role if all_ else "muted")
        row.put(str(here), role).put(f"/{all_}{more}", "muted")
    if scene.unknown:
        row.gap(wide).put(f"? {scene.unknown}", "warning")
    return row
