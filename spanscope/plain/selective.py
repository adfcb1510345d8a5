"""A rollback that names single entries: undo down to the oldest, then do the others again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from msgspec.structs import replace as with_fields

from spanscope.plain.edits import with_spans
from spanscope.plain.reach import presumed_there, undo_entry
from spanscope.plain.standing import Orders, order_without, orders_without
from spanscope.plain.texts import Character, Text, place
from spanscope.plain.undoing import (
    Named,
    edited_by,
    in_stores,
    touched,
    touched_by,
    undone_as_meant,
)
from spanscope.plain.world import Buffer, Entry, Span, Step, World


class CannotRedoError(Exception):
    """An entry that should stay can't be done again. `sure`: whatever the unknown texts are."""

    def __init__(self, *, sure: bool = True) -> None:
        super().__init__()
        self.sure = sure


def path_of(world: World, named: Named, stores: list[str] | None) -> tuple[Entry, ...]:
    """The entries from the head down to the oldest named one, the oldest first."""
    inside = [entry for entry in world.stack if in_stores(entry, stores)]
    return tuple(inside[inside.index(named.entries[0]) :]) if named.entries else ()


def can_be_undone(world: World, path: tuple[Entry, ...]) -> bool | None:
    """Whether all entries on the way can be undone; null where that can't be told."""
    verdicts, buffer = [], world.buffer
    for entry in reversed(path):
        recorded = world.records_inverses
        worked, undone = undo_entry(entry, buffer, world.seq, records_inverses=recorded)
        buffer = presumed_there(entry, buffer, undone)
        verdicts.append(worked)
    return False if False in verdicts else None if None in verdicts else True


def selective_undo(
    world: World, named: Named, path: tuple[Entry, ...]
) -> tuple[Buffer, tuple[Entry, ...]]:
    """The buffer and the stack after the others were done again. Raises CannotRedoError.

    In the order the others stay where they are; what the undone ones did to it goes.
    """
    for entry in path:
        older = tuple(other for other in named.entries if other.seq < entry.seq)
        if entry not in named.entries and set(touched_by((entry,))) & _brought_in_or_out(older):
            # It was made on what came with an undone entry, not on what stood under the id before.
            raise CannotRedoError
    torn = [step for name in touched_by(named.entries) for step in _torn(path, named, name)]
    buffer = undone_as_meant(world.buffer, path, world.seq)
    around = [(step, orders) for step, orders in orders_without(world, named.entries) if step]
    stack, came = [], dict[str, int]()
    for entry in world.stack:
        again = entry
        if entry in path and entry not in named.entries:
            gone = tuple(other for other in named.entries if other.seq < entry.seq)
            buffer, again = _redo(buffer, entry, gone, torn, world.seq, came)
            came |= {step.span: entry.seq for step in entry.steps if step.kind == "ingest"}
            again = _standing(entry, again, around)
        stack.append(again)
    now, lives = world.buffer.spans, _brought_in_or_out(named.entries)
    spans = (
        _as_kept(buffer.spans[name], now[name], goes=name in lives)
        for name in edited_by(named.entries)
    )
    left = with_spans(world.buffer, *spans)
    meant = order_without(world, named.entries)
    order = tuple(name for name in meant if left.spans[name].live)
    return replace(left, order=order), tuple(stack)


def _as_kept(again: Span, now: Span, *, goes: bool) -> Span:
    """The span; a tombstone that was collected since it was made stays so.

    `goes`: what is undone brought it in or took it out. Else only its text is another, and it is
    there if it was, whatever the kept entries say.
    """
    if (again.state, now.state) == ("tombstone", "collected"):
        return now
    if goes:
        return again
    there = replace(again, state=now.state, since=now.since)
    return replace(there, store=now.store, role=now.role, answers=now.answers)


def _torn(path: tuple[Entry, ...], named: Named, name: str) -> Iterator[Step]:
    """The kept edits of a span that met a text which no entry left.

    Between them and an undone one something happened that is not on the stack.
    """
    left, undone, torn = None, False, False
    for entry in path:
        gone = entry in named.entries
        for step in entry.steps:
            if step.kind in {"ingest", "copy"} and name == (step.into or step.span) and not gone:
                left, undone, torn = step.after.spans[name].presumed_hash, False, False
            if not _edits(step, name):
                continue
            met = step.before.spans[name].presumed_hash
            undone = undone or gone
            torn = torn or (None not in {met, left} and met != left)
            torn = torn and undone
            left = step.after.spans[name].presumed_hash
            if torn and not gone:
                yield step


def _standing(entry: Entry, again: Entry, around: list[tuple[Step, Orders]]) -> Entry:
    """The entry that was done again, with the orders around its edits."""
    steps = []
    for step, done in zip(entry.steps, again.steps, strict=True):
        before, after = next(orders for other, orders in around if other is step)
        spans = with_spans(done.before, order=before), with_spans(done.after, order=after)
        steps.append(replace(done, before=spans[0], after=spans[1]))
    return replace(again, steps=tuple(steps))


def _redo(
    buffer: Buffer,
    entry: Entry,
    gone: tuple[Entry, ...],
    torn: list[Step],
    seq: int,
    came: dict[str, int],
) -> tuple[Buffer, Entry]:
    """The entry done again, without the older ones that are gone.

    `came`: which kept entry brought in a span, whose text nothing older is in.
    """
    steps = []
    for step in entry.steps:
        older = tuple(other for other in gone if other.seq > came.get(step.span, 0))
        is_torn = any(step is other for other in torn)
        done = _redone(buffer, step, gone, seq, undone=older, torn=is_torn)
        buffer = done.after
        inverse = step.inverse and with_fields(step.inverse, at=None)
        steps.append(replace(done, inverse=inverse))
    return buffer, replace(entry, steps=tuple(steps))


def _redone(
    buffer: Buffer,
    step: Step,
    gone: tuple[Entry, ...],
    seq: int,
    *,
    undone: tuple[Entry, ...],
    torn: bool,
) -> Step:
    """The step, done at its mapped place; `undone` are those of the gone that are in its text."""
    touches_gone = set(touched(step)) & set(edited_by(gone))
    if not all(_as_found(buffer, step, name) for name in touches_gone):
        raise CannotRedoError
    if step.kind in {"splice", "rewrite", "observe"} and touches_gone:
        return _splice_again(buffer, step, undone, torn=torn)
    names = () if step.kind == "move" else touched(step)
    spans = (_span_again(buffer, step, name, seq) for name in names)
    # What nobody undid is met as it was, whatever made it so.
    as_met = (s for n, s in step.before.spans.items() if n in names and n not in touches_gone)
    before = with_spans(_met_again(buffer, step), *as_met)
    return replace(step, before=before, after=with_spans(buffer, *spans))


def _met_again(buffer: Buffer, step: Step) -> Buffer:
    """The buffer that a step meets when it is done again: what it first brought in is not there."""
    new = {step.into or step.span} - set(step.before.spans)
    return replace(buffer, spans={n: span for n, span in buffer.spans.items() if n not in new})


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


def _splice_again(buffer: Buffer, step: Step, gone: tuple[Entry, ...], *, torn: bool) -> Step:
    now, was = buffer.spans[step.span], step.before.spans[step.span]
    left = step.after.spans[step.span]
    if step.nothing and None in {now.text, was.text, left.text}:
        return replace(step, before=buffer, after=buffer)
    if now.text is None or was.text is None or left.text is None:
        nobody_knows = now.hidden(None)
        return replace(step, before=buffer, after=with_spans(buffer, nobody_knows))
    known = was.doubt is None
    if torn:
        raise CannotRedoError(sure=known)
    try:
        at, text = _made_again(now.text, was.text, step, gone)
    except CannotRedoError:
        raise CannotRedoError(sure=known) from None
    span = replace(now, text=text)
    if step.kind == "rewrite":
        span = replace(span, produced_by=step.after.spans[step.span].produced_by)
    return replace(step, before=buffer, after=with_spans(buffer, span), at=at)


def _made_again(now: Text, was: Text, step: Step, gone: tuple[Entry, ...]) -> tuple[int, Text]:
    """Where an edit of a text is made in another, and what it leaves of that."""
    at, removed, inserted = step.said
    if not removed and not inserted:
        return min(at, len(now)), now
    undone = tuple(other for entry in gone for other in entry.steps if _edits(other, step.span))
    at = _where_they_stand(now, removed, undone) if removed else _between(now, was, at, undone)
    return at, now[:at] + inserted + now[at + len(removed) :]


def _edits(step: Step, name: str) -> bool:
    """Whether a step gave a span another text."""
    return step.span == name and step.kind in {"splice", "rewrite", "observe"}


def _where_they_stand(now: Text, removed: Text, undone: tuple[Step, ...]) -> int:
    """Where the very characters that an edit removes are now, none of which an undone one put in.

    Raises CannotRedoError where they are not there side by side.
    """
    at = place(now, removed)
    if at is None or any(set(removed) & set(step.said[2]) for step in undone):
        raise CannotRedoError
    return at


def _between(now: Text, was: Text, at: int, undone: tuple[Step, ...]) -> int:
    """Where a place in a text is now: behind what stood before it, before what stood behind it.

    What an undone edit took away stood where what it put there stands. Raises CannotRedoError
    where that was put there on both sides of the place, or where a character may be on either.
    """
    ahead = {character: number < at for number, character in enumerate(was)}
    for step in reversed(undone):
        _, removed, inserted = step.said
        sides = {ahead[character] for character in inserted if character in ahead}
        if len(sides) == 2:
            raise CannotRedoError
        for side in sides:
            ahead.update((c, side) for c in removed if c not in ahead)
        _fill(ahead, step.before.spans[step.span].text or ())
    _fill(ahead, now)
    if any(character not in ahead for character in now):
        raise CannotRedoError
    return sum(ahead[character] for character in now)


def _fill(ahead: dict[Character, bool], text: Text) -> None:
    """Tell the sides of more characters by those between which they stood in a text."""
    known = [character for character in text if character in ahead]
    first = sum(ahead[character] for character in known)
    if first:
        last_ahead = text.index(known[first - 1])
        ahead.update((character, True) for character in text[:last_ahead])
    if first < len(known):
        first_behind = text.index(known[first])
        ahead.update((character, False) for character in text[first_behind:])
