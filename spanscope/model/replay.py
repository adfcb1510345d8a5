"""What each event does to the buffer. Nothing is judged here: the effect says what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from spanscope.journal import events as ev
from spanscope.model.applying import apply, stage, unstage
from spanscope.model.direct import ingest, move, prune, rewrite, splice
from spanscope.model.effects import Effect, Problem
from spanscope.model.holding import derive, release
from spanscope.model.losing import find_again, lose
from spanscope.model.observing import observe
from spanscope.model.reverting import abort, evict, record_inverse, roll_back
from spanscope.model.spans import Doubt
from spanscope.model.state import BufferState, Savepoint

Handler = Callable[[BufferState, Any, Effect], None]


def replay(state: BufferState, event: ev.AnyEvent | ev.Unknown) -> Effect:
    """Let the event happen to the buffer and say what it did."""
    effect = Effect(seq=event.seq, event=event)
    state.seq = event.seq
    handler = HANDLERS.get(type(event))
    if handler is not None:
        handler(state, event, effect)
    if state.pending:
        state.pending.pop(event.seq, None)
    return effect


def _apply(state: BufferState, event: ev.Apply, effect: Effect) -> None:
    apply(state, event, effect)
    # What a failed apply would have brought in is not there to be claimed.
    if event.outcome == "done" and not effect.problems:
        _claims_of_none(state, event, effect)


def _roll_back(state: BufferState, event: ev.Rollback, effect: Effect) -> None:
    roll_back(state, event, effect)
    _claims_of_none(state, event, effect)


def _claims_of_none(state: BufferState, event: ev.Apply | ev.Rollback, effect: Effect) -> None:
    """What is claimed of a span that never was."""
    if state.damaged:
        return
    for name in dict.fromkeys((*event.versions, *event.hashes)):
        if name not in state.spans:
            kind = type(event).__name__.lower()
            message = f"{kind} claims what span {name} is, which was never ingested."
            effect.problems.append(Problem("JNL007", {"span": name}, message, {"span": name}))


def _checkpoint(state: BufferState, event: ev.Checkpoint, effect: Effect) -> None:
    find_again(state, event.digest, effect)
    state.savepoints[event.checkpoint] = Savepoint(
        checkpoint=event.checkpoint, seq=event.seq, snapshot=event.snapshot
    )


def _compact(state: BufferState, event: ev.Compact, effect: Effect) -> None:
    collected = []
    for name in dict.fromkeys(event.spans):
        span = state.spans.get(name)
        if span is None:
            if not state.damaged:
                message = f"compact names span {name}, which was never ingested."
                effect.problems.append(Problem("JNL007", {"span": name}, message, {"span": name}))
            continue
        collected.append(span)
        if span.life == "tombstone":
            doubt = span.doubt and span.doubt._replace(only_content=True)
            span = replace(span, life="collected", since=event.seq, op="compact", doubt=doubt)
            state.put(replace(span, seq=event.seq))
    effect.collected = collected


def _gap(state: BufferState, event: ev.Gap, effect: Effect) -> None:
    doubt = Doubt(event.seq, f"the recorder missed events at {event.seq}: {event.reason}")
    effect.lost = lose(state, doubt, before=event.seq + 1)


HANDLERS: dict[type, Handler] = {
    ev.Ingest: ingest,
    ev.Rewrite: rewrite,
    ev.Splice: splice,
    ev.Prune: prune,
    ev.Move: move,
    ev.Derive: derive,
    ev.Release: release,
    ev.InverseRecord: record_inverse,
    ev.Evict: evict,
    ev.Abort: abort,
    ev.Checkpoint: _checkpoint,
    ev.Rollback: _roll_back,
    ev.Stage: stage,
    ev.Apply: _apply,
    ev.Reject: unstage,
    ev.Withdraw: unstage,
    ev.Compact: _compact,
    ev.Observe: observe,
    ev.Gap: _gap,
}
