"""Changes taken back, and the records of how: `inverse`, `evict`, `abort`, `rollback`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from spanscope.journal import events as ev
from spanscope.model.committing import commit
from spanscope.model.direct import named_by, supersede_in, tell
from spanscope.model.effects import Effect, Problem, Undoing
from spanscope.model.losing import know_claimed, lose
from spanscope.model.rollback import expect, perform, select
from spanscope.model.spans import Artifact, Doubt, Span, doubted
from spanscope.model.state import BufferState, LastChange
from spanscope.model.transaction import Transaction
from spanscope.model.undo import Entry, Part


def record_inverse(state: BufferState, event: ev.InverseRecord, effect: Effect) -> None:
    """An inverse record of its own line: kept for its mutation to come, or late."""
    if event.of > event.seq:
        if event.edit is None and event.of > event.seq + 1:
            message = f"inverse names entry {event.of}, which is not the next event."
            effect.problems.append(
                Problem("JNL007", {"entry": event.of}, message, {"entry": event.of})
            )
        state.pending.setdefault(event.of, {})[event.edit or 0] = event.inverse()
        return
    found = state.entry(event.of)
    number = None if found is None else found[1].part_of(event.edit or 0)
    if found is None or number is None:
        if event.of not in state.did_not_happen:
            _no_entry(state, event.of, "inverse", effect)
    else:
        position, entry = found
        state.replace_entry(position, _completed(entry, event))
        effect.replaced = [(entry, state.stack[position])]
    _note_before_last(state, [event.of], lambda entry: _completed(entry, event))


def _completed(entry: Entry, event: ev.InverseRecord) -> Entry:
    """The entry with an inverse that came late."""
    number = entry.part_of(event.edit or 0)
    if number is None:
        return entry
    part = replace(entry.parts[number], record=event.inverse(), late=True, without_at=False)
    return replace(entry, parts=(*entry.parts[:number], part, *entry.parts[number + 1 :]))


def _without_inverses(entry: Entry) -> Entry:
    """The entry whose inverse records were dropped."""
    parts = tuple(
        replace(part, record=None, evicted=True) if part.record is not None else part
        for part in entry.parts
    )
    return replace(entry, parts=parts)


def _note_before_last(
    state: BufferState, seqs: Iterable[int], noted: Callable[[Entry], Entry]
) -> None:
    """Note something of entries as they were before the newest change too: an abort needs it."""
    last, wanted = state.last_change, set(seqs)
    if last is None:
        return
    last.popped = [noted(each) if each.seq in wanted else each for each in last.popped]
    last.replaced = [
        (noted(old), new) if old.seq in wanted else (old, new) for old, new in last.replaced
    ]


def _no_entry(state: BufferState, seq: int, verb: str, effect: Effect) -> None:
    if not state.damaged or seq >= state.lost_at:
        message = f"{verb} names entry {seq}, which is not on the undo stack."
        effect.problems.append(Problem("JNL007", {"entry": seq}, message, {"entry": seq}))


def evict(state: BufferState, event: ev.Evict, effect: Effect) -> None:
    """The log lost these inverse records."""
    replaced: list[tuple[Entry, Entry]] = []
    _note_before_last(state, event.of, _without_inverses)
    for seq in event.of:
        found = state.entry(seq)
        if found is None:
            if not 1 <= seq < event.seq:
                message = f"evict names entry {seq}, which can't be on the undo stack."
                problem = Problem("JNL007", {"entry": seq}, message, {"entry": seq})
                effect.problems.append(problem)
            continue
        position, entry = found
        state.replace_entry(position, _without_inverses(entry))
        replaced.append((entry, state.stack[position]))
    effect.replaced = replaced


def abort(state: BufferState, event: ev.Abort, effect: Effect) -> None:
    """The newest change did not happen after all: everything is as before it.

    A span of which only that change told, since lines were lost, may be there all the same.
    """
    last = state.last_change
    if last is None or last.seq != event.of:
        _abort_unknown(state, event, effect)
        return
    presumed = _presumed(state, last)
    if presumed and state.doubt is None:
        why = f"the abort at {event.seq} took back what told of {', '.join(sorted(presumed))}"
        effect.lost = lose(state, Doubt(event.seq, why), before=event.seq + 1)
    draft = Transaction(state, event.seq, event.actor)
    _put_back(draft, last, presumed)
    forgotten = {n for n, before in last.spans.items() if before is None and n not in presumed}
    if last.pushed:
        effect.popped = [state.stack.pop()]
    state.did_not_happen.add(last.seq)
    commit(state, draft, effect)
    effect.restored = last.popped[::-1]
    for entry in effect.restored:
        state.push(entry)
    effect.replaced = _entries_before(state, last)
    state.revision = last.revision
    state.undone_ids -= last.freed
    state.undone_ids |= last.undone | forgotten
    _supersede_as_before(state, last)
    effect.told = _told_before(state, last)
    if last.diff is not None and last.diff.diff not in state.staged:
        state.staged[last.diff.diff] = last.diff
        state.left.discard(("diff", last.diff.diff))
        effect.diff = last.diff
    if last.popped:
        state.known_from = last.known_from
    state.known_from = min(state.known_from, len(state.stack))
    state.last_change = None


def _put_back(draft: Transaction, last: LastChange, presumed: set[str]) -> None:
    """The spans and their order as they were before a change."""
    for step in reversed(last.steps):
        draft.undo(step)
    for name, before in last.spans.items():
        if name in presumed:
            draft.presume(name, before)
            continue
        was = before or replace(draft.state.spans[name], life="pruned", op="abort")
        draft.put(replace(was, seq=draft.seq))


def _entries_before(state: BufferState, last: LastChange) -> list[tuple[Entry, Entry]]:
    """The entries that a change redid elsewhere are as before it: (as it left them, as before)."""
    replaced = []
    for old, new in last.replaced:
        found = state.entry(new.seq)
        if found is not None:
            state.replace_entry(found[0], old)
            replaced.append((found[1], old))
    return replaced


def _told_before(state: BufferState, last: LastChange) -> list[Artifact]:
    """The artifacts whose holders the change told are as before it, where they were not left."""
    before = []
    for name, artifact in last.artifacts.items():
        now = state.artifacts.get(name)
        if now is not None and now.seq == artifact.seq:
            state.artifacts[name] = artifact
            before.append(artifact)
    return before


def _presumed(state: BufferState, last: LastChange) -> set[str]:
    """The spans that the change only presumed to be there, since lines were lost."""
    if not state.damaged:
        return set()
    if not last.pushed:
        return set(last.presumed)
    parts = state.stack[-1].parts
    brought_in = {part.span for part in parts if part.kind in ("ingest", "copy", "observe")}
    named = {name for name, before in last.spans.items() if before is None or before.gone}
    return named - brought_in


def _abort_unknown(state: BufferState, event: ev.Abort, effect: Effect) -> None:
    """An abort of no change that is known: after lost lines nobody knows what it took back.

    Since then the newest change may be one before them, as long as none was made.
    """
    if state.last_change is not None or event.of >= state.lost_at:
        if _unsee(state, event, effect):
            return
        message = f"abort names entry {event.of}, which is not the newest change."
        effect.problems.append(Problem("JNL007", {"entry": event.of}, message, {"entry": event.of}))
        return
    why = f"what the abort at {event.seq} took back can't be told"
    effect.lost = lose(state, Doubt(event.seq, why), before=event.seq + 1)
    state.certain_before = min(state.certain_before, max(event.of, 1))


def _unsee(state: BufferState, event: ev.Abort, effect: Effect) -> bool:
    """Take back what an observation told; false where the abort is of no such one.

    Of spans of which nothing was known, it may have found a change that was not logged.
    """
    seen, last = state.sighting, state.last_change
    if seen is None or seen.seq != event.of or (last is not None and last.seq > event.of):
        return False
    draft = Transaction(state, event.seq, event.actor)
    doubt = Doubt(event.seq, f"the abort at {event.seq} took back what {event.of} told")
    for name in seen.spans:
        told = state.span_at(name, event.of)
        if told is not None and state.spans[name].node is told.node:
            draft.put(replace(doubted(state.spans[name], doubt), seq=event.seq))
    commit(state, draft, effect)
    state.last_change = state.sighting = None
    return True


def _supersede_as_before(state: BufferState, last: LastChange) -> None:
    if last.superseded is not None:
        state.superseded = last.superseded
    elif state.superseded:
        state.supersede_no_more(lambda superseding: superseding.seq == last.seq)


def roll_back(state: BufferState, event: ev.Rollback, effect: Effect) -> None:
    """Entries come off the undo stack, and what they did is undone."""
    undoing = select(state, event, effect.problems)
    effect.undoing = undoing
    # What it skipped stands above what it named.
    through_unknown = bool(undoing.named) and undoing.named[-1].seq < state.known_since
    undoing.unknown_ground = undoing.unknown_ground or through_unknown
    meant = expect(state, undoing, event.seq, event.actor)
    draft = perform(state, event, undoing, meant)
    matching = {name for name, hash in event.hashes.items() if _holds(draft.get(name), hash)}
    effect.claims = draft.settle(event.versions, event.hashes)
    takes_off = event.outcome in ("done", "partial") and not _nothing_moves(event, undoing)
    commit(state, draft, effect)
    if event.edits is not None:
        tell(state, named_by(event.edits), effect)
    if takes_off:
        _take_off(state, undoing, effect)
    if event.edits is not None:
        supersede_in(state, draft, event.edits)
    if takes_off and event.edits is None:
        # What came of these spans is judged against what should have (UND221).
        names = {name for entry in undoing.named for name in entry.edited_spans}
        effect.claims = [c._replace(actual=None) if c.span in names else c for c in effect.claims]
    beyond = _goes_beyond_the_loss(state, undoing)
    undoing.after_loss = not beyond
    untold = beyond and not _confirmed(state, undoing, event.hashes)
    undoing.unknown_ground = undoing.unknown_ground or untold
    worked_out = event.edits is None and (untold or undoing.unsure or not undoing.restored)
    if undoing.unknown_ground and takes_off and worked_out:
        doubt = Doubt(event.seq, f"the rollback at {event.seq} went through unknown entries")
        effect.lost = lose(state, doubt, before=event.seq + 1)
        # What the agent claims may rest on what was lost.
        effect.claims = [claim._replace(actual=None, changed=None) for claim in effect.claims]
        know_claimed(state, matching)


def _goes_beyond_the_loss(state: BufferState, undoing: Undoing) -> bool:
    """Whether it named what may not be, or not alone, what stood there where events were lost."""
    if state.doubt is None:
        return False
    point = undoing.savepoint
    if point is not None and point.seq < state.lost_at:
        return True
    return bool(undoing.named) and undoing.named[-1].seq < state.lost_at


def _confirmed(state: BufferState, undoing: Undoing, hashes: dict[str, str]) -> bool:
    """Whether the agent claims to hold just what undoing the entries leaves."""
    crossed = (*undoing.named, *undoing.skipped)
    if undoing.restored or any(entry.touches_order for entry in crossed):
        return False
    touched = (name for entry in crossed for name in entry.spans)
    held = {name: state.spans.get(name) for name in (*touched, *hashes)}
    return all(
        span is not None and span.live and span.hash is not None and span.hash == hashes.get(name)
        for name, span in held.items()
    )


def _holds(span: Span | None, hash: str) -> bool:
    """Whether a span is presumed to hold what has this hash."""
    return span is not None and not span.gone and span.node.hash == hash


def _nothing_moves(event: ev.Rollback, undoing: Undoing) -> bool:
    if undoing.past_start is not None:
        return event.edits is None
    return event.of is not None and event.edits is None and undoing.impossible is not None


def _take_off(state: BufferState, undoing: Undoing, effect: Effect) -> None:
    if state.last_change is not None:
        state.last_change.popped = list(undoing.named)
        state.last_change.replaced = undoing.redone
        state.last_change.known_from = state.known_from
    effect.popped = list(undoing.named)
    effect.replaced = undoing.redone
    places = state.stack.take_out(entry.seq for entry in undoing.named)
    state.touches.take_out(undoing.named)
    state.known_from -= bisect_left(places, state.known_from)
    for entry, new in undoing.redone:
        found = state.entry(entry.seq)
        assert found is not None
        state.replace_entry(found[0], new)
    brought_in = [
        (entry.seq, part)
        for entry in undoing.named
        for part in entry.parts
        if part.kind in ("ingest", "copy")
    ]
    gone = {part.span for _, part in brought_in}
    back = {name for name in gone if not state.spans[name].gone and state.spans[name].life_known}
    first = {part.span for seq, part in brought_in if _first_use(state, seq, part)}
    freed = first - back - state.undone_ids
    freed = {name for name in freed if not _used_still(state, name)}
    state.undone_ids |= freed
    if state.last_change is not None:
        state.last_change.freed = frozenset(freed)
    if gone and state.superseded:
        if state.last_change is not None:
            state.last_change.superseded = state.superseded
        undone = {entry.seq for entry in undoing.named}
        state.supersede_no_more(lambda superseding: superseding.seq in undone)


def _used_still(state: BufferState, name: str) -> bool:
    """Whether a change that stands brought in an id."""
    parts = (part for entry in state.touches.on(name) for part in entry.parts)
    return any(part.span == name and part.kind in ("ingest", "copy") for part in parts)


def _first_use(state: BufferState, seq: int, part: Part) -> bool:
    """Whether an edit brought in an id that was never used, or whose uses were all undone.

    Where that can't be told of the earlier ones, it counts as such.
    """
    earlier = part.taken if part.kind == "copy" else part.before
    return earlier is None or not earlier.life_known or (seq, part.span) in state.used_anew
