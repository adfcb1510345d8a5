"""The map: spans down, steps across. A lifeline a span, by version, with what befell it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from spanscope.history.describing import counted, number
from spanscope.widgets.lifelines import Columns
from spanscope.widgets.lines import Cell, Line, Role, Row, within
from spanscope.widgets.listing import DenseListing
from spanscope.widgets.map_window import MapWindow
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject

LEGEND = (
    "0 1 version",
    "- live",
    "= tombstone",
    "x gone",
    "! error",
    "~ warning",
    ". held",
    "u used",
    "d derived",
)
"""What the signs mean, the most important first."""


class MapListing(DenseListing):
    """A row a span, in the order in which they came; under the selected one its holders."""

    legend = True

    def __init__(self, scene: Scene, width: int, window: MapWindow) -> None:
        self._scene = scene
        self._width = width
        self.label = max(12, min(24, width // 6))
        self.columns = max(1, width - self.label - 1)
        events = len(scene.history)
        self.window = window.showing(max(0, scene.position), events, self.columns)
        self._cut = Columns(scene.history, self.window.start, self.window.per, self.columns)

    @cached_property
    def _names(self) -> Sequence[str]:
        return self._scene.history.span_names()

    @cached_property
    def _selected(self) -> tuple[int | None, list[str]]:
        """The row of the selected span, and the artifacts that were ever derived from it."""
        selected, history = self._scene.selected, self._scene.history
        if selected is None:
            return None, []
        name = selected.ids.get("span")
        if name is None and "artifact" in selected.ids:
            name = history.span_of(str(selected.ids["artifact"]))
        place = None if name is None else history.place_of_span(str(name))
        return place, [] if place is None else history.artifacts_of(str(name))

    def title(self) -> Line:
        """The pane's name, what a column is, and how much is shown."""
        events, per = len(self._scene.history), self.window.per
        first = self.window.start + 1
        last = min(events, self.window.start + per * self.columns)
        row = Row().put(f"Map {counted(len(self._names), 'span')}").gap(2)
        a_column = "an event a column" if per == 1 else f"{number(per)} events a column"
        row.put(f"events {number(first)}..{number(last)} of {number(events)}, {a_column}", "muted")
        return row.line()

    def heading(self) -> Line | None:
        """What the signs mean."""
        said = LEGEND[0]
        for sign in LEGEND[1:]:
            longer = f"{said}  {sign}"
            if len(longer) > self._width:
                break
            said = longer
        start = max(0, min(self.label + 1, self._width - len(said)))
        return within(Row().gap(start).put(said, "muted").line(), self._width)

    def empty(self) -> str:
        """An empty session."""
        return "no span yet"

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._names) + len(self._selected[1])

    def _item(self, row: int) -> tuple[str, str | None]:
        """The span of a row and, under the selected one, the artifact."""
        place, artifacts = self._selected
        if place is None or row <= place:
            return self._names[row], None
        if row <= place + len(artifacts):
            return self._names[place], artifacts[row - place - 1]
        return self._names[row - len(artifacts)], None

    def subject(self, number: int) -> Subject | None:
        """The span or artifact of a row."""
        span, artifact = self._item(number)
        return Subject("span", span) if artifact is None else Subject("artifact", artifact)

    def anchor(self) -> int | None:
        """The selected row."""
        place, artifacts = self._selected
        selected = self._scene.selected
        if place is None or selected is None:
            return None
        if selected.kind == "artifact" and selected.id in artifacts:
            return place + 1 + artifacts.index(str(selected.id))
        return place

    def seq_at(self, column: int) -> int | None:
        """The step under a column of a row."""
        cell = column - self.label - 1
        position = self.window.start + cell * self.window.per
        seqs = self._scene.history.seqs
        return seqs[position] if 0 <= cell < self.columns and position < len(seqs) else None

    def row(self, number: int) -> Line:
        """One row, from 0."""
        span, artifact = self._item(number)
        here = self.subject(number) == self._scene.selected
        row = Row().put("> " if here else "  ")
        history, findings = self._scene.history, self._scene.findings
        if artifact is None:
            row.put(span, "strong" if here else "plain", self.label - 2, middle=True)
            states, about = history.states_of(span), findings.about(Subject("span", span))
            signs = self._cut.lifeline(states, about)
        else:
            row.put(f"  {artifact}", "muted", self.label - 2, middle=True)
            subject = Subject("artifact", artifact)
            held, touched = history.artifact_states(artifact), history.touched(subject.ids)
            signs = self._cut.holding(held, touched, findings.about(subject))
        row.gap()
        for text, role in self._cells(signs):
            row.put(text, role)
        return within(row.line("selected" if here else ""), self._width)

    def _cells(self, signs: list[str]) -> list[Cell]:
        """The signs with their roles; what lies after the cursor looks like it."""
        cursor = -1
        if self._scene.position >= 0:
            cursor = (self._scene.position - self.window.start) // self.window.per
        cells: list[Cell] = []
        for column, sign in enumerate(signs):
            role = self._role(sign)
            if column == cursor:
                role = "cursor"
            elif column > cursor:
                role = "future"
            if cells and cells[-1][1] == role:
                cells[-1] = (cells[-1][0] + sign, role)
            else:
                cells.append((sign, role))
        return cells

    @staticmethod
    def _role(sign: str) -> Role:
        if sign == "!":
            return "error"
        if sign in "~?":
            return "warning"
        return "strong" if sign.isdigit() or sign in "dux" else "muted"
