"""A rollback that names single entries: undo down to the oldest, then do the others again."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as with_fields

from spanscope.plain.edits import placed, with_spans, without
from spanscope.plain.texts import Text, place
from spanscope.plain.undoing import touched, undone_exactly
from spanscope.plain.world import Buffer, Entry, Span, Step, World


class CannotRedoError(Exception):
    """An entry that should stay can't be done again."""


def selective_undo(
    world: World, named: tuple[Entry, ...], seq: int
) -> tuple[Buffer, tuple[Entry, ...]]:
    """The buffer and the stack without the named entries. Raises CannotRedoError."""
    first = next(at for at, entry in enumerate(world.stack) if entry in named)
    buffer = world.buffer
    for entry in reversed(world.stack[first:]):
        undone = undone_exactly(buffer, entry, seq)
        if undone is None:
            raise CannotRedoError
        buffer = undone
    stack = list(world.stack[:first])
    for entry in world.stack[first:]:
        if entry not in named:
            buffer, again = _redo(buffer, entry, seq)
            stack.append(again)
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
    if step.kind == "splice":
        return _splice_again(buffer, step)
    if step.kind in {"rewrite", "observe", "copy"}:
        now, then = buffer.spans[step.span], step.before.spans[step.span]
        if now.text != then.text:
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


def _order_again(order: tuple[str, ...], step: Step) -> tuple[str, ...]:
    before, after = step.before.order, step.after.order
    if order == before:
        return after
    if step.kind == "move" and step.span in order:
        order = without(order, step.span)
    if step.into is not None:
        return tuple(step.into if name == step.span else name for name in order)
    for name in before:
        if name not in after:
            order = without(order, name)
    for name in after:
        if name not in order and (name not in before or name == step.span):
            ahead = [other for other in after[: after.index(name)] if other in order]
            order = placed(order, name, ahead[-1] if ahead else None)
    return order


def _splice_again(buffer: Buffer, step: Step) -> Step:
    now = buffer.spans[step.span]
    was = step.before.spans[step.span].text
    if now.text is None or was is None:
        raise CannotRedoError
    at = _mapped(now.text, was, step)
    text = now.text[:at] + step.inserted + now.text[at + len(step.removed) :]
    after = with_spans(buffer, replace(now, text=text))
    return replace(step, before=buffer, after=after, at=at)


def _mapped(now: Text, was: Text, step: Step) -> int:
    """Where the place of a splice is now.

    At the very characters it removed, or between its neighbours, of which one may be gone.
    """
    if step.removed:
        at = place(now, step.removed)
        if at is None:
            raise CannotRedoError
        return at
    found = set()
    if step.at == 0:
        found.add(0)
    elif was[step.at - 1] in now:
        found.add(now.index(was[step.at - 1]) + 1)
    if step.at == len(was):
        found.add(len(now))
    elif was[step.at] in now:
        found.add(now.index(was[step.at]))
    if len(found) != 1:
        raise CannotRedoError
    return found.pop()
