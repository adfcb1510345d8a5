"""A diff committed or gone from the staging area: `stage`, `apply`, `reject`, `withdraw`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from spanscope.journal import events as ev
from spanscope.journal.parts import AnyEdit
from spanscope.model.committing import commit, make_entry
from spanscope.model.diffs import Diff
from spanscope.model.direct import named_by, supersede_in, tell
from spanscope.model.effects import Effect, Problem
from spanscope.model.losing import know_claimed, lose
from spanscope.model.node import Node
from spanscope.model.partly import tell_by_hash
from spanscope.model.spans import Doubt, Span, as_counted
from spanscope.model.staging import applied_edits, stage_diff
from spanscope.model.state import BufferState
from spanscope.model.transaction import Transaction
from spanscope.model.undo import Part, edited_by

MAY_BE_ANOTHER = "may have been staged, or staged anew, where events were lost"


def stage(state: BufferState, event: ev.Stage, effect: Effect) -> None:
    """A diff enters the staging area; one of the same name gives way."""
    effect.diff = stage_diff(state, event, effect.problems)
    effect.replaced_diff = state.staged.get(event.diff)
    state.staged[event.diff] = effect.diff
    state.left.discard(("diff", event.diff))


def apply(state: BufferState, event: ev.Apply, effect: Effect) -> None:
    """A diff commits, all its edits as one change, and leaves the staging area."""
    diff = state.staged.get(event.diff)
    effect.diff = diff
    if diff is None and state.surely_left("diff", event.diff):
        _no_diff(event.diff, "apply", effect)
    edits = event.edits if event.edits is not None else (diff.edits if diff else ())
    told = event.outcome == "done" or event.edits is not None
    draft = _edited(state, event, edits)
    effect.claims = draft.settle(event.versions, event.hashes)
    entry = make_entry(state, draft, event, "apply") if draft.parts else None
    untold = _may_be_another(state, diff, event)
    if entry is not None and event.outcome == "partial" and event.edits is None:
        entry = replace(entry, parts=_perhaps(draft, entry.parts))
    commit(state, draft, effect, entry=entry)
    if entry is None:
        state.did_not_happen.add(event.seq)
    if told or event.outcome == "partial":
        tell(state, named_by(edits), effect)
    effect.applied = event.outcome in ("done", "partial") or bool(draft.parts)
    if effect.applied and diff is not None:
        del state.staged[event.diff]
        state.leaves("diff", event.diff)
        if state.last_change is not None:
            state.last_change.diff = diff
    state.undone_ids -= {part.span for part in draft.parts if part.kind in ("ingest", "copy")}
    supersede_in(state, draft, edits)
    if untold:
        _lose(state, event, effect, edited_by(draft.parts))


def _edited(state: BufferState, event: ev.Apply, edits: Sequence[AnyEdit]) -> Transaction:
    """A draft of what the apply did, as far as its outcome and its hashes tell."""
    draft = Transaction(state, event.seq, event.actor)
    if event.outcome == "partial" and event.edits is None:
        applied_edits(draft, edits, event.inverses)
        _partly(draft, event)
    elif event.outcome == "done" or event.edits is not None:
        applied_edits(draft, edits, event.inverses)
        _sign(draft, event.diff)
    elif event.outcome == "failed":
        _moved_by_hash(draft, event)
    return draft


def _may_be_another(state: BufferState, diff: Diff | None, event: ev.Apply) -> bool:
    """Whether a diff of the same name, with other edits, may be what was applied."""
    if event.edits is not None or event.outcome not in ("done", "partial"):
        return False
    if diff is None:
        return not state.surely_left("diff", event.diff)
    return state.may_have_left(diff)


def _lose(state: BufferState, event: ev.Apply, effect: Effect, edited: Iterable[str]) -> None:
    """What its edits were is not known, nor which spans they touched: claimed hashes tell.

    What it is presumed to have done makes no rule fire.
    """
    effect.presumed = True
    effect.problems.clear()
    doubt = Doubt(event.seq, f"{event.diff} {MAY_BE_ANOTHER}")
    effect.lost = lose(state, doubt, before=event.seq + 1)
    hashes, spans = event.hashes, state.spans
    told = [name for name in edited if name in hashes]
    know_claimed(state, [name for name in told if spans[name].node.hash == hashes[name]])


def _sign(draft: Transaction, diff: str) -> None:
    """What was changed in place was written by the diff, whatever its edits were."""
    for name in draft.edited:
        span = draft.work[name]
        if span.live:
            draft.put(replace(span, op=f"apply {diff}"))


def _partly(draft: Transaction, event: ev.Apply) -> None:
    """How much of a partial apply took place only hashes can tell."""
    doubt = Doubt(event.seq, f"the apply at {event.seq} was partial")
    for name in edited_by(draft.parts):
        claim = event.hashes.get(name)
        if claim is not None:
            _rewind(draft, name, claim)
        tell_by_hash(draft, name, claim, doubt)


def _rewind(draft: Transaction, name: str, claim: str) -> None:
    """An edit never took place where a claimed hash says that its span is as that one met it."""
    now = draft.work[name]
    if now.node.hash == claim and not now.gone:
        return
    edits = [
        part for part in draft.parts if part.span == name and part.kind not in ("move", "copy")
    ]
    for number, part in enumerate(edits):
        met = part.before
        if met is not None and not met.gone and met.node.hash == claim:
            left = edits[number:]
            draft.parts = [other for other in draft.parts if all(other is not p for p in left)]
            draft.put(replace(as_counted(met, now), seq=draft.seq))
            if now.gone and met.live:
                was_at = next(other.was_at for other in left if other.kind == "prune")
                draft.insert(min(was_at or 0, len(draft.order)), name)
            return


def _perhaps(draft: Transaction, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The edits, marked where it can't be told whether they took place."""
    left = {part.span: part.after for part in parts if part.kind != "move"}
    unsure = {name for name, node in left.items() if _is_unclear(draft.work[name], node)}
    return tuple(
        _unsure(part, draft.work[part.span]) if part.span in unsure else part for part in parts
    )


def _unsure(part: Part, now: Span) -> Part:
    """An edit of which nobody knows what it left; what came in is what is there now."""
    came = part.kind in ("ingest", "copy")
    return replace(part, unsure=True, after=now.node if came else part.after)


def _is_unclear(span: Span, left: Node | None) -> bool:
    if left is None:
        # A prune leaves no text.
        return span.doubt is not None or span.live
    return span.doubt is not None or span.node is not left


def _moved_by_hash(draft: Transaction, event: ev.Apply) -> None:
    """A failed apply whose claimed hashes differ did move content."""
    for name, hash in event.hashes.items():
        span = draft.get(name)
        if span is None or span.gone or span.hash is None or span.hash == hash:
            continue
        node = span.node.with_hash(event.seq, event.actor, hash)
        draft.put(replace(span, node=node, seq=event.seq, written=event.seq))
        draft.edited[name] = None


def _no_diff(name: str, verb: str, effect: Effect) -> None:
    message = f"{verb} names diff {name}, which is not staged."
    effect.problems.append(Problem("JNL007", {"diff": name}, message, {"diff": name}))


def unstage(state: BufferState, event: ev.Reject | ev.Withdraw, effect: Effect) -> None:
    """A diff leaves the staging area without being applied."""
    effect.diff = state.staged.pop(event.diff, None)
    if effect.diff is None and state.surely_left("diff", event.diff):
        _no_diff(event.diff, type(event).__name__.lower(), effect)
    state.leaves("diff", event.diff)
