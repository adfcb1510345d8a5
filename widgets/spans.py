"""The spans of a step in buffer order, the artifacts derived from each under it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from spanscope.history.describing import dotted, number, short_hash
from spanscope.history.rows import ArtifactRow, SpanRow
from spanscope.widgets.lines import Line, Role, Row
from spanscope.widgets.listing import Listing
from spanscope.widgets.scene import Scene
from spanscope.widgets.subject import Subject

WIDE = 60
MIDDLE = 32
FRESH_SHOWN = 3
"""More fresh artifacts on one span than these are one row."""

_SIGNALS = (
    ("length-delta", "L"),
    ("version-advanced", "V"),
    ("hash-divergence", "H"),
    ("provenance-changed", "P"),
    ("boundary-crossed", "B"),
)
_SHORT = {"dangling": "held", "tombstone": "tomb"}
"""Words for where there is little room."""
_GUTTERS = {"live": "  ", "tombstone": "- ", "pruned": "x ", "unknown": "? "}


@dataclass(frozen=True)
class FreshRow:
    """So many fresh artifacts on a span, as one row."""

    span: str
    count: int


@dataclass(frozen=True)
class Columns:
    """How wide each column is; 0: not shown."""

    id: int
    version: int = 4
    state: int = 0
    hash: int = 0
    chars: int = 6
    at: int = 5
    by: int = 10

    @property
    def state_at(self) -> int:
        """Where the state of an artifact starts: under STATE, else under VER."""
        return 2 + self.id + 1 + (self.version + 1 if self.state else 0)

    @property
    def signals_at(self) -> int:
        """Where its signals start: under HASH where that is shown."""
        return self.state_at + (self.state + 2 if self.state else 6)

    @property
    def holder_at(self) -> int:
        """Where its holder starts."""
        return self.signals_at + 10

    @classmethod
    def fit(cls, width: int, last: int) -> Columns:
        """The columns for a pane of this inner width; `last` is the greatest seq."""
        at = max(4, len(str(last)))
        if width >= WIDE:
            free = width - (2 + 1 + 4 + 1 + 9 + 2 + 6 + 1 + 6 + 1 + at + 2)
            by = max(10, free // 3)
            return cls(id=free - by, state=9, hash=6, at=at, by=by)
        if width >= MIDDLE:
            by = 9 if width < 46 else 12
            return cls(id=width - (2 + 1 + 4 + 1 + 6 + 1 + at + 2 + by), at=at, by=by)
        return cls(id=max(6, width - 15), version=3, chars=0, at=0, by=0)


class SpansListing(Listing):
    """The Spans pane as lines."""

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._width = width
        self._columns = Columns.fit(width, scene.history.last)
        self._compact = width < MIDDLE

    @cached_property
    def _spans(self) -> list[SpanRow]:
        """Those of the moment, then collected ones that a live artifact still stands on."""
        held = [self._scene.moment.span(name) for name in self._artifacts]
        collected = [span for span in held if span is not None and span.life == "collected"]
        return self._scene.moment.spans() + [SpanRow(span, "pruned") for span in collected]

    @cached_property
    def _artifacts(self) -> dict[str, list[ArtifactRow]]:
        found: dict[str, list[ArtifactRow]] = {}
        for row in self._scene.moment.artifacts():
            found.setdefault(row.artifact.span, []).append(row)
        return found

    @cached_property
    def _rows(self) -> list[SpanRow | ArtifactRow | FreshRow]:
        if self._compact:
            return list(self._spans)
        rows: list[SpanRow | ArtifactRow | FreshRow] = []
        for span in self._spans:
            rows.append(span)
            rows += self._under(span.name, self._artifacts.get(span.name, []))
        return rows

    def _under(self, name: str, artifacts: list[ArtifactRow]) -> list[ArtifactRow | FreshRow]:
        fresh = [row for row in artifacts if row.judgement.state == "fresh"]
        if len(fresh) <= FRESH_SHOWN:
            return list(artifacts)
        selected = self._scene.selected
        shown: list[ArtifactRow | FreshRow] = [
            row for row in artifacts if row.judgement.state != "fresh" or _is(row, selected)
        ]
        folded = sum(not _is(row, selected) for row in fresh)
        return [*shown, FreshRow(name, folded)]

    def title(self) -> Line:
        """The pane's name and its counts."""
        counts = dict.fromkeys(("live", "tombstone", "pruned", "unknown"), 0)
        for item in self._scene.moment.spans():
            counts[item.state] += 1
        narrow = self._width < WIDE
        row = Row().put(f"Spans {number(counts['live'] + counts['unknown'])}")
        for state, word in (
            ("tombstone", "tombs" if narrow else "tombstones"),
            ("pruned", "pruned"),
            ("unknown", "unknown"),
        ):
            if counts[state] and (state != "pruned" or not self._compact):
                row.put(f"  {word} {number(counts[state])}")
        return row.line()

    def empty(self) -> str:
        """When the first span comes."""
        return f"no span yet at {self._scene.seq}"

    def heading(self) -> Line | None:
        """The names of the columns."""
        if self._compact:
            return None
        columns = self._columns
        row = Row().put("  ").put("SPAN", "muted", columns.id).gap().put("VER", "muted", 4)
        if columns.state:
            row.gap().put("STATE", "muted", columns.state).gap(2).put("HASH", "muted", columns.hash)
        row.gap().put("CHARS", "muted", columns.chars, right=True)
        row.gap().put("AT", "muted", columns.at, right=True)
        return row.gap(2).put("BY", "muted", columns.by).line()

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def row(self, index: int) -> Line:
        """One row, from 0."""
        item = self._rows[index]
        if isinstance(item, FreshRow):
            return Row().gap(4).put(f"{item.count} fresh", "muted").line()
        if isinstance(item, ArtifactRow):
            return self._artifact_line(item)
        return self._span_line(item)

    def subject(self, index: int) -> Subject | None:
        """What a row is about."""
        item = self._rows[index]
        if isinstance(item, SpanRow):
            return Subject("span", item.name)
        if isinstance(item, ArtifactRow):
            return Subject("artifact", item.artifact.artifact)
        return None

    def anchor(self) -> int | None:
        """The selected row, else the first that this step changed."""
        changed = None
        for index in range(len(self._rows)):
            subject = self.subject(index)
            if subject is not None and subject == self._shown_selection:
                return index
            item = self._rows[index]
            if changed is None and not isinstance(item, FreshRow) and self._changed(item):
                changed = index
        return changed

    @cached_property
    def _shown_selection(self) -> Subject | None:
        """The selected subject, or in the compact list the span of a selected artifact."""
        selected = self._scene.selected
        if self._compact and selected is not None and selected.kind == "artifact":
            row = self._scene.moment.artifact(str(selected.id))
            return None if row is None else Subject("span", row.artifact.span)
        return selected

    def _changed(self, item: SpanRow | ArtifactRow) -> bool:
        seq = self._scene.seq
        if isinstance(item, SpanRow):
            return item.span.seq == seq
        return seq in (item.artifact.seq, item.judgement.cause)

    def _span_line(self, item: SpanRow) -> Line:
        columns, span = self._columns, item.span
        selected = self._shown_selection == Subject("span", item.name)
        changed = self._changed(item)
        role: Role = "strong" if changed else "plain"
        low: Role = "strong" if changed else "muted"
        if item.state in ("tombstone", "pruned"):
            role = low = "muted" if item.state == "tombstone" else "future"
        row = Row().put("> " if selected else "* " if changed else _GUTTERS[item.state], role)
        row.put(item.name, role, columns.id, middle=True)
        version = f"v{span.version}"
        row.gap().put(version, role, max(columns.version, len(version)))
        if self._compact:
            self._worst(row, item)
            return row.line("selected" if selected else "")
        if columns.state:
            state = "" if item.state == "live" else _state_word(item)
            row.gap().put(state, "warning" if state == "unknown" else low, columns.state)
            digest = short_hash(span.hash) if item.state != "pruned" else ""
            row.gap(2).put(digest, low, columns.hash)
        chars = number(span.node.length) if item.state != "pruned" else ""
        row.gap().put(chars, low, columns.chars, right=True)
        row.gap().put(str(span.written), low, columns.at, right=True)
        row.gap(2).put(_written_by(item), low, columns.by)
        return row.line("selected" if selected else "")

    def _worst(self, row: Row, item: SpanRow) -> None:
        """The worst artifact on a span, where artifacts have no rows of their own."""
        room = self._width - row.width - 1
        if item.state == "unknown":
            row.gap().put("unknown", "warning", room)
            return
        states = [artifact.judgement.state for artifact in self._artifacts.get(item.name, ())]
        bad = [state for state in states if state != "fresh"]
        if bad:
            word: str = bad[0] if len(set(bad)) == 1 else "not fresh"
            row.gap().put(f"~{len(bad)} {_SHORT.get(word, word)}", "warning", room)
        elif item.state in ("tombstone", "pruned"):
            row.gap().put(_SHORT.get(item.state, item.state), "muted", room)
        elif states:
            row.gap().put(f"{len(states)} fresh", "muted", room)

    def _artifact_line(self, item: ArtifactRow) -> Line:
        columns, artifact, judgement = self._columns, item.artifact, item.judgement
        selected = _is(item, self._scene.selected)
        changed = self._changed(item)
        bad = judgement.state != "fresh"
        role: Role = "warning" if bad else "muted"
        gutter = "> " if selected else "~ " if bad else "* " if changed else "  "
        if judgement.state == "unknown" and not selected:
            gutter = "? "
        row = Row().gap(2).put(gutter, role)
        row.put(artifact.artifact, role, columns.id - 2, middle=True)
        row.to(columns.state_at).put(judgement.state, role)
        if judgement.signals and judgement.state not in ("fresh", "unknown"):
            row.to(max(columns.signals_at, row.width + 1)).put(signals(judgement.signals), role)
        row.to(max(columns.holder_at, row.width + 1))
        row.put(_held(item), role if bad else "muted", max(0, self._width - row.width))
        return row.line("selected" if selected else "")


def signals(names: tuple[str, ...]) -> str:
    """The five signals by letter, `-` for those that are not there: `L V H P -`."""
    return " ".join(letter if name in names else "-" for name, letter in _SIGNALS)


def _is(row: ArtifactRow, subject: Subject | None) -> bool:
    return subject == Subject("artifact", row.artifact.artifact)


def _held(item: ArtifactRow) -> str:
    artifact = item.artifact
    holder = artifact.holder or artifact.actor
    return f"{holder}, whole" if artifact.range is None else f"{holder} {dotted(artifact.range)}"


def _state_word(item: SpanRow) -> str:
    return "collected" if item.span.life == "collected" else item.state


def _written_by(item: SpanRow) -> str:
    span = item.span
    if span.into is not None:
        return f"into {span.into}"
    return span.op
