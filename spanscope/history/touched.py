"""Which subjects an event touched: what `same thing`, lens and chains go by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from spanscope.journal.events import (
    AnyEvent,
    Apply,
    Close,
    Derive,
    Evict,
    InverseRecord,
    Mark,
    Reject,
    Release,
    Render,
    Resume,
    Stage,
    Unknown,
    Use,
    Withdraw,
)

if TYPE_CHECKING:
    from spanscope.model.effects import Effect

ONLY_LOOKING = (Use, Derive, Release, Mark, Render, Resume, Close, Unknown)
"""Events that leave the undo stack and every verdict as they are."""


def subjects_of(event: AnyEvent | Unknown, effect: Effect) -> Iterator[tuple[str, str | int]]:
    """(kind, id) of everything that the event names or changed, but for its own undo entry."""
    for change in effect.spans:
        yield "span", change.after.span
    for span in effect.collected:
        yield "span", span.span
    for artifact in effect.told:
        yield "artifact", artifact.artifact
    for entry in effect.popped:
        yield "entry", entry.seq
    for entry, _ in effect.replaced:
        yield "entry", entry.seq
    yield from _named(event)


def _named(event: AnyEvent | Unknown) -> Iterator[tuple[str, str | int]]:
    if isinstance(event, Derive):
        yield "artifact", event.artifact
        yield "span", event.span
        yield from (("span", source.span) for source in event.sources)
    elif isinstance(event, Use | Release):
        yield "artifact", event.artifact
    elif isinstance(event, Stage | Apply | Reject | Withdraw):
        yield "diff", event.diff
        if isinstance(event, Stage):
            yield from _staged(event)
    elif isinstance(event, InverseRecord):
        yield "entry", event.of
    elif isinstance(event, Evict):
        yield from (("entry", seq) for seq in event.of)


def _staged(event: Stage) -> Iterator[tuple[str, str | int]]:
    for read in event.reads:
        if read.span is not None:
            yield "span", read.span
    for edit in event.edits:
        yield "span", edit.span
