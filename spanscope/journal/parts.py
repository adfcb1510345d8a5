"""What events carry: inverses, anchors, reads, references and the edits of a diff.

Fields stand in the order in which our writer puts them: short ones first, bulky text last.
Offsets, lengths and ranges count Unicode code points, 0-based and half-open. A default made by a
factory is written too: the field is not optional, a reader only is lenient about it.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

Seq = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Range = tuple[int, int]
Outcome = Literal["done", "partial", "failed", "noop"]


class Base(Struct, kw_only=True, omit_defaults=True, gc=False):
    """What the writer of a change believed the span to be."""

    version: int | None = None
    hash: str | None = None


class Inverse(Struct, kw_only=True, frozen=True, omit_defaults=True, gc=False):
    """The record that undoes one change (seed 003).

    `original` is the text that was replaced, `inserted` the length (code points) of what took
    its place. `before` and `after` are the characters on each side of it right after the
    change, or `sha256:` digests over `window` characters. `at` is the offset of the edit;
    `anchored` false says that only `at` locates it.
    """

    inserted: int
    inserted_hash: str | None = None
    at: int | None = None
    anchored: bool = True
    window: int | None = None
    before: str = field(default_factory=str)
    after: str = field(default_factory=str)
    original: str


class Anchor(Struct, kw_only=True, omit_defaults=True, gc=False):
    """Where an edit was sought: `before` ends where it starts, `after` starts where it ends."""

    before: str = field(default_factory=str)
    after: str = field(default_factory=str)


class Quote(Struct, kw_only=True, omit_defaults=True, gc=False):
    """A quotation with its surroundings."""

    exact: str
    prefix: str | None = None
    suffix: str | None = None


class Source(Struct, kw_only=True, omit_defaults=True, gc=False):
    """A further span that an artifact was derived from."""

    span: str
    hash: str | None = None


class Parent(Struct, kw_only=True, omit_defaults=True, gc=False):
    """The session and seq that this one branched off."""

    session: str
    seq: int


class DiffBase(Struct, kw_only=True, omit_defaults=True, gc=False):
    """The buffer that a diff was authored against."""

    revision: int
    digest: str | None = None


class Read(Struct, kw_only=True, omit_defaults=True, gc=False):
    """One member of a read set: a span, a range of one, or (`all`) the whole buffer."""

    span: str | None = None
    range: Range | None = None
    hash: str | None = None
    all: bool = False

    def __post_init__(self) -> None:
        if self.span is None and not self.all:
            raise ValueError("a read names a span, or `all`")


class Item(Struct, kw_only=True, omit_defaults=True, gc=False):
    """One span of a render; `shown` where the text shown is not the stored one."""

    span: str
    shown: str | None = None


class SpanRef(Struct, kw_only=True, tag_field="kind", tag="span", gc=False):
    """A reference to a span."""

    span: str


class QuoteRef(Struct, kw_only=True, tag_field="kind", tag="quote", gc=False):
    """A reference to text that must stand in a span."""

    span: str
    text: str


class LineRef(Struct, kw_only=True, omit_defaults=True, tag_field="kind", tag="line", gc=False):
    """A reference to a line (1-based) of a span, or of the whole buffer without `span`."""

    line: int
    span: str | None = None
    text: str | None = None


class IndexRef(Struct, kw_only=True, tag_field="kind", tag="index", gc=False):
    """A reference to a span's place (0-based) in the order."""

    span: str
    index: int


class HashRef(Struct, kw_only=True, tag_field="kind", tag="hash", gc=False):
    """A reference to the live span with this content hash."""

    hash: str


Ref = SpanRef | QuoteRef | LineRef | IndexRef | HashRef


class Edit(Struct, kw_only=True, omit_defaults=True, tag_field="type", gc=False):
    """What all edits of a diff, an apply or a rollback share."""


class IngestEdit(Edit, kw_only=True, omit_defaults=True, gc=False, tag="ingest"):
    """An `ingest` inside a diff."""

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


class RewriteEdit(Edit, kw_only=True, omit_defaults=True, gc=False, tag="rewrite"):
    """A `rewrite` inside a diff."""

    span: str
    op: str = field(default_factory=lambda: "rewrite")
    into: str | None = None
    version: int | None = None
    hash: str | None = None
    invalidates: list[str] = []
    redacted: bool = False
    inverse: Inverse | None = None
    content: str


class SpliceEdit(Edit, kw_only=True, omit_defaults=True, gc=False, tag="splice"):
    """A `splice` inside a diff; located by `at` or by `anchor`."""

    span: str
    at: int | None = None
    delete: int
    version: int | None = None
    hash: str | None = None
    invalidates: list[str] = []
    anchor: Anchor | None = None
    original: str | None = None
    inverse: Inverse | None = None
    insert: str


class PruneEdit(Edit, kw_only=True, omit_defaults=True, gc=False, tag="prune"):
    """A `prune` inside a diff."""

    span: str
    invalidates: list[str] = []
    inverse: Inverse | None = None


class MoveEdit(Edit, kw_only=True, omit_defaults=True, gc=False, tag="move"):
    """A `move` inside a diff."""

    span: str
    after: str | None


AnyEdit = IngestEdit | RewriteEdit | SpliceEdit | PruneEdit | MoveEdit
