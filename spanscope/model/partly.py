"""Spans of which only a claimed hash says what an event made of them."""

from __future__ import annotations

from msgspec.structs import replace

from spanscope.model.spans import COPIED, Doubt, Span, as_counted, doubted
from spanscope.model.transaction import Transaction


def tell_by_hash(draft: Transaction, name: str, claim: str | None, doubt: Doubt) -> None:
    """Let a claimed hash say what a span of the draft is.

    It may be what it was before, or what the draft made of it, or another text. Without a claim
    it is unknown, and presumed to be there if it was.
    """
    span, before = draft.get(name), draft.state.spans.get(name)
    if span is None:
        return
    if before is None and span.gone and name in draft.presumed:
        span = replace(span, life="live")
    if before is not None and (span.gone or _kept(claim, before, span)):
        # A text that is claimed stands in the buffer, also where it was taken out before.
        life = span.life if before.gone else before.life
        span = replace(as_counted(before, span), life=life)
    if span.gone:
        draft.put(replace(span, seq=draft.seq))
        return
    if claim is None:
        span = doubted(span, doubt)
    elif span.node.hash == claim:
        span = replace(span, doubt=None)
    else:
        node = span.node.with_hash(draft.seq, draft.actor, claim)
        span = replace(span, node=node, doubt=None)
        draft.edited[name] = None
    draft.put(replace(span, seq=draft.seq))
    there = draft.state.order
    if draft.reseated - {name}:
        there = [other for other in there if other not in draft.reseated]
    presume_place(draft, span, there)


def _kept(claim: str | None, before: Span, span: Span) -> bool:
    """Whether a claimed hash says that a span is still what it was."""
    return claim is not None and claim == before.node.hash != span.node.hash


def presume_place(draft: Transaction, span: Span, order: list[str]) -> None:
    """A span that may live again stands where it stood, one that may not stands nowhere."""
    if not span.live:
        draft.remove(span.span)
    elif draft.place_of(span.span) is None:
        ahead = order[: order.index(span.span)] if span.span in order else []
        places = (_place_left(draft, name) for name in reversed(ahead))
        draft.insert(next((place + 1 for place in places if place is not None), 0), span.span)


def _place_left(draft: Transaction, name: str) -> int | None:
    """Where a span stands, or in its place a copy of it or what it was a copy of; else null."""
    place, span = draft.place_of(name), draft.get(name)
    if place is not None or span is None:
        return place
    if span.life in COPIED and span.into is not None:
        return draft.place_of(span.into)
    was = draft.state.spans
    old = next((other for other in draft.work if other in was and was[other].into == name), None)
    return None if old is None else draft.place_of(old)
