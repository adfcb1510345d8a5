"""What an event did to the buffer: the facts that the rules judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from spanscope.journal.events import AnyEvent, Unknown
from spanscope.model.diffs import Diff
from spanscope.model.spans import Artifact, Span
from spanscope.model.stack import NOTHING_PASSED, Passed
from spanscope.model.state import Savepoint
from spanscope.model.undo import Entry


class Problem(NamedTuple):
    """Something that an event asks for and that can't be: JNL007 or JNL008."""

    rule: str
    subject: dict[str, str | int]
    message: str
    evidence: dict[str, Any]


class SpanChange(NamedTuple):
    """One span before and after an event.

    `edited` says that its content could have changed, `changed` that it did (null: unknown).
    """

    before: Span | None
    after: Span
    edited: bool
    changed: bool | None

    @property
    def counts(self) -> bool:
        """Whether the buffer holds something else: where that can't be told, whether it could."""
        if self.before is None:
            return self.after.live
        if self.after.gone or self.before.gone:
            return False
        if self.before.unknown or self.after.unknown:
            return self.after.version > self.before.version
        return self.changed is True


class Claim(NamedTuple):
    """What the agent said holds after the event, beside what the reader computed.

    `prior` is the version to grow from, `actual` the true hash (null: unknown).
    """

    span: str
    version: int | None
    prior: int | None
    hash: str | None
    actual: str | None
    changed: bool | None


class Undoing(Struct, kw_only=True, gc=False):
    """A rollback: what it named and skipped, and what should have come of it.

    `expected` holds the spans as they were before the named entries; null where that can't be
    told (`impossible` says why, `surely` that no unknown text is a reason). `stopped` is the entry
    at which the sound undo had to stop.
    `restored`: a full copy was put back, which needs no entry. `unknown_ground`: it may have
    gone through entries that were lost. `unsure`: whether some are in its `stores` can't be told.
    `after_loss`: all that it names came after the last loss.
    """

    named: list[Entry]
    skipped: Passed = NOTHING_PASSED
    expected: dict[str, Span] | None = None
    expected_order: list[str] | None = None
    impossible: str | None = None
    surely: bool = True
    past_start: int | None = None
    stopped: Entry | None = None
    savepoint: Savepoint | None = None
    left_stores: list[Entry] = []
    redone: list[tuple[Entry, Entry]] = []
    unknown_ground: bool = False
    unsure: bool = False
    restored: bool = False
    after_loss: bool = True


class Effect(Struct, kw_only=True, gc=False):
    """Everything that one event changed, with the states before it where they matter.

    `lost` names the spans that became unknown where events were lost. `presumed`: what it did to
    them is only what it would have done if no event had been lost.
    """

    seq: int
    event: AnyEvent | Unknown
    spans: Sequence[SpanChange] = ()
    claims: Sequence[Claim] = ()
    problems: list[Problem] = []
    order_changed: bool = False
    content_changed: bool = False
    pushed: Entry | None = None
    popped: Sequence[Entry] = ()
    replaced: Sequence[tuple[Entry, Entry]] = ()
    restored: Sequence[Entry] = ()
    artifact: Artifact | None = None
    previous: Artifact | None = None
    told: Sequence[Artifact] = ()
    diff: Diff | None = None
    replaced_diff: Diff | None = None
    undoing: Undoing | None = None
    resynced: Sequence[str] = ()
    collected: Sequence[Span] = ()
    cleared: bool = False
    lost: Sequence[str] | None = None
    applied: bool = False
    presumed: bool = False

    @property
    def changed(self) -> bool:
        """Whether any content or the order really changed."""
        return self.content_changed or self.order_changed
