"""The commonest event, a splice of a live span whose content is known, without a draft.

It does what a draft of one edit does, in a fifth of the time; the tests hold one to the other.
"""

from __future__ import annotations

from sys import intern

from spanscope.journal.events import Splice
from spanscope.model.effects import Claim, Effect, SpanChange
from spanscope.model.records import packed_inverse
from spanscope.model.spans import Span
from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, Part
from spanscope.model.versions import prior_version


def is_plain(before: Span, event: Splice) -> bool:
    """Whether a splice is possible, on a live span, with both texts known."""
    return (
        before.life == "live"
        and before.doubt is None
        and before.node.text_known
        and not event.redacted
        and event.at >= 0
        and event.delete >= 0
        and event.at + event.delete <= before.node.length
    )


def splice_plainly(
    state: BufferState, before: Span, event: Splice, effect: Effect
) -> tuple[Span, Part]:
    """The span after a plain splice and its part of the undo entry; the effect says the rest."""
    actor = intern(event.actor)
    node = before.node.spliced(event.seq, actor, event.at, event.delete, event.insert)
    node.recording = state.recording
    changed = node.deleted != node.inserted
    counted, claimed = before.version + 1, event.version
    version = counted if claimed is None else max(counted, claimed)
    after = Span(
        span=before.span,
        node=node,
        seq=event.seq,
        since=before.since,
        version=version,
        claimed=before.claimed if claimed is None else claimed,
        behind=before.behind if claimed is None else version - claimed,
        role=before.role,
        store=before.store,
        produced_by=before.produced_by,
        op="splice",
        written=event.seq,
        answers=before.answers,
        into=before.into,
    )
    effect.spans = [SpanChange(before, after, edited=True, changed=changed)]
    effect.content_changed = changed
    if claimed is not None or event.hash is not None:
        prior = prior_version(state, before)
        effect.claims = [Claim(before.span, claimed, prior, event.hash, node.hash, changed)]
    inverse = event.inverse
    if inverse is None and state.pending:
        pending = state.pending.get(event.seq, {})
        inverse = pending.get(0)
    part = Part(
        kind="splice",
        span=before.span,
        store=before.store,
        before=before,
        after=node,
        record=None if inverse is None else packed_inverse(inverse, node),
    )
    return after, part


def take_splice(
    state: BufferState, event: Splice, before: Span, deleted: str, written: str
) -> Span:
    """Let a plain splice happen that is known to change the span, with its texts made already.

    As `replay` would, but nothing is told of it, and it can't be aborted.
    """
    seq, name, version = event.seq, before.span, before.version + 1
    node = before.node.child(
        seq, event.actor, event.at, deleted, event.insert, written, whole=False
    )
    after = Span(
        span=name,
        node=node,
        seq=seq,
        since=before.since,
        version=version,
        claimed=version,
        role=before.role,
        store=before.store,
        produced_by=before.produced_by,
        op="splice",
        written=seq,
        answers=before.answers,
        into=before.into,
    )
    part = Part(
        kind="splice",
        span=name,
        store=before.store,
        before=before,
        after=node,
        record=event.inverse,
    )
    recorded = state.records is None or state.can_record("inverses")
    entry = Entry(seq=seq, op="splice", actor=event.actor, parts=(part,), recorded=recorded)
    state.seq = seq
    state.last_change = None
    if state.revision is not None:
        state.revision += 1
        state.revision_seq.append(seq)
    state.touch(after, entry)
    return after
