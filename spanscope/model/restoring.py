"""Putting back the full copy that a checkpoint kept."""

from __future__ import annotations

from msgspec.structs import replace

from spanscope.model.spans import COPIED, Doubt, Span, as_counted, doubted
from spanscope.model.state import BufferState, Savepoint
from spanscope.model.transaction import Transaction


def restore(draft: Transaction, savepoint: Savepoint, stores: list[str] | None) -> None:
    """Put back the full copy that the checkpoint kept."""
    state = draft.state
    touched = list(state.touched_since(savepoint.seq))
    touched.reverse()
    # The oldest span first.
    touched.sort(key=lambda name: state.chronicle[name][0].seq)
    for name in touched:
        now = state.spans[name]
        if stores is not None and now.store not in stores:
            continue
        was = state.span_at(name, savepoint.seq)
        if was is None:
            if not now.gone:
                _take_away(draft, now, savepoint)
        elif was.node is not now.node or was.life != now.life or now.doubt != was.doubt:
            draft.put(_as_it_was(draft, was, now))
            if not was.gone and _may_differ(was, now):
                draft.edited[name] = None
    _restore_order(draft, savepoint, stores)


def _restore_order(draft: Transaction, savepoint: Savepoint, stores: list[str] | None) -> None:
    """The restored spans stand where they stood at the checkpoint, the others where they are."""
    order = draft.state.order_at(savepoint.seq)
    wanted = _live(draft, order, stores)
    if draft.order == wanted:
        return
    placed = set(wanted)
    rest = _live(draft, [name for name in draft.order if name not in placed], None)
    whole = stores is None
    target = _merged(draft.order, wanted, rest) if whole else _put_among(draft, wanted, rest, order)
    _stand(draft, target)


def _stand(draft: Transaction, target: list[str]) -> None:
    """Let these spans stand in this order, and no others."""
    wanted, there = set(target), set(draft.order)
    if there != wanted:
        for name in [name for name in draft.order if name not in wanted]:
            draft.remove(name)
        for index, name in enumerate(target):
            if name not in there:
                draft.insert(index, name)
    draft.reorder(target)


def _put_among(
    draft: Transaction, wanted: list[str], rest: list[str], order: list[str]
) -> list[str]:
    """The rest, with each restored span behind the nearest that stood before it and still does."""
    restored, there = set(wanted), set(rest)
    behind: dict[str | None, list[str]] = {None: []}
    ahead: str | None = None
    for name in order:
        if name in restored:
            behind.setdefault(ahead, []).append(name)
        else:
            ahead = _itself_or_copy(draft, name, there) or ahead
    return behind[None] + [one for name in rest for one in (name, *behind.get(name, ()))]


def _itself_or_copy(draft: Transaction, name: str, there: set[str]) -> str | None:
    """A span that stands there, else the copy that took its place; null where neither does."""
    found: str | None = name
    while found is not None and found not in there:
        span = draft.get(found)
        found = span.into if span is not None and span.life in COPIED else None
    return found


def _take_away(draft: Transaction, now: Span, savepoint: Savepoint) -> None:
    """A span of which the full copy tells nothing goes, if it did not stand there all the same."""
    if draft.state.damaged and not _brought_in(draft.state, now.span):
        why = f"whether {now.span} was there at {savepoint.seq} was lost"
        draft.put(replace(doubted(now, Doubt(draft.seq, why)), seq=draft.seq))
        draft.edited[now.span] = None
        return
    draft.remove(now.span)
    draft.put(replace(now, life="pruned", since=draft.seq, seq=draft.seq, op="rollback"))


def _brought_in(state: BufferState, name: str) -> bool:
    """Whether an event told how a span came in; of others events only told that they are there."""
    return state.chronicle[name][0].produced_by != "unknown"


def _may_differ(was: Span, now: Span) -> bool:
    """Whether a full copy may have brought a span another text than it had."""
    if now.doubt is None:
        return not was.node.same_content(now.node)
    if was.node is not now.node or was.life != now.life or was.doubt is None:
        return True
    return was.doubt.since != now.doubt.since


def _live(draft: Transaction, names: list[str], stores: list[str] | None) -> list[str]:
    """The spans of an order that are live in the draft, of some stores where they are given."""
    work, spans = draft.work, draft.state.spans
    live = [name for name in names if (work.get(name) or spans[name]).life == "live"]
    if stores is None:
        return live
    return [name for name in live if (work.get(name) or spans[name]).store in stores]


def _as_it_was(draft: Transaction, was: Span, now: Span) -> Span:
    return replace(as_counted(was, now), seq=draft.seq, written=draft.seq)


def _merged(order: list[str], wanted: list[str], rest: list[str]) -> list[str]:
    """The restored ids in their old order; others stay after the one they stood behind."""
    placed, others = set(wanted), set(rest)
    behind: dict[str | None, str] = {}
    last: str | None = None
    for name in order:
        if name in others:
            behind[last] = name
        if name in others or name in placed:
            last = name
    result: list[str] = []
    for place in (None, *wanted):
        result += [] if place is None else [place]
        follower = behind.get(place)
        while follower is not None:
            result.append(follower)
            follower = behind.get(follower)
    return result
