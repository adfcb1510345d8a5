"""Which undo entries can be reached: really undo from the head, one edit after the other.

Each edit is located by its evidence in the buffer that undoing those above it left, and what it
restores is compared with what the journal says stood there (seed 003).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from spanscope.journal.parts import Inverse
from spanscope.plain.direct import evidence_places, has_hashed_anchors
from spanscope.plain.edits import undo, with_spans
from spanscope.plain.locating import fitting, weakened
from spanscope.plain.texts import content_hash, string
from spanscope.plain.world import Buffer, Entry, Span, Step, World, same_content


@dataclass(frozen=True)
class Undoing:
    """What came of undoing one step: whether that worked (null: can't be told), and the buffer."""

    worked: bool | None
    buffer: Buffer


def reachable(world: World, *, records_inverses: bool = True) -> dict[int, bool | None]:
    """For each entry (seq) whether strict undo comes down to it and through it."""
    buffer, found = world.buffer, {}
    so_far: bool | None = True
    for entry in reversed(world.stack):
        worked, undone = undo_entry(entry, buffer, world.seq, records_inverses=records_inverses)
        buffer = presumed_there(entry, buffer, undone)
        so_far = both(so_far, worked)
        found[entry.seq] = so_far
    return found


def both(first: bool | None, second: bool | None) -> bool | None:
    """False where one is, else null where one is."""
    if first is False or second is False:
        return False
    return None if first is None or second is None else True


def undo_entry(
    entry: Entry, buffer: Buffer, seq: int, *, records_inverses: bool = True
) -> tuple[bool | None, Buffer]:
    """Undoes an entry, its last edit first; whether that worked is the worst of its edits'."""
    so_far: bool | None = True
    for step in reversed(entry.steps):
        undoing = undo_step(step, buffer, seq, records_inverses=records_inverses)
        worked = undoing.worked
        if entry.doubt is not None:
            worked = _unless_never(step, records_inverses)
        so_far, buffer = both(so_far, worked), undoing.buffer
    return so_far, buffer


def presumed_there(entry: Entry, met: Buffer, undone: Buffer) -> Buffer:
    """The buffer where a span of which nobody knew whether it lives is taken to, as it did then."""
    lives = [
        replace(undone.spans[step.span], state=step.before.spans[step.span].state)
        for step in entry.steps
        if step.kind in {"rewrite", "splice", "observe"} and not met.spans[step.span].life_known
    ]
    return with_spans(undone, *lives)


def undo_step(step: Step, buffer: Buffer, seq: int, *, records_inverses: bool = True) -> Undoing:
    """Undoes one edit. Where that fails, or can't be told, the buffer is as the journal has it."""
    as_written = undo(buffer, step, seq)
    return Undoing(_works(step, buffer, records_inverses), as_written)


def _works(step: Step, buffer: Buffer, records_inverses: bool) -> bool | None:
    now = buffer.spans[step.into or step.span]
    stands = _stands_as_left(step, buffer)
    if step.owes_inverse and step.inverse is None:
        may_have = None if not records_inverses and step.kind != "observe" else False
        return both(stands, may_have)
    if stands is None:
        return _unless_never(step, records_inverses)
    if not stands:
        return False
    if step.unsure and step.owes_inverse:
        return None
    match step.kind:
        case "ingest" | "copy":
            return True
        case "move":
            return True if step.order_known else None
        case "prune":
            return _original_is_right(step)
        case "rewrite" | "observe" | "splice":
            return _works_on_text(step, now, records_inverses)


def _unless_never(step: Step, records_inverses: bool) -> bool | None:
    """What is known of an edit that meets nobody knows what: false, where it never can work."""
    return None if _works(step, step.after, records_inverses) is not False else False


def _works_on_text(step: Step, now: Span, records_inverses: bool) -> bool | None:
    left = step.after.spans[step.span]
    on_known_ground = step.before.spans[step.span].doubt is None
    if step.nothing and on_known_ground and same_content(left, now):
        return True
    if now.hash is None or left.hash is None:
        known = left.content is not None
        return _unless_never(step, records_inverses) if known else None
    # What has the hash of what the edit left is that text.
    content = left.content if now.content is None and now.hash == left.hash else now.content
    if step.kind == "splice" and content is not None:
        return _works_on_splice(step, content)
    if now.hash != left.hash:
        return _of_another(step, now) if step.kind == "splice" else False
    if step.kind == "splice" and step.owes_inverse:
        return None
    return _original_is_right(step) if step.owes_inverse else _known(step)


def _of_another(step: Step, now: Span) -> bool | None:
    """Whether a splice is undone in a text of which only the hash is known: not the one it left."""
    met = step.before.spans[step.span]
    if not step.changed:
        return None if met.hash is None else now.hash == met.hash
    return None if met.content is None else False


def _known(step: Step) -> bool | None:
    return None if step.before.spans[step.span].hash is None else True


def _stands_as_left(step: Step, buffer: Buffer) -> bool | None:
    """Whether the spans of a step are still live, gone or kept as it left them."""
    names = {step.span, step.into or step.span}
    others = [buffer.spans[n] for n in names if buffer.spans[n].state != step.after.spans[n].state]
    if any(span.life_known for span in others):
        return False
    return None if others else True


def _original_is_right(step: Step) -> bool | None:
    before = step.before.spans[step.span].content
    if before is None or step.inverse is None:
        return None
    return step.inverse.original == before


def _works_on_splice(step: Step, content: str) -> bool | None:
    met, inverse = step.before.spans[step.span], step.inverse
    if inverse is None or not step.changed:
        return None if met.hash is None else content_hash(content) == met.hash
    before = met.content
    if before is None:
        return None
    if has_hashed_anchors(inverse):
        return _works_where_it_was(step, inverse, content, before)
    return before in restored(step, content)


def _works_where_it_was(step: Step, inverse: Inverse, content: str, before: str) -> bool | None:
    """Anchors that are digests are not searched for: they agree where it was, or who knows."""
    as_left = content == step.after.spans[step.span].content
    if inverse.at is not None and as_left and _undone(inverse, content, inverse.at) == before:
        return True
    if step.at not in fitting(content, inverse):
        return None
    return _undone(inverse, content, step.at) == before


def restored(step: Step, content: str) -> set[str]:
    """What undoing a splice can make of a text.

    Evidence that leaves one place locates it; so does `at`, in the very text that the splice left.
    """
    inverse = step.inverse
    assert inverse is not None
    return {
        text for at in _places(step, content) if (text := _undone(inverse, content, at)) is not None
    }


def _undone(inverse: Inverse, content: str, at: int) -> str | None:
    """A text after an inverse was applied at a place; null where that is not in it."""
    end = at + inverse.inserted
    if not 0 <= at <= end <= len(content):
        return None
    return content[:at] + inverse.original + content[end:]


def _places(step: Step, content: str) -> set[int]:
    inverse = step.inverse
    assert inverse is not None
    places = evidence_places(content, inverse)
    if not places and inverse.anchored:
        places = weakened(content, inverse, string(step.inserted))
    found = set(places) if len(places) == 1 else set()
    if inverse.at is not None and content == step.after.spans[step.span].content:
        found.add(inverse.at)
    return found
