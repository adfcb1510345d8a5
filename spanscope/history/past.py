"""What a moment looks up: everything that a history keeps of the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spanscope.history.differing import Differing
    from spanscope.history.lives import Lives
    from spanscope.history.undo_log import UndoLog
    from spanscope.journal.events import AnyEvent, Unknown
    from spanscope.model.diffs import Diff
    from spanscope.model.spans import Artifact, Doubt
    from spanscope.model.state import BufferState
    from spanscope.rules.judgements import DiffJudgement


class Ground(NamedTuple):
    """What holds of the whole undo stack and the order from an event on.

    Events were last lost at `lost_at`; 0 for never.
    """

    seq: int
    doubt: Doubt | None
    known_since: int
    blocked: int
    uncertain: int
    lost_at: int = 0


class Past(Protocol):
    """What was recorded, step by step."""

    differing: Differing
    bad_holder: str
    fresh_at: int | None

    @property
    def state(self) -> BufferState:
        """The buffer after the last event."""

    def changed_between(self, one: int, other: int) -> set[str] | None:
        """The spans that the events between two steps may have changed; null: not soon told."""

    @property
    def undo(self) -> UndoLog:
        """The undo stack at any step."""

    def lives(self) -> Lives:
        """How many spans there were of each kind, and which were gone."""

    def position(self, seq: int) -> int:
        """The index of the last event up to this seq; -1 before the first."""

    def event(self, seq: int) -> AnyEvent | Unknown | None:
        """An event; null where there is none with this seq."""

    def revision_at(self, seq: int) -> int | None:
        """The revision after an event; null where it is unknown."""

    def ground_at(self, seq: int) -> Ground:
        """What held of the undo stack and the order after an event."""

    def staged_at(self, seq: int) -> dict[str, Diff]:
        """What was staged after an event."""

    def verdict_at(self, diff: str, seq: int) -> DiffJudgement | None:
        """The last verdict on a diff at or before an event."""

    def artifact_at(self, name: str, seq: int) -> Artifact | None:
        """One artifact, where it was live after an event."""

    def artifacts_at(self, seq: int) -> Iterable[Artifact]:
        """The artifacts that were live after an event."""

    def artifacts_on(self, spans: Iterable[str], seq: int) -> list[Artifact]:
        """The artifacts derived from any of these spans that were live after an event."""

    def is_held(self, span: str, seq: int) -> bool:
        """Whether any artifact derived from a span, as its own, was live after an event."""

    def artifacts_under(self, span: str, seq: int) -> list[Artifact]:
        """The artifacts derived from a span, as their own, that were live after an event."""
