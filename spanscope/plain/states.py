"""What a world holds, in the shape of `show`: spans, artifacts, undo stack, staging."""

from __future__ import annotations

from typing import Any

from spanscope.plain.holders import state_of
from spanscope.plain.knowing import digest
from spanscope.plain.world import Span, World


def spans(world: World) -> list[dict[str, Any]]:
    """The live spans in order, then tombstones, then pruned ones; collected ones no more."""
    held = world.buffer.spans.values()
    live = [world.buffer.spans[name] for name in world.buffer.order]
    tombstones = [span for span in held if span.state == "tombstone"]
    pruned = [span for span in held if span.state == "pruned"]
    return [_span(span) for span in (*live, *tombstones, *pruned)]


def _span(span: Span) -> dict[str, Any]:
    content = span.content
    return {
        "span": span.id,
        "state": "unknown" if span.hash is None and not span.gone else span.state,
        "version": span.version,
        "hash": span.hash,
        "produced_by": span.produced_by,
        "role": span.role,
        "store": span.store,
        "length": None if content is None else len(content),
        "content": content,
    }


def artifacts(world: World) -> list[dict[str, Any]]:
    """The live artifacts with their states."""
    return [
        {
            "artifact": name,
            "span": artifact.derive.span,
            "kind": artifact.derive.kind,
            "state": state_of(artifact, world).state,
            "signals": list(state_of(artifact, world).signals),
        }
        for name, artifact in world.artifacts.items()
    ]


def buffer(world: World) -> dict[str, Any]:
    """Revision and digest of the buffer."""
    return {"revision": world.revision, "digest": digest(world)}
