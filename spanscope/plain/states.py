"""What a world holds, in the shape of `show`: spans, artifacts, undo stack, staging."""

from __future__ import annotations

from typing import Any

from spanscope.plain.direct import entry_status
from spanscope.plain.finding import can_record, entry_subject
from spanscope.plain.holders import state_of
from spanscope.plain.knowing import digest
from spanscope.plain.reach import reachable
from spanscope.plain.reading import Told
from spanscope.plain.staged import judge
from spanscope.plain.world import Span, World


def shown(told: Told, index: int) -> dict[str, Any]:
    """Everything that holds after the moment at an index."""
    world = told.moments_shown[index].after
    return {
        "seq": world.seq,
        **buffer(world),
        "spans": spans(world),
        "artifacts": artifacts(world),
        "undo": undo(world, inverses_recorded=can_record(told, "inverses")),
        "staging": staging(told, index),
    }


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


def undo(world: World, *, inverses_recorded: bool) -> list[dict[str, Any]]:
    """The undo stack from its head, with both answers of each entry."""
    reached = reachable(world, records_inverses=inverses_recorded)
    rows = []
    for entry in reversed(world.stack):
        status = entry_status(entry, world, records_inverses=inverses_recorded)
        rows.append(
            {
                "entry": entry.seq,
                "span": entry_subject(entry).get("span"),
                "op": entry.op,
                "direct": status.direct,
                "reachable": reached[entry.seq],
                "places": [vars(place) for place in status.places],
            }
        )
    return rows


def staging(told: Told, index: int) -> list[dict[str, Any]]:
    """The staged diffs with their verdicts."""
    past, recorded = told.moments_shown[: index + 1], can_record(told, "reads")
    rows = []
    for name, stage in past[-1].after.staged.items():
        judged = judge(stage, past, reads_recorded=recorded)
        rows.append(
            {
                "diff": name,
                "verdict": judged.verdict,
                "fragile": judged.fragile,
                "reasons": list(judged.reasons),
            }
        )
    return rows
