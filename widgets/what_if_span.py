"""What-if on a span: rewritten now."""

from __future__ import annotations

from spanscope.history.describing import counted
from spanscope.history.what_if.rewriting import Held, Rewritten
from spanscope.rules.changes import is_true
from spanscope.text.cells import cell_width
from spanscope.widgets.lines import Line, Role, Row, shown_line, within
from spanscope.widgets.what_if import (
    Block,
    Simulation,
    consequences,
    labelled,
    listed,
    rule_lines,
    sentence,
)

MOST_HOLDERS = 8

KEEPS = "keeps the old"

_DUE_IN_SHORT = {"nobody to tell": "in place, nobody is to be told"}


def span_view(found: Rewritten, width: int) -> Simulation:
    """What rewriting the span would do."""
    name, due = found.span.span, found.due
    blocks = [
        Block(sentence(_answer(found), width)),
        Block(_table(found, width) if found.holders else []),
        Block(_due(found, width)),
        rule_lines("SPN121" if due == "copy on rewrite" else "SPN101", width),
    ]
    stale = sum(held.goes_stale for held in found.holders)
    said = f"rewrite {name} at {found.seq}: {_DUE_IN_SHORT.get(due, due)}"
    said += f"; {counted(stale, 'holder')} would go stale untold" if stale else ""
    return Simulation(f"rewrite {name} at {found.seq}", said, blocks)


def _answer(found: Rewritten) -> str:
    name = found.span.span
    stale = [held.artifact.artifact for held in found.holders if held.goes_stale]
    if not found.holders:
        return f"Nobody holds anything of {name}: it may be rewritten in place."
    if any(held.now.state == "unknown" and not is_true(held.now) for held in found.holders):
        return f"Whether all that is held of {name} is still true can't be told."
    if not stale:
        return f"All that is held of {name} is out of date already: a rewrite makes no more stale."
    word = "goes" if len(stale) == 1 else "go"
    said = f"{listed(stale)} {word} stale if {name} is rewritten in place and nobody is told."
    if found.due == "copy on rewrite":
        return f"{said} Due: copy on rewrite."
    return f"{said} Due: tell and re-key."


def _table(found: Rewritten, width: int) -> list[Line]:
    shown = found.holders[:MOST_HOLDERS]
    kinds = min(14, max(4, *(cell_width(shown_line(h.artifact.kind)) for h in shown)))
    longest = max(5, *(cell_width(shown_line(h.artifact.artifact)) for h in shown))
    names = max(5, min(longest, width - kinds - 9 - 11 - len(KEEPS) - 4))
    row = Row().put("HOLDS", "muted", names).gap().put("KIND", "muted", kinds).gap()
    row.put("COST", "muted", 9).gap().put("UNTOLD", "muted", 11).gap().put("DUE", "muted")
    lines = [within(row.line(), width)]
    for held in shown:
        row = Row().put(held.artifact.artifact, "plain", names, middle=True).gap()
        row.put(held.artifact.kind, "plain", kinds).gap()
        row.put("expensive" if held.artifact.expensive else "cheap", "plain", 9).gap()
        role: Role = "error" if held.goes_stale else "muted"
        row.put(_untold(held), role, 11).gap().put(_fate(found, held))
        lines.append(within(row.line(), width))
    more = len(found.holders) - MOST_HOLDERS
    if more > 0:
        lines.append(Row().put(f"and {counted(more, 'more holder')}", "muted").line())
    return lines


def _untold(held: Held) -> str:
    return "goes stale" if held.goes_stale else f"is {held.untold.state}"


def _fate(found: Rewritten, held: Held) -> str:
    """What becomes of a holder where what is due is done."""
    if not is_true(held.now):
        return "re-key it"
    return KEEPS if found.due == "copy on rewrite" else "is told"


def _due(found: Rewritten, width: int) -> list[Line]:
    name = found.span.span
    if found.due == "copy on rewrite":
        dear = sum(held.expensive for held in found.holders)
        said = (
            f"copy on rewrite ({counted(dear, 'expensive holder')}): the new text gets a new id, "
            f"{name} stays as a readable tombstone"
        )
    elif found.due == "tell and re-key":
        said = "tell and re-key: what is held is cheap, version and hash move, holders derive again"
    else:
        said = "rewrite in place: no holder is up to date, and each must derive again in any case"
        if not found.holders:
            said = "rewrite in place: nobody is to be told"
    lines = labelled("Due", said, width, "strong")
    then = consequences((), found.diffs)
    return lines + (labelled("Then", then, width) if then else [])
