"""Spans, what casts doubt on them, and artifacts."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from spanscope.model.node import Node

SpanLife = Literal["live", "tombstone", "pruned", "collected"]

COPIED: Final[tuple[SpanLife, ...]] = ("tombstone", "collected")
"""What the old span of a copy is; one that was collected should come back, but can't."""


class Doubt(NamedTuple):
    """Since which seq something is unknown, and why (one sentence).

    `only_content`: of a span, that it is known whether it is there, and not what it holds.
    """

    since: int
    why: str
    only_content: bool = False


class Span(Struct, kw_only=True, gc=False, frozen=True):
    """A named piece of the context after the event `seq`.

    `life` is what became of it, at `since`. `version` grows at every event that could have changed
    its content, `claimed` is the version that the agent last claimed, `behind` how much lower that
    was than the version then. `op` says what wrote it last, at `written`. `into` names the copy
    that took a tombstone's place. `store` is null where its ingest was lost.
    """

    span: str
    node: Node
    seq: int
    since: int = 0
    life: SpanLife = "live"
    version: int = 0
    claimed: int | None = None
    behind: int = 0
    role: str | None = None
    store: str | None = "context"
    produced_by: str = ""
    op: str = "ingest"
    written: int = 0
    answers: str | None = None
    into: str | None = None
    doubt: Doubt | None = None

    def __repr__(self) -> str:
        return f"<Span {self.span} v{self.version}: {self.life}, {self.node.length} characters>"

    @property
    def live(self) -> bool:
        """Whether it stands in the buffer."""
        return self.life == "live"

    @property
    def gone(self) -> bool:
        """Whether using it is an error: pruned or collected."""
        return self.life in ("pruned", "collected")

    @property
    def never_was(self) -> bool:
        """Whether all that brought it in was aborted: no version was counted."""
        return self.life == "pruned" and self.op == "abort"

    @property
    def life_known(self) -> bool:
        """Whether its being live or not can be told, whatever it holds."""
        return self.doubt is None or self.doubt.only_content

    @property
    def hash(self) -> str | None:
        """The content hash; null where it is unknown."""
        return None if self.doubt is not None else self.node.hash

    @property
    def text(self) -> str | None:
        """The content; null where it is unknown."""
        if self.doubt is not None or not self.node.text_known:
            return None
        return self.node.text

    @property
    def unknown(self) -> bool:
        """Whether nothing about the content can be told."""
        return self.doubt is not None or not self.node.known


def doubted(span: Span, doubt: Doubt) -> Span:
    """The span, of which nothing is known any more, since when it was unknown first."""
    since = doubt if span.doubt is None else span.doubt
    return replace(span, doubt=since._replace(only_content=False))


def surely_there(span: Span) -> Span:
    """The span, known to be there, since an event changes it; a tombstone may be one no more."""
    if span.life_known or not span.live:
        return span
    assert span.doubt is not None
    return replace(span, doubt=span.doubt._replace(only_content=True))


def same_content(one: Span | None, other: Span | None) -> bool | None:
    """Whether two states of a span hold the same bytes; null where that can't be told."""
    if one is None or other is None:
        return one is other
    if one.doubt is not None or other.doubt is not None:
        return None
    return one.node.same_content(other.node)


class DerivedFrom(NamedTuple):
    """What one span was when an artifact was derived from it.

    `node` is null where the key names a content that the span never had.
    """

    span: str
    node: Node | None
    hash: str | None
    length: int
    version: int
    produced_by: str

    @property
    def text_known(self) -> bool:
        """Whether the text is known, and not only its hash, if that."""
        return self.node is not None and self.hash is not None and self.node.text_known


class Artifact(Struct, kw_only=True, gc=False, frozen=True):
    """Something a holder derived from a span: live from `derive` to `release` (seed 000).

    `base` is what each span was then, the artifact's own first. `told` is the event that named
    it in `invalidates`; `doubt` stands where what it was derived from is unknown. `range` counts
    `unit`s: code points, bytes, or tokens of `tokenizer`.
    """

    artifact: str
    span: str
    kind: str
    seq: int
    base: tuple[DerivedFrom, ...]
    range: tuple[int, int] | None = None
    unit: str = "chars"
    tokenizer: str | None = None
    exact: str | None = None
    version: int | None = None
    hash: str | None = None
    holder: str | None = None
    actor: str = "agent"
    expensive: bool = False
    told: int | None = None
    doubt: Doubt | None = None

    @property
    def keyed(self) -> bool:
        """Whether the holder wrote down a version or a hash."""
        return self.version is not None or self.hash is not None

    @property
    def spans(self) -> tuple[str, ...]:
        """Its span and its further sources."""
        if len(self.base) == 1:
            return (self.base[0].span,)
        return tuple(dict.fromkeys(source.span for source in self.base))


EXPENSIVE_KINDS = ("embedding", "index")
"""Kinds that are expensive to rebuild unless `cost` says otherwise; `index-entry` too."""


def is_expensive(kind: str, cost: str | None) -> bool:
    """Without `cost`, embeddings and index entries are expensive, the rest cheap."""
    if cost is not None:
        return cost == "expensive"
    return kind.replace("_", "-").replace(" ", "-").startswith(EXPENSIVE_KINDS)


def as_counted(span: Span, other: Span) -> Span:
    """A span with the version and the claim of another state of it: undo restores neither."""
    return replace(span, version=other.version, claimed=other.claimed, behind=other.behind)


def with_claim(span: Span, version: int | None) -> Span:
    """A span of which the agent claims a version; null claims none. A higher one counts on."""
    if version is None:
        return span
    counted = max(span.version, version)
    return replace(span, version=counted, claimed=version, behind=counted - version)
