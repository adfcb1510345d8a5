"""What a change does to the holders of its span."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.journal.events import (
    Abort,
    Apply,
    Derive,
    Ingest,
    Observe,
    Rewrite,
    Rollback,
    Splice,
)
from spanscope.plain.claiming import may_be_at
from spanscope.plain.finding import Finding, finding
from spanscope.plain.holders import intact, state_of
from spanscope.plain.reading import Told
from spanscope.plain.units import Range, holds
from spanscope.plain.world import Artifact, Moment

IN_PLACE = (Rewrite, Splice, Apply)
"""What changes a span in place, where its writer could claim, tell or copy."""

EXPENSIVE_KINDS = ("embedding", "index")


def findings(told: Told) -> Iterator[Finding]:
    """SPN101, SPN113, SPN114, SPN115, SPN121 and SPN131."""
    records = told.records
    accused: set[tuple[str, int]] = set()
    for at, moment in enumerate(told.moments):
        yield from _born_stale(told.moments[:at], moment)
        if "holders" in records:
            yield from _made_stale(moment)
            yield from _under_holders(moment)
            yield from _left_dangling(moment)
        if {"versions", "hashes"} & records:
            yield from _keyed_on_id(moment, accused)
            yield from _unversioned(moment)


def _made_stale(moment: Moment) -> Iterator[Finding]:
    """SPN101."""
    for name, artifact in moment.after.artifacts.items():
        was = moment.before.artifacts.get(name)
        if was is None or was.derive is not artifact.derive or _may_be_released(was, moment):
            continue
        if not state_of(was, moment.before).true:
            continue
        if state_of(artifact, moment.after).state == "stale":
            severity = "info" if intact(artifact, moment.after) else "warning"
            yield _about("SPN101", moment, severity, artifact)


def _about(rule: str, moment: Moment, severity: str, artifact: Artifact) -> Finding:
    derive = artifact.derive
    return finding(rule, moment.event.seq, severity, artifact=derive.artifact, span=derive.span)


def changed_in_place(moment: Moment, events: tuple[type, ...]) -> list[str]:
    """The spans that an event of one of these kinds left with another content, as it edited."""
    if not isinstance(moment.event, events):
        return []
    before, after = moment.before.buffer.spans, moment.after.buffer.spans
    edited = [step.into or step.span for step in moment.steps]
    return [
        name
        for name in dict.fromkeys((*edited, *after))
        if name in before
        and not (after[name].gone or before[name].gone)
        and None not in {before[name].hash, after[name].hash}
        and before[name].hash != after[name].hash
    ]


def holders(moment: Moment, name: str) -> list[Artifact]:
    """The artifacts of a span that were live for sure before an event."""
    return [held for held in derived_from(moment, name) if held.derive.span == name]


def derived_from(moment: Moment, name: str) -> list[Artifact]:
    """The same with those that the span is a further source of."""
    held = moment.before.artifacts.values()
    live = (artifact for artifact in held if not _may_be_released(artifact, moment))
    return [artifact for artifact in live if name in artifact.names]


def expensive(derive: Derive) -> bool:
    """Whether it is dear to rebuild: what `cost` says, else embeddings and index entries."""
    if derive.cost is not None:
        return derive.cost == "expensive"
    return derive.kind.startswith(EXPENSIVE_KINDS)


def _told(moment: Moment) -> set[str]:
    """The artifacts whose holders the event told."""
    seq = moment.event.seq
    return {name for name, held in moment.after.artifacts.items() if held.told_at == seq}


def _under_holders(moment: Moment) -> Iterator[Finding]:
    """SPN121, while there was something left to keep by copy-on-rewrite."""
    told = _told(moment)
    for name in changed_in_place(moment, IN_PLACE):
        for artifact in derived_from(moment, name):
            due = expensive(artifact.derive) and state_of(artifact, moment.before).true
            if due and artifact.derive.artifact not in told:
                yield _about("SPN121", moment, "warning", artifact)


def _left_dangling(moment: Moment) -> Iterator[Finding]:
    """SPN131: whatever took the span out, a prune or the undo of its ingest."""
    before, after = moment.before.buffer.spans, moment.after.buffer.spans
    for name, span in after.items():
        old = before.get(name)
        if (old is not None and old.gone) or span.state != "pruned":
            continue
        for artifact in holders(moment, name):
            if artifact.derive.artifact not in _told(moment):
                yield _about("SPN131", moment, "warning", artifact)


def _may_be_released(artifact: Artifact, moment: Moment) -> bool:
    """Whether its release, or another derivation, may be among the events that were lost."""
    world = moment.after
    return world.order_doubt is not None and world.lost_since(artifact.derive.seq)


def _keyed_on_id(moment: Moment, accused: set[tuple[str, int]]) -> Iterator[Finding]:
    """SPN114, once an artifact as it was derived, whatever changed the span."""
    for name in changed_in_place(moment, (*IN_PLACE, Ingest, Rollback, Abort, Observe)):
        for artifact in holders(moment, name):
            derive = artifact.derive
            if derive.version is not None or derive.hash is not None:
                continue
            if (derive.artifact, derive.seq) not in accused:
                accused.add((derive.artifact, derive.seq))
                yield _about("SPN114", moment, "warning", artifact)


def _unversioned(moment: Moment) -> Iterator[Finding]:
    """SPN113, once an event."""
    for name in changed_in_place(moment, IN_PLACE):
        if derived_from(moment, name) and not _claims(moment, name):
            yield finding("SPN113", moment.event.seq, "warning", span=name)
            return


def _claims(moment: Moment, name: str) -> bool:
    event = moment.event
    if isinstance(event, Rewrite | Splice):
        return event.version is not None or event.hash is not None
    versions, hashes = getattr(event, "versions", {}), getattr(event, "hashes", {})
    return name in versions or name in hashes


def _born_stale(past: tuple[Moment, ...], moment: Moment) -> Iterator[Finding]:
    """SPN115."""
    event = moment.event
    if not isinstance(event, Derive) or event.artifact not in moment.after.artifacts:
        return
    artifact = moment.after.artifacts[event.artifact]
    span = moment.before.buffer.spans.get(event.span)
    if artifact.derive is not event or span is None or span.gone:
        return
    current = may_be_at(past, moment.before, event.span, event.version)
    wrong = [span.doubt is None and not current]
    keys = [(event.span, event.hash), *((one.span, one.hash) for one in event.sources)]
    for name, hash in keys:
        source = moment.before.buffer.spans.get(name)
        held = None if source is None else source.hash
        wrong.append(None not in {held, hash} and held != hash)
    if event.range is not None and span.content is not None:
        wrong.append(_outside(artifact, event.range, span.content))
    if True in wrong:
        yield _about("SPN115", moment, "error", artifact)


def _outside(artifact: Artifact, part: Range, content: str) -> bool:
    return holds(content, part, artifact.derive.unit, artifact.tokenizer) is False
