"""What the agent's real buffer holds, and what that makes of the replay."""

from __future__ import annotations

from dataclasses import replace

from spanscope.journal.events import Observe
from spanscope.plain.changing import with_entry, with_inverses
from spanscope.plain.edits import next_version, unheard_of, with_spans
from spanscope.plain.knowing import observed, with_digest
from spanscope.plain.texts import content_hash, rewritten
from spanscope.plain.world import Buffer, Moment, Span, Step, World


def observed_buffer(world: World, event: Observe) -> Moment:
    """The moment of an observation. Contents that differ are an unlogged change."""
    made = Moment(event, world, world)
    buffer = world.buffer
    steps: list[Step] = []
    for name, text in event.contents.items():
        step = _resynchronised(buffer, world, name, text)
        buffer = step.after
        if step.after.spans[name] != step.before.spans.get(name) and _unlogged(step, world):
            steps.append(replace(step, index=len(steps)))
    for name, hash in event.hashes.items():
        there = name in buffer.spans and not buffer.spans[name].gone
        if there and name not in event.contents:
            buffer = with_spans(buffer, observed(buffer.spans[name], hash))
    told = tuple(name for name in event.contents if _was_unknown(world, name))
    sighted = (event.seq, told) if told and not steps else None
    after = with_digest(replace(world, buffer=buffer, sighted=sighted), event.digest)
    made = with_inverses(replace(made, steps=tuple(steps), after=after), ())
    return with_entry(made, "observe")


def _was_unknown(world: World, name: str) -> bool:
    """Whether its text may be a change that was not logged, or not."""
    old = world.buffer.spans.get(name)
    if old is None or old.gone:
        return world.order_doubt is not None
    return old.hash is None


def _unlogged(step: Step, world: World) -> bool:
    """Whether it is a change, not what lost lines or redacted text left open."""
    old = step.before.spans.get(step.span)
    if old is None or old.gone:
        return world.order_doubt is None
    return old.hash is not None and old.hash != step.after.spans[step.span].hash


def _resynchronised(buffer: Buffer, world: World, name: str, text: str) -> Step:
    old = buffer.spans.get(name)
    if old is None or old.gone:
        return _appeared(buffer, world, name, text, old)
    differs = old.hash is not None and old.hash != content_hash(text)
    new = replace(
        old,
        text=rewritten(old.last_seen, text),
        told=None,
        doubt=None,
        version=old.version + 1 if differs else old.version,
    )
    after = with_spans(buffer, new)
    return Step("observe", name, buffer, after)


def _appeared(buffer: Buffer, world: World, name: str, text: str, old: Span | None) -> Step:
    """A span that the log never put there, or that it took away."""
    span = replace(
        unheard_of(name, world.seq, None),
        text=rewritten(() if old is None else old.last_seen, text),
        produced_by="observe",
        store="context" if world.order_doubt is None else None,
        version=next_version(buffer, name),
    )
    after = with_spans(buffer, span, order=(*buffer.order, name))
    return Step("ingest", name, buffer, after)
