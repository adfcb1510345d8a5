"""What the holders do with their artifacts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spanscope.journal.events import Use
from spanscope.plain.finding import Finding, finding
from spanscope.plain.holders import Judged, intact, meant_text, stands_now, state_of
from spanscope.plain.reading import Told
from spanscope.plain.world import Artifact, Moment, World, aborted, same_content


def findings(told: Told) -> Iterator[Finding]:
    """SPN102, SPN103, SPN104, SPN106, SPN132 and SPN144; JNL007 for what is not live."""
    for at, moment in enumerate(told.moments):
        if isinstance(moment.event, Use):
            yield from _use(told.moments[:at], moment, moment.event)


def _use(past: tuple[Moment, ...], moment: Moment, use: Use) -> Iterator[Finding]:
    artifact = moment.before.artifacts.get(use.artifact)
    if artifact is None:
        if moment.before.surely_left("artifact", use.artifact):
            yield finding("JNL007", use.seq, "error", artifact=use.artifact)
        return

    def about(rule: str, severity: str) -> Finding:
        return finding(rule, use.seq, severity, artifact=use.artifact, span=artifact.derive.span)

    judged = state_of(artifact, moment.before)
    if _may_be_another(artifact, past, moment, use) or _may_have_its_span(artifact, moment.before):
        return
    if judged.state == "dangling":
        yield about("SPN132", "error" if use.outcome == "used" else "info")
        return
    if _superseded(artifact, past):
        yield about("SPN144", "info")
    if use.outcome == "used":
        yield from _used(moment, use, artifact, about)
    elif judged.state != "unknown" and _moved(judged, artifact, moment.before):
        yield about("SPN103", "info")
    elif use.outcome == "caught" and judged.state == "fresh" and not _may_move(artifact, moment):
        yield about("SPN104", "warning")


def _may_be_another(artifact: Artifact, past: tuple[Moment, ...], moment: Moment, use: Use) -> bool:
    """Whether it may have been derived again, from this span or another, where events were lost.

    One whose holder was told since is untrue whatever it was derived from; but not where it stands
    is told, nor what is right of one that is true. After a digest it is the same one, unless it was
    untrue already.
    """
    world, told_at = moment.before, artifact.told_at
    if not world.lost_since(artifact.derive.seq):
        return False
    in_question = world.order_doubt is not None
    if use.range is not None and in_question:
        return True
    told_since = told_at is not None and not world.lost_since(told_at)
    if state_of(artifact, world).state in {"fresh", "unknown"} or told_since:
        return False
    return in_question or not _changed_since(artifact, past, world)


def _changed_since(artifact: Artifact, past: tuple[Moment, ...], world: World) -> bool:
    """Whether a span that it was derived from is not what it was when events were lost.

    What a digest knows again since was that then, too.
    """
    then = [each.after for each in past if world.lost_since(each.event.seq)][-1].buffer.spans
    now = world.buffer.spans
    both = [
        (replace(then[name], doubt=None), now[name])
        for name in artifact.names
        if name in then and name in now
    ]
    return any(old.gone != new.gone or same_content(old, new) is False for old, new in both)


def _may_have_its_span(artifact: Artifact, world: World) -> bool:
    """Whether its span is gone, as far as is told, and may be back since events were lost."""
    own = world.buffer.spans.get(artifact.derive.span)
    return own is not None and own.gone and world.may_be_back(own)


def _moved(judged: Judged, artifact: Artifact, world: World) -> bool:
    """Whether it is untrue, or a span has another version or origin than when it was derived from.

    An abort takes a version back.
    """
    spans = world.buffer.spans
    return bool(judged.state != "fresh" or judged.signals) or any(
        spans[origin.name].version != (0 if origin.span is None else origin.span.version)
        for origin in artifact.origins
        if origin.name in spans
    )


def _may_move(artifact: Artifact, moment: Moment) -> bool:
    """Whether what was lost may have told that a version or origin moved."""
    origins = [origin.span for origin in artifact.origins]
    untold = any(span is None or span.produced_by == "unknown" for span in origins)
    return moment.before.lost_since(artifact.derive.seq) or untold


def _used(moment: Moment, use: Use, artifact: Artifact, about: object) -> Iterator[Finding]:
    say = about
    assert callable(say)
    world = moment.before
    state = state_of(artifact, world).state
    if state == "unknown":
        return
    found = None if use.range is None else stands_now(artifact, world)
    elsewhere = found is not None and use.range != found[0]
    rightly = found is not None and not elsewhere and found[1] == meant_text(artifact)
    if elsewhere:
        yield say("SPN106", "error")
    if state in {"stale", "invalidated"} and not rightly:
        yield say("SPN102", "warning" if intact(artifact, world) else "error")


def _superseded(artifact: Artifact, past: tuple[Moment, ...]) -> bool:
    """Whether an ingest that was not undone since supersedes the artifact's span."""
    undone = {entry.seq for moment in past for entry in moment.undone}
    undone |= aborted(past)
    return any(
        artifact.derive.span in step.after.spans[step.span].supersedes
        and (artifact.derive.span in step.before.spans or moment.before.order_doubt is not None)
        for moment in past
        if moment.event.seq not in undone
        for step in moment.steps
        if step.kind == "ingest" and step.span != artifact.derive.span
    )
