"""The rules at a change, for the change itself: SPN111, 112, 116, 141 to 143, DIF307, DIF316."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from spanscope.journal.events import (
    Apply,
    Compact,
    Ingest,
    Observe,
    Prune,
    Rewrite,
    Rollback,
    Splice,
)
from spanscope.journal.parts import RewriteEdit
from spanscope.model.anchors import edit_places
from spanscope.model.effects import Effect
from spanscope.model.spans import Span
from spanscope.model.state import BufferState
from spanscope.model.versions import may_be_at
from spanscope.rules.finding import Severity
from spanscope.rules.memory import Memory
from spanscope.rules.past import Past
from spanscope.rules.report import Report, excerpt, short_hash


def judge_claims(effect: Effect, report: Report) -> None:
    """What the agent said holds after the event, against the truth."""
    if getattr(effect.event, "redacted", False):
        return
    for claim in effect.claims:
        subject = {"span": claim.span}
        if (
            claim.version is not None
            and claim.prior is not None
            and claim.changed
            and claim.version <= claim.prior
        ):
            message = (
                f"{claim.span} changed, but its claimed version did not increase: it was "
                f"v{claim.prior} and is claimed to be v{claim.version}."
            )
            evidence = {"claimed": claim.version, "before": claim.prior}
            report.add("SPN111", subject, message, evidence)
        if claim.hash is None or claim.actual is None:
            continue
        if claim.hash != claim.actual:
            message = (
                f"the claimed hash of {claim.span}, {short_hash(claim.hash)}, is not that of its "
                f"content, {short_hash(claim.actual)}."
            )
            evidence_hash = {"claimed": claim.hash, "actual": claim.actual}
            report.add("SPN112", subject, message, evidence_hash)


def judge_ids(
    state: BufferState,
    effect: Effect,
    report: Report,
    undone: AbstractSet[str] | None = None,
) -> None:
    """An id that was ever used must not be brought in again (SPN116).

    Unless a rollback or abort undid that use and no live artifact holds it. `undone` are the ids
    whose use was undone before the event (default: as the state remembers them).
    """
    last = state.last_change
    if undone is None:
        undone = last.undone if last is not None and last.seq == effect.seq else frozenset()
    changes = {change.after.span: change for change in effect.spans}
    seen: set[str] = set()
    onto_themselves = _copied_onto_themselves(effect)
    for name in _brought_in(effect):
        change = changes.get(name)
        again = name in seen
        seen.add(name)
        named = name in onto_themselves or _edited_before(effect, name)
        if change is None or (change.before is None and not (again or named)):
            continue
        if name in undone and not again and not state.holders.get(name):
            continue
        if change.before is not None and not (again or named or _surely(state, change.before)):
            continue
        _say_reused(name, change.before, report)


def _surely(state: BufferState, before: Span) -> bool:
    """Whether what became of a span is no matter of the events that were lost."""
    if state.doubt is None:
        return True
    return before.doubt is None and (not before.gone or before.seq >= state.lost_at)


def _edited_before(effect: Effect, name: str) -> bool:
    """Whether an earlier edit of the same event was of the id that another one brings in."""
    for part in () if effect.pushed is None else effect.pushed.parts:
        if part.span == name and part.kind in ("ingest", "copy"):
            return False
        if name in (part.span, part.source):
            return True
    return False


def _say_reused(name: str, before: Span | None, report: Report) -> None:
    was = "by the same event"
    evidence: dict[str, Any] = {"was": None, "version": None, "hash": None}
    if before is not None:
        was = f"(v{before.version}, {before.life} since {before.seq})"
        evidence = {"was": before.life, "version": before.version, "hash": before.hash}
    message = f"the id {name} was used before {was} and now names another content."
    report.add("SPN116", {"span": name}, message, evidence)


def _brought_in(effect: Effect) -> list[str]:
    """The ids of its ingests and copies; one that an observation found is no new use."""
    event = effect.event
    if isinstance(event, Ingest):
        return [event.span]
    if isinstance(event, Rewrite):
        return [event.into] if event.into is not None else []
    if effect.pushed is None or isinstance(event, Rollback | Observe):
        return []
    named = [part.span for part in effect.pushed.parts if part.kind in ("ingest", "copy")]
    return named + _copied_onto_themselves(effect)


def _copied_onto_themselves(effect: Effect) -> list[str]:
    """The spans that a rewrite `into` their own id rewrote in place."""
    event = effect.event
    if isinstance(event, Rewrite):
        return [event.span] if event.into == event.span else []
    if not isinstance(event, Apply) or effect.pushed is None:
        return []
    staged = () if effect.diff is None else effect.diff.edits
    edits = staged if event.edits is None else event.edits
    done = {part.edit for part in effect.pushed.parts if part.kind == "rewrite"}
    return [
        edit.span
        for number, edit in enumerate(edits)
        if isinstance(edit, RewriteEdit) and edit.into == edit.span and number in done
    ]


def judge_tombstones(state: BufferState, effect: Effect, report: Report) -> None:
    """A tombstone is frozen (SPN143)."""
    lost = state.doubt is not None
    if effect.pushed is None or isinstance(effect.event, Rollback):
        return
    for part in effect.pushed.parts:
        before = part.before
        if before is None or before.life != "tombstone" or part.kind == "ingest":
            continue
        if lost and (before.doubt is not None or state.may_be_back(before)):
            continue
        since = before.since
        message = (
            f"{before.span} is a tombstone since {since} (its copy is {before.into}) and "
            "was changed."
        )
        report.add("SPN143", {"span": before.span}, message, {"into": before.into}, caused_by=since)


def judge_base(state: BufferState, effect: Effect, past: Past, report: Report) -> None:
    """A direct change must be made on the span as it was (DIF316)."""
    event = effect.event
    if not isinstance(event, Rewrite | Splice | Prune) or event.base is None:
        return
    change = next((c for c in effect.spans if c.after.span == event.span), None)
    if change is None or change.before is None or change.before.doubt is not None:
        return
    if change.before.gone:
        # It was brought back where events were lost.
        return
    before, base = change.before, event.base
    evidence: dict[str, Any] = {"actor": event.actor}
    believed, was = [], []
    if not may_be_at(state, before, base.version):
        believed.append(f"v{base.version}")
        was.append(f"v{before.version}")
        evidence["version"] = {"base": base.version, "actual": before.version}
    if base.hash is not None and before.hash is not None and base.hash != before.hash:
        believed.append(short_hash(base.hash))
        was.append(short_hash(before.hash))
        evidence["hash"] = {"base": base.hash, "actual": before.hash}
    if believed:
        kind = type(event).__name__.lower()
        cause = past.other_since(state, before, base)
        message = (
            f"{event.actor}'s {kind} of {event.span} was made on {' '.join(believed)}, "
            f"{'but' if cause else 'which it never was:'} it was {' '.join(was)}"
        )
        if cause is not None:
            when = "at" if cause == before.written else "since"
            message += f": it overwrote what was written {when} {cause}"
        report.add("DIF316", {"span": event.span}, message + ".", evidence, caused_by=cause)


def judge_sought(effect: Effect, report: Report) -> None:
    """The anchor by which a direct splice was sought must fit in one place (DIF307)."""
    event = effect.event
    if not isinstance(event, Splice) or event.anchor is None:
        return
    change = next((c for c in effect.spans if c.after.span == event.span), None)
    text = None if change is None or change.before is None else change.before.text
    if text is None:
        return
    before, after = event.anchor.before, event.anchor.after
    places = edit_places(text, before, after, event.delete, None)
    if len(places) < 2:
        return
    edited = text[event.at : event.at + event.delete]
    wrong = event.original is not None and edited != event.original
    message = (
        f"the anchor by which a splice of {event.span} was sought fits in {len(places)} places; "
        f"{event.at} was edited"
    )
    if wrong:
        message += f', which held "{excerpt(edited)}" instead of "{excerpt(event.original or "")}"'
    evidence = {"places": list(places[:50]), "at": event.at, "original": event.original}
    severity: Severity | None = "error" if wrong else None
    report.add("DIF307", {"span": event.span}, message + ".", evidence, severity=severity)


def judge_compact(state: BufferState, effect: Effect, memory: Memory, report: Report) -> None:
    """Only tombstones that nobody needs may be collected (SPN141, SPN142)."""
    if not isinstance(effect.event, Compact):
        return
    for span in effect.collected:
        subject = {"span": span.span}
        if span.doubt is not None and not span.gone:
            memory.note_unknown("span", span.span, span.doubt)
            if state.doubt is not None:
                continue
        if state.doubt is not None and _may_be_a_tombstone(state, span):
            continue
        if state.damaged and span.never_was:
            # It can only have come where events were lost.
            continue
        if span.life != "tombstone":
            message = f"compact names {span.span}, which is {span.life} and no tombstone."
            report.add("SPN142", subject, message, {"state": span.life})
            continue
        needed = needed_by(state, span)
        if needed:
            message = f"compact took {span.span}, which {', '.join(needed)} still needed."
            report.add("SPN141", subject, message, {"needed_by": needed})


def _may_be_a_tombstone(state: BufferState, span: Span) -> bool:
    """Whether a span may have been brought back, or copied, where events were lost."""
    if span.life == "tombstone":
        return False
    if span.gone:
        return state.may_be_back(span)
    then = state.span_at(span.span, state.lost_at - 1)
    return then is not None and not then.gone


def needed_by(state: BufferState, span: Span) -> list[str]:
    """Who still needs a tombstone: live artifacts, snapshots and staged diffs."""
    needed = [f"artifact {name}" for name in state.holders.get(span.span, ())]
    needed += [
        f"snapshot {savepoint.checkpoint}"
        for savepoint in state.savepoints.values()
        if savepoint.snapshot
        and (kept := state.span_at(span.span, savepoint.seq)) is not None
        and not kept.gone
    ]
    needed += [
        f"diff {diff.diff}" for diff in state.staged.values() if span.span in diff.named_spans
    ]
    return needed
