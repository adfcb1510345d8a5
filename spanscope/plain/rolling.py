"""The moment of a rollback."""

from __future__ import annotations

from dataclasses import replace

from spanscope.journal.events import Rollback
from spanscope.plain.changing import TEXT_STEPS, done, settled, with_claims
from spanscope.plain.edits import with_spans
from spanscope.plain.selective import CannotRedoError, selective_undo
from spanscope.plain.undoing import (
    RefusedError,
    UnknowableError,
    meant,
    named_entries,
    restored_copy,
    sound_undo,
    touched_by,
    unknown_everywhere,
)
from spanscope.plain.world import Buffer, Entry, Moment, Problem, World


def rolled_back(world: World, event: Rollback) -> Moment:
    """The moment of a rollback: with `edits` what was really done, else the sound undo."""
    made = Moment(event, world, world)
    try:
        named = named_entries(world, event)
    except RefusedError as refusal:
        if refusal.problem is not None:
            made = replace(made, problems=(refusal.problem,))
        named = ()
        if event.edits is None:
            return made
    except UnknowableError:
        return _of_the_unknown(made, event)
    idle = event.outcome in {"failed", "noop"}
    if event.edits is not None:
        made = _as_told(made, event, () if idle else named)
    elif idle:
        return with_claims(made, event.versions, event.hashes)
    else:
        try:
            made = _worked_out(made, event, named)
        except CannotRedoError:
            return replace(made, problems=(*made.problems, Problem("UND222", ())))
    if idle:
        return made
    return _off_the_stack(made, named)


def _off_the_stack(made: Moment, named: tuple[Entry, ...]) -> Moment:
    after = made.after
    seqs = {entry.seq for entry in named}
    stack = tuple(entry for entry in after.stack if entry.seq not in seqs)
    changes = (*after.changes, after.seq) if named else after.changes
    return replace(made, undone=named, after=replace(after, stack=stack, changes=changes))


def _of_the_unknown(made: Moment, event: Rollback) -> Moment:
    """A rollback whose entries may be among the lost: any span may be another now."""
    if event.outcome in {"failed", "noop"} and event.edits is None:
        return made
    if event.edits is not None:
        return with_claims(done(made, tuple(event.edits)), event.versions, event.hashes)
    buffer = unknown_everywhere(made.after, event.seq)
    made = replace(made, after=replace(made.after, buffer=buffer))
    return with_claims(made, event.versions, event.hashes)


def _as_told(made: Moment, event: Rollback, named: tuple[Entry, ...]) -> Moment:
    """The edits ran. A span that is what it was before the undone entries is that very one."""
    expected = meant(made.after, named, event.seq)
    made = done(made, tuple(event.edits or ()))
    buffer = made.after.buffer
    for name in touched_by(named):
        now, then = buffer.spans[name], expected.spans[name]
        if now.state == then.state and now.presumed_hash == then.presumed_hash:
            buffer = with_spans(buffer, replace(then, version=now.version, doubt=now.doubt))
    made = replace(made, after=replace(made.after, buffer=buffer))
    return with_claims(made, event.versions, event.hashes)


def _worked_out(made: Moment, event: Rollback, named: tuple[Entry, ...]) -> Moment:
    """The undo as far as it is sound. Raises CannotRedoError."""
    world = made.after
    point = world.checkpoints.get(event.to) if event.to is not None else None
    if event.method == "restore" and point is not None and point.snapshot:
        assert event.to is not None
        buffer = restored_copy(world, event.to, event.stores, event.seq)
        if event.stores is None:
            world = replace(world, order_doubt=None)
    elif event.of is not None and named != world.stack[len(world.stack) - len(named) :]:
        buffer, stack = selective_undo(world, named, event.seq)
        world = replace(world, stack=stack)
    else:
        buffer = sound_undo(world.buffer, named, event.seq)
    buffer = _counted(world.buffer, buffer, named)
    made = replace(made, after=replace(world, buffer=buffer))
    if event.outcome == "partial":
        return with_claims(settled(made, touched_by(named), event.hashes), event.versions, {})
    claimed = [name for name in event.hashes if name in touched_by(named)]
    return with_claims(settled(made, claimed, event.hashes), event.versions, event.hashes)


def _counted(before: Buffer, after: Buffer, named: tuple[Entry, ...]) -> Buffer:
    """One version more for each span whose text changed, or could have."""
    texts = {step.span for entry in named for step in entry.steps if step.kind in TEXT_STEPS}
    unknown = {
        name
        for name in touched_by(named)
        if after.spans[name].doubt not in {None, before.spans[name].doubt}
    }
    return with_spans(
        after,
        *(
            replace(after.spans[name], version=before.spans[name].version + 1)
            for name in texts | unknown
        ),
    )
