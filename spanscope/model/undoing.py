"""Undo, exactly: the truth of what stood before some entries, from what really happened.

Undo runs from the head down; entries that are kept are redone, oldest first, at their mapped
places, never jumped over (seed 003).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from msgspec.structs import replace

from spanscope.model.orders_met import order_met, place_back
from spanscope.model.rebasing import ImpossibleUndoError, OneEdit, rebase
from spanscope.model.reordering import Met, PartKey, Reordered, reordered
from spanscope.model.spans import COPIED, Span, as_counted
from spanscope.model.stack import NOTHING_PASSED, Passed
from spanscope.model.transaction import Transaction
from spanscope.model.undo import IN_PLACE, Entry, Part


def undo_entries(
    draft: Transaction, named: list[Entry], kept: Passed = NOTHING_PASSED
) -> list[tuple[Entry, Entry]]:
    """Undo the named entries (head first) and redo the kept ones above the oldest of them.

    Returns the kept entries with what they became: their places may have changed.

    Raises:
        ImpossibleUndoError: a kept entry builds on what an undone one did.
    """
    rebuilt: dict[PartKey, Part] = {}
    undone = {entry.seq for entry in named}
    shared = _shared(draft, named, kept)
    edits = {name: _edits_of(name, entries) for name, entries in shared.items()}
    rebased = [name for name in edits if not _leaves_in_place(name, edits[name], undone)]
    for entry in named:
        for number in reversed(range(len(entry.parts))):
            part = entry.parts[number]
            if part.kind not in IN_PLACE or part.span not in shared:
                _undo_part(draft, entry, number)
    # Last, on the spans that came back: an undone prune brings one back as it was then.
    unsure: ImpossibleUndoError | None = None
    for name in rebased:
        try:
            rebase(draft, name, edits[name], undone, rebuilt)
        except ImpossibleUndoError as reason:
            if reason.sure:
                raise
            # Another span may be a reason for sure.
            unsure = unsure or reason
    if unsure is not None:
        raise unsure
    again = reordered(draft.state, named)
    if again is not None:
        draft.reorder(_of_those_there(draft, again.order))
        draft.meant_order = again.order
    return [
        (entry, _made_again(entry, rebuilt, {} if again is None else again.met))
        for entry in _become_others(draft, kept, rebuilt, again)
    ]


def _of_those_there(draft: Transaction, order: list[str]) -> list[str]:
    """An order without whom undoing the entries took away, whoever it was that came without one."""
    if len(order) == len(draft.order):
        return order
    there = set(draft.order)
    return [name for name in order if name in there]


def _become_others(
    draft: Transaction, kept: Passed, rebuilt: Iterable[PartKey], again: Reordered | None
) -> list[Entry]:
    """The kept entries that are not what they were, head first."""
    if not kept:
        return []
    seqs = {seq for seq, _ in chain(rebuilt, () if again is None else again.met)}
    seqs.update(entry.seq for entry in draft.state.touches.with_offsets(kept[-1].seq - 1))
    found = (draft.state.entry(seq) for seq in sorted(seqs, reverse=True) if kept.has(seq))
    return [place[1] for place in found if place is not None]


def _made_again(entry: Entry, rebuilt: dict[PartKey, Part], met: dict[PartKey, Met]) -> Entry:
    """A kept entry as it is done again; its offsets no longer count."""
    parts = []
    for number, part in enumerate(entry.parts):
        key = entry.seq, number
        edit = rebuilt.get(key, part)
        if edit.told_offset:
            edit = replace(edit, without_at=True)
        if key in met:
            order, place, was_at = met[key]
            edit = replace(edit, order=order, index=place, was_at=was_at)
        parts.append(edit)
    return replace(entry, parts=tuple(parts))


def _shared(draft: Transaction, named: list[Entry], kept: Passed) -> dict[str, list[Entry]]:
    """The spans that both touched, by name, with the entries that did."""
    if not kept:
        return {}
    undone: dict[str, list[Entry]] = {}
    for entry in named:
        for name in entry.spans:
            undone.setdefault(name, []).append(entry)
    shared = {}
    touches, oldest = draft.state.touches, named[-1].seq
    for name in sorted(undone):
        above = touches.above(touches.spans.get(name, []), oldest)
        mine = [entry for entry in above if kept.has(entry.seq)]
        if mine:
            shared[name] = undone[name] + mine
    return shared


def _undo_part(draft: Transaction, entry: Entry, number: int) -> None:
    """Put back what stood before one edit; strict order, by what really happened."""
    part = entry.parts[number]
    now = draft.get(part.span)
    if part.kind == "ingest":
        _undo_ingest(draft, part, now)
    elif part.kind == "copy":
        _undo_copy(draft, entry, number, now)
    elif part.kind == "prune":
        _undo_prune(draft, entry, number, now)
    elif part.kind == "move":
        if now is not None and now.live and part.index != part.was_at:
            draft.remove(part.span)
            _reinsert(draft, entry, number, part.span, part.was_at)
    elif now is not None:
        _undo_in_place(draft, part, now)


def _undo_in_place(draft: Transaction, part: Part, now: Span) -> None:
    before = part.before
    assert before is not None
    assert part.after is not None
    draft.put(_returned(draft, now, before))
    draft.edited[part.span] = None


def _returned(draft: Transaction, now: Span, before: Span) -> Span:
    return replace(
        now,
        node=before.node,
        seq=draft.seq,
        produced_by=before.produced_by,
        op=before.op,
        written=draft.seq,
        doubt=before.doubt,
    )


def _undo_ingest(draft: Transaction, part: Part, now: Span | None) -> None:
    if now is None:
        return
    before = part.before
    if before is None:
        draft.remove(part.span)
        draft.put(_gone(draft, now))
        return
    if not before.live:
        draft.remove(part.span)
    back = _used(as_counted(before, now))
    draft.put(replace(back, seq=draft.seq, written=draft.seq))
    if not before.gone:
        draft.edited[part.span] = None


def _gone(draft: Transaction, now: Span) -> Span:
    """A span that undo took from the buffer: surely, whatever it held."""
    doubt = now.doubt and now.doubt._replace(only_content=True)
    seq = draft.seq
    gone = replace(now, life="pruned", since=seq, op="rollback", doubt=doubt)
    return replace(gone, seq=seq, written=seq)


def _undo_copy(draft: Transaction, entry: Entry, number: int, now: Span | None) -> None:
    part = entry.parts[number]
    source = None if part.source is None else draft.get(part.source)
    before = part.before
    assert before is not None
    revived = source is not None and source.life in COPIED and before.live
    if now is not None and now.live:
        if source is not None and revived:
            draft.substitute(part.span, source.span)
        else:
            draft.remove(part.span)
    if source is not None and source.life in COPIED:
        draft.put(replace(source, life=before.life, into=before.into, seq=draft.seq))
        if revived and source.span not in draft.order:
            _reinsert(draft, entry, number, source.span, part.index)
    if now is None:
        return
    if part.taken is None:
        draft.put(_gone(draft, now))
    else:
        _give_back(draft, part, part.taken, now)
        if part.taken.live:
            _reinsert(draft, entry, number, part.span, part.was_at)


def _give_back(draft: Transaction, part: Part, taken: Span, now: Span) -> None:
    """What stood under the id of a copy stands there again."""
    back = _used(as_counted(taken, now) if now.claimed is not None else taken)
    draft.put(replace(back, version=now.version, seq=draft.seq, written=draft.seq))
    if not taken.gone:
        draft.edited[part.span] = None


def _used(span: Span) -> Span:
    """An id of which a use was undone: its versions go on also where an earlier use was aborted."""
    return replace(span, op="rollback") if span.never_was else span


def _undo_prune(draft: Transaction, entry: Entry, number: int, now: Span | None) -> None:
    part = entry.parts[number]
    before = part.before
    assert before is not None
    if now is not None and now.live:
        draft.remove(part.span)
    if part.span in draft.state.order:
        draft.reseated.add(part.span)
    version = before.version if now is None else now.version
    draft.put(replace(before, seq=draft.seq, version=version, written=draft.seq))
    if before.live:
        _reinsert(draft, entry, number, part.span, part.was_at)


def _reinsert(draft: Transaction, entry: Entry, number: int, name: str, at: int | None) -> None:
    """Put a span back where it stood before an edit, it is believed at this place."""
    was = order_met(draft.state, entry, number)
    draft.insert(place_back(draft.state, draft.order, name, was, at), name)


def _edits_of(name: str, entries: list[Entry]) -> list[OneEdit]:
    """The edits of a span, oldest first."""
    return [
        (entry, number, part)
        for entry in sorted(entries, key=lambda item: item.seq)
        for number, part in enumerate(entry.parts)
        if name in (part.span, part.source)
    ]


def _leaves_in_place(name: str, steps: list[OneEdit], undone: set[int]) -> bool:
    """Whether no content needs rebasing; refuses where a kept edit needs an undone span."""
    missing = False
    for entry, _, part in steps:
        if entry.seq in undone:
            missing = missing or (
                part.kind in ("ingest", "prune", "copy") and name in (part.span, part.source)
            )
        elif missing:
            raise ImpossibleUndoError(
                f"entry {entry.seq} changes {name}, which depends on an entry that is undone"
            )
    mine = [(entry.seq in undone, part) for entry, _, part in steps if part.kind in IN_PLACE]
    return not any(gone for gone, _ in mine)
