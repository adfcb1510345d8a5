"""The moment of a rollback."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spanscope.journal.events import Rollback
from spanscope.plain.changing import TEXT_STEPS, done, settled, told_in, with_claims
from spanscope.plain.edits import with_spans
from spanscope.plain.knowing import damaged
from spanscope.plain.records import with_told
from spanscope.plain.selective import CannotRedoError, can_be_undone, path_of, selective_undo
from spanscope.plain.standing import order_without
from spanscope.plain.undoing import (
    Named,
    RefusedError,
    beyond_the_loss,
    in_order,
    named_entries,
    perhaps_other,
    presumed_undone,
    restored_copy,
    sound_undo,
    touched_by,
    undone_in_order,
)
from spanscope.plain.world import Buffer, Checkpoint, Entry, Moment, Problem, Span, Step, World


def rolled_back(world: World, event: Rollback) -> Moment:
    """The moment of a rollback: with `edits` what was really done, else the sound undo."""
    made = Moment(event, world, world)
    named = Named(())
    try:
        named = named_entries(world, event)
    except RefusedError as refusal:
        made = replace(made, problems=refusal.problems)
        if event.edits is None:
            return with_claims(made, event.versions, event.hashes)
    made = replace(made, problems=(*made.problems, *named.problems))
    idle = event.outcome in {"failed", "noop"}
    if event.edits is not None:
        return _as_told(made, event, Named(()) if idle else named)
    if idle:
        return with_claims(made, event.versions, event.hashes)
    try:
        return _worked_out(made, event, named)
    except CannotRedoError:
        made = replace(made, problems=(*made.problems, Problem("UND222", ())))
        return with_claims(made, event.versions, event.hashes)


def _off_the_stack(made: Moment, named: tuple[Entry, ...]) -> Moment:
    after = made.after
    seqs = {entry.seq for entry in named}
    stack = tuple(entry for entry in after.stack if entry.seq not in seqs)
    return replace(made, undone=named, after=replace(after, stack=stack))


def _as_told(made: Moment, event: Rollback, named: Named) -> Moment:
    """The edits ran. A span that is what it was before the undone entries is that very one."""
    meant = _meant(made.after, event, named)
    edits = tuple(event.edits or ())
    made = with_told(done(made, edits), told_in(edits))
    buffer = made.after.buffer
    for name in touched_by(named.entries):
        now, then = buffer.spans[name], (meant or buffer).spans[name]
        if now.state == then.state and _presumed_same(now, then):
            same = replace(then, version=now.version, doubt=now.doubt, life_told=now.life_told)
            buffer = with_spans(buffer, same)
    made = replace(made, after=replace(made.after, buffer=buffer))
    if event.outcome == "partial":
        buffer = _counted(made.before.buffer, buffer, (), _there(buffer, named.entries))
        made = replace(made, after=replace(made.after, buffer=buffer))
        made = settled(made, touched_by(named.entries), event.hashes)
    return _off_the_stack(with_claims(made, event.versions, event.hashes), named.entries)


def _meant(world: World, event: Rollback, named: Named) -> Buffer | None:
    """The buffer before the undone entries, with those in between done again if they can be."""
    path = path_of(world, named, event.stores)
    if len(path) == len(named.entries):
        return undone_in_order(world, named.entries, event.seq)
    return _selective(world, named, path)


def _selective(world: World, named: Named, path: tuple[Entry, ...]) -> Buffer | None:
    try:
        return selective_undo(world, named, path)[0]
    except CannotRedoError:
        return None


def _presumed_same(now: Span, then: Span) -> bool:
    """Whether a span holds what it held, if nothing unknown happened."""
    if now.presumed_hash is None is then.presumed_hash:
        return now.secret is then.secret
    return now.presumed_hash == then.presumed_hash


@dataclass(frozen=True)
class _Undo:
    """What came of an undo: which entries were undone, and of which nobody knows."""

    buffer: Buffer
    stack: tuple[Entry, ...]
    sure: tuple[Entry, ...] = ()
    unsure: tuple[Entry, ...] = ()


def _worked_out(made: Moment, event: Rollback, named: Named) -> Moment:
    """The undo as far as it is sound. Raises CannotRedoError."""
    world = made.after
    point = world.checkpoints.get(event.to) if event.to is not None else None
    path = path_of(world, named, event.stores)
    untold = beyond_the_loss(world, event, named, path)
    if event.method == "restore" and point is not None and point.snapshot:
        buffer = restored_copy(world, point, event.stores, event.seq)
        texts = _restored_texts(world, buffer, point)
        perhaps = set() if event.outcome == "done" else _there(buffer, named.entries)
        buffer = _counted(world.buffer, buffer, (), texts | perhaps)
        after = replace(world, buffer=buffer)
        lost = untold or named.unsure
        made = replace(made, after=damaged(after, event.seq, by_event=True) if lost else after)
    else:
        undo = _undo(world, event, named)
        buffer = undo.buffer
        partly = () if event.outcome == "done" else named.entries
        unsure = (*partly, *undo.unsure)
        buffer = _counted(world.buffer, buffer, undo.sure, _there(buffer, unsure))
        after = replace(world, buffer=buffer, stack=undo.stack)
        lost = named.unknown or (untold and not _confirmed(after, path, event))
        made = replace(made, after=damaged(after, event.seq, by_event=True) if lost else after)
    names = touched_by(named.entries)
    if event.outcome != "partial":
        names = tuple(name for name in names if name in event.hashes)
    made = _unmoved(settled(made, names, event.hashes), {*names} & {*event.hashes})
    return _off_the_stack(with_claims(made, event.versions, event.hashes), named.entries)


def _unmoved(made: Moment, names: set[str]) -> Moment:
    """The moment whose kept edits stand as made in spans which a hash says nothing moved in."""
    before, after = made.before.buffer.spans, made.after.buffer.spans
    same = {n for n in names if n in before and before[n].text == after[n].text is not None}
    was = {entry.seq: entry for entry in made.before.stack}
    stack = tuple(
        replace(
            entry,
            steps=tuple(
                old if old.kind in TEXT_STEPS and old.span in same else step
                for old, step in zip(was[entry.seq].steps, entry.steps, strict=True)
            ),
        )
        for entry in made.after.stack
    )
    return replace(made, after=replace(made.after, stack=stack))


def _confirmed(after: World, path: tuple[Entry, ...], event: Rollback) -> bool:
    """Whether the agent claims to hold just what undoing the entries leaves."""
    if any(step.kind not in TEXT_STEPS for entry in path for step in entry.steps):
        return False
    spans = [after.buffer.spans.get(name) for name in (*touched_by(path), *event.hashes)]
    return all(
        span is not None
        and span.live
        and span.hash is not None
        and span.hash == event.hashes.get(span.id)
        for span in spans
    )


def _undo(world: World, event: Rollback, named: Named) -> _Undo:
    if event.of is None:
        return _strict_undo(world, named)
    path = path_of(world, named, event.stores)
    possible = can_be_undone(world, path)
    left = _selective(world, named, path)
    perhaps = _Undo(perhaps_other(world, path, named.entries, left), world.stack, unsure=path)
    if named.unknown:
        return perhaps
    if possible is False:
        raise CannotRedoError
    try:
        buffer, stack = selective_undo(world, named, path)
    except CannotRedoError as refusal:
        # What surely can't be done is not done, whatever else of it can't be told.
        if possible or refusal.sure:
            raise
        return perhaps
    return _Undo(buffer, stack, sure=named.entries) if possible else perhaps


def _strict_undo(world: World, named: Named) -> _Undo:
    recorded = world.records_inverses
    buffer, undone = sound_undo(world.buffer, named.entries, world.seq, records_inverses=recorded)
    rest = named.entries[: len(named.entries) - len(undone)]
    buffer = in_order(buffer, order_without(world, undone))
    if rest:
        meant = order_without(world, named.entries)
        buffer = presumed_undone(buffer, rest, meant, world.seq)
    return _Undo(buffer, world.stack, undone, rest)


def _restored_texts(world: World, after: Buffer, point: Checkpoint) -> set[str]:
    """The spans that a full copy brought another content, or one where it was not known."""
    before = world.buffer.spans
    left_open = {
        name
        for name, span in after.spans.items()
        if name not in point.buffer.spans and span is not before[name]
    }
    return {
        name
        for name, span in after.spans.items()
        if not span.gone and (name in left_open or _differs(span, before[name]))
    }


def _differs(now: Span, then: Span) -> bool:
    held, had = (now.text, now.told, now.secret), (then.text, then.told, then.secret)
    if then.doubt is not None:
        return (held, now.doubt, now.state) != (had, then.doubt, then.state)
    return held != had if None in {now.hash, then.hash} else now.hash != then.hash


def _there(after: Buffer, entries: tuple[Entry, ...]) -> set[str]:
    """The spans of these entries that are not gone."""
    return {name for name in touched_by(entries) if not after.spans[name].gone}


def _rewritten(step: Step) -> set[str]:
    """The spans to which a step gave another text, those under whose id it put a new one too."""
    if step.kind in TEXT_STEPS:
        return {step.span}
    made = step.into or step.span
    old = step.before.spans.get(made)
    brought_in = step.kind in {"ingest", "copy"} and old is not None and not old.gone
    return {made} if brought_in else set()


def _counted(before: Buffer, after: Buffer, undone: tuple[Entry, ...], perhaps: set[str]) -> Buffer:
    """One version more for each span whose text changed, or could have."""
    texts = {name for entry in undone for step in entry.steps for name in _rewritten(step)}
    return with_spans(
        after,
        *(
            replace(
                after.spans[name],
                version=max(after.spans[name].version, before.spans[name].version + 1),
            )
            for name in texts | perhaps
        ),
    )
