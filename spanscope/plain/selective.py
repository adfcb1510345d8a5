"""A rollback that names single entries: undo down to the oldest, then do the others again."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as with_fields

from spanscope.plain.edits import placed_as_sought, with_spans, without
from spanscope.plain.locating import sound
from spanscope.plain.texts import Text, place
from spanscope.plain.undoing import Named, perhaps_undone, touched, undone_exactly
from spanscope.plain.world import Buffer, Entry, Span, Step, World


class CannotRedoError(Exception):
    """An entry that should stay can't be done again."""


def selective_undo(world: World, named: Named, seq: int) -> tuple[Buffer, tuple[Entry, ...]]:
    """The buffer and the stack without the named entries, the others done again.

    Where it can't be told whether that is possible, what they touched is unknown. Raises
    CannotRedoError.
    """
    if not named.entries:
        return world.buffer, world.stack
    first = world.stack.index(named.entries[0])
    path = world.stack[first:]
    buffer = world.buffer
    for entry in reversed(path):
        undone = undone_exactly(buffer, entry, seq)
        if undone is None:
            if named.unknown or any(sound(step) is None for step in entry.steps):
                return perhaps_undone(world.buffer, path, seq), world.stack
            raise CannotRedoError
        buffer = undone
    stack = list(world.stack[:first])
    for entry in path:
        if entry not in named.entries:
            buffer, entry = _redo(buffer, entry, seq)  # noqa: PLW2901
        stack.append(entry)
    return buffer, tuple(stack)


def _redo(buffer: Buffer, entry: Entry, seq: int) -> tuple[Buffer, Entry]:
    steps = []
    for step in entry.steps:
        done = _redone(buffer, step, seq)
        inverse = step.inverse and with_fields(step.inverse, at=None)
        moved = buffer != step.before
        steps.append(replace(done, inverse=inverse if moved else step.inverse))
        buffer = done.after
    return buffer, replace(entry, steps=tuple(steps))


def _redone(buffer: Buffer, step: Step, seq: int) -> Step:
    """The step, done at its mapped place."""
    if not all(_as_found(buffer, step, name) for name in touched(step)):
        raise CannotRedoError
    if step.kind in {"splice", "rewrite", "observe"}:
        return _splice_again(buffer, step)
    if step.kind == "copy" and not _same_text(buffer, step):
        raise CannotRedoError
    order = _order_again(buffer.order, step)
    names = () if step.kind == "move" else touched(step)
    spans = (_span_again(buffer, step, name, seq) for name in names)
    return replace(step, before=buffer, after=with_spans(buffer, *spans, order=order))


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
    if step.kind == "prune":
        return replace(now, state="pruned", since=seq)
    return replace(step.after.spans[name], version=now.version)


def _same_text(buffer: Buffer, step: Step) -> bool:
    return buffer.spans[step.span].text == step.before.spans[step.span].text


def _order_again(order: tuple[str, ...], step: Step) -> tuple[str, ...]:
    """The order after the step was done again: at the place that it sought."""
    if order == step.before.order:
        return step.after.order
    match step.kind:
        case "copy":
            return tuple(str(step.into) if name == step.span else name for name in order)
        case "prune":
            return without(order, step.span)
        case "ingest" | "move":
            if isinstance(step.sought, str) and step.sought not in order:
                raise CannotRedoError
            return placed_as_sought(order, step.span, step.sought)
        case _:
            return order


def _splice_again(buffer: Buffer, step: Step) -> Step:
    now, was = buffer.spans[step.span], step.before.spans[step.span]
    if now.text is None or was.text is None:
        raise CannotRedoError
    place, removed, inserted = step.hunk
    at = _mapped(now.text, was.text, place, removed)
    text = now.text[:at] + inserted + now.text[at + len(removed) :]
    again = replace(now, text=text, produced_by=step.after.spans[step.span].produced_by)
    after = with_spans(buffer, again)
    if step.kind == "splice":
        return replace(step, before=buffer, after=after, at=at)
    return replace(step, before=buffer, after=after)


def _mapped(now: Text, was: Text, at: int, removed: Text) -> int:
    """Where the place of a splice is now.

    At the very characters it removed, or between its neighbours, of which one may be gone.
    """
    if removed:
        found = place(now, removed)
        if found is None:
            raise CannotRedoError
        return found
    places = set()
    if at == 0:
        places.add(0)
    elif was[at - 1] in now:
        places.add(now.index(was[at - 1]) + 1)
    if at == len(was):
        places.add(len(now))
    elif was[at] in now:
        places.add(now.index(was[at]))
    if len(places) != 1:
        raise CannotRedoError
    return places.pop()
