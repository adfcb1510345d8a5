"""What the agent claims of versions and hashes."""

from __future__ import annotations

from collections.abc import Mapping

from spanscope.journal.events import (
    AnyEvent,
    Apply,
    Ingest,
    Prune,
    Rewrite,
    Rollback,
    Splice,
    Unknown,
)
from spanscope.plain.world import Moment, Span, World, aborted

Direct = Ingest | Rewrite | Splice | Prune


def target(event: Direct) -> str:
    """The span that a direct change leaves behind."""
    return event.into if isinstance(event, Rewrite) and event.into is not None else event.span


def claimed_versions(event: AnyEvent | Unknown, *, redacted: bool = False) -> Mapping[str, int]:
    """The versions that an event claims, by span; `redacted`: also those that are not judged."""
    if isinstance(event, Direct):
        judged = redacted or not event.redacted
        return {target(event): event.version} if judged and event.version is not None else {}
    return event.versions if isinstance(event, Apply | Rollback) else {}


def claimed_hashes(event: AnyEvent | Unknown) -> Mapping[str, str]:
    """The hashes that an event claims, by span."""
    if isinstance(event, Direct):
        return {} if event.redacted or event.hash is None else {target(event): event.hash}
    return event.hashes if isinstance(event, Apply | Rollback) else {}


def last_claimed_version(past: tuple[Moment, ...], name: str) -> int | None:
    """The version that the agent last claimed for a span, in an event that happened."""
    last = _last_claim(past, name)
    return None if last is None else last[0]


def _last_claim(past: tuple[Moment, ...], name: str) -> tuple[int, int] | None:
    """The version that the agent last claimed, and the one counted here right after that."""
    undone = aborted(past)
    for moment in reversed(past):
        if isinstance(moment.event, Direct) and not moment.steps:
            continue
        claims = claimed_versions(moment.event, redacted=True)
        after = moment.after.buffer.spans.get(name)
        before = moment.before.buffer.spans.get(name)
        if after is None or (after.gone and before is not None and before.gone):
            continue
        if name in claims and moment.event.seq not in undone:
            return claims[name], after.version
    return None


def _counted_on(past: tuple[Moment, ...], world: World, name: str) -> int:
    """The agent's own version: its last claim, and one more for each that was counted since."""
    counted, last = world.buffer.spans[name].version, _last_claim(past, name)
    return counted if last is None else last[0] + counted - last[1]


def may_be_at(past: tuple[Moment, ...], world: World, name: str, version: int | None) -> bool:
    """Whether this may be the agent's version: the one counted here, or on from its last claim.

    Where events were lost any from the last claim on may be too, and any that is not lower than
    before if nothing new was claimed since.
    """
    counted, claimed = world.buffer.spans[name].version, last_claimed_version(past, name)
    if version is None or version in {counted, _counted_on(past, world, name)}:
        return True
    if world.lost_at is None:
        return False
    if claimed is not None and claimed <= version <= counted:
        return True
    before = before_the_loss(past, world)
    then = _then(before, name)
    if then is None:
        # What was counted where events were lost may be higher than what was claimed since.
        return claimed is None or version >= counted
    if claimed != last_claimed_version(before, name):
        return False
    sure = _then(_certain(past, world), name)
    if sure is None:
        return version >= 0
    now = world.buffer.spans[name]
    other = None not in {sure.hash, now.hash} and sure.hash != now.hash
    return version >= min(sure.version + other, then.version)


def _then(moments: tuple[Moment, ...], name: str) -> Span | None:
    return moments[-1].after.buffer.spans.get(name) if moments else None


def _certain(past: tuple[Moment, ...], world: World) -> tuple[Moment, ...]:
    """What happened for sure: nothing that was lost can have taken it back."""
    certain = world.certain
    assert certain is not None
    return tuple(moment for moment in past if moment.event.seq < certain)


def version_to_exceed(past: tuple[Moment, ...], world: World, name: str) -> int:
    """What a new claim has to exceed: the version counted here, or on from the last claim.

    Where events were lost, no more than is certain: an abort among them takes a claim back too.
    """
    counted, claim = world.buffer.spans[name].version, last_claimed_version(past, name)
    if world.lost_at is None:
        return _counted_on(past, world, name)
    since = tuple(moment for moment in past if moment.event.seq >= world.lost_at)
    if last_claimed_version(since, name) is not None:
        assert claim is not None
        return claim
    sure = _certain(past, world)
    claimed_then, then = last_claimed_version(sure, name), _then(sure, name)
    if claimed_then is not None:
        return claimed_then
    least = 0 if then is None else min(then.version, counted)
    if _then(tuple(moment for moment in past if moment.event.seq < world.lost_at), name) is None:
        return least
    return min(counted, least + _written_since(since, name))


def _written_since(since: tuple[Moment, ...], name: str) -> bool:
    """Whether the last change of a span's text is one of its own that came after the loss."""
    for moment in reversed(since):
        if moment.before.buffer.spans.get(name) == moment.after.buffer.spans.get(name):
            continue
        kinds = {step.kind for step in moment.steps if name == (step.into or step.span)}
        if kinds & {"ingest", "copy", "rewrite", "splice", "observe"}:
            by_itself = not isinstance(moment.event, Apply)
            return by_itself and bool(kinds & {"copy", "rewrite", "splice"})
    return False


def before_the_loss(past: tuple[Moment, ...], world: World) -> tuple[Moment, ...]:
    """What happened before any events were lost."""
    worlds = (*(moment.before for moment in past), world)
    first = next(each.lost_at for each in worlds if each.lost_at is not None)
    return tuple(moment for moment in past if moment.event.seq < first)
