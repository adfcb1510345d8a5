"""Lines were lost, and what is known again after them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from spanscope.model.effects import Effect
from spanscope.model.spans import Doubt, Span, doubted
from spanscope.model.state import BufferState


def lose(state: BufferState, doubt: Doubt, *, before: int | None = None) -> list[str]:
    """Lines were lost: every span, the order and the undo stack are unknown from here.

    The names of the spans that were known before; of those that were not touched since the last
    loss none is. `before`: the first event that nothing of it concerns (default: `doubt.since`).
    """
    known = [
        span
        for name in state.touched_since(state.lost_at - 2)
        if not (span := state.spans[name]).gone and span.life_known
    ]
    for span in reversed(known):
        state.put(replace(doubted(span, doubt), seq=state.seq))
    state.known_from = len(state.stack)
    if not state.first_lost_at:
        state.first_lost_at = doubt.since
        # The newest change may have been aborted where events were lost.
        newest = state.last_change
        state.certain_before = doubt.since if newest is None else newest.seq
    state.revision = None
    state.last_change = None
    state.left.clear()
    state.lost_at = doubt.since if before is None else before
    if state.doubt is None:
        state.doubt = doubt
    return [span.span for span in known]


def know_claimed(state: BufferState, names: Iterable[str]) -> None:
    """Spans of which a claimed hash is that of what is presumed are known, whatever was lost."""
    for name in sorted(names):
        span = state.spans[name]
        if span.doubt is not None and not span.gone:
            state.put(replace(span, doubt=None, seq=state.seq))


def find_again(state: BufferState, digest: str | None, effect: Effect) -> None:
    """A matching digest makes everything known again, but what a tombstone made since holds."""
    if digest is None or (state.doubt is None and not any_doubt(state)):
        return
    if state.digest(presumed=True) != digest:
        return
    for _name, span in list(state.spans.items()):
        if span.doubt is None:
            continue
        if _is_told_by_digest(state, span):
            state.put(replace(span, doubt=None, seq=state.seq))
        elif not span.doubt.only_content:
            state.put(replace(span, doubt=span.doubt._replace(only_content=True), seq=state.seq))
    state.undone_ids -= set(state.order)
    state.doubt = None
    state.known_from = 0
    if state.last_change is not None:
        state.last_change.known_from = 0
    effect.cleared = True


def _is_told_by_digest(state: BufferState, span: Span) -> bool:
    """Whether a digest tells what a span holds: of the live ones, and of one that was frozen then.

    A tombstone that was made while its text was unknown is in no digest, nor is one that was
    changed since.
    """
    if span.life != "tombstone":
        return True
    for was in reversed(state.chronicle[span.span]):
        if was.life != "tombstone" or was.node.same_content(span.node) is not True:
            return False
        if was.doubt is None:
            return True
    return False


def any_doubt(state: BufferState) -> bool:
    """Whether any span's content is unknown."""
    return any(span.doubt is not None for span in state.spans.values())
