"""What a rollback does to the buffer and to the undo stack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spanscope.journal.events import Rollback
from spanscope.plain.edits import undo, with_spans
from spanscope.plain.knowing import doubted
from spanscope.plain.locating import sound
from spanscope.plain.world import Buffer, Entry, Problem, Step, World


class RefusedError(Exception):
    """The rollback moves nothing."""

    def __init__(self, problem: Problem | None) -> None:
        super().__init__()
        self.problem = problem


class UnknowableError(Exception):
    """Which entries the rollback named can't be told."""


def named_entries(world: World, event: Rollback) -> tuple[Entry, ...]:
    """The entries that a rollback takes off the stack, the oldest first.

    Raises RefusedError where they are not there, UnknowableError where they may be among what
    was lost.
    """
    inside = tuple(entry for entry in world.stack if in_stores(entry, event.stores))
    if event.of is not None:
        return _of(world, event.of, event.stores)
    if event.to is not None:
        point = world.checkpoints.get(event.to)
        if point is None:
            if world.order_doubt is not None:
                raise UnknowableError
            raise RefusedError(Problem("JNL007", ()))
        return tuple(entry for entry in inside if entry.seq not in point.stack)
    steps = 1 if event.steps is None else event.steps
    if steps > len(inside):
        if world.stack_doubt is not None:
            raise UnknowableError
        raise RefusedError(Problem("UND223", ()))
    return inside[len(inside) - max(steps, 0) :]


def _of(world: World, seqs: list[int], stores: list[str] | None) -> tuple[Entry, ...]:
    held = {entry.seq for entry in world.stack}
    missing = [seq for seq in seqs if seq not in held]
    if missing:
        if world.stack_doubt is not None:
            raise UnknowableError
        raise RefusedError(Problem("JNL007", (("entry", missing[0]),)))
    return tuple(entry for entry in world.stack if entry.seq in seqs and in_stores(entry, stores))


def in_stores(entry: Entry, stores: list[str] | None) -> bool:
    """Whether an entry touched a span of one of these stores; null: of any."""
    if stores is None:
        return True
    return any(
        step.after.spans[name].store in stores for step in entry.steps for name in touched(step)
    )


def touched(step: Step) -> tuple[str, ...]:
    """The spans that an edit touched."""
    return (step.span,) if step.into in {None, step.span} else (step.span, str(step.into))


def touched_by(entries: Iterable[Entry]) -> tuple[str, ...]:
    """The spans that entries touched, each once."""
    return tuple(
        dict.fromkeys(name for entry in entries for step in entry.steps for name in touched(step))
    )


def as_left(buffer: Buffer, step: Step) -> bool:
    """Whether the spans of a step stand as the step left them."""
    if step.kind == "move":
        return step.span in buffer.order
    return all(
        buffer.spans[name].state == step.after.spans[name].state
        and buffer.spans[name].doubt is None
        and (
            step.kind == "ingest"
            or buffer.spans[name].presumed_hash == step.after.spans[name].presumed_hash
        )
        for name in touched(step)
    )


def undone_exactly(buffer: Buffer, entry: Entry, seq: int) -> Buffer | None:
    """The buffer without a sound entry, its last edit undone first; null where it is not sound."""
    if entry.doubt is not None:
        return None
    for step in reversed(entry.steps):
        idle = step.known and not step.owes_inverse and not step.changed and step.kind != "move"
        if idle and step.kind not in {"ingest", "copy"}:
            continue
        if not sound(step) or not as_left(buffer, step):
            return None
        buffer = undo(buffer, step, seq)
    return buffer


def undone_as_meant(buffer: Buffer, entry: Entry, seq: int) -> Buffer:
    """The buffer as it would be if the entry had been undone, whether it can be or not."""
    for step in reversed(entry.steps):
        buffer = undo(buffer, step, seq)
    return buffer


def sound_undo(buffer: Buffer, entries: tuple[Entry, ...], seq: int) -> Buffer:
    """The sound entries from the head undone; the spans of the rest unknown, meant to be undone."""
    rest: list[Entry] = []
    for entry in reversed(entries):
        undone = None if rest else undone_exactly(buffer, entry, seq)
        if undone is None:
            rest.append(entry)
            buffer = undone_as_meant(buffer, entry, seq)
        else:
            buffer = undone
    unknown = touched_by(rest)
    spans = (buffer.spans[name] for name in unknown)
    return with_spans(buffer, *(replace(span, doubt=span.doubt or seq) for span in spans))


def meant(world: World, entries: tuple[Entry, ...], seq: int) -> Buffer:
    """The buffer as it was before these entries, whatever can be undone soundly."""
    buffer = world.buffer
    for entry in reversed(entries):
        buffer = undone_as_meant(buffer, entry, seq)
    return buffer


def restored_copy(world: World, name: str, stores: list[str] | None, seq: int) -> Buffer:
    """The buffer after the full copy of a checkpoint was put back, in these stores."""
    copy = world.checkpoints[name].buffer
    spans = []
    for now in world.buffer.spans.values():
        then = copy.spans.get(now.id)
        if stores is not None and now.store not in stores:
            continue
        if then is None:
            spans.append(now if now.gone else replace(now, state="pruned", since=seq, doubt=None))
        else:
            since = now.since if now.state == then.state else seq
            spans.append(replace(then, version=now.version, since=since))
    buffer = with_spans(world.buffer, *spans)
    if stores is None:
        return replace(buffer, order=copy.order)
    return replace(buffer, order=_merged(buffer, copy.order))


def _merged(buffer: Buffer, order: tuple[str, ...]) -> tuple[str, ...]:
    """The live spans: those of a copy in its order, the others after those they followed."""
    live = [name for name in buffer.order if buffer.spans[name].live]
    merged = [name for name in order if buffer.spans[name].live]
    for place, name in enumerate(live):
        if name not in merged:
            before = [other for other in live[:place] if other in merged]
            merged.insert(merged.index(before[-1]) + 1 if before else 0, name)
    return tuple(merged)


def unknown_everywhere(world: World, seq: int) -> Buffer:
    """The buffer after a rollback of nobody knows what."""
    return doubted(world.buffer, tuple(world.buffer.spans), seq)
