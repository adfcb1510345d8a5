"""What-if on the undo stack: so many entries rolled back, exactly and naively."""

from __future__ import annotations

from spanscope.history.describing import counted, entry_name, number, short_hash
from spanscope.history.what_if.naive import NaivePart
from spanscope.history.what_if.rolling import Damaged, Restored, RolledBack, Step
from spanscope.model.content import Damage
from spanscope.text.cells import cell_width
from spanscope.widgets.lines import Line, Role, Row, shown_line, within
from spanscope.widgets.what_if import (
    LABEL,
    Block,
    Simulation,
    Texts,
    consequences,
    labelled,
    listed,
    quoted,
    rule_lines,
    sentence,
)

ABOVE, AHEAD = 4, 3
"""Entries shown above and below the last one that is rolled back."""

MOST_SPANS = 4
MOST_PLACES = 2
AROUND = 18
"""Characters shown around a damaged place."""

STRICT_WIDTH, NAIVE_WIDTH = 16, 16
COMFORTABLE = 14
"""Cells that a span's name gets where there is room."""

_BACK = {
    "ingest": "takes it out",
    "copy": "takes it out",
    "prune": "brings it back",
    "move": "moves it back",
    "rewrite": "puts it back",
    "observe": "puts it back",
}


def rollback_view(
    found: RolledBack, width: int, *, ahead: int = AHEAD, happened: str = ""
) -> Simulation:
    """What rolling back would do; `ahead` entries are shown below the last one rolled back.

    `happened` says what was done there in truth, where it was a rollback.
    """
    stopped = found.stopped
    blocks = [
        Block(sentence(_answer(found), width)),
        Block(labelled("Happened", happened, width, "muted") if happened else []),
        Block(_table(found, width, ahead)),
        Block(_naively(found, width)),
        Block(_exactly(found, width)),
        rule_lines(_rule(found), width),
    ]
    said = f"roll back {found.asked} from {found.seq}: "
    if stopped is not None:
        said += f"stops at #{stopped.entry.seq}: {stopped.why}"
    else:
        said += "exact" if found.asked == 1 else "all exact"
        said += "; a naive undo corrupts " + _damaged_names(found) if found.damaged else ""
    title = f"roll back {found.asked} of {number(found.size)}, from {found.seq}"
    return Simulation(title, said, blocks, _texts(found))


def _damaged_names(found: RolledBack) -> str:
    return listed([each.wanted.name for each in found.damaged])


def _answer(found: RolledBack) -> str:
    stopped, asked = found.stopped, found.asked
    if stopped is None:
        said = "It can be undone exactly" if asked == 1 else f"All {asked} can be undone exactly"
        if found.damaged:
            return f"{said}; a naive undo would corrupt {_damaged_names(found)}."
        return f"{said}, and a naive undo would do the same."
    name = f"#{stopped.entry.seq}"
    if found.possible:
        said = f"{found.possible} of {asked} can be undone exactly; {name} stops it: {stopped.why}."
    else:
        said = f"Exact undo stops at {name} at once: {stopped.why}. Nothing moves."
    if found.damaged:
        said += f" A naive undo goes on and corrupts {_damaged_names(found)}."
    return said


def _rule(found: RolledBack) -> str:
    """The rule that says what stops exact undo, or what the naive one breaks."""
    stopped = found.stopped
    if stopped is not None:
        if any(part.evicted for part in stopped.entry.parts):
            return "UND203"
        if stopped.entry.lacking:
            return "UND201"
        return "UND205" if stopped.row.status.direct == "ambiguous" else "UND204"
    asked = found.steps[: found.asked]
    if any(part.did == "elsewhere" for step in asked for part in step.naive):
        return "UND205"
    return "UND221"


# The entries


def _table(found: RolledBack, width: int, ahead: int) -> list[Line]:
    first = max(0, found.asked - ABOVE)
    steps = found.steps[first : found.asked + ahead]
    seqs = max(len("ENTRY"), *(len(str(step.entry.seq)) + 1 for step in steps))
    numbers = max(1, len(str(steps[-1].number)))
    room = width - numbers - seqs - 12 - STRICT_WIDTH - NAIVE_WIDTH
    longest = max(cell_width(shown_line(entry_name(step.entry))) for step in steps)
    names = max(6, min(room, max(longest, COMFORTABLE)))
    row = Row().put("n", "muted", numbers + 1, right=True).gap()
    row.put("ENTRY", "muted", seqs).gap().put("CHANGE", "muted", 9 + names)
    row.put("EXACT UNDO", "muted", STRICT_WIDTH).put("NAIVE UNDO", "muted")
    lines = [within(row.line(), width)]
    for step in steps:
        here = step.number == found.asked
        role: Role = "plain" if step.number <= found.asked else "muted"
        row = Row().put(">" if here else " ", "strong")
        row.put(str(step.number), role, numbers, right=True).gap()
        row.put(f"#{step.entry.seq}", role, seqs).gap().put(step.entry.op, role, 8)
        row.put(entry_name(step.entry), role, names, middle=True).gap()
        row.put(_strict(step), _strict_role(step, role), STRICT_WIDTH)
        done, how = _naive(step)
        row.put(done, how if step.number <= found.asked else "muted")
        lines.append(within(row.line("selected" if here else ""), width))
    return lines


def _strict(step: Step) -> str:
    if step.strict == "exact":
        return "exact" if step.at is None else f"exact at {step.at}"
    if step.strict == "stops":
        direct = step.row.status.direct
        return f"stops {direct}" if direct not in ("exact", "moved", "unknown") else "stops"
    return step.strict


def _strict_role(step: Step, role: Role) -> Role:
    return {"stops": "error", "unknown": "warning", "not reached": "muted"}.get(  # type: ignore[return-value]
        step.strict, role
    )


def _naive(step: Step) -> tuple[str, Role]:
    worst = step.worst
    if worst is None:
        return "does nothing", "muted"
    if worst.did == "right":
        kinds = {part.kind for part in step.entry.parts}
        back = _BACK.get(next(iter(kinds))) if len(kinds) == 1 else None
        return back or "same place", "muted"
    if worst.did == "elsewhere":
        return f"hits {worst.at}, not {worst.true}", "error"
    if worst.did == "overwrites":
        return "overwrites it", "error"
    return ("skips it", "warning") if worst.did == "skips" else ("unknown", "warning")


# What there would be


def _exactly(found: RolledBack, width: int) -> list[Line]:
    lines: list[Line] = []
    label = f"After {found.possible}"
    stay = [restored for restored in found.restored if not restored.gone]
    for restored in stay[:MOST_SPANS]:
        lines += labelled("" if lines else label, _restored(restored), width)
    gone = [restored.name for restored in found.restored if restored.gone]
    if gone:
        said = f"{listed(gone)} out of the buffer"
        lines += labelled("" if lines else label, said, width)
    more = len(stay) - MOST_SPANS
    if more > 0:
        lines += labelled("", f"and {counted(more, 'more span')}", width, "muted")
    then = consequences(found.holders, found.diffs) if found.possible else ""
    if then:
        lines += labelled("", then, width, "muted")
    if found.stopped is not None and found.possible:
        kept = entry_name(found.stopped.entry)
        said = f"not possible: {kept} would keep the change of {found.stopped.entry.seq}"
        lines += labelled(f"After {found.asked}", said, width, "error")
    return lines


def _restored(restored: Restored) -> str:
    name, span = restored.name, restored.span
    assert span is not None
    chars = counted(span.node.length, "char") if span.text is not None else "text unknown"
    words = f"v{span.version}  {short_hash(span.hash)}  {chars}"
    return f"{name}  {words}  as before {restored.before}"


def _naively(found: RolledBack, width: int) -> list[Line]:
    lines: list[Line] = []
    for step in found.steps[: found.asked]:
        worst = step.worst
        if worst is not None and worst.did != "right" and found.damaged:
            said = f"#{step.entry.seq} {_wrong(worst)}"
            lines += labelled("" if lines else "Naive", said, width, "warning")
    lines = lines[: 2 * MOST_SPANS]
    for damaged in found.damaged[:MOST_PLACES]:
        lines += labelled("" if lines else "Naive", _left(damaged), width, "error")
        for place in damaged.places[:MOST_PLACES]:
            lines += _damage(damaged, place, width)
    return lines


def _wrong(part: NaivePart) -> str:
    if part.did == "skips":
        return f"is skipped: {part.why}"
    if part.did == "unknown":
        return f"can't be told: {part.why}"
    put = f"puts {quoted(part.written)}" if part.written else "takes out text"
    over = f" over {quoted(part.destroyed)}" if part.destroyed else ""
    if part.did == "elsewhere":
        return f"{put} at {part.at}{over}; its place is {part.true}"
    return f"{put}{over}, which it never wrote" if over else f"{put}, which never stood there"


def _left(damaged: Damaged) -> str:
    wanted, got = damaged.wanted, damaged.got
    meant = "out of the buffer" if wanted.gone else short_hash(_hash(wanted))
    left = "out of the buffer" if got.gone else short_hash(got.hash)
    return f"{wanted.name} is left {left}, not {meant} as before {wanted.before}"


def _hash(restored: Restored) -> str | None:
    return None if restored.span is None else restored.span.hash


def _damage(damaged: Damaged, place: Damage, width: int) -> list[Line]:
    text = damaged.got.text or ""
    before = text[max(0, place.at - AROUND) : place.at].rpartition("\n")[2]
    end = place.at + len(place.actual)
    after = text[end : end + AROUND].partition("\n")[0]
    room = width - LABEL - 2 * AROUND - 10
    lines = []
    sides: list[tuple[str, str, Role]] = [
        ("should be", place.expected, "added"),
        ("would be", place.actual, "removed"),
    ]
    for label, middle, role in sides:
        row = Row().put(label, "muted", LABEL).put(shown_line(before))
        shown = quoted(middle, max(8, room))[1:-1]
        row.put(shown, role).put(shown_line(after))
        if role == "added":
            row.put(f"  at {place.at}", "muted")
        lines.append(within(row.line(), width))
    return lines


def _texts(found: RolledBack) -> list[Texts]:
    texts: list[Texts] = []
    for damaged in found.damaged:
        wanted, got = damaged.wanted, damaged.got
        meant = None if wanted.span is None or wanted.gone else wanted.span.text
        if meant is not None and got.text is not None:
            texts.append(Texts(wanted.name, "should be", meant, "naive undo", got.text))
    for restored in found.restored:
        now, span = restored.now, restored.span
        if now is None or span is None or now.text is None or span.text is None:
            continue
        old = now.text if now.live else ""
        new = "" if restored.gone else span.text
        if old != new:
            after = f"with {found.possible} undone exactly"
            texts.append(Texts(restored.name, f"at {found.seq}", old, after, new))
    return texts
