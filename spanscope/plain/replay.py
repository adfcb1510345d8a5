"""What each event makes of the world before it: the contract's table of events, row by row."""

from __future__ import annotations

from dataclasses import replace

from spanscope.journal.events import (
    Abort,
    AnyEvent,
    Apply,
    Checkpoint,
    Compact,
    Derive,
    Evict,
    Gap,
    Ingest,
    InverseRecord,
    Move,
    Observe,
    Prune,
    Reject,
    Release,
    Rewrite,
    Rollback,
    Splice,
    Stage,
    Unknown,
    Withdraw,
)
from spanscope.plain import records
from spanscope.plain.bases import texts_through, texts_to_copy
from spanscope.plain.changing import applied, changed
from spanscope.plain.edits import unheard_of, with_spans
from spanscope.plain.knowing import damaged, frozen
from spanscope.plain.observing import observed_buffer
from spanscope.plain.rolling import rolled_back
from spanscope.plain.world import Artifact, Moment, World

CHANGES = (Ingest, Rewrite, Splice, Prune, Move, Apply, Rollback)
"""What an `abort` can take back; an observation only where it found an unlogged change."""


def moment(before: World, event: AnyEvent | Unknown, past: tuple[Moment, ...]) -> Moment:
    """The event and the world after it. `past`: the moments so far."""
    newest = event.seq if isinstance(event, CHANGES) else before.newest
    world = replace(before, seq=event.seq, newest=newest)
    match event:
        case Ingest() | Rewrite() | Splice() | Prune() | Move():
            made = changed(world, event)
        case Apply():
            made = records.claimed_of_none(applied(world, event), event)
        case Rollback():
            made = records.claimed_of_none(rolled_back(world, event), event)
        case Observe():
            made = observed_buffer(world, event)
        case Abort():
            made = _aborted(world, event, past)
        case _:
            made = _noted(world, event, past)
    if isinstance(event, Observe) and made.steps:
        made = replace(made, after=replace(made.after, newest=event.seq))
    return replace(_remembered(_counted(made), past), before=before)


def _remembered(made: Moment, past: tuple[Moment, ...]) -> Moment:
    """The moment that knows of each span all texts that it held, edit by edit."""
    texts = dict(made.after.texts)
    for name in made.after.buffer.spans:
        for text in (*texts_to_copy(made, name, past), *texts_through(made, name)):
            held = texts.get(name, ())
            if text is not None and (not held or held[-1] != text):
                texts[name] = (*held, text)
    return replace(made, after=replace(made.after, texts=texts, frozen=frozen(made.after)))


def _counted(made: Moment) -> Moment:
    """The moment with its revision: one more where content or the order really changed."""
    before, after = made.before, made.after
    if isinstance(made.event, Abort) or after.revision is None or before.revision is None:
        return made
    if not buffer_changed(made):
        return made
    return replace(made, after=replace(after, revision=before.revision + 1))


def buffer_changed(made: Moment) -> bool:
    """Whether the order or a content is another; where that can't be told, whether it could."""
    if made.before.buffer.order != made.after.buffer.order:
        return True
    for name, now in made.after.buffer.spans.items():
        then = made.before.buffer.spans.get(name)
        if then is None or then.gone or now.gone:
            continue
        if None in {then.hash, now.hash}:
            if now.version > then.version:
                return True
        elif then.hash != now.hash:
            return True
    return False


def _aborted(world: World, event: Abort, past: tuple[Moment, ...]) -> Moment:
    """The newest change did not happen: what it found stands again, later notes stay.

    A span that it made was named all the same: it is kept as pruned. What a digest made known
    since of the change tells nothing of what that replaced.
    """
    made = Moment(event, world, world)
    if world.newest != event.of:
        return _aborted_another(made, event, past)
    was = next(moment for moment in past if moment.event.seq == event.of)
    presumed = {name for name in was.after.buffer.spans if _only_presumed(was, name)}
    if world.damaged and presumed and world.order_doubt is None:
        # Where they stand nobody knows.
        world = damaged(world, event.seq, by_event=True)
    told = {
        name: _not_told(artifact, was) if artifact.told_at == event.of else artifact
        for name, artifact in world.artifacts.items()
    }
    staged = dict(world.staged)
    for name in was.before.staged.keys() - was.after.staged.keys():
        staged.setdefault(name, was.before.staged[name])
        world = replace(world, left=world.left - {("diff", name)})
    known = {entry.seq: entry.doubt for entry in world.stack}
    if world.stack_doubt is None:
        known |= dict.fromkeys((entry.seq for entry in was.before.stack), None)
    seen_since = (n for n in world.buffer.order if n not in was.after.buffer.order)
    spans, order = [], tuple(dict.fromkeys((*was.before.buffer.order, *seen_since)))
    for name, span in was.after.buffer.spans.items():
        then = was.before.buffer.spans.get(name)
        if world.order_doubt is not None and name in presumed:
            there = then or unheard_of(name, event.seq, world.order_doubt)
            there = replace(there, doubt=world.order_doubt, life_told=False)
            spans.append(replace(there, state="live", since=event.seq))
            order = (*order, name)
        elif then is None:
            gone = replace(world.buffer.spans[name], state="pruned", since=event.seq)
            spans.append(replace(gone, never_was=True))
        elif then != span:
            spans.append(then)
    after = replace(
        world,
        buffer=with_spans(world.buffer, *spans, order=order),
        stack=tuple(
            replace(entry, doubt=known.get(entry.seq, entry.doubt)) for entry in was.before.stack
        ),
        revision=was.before.revision if world.revision is not None else None,
        artifacts=told,
        staged=staged,
        texts={**world.texts, **was.before.texts},
        newest=None,
    )
    return _with_later_notes(replace(made, after=after), past)


def _aborted_another(made: Moment, event: Abort, past: tuple[Moment, ...]) -> Moment:
    """The moment of an abort of what is not known to be the newest change."""
    world = made.after
    if world.newest is None and world.lost_since(event.of):
        # What is to be taken back was done before events were lost, or is one of them.
        lost = damaged(world, event.seq, by_event=True)
        certain = min(lost.certain or event.seq, max(event.of, 1))
        return replace(made, after=replace(lost, certain=certain))
    since = world.newest is not None and world.newest > event.of
    if since or world.sighted is None or world.sighted[0] != event.of:
        return records.unknown_name(made, entry=event.of)
    # What it told of spans of which nothing was known may not have happened.
    was = next(moment for moment in past if moment.event.seq == event.of).after.buffer
    now = world.buffer
    names = [name for name in world.sighted[1] if now.spans[name] == was.spans[name]]
    buffer = with_spans(now, *(now.spans[name].doubted(event.seq) for name in names))
    return replace(made, after=replace(world, buffer=buffer, newest=None, sighted=None))


def _not_told(artifact: Artifact, was: Moment) -> Artifact:
    """The artifact whose holder was not told by a change; it may have been told before."""
    then = was.before.artifacts.get(artifact.derive.artifact)
    return replace(artifact, told_at=None if then is None else then.told_at)


def _only_presumed(was: Moment, name: str) -> bool:
    """Whether a change took a span to be there of which no event told since lines were lost."""
    then = was.before.buffer.spans.get(name)
    brought_in = {
        step.into or step.span for step in was.steps if step.kind in {"ingest", "copy", "observe"}
    }
    told_back = isinstance(was.event, Rollback) and was.event.edits is not None
    if not told_back and not any(entry.seq == was.event.seq for entry in was.after.stack):
        return False
    changed = {n for step in was.steps for n in (step.span, step.into) if step.kind != "move"}
    told = name in changed or (not told_back and then != was.after.buffer.spans[name])
    return (then is None or (then.gone and told)) and name not in brought_in


def _with_later_notes(made: Moment, past: tuple[Moment, ...]) -> Moment:
    """The moment of an abort with what the log has got or lost of inverses since."""
    assert isinstance(made.event, Abort)
    noted = made
    for note in (moment.event for moment in past if moment.event.seq > made.event.of):
        if isinstance(note, Evict):
            noted = records.evicted(noted, note)
        elif isinstance(note, InverseRecord) and note.of < note.seq:
            noted = records.inverse_came(noted, note, past)
    # That names were wrong was said when the notes came.
    return replace(noted, problems=made.problems)


def _noted(world: World, event: AnyEvent | Unknown, past: tuple[Moment, ...]) -> Moment:
    """An event that changes no span: what it makes known, puts on record or takes off it."""
    made = Moment(event, world, world)
    match event:
        case Gap():
            return replace(made, after=damaged(world, event.seq, by_event=True))
        case Derive():
            return records.derived(made, event, past)
        case Release():
            return records.released(made, event)
        case InverseRecord():
            return records.inverse_came(made, event, past)
        case Evict():
            return records.evicted(made, event)
        case Checkpoint():
            return records.checkpoint_made(made, event)
        case Stage():
            return records.staged(made, event)
        case Reject() | Withdraw():
            return records.unstaged(made, event.diff)
        case Compact():
            return records.compacted(made, event)
        case _:
            return made
