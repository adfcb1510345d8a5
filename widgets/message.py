"""The message line: what is wrong at this step in one sentence, else what the event did."""

from __future__ import annotations

from spanscope.rules.finding import Finding
from spanscope.text.cells import cut
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
    """As many whole sentences, then clauses, of a message as fit; cut only where none does."""
    shown = visible_line(text)
    if len(shown) <= width:
        return shown
    for mark, kept in ((". ", 1), ("; ", 0), (": ", 0), (", ", 0), (" (", 0)):
        at = shown.rfind(mark, 0, max(0, width - kept) + 1)
        if at >= width // 3:
            return shown[: at + kept]
    return cut(shown, width)


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
