"""What-if on staging: a diff applied here."""

from __future__ import annotations

from spanscope.history.describing import counted, short_hash
from spanscope.history.what_if.applying import Applied, Written
from spanscope.widgets.lines import Line, Role
from spanscope.widgets.what_if import (
    Block,
    Simulation,
    Texts,
    consequences,
    labelled,
    rule_lines,
    sentence,
)

MOST_REASONS = 4


def diff_view(found: Applied, width: int) -> Simulation:
    """What applying the diff would do."""
    name, verdict = found.diff.diff, found.judgement.verdict
    blocks = [
        Block(sentence(_answer(found), width)),
        Block(_reasons(found, width)),
        Block(_merges(found, width)),
        Block(_checks(found, width)),
        rule_lines(_rule(found), width),
    ]
    said = f"apply {name} at {found.seq}: {verdict}"
    said += "; a write-set check would let it pass" if found.slips_through else ""
    return Simulation(f"apply {name} at {found.seq}", said, blocks, _texts(found))


def _answer(found: Applied) -> str:
    name, verdict = found.diff.diff, found.judgement.verdict
    if found.allowed:
        same = "nothing it rests on has changed" if verdict == "reconcilable" else "the base stands"
        return f"{name} may be applied here: it is {verdict}, {same}, and it can be undone."
    if verdict == "unknown":
        return f"Whether {name} may be applied here can't be told: {found.judgement.why}."
    if found.fragile is not None and verdict in ("admissible", "reconcilable"):
        return f"{name} is {verdict}, but after one more write it could not be undone."
    said = f"{name} must not be applied here: it is {verdict}."
    if found.slips_through:
        said += " A check of what it writes would let it through."
    return said


def _rule(found: Applied) -> str:
    verdict = found.judgement.verdict
    if verdict == "stale" and not found.slips_through:
        return "DIF311"
    codes = {"stale": "DIF301", "unreachable": "DIF304", "conflict": "DIF306"}
    return codes.get(verdict, "DIF305" if found.fragile is not None else "DIF312")


def _reasons(found: Applied, width: int) -> list[Line]:
    lines: list[Line] = []
    if found.left is not None:
        lines += labelled("Happened", f"it was {found.left}; this is the step before", width)
    reasons = [reason for reason in found.judgement.reasons if reason.rule != "DIF305"]
    for index, reason in enumerate(reasons[:MOST_REASONS]):
        who = f" ({reason.actor})" if reason.actor is not None else ""
        said = f"{reason.rule} {reason.detail}{who}"
        lines += labelled("" if index else "Against", said, width, "warning")
    more = len(reasons) - MOST_REASONS
    if more > 0:
        lines += labelled("", f"and {counted(more, 'more reason')}", width, "muted")
    return lines


def _merges(found: Applied, width: int) -> list[Line]:
    lines: list[Line] = []
    for written in found.written:
        lines += labelled("" if lines else "Merges", _written(written), width)
    for name in found.unplaced:
        said = f"{name}  an edit has no place here"
        lines += labelled("" if lines else "Merges", said, width, "error")
    then = consequences(found.holders, found.diffs)
    return lines + (labelled("Then", then, width) if then else [])


def _written(written: Written) -> str:
    before, after = written.before, written.after
    if after is None or not after.live:
        return f"{written.name}  taken out of the buffer"
    now = f"{short_hash(after.hash)}  {counted(after.node.length, 'char')}"
    if before is None or not before.live:
        return f"{written.name}  new, {now}"
    return (
        f"{written.name}  v{before.version} > v{after.version}  "
        f"{short_hash(before.hash)} > {short_hash(after.hash)}  "
        f"{before.node.length:,} > {counted(after.node.length, 'char')}"
    )


def _checks(found: Applied, width: int) -> list[Line]:
    passes, base = found.judgement.write_set_passes, found.diff.claimed.revision
    if passes:
        said = f"a check of these alone lets it pass: nobody wrote there since r{base}"
    else:
        said = "a check of these alone stops it: somebody wrote there since"
    role: Role = "error" if found.slips_through else "plain"
    lines = labelled("Write set", said, width, role)
    if not found.undoable:
        return lines + labelled("Undo", "impossible: an edit has no place", width, "error")
    if found.fragile is not None:
        said = f"is lost after one more write: {found.fragile}"
        return lines + labelled("Undo", said, width, "error")
    return lines + labelled("Undo", "still found after any one more write that was tried", width)


def _texts(found: Applied) -> list[Texts]:
    texts = []
    for written in found.written:
        old = "" if written.before is None or not written.before.live else written.before.text
        new = "" if written.after is None or not written.after.live else written.after.text
        if old is not None and new is not None and old != new:
            after = f"with {found.diff.diff}"
            texts.append(Texts(written.name, f"at {found.seq}", old, after, new))
    return texts
