"""The message line: what is wrong at this step in one sentence, else what the event did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from spanscope.history.describing import number, told
from spanscope.journal.events import AnyEvent, Ingest, Mark, Rewrite, Splice, Unknown
from spanscope.text.cells import cell_width, cut, cut_middle
from spanscope.widgets.findings import SIGNS, sign
from spanscope.widgets.lines import WIDEST, Fill, Line, Role, Row, fitting_words, shown_line

if TYPE_CHECKING:
    from spanscope.rules.catalogue import Rule
    from spanscope.rules.finding import Finding
    from spanscope.widgets.scene import Scene

WIDE = 110

LEAST_TEXT = 12
"""In fewer cells the beginning of a text says nothing."""

_BADGES: dict[str, tuple[Role, Fill]] = {
    "error": ("badge-error", "error"),
    "warning": ("badge-warning", "warning"),
    "info": ("badge-info", "surface"),
}


def message(scene: Scene, width: int) -> Line:
    """The message line in exactly `width` cells."""
    picked = scene.picked
    if scene.here:
        found = picked if picked is not None and picked.seq == scene.seq else scene.here[0]
        return _finding_line(scene, found, width)
    if isinstance(scene.event, Mark):
        label = shown_line(f"{scene.seq} {scene.event.kind}: {scene.event.label}")
        return _plain_line(cut(label, width - 2), width)
    words = told(scene.history, scene.seq) if len(scene.history) else ["no event yet"]
    said = fitting_words(words, width - 2)
    row = Row().gap().put(said)
    room = width - row.width - len(': ""') - 1
    text = _text_of(scene.event)
    if text and room >= LEAST_TEXT:
        row.put(f': "{cut(shown_line(text, room), room)}"', "muted")
    return row.to(width).line("surface")


def _text_of(event: AnyEvent | Unknown | None) -> str:
    """How the text that an event brings begins, on one line; empty where it brings none."""
    match event:
        case Ingest(content=text) | Rewrite(content=text) | Splice(insert=text):
            return " ".join(text[:WIDEST].split())
        case _:
            return ""


def said_line(text: str, width: int) -> Line:
    """A sentence without a badge, in exactly `width` cells."""
    return _plain_line(fitting_sentence(text, width - 2), width)


def _plain_line(text: str, width: int) -> Line:
    return Row().gap().put(text).to(width).line("surface")


def _finding_line(scene: Scene, finding: Finding, width: int) -> Line:
    badge, fill = _BADGES[finding.severity]
    row = Row().put(f" {sign(finding)} {finding.rule} ", badge).gap()
    if width >= WIDE:
        row.put(_where(finding)).gap(2)
    tail = _incident(scene, finding) if width >= WIDE else ""
    room = width - row.width - 1
    row.put(found_in_short(finding, room))
    if tail and row.width + len(tail) + 4 <= width:
        row.gap(3).put(tail)
    return row.to(width).line(fill)


def _where(finding: Finding) -> str:
    """Its event, or where in the file what it is about begins."""
    if finding.seq is not None:
        return f"at {finding.seq}"
    return f"at byte {number(int(finding.evidence.get('offset') or 0))}"


def found_in_short(finding: Finding, width: int) -> str:
    """What a finding says: its message, as many clauses of it as fit, or its rule in brief."""
    whole = shown_line(finding.message)
    if cell_width(whole) <= width:
        return whole
    from spanscope.rules.catalogue import RULES

    rule = RULES.get(finding.rule)
    return _clauses(whole, width) or _brief(rule, finding, width) or cut(whole, width)


_ID_WIDTHS = (40, 24, 16, 12, 8, 6)
"""How far ids are cut, in their middle, until a brief sentence fits."""


def _brief(rule: Rule | None, finding: Finding, width: int) -> str:
    if rule is None:
        return ""
    from spanscope.rules.catalogue import fill

    for most in _ID_WIDTHS:
        named = {
            kind: cut_middle(shown_line(str(id)), most) for kind, id in finding.subject.items()
        }
        said = fill(rule.brief, {**named, "seq": finding.seq})
        if cell_width(said) <= width:
            return said
    return ""


def fitting_sentence(text: str, width: int) -> str:
    """As many whole clauses of a sentence as fit; cut only where not even the first does."""
    shown = shown_line(text)
    return shown if cell_width(shown) <= width else _clauses(shown, width) or cut(shown, width)


_CLAUSE_ENDS = (". ", "; ", ": ", " (")
_LEAST_CLAUSE = 20
"""Less than this says nothing by itself."""


def _clauses(text: str, width: int) -> str:
    """The longest start of a text that fits and ends with a clause; empty where there is none."""
    ends = [at for mark in _CLAUSE_ENDS for at in _ends(text, mark)]
    starts = (text[:at] for at in sorted(ends, reverse=True) if at >= _LEAST_CLAUSE)
    return next((start for start in starts if cell_width(start) <= width), "")


def _ends(text: str, mark: str) -> Iterator[int]:
    """Where text before a mark is no half of a quotation or of a bracket."""
    at = text.find(mark)
    while at >= 0:
        said = text[:at]
        if said.count('"') % 2 == 0 and said.count("(") == said.count(")"):
            yield at
        at = text.find(mark, at + 1)


def _incident(scene: Scene, finding: Finding) -> str:
    """How many findings come from where this one does, up to here and ahead."""
    incident = scene.findings.incidents.of(finding)
    if not incident.shared:
        return ""
    here = sum(incident.count(severity, scene.seq) for severity in SIGNS)
    ahead = len(incident) - here
    return f"incident {incident.root}: {here} here" + (f", {ahead} ahead" if ahead else "")
