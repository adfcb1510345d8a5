"""The chain of a subject: the events that made it what it is, cause first, and what is ahead."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from spanscope.history.describing import about, details, type_of
from spanscope.rules.finding import Finding
from spanscope.text.cells import cell_width
from spanscope.widgets.findings import label, role, worst_first
from spanscope.widgets.lines import Line, Role, Row, fitting_words
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject

LONGEST = 9
"""A chain shows so many events; what matters less is left out."""


class Link(NamedTuple):
    """One event of a chain; `left_out` events stand between it and the one before."""

    seq: int
    left_out: int = 0


def links(scene: Scene, subject: Subject, finding: Finding | None) -> list[Link]:
    """The chain of a subject, oldest first."""
    touched = list(scene.history.touched(subject.ids))
    found = [each for each in scene.findings.about(subject) if each.seq is not None]
    all_ = {*touched, *(each.seq for each in found if each.seq is not None)}
    causes = {each.caused_by for each in found if each.caused_by is not None}
    if finding is not None and finding.caused_by is not None:
        causes.add(finding.caused_by)
    seqs = sorted(all_ | causes)
    kept = seqs if len(seqs) <= LONGEST else _most_telling(scene, seqs, causes, found, finding)
    chain, at = [], -1
    for seq in kept:
        place = bisect_right(seqs, seq) - 1
        chain.append(Link(seq, place - at - 1))
        at = place
    return chain


def _most_telling(
    scene: Scene,
    seqs: list[int],
    causes: set[int],
    found: list[Finding],
    finding: Finding | None,
) -> list[int]:
    wanted: list[int] = []
    if finding is not None:
        wanted += [seq for seq in (finding.seq, finding.caused_by) if seq is not None]
    here = bisect_right(seqs, scene.seq)
    wanted += seqs[max(0, here - 1) : here] + seqs[here : here + 1] + seqs[:1]
    near = sorted(causes, key=lambda seq: abs(seq - scene.seq))
    wanted += near[:3]
    judged = sorted(
        {each.seq for each in found if each.seq is not None}, key=lambda seq: abs(seq - scene.seq)
    )
    wanted += judged[:3] + seqs[max(0, here - 4) : here] + seqs[here : here + 2]
    return sorted(list(dict.fromkeys(wanted))[:LONGEST])


def chain_line(scene: Scene, link: Link, width: int, *, chosen: bool) -> Line:
    """One event of a chain in a row: seq, what happened, a detail, the worst finding."""
    event = scene.history.event(link.seq)
    ahead = link.seq > scene.seq
    here = link.seq == scene.seq
    base: Role = "future" if ahead else "strong" if here else "plain"
    digits = len(str(scene.history.last))
    row = Row().put(">" if here else " ", base).put(str(link.seq), base, digits, right=True).gap()
    found = worst_first(scene.history.findings_at(link.seq))
    said = label(found) if found else ""
    room = width - row.width - (cell_width(said) + 1 if said else 0)
    if event is None:
        row.put("can't be read", base, room)
    else:
        what = f"{type_of(event)} {about(event)}".rstrip()
        narrow = room < 34
        row.put(what, base, room if narrow else max(15, min(24, width // 4)))
        if not narrow:
            more = ["ahead"] if ahead else _more(scene, link.seq)
            low: Role = "future" if ahead else "muted"
            left = room - (row.width - 1 - digits - 1) - 1
            row.gap().put(fitting_words(more, left), low, left)
    if said:
        row.gap().put(said, "future" if ahead else role(found[0]))
    return row.line("selected" if chosen else "")


def _more(scene: Scene, seq: int) -> list[str]:
    event = scene.history.event(seq)
    if event is None:
        return []
    revision = scene.history.revision_at(seq)
    words = [event.actor, *details(event, scene.history)]
    if revision is not None and scene.history.revision_at(max(0, seq - 1)) != revision:
        words.append(f"r{revision}")
    return words
