"""What became of a span that is not live, in words that findings share."""

from __future__ import annotations

from spanscope.model.spans import Span


def ending(span: Span) -> str:
    """`was pruned at 31`, `has been a tombstone since 33`."""
    if span.life == "tombstone":
        return f"has been a tombstone since {span.since}"
    return f"was {span.life} at {span.since}"
