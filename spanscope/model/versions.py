"""Which version of a span an agent may mean, and which its next claim must exceed."""

from __future__ import annotations

from spanscope.model.spans import Span, same_content
from spanscope.model.state import BufferState


def counted_on(span: Span) -> int:
    """The agent's version of a span: each event that could change it counts on from its claim."""
    return span.version - span.behind


def may_be_at(state: BufferState, span: Span, version: int | None) -> bool:
    """Whether this may be the agent's version of a span: the reader's, or as counted on by it.

    Where events were lost, the reader may have counted changes that were none: any from the one
    last claimed on, and any that is not lower than before if they were lost since that claim. Null
    is any.
    """
    if version is None or version in (span.version, counted_on(span)):
        return True
    if not state.damaged:
        return False
    if span.claimed is not None and span.claimed <= version <= span.version:
        return True
    then = state.span_at(span.span, state.first_lost_at - 1)
    if then is None:
        # Its count may go on from what the id had where events were lost.
        return span.claimed is None or version >= span.version
    return span.claimed == then.claimed and version >= _least_version(state, then, span)


def _least_version(state: BufferState, before: Span, now: Span) -> int:
    """The version that a span has at least, which was `before` when events were first lost."""
    surely = state.span_at(now.span, state.certain_before - 1)
    if surely is None:
        return 0
    changed = same_content(surely, now) is False
    return min(surely.version + changed, before.version)


def prior_version(state: BufferState, before: Span) -> int:
    """The version that a claim must exceed: as counted on from the last claim, or the reader's.

    Where events were lost, the reader may have counted changes since that were none.
    """
    if not state.damaged:
        return counted_on(before)
    last = state.span_at(before.span, state.lost_at - 1)
    if before.claimed is not None and (last is None or last.claimed != before.claimed):
        return before.claimed
    then = state.span_at(before.span, state.certain_before - 1)
    if then is not None and then.claimed is not None:
        return then.claimed
    least = 0 if then is None else min(then.version, before.version)
    return least if last is None else min(before.version, least + _surely_written(state, before))


def _surely_written(state: BufferState, span: Span) -> bool:
    """Whether a change of its own wrote a span since events were lost."""
    by_itself = span.op == "splice" or span.produced_by == f"rewrite:{span.op}"
    return by_itself and span.written >= state.lost_at
