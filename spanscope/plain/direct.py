"""The direct status of an undo entry: its evidence in the buffer as it is now (seed 003)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from spanscope.journal.parts import Inverse
from spanscope.plain.following import followed, without_what_was_undone
from spanscope.plain.locating import (
    after_agrees,
    before_agrees,
    fitting,
    inserted_agrees,
    weakened,
)
from spanscope.plain.texts import Remade, Text, string
from spanscope.plain.world import Buffer, Entry, Span, Step, World, same_content

Direct = Literal[
    "missing", "lost", "clobbered", "misleading", "ambiguous", "unknown", "moved", "exact"
]
WORST_FIRST: Final[tuple[Direct, ...]] = (
    "missing",
    "lost",
    "clobbered",
    "misleading",
    "ambiguous",
    "unknown",
    "moved",
    "exact",
)


@dataclass(frozen=True)
class Place:
    """A place where an inverse fits, and whether it is where the edit was made."""

    span: str
    at: int
    true: bool


@dataclass(frozen=True)
class Status:
    """What the evidence says, and the places that it leaves."""

    direct: Direct
    places: tuple[Place, ...] = ()


def texts_since(step: Step, world: World, now: Text) -> list[Text]:
    """The texts that lead from what a step left in its span to what that holds now.

    All that it held in between, but what was undone since.
    """
    left = step.after.spans[step.span].text
    assert left is not None
    since: list[Text | Remade] = [now]
    for text in reversed(world.texts.get(step.span, ())):
        if isinstance(text, Remade) and left in text.now:
            since = [*text.now[text.now.index(left) :], *since]
            break
        since.insert(0, text)
        if text == left:
            break
    return without_what_was_undone([left, *since])


def true_place(step: Step, world: World, span: Span) -> tuple[int, int] | None:
    """Where what a splice put in stands now; in the very text that it left, where it was put.

    Null where it can't be followed: a text in between was never recorded, on the stack or off it.
    """
    start, end = step.at, step.at + len(step.inserted)
    left = step.after.spans[step.span]
    assert span.text is not None
    if left.text is not None and string(left.text) == string(span.text):
        return start, end
    if left.text is None or span.veiled > left.veiled:
        return None
    return followed(start, end, texts_since(step, world, span.text))


def entry_status(entry: Entry, world: World, *, records_inverses: bool = True) -> Status:
    """The worst status of an entry's steps, with the places of all of them.

    Whether an entry in doubt is on the stack at all can't be told.
    """
    statuses = [step_status(step, world, records_inverses=records_inverses) for step in entry.steps]
    direct = worst(status.direct for status in statuses)
    places = tuple(place for status in statuses for place in status.places)
    return Status(direct if entry.doubt is None else "unknown", places)


def worst(directs: Iterable[Direct]) -> Direct:
    """The first in the order of the rules; of none, `exact`."""
    return min(directs, key=WORST_FIRST.index, default="exact")


def step_status(step: Step, world: World, *, records_inverses: bool = True) -> Status:
    """Whether the evidence of one edit still finds its place, and the right one.

    Of a change made on unknown ground no evidence can be called clean.
    """
    if step.owes_inverse and step.inverse is None:
        missing = records_inverses or step.kind == "observe"
        return Status("missing" if missing else "unknown")
    status = _found(step, world)
    if step.kind in {"ingest", "copy"} or _on_known_ground(step):
        return status
    return Status(worst([status.direct, "unknown"]), status.places)


def _on_known_ground(step: Step) -> bool:
    """Whether the change met what is known, and it is known whether it took place."""
    if step.kind == "move":
        return step.order_known
    if step.unsure:
        return False
    return step.before.spans[step.span].doubt is step.after.spans[step.span].doubt is None


def _found(step: Step, world: World) -> Status:
    now = world.buffer
    match step.kind:
        case "splice":
            return _splice(step, world)
        case "prune":
            return _pruned(now.spans[step.span])
        case "move":
            return Status("exact" if _is_live(now, step.span) else "lost")
        case "ingest" | "rewrite" | "observe":
            return _whole(step.span, step, now)
        case "copy":
            return _copy(step, now)


def _is_live(now: Buffer, name: str) -> bool:
    return name in now.spans and now.spans[name].live


def _whole(name: str, step: Step, now: Buffer) -> Status:
    """A change whose place is the span itself."""
    span, left = now.spans[name], step.after.spans[name]
    if span.gone:
        return _gone(span)
    same = same_content(replace(left, doubt=None), span)
    if same is None:
        return Status("unknown")
    return Status("exact" if same else "clobbered")


def _pruned(span: Span) -> Status:
    """Whether the id still waits for the span to come back."""
    if not span.life_known:
        return Status("unknown")
    return Status("exact" if span.gone else "clobbered")


def _gone(span: Span) -> Status:
    """`lost`, where it went for sure."""
    return Status("lost" if span.surely_gone else "unknown")


def _copy(step: Step, now: Buffer) -> Status:
    assert step.into is not None
    if now.spans[step.span].gone:
        return Status("lost")
    return _whole(step.into, step, now)


def _splice(step: Step, world: World) -> Status:  # noqa: C901
    span, inverse = world.buffer.spans[step.span], step.inverse
    if span.gone:
        return _gone(span)
    if span.doubt is not None:
        return Status("unknown")
    if inverse is None or not step.changed:
        return Status("exact")
    if span.text is None or span.content is None:
        return Status("unknown")
    if step.after.spans[step.span].text is None or step.somewhere:
        return Status("unknown")
    true = true_place(step, world, span)
    if has_hashed_anchors(inverse):
        return _checked_where_it_was(step, inverse, span.content, true)
    found = evidence_places(span.content, inverse)
    if not found:
        found = _by_what_is_left(span.content, inverse, string(step.inserted))
    if len(found) > 1:
        places = tuple(Place(step.span, at, true is not None and at == true[0]) for at in found)
        return Status("ambiguous", places)
    if not found:
        there = true is None or _still_there(step, span.text, true)
        return Status("lost" if there else "clobbered")
    if true is None:
        return Status("unknown", (Place(step.span, found[0], true=False),))
    return _one_place(step, Place(step.span, found[0], _is_there(step, found[0], true)))


def _one_place(step: Step, place: Place) -> Status:
    if not place.true:
        return Status("misleading", (place,))
    return Status("exact" if place.at == step.at else "moved", (place,))


def evidence_places(content: str, inverse: Inverse) -> tuple[int, ...]:
    """Every place where all evidence agrees; where only `at` locates, evidence is its length."""
    if inverse.anchored:
        return fitting(content, inverse)
    return tuple(
        at
        for at in range(len(content) - inverse.inserted + 1)
        if inserted_agrees(content, at, inverse)
    )


def _by_what_is_left(content: str, inverse: Inverse, inserted: str) -> tuple[int, ...]:
    """The one place that half the evidence leaves; none where it leaves several."""
    if not inverse.anchored:
        return ()
    found = weakened(content, inverse, inserted)
    return found if len(found) == 1 else ()


def has_hashed_anchors(inverse: Inverse) -> bool:
    """Whether the anchors are digests, which are not searched for."""
    given = inverse.before.startswith("sha256:") or inverse.after.startswith("sha256:")
    return inverse.anchored and inverse.window is not None and given


def _is_there(step: Step, at: int, true: tuple[int, int]) -> bool:
    """Whether an offset is where the edit is; a deletion is anywhere in its gap."""
    return at == true[0] if step.inserted else true[0] <= at <= true[1]


def _checked_where_it_was(
    step: Step, inverse: Inverse, content: str, true: tuple[int, int] | None
) -> Status:
    """Anchors that are digests are not searched for: they agree at the true place, or who knows."""
    if true is None:
        return Status("unknown")
    at = true[0]
    agrees = (
        before_agrees(content, at, inverse)
        and after_agrees(content, at, inverse)
        and inserted_agrees(content, at, inverse)
    )
    return _one_place(step, Place(step.span, at, true=True)) if agrees else Status("unknown")


def _still_there(step: Step, now: Text, true: tuple[int, int]) -> bool:
    """Whether all that stands at the true place is what was inserted; nothing is always there."""
    inserted = string(step.inserted)
    return not inserted or string(now[true[0] : true[1]]) == inserted
