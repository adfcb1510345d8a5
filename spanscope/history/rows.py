"""The rows that panes, `show` and reports draw: what holds after one event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from spanscope.journal.events import AnyEvent, Unknown
    from spanscope.model.diffs import Diff
    from spanscope.model.spans import Artifact, Span
    from spanscope.model.statuses import EntryStatus
    from spanscope.model.undo import Entry
    from spanscope.rules.finding import Finding
    from spanscope.rules.judgements import ArtifactJudgement, DiffJudgement

SpanStateWord = Literal["live", "tombstone", "pruned", "unknown"]


class SpanRow(NamedTuple):
    """One span at a step; `content` is lazily there through `span.node.text`."""

    span: Span
    state: SpanStateWord

    @property
    def name(self) -> str:
        """The span's id."""
        return self.span.span


class ArtifactRow(NamedTuple):
    """One live artifact at a step, judged; without its texts where nothing has happened to it."""

    artifact: Artifact
    judgement: ArtifactJudgement


class Place(NamedTuple):
    """A place where an inverse fits (offset in code points), and whether it is the true one."""

    span: str
    at: int
    true: bool


class UndoRow(NamedTuple):
    """One undo entry at a step. `reachable` null: unknown.

    `blocked_by` is the topmost entry (seq) at or above it that can't be undone.
    """

    entry: Entry
    status: EntryStatus
    reachable: bool | None
    blocked_by: int | None

    @property
    def places(self) -> tuple[Place, ...]:
        """All places where its inverses fit."""
        return tuple(
            [
                Place(part.span, at, at == part.located.true)
                for part in self.status.parts
                for at in part.located.places
            ]
        )

    @property
    def by_offset_alone(self) -> bool:
        """Whether it is ambiguous only since nothing but an absolute offset locates it.

        Every place of the text fits then, so that the places say nothing.
        """
        if self.status.direct != "ambiguous":
            return False
        from spanscope.rules.inverses import offset_only

        return all(
            offset_only(part)
            for part, found in zip(self.entry.parts, self.status.parts, strict=True)
            if found.located.status == "ambiguous"
        )


class DiffRow(NamedTuple):
    """One staged diff at a step, judged; `left` says how it left the staging area at this step."""

    diff: Diff
    judgement: DiffJudgement
    left: str | None = None


class UnknownSubject(Struct, kw_only=True, frozen=True):
    """A subject that can't be judged, since when and why."""

    subject: dict[str, str | int]
    since: int
    why: str


class EventRow(NamedTuple):
    """One event with its findings."""

    seq: int
    event: AnyEvent | Unknown
    findings: tuple[Finding, ...]
