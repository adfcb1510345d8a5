"""Is what was derived from a span still true? The judgement on an artifact (seed 000)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from spanscope.model.spans import Artifact, DerivedFrom, Span
from spanscope.model.undo import Lookup
from spanscope.rules.judgements import ArtifactJudgement, ArtifactStatus, Signal
from spanscope.rules.ranged import judge_range

Since = Callable[[Artifact, DerivedFrom], int]
"""The event since which a source has not held, without a break, what it was derived from."""

SIGNALS: Final[tuple[Signal, ...]] = (
    "length-delta",
    "version-advanced",
    "hash-divergence",
    "provenance-changed",
    "boundary-crossed",
)


def judge_artifact(
    artifact: Artifact, lookup: Lookup, since: Since | None = None
) -> ArtifactJudgement:
    """The state of an artifact in the buffer that `lookup` gives, with its signals.

    Without `since` nothing is said about what caused it.
    """
    own = lookup(artifact.span)
    if own is not None and own.gone:
        return ArtifactJudgement("dangling", (), artifact.span, own.seq)
    found = _differing(artifact, lookup, since)
    ranged = judge_range(artifact, own)
    signals = _signals(artifact, lookup, crossed=ranged.crossed is True)
    if found.culprit is None and not ranged.crossed:
        why = _unknown_content(artifact, own, found.unknown)
        if why is not None and artifact.told is None:
            return ArtifactJudgement("unknown", signals, meant=ranged.meant, why=why)
        if ranged.crossed is None and artifact.told is None:
            return ArtifactJudgement(
                "unknown", signals, meant=ranged.meant, why=ranged.why, content_same=True
            )
    state: ArtifactStatus = "fresh"
    if artifact.told is not None:
        state = "invalidated"
    elif found.culprit is not None or ranged.crossed:
        state = "stale"
    cause = None if since is None else _cause(artifact, found)
    stale = state != "fresh"
    return ArtifactJudgement(
        state,
        signals,
        (found.culprit or artifact.span) if stale else None,
        cause if stale else None,
        ranged.intact if stale else None,
        ranged.moved if stale else None,
        ranged.meant,
        ranged.obtained,
        ranged.why if stale else None,
        content_same=found.culprit is None,
    )


FRESH = ArtifactJudgement("fresh", content_same=True)
"""The judgement on an artifact whose spans are untouched, without its texts."""

TOLD = ArtifactJudgement("invalidated")
"""The state of an artifact whose holder was told and whose span is there, without the rest."""


def is_untouched(artifact: Artifact, lookup: Lookup) -> bool:
    """Whether a look tells that an artifact is fresh, without any signal.

    Its spans hold the very contents, versions and origins that it was derived from, and its
    range, if it has one, counts characters and lies in the text.
    """
    if artifact.told is not None or artifact.doubt is not None:
        return False
    for source in artifact.base:
        span = lookup(source.span)
        if (
            span is None
            or span.node is not source.node
            or span.gone
            or span.doubt is not None
            or not span.node.text_known
            or span.version != source.version
            or span.produced_by != source.produced_by
        ):
            return False
    if artifact.range is None:
        return True
    start, end = artifact.range
    return artifact.unit == "chars" and 0 <= start <= end <= artifact.base[0].length


def _unknown_content(artifact: Artifact, own: Span | None, why: str | None) -> str | None:
    """Why it can't be told whether the content is what the artifact was derived from."""
    if why is not None:
        return why
    if artifact.doubt is not None:
        return artifact.doubt.why
    return "its span is unknown" if own is None else None


class _Difference(NamedTuple):
    culprit: str | None = None
    cause: int | None = None
    unknown: str | None = None


def _cause(artifact: Artifact, found: _Difference) -> int:
    """The earliest event that by itself makes the artifact untrue; its own where it was born so."""
    causes = [cause for cause in (found.cause, artifact.told) if cause is not None]
    return min(causes, default=artifact.seq)


def _differing(artifact: Artifact, lookup: Lookup, since: Since | None) -> _Difference:
    """The span whose content has longest not been what the artifact was derived from.

    Without `since` the first that is not.
    """
    unknown: str | None = None
    found = _Difference()
    for source in artifact.base:
        span = lookup(source.span)
        if span is None:
            unknown = unknown or f"{source.span} is unknown"
            continue
        same = False if span.gone else same_as_derived(source, span)
        if same is None:
            unknown = unknown or _why_unknown(span)
        elif not same:
            if since is None:
                return _Difference(source.span)
            cause = since(artifact, source)
            if found.cause is None or cause < found.cause:
                found = _Difference(source.span, cause)
    return found if found.culprit is not None else _Difference(unknown=unknown)


def _why_unknown(span: Span) -> str:
    if span.doubt is not None:
        return span.doubt.why
    return f"the content of {span.span} is not recorded"


def same_as_derived(source: DerivedFrom, span: Span) -> bool | None:
    """Whether the span holds what the artifact was derived from; null where unknown."""
    if span.doubt is not None:
        return None
    if source.node is not None:
        if source.hash is None and source.node.text_known:
            # What is written there was only presumed.
            return None
        return source.node.same_content(span.node)
    if source.hash is None:
        return None if source.produced_by == "unknown" else False
    return None if span.hash is None else span.hash == source.hash


def since_of(states_of: Callable[[str], Sequence[Span]]) -> Since:
    """Looks for the event in all states of a span so far, oldest first."""

    def since(artifact: Artifact, source: DerivedFrom) -> int:
        own = source.span == artifact.span
        found = differs_since(source, states_of(source.span), own=own)
        return artifact.seq if found is None else found

    return since


def differs_since(
    source: DerivedFrom,
    states: Sequence[Span],
    start: int = 0,
    before: int | None = None,
    *,
    own: bool = False,
) -> int | None:
    """The event since which a span has not held what was derived from it.

    `before` is the answer for the states up to `start`. Null where it never held it. `own`: it is
    the artifact's own span, without which the artifact dangles: only another text made it stale.
    """
    since = None
    for span in islice(reversed(states), len(states) - start):
        if not span.gone and same_as_derived(source, span) is not False:
            return since
        if not (own and span.gone):
            since = span.seq
    return before


def _signals(artifact: Artifact, lookup: Lookup, *, crossed: bool) -> tuple[Signal, ...]:
    """The signals of its span and of its further sources."""
    found: set[Signal] = {"boundary-crossed"} if crossed else set()
    for source in artifact.base:
        span = lookup(source.span)
        if span is not None and not span.gone:
            found.update(_signals_of(source, span))
    return tuple(signal for signal in SIGNALS if signal in found)


def _signals_of(source: DerivedFrom, span: Span) -> Iterator[Signal]:
    known = span.doubt is None and span.node.text_known and source.text_known
    if known and span.node.length != source.length:
        yield "length-delta"
    if span.version > source.version:
        yield "version-advanced"
    if span.hash is not None and source.hash is not None and span.hash != source.hash:
        yield "hash-divergence"
    known = span.doubt is None and source.produced_by != "unknown"
    if known and span.produced_by != source.produced_by:
        yield "provenance-changed"
