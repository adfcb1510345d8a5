"""What the agent claims of versions and hashes."""

from __future__ import annotations

from collections.abc import Mapping

from spanscope.journal.events import (
    Abort,
    AnyEvent,
    Apply,
    Ingest,
    Prune,
    Rewrite,
    Rollback,
    Splice,
    Unknown,
)
from spanscope.plain.world import Moment

Direct = Ingest | Rewrite | Splice | Prune


def target(event: Direct) -> str:
    """The span that a direct change leaves behind."""
    return event.into if isinstance(event, Rewrite) and event.into is not None else event.span


def claimed_versions(event: AnyEvent | Unknown) -> Mapping[str, int]:
    """The versions that an event claims, by span."""
    if isinstance(event, Direct):
        return {} if event.redacted or event.version is None else {target(event): event.version}
    return event.versions if isinstance(event, Apply | Rollback) else {}


def claimed_hashes(event: AnyEvent | Unknown) -> Mapping[str, str]:
    """The hashes that an event claims, by span."""
    if isinstance(event, Direct):
        return {} if event.redacted or event.hash is None else {target(event): event.hash}
    return event.hashes if isinstance(event, Apply | Rollback) else {}


def last_claimed_version(past: tuple[Moment, ...], name: str) -> int | None:
    """The version that the agent last claimed for a span, in an event that happened."""
    aborted = {moment.event.of for moment in past if isinstance(moment.event, Abort)}
    for moment in reversed(past):
        claims = claimed_versions(moment.event)
        if name in claims and moment.event.seq not in aborted:
            return claims[name]
    return None
