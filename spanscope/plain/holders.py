"""Is what a holder derived from a span still true? (seed 000)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from spanscope.plain.following import without_what_was_undone
from spanscope.plain.texts import Text, string
from spanscope.plain.units import Range, as_bytes, cut, holds, stands
from spanscope.plain.world import Artifact, Origin, Span, World

State = Literal["fresh", "stale", "invalidated", "dangling", "unknown"]

SIGNALS = (
    "length-delta",
    "version-advanced",
    "hash-divergence",
    "provenance-changed",
    "boundary-crossed",
)


@dataclass(frozen=True)
class Judged:
    """An artifact's state, and the signals that hold now, in their fixed order.

    `content_same`: of one that is unknown, whether only its range can't be told.
    """

    state: State
    signals: tuple[str, ...]
    content_same: bool = False

    @property
    def true(self) -> bool:
        """Whether it has what it was derived from, though its range may not be told."""
        return self.state == "fresh" or (self.state == "unknown" and self.content_same)


def state_of(artifact: Artifact, world: World) -> Judged:
    """The state of an artifact in a world."""
    derive = artifact.derive
    now = world.buffer.spans.get(derive.span)
    if now is not None and now.gone:
        return Judged("dangling", ())
    signals = signals_of(artifact, world)
    if artifact.told_at is not None:
        return Judged("invalidated", signals)
    verdicts = [_same_content(origin, world) for origin in artifact.origins]
    crossed = _crossed(artifact, world)
    if False in verdicts or crossed:
        return Judged("stale", signals)
    if None in verdicts or crossed is None:
        return Judged("unknown", signals, content_same=None not in verdicts)
    return Judged("fresh", signals)


def _same_content(origin: Origin, world: World) -> bool | None:
    """Whether a span holds what was derived from; one that is gone does not."""
    now = world.buffer.spans.get(origin.name)
    if now is not None and now.gone:
        return False
    if now is not None and origin.never:
        return False if now.doubt is None else None
    if now is None or now.hash is None:
        return None
    return None if origin.hash is None else now.hash == origin.hash


def _crossed(artifact: Artifact, world: World) -> bool | None:
    """Whether the range ends past the text, or cuts a character or token in two."""
    derive, then = artifact.derive, artifact.origins[0].content
    now = world.buffer.spans.get(derive.span)
    if derive.range is None:
        return False
    if now is None or now.content is None:
        return None
    inside = holds(now.content, derive.range, derive.unit, artifact.tokenizer)
    if inside is not True or derive.unit != "tokens" or then is None:
        return None if inside is None else not inside
    found = stands_now(artifact, world)
    return found is not None and found[0] is None


def stands_now(artifact: Artifact, world: World) -> tuple[Range | None, bytes] | None:
    """Where the artifact's own range, followed through the edits, stands now, and what is there.

    Null where it can't be told, or the range was none. The range is null within a token.
    """
    derive, origin = artifact.derive, artifact.origins[0]
    now = world.buffer.spans.get(derive.span)
    if derive.range is None or origin.span is None or now is None or now.content is None:
        return None
    if origin.content is None:
        return None
    if holds(origin.content, derive.range, derive.unit, artifact.tokenizer) is not True:
        return None
    return stands(derive.range, derive.unit, artifact.tokenizer, _path(origin.span, now, world))


def _path(then: Span, now: Span, world: World) -> list[Text]:
    """The texts that lead from one to the other, without what was undone between them."""
    assert then.text is not None
    assert now.text is not None
    if string(then.text) == string(now.text):
        return [now.text]
    held = world.texts.get(now.id, ())
    start = max((at for at, text in enumerate(held) if text == then.text), default=len(held))
    return without_what_was_undone([then.text, *held[start + 1 :], now.text])


def signals_of(artifact: Artifact, world: World) -> tuple[str, ...]:
    """The structural signals that hold now."""
    found: set[str] = set()
    for origin in artifact.origins:
        now = world.buffer.spans.get(origin.name)
        if now is not None and not now.gone:
            found.update(_signals_of_span(origin, now))
    if _crossed(artifact, world):
        found.add("boundary-crossed")
    return tuple(signal for signal in SIGNALS if signal in found)


def _signals_of_span(origin: Origin, now: Span) -> Iterator[str]:
    then = origin.span
    if origin.hash is not None and now.hash not in {None, origin.hash}:
        yield "hash-divergence"
    if _lengths_differ(now.content, origin.content):
        yield "length-delta"
    if now.version > (0 if then is None else then.version):
        yield "version-advanced"
    if then is None or then.produced_by == "unknown" or now.doubt is not None:
        return
    if now.produced_by != then.produced_by:
        yield "provenance-changed"


def _lengths_differ(now: str | None, then: str | None) -> bool:
    return now is not None and then is not None and len(now) != len(then)


def intact(artifact: Artifact, world: World) -> bool:
    """Whether the text at the range's offsets is byte for byte what it was, or may be.

    It may where events were lost and no digest told since that the buffer is known.
    """
    meant, now = meant_text(artifact), world.buffer.spans.get(artifact.derive.span)
    derive, then = artifact.derive, artifact.origins[0].content
    if derive.range is None:
        return False
    if now is None or now.content is None or (then is None and meant is None):
        return world.order_doubt is not None and not _crossed(artifact, world)
    if meant is None:
        return False
    if _crossed(artifact, world) is not False:
        return False
    return cut(now.content, derive.range, derive.unit, artifact.tokenizer) == meant


def meant_text(artifact: Artifact) -> bytes | None:
    """What the artifact's range cut out of what it was derived from, else what it quotes."""
    derive, then = artifact.derive, artifact.origins[0].content
    if then is not None and derive.range is not None:
        return cut(then, derive.range, derive.unit, artifact.tokenizer)
    return None if derive.quote is None else as_bytes(derive.quote.exact)
