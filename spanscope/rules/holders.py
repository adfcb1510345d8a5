"""Is what was derived from a span still true? The judgement on an artifact (seed 000)."""

from __future__ import annotations

from typing import NamedTuple

from spanscope.model.mapping import Followed, follow
from spanscope.model.node import Node, changes_between
from spanscope.model.spans import Artifact, DerivedFrom, Span
from spanscope.model.undo import Lookup
from spanscope.rules.judgements import ArtifactJudgement, Signal


def judge_artifact(artifact: Artifact, lookup: Lookup) -> ArtifactJudgement:
    """The state of an artifact in the buffer that `lookup` gives, with its signals."""
    own = lookup(artifact.span)
    if own is not None and own.gone:
        return ArtifactJudgement("dangling", (), artifact.span, own.seq)
    found = _differing(artifact, lookup)
    signals = _signals(artifact, own)
    meant = meant_text(artifact)
    if own is None or artifact.doubt is not None or found.unknown is not None:
        why = found.unknown or (artifact.doubt.why if artifact.doubt else "its span is unknown")
        if found.culprit is None:
            return ArtifactJudgement("unknown", signals, meant=meant, why=why)
    intact, moved, obtained = _range_now(artifact, own, meant)
    state = "fresh"
    if artifact.told is not None:
        state = "invalidated"
    elif found.culprit is not None or "boundary-crossed" in signals:
        state = "stale"
    cause = found.cause
    if state == "invalidated" and cause is None:
        cause = artifact.told
    stale = state != "fresh"
    return ArtifactJudgement(
        state,  # type: ignore[arg-type]
        signals,
        (found.culprit or artifact.span) if stale else None,
        cause if stale else None,
        intact if stale else None,
        moved if stale else None,
        meant,
        obtained,
    )


class _Difference(NamedTuple):
    culprit: str | None = None
    cause: int | None = None
    unknown: str | None = None


def _differing(artifact: Artifact, lookup: Lookup) -> _Difference:
    """The first span whose content is not what the artifact was derived from."""
    unknown: str | None = None
    for source in artifact.base:
        span = lookup(source.span)
        if span is None or span.gone:
            if span is not None:
                return _Difference(source.span, span.seq)
            unknown = unknown or f"{source.span} is unknown"
            continue
        same = same_as_derived(source, span)
        if same is None:
            unknown = unknown or _why_unknown(span)
        elif not same:
            return _Difference(source.span, _since(source, span), None)
    return _Difference(unknown=unknown)


def _why_unknown(span: Span) -> str:
    if span.doubt is not None:
        return span.doubt.why
    return f"the content of {span.span} is not recorded"


def same_as_derived(source: DerivedFrom, span: Span) -> bool | None:
    """Whether the span holds what the artifact was derived from; null where unknown."""
    if span.doubt is not None:
        return None
    if source.node is not None:
        return source.node.same_content(span.node)
    if source.hash is None:
        return False
    return None if span.hash is None else span.hash == source.hash


def _since(source: DerivedFrom, span: Span) -> int:
    """The earliest event since which the content has differed."""
    node: Node = span.node
    first = node.seq
    while node.parent is not None and node is not source.node:
        if source.node is not None and node.depth <= source.node.depth:
            break
        candidate = source.hash is not None and node.length == source.length
        if candidate and node.text_known and node.hash == source.hash:
            break
        first = node.seq
        node = node.parent
    return max(first, source.node.seq if source.node is not None else first)


def _signals(artifact: Artifact, span: Span | None) -> tuple[Signal, ...]:
    if span is None or span.gone:
        return ()
    source = artifact.base[0]
    found: list[Signal] = []
    hash = span.hash
    known = span.doubt is None and span.node.text_known
    if known and source.node is not None and span.node.length != source.length:
        found.append("length-delta")
    if span.version > source.version:
        found.append("version-advanced")
    if hash is not None and source.hash is not None and hash != source.hash:
        found.append("hash-divergence")
    if span.produced_by != source.produced_by and span.doubt is None:
        found.append("provenance-changed")
    if known and crosses_boundary(artifact, span.node.text):
        found.append("boundary-crossed")
    return tuple(found)


def crosses_boundary(artifact: Artifact, text: str) -> bool:
    """Whether the artifact's range ends past the text, or is no range in it."""
    if artifact.range is None or artifact.unit == "tokens":
        return False
    start, end = artifact.range
    if artifact.unit == "chars":
        return not 0 <= start <= end <= len(text)
    data = _bytes(text)
    if not 0 <= start <= end <= len(data):
        return True
    return any(at < len(data) and data[at] & 0xC0 == 0x80 for at in (start, end))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def ranged_text(artifact: Artifact, text: str) -> str | None:
    """The text in the artifact's range, in its unit; null where there is none."""
    if artifact.range is None or artifact.unit == "tokens":
        return None
    start, end = artifact.range
    if start < 0 or end < start:
        return ""
    if artifact.unit == "chars":
        return text[start:end]
    return _bytes(text)[start:end].decode("utf-8", "replace")


def meant_text(artifact: Artifact) -> str | None:
    """The text that the artifact stood for when it was derived; null where it is not known."""
    node = artifact.base[0].node
    if node is None or not node.text_known:
        return artifact.exact
    return ranged_text(artifact, node.text)


def _range_now(
    artifact: Artifact, span: Span | None, meant: str | None
) -> tuple[bool | None, tuple[int, int] | None, str | None]:
    """(intact at the same offsets, where else it stands once, the text there now)."""
    if span is None or span.doubt is not None or not span.node.text_known:
        return None, None, None
    text = span.node.text
    obtained = ranged_text(artifact, text)
    if artifact.range is None or meant is None or obtained is None:
        return None, None, obtained
    if obtained == meant and not crosses_boundary(artifact, text):
        return True, None, obtained
    return False, _only_place(artifact, text, meant), obtained


def _only_place(artifact: Artifact, text: str, meant: str) -> tuple[int, int] | None:
    if not meant:
        return None
    haystack, needle = (text, meant) if artifact.unit == "chars" else (_bytes(text), _bytes(meant))
    at = haystack.find(needle)  # type: ignore[arg-type]
    if at < 0 or haystack.find(needle, at + 1) >= 0:  # type: ignore[arg-type]
        return None
    return at, at + len(needle)


def followed_range(artifact: Artifact, span: Span) -> Followed | None:
    """Where the artifact's own range (in characters) stands now, through the edits.

    Null where it can't be told: no range, another unit, or unknown content.
    """
    node = artifact.base[0].node
    if artifact.range is None or artifact.unit != "chars" or node is None:
        return None
    if span.doubt is not None or not span.node.text_known or not node.text_known:
        return None
    start, end = artifact.range
    return follow(start, end, changes_between(node, span.node))
