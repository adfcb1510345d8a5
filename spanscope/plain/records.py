"""Events that put something on record beside the spans: artifacts, inverses, checkpoints, diffs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spanscope.journal.events import (
    Apply,
    Compact,
    Derive,
    Evict,
    Ingest,
    InverseRecord,
    Move,
    Prune,
    Release,
    Rewrite,
    Rollback,
    Splice,
    Stage,
)
from spanscope.journal.events import Checkpoint as CheckpointEvent
from spanscope.journal.parts import HashRef, IngestEdit, RewriteEdit
from spanscope.plain.claiming import may_be_at
from spanscope.plain.edits import with_spans
from spanscope.plain.knowing import with_digest
from spanscope.plain.world import (
    Artifact,
    Awaited,
    Checkpoint,
    Entry,
    Moment,
    Origin,
    Problem,
    Step,
    World,
    aborted,
)

CHANGES = (Ingest, Rewrite, Splice, Prune, Move, Apply)


def unknown_name(made: Moment, **subject: str | int) -> Moment:
    """The moment with JNL007 for a name that nothing has."""
    problem = Problem("JNL007", tuple(subject.items()))
    return replace(made, problems=(*made.problems, problem))


def claimed_of_none(made: Moment, event: Apply | Rollback) -> Moment:
    """The moment with JNL007 for each span that never was and that the event claims to tell of.

    An apply that failed, or could not be, would have brought in what it names.
    """
    if made.after.damaged:
        return made
    if isinstance(event, Apply) and (made.problems or event.outcome != "done"):
        return made
    for name in dict.fromkeys([*event.versions, *event.hashes]):
        if name not in made.after.buffer.spans:
            made = unknown_name(made, span=name)
    return made


def derived(made: Moment, event: Derive, past: tuple[Moment, ...]) -> Moment:
    """The artifact is live, keyed on its spans as they are; from what is gone nothing derives."""
    world = made.after
    names = dict.fromkeys([event.span, *(source.span for source in event.sources)])
    missing = [name for name in names if _surely_missing(world, name)]
    for name in missing:
        made = unknown_name(made, artifact=event.artifact, span=name)
    if missing:
        return made
    keys = [(event.span, event.version, event.hash)]
    keys += [(source.span, None, source.hash) for source in event.sources]
    origins = tuple(_origin(world, past, *key) for key in keys)
    artifact = Artifact(event, origins, tokenizer=world.tokenizer)
    artifacts = {**world.artifacts, event.artifact: artifact}
    still = world.left - {("artifact", event.artifact)}
    return replace(made, after=replace(world, artifacts=artifacts, left=still))


def _surely_missing(world: World, name: str) -> bool:
    """Whether there is no such span, nor any that came, or came back, where lines were lost."""
    span = world.buffer.spans.get(name)
    if span is None:
        return not world.damaged
    return span.gone and not world.may_be_back(span)


def _origin(
    world: World, past: tuple[Moment, ...], name: str, version: int | None, hash: str | None
) -> Origin:
    """What a key names: the span as it is, or as it last was with this version or hash."""
    span = world.buffer.spans.get(name)
    if span is None or span.gone:
        return Origin(name, None, key=hash)
    if span.hash is None:
        if hash is None:
            return Origin(name, span)
        if span.presumed_hash == hash:
            return Origin(name, replace(span, doubt=None))
        return Origin(name, replace(span, text=None, told=hash, doubt=None))
    if hash == span.hash or (hash is None and may_be_at(past, world, name, version)):
        return Origin(name, span)
    for moment in reversed(past):
        was = moment.after.buffer.spans.get(name)
        if was is None:
            continue
        if was.hash == hash if hash is not None else was.version == version:
            return Origin(name, was)
    if hash is None:
        return Origin(name, span, never=True)
    return Origin(name, replace(span, text=None, told=hash))


def released(made: Moment, event: Release) -> Moment:
    """The artifact is no longer live."""
    world = made.after
    if event.artifact not in world.artifacts and world.surely_left("artifact", event.artifact):
        made = unknown_name(made, artifact=event.artifact)
    held = {name: held for name, held in world.artifacts.items() if name != event.artifact}
    left = world.left | {("artifact", event.artifact)}
    return replace(made, after=replace(world, artifacts=held, left=left))


def with_told(made: Moment, names: Iterable[str]) -> Moment:
    """The moment in which a mutation told the holders of these artifacts."""
    world = made.after
    artifacts = dict(world.artifacts)
    for name in dict.fromkeys(names):
        if name in artifacts:
            artifacts[name] = replace(artifacts[name], told_at=made.event.seq)
        elif world.surely_left("artifact", name):
            made = unknown_name(made, artifact=name)
    return replace(made, after=replace(world, artifacts=artifacts))


def inverse_came(made: Moment, event: InverseRecord, past: tuple[Moment, ...]) -> Moment:
    """An inverse of its own line: it waits for its change, or completes an entry.

    One for a change that did not happen is of no use and no fault.
    """
    world = made.after
    if event.of > world.seq:
        if event.edit is None and event.of != world.seq + 1:
            made = unknown_name(made, entry=event.of)
        awaited = (*world.awaited, Awaited(world.seq, event))
        return replace(made, after=replace(world, awaited=awaited))
    if not any(entry.seq == event.of and _has_edit(entry, event) for entry in world.stack):
        idle = world.lost_since(event.of) or _did_not_happen(event.of, past)
        return made if idle else unknown_name(made, entry=event.of)
    stack = tuple(
        _completed(entry, event) if entry.seq == event.of else entry for entry in world.stack
    )
    return replace(made, after=replace(world, stack=stack))


def _did_not_happen(seq: int, past: tuple[Moment, ...]) -> bool:
    """Whether an event was a change that was aborted since, or an impossible one."""
    if seq in aborted(past):
        return True
    tried = [moment for moment in past if moment.event.seq == seq and not moment.steps]
    return any(isinstance(moment.event, CHANGES) for moment in tried)


def _has_edit(entry: Entry, event: InverseRecord) -> bool:
    return any(step.index == (event.edit or 0) for step in entry.steps)


def _completed(entry: Entry, event: InverseRecord) -> Entry:
    """The entry with the inverse at the edit that it is for."""
    index = event.edit or 0
    steps = tuple(
        replace(step, inverse=event.inverse()) if step.index == index else step
        for step in entry.steps
    )
    return replace(entry, steps=steps)


def awaited_inverse(world: World, step: Step) -> Step:
    """The step with the inverse that came before it on a line of its own."""
    if step.inverse is not None:
        return step
    for waiting in reversed(world.awaited):
        record = waiting.record
        if record.of == world.seq and (record.edit or 0) == step.index:
            return replace(step, inverse=record.inverse())
    return step


def evicted(made: Moment, event: Evict) -> Moment:
    """The inverses of these entries are lost; those of an entry undone since are no loss."""
    world = made.after
    for seq in dict.fromkeys(event.of):
        if not 1 <= seq < event.seq:
            made = unknown_name(made, entry=seq)
    stack = tuple(
        replace(entry, steps=tuple(replace(step, inverse=None) for step in entry.steps))
        if entry.seq in event.of
        else entry
        for entry in world.stack
    )
    return replace(made, after=replace(world, stack=stack))


def checkpoint_made(made: Moment, event: CheckpointEvent) -> Moment:
    """A point to roll back to; its digest may make all known again."""
    world = with_digest(made.after, event.digest)
    seqs = tuple(entry.seq for entry in world.stack)
    point = Checkpoint(event.seq, event.snapshot, seqs, world.buffer)
    checkpoints = {**world.checkpoints, event.checkpoint: point}
    return replace(made, after=replace(world, checkpoints=checkpoints))


def staged(made: Moment, event: Stage) -> Moment:
    """The diff is staged; a span that it names and does not bring in must be one."""
    world = made.after
    own = {edit.span for edit in event.edits if isinstance(edit, IngestEdit)}
    own |= {edit.into for edit in event.edits if isinstance(edit, RewriteEdit) and edit.into}
    named = [read.span for read in event.reads if read.span is not None]
    named += [edit.span for edit in event.edits]
    named += [ref.span for ref in event.refs if not isinstance(ref, HashRef) and ref.span]
    for name in dict.fromkeys(named):
        if name not in own and name not in world.buffer.spans and not world.damaged:
            made = unknown_name(made, diff=event.diff, span=name)
    if event.compensates is not None and event.compensates >= world.seq:
        made = unknown_name(made, diff=event.diff, entry=event.compensates)
    held = {**world.staged, event.diff: event}
    left = world.left - {("diff", event.diff)}
    return replace(made, after=replace(world, staged=held, left=left))


def unstaged(made: Moment, diff: str) -> Moment:
    """The diff left the staging area."""
    world = made.after
    if diff not in world.staged and world.surely_left("diff", diff):
        made = unknown_name(made, diff=diff)
    staged = {name: staged for name, staged in world.staged.items() if name != diff}
    return replace(made, after=replace(world, staged=staged, left=world.left | {("diff", diff)}))


def compacted(made: Moment, event: Compact) -> Moment:
    """Tombstones are collected; what is none stays."""
    world = made.after
    spans = world.buffer.spans
    for name in dict.fromkeys(event.spans):
        if name not in spans and not world.damaged:
            made = unknown_name(made, span=name)
    collected = (
        replace(spans[name], state="collected", since=world.seq, life_told=True)
        for name in dict.fromkeys(event.spans)
        if name in spans and spans[name].state == "tombstone"
    )
    return replace(made, after=replace(world, buffer=with_spans(world.buffer, *collected)))
