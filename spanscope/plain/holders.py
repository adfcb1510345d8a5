"""Is what a holder derived from a span still true? (seed 000)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from spanscope.journal.events import Derive
from spanscope.plain.texts import Text, place
from spanscope.plain.world import Artifact, Span, World

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
    """An artifact's state, and the signals that hold now, in their fixed order."""

    state: State
    signals: tuple[str, ...]


def state_of(artifact: Artifact, world: World) -> Judged:
    """The state of an artifact in a world."""
    derive = artifact.derive
    now = world.buffer.spans.get(derive.span)
    if now is not None and now.gone:
        return Judged("dangling", ())
    signals = signals_of(artifact, world)
    if artifact.told_at is not None:
        return Judged("invalidated", signals)
    verdicts = [_same_content(artifact, name, world) for name in artifact.at_derive]
    crossed = _crossed(derive, now)
    if False in verdicts or crossed:
        return Judged("stale", signals)
    if None in verdicts or crossed is None:
        return Judged("unknown", signals)
    return Judged("fresh", signals)


def meant_hash(artifact: Artifact, name: str) -> str | None:
    """The hash of what the artifact was derived from; null where it can't be told."""
    derive, then = artifact.derive, artifact.at_derive[name]
    keys = {source.span: source.hash for source in derive.sources}
    key = derive.hash if name == derive.span else keys.get(name)
    if key is not None:
        return key
    return None if then is None else then.hash


def _same_content(artifact: Artifact, name: str, world: World) -> bool | None:
    now = world.buffer.spans.get(name)
    if now is None or now.hash is None:
        return None
    meant = meant_hash(artifact, name)
    return None if meant is None else now.hash == meant


def length_in(text: str, unit: str) -> int | None:
    """The length of a text in a unit; null where that can't be told."""
    if unit == "chars":
        return len(text)
    if unit == "bytes":
        return len(text.encode("utf-8", "surrogatepass"))
    return None


def _crossed(derive: Derive, now: Span | None) -> bool | None:
    """Whether the range ends past the text, or cuts a character or token in two."""
    if derive.range is None:
        return False
    if now is None or now.content is None:
        return None
    start, end = derive.range
    length = length_in(now.content, derive.unit)
    if length is None:
        return None
    if not 0 <= start <= end <= length:
        return True
    return derive.unit == "bytes" and _inside_a_character(now.content, start, end)


def _inside_a_character(text: str, start: int, end: int) -> bool:
    data = text.encode("utf-8", "surrogatepass")
    return any(at < len(data) and data[at] & 0xC0 == 0x80 for at in (start, end))


def signals_of(artifact: Artifact, world: World) -> tuple[str, ...]:
    """The structural signals that hold now."""
    found: set[str] = set()
    for name, then in artifact.at_derive.items():
        now = world.buffer.spans.get(name)
        if now is not None and then is not None:
            found.update(_signals_of_span(artifact, now, then))
    if _crossed(artifact.derive, world.buffer.spans.get(artifact.derive.span)):
        found.add("boundary-crossed")
    return tuple(signal for signal in SIGNALS if signal in found)


def _signals_of_span(artifact: Artifact, now: Span, then: Span) -> Iterator[str]:
    meant = meant_hash(artifact, now.id)
    derive = artifact.derive
    if meant is not None and now.hash not in {None, meant}:
        yield "hash-divergence"
    if meant == then.hash and _lengths_differ(now.content, then.content):
        yield "length-delta"
    key = derive.version if now.id == derive.span else None
    if now.version > (then.version if key is None else key):
        yield "version-advanced"
    if now.doubt is None and now.produced_by != then.produced_by:
        yield "provenance-changed"


def _lengths_differ(now: str | None, then: str | None) -> bool:
    return now is not None and then is not None and len(now) != len(then)


def range_text(artifact: Artifact) -> Text | None:
    """The very characters of the artifact's range; null where there is no range of characters."""
    derive, then = artifact.derive, artifact.at_derive[artifact.derive.span]
    if derive.range is None or derive.unit != "chars" or then is None or then.text is None:
        return None
    start, end = derive.range
    return then.text[start:end] if 0 <= start <= end <= len(then.text) else None


def stands_at(artifact: Artifact, world: World) -> int | None:
    """Where the range's own characters now stand side by side."""
    text, now = range_text(artifact), world.buffer.spans.get(artifact.derive.span)
    if text is None or now is None or now.text is None:
        return None
    return place(now.text, text)


def followed(artifact: Artifact, world: World) -> tuple[int, int] | None:
    """The range that the artifact's own characters, those that are left, now span.

    Null where there is no range of characters, or none of them is left.
    """
    text, now = range_text(artifact), world.buffer.spans.get(artifact.derive.span)
    if text is None or now is None or now.text is None:
        return None
    places = [now.text.index(character) for character in text if character in now.text]
    return (min(places), max(places) + 1) if places else None


def intact(artifact: Artifact, world: World) -> bool:
    """Whether the text at the range's offsets is byte for byte what it was."""
    derive, then = artifact.derive, artifact.at_derive[artifact.derive.span]
    now = world.buffer.spans.get(derive.span)
    if derive.range is None or then is None or now is None:
        return False
    if then.content is None or now.content is None:
        return False
    old, new = _cut(then.content, derive), _cut(now.content, derive)
    return old is not None and old == new


def _cut(text: str, derive: Derive) -> bytes | None:
    assert derive.range is not None
    start, end = derive.range
    length = length_in(text, derive.unit)
    if length is None or not 0 <= start <= end <= length:
        return None
    if derive.unit == "bytes":
        return text.encode("utf-8", "surrogatepass")[start:end]
    return text[start:end].encode("utf-8", "surrogatepass")
