"""What each event does to the buffer. Nothing is judged here: the effect says what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from spanscope.journal import events as ev
from spanscope.journal.parts import AnyEdit, IngestEdit, Inverse, MoveEdit, PruneEdit, RewriteEdit
from spanscope.model.effects import Effect, Problem, Undoing
from spanscope.model.holding import derive, release
from spanscope.model.rollback import expect, perform, presume_place, select
from spanscope.model.spans import Doubt
from spanscope.model.splicing import is_plain, splice_plainly
from spanscope.model.staging import applied_edits, stage_diff
from spanscope.model.state import BufferState, LastChange, OrderStep, Savepoint, Superseding
from spanscope.model.transaction import Transaction
from spanscope.model.undo import Entry, Part

Handler = Callable[[BufferState, Any, Effect], None]


def replay(state: BufferState, event: ev.AnyEvent | ev.Unknown) -> Effect:
    """Let the event happen to the buffer and say what it did."""
    effect = Effect(seq=event.seq, event=event)
    state.seq = event.seq
    handler = HANDLERS.get(type(event))
    if handler is not None:
        handler(state, event, effect)
    state.pending.pop(event.seq, None)
    return effect


def lose(state: BufferState, doubt: Doubt) -> None:
    """Lines were lost: every span, the order and the undo stack are unknown from here."""
    for _name, span in list(state.spans.items()):
        if not span.gone and span.doubt is None:
            state.put(replace(span, doubt=doubt, seq=state.seq))
    state.known_from = len(state.stack)
    state.revision = None
    state.last_change = None
    state.lost_at = doubt.since
    if state.doubt is None:
        state.doubt = doubt


def find_again(state: BufferState, digest: str | None, effect: Effect) -> None:
    """A matching digest makes everything known again."""
    if digest is None or (state.doubt is None and not any_doubt(state)):
        return
    if state.digest(presumed=True) != digest:
        return
    for _name, span in list(state.spans.items()):
        if span.doubt is not None:
            state.put(replace(span, doubt=None, seq=state.seq))
    state.doubt = None
    state.known_from = 0
    effect.cleared = True


def any_doubt(state: BufferState) -> bool:
    """Whether any span's content is unknown."""
    return any(span.doubt is not None for span in state.spans.values())


def commit(
    state: BufferState, draft: Transaction, effect: Effect, *, entry: Entry | None = None
) -> None:
    """Take the draft over; `entry` is what goes onto the undo stack."""
    effect.spans = draft.changes()
    effect.problems += draft.problems
    effect.order_changed = draft.appended or draft.order != state.order
    effect.content_changed = any(change.counts for change in effect.spans)
    undone = frozenset(name for name in draft.work if name in state.undone_ids)
    remember(state, effect, draft.steps, entry, undone)
    for span in draft.work.values():
        state.put(span if span.seq == effect.seq else replace(span, seq=effect.seq))
    if draft.steps:
        _take_order(state, draft)


def remember(
    state: BufferState,
    effect: Effect,
    steps: list[OrderStep],
    entry: Entry | None,
    undone: frozenset[str] = frozenset(),
) -> None:
    """Count the revision, push the entry, and keep what an abort would have to put back."""
    # An observation that agrees with the replay is no change.
    if entry is not None or not isinstance(effect.event, ev.Observe):
        state.last_change = LastChange(
            seq=effect.seq,
            spans={
                change.after.span: state.spans.get(change.after.span) for change in effect.spans
            },
            steps=steps,
            pushed=int(entry is not None),
            popped=[],
            replaced=[],
            revision=state.revision,
            artifacts={},
            undone=undone,
        )
    if effect.changed and state.revision is not None:
        state.revision += 1
        del state.revision_seq[state.revision :]
        state.revision_seq.append(effect.seq)
    if entry is not None:
        state.push(entry)
        effect.pushed = entry


def _take_order(state: BufferState, draft: Transaction) -> None:
    appended = draft.steps[0].inserted if draft.appended else None
    if appended is not None:
        state.append_to_order(draft.steps, appended)
    else:
        state.take_order(draft.steps, draft.order)


def make_entry(state: BufferState, draft: Transaction, event: ev.Event, op: str) -> Entry | None:
    """The undo entry of a draft; null where no edit took effect."""
    if not draft.parts:
        return None
    pending = state.pending.get(event.seq, {})
    parts = []
    for number, part in enumerate(draft.parts):
        inverse = pending.get(number) or (pending.get(None) if len(draft.parts) == 1 else None)
        parts.append(replace(part, inverse=inverse) if inverse and not part.inverse else part)
    doubts = (_doubt_of(state, part) for part in parts)
    return Entry(
        seq=event.seq,
        op=op,
        actor=event.actor,
        parts=tuple(parts),
        recorded=state.can_record("inverses"),
        doubt=next((doubt for doubt in doubts if doubt is not None), None),
    )


def _doubt_of(state: BufferState, part: Part) -> Doubt | None:
    """Why it can't be told what undoing an edit restores: where a span stood, or what it held."""
    if part.kind == "move":
        return state.doubt
    if part.kind in ("ingest", "copy") or part.before is None:
        return None
    return part.before.doubt


def with_inverse(draft: Transaction, number: int, inverse: Inverse | None) -> None:
    """Give the part its inverse record."""
    if inverse is not None:
        draft.parts[number] = replace(draft.parts[number], inverse=inverse)


def _direct(
    state: BufferState,
    event: ev.Ingest | ev.Rewrite | ev.Splice | ev.Prune | ev.Move,
    effect: Effect,
    do: Callable[[Transaction], bool],
) -> None:
    draft = Transaction(state, event.seq, event.actor)
    done = do(draft)
    if not isinstance(event, ev.Move | ev.Ingest) and done:
        with_inverse(draft, 0, event.inverse)
    if not isinstance(event, ev.Move):
        name = event.into if isinstance(event, ev.Rewrite) and event.into else event.span
        versions = {} if event.version is None else {name: event.version}
        hashes = {} if event.hash is None else {name: event.hash}
        effect.claims = draft.settle(versions, hashes, believe=event.redacted)
    entry = make_entry(state, draft, event, _op(draft.parts[0])) if done else None
    commit(state, draft, effect, entry=entry)
    if isinstance(event, ev.Rewrite | ev.Splice | ev.Prune) and done:
        tell(state, event.invalidates, effect)


def _op(part: Part) -> str:
    return "rewrite" if part.kind == "copy" else part.kind


def _ingest(state: BufferState, event: ev.Ingest, effect: Effect) -> None:
    edit = IngestEdit(
        span=event.span,
        role=event.role,
        after=event.after,
        origin=event.origin,
        store=event.store,
        answers=event.answers,
        hash=event.hash,
        redacted=event.redacted,
        content=event.content,
    )
    _direct(state, event, effect, lambda draft: draft.ingest(edit))
    _supersede(state, event.span, event.supersedes, effect)
    state.undone_ids.discard(event.span)


def _supersede(state: BufferState, name: str, others: list[str], effect: Effect) -> None:
    for other in dict.fromkeys(others):
        if other in state.spans:
            state.superseded.setdefault(other, []).append(Superseding(name, effect.seq))
        elif state.doubt is None:
            message = f"ingest of {name} supersedes span {other}, which was never ingested."
            effect.problems.append(Problem("JNL007", {"span": other}, message, {"span": other}))


def _rewrite(state: BufferState, event: ev.Rewrite, effect: Effect) -> None:
    edit = RewriteEdit(
        span=event.span,
        op=event.op,
        into=event.into,
        hash=event.hash,
        redacted=event.redacted,
        content=event.content,
    )
    _direct(state, event, effect, lambda draft: draft.rewrite(edit))
    if event.into is not None:
        state.undone_ids.discard(event.into)


def _splice(state: BufferState, event: ev.Splice, effect: Effect) -> None:
    before = state.spans.get(event.span)
    if before is not None and is_plain(before, event):
        after, part = splice_plainly(state, before, event, effect)
        entry = Entry(
            seq=event.seq,
            op="splice",
            actor=event.actor,
            parts=(part,),
            recorded=state.can_record("inverses"),
        )
        remember(state, effect, [], entry)
        state.put(after)
        tell(state, event.invalidates, effect)
        return
    _direct(
        state,
        event,
        effect,
        lambda draft: draft.splice(
            event.span, event.at, event.delete, event.insert, redacted=event.redacted
        ),
    )


def _prune(state: BufferState, event: ev.Prune, effect: Effect) -> None:
    _direct(state, event, effect, lambda draft: draft.prune(PruneEdit(span=event.span)))


def _move(state: BufferState, event: ev.Move, effect: Effect) -> None:
    edit = MoveEdit(span=event.span, after=event.after)
    _direct(state, event, effect, lambda draft: draft.move(edit))


def tell(state: BufferState, artifacts: list[str], effect: Effect) -> None:
    """The holders of these artifacts were told."""
    for name in artifacts:
        artifact = state.artifacts.get(name)
        if artifact is None:
            if not state.damaged:
                message = f"invalidates names artifact {name}, which is not live."
                subject: dict[str, str | int] = {"artifact": name}
                effect.problems.append(Problem("JNL007", subject, message, dict(subject)))
            continue
        if state.last_change is not None and state.last_change.seq == effect.seq:
            state.last_change.artifacts[name] = artifact
        state.artifacts[name] = replace(artifact, told=effect.seq)
        effect.told.append(state.artifacts[name])


def _inverse(state: BufferState, event: ev.InverseRecord, effect: Effect) -> None:
    if event.of > event.seq:
        state.pending.setdefault(event.of, {})[event.edit] = event.inverse()
        return
    found = state.entry(event.of)
    number = event.edit or 0
    if found is None or not 0 <= number < len(found[1].parts):
        _no_entry(state, event.of, "inverse", effect)
        return
    position, entry = found
    part = replace(entry.parts[number], inverse=event.inverse(), late=True)
    _replace_part(state, position, entry, number, part, effect)


def _replace_part(
    state: BufferState, position: int, entry: Entry, number: int, part: Part, effect: Effect
) -> None:
    parts = (*entry.parts[:number], part, *entry.parts[number + 1 :])
    state.stack[position] = replace(entry, parts=parts)
    effect.replaced.append((entry, state.stack[position]))


def _no_entry(state: BufferState, seq: int, verb: str, effect: Effect) -> None:
    if not state.damaged:
        message = f"{verb} names entry {seq}, which is not on the undo stack."
        effect.problems.append(Problem("JNL007", {"entry": seq}, message, {"entry": seq}))


def _evict(state: BufferState, event: ev.Evict, effect: Effect) -> None:
    for seq in event.of:
        found = state.entry(seq)
        if found is None:
            if not 1 <= seq < event.seq:
                _no_entry(state, seq, "evict", effect)
            continue
        position, entry = found
        parts = tuple(
            replace(part, inverse=None, evicted=True) if part.inverse is not None else part
            for part in entry.parts
        )
        state.stack[position] = replace(entry, parts=parts)
        effect.replaced.append((entry, state.stack[position]))


def _abort(state: BufferState, event: ev.Abort, effect: Effect) -> None:
    last = state.last_change
    if last is None or last.seq != event.of:
        _no_entry(state, event.of, "abort", effect)
        return
    draft = Transaction(state, event.seq, event.actor)
    for step in reversed(last.steps):
        draft.undo(step)
    forgotten = {name for name, before in last.spans.items() if before is None}
    for name, before in last.spans.items():
        was = before or replace(state.spans[name], life="pruned", op="abort")
        draft.put(replace(was, seq=event.seq))
    if last.pushed:
        effect.popped = [state.stack.pop()]
    commit(state, draft, effect)
    effect.restored = last.popped[::-1]
    for entry in effect.restored:
        state.push(entry)
    for old, new in last.replaced:
        found = state.entry(new.seq)
        if found is not None:
            state.stack[found[0]] = old
            effect.replaced.append((new, old))
    state.revision = last.revision
    state.undone_ids |= last.undone | forgotten
    _supersede_as_before(state, last)
    state.artifacts.update(last.artifacts)
    effect.told = list(last.artifacts.values())
    if last.diff is not None and last.diff.diff not in state.staged:
        state.staged[last.diff.diff] = last.diff
        effect.diff = last.diff
    state.known_from = min(state.known_from, len(state.stack))
    state.last_change = None


def _supersede_as_before(state: BufferState, last: LastChange) -> None:
    if last.superseded is not None:
        state.superseded = last.superseded
    elif state.superseded:
        state.supersede_no_more(lambda superseding: superseding.seq == last.seq)


def _checkpoint(state: BufferState, event: ev.Checkpoint, effect: Effect) -> None:
    find_again(state, event.digest, effect)
    state.savepoints[event.checkpoint] = Savepoint(
        checkpoint=event.checkpoint,
        seq=event.seq,
        snapshot=event.snapshot,
        spans=dict(state.spans) if event.snapshot else None,
        order=tuple(state.order) if event.snapshot else (),
    )


def _rollback(state: BufferState, event: ev.Rollback, effect: Effect) -> None:
    undoing = select(state, event, effect.problems)
    effect.undoing = undoing
    crossed = undoing.named + undoing.skipped
    through_unknown = any(entry.seq < state.known_since for entry in crossed)
    undoing.unknown_ground = undoing.unknown_ground or through_unknown
    expect(state, undoing, event.seq, event.actor)
    draft = perform(state, event, undoing)
    effect.claims = draft.settle(event.versions, event.hashes)
    takes_off = event.outcome in ("done", "partial") and not _nothing_moves(event, undoing)
    commit(state, draft, effect)
    if takes_off:
        _take_off(state, undoing, effect)
    if undoing.unknown_ground and takes_off and not undoing.restored:
        effect.lost = True
        lose(state, Doubt(event.seq, f"the rollback at {event.seq} went through unknown entries"))


def _nothing_moves(event: ev.Rollback, undoing: Undoing) -> bool:
    if undoing.past_start is not None:
        return event.edits is None
    return event.of is not None and event.edits is None and undoing.impossible is not None


def _take_off(state: BufferState, undoing: Undoing, effect: Effect) -> None:
    if state.last_change is not None:
        state.last_change.popped = list(undoing.named)
        state.last_change.replaced = undoing.redone
    count = len(undoing.named)
    if not undoing.redone and state.stack[len(state.stack) - count :] == undoing.named[::-1]:
        effect.popped = list(undoing.named)
        del state.stack[len(state.stack) - count :]
        state.known_from = min(state.known_from, len(state.stack))
    else:
        _take_out(state, undoing, effect)
    gone = set()
    for entry in undoing.named:
        for part in entry.parts:
            if part.kind in ("ingest", "copy"):
                gone.add(part.span)
    state.undone_ids |= gone
    if gone and state.superseded:
        if state.last_change is not None:
            state.last_change.superseded = state.superseded
        state.supersede_no_more(lambda superseding: superseding.span in gone)


def _take_out(state: BufferState, undoing: Undoing, effect: Effect) -> None:
    """Take the named entries from between others, which may have been redone elsewhere."""
    named = {entry.seq for entry in undoing.named}
    redone = {entry.seq: new for entry, new in undoing.redone}
    effect.popped = list(undoing.named)
    effect.replaced += undoing.redone
    kept_below = sum(entry.seq not in named for entry in state.stack[: state.known_from])
    state.stack = [redone.get(e.seq, e) for e in state.stack if e.seq not in named]
    state.known_from = kept_below


def _stage(state: BufferState, event: ev.Stage, effect: Effect) -> None:
    effect.diff = stage_diff(state, event, effect.problems)
    effect.replaced_diff = state.staged.get(event.diff)
    state.staged[event.diff] = effect.diff


def _apply(state: BufferState, event: ev.Apply, effect: Effect) -> None:
    diff = state.staged.get(event.diff)
    effect.diff = diff
    if diff is None and not state.damaged:
        _no_diff(event.diff, "apply", effect)
    draft = Transaction(state, event.seq, event.actor)
    edits = event.edits if event.edits is not None else (diff.edits if diff else ())
    happened = event.outcome == "done" or event.edits is not None
    if event.outcome == "partial" and event.edits is None:
        applied_edits(draft, edits, event.inverses)
        _partly(draft, event)
    elif happened:
        applied_edits(draft, edits, event.inverses)
    elif event.outcome == "failed":
        _moved_by_hash(draft, event)
    effect.claims = draft.settle(event.versions, event.hashes)
    entry = make_entry(state, draft, event, "apply") if draft.parts else None
    commit(state, draft, effect, entry=entry)
    effect.applied = happened or event.outcome == "partial"
    if effect.applied and diff is not None:
        del state.staged[event.diff]
        if state.last_change is not None:
            state.last_change.diff = diff
    state.undone_ids -= {part.span for part in draft.parts if part.kind in ("ingest", "copy")}
    _supersedings(state, draft, edits, effect)


def _supersedings(
    state: BufferState, draft: Transaction, edits: Sequence[AnyEdit], effect: Effect
) -> None:
    brought_in = {part.span for part in draft.parts if part.kind == "ingest"}
    for edit in edits:
        if isinstance(edit, IngestEdit) and edit.span in brought_in:
            _supersede(state, edit.span, edit.supersedes, effect)


def _partly(draft: Transaction, event: ev.Apply) -> None:
    """How much of a partial apply took place only hashes can tell."""
    why = f"the apply at {event.seq} was partial"
    for name in list(draft.work):
        span, before = draft.work[name], draft.state.spans.get(name)
        hash = event.hashes.get(name)
        if before is not None and (span.gone or (hash is not None and before.hash == hash)):
            produced_by = before.produced_by
            span = replace(span, node=before.node, life=before.life, produced_by=produced_by)
            presume_place(draft, span, draft.state.order)
        if hash is None:
            draft.put(replace(span, doubt=Doubt(event.seq, why)))
        elif span.hash == hash:
            draft.put(replace(span, seq=event.seq))
        else:
            node = span.node.with_hash(event.seq, event.actor, hash)
            draft.put(replace(span, node=node, seq=event.seq, doubt=None))


def _moved_by_hash(draft: Transaction, event: ev.Apply) -> None:
    """A failed apply whose claimed hashes differ did move content."""
    for name, hash in event.hashes.items():
        span = draft.get(name)
        if span is None or span.gone or span.hash is None or span.hash == hash:
            continue
        node = span.node.with_hash(event.seq, event.actor, hash)
        draft.put(replace(span, node=node, seq=event.seq, written=event.seq))
        draft.edited[name] = None


def _no_diff(name: str, verb: str, effect: Effect) -> None:
    message = f"{verb} names diff {name}, which is not staged."
    effect.problems.append(Problem("JNL007", {"diff": name}, message, {"diff": name}))


def _unstage(state: BufferState, event: ev.Reject | ev.Withdraw, effect: Effect) -> None:
    effect.diff = state.staged.pop(event.diff, None)
    if effect.diff is None and not state.damaged:
        _no_diff(event.diff, type(event).__name__.lower(), effect)


def _compact(state: BufferState, event: ev.Compact, effect: Effect) -> None:
    for name in event.spans:
        span = state.spans.get(name)
        if span is None:
            if state.doubt is None:
                message = f"compact names span {name}, which was never ingested."
                effect.problems.append(Problem("JNL007", {"span": name}, message, {"span": name}))
            continue
        effect.collected.append(span)
        if span.life == "tombstone":
            state.put(replace(span, life="collected", seq=event.seq, op="compact"))


def _observe(state: BufferState, event: ev.Observe, effect: Effect) -> None:
    find_again(state, event.digest, effect)
    draft = Transaction(state, event.seq, event.actor)
    for name, hash in event.hashes.items():
        _observe_hash(draft, name, hash, effect)
    for name, text in event.contents.items():
        _observe_text(draft, name, text)
    draft.settle({}, {})
    entry = make_entry(state, draft, event, "observe") if draft.parts else None
    commit(state, draft, effect, entry=entry)
    for span in draft.work.values():
        effect.resynced.append(span.span)


def _observe_hash(draft: Transaction, name: str, hash: str, effect: Effect) -> None:
    span = draft.get(name)
    if span is None or span.gone or name in _texts(effect):
        return
    node = span.node
    if node.text_known and node.hash == hash:
        if span.doubt is not None:
            draft.put(replace(span, doubt=None, seq=draft.seq))
        return
    if not node.text_known and span.doubt is None and node.hash == hash:
        return
    found = node.with_hash(draft.seq, draft.actor, hash)
    draft.put(replace(span, node=found, seq=draft.seq, doubt=None))


def _texts(effect: Effect) -> dict[str, str]:
    return effect.event.contents if isinstance(effect.event, ev.Observe) else {}


def _observe_text(draft: Transaction, name: str, text: str) -> None:
    span = draft.get(name)
    if span is None or span.gone:
        _observe_new(draft, name, text)
        return
    known = span.doubt is None and (span.node.text_known or span.hash is not None)
    same = span.node.text == text and (span.node.text_known or span.doubt is not None)
    if same and span.node.text_known:
        if span.doubt is not None:
            draft.put(replace(span, doubt=None, seq=draft.seq))
        return
    node = span.node.rewritten(draft.seq, draft.actor, text)
    after = replace(span, node=node, seq=draft.seq, doubt=None)
    if not known or node.hash == span.hash:
        draft.put(after)
        return
    draft.put(replace(after, op="observe", written=draft.seq))
    draft.edited[name] = None
    draft.parts.append(Part(kind="observe", span=name, store=span.store, before=span, after=node))


def _observe_new(draft: Transaction, name: str, text: str) -> None:
    edit = IngestEdit(span=name, content=text, origin="observe")
    draft.ingest(edit)
    draft.parts[-1] = replace(draft.parts[-1], kind="ingest")


def _gap(state: BufferState, event: ev.Gap, effect: Effect) -> None:
    effect.lost = True
    lose(state, Doubt(event.seq, f"the recorder missed events at {event.seq}: {event.reason}"))


HANDLERS: dict[type, Handler] = {
    ev.Ingest: _ingest,
    ev.Rewrite: _rewrite,
    ev.Splice: _splice,
    ev.Prune: _prune,
    ev.Move: _move,
    ev.Derive: derive,
    ev.Release: release,
    ev.InverseRecord: _inverse,
    ev.Evict: _evict,
    ev.Abort: _abort,
    ev.Checkpoint: _checkpoint,
    ev.Rollback: _rollback,
    ev.Stage: _stage,
    ev.Apply: _apply,
    ev.Reject: _unstage,
    ev.Withdraw: _unstage,
    ev.Compact: _compact,
    ev.Observe: _observe,
    ev.Gap: _gap,
}
