"""What damage makes unknown, and what makes it known again."""

from __future__ import annotations

import json
from dataclasses import replace

from spanscope.plain.edits import with_spans
from spanscope.plain.texts import content_hash
from spanscope.plain.world import Buffer, Span, World


def damaged(world: World, seq: int, *, by_event: bool = False) -> World:
    """The world from event `seq` on, where events before it may be missing.

    Every span that was not gone, the order and the undo stack are unknown, revisions for good.
    `by_event`: it is that event itself of which nobody knows what it did.
    """
    return replace(
        world,
        buffer=doubted(world.buffer, tuple(world.buffer.spans), seq),
        order_doubt=_first(world.order_doubt, seq),
        stack_doubt=_first(world.stack_doubt, seq),
        stack=tuple(replace(entry, doubt=_first(entry.doubt, seq)) for entry in world.stack),
        revision=None,
        lost_at=seq + 1 if by_event else seq,
        certain=world.certain or world.newest or seq,
        left=frozenset(),
        newest=None,
    )


def doubted(buffer: Buffer, names: tuple[str, ...], seq: int) -> Buffer:
    """The buffer with these spans unknown since `seq`; what is gone for sure stays gone."""
    spans = (buffer.spans[name] for name in names)
    return with_spans(
        buffer,
        *(span.doubted(seq) for span in spans if not span.gone),
    )


def _first(doubt: int | None, seq: int) -> int:
    return seq if doubt is None else doubt


def claimed(span: Span, claim: str | None) -> Span:
    """The span after its hash was claimed: known again where that is the hash of what is presumed.

    Where no text was recorded of a span that is known else, the claim is all that is known of it.
    """
    if claim is None:
        return span
    if span.doubt is not None:
        return replace(span, doubt=None) if span.presumed_hash == claim else span
    return span.hidden(claim) if span.hash is None else span


def observed(span: Span, hash: str) -> Span:
    """The span with this hash, seen in the agent's buffer; its text only where that fits."""
    if span.presumed_hash == hash:
        return replace(span, doubt=None)
    return replace(span, doubt=None).hidden(hash)


def digest(world: World) -> str | None:
    """The digest of the live spans in order; null where one or their order is unknown."""
    if world.order_doubt is not None:
        return None
    hashes = [world.buffer.spans[name].hash for name in world.buffer.order]
    return None if None in hashes else _digest(world.buffer.order, hashes)


def presumed_digest(world: World) -> str | None:
    """The digest if nothing unknown happened; null where a text was never recorded."""
    hashes = [world.buffer.spans[name].presumed_hash for name in world.buffer.order]
    return None if None in hashes else _digest(world.buffer.order, hashes)


def _digest(order: tuple[str, ...], hashes: list[str | None]) -> str:
    pairs = [list(pair) for pair in zip(order, hashes, strict=True)]
    return content_hash(json.dumps(pairs, ensure_ascii=False, separators=(",", ":")))


def with_digest(world: World, claim: str | None) -> World:
    """The world after a digest was claimed: where it is the presumed one, all is known again.

    But for what a tombstone holds that was made or changed while that was unknown: it is in no
    digest.
    """
    if claim is None or presumed_digest(world) != claim:
        return world
    spans = (
        replace(span, life_told=True) if _frozen_unknown(world, span) else replace(span, doubt=None)
        for span in world.buffer.spans.values()
    )
    return replace(
        world,
        buffer=with_spans(world.buffer, *spans),
        order_doubt=None,
        stack_doubt=None,
        stack=tuple(replace(entry, doubt=None) for entry in world.stack),
    )


def _frozen_unknown(world: World, span: Span) -> bool:
    if span.state != "tombstone" or span.doubt is None:
        return False
    return span.doubt <= span.since or span.id not in world.frozen


def frozen(world: World) -> dict[str, Span]:
    """The tombstones that are known, and those that were and hold the same if nothing happened."""
    held = {}
    for name, span in world.buffer.spans.items():
        known = span if span.doubt is None else world.frozen.get(name)
        if span.state == "tombstone" and known is not None and _same_presumed(known, span):
            held[name] = known
    return held


def _same_presumed(then: Span, now: Span) -> bool:
    if None in {then.presumed_hash, now.presumed_hash}:
        return then.secret is now.secret
    return then.presumed_hash == now.presumed_hash
