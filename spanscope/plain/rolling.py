"""The moment of a rollback."""

from __future__ import annotations

from dataclasses import replace

from spanscope.journal.events import Rollback
from spanscope.plain.changing import TEXT_STEPS, done, settled, with_claims
from spanscope.plain.edits import with_spans
from spanscope.plain.knowing import doubted
from spanscope.plain.selective import CannotRedoError, selective_undo
from spanscope.plain.undoing import (
    Named,
    RefusedError,
    named_entries,
    restored_copy,
    sound_undo,
    touched_by,
    undone_as_meant,
)
from spanscope.plain.world import Buffer, Entry, Moment, Problem, World


def rolled_back(world: World, event: Rollback) -> Moment:
    """The moment of a rollback: with `edits` what was really done, else the sound undo."""
    made = Moment(event, world, world)
    named = Named(())
    try:
        named = named_entries(world, event)
    except RefusedError as refusal:
        made = replace(made, problems=refusal.problems)
        if event.edits is None:
            return made
    idle = event.outcome in {"failed", "noop"}
    if event.edits is not None:
        return _as_told(made, event, Named(()) if idle else named)
    if idle:
        return with_claims(made, event.versions, event.hashes)
    try:
        return _worked_out(made, event, named)
    except CannotRedoError:
        return replace(made, problems=(*made.problems, Problem("UND222", ())))


def _off_the_stack(made: Moment, named: tuple[Entry, ...]) -> Moment:
    after = made.after
    seqs = {entry.seq for entry in named}
    stack = tuple(entry for entry in after.stack if entry.seq not in seqs)
    return replace(made, undone=named, after=replace(after, stack=stack, newest=after.seq))


def _as_told(made: Moment, event: Rollback, named: Named) -> Moment:
    """The edits ran. A span that is what it was before the undone entries is that very one."""
    meant = undone_as_meant(made.after.buffer, named.entries, event.seq)
    made = done(made, tuple(event.edits or ()))
    buffer = made.after.buffer
    for name in touched_by(named.entries):
        now, then = buffer.spans[name], meant.spans[name]
        if now.state == then.state and now.presumed_hash == then.presumed_hash:
            buffer = with_spans(buffer, replace(then, version=now.version, doubt=now.doubt))
    made = replace(made, after=replace(made.after, buffer=buffer))
    if event.outcome == "partial":
        made = settled(made, touched_by(named.entries), event.hashes)
    return _off_the_stack(with_claims(made, event.versions, event.hashes), named.entries)


def _worked_out(made: Moment, event: Rollback, named: Named) -> Moment:
    """The undo as far as it is sound. Raises CannotRedoError."""
    world = made.after
    buffer, stack = world.buffer, world.stack
    point = world.checkpoints.get(event.to) if event.to is not None else None
    restored = event.method == "restore" and point is not None and point.snapshot
    if restored and event.to is not None:
        buffer = restored_copy(world, event.to, event.stores, event.seq)
    elif event.of is not None:
        buffer, stack = selective_undo(world, named, event.seq)
    else:
        buffer = sound_undo(world.buffer, named.entries, event.seq)
    if named.unknown and not restored:
        buffer = doubted(buffer, tuple(buffer.spans), event.seq)
    copied = _restored_texts(world.buffer, buffer) if restored else set()
    buffer = _counted(world.buffer, buffer, named.entries, copied)
    made = replace(made, after=replace(world, buffer=buffer, stack=stack))
    names = touched_by(named.entries)
    if event.outcome != "partial":
        names = tuple(name for name in names if name in event.hashes)
    made = settled(made, names, event.hashes)
    return _off_the_stack(with_claims(made, event.versions, event.hashes), named.entries)


def _restored_texts(before: Buffer, after: Buffer) -> set[str]:
    """The spans that a full copy brought another content, or one where it was not known."""
    return {
        name
        for name, span in after.spans.items()
        if not span.gone and (span.hash is None or span.hash != before.spans[name].hash)
    }


def _counted(before: Buffer, after: Buffer, named: tuple[Entry, ...], names: set[str]) -> Buffer:
    """One version more for each span whose text changed, or could have."""
    texts = {step.span for entry in named for step in entry.steps if step.kind in TEXT_STEPS}
    unknown = {name for name in touched_by(named) if after.spans[name].doubt is not None}
    return with_spans(
        after,
        *(
            replace(after.spans[name], version=before.spans[name].version + 1)
            for name in texts | unknown | names
        ),
    )
