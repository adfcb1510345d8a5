"""The rules for staged diffs at each event: DIF301 to DIF315, DIF317, DIF318."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spanscope.journal.events import Apply, Reject, Stage
from spanscope.journal.parts import (
    AnyEdit,
    IndexRef,
    IngestEdit,
    LineRef,
    QuoteRef,
    SpliceEdit,
)
from spanscope.model.diffs import Diff
from spanscope.model.effects import Effect
from spanscope.model.spans import Doubt
from spanscope.model.state import BufferState
from spanscope.model.undo import Part
from spanscope.rules.concerned import is_apart, is_as_fragile, is_concerned
from spanscope.rules.diffs import (
    REPORTED,
    UNTOLD_GROUND,
    judge_diff,
    judge_diff_from,
    on_ground,
    same_ground,
)
from spanscope.rules.judgements import DiffJudgement, Reason
from spanscope.rules.memory import Memory, Rejections
from spanscope.rules.positions import base_line
from spanscope.rules.report import Report
from spanscope.rules.view import StateView
from spanscope.rules.writes import check_writes


def judge_staged(state: BufferState, effect: Effect, memory: Memory, report: Report) -> None:
    """Judge anew every staged diff that the event could have changed.

    Of one that may have left, or been staged anew, where lines were lost nothing is said.
    """
    event = effect.event
    staged_now = effect.diff if isinstance(event, Stage) else None
    if isinstance(event, Stage) and staged_now is not None:
        memory.forget_diff(event.diff)
        if effect.replaced_diff is not None:
            memory.leaves(effect.replaced_diff, applied=False)
        _undeclared(state, staged_now, report)
    if not state.staged or (effect.diff is None and is_apart(state, effect, memory)):
        return
    memory.watch = None
    view = StateView(state)
    names = {change.after.span for change in effect.spans}
    names |= {span.span for span in effect.collected}
    # Where a diff would put a copy is another's text, as long as there is something to copy.
    copies = (copy for diff in state.staged.values() for copy in diff.copies)
    names |= {into for source, into in copies if source in names}
    left_or_came = [diff for diff in (effect.diff, effect.replaced_diff) if diff is not None]
    edited = frozenset(name for diff in left_or_came for name in diff.written_spans)
    anew = effect.cleared or effect.lost is not None
    nothing_touched = not names and not edited and not effect.changed
    if nothing_touched and not anew and effect.diff is None:
        return
    for diff in list(state.staged.values()):
        before = memory.verdicts.get(diff.diff)
        concerned = anew or diff is effect.diff
        if before is not None and not concerned and not is_concerned(diff, names, before, effect):
            apart = edited.isdisjoint(diff.edited_spans)
            if apart or is_as_fragile(diff, before, effect, view):
                _moved_elsewhere(diff, before, names, view, memory)
                continue
        judged = judge_diff_from(
            diff,
            view,
            memory.grounds.get(diff.diff),
            names,
            before=before,
            reads_recorded=state.can_record("reads"),
        )
        memory.judged(diff.diff, judged)
        lost = state.may_have_left(diff)
        _report(diff, judged.judgement, memory, Report(effect.seq) if lost else report)


def rejudge_staged(state: BufferState, memory: Memory) -> None:
    """Judge all staged diffs anew after lines were lost; nothing is reported."""
    memory.watch = None
    view = StateView(state)
    for name, diff in state.staged.items():
        memory.verdicts[name] = judge_diff(diff, view, reads_recorded=state.can_record("reads"))


def _moved_elsewhere(
    diff: Diff, before: DiffJudgement, names: set[str], view: StateView, memory: Memory
) -> None:
    """Only whether the buffer is still the base can have changed."""
    if before.verdict not in ("admissible", "reconcilable"):
        return
    last = memory.grounds.get(diff.diff)
    if last is not None and last.witness is not None and last.witness not in names:
        return
    ground = same_ground(diff, view, last, names)
    memory.grounds[diff.diff] = ground
    verdict = on_ground(ground)
    if verdict != before.verdict:
        why = UNTOLD_GROUND if verdict == "unknown" else None
        memory.verdicts[diff.diff] = before._replace(verdict=verdict, why=why)


def _report(diff: Diff, now: DiffJudgement, memory: Memory, report: Report) -> None:
    """Say what became true; what was said before something became unknown is not said again."""
    held = memory.said_of(diff)
    if not now.reasons:
        memory.say(diff, held & now.untold)
        return
    for rule in REPORTED:
        reasons = [reason for reason in now.reasons if reason.rule == rule]
        if reasons and rule not in held:
            _say(diff, rule, reasons, now, report)
    found = frozenset(now.rules)
    memory.say(diff, found | (held & now.untold))


def _say(
    diff: Diff,
    rule: str,
    reasons: list[Reason],
    now: DiffJudgement,
    report: Report,
) -> None:
    causes = [reason.cause for reason in reasons if reason.cause is not None]
    evidence: dict[str, Any] = {
        "reasons": [_reason(reason) for reason in reasons],
        "base": {"revision": diff.claimed.revision, "seq": diff.base.seq if diff.base else None},
        "verdict": now.verdict,
    }
    message = f"{diff.diff}: {_details(reasons)}"
    if rule == "DIF301":
        authors = {reason.actor for reason in reasons}
        evidence["write_set_passes"] = now.write_set_passes
        evidence["self_inflicted"] = authors == {diff.author}
        message = f"{diff.diff} read what has changed since: {reasons[0].detail}"
        if len(reasons) > 1:
            message += f" (and {len(reasons) - 1} more)"
        if diff.author in authors:
            message += f", by {diff.author} itself"
        if now.write_set_passes:
            message += "; a write-set check lets it pass"
    elif rule == "DIF302":
        details = _details(reasons)
        message = f"{diff.diff} names a place by a number that may have moved: {details}"
    elif rule == "DIF305":
        evidence["write"] = reasons[0].detail
        message = f"{diff.diff} can be undone now, but not after {reasons[0].detail}"
    report.add(
        rule,
        {"diff": diff.diff},
        message + ".",
        evidence,
        caused_by=min(causes) if causes else None,
    )


def _details(reasons: list[Reason]) -> str:
    """What they say, each thing once."""
    return "; ".join(dict.fromkeys(reason.detail for reason in reasons))


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "rule": reason.rule,
        "thing": reason.thing,
        "span": reason.span,
        "cause": reason.cause,
        "actor": reason.actor,
        "detail": reason.detail,
    }


def _undeclared(state: BufferState, diff: Diff, report: Report) -> None:
    """DIF314: a splice, or a quote, line or index ref, on a span that the reads leave out."""
    if diff.reads_all or not state.can_record("reads"):
        return
    declared = {read.span for read in diff.reads} | diff.own_spans
    touched: list[str] = [edit.span for edit in diff.edits if isinstance(edit, SpliceEdit)]
    for ref in diff.refs:
        if isinstance(ref, QuoteRef | IndexRef):
            touched.append(ref.span)
        elif isinstance(ref, LineRef):
            place = base_line(diff, ref.line) if ref.span is None else None
            name = ref.span if ref.span is not None else (place[0] if place else None)
            if name is not None:
                touched.append(name)
    missing = [name for name in dict.fromkeys(touched) if name not in declared]
    if missing:
        message = f"{diff.diff} touches {', '.join(missing)}, which its reads leave out."
        report.add("DIF314", {"diff": diff.diff}, message, {"spans": missing})


def _moved(state: BufferState, event: Apply, effect: Effect) -> bool:
    """Whether an apply that was not done as a whole moved content all the same.

    Where it does not tell its edits, they may have been impossible in a text that is unknown.
    """
    if event.edits is not None and effect.changed:
        return True
    ordered = state.doubt is None
    if event.outcome == "partial" and any(
        part.before is None or part.before.doubt is None for part in _first_edits(effect)
    ):
        return True
    return (ordered and effect.order_changed) or any(
        change.counts
        for change in effect.spans
        if (ordered if change.before is None else change.before.doubt is None)
    )


def _first_edits(effect: Effect) -> Iterable[Part]:
    """The first edit of each span; later ones meet what that one left."""
    first: dict[str, Part] = {}
    for part in () if effect.pushed is None else effect.pushed.parts:
        if part.kind != "move":
            first.setdefault(part.span, first.setdefault(part.source or part.span, part))
    return first.values()


def judge_apply(
    state: BufferState,
    effect: Effect,
    before: DiffJudgement | None,
    memory: Memory,
    report: Report,
) -> None:
    """The rules at an apply; `before` is the verdict as it stood."""
    event, diff = effect.event, effect.diff
    if not isinstance(event, Apply):
        return
    partly = event.outcome in ("partial", "failed") and not effect.presumed
    if partly and _moved(state, event, effect):
        message = f"the apply of {event.diff} was {event.outcome}, and content moved."
        names = [change.after.span for change in effect.spans]
        evidence_spans = {"outcome": event.outcome, "spans": names}
        report.add("DIF318", {"diff": event.diff}, message, evidence_spans)
    if diff is None or before is None or not effect.applied:
        return
    lost = state.may_have_left(diff)
    if before.verdict == "unknown" or lost:
        memory.note_unknown("diff", diff.diff, diff.doubt or _since(state, diff, before))
    if lost:
        return
    if before.verdict in ("stale", "conflict", "unreachable"):
        _stale_apply(diff, before, report)
    if event.edits is not None:
        _otherwise(state, diff, event.edits, effect, report)


def _since(state: BufferState, diff: Diff, before: DiffJudgement) -> Doubt:
    for name in diff.named_spans:
        span = state.spans.get(name)
        if span is not None and span.doubt is not None:
            return span.doubt
    return state.doubt or Doubt(diff.seq, before.why or "its verdict is unknown")


def _stale_apply(diff: Diff, before: DiffJudgement, report: Report) -> None:
    reasons = [reason for reason in before.reasons if reason.rule != "DIF305"]
    first = reasons[0]
    message = f"{diff.diff} was applied while {before.verdict}: {first.detail}"
    if len(reasons) > 1:
        message += f" (and {len(reasons) - 1} more)"
    if before.write_set_passes and before.verdict == "stale":
        message += "; a write-set check lets it pass"
    evidence = {
        "verdict": before.verdict,
        "reasons": [_reason(reason) for reason in before.reasons],
        "base": {"revision": diff.claimed.revision, "seq": diff.base.seq if diff.base else None},
        "write_set_passes": before.write_set_passes,
    }
    cause = first.cause if first.cause is not None else diff.seq
    report.add("DIF311", {"diff": diff.diff}, message + ".", evidence, caused_by=cause)


def _otherwise(
    state: BufferState, diff: Diff, edits: list[AnyEdit], effect: Effect, report: Report
) -> None:
    """DIF315: what was applied is not what was staged, beyond re-anchoring."""
    differences = []
    if len(edits) != len(diff.edits):
        plural = "" if len(edits) == 1 else "s"
        differences.append(f"{len(edits)} edit{plural} instead of {len(diff.edits)}")
    view = StateView(state, effect)
    placed = check_writes(diff, view, fragility=False).placed
    for number, (staged, done) in enumerate(zip(diff.edits, edits, strict=False)):
        place = placed.get(number)
        if _core(staged) != _core(done):
            differences.append(f"edit {number} is another one")
        elif isinstance(staged, SpliceEdit) and isinstance(done, SpliceEdit):
            allowed = {staged.at, place.at if place is not None else done.at}
            if done.at is not None and done.at not in allowed and place is not None:
                differences.append(f"edit {number} went to {done.at}, not to {place.at}")
    if differences:
        message = f"what was applied of {diff.diff} is not what was staged: "
        message += "; ".join(differences) + "."
        report.add("DIF315", {"diff": diff.diff}, message, {"differences": differences})


def _core(edit: AnyEdit) -> tuple[object, ...]:
    if isinstance(edit, SpliceEdit):
        return ("splice", edit.span, edit.delete, edit.insert)
    if isinstance(edit, IngestEdit):
        return ("ingest", edit.span, edit.content, edit.store, edit.role)
    names = ("op", "into", "content", "after")
    return (type(edit), edit.span, *(getattr(edit, name, None) for name in names))


def judge_reject(
    state: BufferState, effect: Effect, before: DiffJudgement | None, memory: Memory, report: Report
) -> None:
    """The rules at a rejection: DIF312 and DIF317."""
    event, diff = effect.event, effect.diff
    if isinstance(event, Apply) and diff is not None and effect.applied:
        last = memory.rejections.get(diff.author)
        if last is not None and not last.spans.isdisjoint(edit.span for edit in diff.edits):
            del memory.rejections[diff.author]
    if not isinstance(event, Reject) or diff is None:
        return
    sound = before is not None and before.verdict in ("admissible", "reconcilable")
    lost = state.may_have_left(diff)
    if before is not None and sound and not before.fragile and not lost:
        why = f" ({event.reason})" if event.reason else ""
        message = f"{diff.diff} was rejected{why} while it was {before.verdict}: what it read "
        message += "is unchanged and its inverse holds."
        evidence = {"verdict": before.verdict, "reason": event.reason, "rule": event.rule}
        report.add("DIF312", {"diff": diff.diff}, message, evidence)
    _livelock(diff, event.seq, memory, report)


def _livelock(diff: Diff, seq: int, memory: Memory, report: Report) -> None:
    spans = frozenset(edit.span for edit in diff.edits)
    last = memory.rejections.get(diff.author)
    seqs = (*last.seqs, seq) if last is not None and last.spans == spans else (seq,)
    memory.rejections[diff.author] = Rejections(spans, seqs)
    if len(seqs) == 3:
        message = (
            f"{diff.diff} is the third diff of {diff.author} over {', '.join(sorted(spans))} that "
            "was rejected in a row: livelock."
        )
        evidence = {"rejections": list(seqs), "spans": sorted(spans)}
        report.add("DIF317", {"diff": diff.diff}, message, evidence, caused_by=seqs[0])
