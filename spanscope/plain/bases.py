"""What a staged diff was authored against, and whether that ever was (seed 004)."""

from __future__ import annotations

from dataclasses import dataclass

from spanscope.journal.events import Abort, Rollback, Stage
from spanscope.plain.following import without_what_was_undone
from spanscope.plain.knowing import digest
from spanscope.plain.remade import edits_text, redoing
from spanscope.plain.texts import Remade, Text, content_hash
from spanscope.plain.world import Buffer, Moment, Span, World


@dataclass(frozen=True)
class Base:
    """The buffer that a diff names as its base.

    `world` is null where it can't be told. `never` says that no such buffer ever was, `unsure` that
    this can't be told since its digest is unknown.
    """

    world: World | None
    never: bool = False
    unsure: bool = False


def base_of(stage: Stage, past: tuple[Moment, ...]) -> Base:
    """The base of a staged diff; `past` are all moments up to now."""
    worlds = worlds_until(stage.seq, past)
    if worlds[-1].revision is None:
        # Of older buffers than the one at hand nobody keeps the digest.
        is_this = stage.base.digest is not None and digest(worlds[-1]) == stage.base.digest
        return Base(worlds[-1] if is_this else None)
    at_revision = [world for world in worlds if world.revision == stage.base.revision]
    if not at_revision or stage.base.revision > worlds[-1].revision:
        return Base(None, never=True)
    world = at_revision[-1]
    if stage.base.digest is None:
        return Base(world)
    is_digest = digest(world)
    if is_digest is None:
        return Base(world, unsure=True)
    return Base(world, never=is_digest != stage.base.digest)


def worlds_until(seq: int, past: tuple[Moment, ...]) -> list[World]:
    """The world before the first event, and those that events before a `stage` met and left.

    What was lost behind the `stage` itself does not touch what it met.
    """
    held = [World()]
    for moment in past:
        if moment.event.seq <= seq:
            held.append(moment.before)
        if moment.event.seq < seq:
            held.append(moment.after)
    return held


def hashes_ever(
    name: str, part: tuple[int, int] | None, worlds: list[World]
) -> tuple[set[str], bool]:
    """The hashes that a span, or a range of it, ever had, and whether all of them are known."""
    found, all_known = set(), True
    for world in worlds:
        span = world.buffer.spans.get(name)
        if span is None:
            all_known = all_known and world.order_doubt is None
            continue
        hash = part_hash(span, part)
        if hash is None:
            all_known = False
        else:
            found.add(hash)
    return found, all_known


def part_hash(span: Span, part: tuple[int, int] | None) -> str | None:
    """The hash of a span, or of a range of it; null where it can't be told."""
    if part is None:
        return span.hash
    if span.content is None:
        return None
    return content_hash(span.content[max(part[0], 0) : max(part[1], 0)])


def texts_since(name: str, base: World, past: tuple[Moment, ...]) -> list[Text]:
    """What a span held at a base and from then on, edit by edit, without what was undone since."""
    texts: list[Text | Remade | None] = [base.buffer.spans[name].text]
    for moment in happened_since(name, base, past):
        texts += texts_through(moment, name)
    return without_what_was_undone([text for text in texts if text is not None])


def happened_since(name: str, base: World, past: tuple[Moment, ...]) -> list[Moment]:
    """The moments since a base, for a span: without a change that was aborted.

    What came between a change of its text and the abort of that met what does not stand.
    """
    happened: list[Moment] = []
    for moment in past:
        if moment.after.seq <= base.seq:
            continue
        event = moment.event
        if isinstance(event, Abort) and moment.before.newest == event.of > base.seq:
            was = next(other for other in happened if other.event.seq == event.of)
            changed = _text(was.before.buffer, name) != _text(was.after.buffer, name)
            first, last = event.of, event.seq if changed else event.of + 1
            happened = [other for other in happened if not first <= other.event.seq < last]
        else:
            happened.append(moment)
    return happened


def restored_world(moment: Moment, past: tuple[Moment, ...]) -> World | None:
    """The world of the full copy that an event put back; null where it is no such rollback."""
    event = moment.event
    if not isinstance(event, Rollback) or event.method != "restore" or event.edits is not None:
        return None
    point = moment.before.checkpoints.get(event.to or "")
    if point is None or not point.snapshot:
        return None
    return next(earlier.after for earlier in past if earlier.after.seq == point.seq)


def texts_to_copy(moment: Moment, name: str, past: tuple[Moment, ...]) -> tuple[Text | Remade, ...]:
    """The texts that led to the one that a full copy put back, where those since did not."""
    world, held = restored_world(moment, past), moment.before.texts.get(name, ())
    way = () if world is None else world.texts.get(name, ())
    left, since = _text(moment.after.buffer, name), without_what_was_undone([*held])
    known = [number for number, text in enumerate(way) if text in since]
    return way[known[-1] :] if known and left in way and left not in since else ()


def texts_through(moment: Moment, name: str) -> list[Text | Remade | None]:
    """What a span held in the course of an event, edit by edit, and after it."""
    left = _text(moment.after.buffer, name)
    again = redoing(moment, name)
    if again is not None:
        return [again.texts, left]
    undone = [
        _text(step.before, name)
        for entry in reversed(moment.undone)
        for step in reversed(entry.steps)
        if edits_text(step, name)
    ]
    if moment.steps or not undone or undone[-1] != left:
        # It was not these that were undone, each in its turn.
        undone = []
    return [*undone, *(_text(step.after, name) for step in moment.steps), left]


def _text(buffer: Buffer, name: str) -> Text | None:
    span = buffer.spans.get(name)
    return None if span is None else span.text
