"""Changes: their edits, claims, inverses, the holders that were told, their undo entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from msgspec.structs import replace as with_fields

from spanscope.journal.events import Apply, Ingest, Move, Prune, Rewrite, Splice, Stage
from spanscope.journal.parts import AnyEdit, IngestEdit, Inverse, SpliceEdit
from spanscope.plain.edits import ImpossibleError, Lost, back, perform, target, with_spans
from spanscope.plain.knowing import claimed, damaged, observed
from spanscope.plain.locating import edit_places
from spanscope.plain.records import awaited_inverse, unknown_name, with_told
from spanscope.plain.world import Buffer, Change, Entry, Moment, Span, Step, World

TEXT_STEPS = {"rewrite", "splice", "observe"}


def changed(world: World, event: Ingest | Rewrite | Splice | Prune | Move) -> Moment:
    """The moment of a direct change."""
    made = done(Moment(event, world, world), (event,))
    for step in made.steps:
        if not isinstance(event, Move):
            name = step.into or step.span
            made = with_claims(
                made,
                {} if event.version is None else {name: event.version},
                {} if event.hash is None or _told_already(event) else {name: event.hash},
            )
    if isinstance(event, Rewrite | Splice | Prune):
        inverses = (event.inverse,)
        made = with_told(made, event.invalidates)
    else:
        inverses = (None,)
    return with_entry(with_inverses(made, inverses), str(event.__struct_config__.tag))


def _told_already(event: Ingest | Rewrite | Splice | Prune) -> bool:
    """Whether its hash was taken for that of the redacted text that it brought."""
    return event.redacted and not isinstance(event, Prune)


def applied(world: World, event: Apply) -> Moment:
    """The moment of an apply: all its edits as one change."""
    made = Moment(event, world, world)
    staged = world.staged.get(event.diff)
    if staged is None and world.surely_left("diff", event.diff):
        made = unknown_name(made, diff=event.diff)
    told_edits = event.edits is not None
    if not told_edits and event.outcome in {"done", "partial"} and may_be_another(world, event):
        return _presumed(made, event, staged)
    return _applied(made, event, staged)


def may_be_another(world: World, event: Apply) -> bool:
    """Whether a diff of the name may have been staged, or staged anew, where events were lost."""
    staged = world.staged.get(event.diff)
    if staged is None:
        return not world.surely_left("diff", event.diff)
    return world.order_doubt is not None and world.lost_since(staged.seq)


def _presumed(made: Moment, event: Apply, staged: Stage | None) -> Moment:
    """An apply of which nobody knows what it did: what the hashes tell of what it would have done.

    It may have touched any span.
    """
    would = _applied(replace(made, problems=()), event, staged)
    lost = damaged(would.after, event.seq, by_event=True)
    buffer = lost.buffer
    for name in _touched(would.steps):
        span, hash = buffer.spans[name], event.hashes.get(name)
        if hash is not None and not span.gone and span.presumed_hash == hash:
            buffer = with_spans(buffer, replace(span, doubt=None))
    return replace(would, after=replace(lost, buffer=buffer), problems=(), presumed=True)


def _applied(made: Moment, event: Apply, staged: Stage | None) -> Moment:
    """The moment of an apply that is what it says."""
    told_edits = event.edits is not None
    edits = event.edits if event.edits is not None else staged.edits if staged else []
    if event.outcome == "noop" and not told_edits:
        return with_claims(made, event.versions, event.hashes)
    if event.outcome == "failed" and not told_edits:
        return _moved_after_all(made, event)
    made = with_told(done(made, tuple(edits)), told_in(edits))
    if event.outcome == "partial" and not told_edits:
        touched = _touched(made.steps)
        for name in touched:
            made = _rewound(made, name, event.hashes.get(name))
        made = settled(made, touched, event.hashes)
    made = with_claims(made, event.versions, event.hashes)
    made = with_entry(with_inverses(made, _inverses(event, edits)), "apply")
    leaves = event.outcome in {"done", "partial"} or bool(made.steps)
    after = made.after
    held = {n: diff for n, diff in after.staged.items() if n != event.diff or not leaves}
    gone = {("diff", event.diff)} if leaves and event.diff in after.staged else set()
    return replace(made, after=replace(after, staged=held, left=after.left | gone))


def _inverses(event: Apply, edits: Sequence[AnyEdit]) -> list[Inverse | None]:
    """What is listed for each edit, else what it carries itself."""
    listed = dict(enumerate(event.inverses or ()))
    own = (getattr(edit, "inverse", None) for edit in edits)
    return [listed.get(index) or inverse for index, inverse in enumerate(own)]


def told_in(edits: Iterable[AnyEdit]) -> list[str]:
    """The artifacts that edits name in `invalidates`."""
    return [name for edit in edits for name in getattr(edit, "invalidates", ())]


def _moved_after_all(made: Moment, event: Apply) -> Moment:
    """An apply that says it failed, judged by the hashes that it claims."""
    spans = made.after.buffer.spans
    moved = [
        name
        for name, hash in event.hashes.items()
        if name in spans and not spans[name].gone and spans[name].hash not in {None, hash}
    ]
    new = [
        replace(observed(spans[name], event.hashes[name]), version=spans[name].version + 1)
        for name in moved
    ]
    buffer = with_spans(made.after.buffer, *new)
    made = replace(made, after=replace(made.after, buffer=buffer))
    return with_claims(made, event.versions, event.hashes)


def done(made: Moment, changes: tuple[Change, ...]) -> Moment:
    """The moment in which these edits ran, those that could, and their versions counted."""
    world, first = made.after, made.after.buffer
    buffer, steps = first, []
    for index, change in enumerate(changes):
        made = _names(made, buffer, change)
        try:
            step = _step(buffer, change, world, index)
        except ImpossibleError as refusal:
            made = replace(made, problems=(*made.problems, refusal.problem))
            continue
        steps.append(step)
        buffer = step.after
    buffer = counted(first, buffer, tuple(steps))
    return replace(made, steps=tuple(steps), after=replace(world, buffer=buffer))


def _names(made: Moment, buffer: Buffer, change: Change) -> Moment:
    """JNL007 for what an ingest names beside its own span."""
    if not isinstance(change, Ingest | IngestEdit):
        return made
    ordered = made.after.order_doubt is None
    if ordered and isinstance(change.after, str) and change.after not in buffer.order:
        made = unknown_name(made, span=change.after)
    if made.after.damaged:
        return made
    others = [*change.supersedes, *([change.answers] if change.answers is not None else [])]
    for name in dict.fromkeys(others):
        if name not in buffer.spans:
            made = unknown_name(made, span=name)
    return made


def _step(buffer: Buffer, change: Change, world: World, index: int) -> Step:
    """The edit done, at the one place that it can mean. Raises ImpossibleError."""
    seq = world.seq
    first, last = world.order_doubt, world.lost_at
    lost = None if first is None or last is None else Lost(first, last)
    if not isinstance(change, SpliceEdit) or change.at is not None:
        return perform(buffer, change, seq, lost=lost, index=index)
    buffer = target(buffer, change.span, seq, lost)
    span = buffer.spans[change.span]
    text = span.content
    places = () if text is None else edit_places(text, change)
    if len(places) == 1:
        at = with_fields(change, at=places[0])
        return perform(buffer, at, seq, lost=lost, index=index)
    if not places and span.content is not None:
        raise ImpossibleError("JNL008", span=change.span)
    if not change.delete and not change.insert:
        return perform(buffer, with_fields(change, at=0), seq, lost=lost, index=index)
    unknown = span.hidden(None)
    if text is not None:
        unknown = replace(unknown, doubt=seq, life_told=True)
    after = with_spans(buffer, unknown)
    return Step("splice", change.span, buffer, after, index, somewhere=True)


def counted(first: Buffer, last: Buffer, steps: Iterable[Step]) -> Buffer:
    """The last buffer with one version more for each span whose text an edit was for."""
    names = {step.span for step in steps if step.kind in TEXT_STEPS} & set(first.spans)
    return with_spans(
        last,
        *(
            replace(last.spans[name], version=first.spans[name].version + 1)
            for name in names
            if last.spans[name].version <= first.spans[name].version
        ),
    )


def with_claims(made: Moment, versions: Mapping[str, int], hashes: Mapping[str, str]) -> Moment:
    """The moment with what the agent claims to hold after it."""
    buffer = made.after.buffer
    for name, version in versions.items():
        if told_of(made, name) and version > buffer.spans[name].version:
            buffer = with_spans(buffer, replace(buffer.spans[name], version=version))
    for name, hash in hashes.items():
        if told_of(made, name):
            buffer = with_spans(buffer, claimed(buffer.spans[name], hash))
    return _ending_in(made, buffer)


def told_of(made: Moment, name: str) -> bool:
    """Whether a claim about a span counts: not where it was gone before and is gone.

    One that the event took out was there before, back since events were lost.
    """
    before, after = made.before.buffer.spans.get(name), made.after.buffer.spans.get(name)
    if after is None:
        return False
    taken_out = any(step.kind == "prune" and step.span == name for step in made.steps)
    return taken_out or not (after.gone and before is not None and before.gone)


def settled(made: Moment, names: Iterable[str], hashes: Mapping[str, str]) -> Moment:
    """The moment in which only the hashes say which of these spans were really changed.

    One that none tells of is unknown, and there if it was.
    """
    before, buffer, seq = made.before.buffer, made.after.buffer, made.after.seq
    order = buffer.order
    for name in names:
        now, then = buffer.spans[name], before.spans.get(name)
        claim = hashes.get(name)
        if then is None and now.gone and not now.heard_of:
            now = replace(now, state="live")
        if then is not None and (now.gone or _kept(claim, then, now)):
            # A text that is claimed stands in the buffer, also where it was taken out before.
            state = now.state if then.gone else then.state
            now = replace(then, version=now.version, state=state)
        if now.live and name not in order:
            order = back(buffer, name, before)
        if claim is not None and not now.gone:
            if then is not None and now.presumed_hash != claim:
                now = replace(now, version=max(now.version, then.version + 1))
            now = observed(now, claim)
        elif not now.gone:
            now = now.doubted(seq)
        buffer = with_spans(buffer, now, order=order)
    made = replace(made, steps=tuple(_perhaps(step, buffer) for step in made.steps))
    return _ending_in(made, buffer)


def _perhaps(step: Step, buffer: Buffer) -> Step:
    """The edit, of which nobody knows whether it took place, if it is not known what it left."""
    made, unclear = step.into or step.span, []
    for name in {step.span, made}:
        span, left = buffer.spans[name], step.after.spans[name]
        if span.doubt is not None:
            unclear.append(replace(left, doubt=span.doubt, life_told=False))
        elif span.content is None and (span.hash is None or span.hash != left.hash):
            unclear.append(span)
    unsure = step.kind != "move" and made in {span.id for span in unclear}
    return replace(step, after=with_spans(step.after, *unclear), unsure=unsure)


def _rewound(made: Moment, name: str, claim: str | None) -> Moment:
    """The moment without edits that never took place: a hash says that a span is as they met it."""
    buffer = made.after.buffer
    now = buffer.spans[name]
    if claim is None or (now.presumed_hash == claim and not now.gone):
        return made
    edits = [s for s in made.steps if s.span == name and s.kind not in {"move", "copy"}]
    for number, step in enumerate(edits):
        met = step.before.spans.get(name)
        if met is None or met.gone or met.presumed_hash != claim:
            continue
        steps = tuple(step for step in made.steps if step not in edits[number:])
        order = buffer.order
        if met.live and name not in order:
            order = back(buffer, name, step.before)
        buffer = with_spans(buffer, replace(met, version=now.version), order=order)
        return replace(made, steps=steps, after=replace(made.after, buffer=buffer))
    return made


def _kept(claim: str | None, then: Span, now: Span) -> bool:
    """Whether a claimed hash says that a span is still what it was."""
    return claim is not None and claim == then.presumed_hash != now.presumed_hash


def _ending_in(made: Moment, buffer: Buffer) -> Moment:
    """The moment that ends in this buffer, and so does the last edit of each span.

    What put nothing anywhere met what it left.
    """
    steps: list[Step] = []
    later: set[str] = set()
    for step in reversed(made.steps):
        last = (span for name, span in buffer.spans.items() if name not in later)
        order = step.after.order if steps else buffer.order
        there = (span for span in last if span.id in step.after.spans)
        ended = replace(step, after=with_spans(step.after, *there, order=order))
        if step.span not in later and _told_what_it_met(step, buffer):
            version = step.before.spans[step.span].version
            met = replace(buffer.spans[step.span], version=version)
            ended = replace(ended, before=with_spans(step.before, met))
        else:
            later |= {step.span, step.into or step.span}
        steps.insert(0, ended)
    return replace(made, steps=tuple(steps), after=replace(made.after, buffer=buffer))


def _told_what_it_met(step: Step, buffer: Buffer) -> bool:
    """Whether an edit of nothing surely left what it met, of which the hash is known only now."""
    met, left = step.before.spans.get(step.span), buffer.spans[step.span]
    in_doubt = step.unsure or met is None or met.doubt is not None or left.doubt is not None
    return bool(step.nothing and step.index and not in_doubt and met and met.hash is None)


def _touched(steps: Iterable[Step]) -> tuple[str, ...]:
    edited = (step for step in steps if step.kind != "move")
    return tuple(
        dict.fromkeys(name for step in edited for name in (step.span, step.into or step.span))
    )


def with_inverses(made: Moment, inverses: Iterable[Inverse | None]) -> Moment:
    """The moment whose edits have these inverses, or those that came before on their own lines."""
    given = dict(enumerate(inverses))
    steps = tuple(
        awaited_inverse(made.after, replace(step, inverse=given.get(step.index)))
        for step in made.steps
    )
    return replace(made, steps=steps)


def with_entry(made: Moment, op: str) -> Moment:
    """The moment with its undo entry, where an edit took effect."""
    world = made.after
    if not made.steps:
        return made
    entry = Entry(world.seq, op, made.event.actor, made.steps)
    after = replace(world, stack=(*world.stack, entry))
    return replace(made, after=after)
