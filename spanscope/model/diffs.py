"""Diffs: edits authored against a base revision, staged until applied, rejected or withdrawn."""

from __future__ import annotations

from msgspec import Struct

from spanscope.journal.parts import (
    AnyEdit,
    DiffBase,
    IndexRef,
    IngestEdit,
    LineRef,
    QuoteRef,
    Read,
    Ref,
    RewriteEdit,
    SpanRef,
)
from spanscope.model.spans import Doubt, Span


class BaseState(Struct, kw_only=True, frozen=True):
    """The buffer that a diff was authored against.

    `seq` is the last event of the base revision. `spans` holds every span that was live then,
    `order` their ids in buffer order.
    """

    seq: int
    revision: int
    spans: dict[str, Span]
    order: tuple[str, ...]


class Diff(Struct, kw_only=True, frozen=True):
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
    def reads_all(self) -> bool:
        """Whether it read the whole buffer."""
        return any(read.all for read in self.reads)

    @property
    def own_spans(self) -> frozenset[str]:
        """Ids that the diff itself brings in: its later edits and refs may name them."""
        names = [edit.span for edit in self.edits if isinstance(edit, IngestEdit)]
        names += [edit.into for edit in self.edits if isinstance(edit, RewriteEdit) and edit.into]
        return frozenset(names)

    @property
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
