"""Lines were lost, and what is known again after them."""

from __future__ import annotations

from msgspec.structs import replace

from spanscope.model.effects import Effect
from spanscope.model.spans import Doubt, doubted
from spanscope.model.state import BufferState


def lose(state: BufferState, doubt: Doubt) -> list[str]:
    """Lines were lost: every span, the order and the undo stack are unknown from here.

    The names of the spans that were known before; of those that were not touched since the last
    loss none is.
    """
    known = [
        span
        for name in state.touched_since(state.lost_at - 1)
        if not (span := state.spans[name]).gone and span.life_known
    ]
    for span in reversed(known):
        state.put(replace(doubted(span, doubt), seq=state.seq))
    state.known_from = len(state.stack)
    state.revision = None
    state.last_change = None
    state.lost_at = doubt.since
    state.first_lost_at = state.first_lost_at or doubt.since
    if state.doubt is None:
        state.doubt = doubt
    return [span.span for span in known]


def find_again(state: BufferState, digest: str | None, effect: Effect) -> None:
    """A matching digest makes everything known again."""
    if digest is None or (state.doubt is None and not any_doubt(state)):
        return
    if state.digest(presumed=True) != digest:
        return
    for _name, span in list(state.spans.items()):
        if span.doubt is not None:
            state.put(replace(span, doubt=None, seq=state.seq))
    state.undone_ids -= set(state.order)
    state.doubt = None
    state.known_from = 0
    effect.cleared = True


def any_doubt(state: BufferState) -> bool:
    """Whether any span's content is unknown."""
    return any(span.doubt is not None for span in state.spans.values())
