"""Diffs: edits authored against a base revision, staged until applied, rejected or withdrawn."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from spanscope.journal.parts import (
    AnyEdit,
    DiffBase,
    HashRef,
    IndexRef,
    IngestEdit,
    LineRef,
    MoveEdit,
    QuoteRef,
    Read,
    Ref,
    RewriteEdit,
    SpanRef,
    SpliceEdit,
)
from spanscope.model.spans import Doubt, Span

HASH_IN_TEXT = re.compile(r"sha256:[0-9a-f]{64}(?![0-9a-f])")
"""A content hash inside inserted text is a reference by itself."""


class Past(Protocol):
    """What remembers how the buffer was after any event."""

    def span_at(self, name: str, seq: int) -> Span | None:
        """The span as it was after an event."""

    def order_at(self, seq: int) -> list[str]:
        """The ids of the live spans in order, after an event."""


class BaseState:
    """The buffer that a diff was authored against, looked up in the past where it is asked for.

    `seq` is the last event of the base revision, `order_steps` how many steps had led to the
    order by then.
    """

    def __init__(self, past: Past, *, seq: int, revision: int, order_steps: int) -> None:
        self._past = past
        self.seq = seq
        self.revision = revision
        self.order_steps = order_steps

    def span(self, name: str) -> Span | None:
        """A span that was live then; null for any other."""
        span = self._past.span_at(name, self.seq)
        return span if span is not None and span.live else None

    def readable(self, name: str) -> Span | None:
        """A span that could be read then, a tombstone too; null for any other."""
        span = self._past.span_at(name, self.seq)
        return span if span is not None and not span.gone else None

    @cached_property
    def order(self) -> list[str]:
        """The ids of the live spans in buffer order; kept until the diff is staged no more."""
        return self._past.order_at(self.seq)

    def let_go(self) -> None:
        """Keep nothing that can be looked up again."""
        self.__dict__.pop("order", None)

    def spans(self) -> list[Span]:
        """The live spans in buffer order."""
        found = (self.span(name) for name in self.order)
        return [span for span in found if span is not None]


class Diff(Struct, kw_only=True, frozen=True, dict=True):
    """A staged diff (seed 004).

    `base` is null where the named revision never existed (`phantom`) or can't be told
    (`doubt`).
    """

    diff: str
    author: str
    seq: int
    claimed: DiffBase
    base: BaseState | None
    reads: tuple[Read, ...]
    edits: tuple[AnyEdit, ...]
    refs: tuple[Ref, ...] = ()
    compensates: int | None = None
    phantom: str | None = None
    doubt: Doubt | None = None

    @property
    def baseless(self) -> bool:
        """Whether the named revision never existed: there is nothing to compare with."""
        return self.base is None and self.phantom is not None

    @cached_property
    def reads_all(self) -> bool:
        """Whether it read the whole buffer."""
        return any(read.all for read in self.reads)

    @cached_property
    def own_spans(self) -> frozenset[str]:
        """Ids that the diff itself brings in: its later edits and refs may name them."""
        names = [edit.span for edit in self.edits if isinstance(edit, IngestEdit)]
        names += [edit.into for edit in self.edits if isinstance(edit, RewriteEdit) and edit.into]
        return frozenset(names)

    @cached_property
    def named_spans(self) -> tuple[str, ...]:
        """All spans that its reads, edits and refs name, without its own."""
        names = [read.span for read in self.reads if read.span is not None]
        names += [edit.span for edit in self.edits if not isinstance(edit, IngestEdit)]
        names += [
            ref.span
            for ref in self.refs
            if isinstance(ref, SpanRef | QuoteRef | LineRef | IndexRef) and ref.span is not None
        ]
        own = self.own_spans
        return tuple(name for name in dict.fromkeys(names) if name not in own)

    @cached_property
    def edited_spans(self) -> frozenset[str]:
        """The spans that its edits change or bring in."""
        return frozenset(edit.span for edit in self.edits)

    @cached_property
    def copies(self) -> tuple[tuple[str, str], ...]:
        """(span, the id that a copy of it takes) of its copies."""
        rewrites = (edit for edit in self.edits if isinstance(edit, RewriteEdit))
        return tuple((edit.span, edit.into) for edit in rewrites if edit.into is not None)

    @cached_property
    def written_spans(self) -> frozenset[str]:
        """The spans that its edits change, bring in or put a copy in the place of."""
        return self.edited_spans | self.own_spans

    @cached_property
    def watched_spans(self) -> frozenset[str]:
        """Every span whose change can change the verdict, but for the whole buffer's."""
        beside = [
            edit.after
            for edit in self.edits
            if isinstance(edit, IngestEdit | MoveEdit) and isinstance(edit.after, str)
        ]
        return self.own_spans.union(self.named_spans, beside)

    @cached_property
    def watches_order(self) -> bool:
        """Whether an index or a line of the whole buffer rests on the order."""
        return any(
            isinstance(ref, IndexRef) or (isinstance(ref, LineRef) and ref.span is None)
            for ref in self.refs
        )

    @cached_property
    def watches_all(self) -> bool:
        """Whether any span at all may matter: the whole buffer was read, or is searched."""
        return self.reads_all or self.searches_all

    @cached_property
    def searches_all(self) -> bool:
        """Whether a reference is looked for in the whole buffer."""
        return any(
            isinstance(ref, HashRef) or (isinstance(ref, LineRef) and ref.span is None)
            for ref in self.all_refs
        )

    @cached_property
    def all_refs(self) -> tuple[Ref, ...]:
        """Its references, with the hashes inside the text that it inserts."""
        texts = [
            edit.content if isinstance(edit, IngestEdit | RewriteEdit) else edit.insert
            for edit in self.edits
            if isinstance(edit, IngestEdit | RewriteEdit | SpliceEdit)
        ]
        inside = (HashRef(hash=found.group()) for t in texts for found in HASH_IN_TEXT.finditer(t))
        return (*self.refs, *inside)
