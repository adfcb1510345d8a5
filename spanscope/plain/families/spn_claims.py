"""What the agent claims of versions, hashes and ids."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.journal.events import Observe, Rollback
from spanscope.plain.claiming import (
    Direct,
    claimed_hashes,
    claimed_versions,
    version_to_exceed,
)
from spanscope.plain.finding import Finding, finding
from spanscope.plain.reading import Told
from spanscope.plain.undoing import edited_by
from spanscope.plain.world import Moment, Step, aborted


def findings(told: Told) -> Iterator[Finding]:
    """SPN111, SPN112 and SPN116."""
    for at, moment in enumerate(told.moments):
        if moment.presumed:
            continue
        yield from _versions(told.moments[:at], moment)
        yield from _hashes(moment)
        yield from _reused(told.moments[:at], moment)


def _versions(past: tuple[Moment, ...], moment: Moment) -> Iterator[Finding]:
    """SPN111."""
    before, after = moment.before.buffer.spans, moment.after.buffer.spans
    for name, version in claimed_versions(moment.event).items():
        source = _source(moment, name)
        if source not in before or name not in after:
            continue
        old, new = before[source], after[name]
        if old.gone or old.hash is None or new.hash is None or old.hash == new.hash:
            continue
        if version <= version_to_exceed(past, moment.before, source):
            yield finding("SPN111", moment.event.seq, "error", span=name)


def _source(moment: Moment, name: str) -> str:
    """The span whose version a claim goes on from: for a copy the old span's."""
    for step in moment.steps:
        if step.into == name:
            return step.span
    return name


def _hashes(moment: Moment) -> Iterator[Finding]:
    """SPN112. A rollback that the reader worked out itself is judged by UND221 instead."""
    event, spans = moment.event, moment.after.buffer.spans
    if isinstance(event, Direct) and not moment.steps:
        return
    undone: tuple[str, ...] = ()
    if isinstance(event, Rollback) and event.edits is None:
        undone = edited_by(moment.undone)
    if moment.after.lost_at == event.seq + 1:
        # What is claimed may rest on what was lost.
        return
    for name, hash in claimed_hashes(event).items():
        if name not in spans or name in undone or spans[name].hash in {None, hash}:
            continue
        if spans[name].gone and moment.before.may_be_back(spans[name]):
            continue
        yield finding("SPN112", event.seq, "error", span=name)


def _reused(past: tuple[Moment, ...], moment: Moment) -> Iterator[Finding]:
    """SPN116. What an undo or an observation brings back is no new use."""
    if isinstance(moment.event, Rollback | Observe):
        return
    for step in moment.steps:
        name = step.into or step.span
        if not _makes(step) or name not in step.before.spans or _unused(past, moment, name):
            continue
        if _surely_used(moment, step, name):
            yield finding("SPN116", moment.event.seq, "error", span=name)


def _surely_used(moment: Moment, step: Step, name: str) -> bool:
    """Whether no event that was lost may have undone the use of the id: not that of this event."""
    world, span = moment.before, moment.before.buffer.spans.get(name)
    if span is None or step.span == step.into or _again(moment, step, name):
        return True
    if world.order_doubt is None or world.lost_at is None:
        return True
    return span.doubt is None and (not span.gone or span.since >= world.lost_at)


def _again(moment: Moment, step: Step, name: str) -> bool:
    """Whether an earlier edit of the event was of the id, which is in use then."""
    earlier = [each for each in moment.steps if each.index < step.index]
    return any(name in {each.span, each.into} for each in earlier)


def _makes(step: Step) -> bool:
    return step.kind in {"copy", "ingest"} or step.into is not None


def _lived_on(past: tuple[Moment, ...], name: str, born: int | None) -> bool:
    """Whether a use of an id that was said to be undone turned out to live."""
    gone = aborted(past)
    said = [
        at
        for at, moment in enumerate(past)
        if moment.event.seq not in gone and born in {entry.seq for entry in moment.undone}
    ]
    for moment in past[said[0] :] if said else ():
        span = moment.after.buffer.spans.get(name)
        if span is not None and span.born == born and not span.gone and span.life_known:
            return True
    return False


def _unused(past: tuple[Moment, ...], moment: Moment, name: str) -> bool:
    """Whether a rollback or abort undid the use of an id, and nobody holds it."""
    if any(held.derive.span == name for held in moment.before.artifacts.values()):
        return False
    span = moment.before.buffer.spans.get(name)
    if span is not None and not span.gone and span.life_known:
        return False
    born = moment.before.buffer.spans[name].born if name in moment.before.buffer.spans else None
    if _lived_on(past, name, born):
        return False
    gone = aborted(past)
    stand = (earlier for earlier in past if earlier.event.seq not in gone)
    taken_back = gone | {entry.seq for earlier in stand for entry in earlier.undone}
    bringing = [earlier.event for earlier in past if _brings_in(earlier, name)]
    # What a rollback brings back was used before, if any other event brought it in.
    uses = {event.seq for event in bringing if not isinstance(event, Rollback)}
    uses = uses or {event.seq for event in bringing}
    return bool(uses) and uses <= taken_back


def _brings_in(moment: Moment, name: str) -> bool:
    """Whether an event brought an id into the buffer."""
    return any(
        (step.into or step.span) == name and step.kind in {"ingest", "copy"}
        for step in moment.steps
    )
