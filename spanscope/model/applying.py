"""A diff committed or gone from the staging area: `stage`, `apply`, `reject`, `withdraw`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from spanscope.journal import events as ev
from spanscope.journal.parts import AnyEdit, IngestEdit
from spanscope.model.committing import commit, make_entry
from spanscope.model.direct import named_by, supersede, tell
from spanscope.model.effects import Effect, Problem
from spanscope.model.node import Node
from spanscope.model.partly import tell_by_hash
from spanscope.model.spans import Doubt, Span
from spanscope.model.staging import applied_edits, stage_diff
from spanscope.model.state import BufferState
from spanscope.model.transaction import Transaction
from spanscope.model.undo import Part


def stage(state: BufferState, event: ev.Stage, effect: Effect) -> None:
    """A diff enters the staging area; one of the same name gives way."""
    effect.diff = stage_diff(state, event, effect.problems)
    effect.replaced_diff = state.staged.get(event.diff)
    state.staged[event.diff] = effect.diff


def apply(state: BufferState, event: ev.Apply, effect: Effect) -> None:
    """A diff commits, all its edits as one change, and leaves the staging area."""
    diff = state.staged.get(event.diff)
    effect.diff = diff
    if diff is None and not state.damaged:
        _no_diff(event.diff, "apply", effect)
    draft = Transaction(state, event.seq, event.actor)
    edits = event.edits if event.edits is not None else (diff.edits if diff else ())
    told = event.outcome == "done" or event.edits is not None
    if event.outcome == "partial" and event.edits is None:
        applied_edits(draft, edits, event.inverses)
        _partly(draft, event)
    elif told:
        applied_edits(draft, edits, event.inverses)
        _sign(draft, event.diff)
    elif event.outcome == "failed":
        _moved_by_hash(draft, event)
    effect.claims = draft.settle(event.versions, event.hashes)
    entry = make_entry(state, draft, event, "apply") if draft.parts else None
    if entry is not None and event.outcome == "partial" and event.edits is None:
        entry = replace(entry, parts=_perhaps(draft, entry.parts))
    commit(state, draft, effect, entry=entry)
    if entry is None:
        state.off_stack.add(event.seq)
    if told or event.outcome == "partial":
        tell(state, named_by(edits), effect)
    effect.applied = event.outcome in ("done", "partial") or bool(draft.parts)
    if effect.applied and diff is not None:
        del state.staged[event.diff]
        if state.last_change is not None:
            state.last_change.diff = diff
    state.undone_ids -= {part.span for part in draft.parts if part.kind in ("ingest", "copy")}
    _supersedings(state, draft, edits)


def _supersedings(state: BufferState, draft: Transaction, edits: Sequence[AnyEdit]) -> None:
    brought_in = {part.span for part in draft.parts if part.kind == "ingest"}
    for edit in edits:
        if isinstance(edit, IngestEdit) and edit.span in brought_in:
            supersede(state, edit.span, edit.supersedes, draft.seq)


def _sign(draft: Transaction, diff: str) -> None:
    """What was changed in place was written by the diff, whatever its edits were."""
    for name in draft.edited:
        span = draft.work[name]
        if span.live:
            draft.put(replace(span, op=f"apply {diff}"))


def _partly(draft: Transaction, event: ev.Apply) -> None:
    """How much of a partial apply took place only hashes can tell."""
    doubt = Doubt(event.seq, f"the apply at {event.seq} was partial")
    for name in list(draft.work):
        tell_by_hash(draft, name, event.hashes.get(name), doubt)


def _perhaps(draft: Transaction, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The edits, marked where it can't be told whether they took place."""
    left = {part.span: part.after for part in parts if part.kind != "move"}
    unsure = {name for name, node in left.items() if _is_unclear(draft.work[name], node)}
    return tuple(replace(part, unsure=part.span in unsure) for part in parts)


def _is_unclear(span: Span, left: Node | None) -> bool:
    return span.doubt is not None or not (left is None or span.node is left)


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
    if effect.diff is None and not state.damaged:
        _no_diff(event.diff, type(event).__name__.lower(), effect)
