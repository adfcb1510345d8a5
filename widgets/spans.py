"""The spans of a step in buffer order, the artifacts derived from each under it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from spanscope.history.describing import dotted, length_of, number, short_hash
from spanscope.history.rows import ArtifactRow, SpanRow
from spanscope.text.cells import cell_width
from spanscope.widgets.lines import Line, Role, Row, shown_line
from spanscope.widgets.listing import Listing
from spanscope.widgets.span_columns import MIDDLE, WIDE, Columns
from spanscope.widgets.subject import Subject

if TYPE_CHECKING:
    from spanscope.widgets.scene import Scene
    from spanscope.widgets.since import Counts

FRESH_SHOWN = 3
"""More fresh artifacts on one span than these are one row."""

_SIGNALS = (
    ("length-delta", "L"),
    ("version-advanced", "V"),
    ("hash-divergence", "H"),
    ("provenance-changed", "P"),
    ("boundary-crossed", "B"),
)
_SHORT = {"dangling": "held", "invalidated": "inval", "tombstone": "tomb"}
"""Words for where there is little room."""
_GUTTERS = {"live": "  ", "tombstone": "- ", "pruned": "x ", "unknown": "? "}


class FreshRow(Struct, frozen=True):
    """So many fresh artifacts on a span, as one row."""

    span: str
    count: int


STRIDE = 1 << 20
"""Between the numbers of two spans' rows: what stands under a span comes between."""

Item = SpanRow | ArtifactRow | FreshRow


class SpansListing(Listing):
    """The Spans pane as lines: live spans in buffer order, then those that are gone.

    A row's number is its span's place times `STRIDE`, and its place under the span: only spans
    in view are looked at.
    """

    def __init__(self, scene: Scene, width: int) -> None:
        self._scene = scene
        self._width = width
        self._columns = Columns.fit(width, scene.history.last, compare=scene.since is not None)
        self._compact = width < MIDDLE
        self._made: dict[str, list[Item]] = {}

    @cached_property
    def _gone(self) -> list[str]:
        return self._scene.moment.gone()

    def _name(self, place: int) -> str | None:
        """The id of the span at a place; null behind the last."""
        order = self._scene.moment.order
        if place < len(order):
            return order[place]
        place -= len(order)
        return self._gone[place] if place < len(self._gone) else None

    def _block(self, name: str) -> list[Item]:
        """The row of a span and those under it."""
        made = self._made.get(name)
        if made is None:
            row = self._scene.moment.span_row(name)
            made = self._made[name] = [] if row is None else [row, *self._under(name)]
        return made

    def _artifacts(self, name: str) -> list[ArtifactRow]:
        return self._scene.moment.artifacts_under(name)

    def _under(self, name: str) -> list[ArtifactRow | FreshRow]:
        if self._compact:
            return []
        artifacts = self._artifacts(name)
        fresh = [row for row in artifacts if row.judgement.state == "fresh"]
        if len(fresh) <= FRESH_SHOWN:
            return list(artifacts)
        selected = self._scene.selected
        shown: list[ArtifactRow | FreshRow] = [
            row for row in artifacts if row.judgement.state != "fresh" or _is(row, selected)
        ]
        folded = sum(not _is(row, selected) for row in fresh)
        return [*shown, FreshRow(name, folded)]

    def settle(self, number: int) -> int | None:
        """The row of this number, else the last before it, else the first; null: no rows."""
        place, below = divmod(number, STRIDE)
        name = self._name(place)
        if name is None:
            place = len(self._scene.moment.order) + len(self._gone) - 1
            if place < 0:
                return None
            name, below = self._name(place), STRIDE
        assert name is not None
        return place * STRIDE + min(below, len(self._block(name)) - 1)

    def after(self, number: int) -> int | None:
        """The next row; null at the end."""
        place, below = divmod(number, STRIDE)
        name = self._name(place)
        if name is not None and below + 1 < len(self._block(name)):
            return number + 1
        return None if self._name(place + 1) is None else (place + 1) * STRIDE

    def before(self, number: int) -> int | None:
        """The row before; null at the start."""
        place, below = divmod(number, STRIDE)
        if below:
            return number - 1
        above = self._name(place - 1) if place else None
        return None if above is None else (place - 1) * STRIDE + len(self._block(above)) - 1

    def _item(self, number: int) -> Item:
        place, below = divmod(number, STRIDE)
        name = self._name(place)
        assert name is not None
        return self._block(name)[below]

    def hidden(self, shown: Sequence[int]) -> str:
        """How many of how many spans are shown."""
        if self.before(shown[0]) is None and self.after(shown[-1]) is None:
            return ""
        spans = sum(number % STRIDE == 0 for number in shown)
        return f"{spans:,} of {sum(self._scene.moment.census):,}"

    def title(self) -> Line:
        """The pane's name and its counts."""
        census = self._scene.moment.census
        narrow = self._width < WIDE
        row = Row().put(f"Spans {number(census.live + census.unknown)}")
        if self._scene.since is not None:
            return put_counts(row, self._scene.since.spans).line()
        for count, word in (
            (census.tombstone, "tombs" if narrow else "tombstones"),
            (0 if self._compact else census.pruned, "pruned"),
            (census.unknown, "unknown"),
        ):
            if count:
                row.put(f"  {word} {number(count)}")
        return row.line()

    def empty(self) -> str:
        """When the first span comes."""
        return f"no span yet at {self._scene.seq}"

    def heading(self) -> Line | None:
        """The names of the columns."""
        if self._compact:
            return None
        columns = self._columns
        row = Row().put("  ").put("SPAN", "muted", columns.id).gap()
        row.put("VER", "muted", columns.version)
        if columns.state:
            row.gap().put("STATE", "muted", columns.state).gap(2).put("HASH", "muted", columns.hash)
        row.gap().put("CHARS", "muted", columns.chars, right=True)
        row.gap().put("AT", "muted", columns.at, right=True)
        return (row.gap(2).put("BY", "muted", columns.by) if columns.by else row).line()

    def row(self, number: int) -> Line:
        """One row."""
        item = self._item(number)
        if isinstance(item, FreshRow):
            return Row().gap(4).put(f"{item.count} fresh", "muted").line()
        if isinstance(item, ArtifactRow):
            return self._artifact_line(item)
        return self._span_line(item)

    def subject(self, number: int) -> Subject | None:
        """What a row is about."""
        item = self._item(number)
        if isinstance(item, SpanRow):
            return Subject("span", item.name)
        if isinstance(item, ArtifactRow):
            return Subject("artifact", item.artifact.artifact)
        return None

    def anchor(self) -> int | None:
        """The selected row, else the first that this step changed."""
        for subject in (self._shown_selection, *self._scene.changed):
            found = None if subject is None else self._place(subject)
            if found is not None:
                return found
        return None

    def _place(self, subject: Subject) -> int | None:
        """The row of a span or an artifact; null where it has none."""
        if subject.kind == "artifact":
            found = self._scene.moment.artifact(str(subject.id))
            name = None if found is None else found.artifact.span
        else:
            name = str(subject.id) if subject.kind == "span" else None
        place = None if name is None else self._span_place(name)
        if place is None or name is None:
            return None
        for below, item in enumerate(self._block(name)):
            if isinstance(item, ArtifactRow) and _is(item, subject):
                return place * STRIDE + below
        return place * STRIDE

    def _span_place(self, name: str) -> int | None:
        row = self._scene.moment.span_row(name)
        if row is None:
            return None
        order = self._scene.moment.order
        if row.span.live:
            return order.index(name) if name in order else None
        return len(order) + self._gone.index(name) if name in self._gone else None

    @cached_property
    def _shown_selection(self) -> Subject | None:
        """The selected subject, or in the compact list the span of a selected artifact."""
        selected = self._scene.selected
        if self._compact and selected is not None and selected.kind == "artifact":
            row = self._scene.moment.artifact(str(selected.id))
            return None if row is None else Subject("span", row.artifact.span)
        return selected

    def _changed(self, item: SpanRow | ArtifactRow) -> bool:
        seq, since = self._scene.seq, self._scene.since
        if isinstance(item, SpanRow):
            return item.span.seq == seq if since is None else bool(since.span(item.name))
        if since is not None:
            return bool(since.artifact(item.artifact.artifact)[0])
        return seq in (item.artifact.seq, item.judgement.cause)

    def _span_line(self, item: SpanRow) -> Line:
        columns, span = self._columns, item.span
        selected = self._shown_selection == Subject("span", item.name)
        changed = self._changed(item)
        alike: Role = "plain" if self._scene.since is None else "muted"
        role: Role = "strong" if changed else alike
        low: Role = "strong" if changed else "muted"
        if item.state in ("tombstone", "pruned"):
            role = low = "muted" if item.state == "tombstone" else "future"
        if self._scene.dims(Subject("span", item.name)):
            role = low = "future"
        gutter = "* " if changed else _GUTTERS[item.state]
        if self._scene.since is not None and self._scene.since.span(item.name) == "new":
            gutter = "+ "
        row = Row().put("> " if selected else gutter, role)
        row.put(item.name, role, columns.id, middle=True)
        version = self._version(item)
        row.gap().put(version, role, max(columns.version, len(version)))
        if self._compact:
            self._worst(row, item)
            return row.line("selected" if selected else "")
        if columns.state:
            state = "" if item.state == "live" else _state_word(item)
            row.gap().put(state, "warning" if state == "unknown" else low, columns.state)
            digest = short_hash(span.hash) if item.state != "pruned" else ""
            row.gap(2).put(digest, low, columns.hash)
        chars = _fitting(length_of(span), columns.chars) if item.state != "pruned" else ""
        row.gap().put(chars, low, columns.chars, right=True)
        row.gap().put(str(span.written), low, columns.at, right=True)
        if columns.by:
            row.gap(2).put(_written_by(item), low, columns.by)
        return row.line("selected" if selected else "")

    def _version(self, item: SpanRow) -> str:
        """The version; where two steps are compared the one before too."""
        since, version = self._scene.since, f"v{item.span.version}"
        was = None if since is None else since.was.span(item.name)
        if was is None or was.version == item.span.version:
            return version
        both = f"v{was.version} > {version}"
        return both if len(both) <= self._columns.version else both.replace(" ", "")

    def _worst(self, row: Row, item: SpanRow) -> None:
        """The worst artifact on a span, where artifacts have no rows of their own."""
        room = self._width - row.width - 1
        if item.state == "unknown":
            row.gap().put("unknown", "warning", room)
            return
        states = [artifact.judgement.state for artifact in self._artifacts(item.name)]
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
        if self._scene.dims(Subject("artifact", artifact.artifact)):
            role = "future"
        gutter = "> " if selected else "~ " if bad else "* " if changed else "  "
        if judgement.state == "unknown" and not selected:
            gutter = "? "
        row = Row().gap(2).put(gutter, role)
        row.put(artifact.artifact, role, self._id_room(artifact.artifact), middle=True)
        row.to(max(columns.state_at, row.width + 1)).put(self._state_then(item), role)
        if judgement.signals and judgement.state not in ("fresh", "unknown"):
            row.to(max(columns.signals_at, row.width + 1)).put(signals(judgement.signals), role)
        row.to(max(columns.holder_at, row.width + 1))
        room = max(0, self._width - row.width)
        row.put(_held(item, room), role, room)
        return row.line("selected" if selected else "")

    def _id_room(self, id: str) -> int:
        """Cells for the id of an artifact: it may take those of a version, which it has none of."""
        room = self._columns.id - 2
        return max(room, min(len(id), room + self._columns.version + 1))

    def _state_then(self, item: ArtifactRow) -> str:
        """The state of an artifact; where two steps are compared the one before too."""
        since = self._scene.since
        change, was = ("", "") if since is None else since.artifact(item.artifact.artifact)
        return f"{was} > {item.judgement.state}" if change == "changed" else item.judgement.state


def put_counts(row: Row, counts: Counts | None) -> Row:
    """How many changed, came and went since the pin; those that are 0 are left out."""
    for count, word in zip(counts or (), ("changed", "new", "gone"), strict=False):
        if count:
            row.put(f"  {word} {number(count)}")
    return row


def signals(names: tuple[str, ...]) -> str:
    """The five signals by letter, `-` for those that are not there: `L V H P -`."""
    return " ".join(letter if name in names else "-" for name, letter in _SIGNALS)


def _is(row: ArtifactRow, subject: Subject | None) -> bool:
    return subject == Subject("artifact", row.artifact.artifact)


def _held(item: ArtifactRow, room: int) -> str:
    """Who holds the artifact, and of what, where both fit."""
    artifact = item.artifact
    holder = artifact.holder or artifact.actor
    of = ", whole" if artifact.range is None else f" {dotted(artifact.range)}"
    return holder + of if cell_width(shown_line(holder + of)) <= room else holder


def _fitting(count: str, width: int) -> str:
    """A count in thousands or millions where all its digits don't fit: none is ever cut."""
    if len(count) <= width:
        return count
    value = int(count.replace(",", ""))
    millions = value / 1_000_000
    if value < 999_500:
        return f"{value / 1000:.0f}k"
    return f"{millions:.1f}M" if millions < 99.95 else f"{millions:,.0f}M"


def _state_word(item: SpanRow) -> str:
    return "collected" if item.span.life == "collected" else item.state


def _written_by(item: SpanRow) -> str:
    span = item.span
    if span.into is not None:
        return f"into {span.into}"
    return span.op
