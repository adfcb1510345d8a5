"""Spans that are gone, frozen or still needed."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from spanscope.journal.events import Compact, Mark, Render, Rollback, Stage
from spanscope.journal.parts import HashRef
from spanscope.plain.finding import Finding, finding
from spanscope.plain.reading import Told
from spanscope.plain.referring import own_contents
from spanscope.plain.world import Moment, Span, World


def findings(told: Told) -> Iterator[Finding]:
    """SPN133, SPN141, SPN142 and SPN143."""
    said: frozenset[str] = frozenset()
    for at, moment in enumerate(told.moments):
        event = moment.event
        if isinstance(event, Compact):
            yield from _compact(told.moments[:at], moment, event)
        for step in moment.steps:
            old = step.before.spans.get(step.span)
            frozen = old is not None and old.state == "tombstone"
            if old is None or moment.presumed or _untellable(moment.before, old):
                continue
            if frozen and step.kind != "ingest" and not isinstance(event, Rollback):
                yield finding("SPN143", event.seq, "error", span=step.span)
        if isinstance(event, Render) or (isinstance(event, Mark) and event.kind == "llm"):
            said = yield from _orphans(moment, said)
    if told.ended and told.moments:
        yield from _orphans(told.moments_shown[-1], said)


def _orphans(moment: Moment, said: frozenset[str]) -> Generator[Finding, None, frozenset[str]]:
    """SPN133, not again while it stays true; gives those of which it is true now."""
    spans = moment.after.buffer.spans
    orphans = frozenset(
        name
        for name in moment.after.buffer.order
        if spans[name].doubt is None
        and spans[name].answers in spans
        and spans[str(spans[name].answers)].gone
        and not moment.after.may_be_back(spans[str(spans[name].answers)])
    )
    for name in orphans - said:
        yield finding("SPN133", moment.event.seq, "error", span=name)
    return orphans


def _compact(past: tuple[Moment, ...], moment: Moment, event: Compact) -> Iterator[Finding]:
    """SPN141 and SPN142."""
    world = moment.before
    for name in dict.fromkeys(event.spans):
        span = world.buffer.spans.get(name)
        if span is None or _untellable(world, span):
            continue
        if span.live and _may_be_copied(past, world, name):
            continue
        if span.state != "tombstone":
            yield finding("SPN142", event.seq, "error", span=name)
        elif _needed(world, span):
            yield finding("SPN141", event.seq, "error", span=name)


def _may_be_copied(past: tuple[Moment, ...], world: World, name: str) -> bool:
    """Whether a span, which was there before events were lost, may be a tombstone since."""
    if world.order_doubt is None:
        return False
    before = [moment.after for moment in past if world.lost_since(moment.event.seq)]
    then = before[-1].buffer.spans.get(name) if before else None
    return then is not None and not then.gone


def _untellable(world: World, span: Span) -> bool:
    """Whether lost events may have made of a span what nobody knows, or alone brought it in."""
    in_doubt = world.order_doubt is not None and span.doubt is not None and not span.gone
    only_lost = span.never_was and world.damaged
    return in_doubt or only_lost or world.may_be_back(span)


def _needed(world: World, span: Span) -> bool:
    """Whether an artifact, a snapshot or a staged diff still needs a tombstone."""
    held = any(span.id in artifact.names for artifact in world.artifacts.values())
    kept = any(
        point.snapshot and span.id in point.buffer.spans and not point.buffer.spans[span.id].gone
        for point in world.checkpoints.values()
    )
    return held or kept or any(_names(diff, span) for diff in world.staged.values())


def _names(diff: Stage, span: Span) -> bool:
    """Whether a diff reads, changes or refers to a span that it does not bring in itself."""
    read = {read.span for read in diff.reads}
    edited = {edit.span for edit in diff.edits}
    referred = {ref.span for ref in diff.refs if not isinstance(ref, HashRef)}
    return span.id in (read | edited | referred) - set(own_contents(diff))
