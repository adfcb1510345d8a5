"""The evidence of a finding: two aligned lines with the changed words, and what else is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from spanscope.history.describing import number, short_hash
from spanscope.journal.parts import QuoteRef
from spanscope.rules.finding import Finding
from spanscope.text.cells import CUT
from spanscope.text.diff import Segments, changed_words, common_start
from spanscope.text.visible import visible_line
from spanscope.widgets.content import COMPARING
from spanscope.widgets.lines import Role
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject
from spanscope.widgets.texts import compared, diff_row

LONGEST = 600
"""Characters of a line that are compared, from a little before the first difference on."""

LEAD = 200

NEAR = 24
"""So many characters of a word stand before its first difference."""


_PAIRS = (("expected", "actual"), ("meant", "got"), ("stored", "shown"))
_IN_CONTEXT = frozenset(("SPN101", "SPN103"))
"""Rules whose evidence is better seen as the changed line than as the words alone."""

_SHOWN = frozenset(
    (
        "edits",
        "signals",
        "places",
        "reasons",
        "then",
        "now",
        "expected",
        "actual",
        "meant",
        "got",
        "stored",
        "shown",
        "count",
        "true",
        "first_match_wrong",
        "ranges",
        "base",
        "wrong",
        "expected_hash",
        "actual_hash",
        "write_set_passes",
        "self_inflicted",
        "culprit",
        "derived_at",
        "verdict",
        "why",
    )
)


class EvidenceLine(NamedTuple):
    """A labelled line of evidence: text in pieces, and whether each piece changed."""

    label: str
    segments: Segments
    changed: Role = "removed"
    role: Role = "plain"


def evidence(scene: Scene, subject: Subject, finding: Finding | None) -> list[EvidenceLine]:
    """The two lines that show what is wrong; none where no texts are known."""
    found = finding.evidence if finding is not None else {}
    in_context = finding is None or finding.rule in _IN_CONTEXT
    if not in_context:
        pair = _in_its_line(scene, finding) or _quoted(found)
        if pair:
            return pair
    return _changed_lines(scene, subject) or _quoted(found)


def _in_its_line(scene: Scene, finding: Finding | None) -> list[EvidenceLine]:
    """The first damaged range of a span with what stands beside it in its line."""
    if finding is None or finding.seq is None:
        return []
    expected, actual = finding.evidence.get("expected"), finding.evidence.get("actual")
    ranges, name = finding.evidence.get("ranges"), finding.subject.get("span")
    span = scene.history.at(finding.seq).span(str(name))
    text = None if span is None else span.text
    if not (ranges and isinstance(expected, str) and isinstance(actual, str)) or text is None:
        return []
    start, end = ranges[0]
    head = text[text.rfind("\n", 0, start) + 1 : start]
    tail = text[end:].partition("\n")[0]
    old, new = head + expected + tail, head + actual + tail
    return _aligned("expected", "actual", old[:LONGEST], new[:LONGEST])


def _quoted(found: Mapping[str, Any]) -> list[EvidenceLine]:
    for old_key, new_key in _PAIRS:
        old, new = found.get(old_key), found.get(new_key)
        if isinstance(old, str) and isinstance(new, str):
            return _aligned(old_key, new_key, old, new)
    return []


def _changed_lines(scene: Scene, subject: Subject) -> list[EvidenceLine]:
    pairs = [pair for pair in compared(scene) if pair.old.there and pair.new.there]
    pair = next((pair for pair in pairs if pair.differs), None)
    if pair is None or pair.old.text is None or pair.new.text is None:
        return []
    diff = scene.compare(pair.old.text, pair.new.text)
    if diff is None:
        return [EvidenceLine(pair.new.label, ((COMPARING, False),), role="muted")]
    hunk = diff.hunks[0]
    at = _wanted_line(scene, subject, pair.span, pair.old.text)
    for each in diff.hunks:
        if at is not None and each.old_start <= at < each.old_end:
            hunk = each
    old_index, new_index = hunk.old_start, hunk.new_start
    if at is not None and hunk.old_start <= at < hunk.old_end:
        old_index = at
        new_index = min(hunk.new_start + at - hunk.old_start, max(hunk.new_start, hunk.new_end - 1))
    old = diff.old_lines[old_index] if hunk.old_end > hunk.old_start else ""
    new = diff.new_lines[new_index] if hunk.new_end > hunk.new_start else ""
    return _aligned(pair.old.label, pair.new.label, old, new)


def _quoted_line(scene: Scene, diff: str, span: str, text: str) -> int | None:
    row = diff_row(scene, diff)
    for ref in row.diff.refs if row is not None else ():
        if isinstance(ref, QuoteRef) and ref.span == span and ref.text in text:
            return text.count("\n", 0, text.index(ref.text))
    return None


def _wanted_line(scene: Scene, subject: Subject, span: str, text: str) -> int | None:
    """The line that an artifact's range starts in, or that a diff quotes."""
    if subject.kind == "diff":
        return _quoted_line(scene, str(subject.id), span, text)
    if subject.kind != "artifact":
        return None
    row = scene.moment.artifact(str(subject.id))
    if row is None or row.artifact.range is None or row.artifact.unit != "chars":
        return None
    return text.count("\n", 0, max(0, row.artifact.range[0]))


def _aligned(old_label: str, new_label: str, old: str, new: str) -> list[EvidenceLine]:
    was, now = changed_words(*_around_difference(old, new))
    width = max(len(old_label), len(new_label))
    return [
        EvidenceLine(old_label.ljust(width), was, "removed"),
        EvidenceLine(new_label.ljust(width), now, "added"),
    ]


def _around_difference(old: str, new: str) -> tuple[str, str]:
    """Two long texts from a little before their first difference on.

    A long word that differs at its far end is shown from just before that.
    """
    same = common_start(old, new)
    start = max(0, same - LEAD)
    if not any(map(str.isspace, old[start:same])) and same > NEAR:
        start = same - NEAR
        return CUT + old[start : start + LONGEST], CUT + new[start : start + LONGEST]
    if max(len(old), len(new)) <= LONGEST:
        return old, new
    return old[start : start + LONGEST], new[start : start + LONGEST]


def further(scene: Scene, subject: Subject, finding: Finding | None) -> list[tuple[str, str, Role]]:
    """What else is known: signals, places, other reasons, remaining facts; label, text, role."""
    rows = _signals(scene, subject)
    if finding is None:
        return rows
    rows += _places(finding.evidence)
    rows += _wrong(finding.evidence)
    rows += _reasons(finding)
    facts = _facts(finding.evidence)
    if facts:
        rows.append(("Facts", facts, "muted"))
    return rows


def _signals(scene: Scene, subject: Subject) -> list[tuple[str, str, Role]]:
    if subject.kind != "artifact":
        return []
    row = scene.moment.artifact(str(subject.id))
    if row is None or not row.judgement.signals:
        return []
    source, span = row.artifact.base[0], scene.moment.span(row.artifact.span)
    if span is None:
        return []
    words = {
        "length-delta": f"L length {number(source.length)} > {number(span.node.length)}",
        "version-advanced": f"V v{source.version} > v{span.version}",
        "hash-divergence": f"H {short_hash(source.hash)} > {short_hash(span.hash)}",
        "provenance-changed": f"P {source.produced_by} > {span.produced_by}",
        "boundary-crossed": "B range past the end",
    }
    return [("Signals", "   ".join(words[name] for name in row.judgement.signals), "warning")]


def _places(found: Mapping[str, Any]) -> list[tuple[str, str, Role]]:
    places = found.get("places")
    if not isinstance(places, Sequence) or isinstance(places, str):
        return []
    rows: list[tuple[str, str, Role]] = []
    for index, place in enumerate(places[:4]):
        if isinstance(place, Mapping):
            words = "the true place" if place.get("true") else "a look-alike"
            if index == 0 and not place.get("true"):
                words = "first match, wrong"
            said = f"at {place.get('at')}   {words}"
        else:
            said = f"at {place}"
        rows.append(("Places" if index == 0 else "", said, "warning"))
    if len(places) > len(rows):
        rows.append(("", f"and {len(places) - len(rows)} more", "muted"))
    return rows


def _wrong(found: Mapping[str, Any]) -> list[tuple[str, str, Role]]:
    rows: list[tuple[str, str, Role]] = []
    wrong = found.get("wrong")
    for fault in wrong if isinstance(wrong, list) else []:
        said = f"{fault.get('field')} says {_value(fault.get('claimed'))}"
        said += f", it was {_value(fault.get('actual'))}"
        rows.append(("Wrong" if not rows else "", said, "error"))
    return rows


def _reasons(finding: Finding) -> list[tuple[str, str, Role]]:
    reasons = finding.evidence.get("reasons")
    rows: list[tuple[str, str, Role]] = []
    for reason in reasons[:5] if isinstance(reasons, list) else []:
        said = f"{reason.get('rule')}  {reason.get('thing')}: {reason.get('detail')}"
        rows.append(("Reasons" if not rows else "", said, "plain"))
    if finding.evidence.get("write_set_passes") is True:
        rows.append(("Merge", "a check of the written text alone lets it pass", "plain"))
    return rows


def _facts(found: Mapping[str, Any]) -> str:
    """The rest of the evidence, on one line."""
    words = [
        f"{key.replace('_', ' ')} {_value(value)}"
        for key, value in found.items()
        if key not in _SHOWN and value is not None and value not in ("", [], {})
    ]
    return "   ".join(words)


def _value(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            text = short_hash(value) if value.startswith("sha256:") else visible_line(value[:60])
            return text if " " not in text else f'"{text}"'
        case list() | tuple():
            shown = ", ".join(_value(each) for each in value[:6])
            return shown + (f" and {len(value) - 6} more" if len(value) > 6 else "")
        case dict():
            return ", ".join(f"{key} {_value(each)}" for key, each in list(value.items())[:6])
        case _:
            return str(value)
