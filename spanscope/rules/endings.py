"""What became of a span that is not live, in words that findings share."""

from __future__ import annotations

from collections.abc import Sequence

from spanscope.model.spans import Span


def ended_at(span: Span, states: Sequence[Span]) -> int:
    """The event that took a span from the buffer.

    A tombstone has later states: one that was changed, or is known again after events were lost.
    """
    seq = span.seq
    for state in reversed(states):
        if state.seq > span.seq:
            continue
        if state.life != span.life:
            break
        seq = state.seq
    return seq


def ending(span: Span, states: Sequence[Span]) -> str:
    """`was pruned at 31`, `has been a tombstone since 33`."""
    if span.life == "tombstone":
        return f"has been a tombstone since {ended_at(span, states)}"
    return f"was {span.life} at {ended_at(span, states)}"
