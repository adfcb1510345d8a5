"""Which staged diffs an event could have changed the verdict on."""

from __future__ import annotations

from spanscope.model.diffs import Diff
from spanscope.model.effects import Effect
from spanscope.model.state import BufferState
from spanscope.rules.judgements import DiffJudgement
from spanscope.rules.memory import Memory, Watch
from spanscope.rules.reads import ORDER_CHANGED
from spanscope.rules.view import StateView
from spanscope.rules.writes import check_writes


def is_apart(state: BufferState, effect: Effect, memory: Memory) -> bool:
    """Whether a look tells that an event leaves every verdict as it is."""
    if effect.order_changed or effect.cleared or effect.lost is not None:
        return False
    if effect.collected:
        return False
    watch = memory.watch
    if watch is None:
        watch = memory.watch = _watched(state, memory)
    return watch.apart and all(change.after.span not in watch.spans for change in effect.spans)


def _watched(state: BufferState, memory: Memory) -> Watch:
    """What the verdicts on the staged diffs rest on, as long as the order stays."""
    spans: set[str] = set()
    for diff in state.staged.values():
        before, ground = memory.verdicts.get(diff.diff), memory.grounds.get(diff.diff)
        if before is None or before.verdict == "unknown" or diff.watches_all or diff.watches_order:
            return Watch(frozenset(), apart=False)
        spans |= diff.watched_spans
        spans |= {source for source, _ in diff.copies}
        if before.verdict in ("admissible", "reconcilable"):
            if ground is None or ground.same is not False:
                return Watch(frozenset(), apart=False)
            if ground.witness is not None:
                spans.add(ground.witness)
    return Watch(frozenset(spans), apart=True)


def is_concerned(diff: Diff, names: set[str], before: DiffJudgement, effect: Effect) -> bool:
    """Whether a change of these spans can touch the diff at all."""
    if before.verdict == "unknown" or diff.searches_all:
        return True
    if diff.reads_all and not (_drifted_elsewhere(before, names) and not _tells_more(effect)):
        return True
    if diff.watches_order and (effect.order_changed or _lives_in_doubt(effect)):
        return True
    return not diff.watched_spans.isdisjoint(names)


def _drifted_elsewhere(before: DiffJudgement, names: set[str]) -> bool:
    """Whether a read of the whole buffer stays drifted, and by the same change as before.

    The earliest counts, so no later change of another span can be the cause.
    """
    drifts = [reason for reason in before.reasons if reason.thing == "read all"]
    return any(
        reason.span not in names and reason.detail != ORDER_CHANGED and reason.cause is not None
        for reason in drifts
    )


def _tells_more(effect: Effect) -> bool:
    """Whether it makes known what a span holds, which may have changed before all that did."""
    return any(
        change.before is not None and change.before.doubt is not None and change.after.doubt is None
        for change in effect.spans
    )


def _lives_in_doubt(effect: Effect) -> bool:
    """Whether it can't be told, now or before, which spans stand in the order."""
    states = [span for change in effect.spans for span in (change.before, change.after)]
    return any(span is not None and not span.life_known for span in states)


def is_as_fragile(diff: Diff, before: DiffJudgement, effect: Effect, view: StateView) -> bool:
    """Whether a verdict stays though another diff of the same spans came or left, and no more."""
    other = effect.diff
    if other is None or effect.spans or effect.order_changed:
        return False
    by_other = f" in staged diff {other.diff}"
    if before.fragile and any(reason.detail.endswith(by_other) for reason in before.reasons):
        return False
    came = other.diff in view.staged
    return not came or check_writes(diff, view, beside=other).fragile is None
