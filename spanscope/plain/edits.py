"""What one edit does to a buffer, and what undoing it exactly does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from msgspec import UnsetType

from spanscope.journal.events import Ingest, Move, Prune, Rewrite, Splice
from spanscope.journal.parts import IngestEdit, MoveEdit, PruneEdit, RewriteEdit, SpliceEdit
from spanscope.plain.texts import fresh, rewritten
from spanscope.plain.world import Buffer, Change, Problem, Span, Step


class Lost(NamedTuple):
    """Where events were lost first, of those that nothing made up for, and last: their seqs."""

    first: int
    last: int


class ImpossibleError(Exception):
    """The edit has no effect; `problem` says which rule says so."""

    def __init__(self, rule: str, **subject: str) -> None:
        super().__init__(rule)
        self.problem = Problem(rule, tuple(subject.items()))


def with_spans(buffer: Buffer, *spans: Span, order: tuple[str, ...] | None = None) -> Buffer:
    """The buffer with these records in the place of the old ones of their ids."""
    held: Mapping[str, Span] = {**buffer.spans, **{span.id: span for span in spans}}
    return Buffer(held, buffer.order if order is None else order)


def placed(order: tuple[str, ...], name: str, after: str | None) -> tuple[str, ...]:
    """The order with a span after another, or (null) first; last where the other is not there."""
    rest = tuple(other for other in order if other != name)
    if after is None:
        return (name, *rest)
    if after not in rest:
        return (*rest, name)
    at = rest.index(after) + 1
    return (*rest[:at], name, *rest[at:])


def without(order: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The order without a span."""
    return tuple(other for other in order if other != name)


def perform(buffer: Buffer, change: Change, seq: int, *, lost: Lost | None, index: int = 0) -> Step:
    """The edit, done. `lost`: where events were lost, so that which spans exist is unknown.

    Versions are not counted here: they grow by the event, not by the edit. Raises ImpossibleError.
    """
    match change:
        case Ingest() | IngestEdit():
            return _ingest(buffer, change, seq, index)
        case Rewrite() | RewriteEdit():
            return _rewrite(buffer, change, seq, index, lost)
        case Splice() | SpliceEdit():
            return _splice(buffer, change, seq, index, lost)
        case Prune() | PruneEdit():
            return _prune(buffer, change, seq, index, lost)
        case Move() | MoveEdit():
            return _move(buffer, change, seq, index, lost)


def target(buffer: Buffer, name: str, seq: int, lost: Lost | None) -> Buffer:
    """The buffer in which the span to be changed is there, presumed so where it can't be told.

    Raises ImpossibleError where it was never ingested or is gone.
    """
    span = buffer.spans.get(name)
    if span is not None and not span.gone:
        told = span.life_known or not span.live
        return buffer if told else with_spans(buffer, replace(span, life_told=True))
    if lost is None or (span is not None and span.since >= lost.last):
        raise ImpossibleError("JNL007", span=name)
    if span is None:
        span = unheard_of(name, seq, lost.first)
    there = replace(span, state="live", since=seq, doubt=lost.first, life_told=True)
    return with_spans(buffer, there, order=(*buffer.order, name))


def unheard_of(name: str, seq: int, doubt: int | None) -> Span:
    """A span whose ingest was lost: all that is known of it is its id."""
    return Span(
        id=name,
        state="live",
        version=0,
        text=None,
        told=None,
        doubt=doubt,
        produced_by="unknown",
        role=None,
        store=None,
        answers=None,
        supersedes=(),
        born=seq,
        since=seq,
        heard_of=False,
    )


def _ingest(buffer: Buffer, change: Ingest | IngestEdit, seq: int, index: int) -> Step:
    """A new live span. Under an id that was used, the text stands as a rewrite would leave it."""
    old = buffer.spans.get(change.span)
    span = Span(
        id=change.span,
        state="live",
        version=next_version(buffer, change.span),
        text=rewritten(() if old is None else old.last_seen, change.content),
        told=None,
        doubt=None,
        produced_by=change.origin or "ingest",
        role=change.role,
        store=change.store,
        answers=change.answers,
        supersedes=tuple(change.supersedes),
        born=seq,
        since=seq,
        veiled=0 if old is None else old.veiled,
    )
    if change.redacted:
        span = span.hidden(change.hash, () if old is None else old.last_seen)
    order = buffer.order
    if old is not None and old.live:
        span = replace(span, place=old.place)
    else:
        order = placed_as_sought(order, change.span, change.after)
    after = with_spans(buffer, span, order=order)
    return Step("ingest", change.span, buffer, after, index, sought=change.after)


def placed_as_sought(
    order: tuple[str, ...], name: str, sought: str | None | UnsetType
) -> tuple[str, ...]:
    """The order with a span where an `after` says; last without one."""
    if isinstance(sought, UnsetType):
        return (*without(order, name), name)
    return placed(order, name, sought)


def next_version(buffer: Buffer, name: str) -> int:
    """0, or where the id was used before (and not only in vain), the number after its last."""
    span = buffer.spans.get(name)
    return 0 if span is None or span.never_was else span.version + 1


def _rewrite(
    buffer: Buffer, change: Rewrite | RewriteEdit, seq: int, index: int, lost: Lost | None
) -> Step:
    buffer = target(buffer, change.span, seq, lost)
    old = buffer.spans[change.span]
    if change.into not in {None, change.span}:
        return _copy(buffer, change, seq, index)
    new = replace(
        old,
        text=rewritten(old.last_seen, change.content),
        told=None,
        doubt=None,
        produced_by=f"rewrite:{change.op}",
    )
    if change.redacted:
        new = new.hidden(change.hash, old.last_seen)
    after = with_spans(buffer, new)
    return Step("rewrite", change.span, buffer, after, index, into=change.into)


def _copy(buffer: Buffer, change: Rewrite | RewriteEdit, seq: int, index: int) -> Step:
    assert change.into is not None
    old = buffer.spans[change.span]
    new = replace(
        old,
        id=change.into,
        state="live",
        version=max(old.version + 1, next_version(buffer, change.into)),
        text=fresh(change.content),
        told=None,
        doubt=None,
        produced_by=f"rewrite:{change.op}",
        born=seq,
        since=seq,
        veiled=0,
    )
    if change.redacted:
        new = new.hidden(change.hash, ())
    kept = replace(old, state="tombstone", since=seq)
    order = tuple(
        change.into if name == change.span else name for name in buffer.order if name != change.into
    )
    if change.into not in order:
        order = (*order, change.into)
    after = with_spans(buffer, kept, new, order=order)
    return Step("copy", change.span, buffer, after, index, into=change.into)


def _splice(
    buffer: Buffer, change: Splice | SpliceEdit, seq: int, index: int, lost: Lost | None
) -> Step:
    buffer = target(buffer, change.span, seq, lost)
    old = buffer.spans[change.span]
    at = change.at
    assert at is not None
    written, inserted = old.written, fresh(change.insert)
    known = old.text is not None and old.doubt is None
    redacted = isinstance(change, Splice) and change.redacted
    fits = 0 <= at <= at + change.delete <= len(written) and change.delete >= 0
    if not fits and (known or at < 0 or change.delete < 0):
        raise ImpossibleError("JNL008", span=change.span)
    if not known and not redacted and not change.delete and not change.insert:
        # Nothing was put nowhere, wherever that is: all that is known of it still holds.
        return Step("splice", change.span, buffer, with_spans(buffer, old), index)
    if fits:
        inserted = rewritten(written[at : at + change.delete], change.insert)
        written = written[:at] + inserted + written[at + change.delete :]
    new = replace(old, text=written, told=None)
    if redacted or old.text is None or not fits:
        told = change.hash if isinstance(change, Splice) and redacted else None
        new = new.hidden(told, old.last_seen)
    after = with_spans(buffer, new)
    return Step(
        "splice",
        change.span,
        buffer,
        after,
        index,
        at,
        change.delete,
        inserted,
        hidden=redacted,
        # A redacted one that says nothing may have put anything anywhere.
        somewhere=not fits or (redacted and not change.delete and not change.insert),
    )


def _prune(
    buffer: Buffer, change: Prune | PruneEdit, seq: int, index: int, lost: Lost | None
) -> Step:
    buffer = target(buffer, change.span, seq, lost)
    gone = replace(buffer.spans[change.span], state="pruned", since=seq)
    after = with_spans(buffer, gone, order=without(buffer.order, change.span))
    return Step("prune", change.span, buffer, after, index)


def _move(buffer: Buffer, change: Move | MoveEdit, seq: int, index: int, lost: Lost | None) -> Step:
    buffer = target(buffer, change.span, seq, lost)
    after, order = change.after, buffer.order
    if after not in {None, change.span} and after not in order and lost is None:
        raise ImpossibleError("JNL007", span=str(after))
    if change.span in order and after != change.span:
        order = placed(order, change.span, after)
    moved = with_spans(buffer, order=order)
    known = lost is None
    return Step("move", change.span, buffer, moved, index, sought=after, order_known=known)


def undo(buffer: Buffer, step: Step, seq: int) -> Buffer:
    """The buffer without a step's effect. Texts get their very characters back.

    The spans that the step touched must be as it left them, or what else was done to them is lost;
    the order need not be. Versions are not counted here.
    """
    order = order_undone(buffer, step)
    if step.kind == "move":
        return with_spans(buffer, order=order)
    names = {step.span, step.into or step.span}
    return with_spans(buffer, *(_undone(buffer, step, name, seq) for name in names), order=order)


def _undone(buffer: Buffer, step: Step, name: str, seq: int) -> Span:
    """The span as it was before the step; one that was not there is pruned. Versions go on."""
    now, before = buffer.spans[name], step.before.spans.get(name)
    if before is None:
        return replace(now, state="pruned", since=seq, life_told=True)
    if before.text is None:
        # What comes of it since then went through a text that is not known once more.
        before = replace(before, veiled=now.veiled + 1)
    if step.kind in {"rewrite", "splice", "observe"}:
        # A change of a text brings no span back, whatever became of it since.
        text = replace(before, version=now.version, state=now.state, since=now.since)
        return replace(text, store=now.store, role=now.role, answers=now.answers)
    since = before.since if before.state == now.state else seq
    if step.kind == "copy" and name == step.span:
        return replace(now, state=before.state, since=since)
    return replace(before, version=now.version, since=since, never_was=False)


def order_undone(buffer: Buffer, step: Step) -> tuple[str, ...]:
    """The order without what a step did to it."""
    before, after, order = step.before.order, step.after.order, buffer.order
    if before == after:
        return order
    if order == after:
        return before
    if step.kind == "move":
        return back(buffer, step.span, step.before) if step.span in order else order
    if step.into is not None and step.into in order and step.span in before:
        order = tuple(step.span if name == step.into else name for name in order)
        buffer = with_spans(buffer, step.before.spans[step.span], order=order)
    if step.kind == "copy" and step.into in before and step.into not in order:
        # What stood under the id of the copy stands in its place again.
        order = back(with_spans(buffer, order=order), str(step.into), step.before)
    for name in after:
        if name not in before:
            order = without(order, name)
    for name in before:
        if name not in after and (name not in order or step.kind == "prune"):
            order = back(with_spans(buffer, order=order), name, step.before)
    return order


def back(buffer: Buffer, name: str, then: Buffer) -> tuple[str, ...]:
    """The order with a span where it stood then: after the nearest before it that is still there.

    A copy of that one counts where it is not there itself, what came in under its id since does
    not.
    """
    rest = without(buffer.order, name)
    ahead = then.order[: then.order.index(name)] if name in then.order else ()
    for other in reversed(ahead):
        place = then.spans[other].place
        there = [standing for standing in rest if buffer.spans[standing].place is place]
        if there:
            return placed(rest, name, other if other in there else there[0])
    return placed(rest, name, None)
