"""The chain of a subject: the events that made it what it is, cause first, and what is ahead."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from spanscope.history.describing import about, details
from spanscope.journal.events import AnyEvent, Unknown, type_of
from spanscope.rules.finding import Finding
from spanscope.text.cells import cell_width
from spanscope.widgets.about import About, around
from spanscope.widgets.findings import label, role, worst_first
from spanscope.widgets.lines import Line, Role, Row, fitting_words, shown_line
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
    touched, about = scene.history.touched(subject.ids), scene.findings.about(subject)
    own = () if finding is None else (finding.seq, finding.caused_by)
    sources = (touched, about.loose)
    # Of what touched a thing, only what is near the cursor is looked at.
    near = {seq for seqs in sources for seq in (*seqs[:1], *around(seqs, scene.seq, LONGEST))}
    near.update(seq for seq in own if seq is not None)
    near.update(around(about.causes, scene.seq, LONGEST), about.nearest(scene.seq, LONGEST))
    seqs = sorted(near)
    kept = seqs if len(seqs) <= LONGEST else _most_telling(scene.seq, seqs, about, own)
    chain, before = [], 0
    for seq in kept:
        place = sum(bisect_right(source, seq) for source in sources)
        chain.append(Link(seq, max(0, place - before - 1)))
        before = place
    return chain


def _most_telling(
    cursor: int, seqs: list[int], about: About, own: Sequence[int | None]
) -> list[int]:
    """Those of a finding's own, around the cursor, and the nearest causes and judged ones."""
    causes = {*around(about.causes, cursor, LONGEST), *own[1:]}

    def distance(seq: int) -> tuple[int, int]:
        # Of two that are as far away the earlier one, whatever order a set has.
        return abs(seq - cursor), seq

    here = bisect_right(seqs, cursor)
    wanted = [seq for seq in own if seq is not None]
    wanted += seqs[max(0, here - 1) : here] + seqs[here : here + 1] + seqs[:1]
    wanted += sorted((seq for seq in causes if seq is not None), key=distance)[:3]
    wanted += sorted(about.nearest(cursor, 3), key=distance)[:3]
    wanted += seqs[max(0, here - 4) : here] + seqs[here : here + 2]
    return sorted(list(dict.fromkeys(wanted))[:LONGEST])


def column_of(scene: Scene, chain: Sequence[Link], width: int) -> int:
    """The cells that a chain needs for what happened; no more than leave room for the rest."""
    events = [scene.history.event(link.seq) for link in chain]
    longest = max((cell_width(_what(event)) for event in events if event is not None), default=0)
    return max(15, min(longest, width * 2 // 5, 40))


def _what(event: AnyEvent | Unknown) -> str:
    return shown_line(f"{type_of(event)} {about(event)}".rstrip(), 40)


def chain_line(scene: Scene, link: Link, width: int, column: int, *, chosen: bool) -> Line:
    """One event of a chain in a row: seq, what happened, a detail, the worst finding.

    `column` is the width of what happened.
    """
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
        narrow = room < 34
        row.put(_what(event), base, room if narrow else column)
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
