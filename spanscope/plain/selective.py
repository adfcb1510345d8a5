"""A rollback that names single entries: undo down to the oldest, then do the others again."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as with_fields

from spanscope.plain.edits import order_undone, with_spans
from spanscope.plain.reach import undo_entry
from spanscope.plain.texts import Character, Text, place
from spanscope.plain.undoing import (
    Named,
    in_stores,
    touched,
    touched_by,
    undone_as_meant,
)
from spanscope.plain.world import Buffer, Entry, Span, Step, World


class CannotRedoError(Exception):
    """An entry that should stay can't be done again."""


def path_of(world: World, named: Named, stores: list[str] | None) -> tuple[Entry, ...]:
    """The entries from the head down to the oldest named one, the oldest first."""
    inside = [entry for entry in world.stack if in_stores(entry, stores)]
    return tuple(inside[inside.index(named.entries[0]) :]) if named.entries else ()


def can_be_undone(world: World, path: tuple[Entry, ...]) -> bool | None:
    """Whether all entries on the way can be undone; null where that can't be told."""
    verdicts, buffer = [], world.buffer
    for entry in reversed(path):
        recorded = world.records_inverses
        worked, buffer = undo_entry(entry, buffer, world.seq, records_inverses=recorded)
        verdicts.append(worked)
    return False if False in verdicts else None if None in verdicts else True


def selective_undo(
    world: World, named: Named, path: tuple[Entry, ...]
) -> tuple[Buffer, tuple[Entry, ...]]:
    """The buffer and the stack after the others were done again. Raises CannotRedoError.

    In the order the others stay where they are; what the undone ones did to it goes.
    """
    buffer = undone_as_meant(world.buffer, path, world.seq)
    stack = []
    for entry in world.stack:
        again = entry
        if entry in path and entry not in named.entries:
            gone = tuple(other for other in named.entries if other.seq < entry.seq)
            buffer, again = _redo(buffer, entry, gone, world.seq)
        stack.append(again)
    order = _without(world.buffer.order, named.entries)
    spans = (buffer.spans[name] for name in touched_by(named.entries))
    return with_spans(world.buffer, *spans, order=order), tuple(stack)


def _without(order: tuple[str, ...], gone: tuple[Entry, ...]) -> tuple[str, ...]:
    """An order without what some entries did to it."""
    for entry in reversed(gone):
        for step in reversed(entry.steps):
            order = order_undone(order, step)
    return order


def _redo(buffer: Buffer, entry: Entry, gone: tuple[Entry, ...], seq: int) -> tuple[Buffer, Entry]:
    """The entry done again, without the older ones that are gone."""
    steps = []
    for step in entry.steps:
        done = _redone(buffer, step, gone, seq)
        buffer = done.after
        inverse = step.inverse and with_fields(step.inverse, at=None)
        around = (
            with_spans(done.before, order=_without(step.before.order, gone)),
            with_spans(done.after, order=_without(step.after.order, gone)),
        )
        steps.append(replace(done, before=around[0], after=around[1], inverse=inverse))
    return buffer, replace(entry, steps=tuple(steps))


def _redone(buffer: Buffer, step: Step, gone: tuple[Entry, ...], seq: int) -> Step:
    """The step, done at its mapped place."""
    if not all(_as_found(buffer, step, name) for name in touched(step)):
        raise CannotRedoError
    if set(touched(step)) & _brought_in_or_out(gone):
        # It was made on what came with an undone entry, not on what stood under the id before.
        raise CannotRedoError
    touches_gone = set(touched(step)) & set(touched_by(gone))
    if step.kind in {"splice", "rewrite", "observe"} and touches_gone:
        return _splice_again(buffer, step, gone, seq)
    names = () if step.kind == "move" else touched(step)
    spans = (_span_again(buffer, step, name, seq) for name in names)
    return replace(step, before=buffer, after=with_spans(buffer, *spans))


def _brought_in_or_out(entries: tuple[Entry, ...]) -> set[str]:
    """The spans that entries brought into the buffer or took out of it."""
    steps = (step for entry in entries for step in entry.steps)
    return {n for step in steps if step.kind in {"ingest", "copy", "prune"} for n in touched(step)}


def _as_found(buffer: Buffer, step: Step, name: str) -> bool:
    """Whether a span is there, or not there, as the step found it."""
    now, then = buffer.spans.get(name), step.before.spans.get(name)
    if then is None or then.gone:
        return now is None or now.gone
    return now is not None and now.state == then.state


def _span_again(buffer: Buffer, step: Step, name: str, seq: int) -> Span:
    now = buffer.spans.get(name)
    if now is None:
        return step.after.spans[name]
    if name == step.span and step.kind in {"prune", "copy"}:
        return replace(now, state=step.after.spans[name].state, since=seq)
    return replace(step.after.spans[name], version=now.version)


def _splice_again(buffer: Buffer, step: Step, gone: tuple[Entry, ...], seq: int) -> Step:
    now, was = buffer.spans[step.span], step.before.spans[step.span]
    if now.text is None or was.text is None:
        nobody_knows = replace(now, text=None, told=None, doubt=seq)
        return replace(step, before=buffer, after=with_spans(buffer, nobody_knows))
    place, removed, inserted = step.said
    if not removed and not inserted:
        return replace(step, before=buffer, after=buffer, at=min(place, len(now.text)))
    at = _mapped(now.text, was.text, place, removed, _put_in_by(gone, step.span))
    span = replace(now, text=now.text[:at] + inserted + now.text[at + len(removed) :])
    if step.kind == "rewrite":
        span = replace(span, produced_by=step.after.spans[step.span].produced_by)
    return replace(step, before=buffer, after=with_spans(buffer, span), at=at)


def _put_in_by(gone: tuple[Entry, ...], name: str) -> frozenset[Character]:
    """The characters that undone entries put into a span."""
    return frozenset(
        character
        for entry in gone
        for step in entry.steps
        if step.span == name and step.kind in {"splice", "rewrite", "observe"}
        for character in step.said[2]
    )


def _mapped(now: Text, was: Text, at: int, removed: Text, gone: frozenset[Character]) -> int:
    """Where the place of a splice is now.

    At the very characters it removed, or between its neighbours, of which one may be gone.
    """
    if removed:
        found = None if gone.intersection(removed) else place(now, removed)
        if found is None:
            raise CannotRedoError
        return found
    places = set()
    if at == 0:
        places.add(0)
    elif was[at - 1] in now and was[at - 1] not in gone:
        places.add(now.index(was[at - 1]) + 1)
    if at == len(was):
        places.add(len(now))
    elif was[at] in now and was[at] not in gone:
        places.add(now.index(was[at]))
    if len(places) != 1:
        raise CannotRedoError
    return places.pop()
