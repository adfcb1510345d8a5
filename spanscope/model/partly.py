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
    """Where a span stands, or the first of its copies and of what it was a copy of; else null."""
    own = draft.place_of(name)
    if own is not None:
        return own
    places = (draft.place_of(other) for other in _copied_with(draft, name))
    return min((place for place in places if place is not None), default=None)


def _copied_with(draft: Transaction, name: str) -> set[str]:
    """A span, its copies and what it is a copy of, those of these and so on."""
    was, found, waiting = draft.state.spans, set[str](), [name]
    copied = {was[old].into: old for old in draft.work if old in was}
    while waiting:
        each = waiting.pop()
        found.add(each)
        span = draft.get(each)
        into = span.into if span is not None and span.life in COPIED else None
        waiting += {other for other in (into, copied.get(each)) if other is not None} - found
    return found
