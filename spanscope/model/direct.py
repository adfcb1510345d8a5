"""What one change of one span, logged by itself, does to the buffer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from sys import intern

from msgspec.structs import replace

from spanscope.journal import events as ev
from spanscope.journal.parts import (
    AnyEdit,
    IngestEdit,
    MoveEdit,
    PruneEdit,
    RewriteEdit,
    SpliceEdit,
)
from spanscope.model.committing import commit, make_entry, with_inverse
from spanscope.model.effects import Effect, Problem
from spanscope.model.splicing import is_plain, splice_plainly
from spanscope.model.state import BufferState, LastChange, Superseding
from spanscope.model.transaction import Transaction
from spanscope.model.undo import Entry, Part


def _direct(
    state: BufferState,
    event: ev.Ingest | ev.Rewrite | ev.Splice | ev.Prune | ev.Move,
    effect: Effect,
    do: Callable[[Transaction], bool],
) -> None:
    draft = Transaction(state, event.seq, event.actor)
    done = do(draft)
    if not isinstance(event, ev.Move | ev.Ingest) and done:
        with_inverse(draft, 0, event.inverse)
    if done and not isinstance(event, ev.Move):
        name = event.into if isinstance(event, ev.Rewrite) and event.into else event.span
        versions = {} if event.version is None else {name: event.version}
        hashes = {} if event.hash is None else {name: event.hash}
        effect.claims = draft.settle(versions, hashes, believe=event.redacted)
    entry = make_entry(state, draft, event, _op(draft.parts[0])) if done else None
    commit(state, draft, effect, entry=entry)
    if entry is None:
        state.did_not_happen.add(event.seq)
    if isinstance(event, ev.Rewrite | ev.Splice | ev.Prune):
        tell(state, event.invalidates, effect)


def _op(part: Part) -> str:
    return "rewrite" if part.kind == "copy" else part.kind


def ingest(state: BufferState, event: ev.Ingest, effect: Effect) -> None:
    """A new live span, or an id used again."""
    edit = IngestEdit(
        span=event.span,
        role=event.role,
        after=event.after,
        origin=event.origin,
        store=event.store,
        answers=event.answers,
        supersedes=event.supersedes,
        hash=event.hash,
        redacted=event.redacted,
        content=event.content,
    )
    _direct(state, event, effect, lambda draft: draft.ingest(edit, direct=True))
    supersede(state, event.span, event.supersedes, effect.seq)
    state.undone_ids.discard(event.span)


def supersede(state: BufferState, name: str, others: list[str], seq: int) -> None:
    """Note which spans a new one takes the place of, append-only."""
    for other in dict.fromkeys(others):
        if other != name and (other in state.spans or state.doubt is not None):
            state.superseded.setdefault(other, []).append(Superseding(name, seq))


def supersede_in(state: BufferState, draft: Transaction, edits: Iterable[AnyEdit]) -> None:
    """Note what the spans supersede that edits of one event brought in."""
    brought_in = {part.span for part in draft.parts if part.kind == "ingest"}
    for edit in edits:
        if isinstance(edit, IngestEdit) and edit.span in brought_in:
            supersede(state, edit.span, edit.supersedes, draft.seq)


def rewrite(state: BufferState, event: ev.Rewrite, effect: Effect) -> None:
    """The whole content replaced, in place or as a copy."""
    edit = RewriteEdit(
        span=event.span,
        op=event.op,
        into=event.into,
        hash=event.hash,
        redacted=event.redacted,
        content=event.content,
    )
    _direct(state, event, effect, lambda draft: draft.rewrite(edit))
    if event.into is not None and effect.pushed is not None:
        state.undone_ids.discard(event.into)


def splice(state: BufferState, event: ev.Splice, effect: Effect) -> None:
    """Characters replaced in place."""
    before = state.spans.get(event.span)
    if before is not None and is_plain(before, event):
        after, part = splice_plainly(state, before, event, effect)
        entry = Entry(
            seq=event.seq,
            op="splice",
            actor=intern(event.actor),
            parts=(part,),
            recorded=state.can_record("inverses"),
        )
        name, effect.pushed = event.span, entry
        state.last_change = LastChange(
            seq=event.seq, spans={name: before}, pushed=1, revision=state.revision
        )
        if effect.content_changed:
            state.count_revision(event.seq)
        state.touch(after, entry)
        if event.invalidates:
            tell(state, event.invalidates, effect)
        return
    _direct(
        state,
        event,
        effect,
        lambda draft: draft.splice(
            event.span, event.at, event.delete, event.insert, redacted=event.redacted
        ),
    )


def prune(state: BufferState, event: ev.Prune, effect: Effect) -> None:
    """The span leaves the buffer."""
    _direct(state, event, effect, lambda draft: draft.prune(PruneEdit(span=event.span)))


def move(state: BufferState, event: ev.Move, effect: Effect) -> None:
    """Another place in the order."""
    edit = MoveEdit(span=event.span, after=event.after)
    _direct(state, event, effect, lambda draft: draft.move(edit))


def named_by(edits: Iterable[AnyEdit]) -> list[str]:
    """The artifacts whose holders the edits of one event told."""
    in_place = (edit for edit in edits if isinstance(edit, RewriteEdit | SpliceEdit | PruneEdit))
    return [name for edit in in_place for name in edit.invalidates]


def tell(state: BufferState, artifacts: list[str], effect: Effect) -> None:
    """The holders of these artifacts were told."""
    told = []
    for name in artifacts:
        artifact = state.artifacts.get(name)
        if artifact is None:
            if state.surely_left("artifact", name):
                message = f"invalidates names artifact {name}, which is not live."
                subject: dict[str, str | int] = {"artifact": name}
                effect.problems.append(Problem("JNL007", subject, message, dict(subject)))
            continue
        if state.last_change is not None and state.last_change.seq == effect.seq:
            state.last_change.artifacts[name] = artifact
        state.artifacts[name] = replace(artifact, told=effect.seq)
        told.append(state.artifacts[name])
    effect.told = told
