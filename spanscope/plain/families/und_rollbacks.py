"""Rollbacks: what each did against what it should have done: UND221 to UND227."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from spanscope.journal.events import Rollback
from spanscope.plain.families.und_inverses import lacks_inverse
from spanscope.plain.finding import Finding, entry_subject, finding, one_a_subject
from spanscope.plain.reach import undo_entry
from spanscope.plain.reading import Told
from spanscope.plain.replay import buffer_changed
from spanscope.plain.selective import CannotRedoError, can_be_undone, path_of, selective_undo
from spanscope.plain.undoing import (
    Named,
    RefusedError,
    beyond_the_loss,
    in_stores,
    named_entries,
    perhaps_in_stores,
    restored_copy,
    touched_by,
    undone_in_order,
)
from spanscope.plain.world import Buffer, Checkpoint, Entry, Moment, Span, World


def findings(told: Told, *, recorded: bool) -> Iterator[Finding]:
    """What each rollback brings."""
    for moment in told.moments:
        if isinstance(moment.event, Rollback):
            yield from one_a_subject(_judged(moment, moment.event, recorded=recorded))


@dataclass(frozen=True)
class _Undo:
    """A rollback: the world that it met, the entries it named and those on the way to them."""

    event: Rollback
    world: World
    named: Named
    path: tuple[Entry, ...]

    @property
    def happened(self) -> bool:
        """Whether it was reported to have undone anything."""
        return self.event.outcome in {"done", "partial"}

    @property
    def point(self) -> Checkpoint | None:
        """The checkpoint that it went back to, where that was made."""
        return None if self.event.to is None else self.world.checkpoints.get(self.event.to)

    @property
    def restores_a_copy(self) -> bool:
        """Whether it put a full copy back, which needs no entry."""
        point = self.point
        return self.event.method == "restore" and point is not None and point.snapshot

    @property
    def skipped(self) -> tuple[Entry, ...]:
        """The entries on the way that it did not name, the oldest first."""
        return tuple(entry for entry in self.path if entry not in self.named.entries)


def _judged(moment: Moment, event: Rollback, *, recorded: bool) -> Iterator[Finding]:
    world = replace(moment.before, seq=event.seq)
    try:
        named = named_entries(world, event)
    except RefusedError as refusal:
        if any(problem.rule == "UND223" for problem in refusal.problems):
            yield finding("UND223", event.seq, "error")
            return
        named = Named(())
    undo = _Undo(event, world, named, path_of(world, named, event.stores))
    beyond = beyond_the_loss(world, event, named, undo.path)
    if not beyond or event.to is None:
        yield from _without_copy(undo)
    if beyond:
        return
    if undo.happened:
        yield from _order(undo, moment, recorded=recorded)
        yield from _left_stores(undo)
        yield from _other_actors(undo)
    refused = any(problem.rule == "UND222" for problem in moment.problems)
    if not named.unknown and not refused:
        yield from _outcome(undo, moment)


def _without_copy(undo: _Undo) -> Iterator[Finding]:
    """UND224: restored to a checkpoint that kept no full copy."""
    unheard_of = undo.event.to is not None and undo.point is None
    if unheard_of and undo.world.damaged:
        return
    if undo.event.method == "restore" and not undo.restores_a_copy:
        yield finding("UND224", undo.event.seq, "error")


def _order(undo: _Undo, moment: Moment, *, recorded: bool) -> Iterator[Finding]:
    """UND222: it went through a missing inverse, or jumped over what depends on what it undid."""
    if undo.restores_a_copy:
        return
    for entry in reversed(undo.named.entries):
        if lacks_inverse(entry, recorded=recorded):
            yield finding("UND222", undo.event.seq, "error", **entry_subject(entry))
            return
    if any(problem.rule == "UND222" for problem in moment.problems):
        yield finding("UND222", undo.event.seq, "error", **entry_subject(_obstacle(undo)))
        return
    if undo.event.edits is None:
        return
    for skipped in undo.skipped:
        below = (entry for entry in undo.named.entries if entry.seq < skipped.seq)
        if any(_depends(skipped, entry) for entry in below):
            yield finding("UND222", undo.event.seq, "error", **entry_subject(skipped))
            return


def _obstacle(undo: _Undo) -> Entry:
    """The first entry on the way down that can't be undone, else the oldest that was named."""
    buffer = undo.world.buffer
    recorded = undo.world.records_inverses
    for entry in reversed(undo.path):
        worked, buffer = undo_entry(entry, buffer, undo.event.seq, records_inverses=recorded)
        if worked is False:
            return entry
    return undo.named.entries[0]


def _depends(later: Entry, earlier: Entry) -> bool:
    """Whether both touched one span, or the order of the buffer."""
    if set(touched_by([later])) & set(touched_by([earlier])):
        return True
    return _in_order(later) and _in_order(earlier)


def _in_order(entry: Entry) -> bool:
    return any(step.kind in {"ingest", "copy", "prune", "move"} for step in entry.steps)


def _left_stores(undo: _Undo) -> Iterator[Finding]:
    """UND225: another store changed since the checkpoint and was left as it is."""
    point = undo.point
    if point is None:
        return
    left = [
        entry
        for entry in undo.world.stack
        if entry.seq > point.seq
        and not in_stores(entry, undo.event.stores)
        and not perhaps_in_stores(entry, undo.event.stores)
        and any(step.changed or step.before.order != step.after.order for step in entry.steps)
    ]
    if left:
        yield finding("UND225", undo.event.seq, "warning", **entry_subject(left[-1]))


def _other_actors(undo: _Undo) -> Iterator[Finding]:
    """UND226: it undid an entry of another actor."""
    for entry in undo.named.entries:
        if entry.actor != undo.event.actor:
            yield finding("UND226", undo.event.seq, "info", **entry_subject(entry))


def _outcome(undo: _Undo, moment: Moment) -> Iterator[Finding]:
    """UND221 for every span that is not what it should be, and UND227 where nothing moved."""
    meant, now = _meant(undo), moment.after.buffer
    if meant is None:
        return
    wrong = [name for name, span in now.spans.items() if _is_another(span, meant.spans.get(name))]
    order_told = moment.after.order_doubt is None and not any(map(_in_order, undo.skipped))
    if undo.happened and not wrong and order_told:
        wrong = _displaced(meant.order, now.order)
    for name in wrong:
        yield finding("UND221", undo.event.seq, "error", span=name)
    if wrong and undo.event.outcome == "done" and undo.named.entries and not buffer_changed(moment):
        yield finding("UND227", undo.event.seq, "error", entry=undo.named.entries[-1].seq)


def _meant(undo: _Undo) -> Buffer | None:
    """The buffer before the undone entries, with the skipped ones done again.

    Null where that can't be, or nobody knows whether it can: then what should be is said nowhere.
    """
    world, event = undo.world, undo.event
    if not undo.happened:
        return world.buffer
    worked_out = event.of is not None and event.edits is None
    if worked_out and can_be_undone(world, undo.path) is None:
        return None
    if undo.restores_a_copy and event.edits is None and undo.point is not None:
        return restored_copy(world, undo.point, event.stores, event.seq)
    if not undo.skipped:
        return undone_in_order(world, undo.named.entries, event.seq)
    try:
        return selective_undo(world, undo.named, undo.path)[0]
    except CannotRedoError:
        return None


def _is_another(now: Span, meant: Span | None) -> bool:
    """Whether a span is for sure not what it should be."""
    if now.doubt is not None:
        return False
    if meant is None:
        return not now.gone
    if meant.doubt is not None:
        return False
    if now.gone or meant.gone or now.state != meant.state:
        return (now.gone, now.live) != (meant.gone, meant.live)
    return None not in {now.hash, meant.hash} and now.hash != meant.hash


def _displaced(meant: tuple[str, ...], now: tuple[str, ...]) -> list[str]:
    """The first span that does not stand where it should."""
    if set(meant) != set(now):
        return []
    return [name for name, other in zip(meant, now, strict=True) if name != other][:1]
