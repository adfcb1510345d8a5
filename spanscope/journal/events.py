"""The one wire schema: every event of a buffer journal, format 1.

Events are msgspec structs tagged by `type`. Fields stand in the order in which our writer puts
them: short ones first, bulky text last. Offsets, lengths and ranges count Unicode code points,
0-based and half-open, unless an artifact's `unit` says otherwise.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from spanscope.journal.parts import (
    Anchor,
    AnyEdit,
    Base,
    DiffBase,
    Inverse,
    Item,
    Outcome,
    Parent,
    Quote,
    Range,
    Read,
    Ref,
    Seq,
    Source,
)

FORMAT = "spanscope.journal/1"


class Event(Struct, kw_only=True, omit_defaults=True, tag_field="type", gc=False):
    """What all events share: `seq` from 1 without gaps, `time` RFC 3339 UTC, who did it."""

    seq: Seq
    time: str
    actor: str = "agent"
    meta: dict[str, Any] | None = None


class Ingest(Event, kw_only=True, omit_defaults=True, gc=False, tag="ingest"):
    """A new live span. `after`: the span it follows, null for first, absent for last."""

    span: str
    role: str | None = None
    after: str | None | UnsetType = UNSET
    origin: str | None = None
    store: str = "context"
    answers: str | None = None
    supersedes: list[str] = []
    version: int | None = None
    hash: str | None = None
    redacted: bool = False
    content: str


class Rewrite(Event, kw_only=True, omit_defaults=True, gc=False, tag="rewrite"):
    """Whole content replaced in place, or (`into`) copy-on-rewrite (seed 000)."""

    span: str
    op: str
    into: str | None = None
    version: int | None = None
    hash: str | None = None
    base: Base | None = None
    invalidates: list[str] = []
    redacted: bool = False
    inverse: Inverse | None = None
    content: str


class Splice(Event, kw_only=True, omit_defaults=True, gc=False, tag="splice"):
    """`delete` characters from `at` replaced by `insert`, in place (seed 003)."""

    span: str
    at: int
    delete: int
    version: int | None = None
    hash: str | None = None
    base: Base | None = None
    invalidates: list[str] = []
    redacted: bool = False
    anchor: Anchor | None = None
    original: str | None = None
    inverse: Inverse | None = None
    insert: str


class Prune(Event, kw_only=True, omit_defaults=True, gc=False, tag="prune"):
    """The span leaves the buffer."""

    span: str
    version: int | None = None
    hash: str | None = None
    base: Base | None = None
    invalidates: list[str] = []
    redacted: bool = False
    inverse: Inverse | None = None


class Move(Event, kw_only=True, omit_defaults=True, gc=False, tag="move"):
    """Another place in the order: after a span, or first (null)."""

    span: str
    after: str | None


class Derive(Event, kw_only=True, omit_defaults=True, gc=False, tag="derive"):
    """A holder keeps something derived from the span (seed 000)."""

    artifact: str
    span: str
    kind: str
    range: Range | None = None
    unit: Literal["chars", "bytes", "tokens"] = "chars"
    version: int | None = None
    hash: str | None = None
    holder: str | None = None
    cost: Literal["cheap", "expensive"] | None = None
    sources: list[Source] = []
    quote: Quote | None = None


class Use(Event, kw_only=True, omit_defaults=True, gc=False, tag="use"):
    """The holder used its artifact; `caught`: it saw that it was stale and refused."""

    artifact: str
    outcome: Literal["used", "caught", "rederived"] = "used"
    checked: list[Literal["version", "hash"]] = []
    range: Range | None = None
    got: str | None = None


class Release(Event, kw_only=True, omit_defaults=True, gc=False, tag="release"):
    """The artifact is no longer live."""

    artifact: str


class InverseRecord(Event, kw_only=True, omit_defaults=True, gc=False, tag="inverse"):
    """An inverse of its own line: write-ahead (`of` the next seq) or late."""

    of: Seq
    edit: int | None = None
    inserted: int
    inserted_hash: str | None = None
    at: int | None = None
    anchored: bool = True
    window: int | None = None
    before: str = field(default_factory=str)
    after: str = field(default_factory=str)
    original: str

    def inverse(self) -> Inverse:
        """The inverse that the line carries."""
        return Inverse(
            inserted=self.inserted,
            inserted_hash=self.inserted_hash,
            at=self.at,
            anchored=self.anchored,
            window=self.window,
            before=self.before,
            after=self.after,
            original=self.original,
        )


class Evict(Event, kw_only=True, omit_defaults=True, gc=False, tag="evict"):
    """Inverse records that the log lost or dropped."""

    of: list[Seq]
    reason: str | None = None


class Abort(Event, kw_only=True, omit_defaults=True, gc=False, tag="abort"):
    """The newest change was logged and then did not happen."""

    of: Seq
    reason: str | None = None


class Checkpoint(Event, kw_only=True, omit_defaults=True, gc=False, tag="checkpoint"):
    """A named point to roll back to; `snapshot`: a full immutable copy exists."""

    checkpoint: str
    snapshot: bool = False
    digest: str | None = None


class Rollback(Event, kw_only=True, omit_defaults=True, gc=False, tag="rollback"):
    """Undo. `edits`: what was really done; without them the reader does the sound undo."""

    steps: int | None = None
    to: str | None = None
    of: list[Seq] | None = None
    method: Literal["replay", "restore"] = "replay"
    stores: list[str] | None = None
    outcome: Outcome = "done"
    versions: dict[str, int] = {}
    hashes: dict[str, str] = {}
    edits: list[AnyEdit] | None = None


class Stage(Event, kw_only=True, omit_defaults=True, gc=False, tag="stage"):
    """A diff authored against `base`, not yet applied (seed 004)."""

    diff: str
    base: DiffBase
    compensates: Seq | None = None
    reads: list[Read]
    refs: list[Ref] = []
    edits: list[AnyEdit]


class Apply(Event, kw_only=True, omit_defaults=True, gc=False, tag="apply"):
    """The diff committed, all its edits as one event and one undo entry."""

    diff: str
    outcome: Outcome = "done"
    versions: dict[str, int] = {}
    hashes: dict[str, str] = {}
    inverses: list[Inverse | None] | None = None
    edits: list[AnyEdit] | None = None


class Reject(Event, kw_only=True, omit_defaults=True, gc=False, tag="reject"):
    """The diff was refused and leaves the staging area."""

    diff: str
    rule: str | None = None
    reason: str | None = None


class Withdraw(Event, kw_only=True, omit_defaults=True, gc=False, tag="withdraw"):
    """The author took the diff back."""

    diff: str


class Compact(Event, kw_only=True, omit_defaults=True, gc=False, tag="compact"):
    """Tombstones collected."""

    spans: list[str]


class Observe(Event, kw_only=True, omit_defaults=True, gc=False, tag="observe"):
    """What the agent's real buffer holds now."""

    digest: str | None = None
    hashes: dict[str, str] = {}
    contents: dict[str, str] = {}


class Render(Event, kw_only=True, omit_defaults=True, gc=False, tag="render"):
    """What a model call was really given, in order."""

    call: str | None = None
    items: list[Item]


class Gap(Event, kw_only=True, omit_defaults=True, gc=False, tag="gap"):
    """The recorder missed events here."""

    reason: str
    lost: int | None = None


class Resume(Event, kw_only=True, omit_defaults=True, gc=False, tag="resume"):
    """A writer went on with this journal."""


class Mark(Event, kw_only=True, omit_defaults=True, gc=False, tag="mark"):
    """A place to navigate to."""

    kind: str
    label: str


class Close(Event, kw_only=True, omit_defaults=True, gc=False, tag="close"):
    """The writer ended in good order."""

    events: int


class Unknown(Struct, kw_only=True, gc=False):
    """An event of a type that this reader does not know: kept and shown, never judged."""

    type: str
    seq: Seq
    time: str
    actor: str = "agent"
    fields: dict[str, Any] = {}


class Session(Struct, kw_only=True, omit_defaults=True, tag_field="type", tag="session", gc=False):
    """The header, line 1. `records`: what the source can record at all (absent: everything)."""

    format: str
    session: str
    agent: str | None = None
    tokenizer: str | None = None
    started: str | None = None
    parent: Parent | None = None
    records: list[str] | None = None
    meta: dict[str, Any] | None = None


AnyEvent = (
    Ingest
    | Rewrite
    | Splice
    | Prune
    | Move
    | Derive
    | Use
    | Release
    | InverseRecord
    | Evict
    | Abort
    | Checkpoint
    | Rollback
    | Stage
    | Apply
    | Reject
    | Withdraw
    | Compact
    | Observe
    | Render
    | Gap
    | Resume
    | Mark
    | Close
)

EVENT_TYPES: dict[str, type[Event]] = {
    str(struct.__struct_config__.tag): struct for struct in AnyEvent.__args__
}


def type_of(event: AnyEvent | Unknown) -> str:
    """The event's type as the journal names it."""
    return event.type if isinstance(event, Unknown) else str(event.__struct_config__.tag)
