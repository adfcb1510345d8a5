"""What a recorded rollback did, and what it should have done."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from msgspec.structs import replace

from spanscope.journal.events import Rollback
from spanscope.model.effects import Problem, Undoing
from spanscope.model.partly import presume_place, tell_by_hash
from spanscope.model.reaching import Way
from spanscope.model.rebasing import ImpossibleUndoError
from spanscope.model.restoring import restore
from spanscope.model.spans import Doubt, Span, as_counted, doubted
from spanscope.model.state import BufferState
from spanscope.model.transaction import Transaction
from spanscope.model.undo import IN_PLACE, Entry
from spanscope.model.undoing import undo_entries

_seq = attrgetter("seq")


def select(state: BufferState, event: Rollback, problems: list[Problem]) -> Undoing:
    """The entries that a rollback names, head first, and those it skips."""
    if event.of is not None:
        return _select_of(state, event, event.of, problems)
    if event.to is not None:
        return _select_to(state, event, event.to, problems)
    stack = state.stack if event.stores is None else _not_outside(event, list(state.stack))
    steps = 1 if event.steps is None else max(event.steps, 0)
    lost = steps > len(stack)
    if lost and state.doubt is None:
        return Undoing(named=[], past_start=len(stack))
    taken = stack[max(len(stack) - steps, 0) :][::-1]
    named = _of_stores(event, taken)
    unsure = len(named) < len(taken)
    return Undoing(named=named, unknown_ground=lost or unsure, unsure=unsure)


def _of_stores(event: Rollback, entries: list[Entry]) -> list[Entry]:
    """The entries that a rollback's `stores` leave to it."""
    if event.stores is None:
        return entries
    return [entry for entry in entries if entry.is_in(event.stores)]


def _not_outside(event: Rollback, entries: list[Entry]) -> list[Entry]:
    """The same, and those of which it can't be told."""
    return [entry for entry in entries if entry.is_in(event.stores) is not False]


def _select_of(
    state: BufferState, event: Rollback, of: list[int], problems: list[Problem]
) -> Undoing:
    known: dict[int, Entry] = {}
    unknown = unsure = False
    for seq in of:
        found = state.entry(seq)
        inside = False if found is None else found[1].is_in(event.stores)
        if found is not None and inside:
            known[seq] = found[1]
        elif inside is None:
            unknown = unsure = True
        elif state.doubt is not None and seq < state.lost_at:
            unknown = True
        elif state.doubt is None:
            fate = "is not on the undo stack"
            if found is not None:
                fate = f"changed {_listed(found[1].stores)}, not {_listed(event.stores or ())}"
            message = f"rollback names entry {seq}, which {fate}."
            problems.append(Problem("JNL007", {"entry": seq}, message, {"entry": seq}))
    named = [known[seq] for seq in sorted(known, reverse=True)]
    skipped = state.stack.passed(known)
    if event.stores is not None:
        skipped = skipped.only(set(event.stores))
    return Undoing(named=named, skipped=skipped, unknown_ground=unknown, unsure=unsure)


def _listed(stores: Iterable[str]) -> str:
    return ", ".join(sorted(stores)) or "nothing"


def _select_to(state: BufferState, event: Rollback, name: str, problems: list[Problem]) -> Undoing:
    savepoint = state.savepoints.get(name)
    if savepoint is None:
        if not state.damaged:
            message = f"rollback names checkpoint {name}, which was never made."
            problems.append(Problem("JNL007", {}, message, {"checkpoint": name}))
        return Undoing(named=[], unknown_ground=state.damaged)
    above = state.entries_above(savepoint.seq)
    named = _of_stores(event, above)[::-1]
    left = [entry for entry in above if entry.is_in(event.stores) is False]
    unsure = len(named) + len(left) < len(above)
    return Undoing(
        named=named, savepoint=savepoint, left_stores=left, unknown_ground=unsure, unsure=unsure
    )


class WorkedOut(NamedTuple):
    """The buffer without the named entries, and the kept ones with what they become."""

    draft: Transaction
    redone: list[tuple[Entry, Entry]]


def expect(state: BufferState, undoing: Undoing, seq: int, actor: str) -> WorkedOut | None:
    """Work out the spans as they were before the named entries, with the kept ones redone."""
    draft = Transaction(state, seq, actor)
    try:
        redone = undo_entries(draft, undoing.named, undoing.skipped)
    except ImpossibleUndoError as reason:
        undoing.impossible, undoing.surely = str(reason), reason.sure
        return None
    undoing.expected = dict(draft.work)
    undoing.expected_order = draft.order
    return WorkedOut(draft, redone)


def perform(
    state: BufferState, event: Rollback, undoing: Undoing, meant: WorkedOut | None
) -> Transaction:
    """What the rollback did to the buffer, as a draft; that of what was meant where it is that."""
    draft = Transaction(state, event.seq, event.actor)
    if event.edits is not None:
        for edit in event.edits:
            draft.edit(edit)
        if event.outcome in ("done", "partial"):
            _recognise(draft, undoing)
        if event.outcome == "partial":
            _tell_by_hashes(draft, event, undoing)
        return draft
    if event.outcome in ("failed", "noop") or undoing.past_start is not None:
        return draft
    savepoint = undoing.savepoint
    if event.method == "restore" and savepoint is not None and savepoint.snapshot:
        restore(draft, savepoint, event.stores)
        undoing.expected, undoing.expected_order = dict(draft.work), draft.order
        undoing.impossible = None
        undoing.restored = True
    elif event.of is not None:
        draft = _selective(draft, undoing, meant)
    else:
        draft = _sound_undo(draft, undoing, meant)
    if event.of is None or undoing.impossible is None:
        _tell_by_hashes(draft, event, undoing)
    return draft


def _recognise(draft: Transaction, undoing: Undoing) -> None:
    """A span that edits made what it was before the undone entries is that very one again."""
    if undoing.expected is None:
        return
    touched = {name: draft.state.spans[name] for entry in undoing.named for name in entry.spans}
    for name, wanted in (touched | undoing.expected).items():
        now = draft.get(name)
        if now is not None and now.life == wanted.life and now.node.same_content(wanted.node):
            draft.put(replace(as_counted(wanted, now), seq=draft.seq, doubt=now.doubt))


def _selective(draft: Transaction, undoing: Undoing, meant: WorkedOut | None) -> Transaction:
    """Undo down to the oldest named entry and redo the others; impossible: nothing moves.

    Where that can't be told, what they touched is unknown.
    """
    path = [] if _surely_passes(draft.state, undoing) else _path(undoing)
    way = Way(draft.get)
    sound = {entry.seq: way.passes(entry) for entry in path}
    refused = False in sound.values() or (undoing.impossible is not None and undoing.surely)
    if undoing.unknown_ground or (None in sound.values() and not refused):
        path = path or _path(undoing)
        undoing.unknown_ground = undoing.unknown_ground or not path
        why = f"the rollback at {draft.seq} went through entries that can't be told"
        gone = {n: s for n, s in draft.state.spans.items() if s.gone}
        names = dict.fromkeys(name for entry in path for name in entry.spans)
        left, undoing.expected_order = _meant(draft, undoing)
        undoing.expected = {n: left[n] for n in names if n in gone and n in left}
        _doubt(draft, list(names), undoing, why)
        undoing.impossible = undoing.expected = None
        return draft
    undoing.stopped = next((entry for entry in path if sound[entry.seq] is False), None)
    if undoing.stopped is not None and undoing.impossible is None:
        undoing.impossible = f"entry {undoing.stopped.seq} can't be undone"
    if undoing.impossible is None and meant is not None:
        undoing.redone = meant.redone
        return meant.draft
    return draft


def _surely_passes(state: BufferState, undoing: Undoing) -> bool:
    """Whether it is known that all entries from the head to the oldest named can be undone.

    Where some of them are left to another store, the others may not meet what they left.
    """
    if state.sure_above is None or not undoing.named or undoing.named[-1].seq <= state.sure_above:
        return False
    from_oldest = len(state.stack) - state.stack.above(undoing.named[-1].seq - 1)
    return len(undoing.named) + len(undoing.skipped) == from_oldest


def _path(undoing: Undoing) -> list[Entry]:
    """The entries from the head down to the oldest named."""
    return sorted((*undoing.named, *undoing.skipped), key=_seq, reverse=True)


def _meant(draft: Transaction, undoing: Undoing) -> tuple[dict[str, Span], list[str] | None]:
    """What the rollback meant to leave, and in which order, also where that may be impossible."""
    if undoing.impossible is None:
        return undoing.expected or {}, undoing.expected_order
    alone = Transaction(draft.state, draft.seq, draft.actor)
    undo_entries(alone, undoing.named)
    return alone.work, alone.order


def _sound_undo(draft: Transaction, undoing: Undoing, meant: WorkedOut | None) -> Transaction:
    """Undo from the head as far as it is sound; the spans of the rest become unknown."""
    state = draft.state
    sound = []
    way = Way(draft.get)
    for entry in undoing.named:
        if entry.seq < state.known_since or way.passes(entry) is not True:
            undoing.stopped = entry
            break
        sound.append(entry)
    rest = undoing.named[len(sound) :]
    if not rest and meant is not None:
        return meant.draft
    undo_entries(draft, sound)
    if rest:
        draft.reseated |= _reseated(meant)
        why = f"the rollback at {draft.seq} went through entry {rest[0].seq}"
        _doubt(draft, [name for entry in rest for name in entry.spans], undoing, why)
        # Where the spans stand that nobody told is presumed as the rollback meant it to be.
        order = undoing.expected_order or []
        if meant is not None and set(order) != set(draft.order):
            order = meant.draft.meant_order or []
        draft.reorder(order)
    return draft


def _reseated(meant: WorkedOut | None) -> set[str]:
    """The ids under which an undone prune would bring back what is not there now."""
    if meant is None:
        return set()
    back = ((name, meant.draft.get(name)) for name in meant.draft.reseated)
    return {name for name, span in back if span is not None and not span.gone}


def _doubt(draft: Transaction, names: list[str], undoing: Undoing, why: str) -> None:
    """These spans are unknown, presumed as the rollback meant them to be, where that is there."""
    expected, order = undoing.expected or {}, undoing.expected_order or draft.state.order
    presumed: dict[str, Span] = {}
    for name in dict.fromkeys(names):
        span, wanted = draft.get(name), expected.get(name)
        if span is None or span.life == "collected":
            continue
        if wanted is not None and not wanted.gone:
            span = as_counted(wanted, span)
        elif span.gone:
            continue
        presumed[name] = replace(doubted(span, Doubt(draft.seq, why)), seq=draft.seq)
        draft.put(presumed[name])
        draft.edited[name] = None
    for name in dict.fromkeys([*order, *presumed]):
        if name in presumed:
            presume_place(draft, presumed[name], order)


def _tell_by_hashes(draft: Transaction, event: Rollback, undoing: Undoing) -> None:
    """A claimed hash tells what the agent now holds; of a partial rollback nothing else does."""
    names = dict.fromkeys(name for entry in reversed(undoing.named) for name in entry.spans)
    doubt = Doubt(event.seq, f"the rollback at {event.seq} was partial")
    if undoing.expected_order is draft.order and (event.hashes or event.outcome == "partial"):
        undoing.expected_order = list(draft.order)
    for name in names:
        claim = event.hashes.get(name)
        span = draft.get(name)
        if event.outcome == "partial" and span is not None and not span.gone:
            draft.edited[name] = None
        if claim is not None or event.outcome == "partial":
            tell_by_hash(draft, name, claim, doubt)
    as_before = {name for name in names if name in event.hashes and _is_as_before(draft, name)}
    if as_before:
        undoing.redone = [(old, _unmoved(old, new, as_before)) for old, new in undoing.redone]


def _is_as_before(draft: Transaction, name: str) -> bool:
    """Whether a span holds what it held before the rollback."""
    before, now = draft.state.spans.get(name), draft.get(name)
    return before is not None and now is not None and now.node is before.node


def _unmoved(entry: Entry, redone: Entry, names: set[str]) -> Entry:
    """The redone entry, whose edits of these spans, which nothing has moved in, stand as made."""
    parts = (
        old if old.kind in IN_PLACE and old.span in names else new
        for old, new in zip(entry.parts, redone.parts, strict=True)
    )
    return replace(redone, parts=tuple(parts))
