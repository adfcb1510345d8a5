"""The line at the top: which session, what state it is in, where the cursor is, what was found."""

from __future__ import annotations

from spanscope.history.describing import clock, number
from spanscope.text.cells import cell_width
from spanscope.widgets.lines import Line, Role, Row, fitted, plain, shown_line, spread
from spanscope.widgets.live import Live, Words, follow_words, state_words
from spanscope.widgets.scene import Scene

WIDE = 150
MIDDLE = 100
COMPACT = 76
_WORDS: tuple[Words, ...] = ("all", "some", "few", "least")

NAME_WIDTH = 12
"""Cells that a session's name keeps beside the state of a journal that grows."""


def header(scene: Scene, width: int, simulated: str = "") -> Line:
    """The header in exactly `width` cells; words first, then shorter ones, then numbers.

    `simulated` says, in place of the journal's state, that what is shown is none of its own.
    """
    left = Row().gap()
    if width >= MIDDLE:
        left.put("spanscope", "strong").gap(2)
    name, wanted = scene.history.name or scene.file, _name_width(scene)
    scales = [(width, True), (min(width, MIDDLE - 1), True), (min(width, COMPACT - 1), True)]
    if not scene.audit.done:
        # Totals are of what has been read so far: they matter least.
        scales.append((min(width, COMPACT - 1), False))
    for scale, totals in scales:
        right = _numbers(scene, scale, totals=totals).gap()
        if right.width > width - NAME_WIDTH:
            right = _numbers(scene, scale, totals=False).gap()
        room = width - right.width - left.width - 2
        state = _state(scene, width, room)
        if simulated:
            state = plain(f" {simulated} ", "badge-simulation")
        shown = width >= COMPACT or any(role not in ("muted", "plain") for _, role in state.cells)
        taken = state.width + 3 if shown else 0
        if taken + min(NAME_WIDTH, wanted) <= room:
            break
    kept = max(8, room - taken)
    left.put(name, "muted" if width >= MIDDLE else "strong", min(kept, wanted))
    if shown:
        left.gap(3 if width >= MIDDLE else 2)
        for text, role in state.cells:
            left.put(text, role)
    return fitted(spread(left.line(), right.line(), width, "surface"), width)


def _state(scene: Scene, width: int, room: int) -> Line:
    audit, history = scene.audit, scene.history
    if not audit.done:
        said = f"AUDITING {audit.percent}%"
        return plain(f"{said}, to {number(history.last)}" if width >= MIDDLE else said, "strong")
    if scene.since is not None:
        steps = scene.since.steps
        said = f"PIN {scene.since.pin} > {scene.seq}"
        many = f", {abs(steps)} step{'' if abs(steps) == 1 else 's'}{' back' if steps < 0 else ''}"
        return plain(f" {said}{many if width >= MIDDLE else ''} ", "cursor")
    if scene.lens is not None:
        count = len(scene.lens.seqs)
        said = f"LENS {scene.lens.subject.name}"
        many = f", {number(count)} event{'' if count == 1 else 's'}" if width >= MIDDLE else ""
        return plain(said + many, "strong")
    if scene.live is not None:
        return _live_state(scene, scene.live, room)
    if width < MIDDLE:
        return plain("rec", "muted")
    if history.closed is None:
        return plain("recording, cut short", "warning")
    if width < WIDE:
        return plain("recording", "muted")
    return plain(f"recording, closed {clock(history.closed.time)}", "muted")


def _live_state(scene: Scene, live: Live, room: int) -> Line:
    """In as many words as leave room for the session's name."""
    name = min(NAME_WIDTH, _name_width(scene))
    lines = [_live_words(scene, live, words) for words in _WORDS]
    return next((line for line in lines if line.width + 3 + name <= room), lines[-1])


def _name_width(scene: Scene) -> int:
    """How many cells the session's name would take."""
    return cell_width(shown_line(scene.history.name or scene.file))


def _live_words(scene: Scene, live: Live, words: Words) -> Line:
    row = state_words(live, scene.history, now=scene.now, words=words)
    if live.growing:
        behind = len(scene.history) - 1 - scene.position
        said, role = follow_words(following=scene.following, behind=behind, words=words)
        row.gap(3 if words == "all" else 2).put(said, role)
    return row.line()


def _numbers(scene: Scene, width: int, *, totals: bool = True) -> Row:
    """Where the cursor is and what was found; without `totals` only up to there."""
    history, findings = scene.history, scene.findings
    row = Row()
    if width >= COMPACT:
        row.put("step ", "muted")
    row.put(number(scene.seq), "strong").put(f"/{number(history.last)}", "muted")
    wide = 3 if width >= MIDDLE else 2
    if history.turns:
        row.gap(wide).put("turn " if width >= COMPACT else "t", "muted")
        row.put(number(scene.turn)).put(f"/{number(len(history.turns))}", "muted")
    revision = history.revision_at(scene.seq)
    if revision is not None:
        row.gap(wide).put("rev " if width >= MIDDLE else "r", "muted").put(number(revision))
    more = "" if scene.audit.done else "+"
    since = _since(scene, width)
    for severity, word, sign in (("error", "errors", "!"), ("warning", "warnings", "~")):
        here, all_ = findings.count(severity, scene.seq), findings.count(severity)
        role: Role = ("error" if severity == "error" else "warning") if here else "muted"
        row.gap(wide).put(f"{word if width >= MIDDLE else sign} ", role if all_ else "muted")
        row.put(number(here), role)
        if since and severity == "error":
            row.put(since, "muted")
        elif totals:
            row.put(f"/{number(all_)}{more}", "muted")
    if scene.unknown:
        row.gap(wide).put(f"? {number(scene.unknown)}", "warning")
    return row


def _since(scene: Scene, width: int) -> str:
    """At the end of a journal that grows: the errors before it was opened and since."""
    live = scene.live
    if live is None or not live.growing or not scene.following or width < WIDE:
        return ""
    since = scene.findings.count("error") - live.before
    return f" ({number(live.before)} before, {number(since)} since)"
