"""The message line: what is wrong at this step in one sentence, else what the event did."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.rules.finding import Finding
from spanscope.text.cells import cell_width, cut
from spanscope.text.visible import visible_line
from spanscope.widgets.describe import sentence
from spanscope.widgets.findings import sign
from spanscope.widgets.lines import Fill, Line, Role, Row
from spanscope.widgets.scene import Scene

WIDE = 110
_BADGES: dict[str, tuple[Role, Fill]] = {
    "error": ("badge-error", "error"),
    "warning": ("badge-warning", "warning"),
    "info": ("badge-info", "surface"),
}


def message(scene: Scene, width: int) -> Line:
    """The message line in exactly `width` cells."""
    if scene.here:
        return _finding_line(scene, scene.here[0], width)
    said = sentence(scene.history, scene.seq, scene.event)
    if not len(scene.history):
        said = "no event yet"
    return said_line(said, width)


def said_line(text: str, width: int) -> Line:
    """A sentence without a badge, in exactly `width` cells."""
    row = Row().gap().put(text, "plain", max(0, width - 2)).gap()
    return row.line("surface")


def _finding_line(scene: Scene, finding: Finding, width: int) -> Line:
    badge, fill = _BADGES[finding.severity]
    row = Row().put(f" {sign(finding)} {finding.rule} ", badge).gap()
    if width >= WIDE:
        row.put(f"at {scene.seq}").gap(2)
    tail = _incident(scene, finding) if width >= WIDE else ""
    room = width - row.width - 1
    said = fitting_sentence(finding.message, room)
    row.put(said)
    if tail and row.width + len(tail) + 4 <= width:
        row.gap(3).put(tail)
    return row.to(width).line(fill)


def fitting_sentence(text: str, width: int) -> str:
    """As many whole sentences and clauses of a message as fit; cut only where none does."""
    shown = visible_line(text)
    if cell_width(shown) <= width:
        return shown
    ends = [at for mark in _CLAUSE_ENDS for at in _ends(shown, mark, width)]
    ends = ends or list(_ends(shown, ": ", width))
    best = max((at for at in ends if at >= width // 3), default=0)
    return shown[:best] if best else cut(shown, width)


_CLAUSE_ENDS = (". ", "; ", ", ", " (")


def _ends(text: str, mark: str, width: int) -> Iterator[int]:
    """Where text before a mark fits and is no half of a quotation or of a bracket."""
    at = text.find(mark)
    while 0 <= at <= width:
        said = text[:at]
        if said.count('"') % 2 == 0 and said.count("(") == said.count(")"):
            yield at
        at = text.find(mark, at + 1)


def _incident(scene: Scene, finding: Finding) -> str:
    """How many findings share the cause of this one, up to here and ahead."""
    cause = finding.caused_by if finding.caused_by is not None else finding.seq
    if cause is None:
        return ""
    family = [*scene.history.findings_at(cause), *scene.findings.caused_by(cause)]
    here = sum(1 for each in family if each.seq is not None and each.seq <= scene.seq)
    ahead = len(family) - here
    if len(family) < 2:
        return ""
    return f"incident {cause}: {here} here" + (f", {ahead} ahead" if ahead else "")
