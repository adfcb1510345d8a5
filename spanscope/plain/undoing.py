"""What a rollback does to the buffer and to the undo stack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from spanscope.journal.events import Rollback
from spanscope.plain.edits import back, with_spans
from spanscope.plain.reach import undo_entry
from spanscope.plain.standing import order_without
from spanscope.plain.world import Buffer, Checkpoint, Entry, Problem, Step, World


class RefusedError(Exception):
    """The rollback moves nothing."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__()
        self.problems = problems


@dataclass(frozen=True)
class Named:
    """The entries that a rollback names, the oldest first.

    `unknown`: it may name some that were lost, so any span may be another after it. `unsure`:
    whether some are in its stores can't be told. `problems`: names of none.
    """

    entries: tuple[Entry, ...]
    unknown: bool = False
    problems: tuple[Problem, ...] = ()
    unsure: bool = False


def named_entries(world: World, event: Rollback) -> Named:
    """What a rollback takes off the stack. Raises RefusedError where that is not there."""
    stores = event.stores
    inside = tuple(entry for entry in world.stack if in_stores(entry, stores))
    perhaps = tuple(entry for entry in world.stack if perhaps_in_stores(entry, stores))
    if event.of is not None:
        asked = tuple(entry for entry in perhaps if entry.seq in event.of)
        return _unsure(asked, _of(world, inside, event.of, asked))
    if event.to is not None:
        named = _to(world, inside, event.to)
        point = world.checkpoints.get(event.to)
        above = () if point is None else tuple(e for e in perhaps if e.seq > point.seq)
        return _unsure(above, named)
    steps = max(1 if event.steps is None else event.steps, 0)
    both = tuple(entry for entry in world.stack if entry in inside or entry in perhaps)
    taken = both[max(len(both) - steps, 0) :]
    named = _taking(tuple(entry for entry in taken if entry in inside))
    if steps > len(both):
        if world.order_doubt is None:
            raise RefusedError(Problem("UND223", ()))
        named = replace(named, unknown=True)
    return _unsure(tuple(entry for entry in taken if entry in perhaps), named)


def _unsure(perhaps: tuple[Entry, ...], named: Named) -> Named:
    """What a rollback names, where it may name these entries too."""
    return replace(named, unknown=True, unsure=True) if perhaps else named


def _taking(entries: tuple[Entry, ...]) -> Named:
    return Named(entries, unknown=any(entry.doubt is not None for entry in entries))


def _to(world: World, inside: tuple[Entry, ...], name: str) -> Named:
    point = world.checkpoints.get(name)
    if point is not None:
        return _taking(tuple(entry for entry in inside if entry.seq > point.seq))
    if world.damaged:
        return Named((), unknown=True)
    raise RefusedError(Problem("JNL007", ()))


def _of(
    world: World, inside: tuple[Entry, ...], seqs: list[int], perhaps: tuple[Entry, ...]
) -> Named:
    missing = set(seqs) - {entry.seq for entry in (*inside, *perhaps)}
    in_question = world.order_doubt is not None
    lost = {seq for seq in missing if in_question and world.lost_since(seq)}
    problems: tuple[Problem, ...] = ()
    if world.stack_doubt is None:
        never = (seq for seq in seqs if seq in missing - lost)
        problems = tuple(Problem("JNL007", (("entry", seq),)) for seq in never)
    named = tuple(entry for entry in inside if entry.seq in seqs)
    path = inside[inside.index(named[0]) :] if named else ()
    return Named(named, bool(lost) or _taking(path).unknown, problems)


def beyond_the_loss(world: World, event: Rollback, named: Named, path: tuple[Entry, ...]) -> bool:
    """Whether what it went through, or back to, was made before events were lost.

    There other entries may have come in between, or the checkpoint have been made anew; a digest
    since lets all of it stand.
    """
    if world.order_doubt is None:
        return False
    point = world.checkpoints.get(event.to) if event.to is not None and event.of is None else None
    met = [entry.seq for entry in (*path, *named.entries)]
    met += [] if point is None else [point.seq]
    return any(world.lost_since(seq) for seq in met)


def in_stores(entry: Entry, stores: list[str] | None) -> bool:
    """Whether an entry touched a span of one of these stores; null: of any."""
    if stores is None:
        return True
    return any(
        step.after.spans[name].store in stores for step in entry.steps for name in touched(step)
    )


def perhaps_in_stores(entry: Entry, stores: list[str] | None) -> bool:
    """Whether it can't be told that an entry touched a span of one of these stores, or of none."""
    if in_stores(entry, stores):
        return False
    return any(
        step.after.spans[name].store is None for step in entry.steps for name in touched(step)
    )


def touched(step: Step) -> tuple[str, ...]:
    """The spans that an edit touched."""
    return (step.span,) if step.into in {None, step.span} else (step.span, str(step.into))


def touched_by(entries: Iterable[Entry]) -> tuple[str, ...]:
    """The spans that entries touched, each once."""
    return tuple(
        dict.fromkeys(name for entry in entries for step in entry.steps for name in touched(step))
    )


def edited_by(entries: Iterable[Entry]) -> tuple[str, ...]:
    """The spans that entries touched, without those that were only moved."""
    return tuple(
        dict.fromkeys(
            name
            for entry in entries
            for step in entry.steps
            if step.kind != "move"
            for name in touched(step)
        )
    )


def sound_undo(
    buffer: Buffer, entries: tuple[Entry, ...], seq: int, *, records_inverses: bool
) -> tuple[Buffer, tuple[Entry, ...]]:
    """The sound entries from the head undone, and which those are."""
    for done, entry in enumerate(reversed(entries)):
        verdict, undone = undo_entry(entry, buffer, seq, records_inverses=records_inverses)
        if verdict is not True:
            return buffer, entries[len(entries) - done :]
        buffer = undone
    return buffer, entries


def presumed_undone(
    buffer: Buffer, entries: tuple[Entry, ...], meant: tuple[str, ...], seq: int
) -> Buffer:
    """As `perhaps_undone`, and in the order that was meant where the same spans stand."""
    left = in_order(undone_as_meant(buffer, entries, seq), meant)
    perhaps = perhaps_undone(buffer, entries, seq, left)
    return in_order(in_order(perhaps, left.order), meant)


def in_order(buffer: Buffer, order: tuple[str, ...]) -> Buffer:
    """The buffer in an order, where that tells of all its spans."""
    there = tuple(name for name in order if name in buffer.order)
    return replace(buffer, order=there) if sorted(there) == sorted(buffer.order) else buffer


def perhaps_undone(
    buffer: Buffer, entries: tuple[Entry, ...], seq: int, left: Buffer | None = None
) -> Buffer:
    """The buffer where nobody knows whether these entries were undone.

    Each span they touched is presumed as it was before them, if it was there then, or as in `left`
    where others were to be made again.
    """
    meant = left or undone_as_meant(buffer, entries, seq)
    spans = []
    for name in touched_by(entries):
        now, then = buffer.spans[name], meant.spans[name]
        if now.state == "collected" or (now.gone and then.gone):
            continue
        presumed = now if then.gone else replace(then, version=now.version)
        if presumed.state == "tombstone" and presumed.presumed_hash != now.presumed_hash:
            # What a tombstone holds since then no digest tells.
            presumed = replace(presumed, since=seq)
        spans.append(presumed.doubted(seq))
    away = {span.id for span in spans if not span.live}
    order = tuple(name for name in buffer.order if name not in away)
    back_again = {span.id for span in spans if span.live} - set(order)
    for name in (other for other in meant.order if other in back_again):
        order = back(with_spans(buffer, *spans, order=order), name, meant)
    return with_spans(buffer, *spans, order=order)


def perhaps_other(
    world: World, path: tuple[Entry, ...], named: tuple[Entry, ...], left: Buffer | None
) -> Buffer:
    """The buffer where nobody knows whether the named entries on the way were undone.

    What they took out of it may be back, and is presumed to be where it would stand. `left` is the
    buffer without them, with the others made again; null where that can't be.
    """
    buffer, seq = world.buffer, world.seq
    back_again = perhaps_undone(buffer, named, seq, left)
    without = order_without(world, named)
    meant = replace(back_again, order=without)
    spans, order = [], buffer.order
    for name in touched_by(path):
        now, then = buffer.spans[name], back_again.spans[name]
        if not now.gone:
            spans.append(now.doubted(seq))
        elif not then.gone:
            spans.append(then)
            if then.live:
                stood = meant if name in without else back_again
                order = back(with_spans(buffer, order=order), name, stood)
    return with_spans(buffer, *spans, order=order)


def undone_as_meant(buffer: Buffer, entries: tuple[Entry, ...], seq: int) -> Buffer:
    """The buffer as it would be if the entries had been undone, whether they can be or not."""
    for entry in reversed(entries):
        _, buffer = undo_entry(entry, buffer, seq)
    return buffer


def undone_in_order(world: World, entries: tuple[Entry, ...], seq: int) -> Buffer:
    """As `undone_as_meant`, the spans where they stood among those that others moved since."""
    meant = undone_as_meant(world.buffer, entries, seq)
    return in_order(meant, order_without(world, entries))


def restored_copy(world: World, point: Checkpoint, stores: list[str] | None, seq: int) -> Buffer:
    """The buffer after the full copy of a checkpoint was put back, in these stores."""
    copy = point.buffer
    spans = []
    for now in world.buffer.spans.values():
        then = copy.spans.get(now.id)
        if stores is not None and now.store not in stores:
            continue
        if then is None and world.damaged and not now.heard_of:
            # It may have been there all the same.
            spans.append(now if now.gone else now.doubted(seq))
        elif then is None:
            spans.append(now if now.gone else replace(now, state="pruned", since=seq))
        else:
            since = now.since if now.state == then.state else seq
            spans.append(replace(then, version=now.version, since=since))
    buffer = with_spans(world.buffer, *spans)
    if stores is not None:
        return _returned(buffer, copy, stores)
    beside = (name for name in buffer.order if buffer.spans[name].live)
    if set(beside) <= set(copy.order):
        return replace(buffer, order=copy.order)
    return replace(buffer, order=_merged(buffer, copy.order))


def _returned(buffer: Buffer, copy: Buffer, stores: list[str]) -> Buffer:
    """The spans of these stores where they stood in a copy, among the others as they stand."""
    live = [name for name, span in buffer.spans.items() if span.live]
    gone_back = [n for n in copy.order if n in live and buffer.spans[n].store in stores]
    order = tuple(n for n in buffer.order if n in live and n not in gone_back)
    for name in gone_back:
        order = back(replace(buffer, order=order), name, copy)
    return replace(buffer, order=order)


def _merged(buffer: Buffer, order: tuple[str, ...]) -> tuple[str, ...]:
    """The live spans: those of a copy in its order, the others after those they followed."""
    live = [name for name in buffer.order if buffer.spans[name].live]
    merged = [name for name in order if buffer.spans[name].live]
    for place, name in enumerate(live):
        if name not in merged:
            before = [other for other in live[:place] if other in merged]
            merged.insert(merged.index(before[-1]) + 1 if before else 0, name)
    return tuple(merged)
