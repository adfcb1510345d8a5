"""The rules at a rollback: UND221 to UND227 (seed 003)."""

from __future__ import annotations

from typing import Any

from spanscope.journal.events import Rollback
from spanscope.model.effects import Effect, Undoing
from spanscope.model.spans import Doubt, Span
from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, entry_sound
from spanscope.rules.inverses import entry_subject, entry_words
from spanscope.rules.memory import Memory
from spanscope.rules.report import Report, damage_evidence, excerpt


def judge_rollback(
    state: BufferState, effect: Effect, memory: Memory, known_from: int, report: Report
) -> None:
    """What a rollback did against what it should have done.

    `known_from` is the seq of the first entry that was known before it.
    """
    undoing = effect.undoing
    event = effect.event
    if undoing is None or not isinstance(event, Rollback):
        return
    _note_unknown(undoing, memory, known_from, state)
    if undoing.past_start is not None:
        past_start(event, undoing.past_start, report)
        return
    if undoing.after_loss or event.to is None:
        _restore(event, undoing, report)
    if not undoing.after_loss:
        # Other entries may have stood there, or the checkpoint have been made anew.
        return
    happened = event.outcome in ("done", "partial")
    if happened:
        _order(event, undoing, report)
        _other_stores(event, undoing, report)
        _other_actors(event, undoing, report)
    if undoing.unknown_ground or (undoing.impossible is not None and event.edits is None):
        return
    damaged = _corrupted(state, effect, undoing, happened, report)
    if event.outcome == "done" and undoing.named and not effect.changed and damaged:
        named = [entry.seq for entry in undoing.named]
        what = f"entry {named[0]}" if len(named) == 1 else f"entries {named[-1]} to {named[0]}"
        message = f"a rollback of {what} was reported done, and nothing was restored."
        report.add("UND227", {"entry": named[0]}, message, {"entries": named})


def past_start(event: Rollback, stack: int, report: Report) -> None:
    """UND223; `stack` is how many entries there are, of its `stores` where it names some."""
    steps = 1 if event.steps is None else event.steps
    of = "" if event.stores is None else f" of {' or '.join(event.stores) or 'no store'}"
    message = (
        f"a rollback of {steps} step{'' if steps == 1 else 's'}, but the undo stack has {stack} "
        f"entr{'y' if stack == 1 else 'ies'}{of}."
    )
    report.add("UND223", {}, message, {"steps": steps, "stack": stack})


def _note_unknown(undoing: Undoing, memory: Memory, known_from: int, state: BufferState) -> None:
    for entry in undoing.named:
        doubt = entry.doubt
        if entry.seq < known_from:
            doubt = state.doubt or doubt
        elif doubt is None and entry_sound(entry) is None:
            doubt = Doubt(entry.seq, "the source does not record inverses")
        if doubt is not None:
            memory.note_unknown("entry", entry.seq, doubt)


def _restore(event: Rollback, undoing: Undoing, report: Report) -> None:
    if event.method != "restore":
        return
    savepoint = undoing.savepoint
    if savepoint is not None and savepoint.snapshot:
        return
    if savepoint is None and event.to is not None and undoing.unknown_ground:
        # It may have been made where lines were lost.
        return
    name = event.to or "the target"
    message = f"restored to {name}, which kept no full copy: only a snapshot can be restored."
    made_at = None if savepoint is None else savepoint.seq
    report.add("UND224", {}, message, {"checkpoint": event.to}, caused_by=made_at)


def _order(event: Rollback, undoing: Undoing, report: Report) -> None:
    if event.method == "restore" and undoing.savepoint is not None and undoing.savepoint.snapshot:
        return
    missing = [
        entry for entry in undoing.named if entry.lacking and entry.recorded and entry.doubt is None
    ]
    if missing:
        entry = missing[0]
        message = f"the rollback went through {entry_words(entry)}, which has no inverse."
        evidence = {"entries": [entry.seq for entry in undoing.named], "missing": entry.seq}
        report.add("UND222", entry_subject(entry), message, evidence, caused_by=entry.seq)
        return
    if event.edits is None:
        if undoing.impossible is not None:
            _said_impossible(undoing, report)
        return
    for skipped in reversed(undoing.skipped):
        shared = [entry for entry in undoing.named if _depend(entry, skipped)]
        if shared:
            message = (
                f"{entry_words(shared[0])} was undone and {entry_words(skipped)}, made on top of "
                "it, was skipped and not replayed."
            )
            evidence = {"undone": [entry.seq for entry in shared], "skipped": skipped.seq}
            report.add("UND222", entry_subject(skipped), message, evidence, caused_by=skipped.seq)
            return


def _said_impossible(undoing: Undoing, report: Report) -> None:
    blocker = undoing.stopped or (undoing.named[-1] if undoing.named else None)
    if blocker is None:
        return
    message = f"the selective rollback is impossible and nothing moved: {undoing.impossible}."
    evidence = {
        "named": [entry.seq for entry in undoing.named],
        "skipped": [entry.seq for entry in undoing.skipped],
    }
    report.add("UND222", entry_subject(blocker), message, evidence, caused_by=blocker.seq)


def _depend(undone: Entry, skipped: Entry) -> bool:
    if skipped.seq < undone.seq:
        return False
    if set(undone.spans) & set(skipped.spans):
        return True
    return undone.touches_order and skipped.touches_order


def _other_stores(event: Rollback, undoing: Undoing, report: Report) -> None:
    left = [entry for entry in undoing.left_stores if any(part.changed for part in entry.parts)]
    if event.to is None or not left:
        return
    stores = sorted({store for entry in left for store in entry.stores})
    message = (
        f"the rollback to {event.to} left {', '.join(stores)} as it is, though it changed since: "
        f"{', '.join(entry_words(entry) for entry in left[:4])}."
    )
    evidence = {"stores": stores, "entries": [entry.seq for entry in left]}
    report.add("UND225", entry_subject(left[-1]), message, evidence, caused_by=left[0].seq)


def _other_actors(event: Rollback, undoing: Undoing, report: Report) -> None:
    for entry in undoing.named:
        if entry.actor != event.actor:
            message = f"{event.actor}'s rollback undid {entry_words(entry)}, made by {entry.actor}."
            evidence = {"actor": event.actor, "entry_actor": entry.actor}
            report.add("UND226", entry_subject(entry), message, evidence, caused_by=entry.seq)


def _corrupted(
    state: BufferState, effect: Effect, undoing: Undoing, happened: bool, report: Report
) -> bool:
    """UND221 for every span that is not what it was; whether there is any."""
    expected = undoing.expected if happened else {}
    if expected is None:
        return False
    cause = next((e.seq for e in undoing.named if entry_sound(e) is not True), None)
    before = {change.after.span: change.before for change in effect.spans}
    damaged = False
    for name in dict.fromkeys((*expected, *before)):
        wanted = expected.get(name) or before.get(name)
        actual = state.spans.get(name)
        found = _difference(wanted, actual)
        if found is not None:
            message, evidence = found
            report.add("UND221", {"span": name}, message, evidence, caused_by=cause)
            damaged = True
    if happened and not damaged:
        damaged = _disordered(state, undoing, cause, report)
    return damaged


def _difference(wanted: Span | None, actual: Span | None) -> tuple[str, dict[str, Any]] | None:
    if actual is None or actual.doubt is not None:
        return None
    if wanted is None:
        if actual.gone:
            return None
        return f"{actual.span} came into being in a rollback.", {"actual": "live"}
    if wanted.doubt is not None:
        return None
    if wanted.gone != actual.gone or wanted.live != actual.live:
        message = f"after the rollback {actual.span} is {actual.life}, it should be {wanted.life}."
        return message, {"expected": wanted.life, "actual": actual.life}
    if wanted.gone or wanted.node.same_content(actual.node) is not False:
        return None
    if not (wanted.node.text_known and actual.node.text_known):
        evidence = {"expected_hash": wanted.node.hash, "actual_hash": actual.node.hash}
        return f"after the rollback {actual.span} has another hash than before.", evidence
    return _damage(wanted, actual)


def _damage(wanted: Span, actual: Span) -> tuple[str, dict[str, Any]]:
    first, evidence = damage_evidence(wanted.node.text, actual.node.text)
    more = len(evidence["ranges"]) - 1
    message = (
        f"after the rollback {actual.span} is not what it was before the undone entries: at "
        f'{first.at}..{first.at + len(first.actual)} it holds "{excerpt(first.actual, 40)}" '
        f'instead of "{excerpt(first.expected, 40)}"{_and_more(more)}.'
    )
    evidence |= {"expected_hash": wanted.node.hash, "actual_hash": actual.node.hash}
    return message, evidence


def _and_more(places: int) -> str:
    if places > 1:
        return f", and {places} more places differ"
    return ", and 1 more place differs" if places else ""


def _disordered(state: BufferState, undoing: Undoing, cause: int | None, report: Report) -> bool:
    wanted = undoing.expected_order
    if wanted is None or state.doubt is not None or wanted == state.order:
        return False
    if any(entry.touches_order for entry in undoing.skipped):
        return False
    if set(wanted) != set(state.order):
        return False
    name = next(a for a, b in zip(wanted, state.order, strict=True) if a != b)
    message = f"after the rollback the spans stand in another order than before, from {name} on."
    evidence = {"expected": wanted[:50], "actual": state.order[:50]}
    report.add("UND221", {"span": name}, message, evidence, caused_by=cause)
    return True
