"""The Findings pane: incidents, the worst first; one that is unfolded shows its findings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from spanscope.history.describing import about, headline, number
from spanscope.history.incidents import Incident, Root, root_of
from spanscope.journal.events import type_of
from spanscope.rules.finding import SEVERITY_ORDER, Finding
from spanscope.text.cells import CUT, cell_width, cut_middle
from spanscope.widgets.findings import ROLES, SIGNS, FindingIndex, role, sign
from spanscope.widgets.folding import Folding
from spanscope.widgets.lens import LOOKED_AT
from spanscope.widgets.lines import Cell, Line, Role, Row, fitted, shown_line, within
from spanscope.widgets.listing import DenseListing
from spanscope.widgets.message import found_in_short
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject, subjects_of

if TYPE_CHECKING:
    from spanscope.history.filtering import Filter

SHORTEST = 6
"""An id or a name that is cut to less says nothing."""

WIDE = 70
"""From this width rows say `here` and `ahead`, and `at` before a seq."""


class Item(Struct, frozen=True):
    """A row: the head of an incident, the sentence of its worst finding below it, or a finding.

    An incident of one finding has no head.
    """

    kind: Literal["head", "said", "finding"]
    incident: Incident
    finding: Finding

    @property
    def nested(self) -> bool:
        """Whether it stands under a head."""
        return self.incident.shared and self.kind != "head"


class _Rows:
    """Where the rows of each incident begin; a row is made when it is asked for."""

    def __init__(
        self, index: FindingIndex, unfolded: frozenset[Root], chosen: Filter | None
    ) -> None:
        self._unfolded = unfolded
        self._chosen = chosen
        self._left: dict[Root, list[Finding]] = {}
        self._order: dict[Root, dict[int, int]] = {}
        incidents: Sequence[Incident] = index.worst_incidents()
        if chosen is not None:
            incidents = [incident for incident in incidents if self._shown(incident)]
        self._incidents = incidents
        self._starts = list(accumulate(map(self._size, incidents), initial=0))
        self.findings = index.known
        if chosen is not None:
            self.findings = sum(len(self._shown(incident)) for incident in incidents)
        self.shared = sum(incident.shared for incident in incidents)

    def __len__(self) -> int:
        return self._starts[-1]

    def _shown(self, incident: Incident) -> Sequence[Finding]:
        """The findings of an incident that the filter leaves."""
        chosen = self._chosen
        if chosen is None:
            return incident.findings
        if incident.root not in self._left:
            found = [each for each in incident.findings if each.seq is not None]
            self._left[incident.root] = [each for each in found if chosen.shows(each.seq or 0)]
        return self._left[incident.root]

    def _place(self, incident: Incident, finding: Finding) -> int | None:
        """The place of a finding among those that are shown."""
        if incident.root not in self._order:
            shown = self._shown(incident)
            self._order[incident.root] = {id(each): at for at, each in enumerate(shown)}
        return self._order[incident.root].get(id(finding))

    def _size(self, incident: Incident) -> int:
        if not incident.shared:
            return 1
        return 1 + len(self._shown(incident)) if incident.root in self._unfolded else 2

    @cached_property
    def _places(self) -> dict[Root, int]:
        return {incident.root: at for at, incident in enumerate(self._incidents)}

    def item(self, row: int) -> Item:
        """What a row stands for."""
        at = bisect_right(self._starts, row) - 1
        incident, offset = self._incidents[at], row - self._starts[at]
        shown = self._shown(incident)
        if incident.shared and offset and incident.root in self._unfolded:
            return Item("finding", incident, shown[offset - 1])
        worst = incident.worst
        if self._chosen is not None:
            worst = min(shown, key=lambda finding: SEVERITY_ORDER[finding.severity])
        if not incident.shared:
            return Item("finding", incident, worst)
        return Item("said" if offset else "head", incident, worst)

    def of(self, finding: Finding) -> int | None:
        """The row of a finding: its own, or that of the folded incident that it is in."""
        head = self.head(root_of(finding))
        if head is None:
            return None
        incident = self.item(head).incident
        place = self._place(incident, finding)
        if place is None:
            return None
        unfolded = incident.shared and incident.root in self._unfolded
        return head + 1 + place if unfolded else head

    def head(self, root: Root) -> int | None:
        """The first row of an incident; null: it has none."""
        at = self._places.get(root)
        return None if at is None else self._starts[at]


@lru_cache(maxsize=2)
def _rows(
    index: FindingIndex,
    known: int,
    unfolded: frozenset[Root],
    chosen: Filter | None,
    filtered: int,
) -> _Rows:
    """The rows; `known` findings and `filtered` events tell whether they are still the same."""
    del known, filtered
    return _Rows(index, unfolded, chosen)


class FindingListing(DenseListing):
    """The Findings pane as lines."""

    def __init__(self, scene: Scene, width: int, folding: Folding) -> None:
        self._scene = scene
        self._width = width
        self._folding = folding
        self._digits = len(str(scene.history.last))

    @cached_property
    def _all(self) -> _Rows:
        scene, chosen = self._scene, self._scene.filter
        filtered = 0 if chosen is None else len(chosen.seqs)
        index = scene.findings
        return _rows(index, index.known, self._folding.unfolded, chosen, filtered)

    def title(self) -> Line:
        """The pane's name and its counts."""
        scene, items = self._scene, self._all
        more = "" if scene.audit.done else "+"
        row = Row().put("Findings ")
        if scene.filter is not None:
            row.put(f"{number(items.findings)} of ")
        row.put(f"{number(scene.findings.known)}{more}")
        if scene.filter is not None:
            row.gap(2).put("filter ", "muted").put(scene.filter.text, "strong")
        elif items.shared:
            row.gap(2).put(f"incidents {number(items.shared)}")
        return row.line()

    def empty(self) -> str:
        """No finding, or none that the filter leaves."""
        scene = self._scene
        if scene.findings.known:
            return "no finding at an event that the filter means"
        if not scene.audit.done:
            return f"no finding up to {number(scene.history.last)}; still auditing"
        return f"no findings: audited to {number(scene.history.last)}, {scene.unknown} unknown"

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._all)

    def item(self, number: int) -> Item:
        """What a row stands for."""
        return self._all.item(number)

    def can_pick(self, number: int) -> bool:
        """All but the sentence of a folded incident, which belongs to the row above."""
        return self._all.item(number).kind != "said"

    def subject(self, number: int) -> Subject | None:
        """What the finding of a row is most about."""
        return next(iter(subjects_of(self._all.item(number).finding)), None)

    def seq(self, number: int) -> int | None:
        """The step that a row stands for."""
        return self._all.item(number).finding.seq

    @cached_property
    def picked(self) -> int | None:
        """The row that is picked: by hand, else that of the worst finding of this step."""
        scene, items = self._scene, self._all
        finding = scene.picked or next(iter(scene.here), None)
        if finding is None:
            return None
        head = self._folding.head
        if scene.picked is not None and head is not None and head == root_of(finding):
            return items.head(head)
        return items.of(finding)

    def anchor(self) -> int | None:
        """The picked row."""
        return self.picked

    def row(self, number: int) -> Line:
        """One row, from 0."""
        item, picked = self._all.item(number), number == self.picked
        if item.kind == "head":
            line = self._head(item, picked=picked)
        else:
            line = self._finding(item, picked=picked)
        return within(line._replace(fill="selected") if picked else line, self._width)

    def _head(self, item: Item, *, picked: bool) -> Line:
        """An incident: its worst sign, the event behind it, and how much is here and ahead."""
        incident, history = item.incident, self._scene.history
        dim = self._dims_all(incident)
        base: Role = "future" if dim else "strong"
        unfolded = incident.root in self._folding.unfolded
        row = Row().put("> " if picked else "  ", base).put("- " if unfolded else "+ ", base)
        row.put(f"{sign(incident.worst)} ", "future" if dim else role(incident.worst))
        if self._width >= WIDE:
            row.put("incident ", base)
        row.put(str(incident.root), base).gap(2 if self._width >= WIDE else 1)
        event = None if incident.seq is None else history.event(incident.seq)
        counts = self._counts(incident)
        room = self._width - row.width - sum(cell_width(text) for text, _ in counts) - 1
        said = "can't be read" if event is None else headline(event)
        if event is not None and cell_width(said) > room:
            said = f"{type_of(event)} {about(event)}"
        start = fitted(row.put(said, base, max(0, room)).line(), row.width)
        return Line((*start.cells, (" ", "plain"), *counts))

    def _counts(self, incident: Incident) -> list[Cell]:
        """How many findings of each severity: here and ahead; narrow, here of all."""
        upto, wide = self._scene.seq, self._width >= WIDE
        here: list[Cell] = []
        ahead: list[Cell] = []
        if not wide:
            return self._short_counts(incident)
        for severity, mark in SIGNS.items():
            all_, past = incident.count(severity), incident.count(severity, upto)
            how = ROLES[severity]
            if past:
                here.append((f" {mark} {number(past)}", how))
            if all_ > past:
                ahead.append((f" {mark} {number(all_ - past)}", "future"))
        cells: list[Cell] = [("here", "muted"), *here] if here else []
        gap: list[Cell] = [("   ", "plain")] if here and ahead else []
        return [*cells, *gap, *([("ahead", "future"), *ahead] if ahead else [])]

    def _short_counts(self, incident: Incident) -> list[Cell]:
        """The worst severity's, here of all, and how many findings there are besides."""
        severity = incident.worst.severity
        past, all_ = incident.count(severity, self._scene.seq), incident.count(severity)
        more = f" +{number(len(incident) - all_)}" if len(incident) > all_ else ""
        return [
            (
                f"{SIGNS[severity]} {number(past)}/{number(all_)}",
                ROLES[severity] if past else "future",
            ),
            (more, "muted" if past else "future"),
        ]

    def _finding(self, item: Item, *, picked: bool) -> Line:
        """A finding: sign, code, where, and its sentence as far as it fits."""
        finding = item.finding
        dim = self._dims(finding.seq or 0)
        base: Role = "future" if dim else "strong" if finding.seq == self._scene.seq else "plain"
        row = (
            Row()
            .put("> " if picked else "  ", base)
            .gap(4 if item.nested and self._width >= WIDE else 2)
        )
        row.put(f"{sign(finding)} {finding.rule}", "future" if dim else role(finding)).gap()
        at = str(finding.seq) if finding.seq is not None else finding.id.partition("@")[2]
        if self._width >= WIDE:
            row.put("at ", "future" if dim else "muted")
        row.put(at, base, max(len(at), self._digits), right=True).gap(
            2 if self._width >= WIDE else 1
        )
        room = self._width - row.width
        return row.put(_sentence(item, room), base, room).line()

    def _dims_all(self, incident: Incident) -> bool:
        """Whether nothing of an incident is here; through a lens, of its first findings."""
        scene = self._scene
        if scene.lens is not None:
            first = islice(incident.findings, LOOKED_AT)
            return all(self._dims(each.seq or 0) for each in first)
        pin = -1 if scene.since is None or scene.since.pin >= scene.seq else scene.since.pin
        return not incident.between(pin, scene.seq)

    def _dims(self, seq: int) -> bool:
        """What is ahead, outside a lens, or from before what a pin compares."""
        scene = self._scene
        if seq > scene.seq or (scene.lens is not None and not scene.lens.shows(seq)):
            return True
        return scene.since is not None and seq <= scene.since.pin < scene.seq


def _sentence(item: Item, room: int) -> str:
    """What a finding says; where no sentence fits, what it is about and the name of its rule.

    The findings of an unfolded incident are often of one rule: what they are about comes first.
    """
    finding = item.finding
    said = found_in_short(finding, room)
    if not said.endswith(CUT):
        return said
    name = shown_line(next((subject.name for subject in subjects_of(finding)), ""))
    if item.nested and item.kind == "finding":
        shown = cut_middle(name, room)
        left = room - cell_width(shown) - 1
        return f"{shown} {finding.name}" if left >= SHORTEST else shown
    most = room - len(finding.name) - 1
    return f"{cut_middle(name, most)} {finding.name}" if most >= SHORTEST else finding.name
