"""A draft judged and applied: as a stage and an apply, written together or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from spanscope.buffer.anchoring import inverse_of
from spanscope.buffer.changes import Policy, check_answers, copy_id, wants_copy
from spanscope.buffer.core import BufferCore
from spanscope.buffer.errors import (
    AmbiguousAnchorError,
    ConflictError,
    SpanscopeError,
    StaleBaseError,
    UnreachableRollbackError,
    one_line,
    worded,
)
from spanscope.buffer.redaction import Told
from spanscope.buffer.trial import judge_change, refuse_problems
from spanscope.buffer.undo import withdrawals
from spanscope.journal.errors import JournalWriteError
from spanscope.journal.events import AnyEvent, Apply, Mark, Release, Stage
from spanscope.journal.parts import AnyEdit, DiffBase, MoveEdit, Read, Ref, RewriteEdit
from spanscope.model.diffs import Diff
from spanscope.model.effects import Effect, Problem
from spanscope.model.staging import applied_edits, stage_diff
from spanscope.model.transaction import Transaction
from spanscope.rules.diffs import judge_diff
from spanscope.rules.finding import Finding
from spanscope.rules.judgements import DiffJudgement
from spanscope.rules.memory import Memory
from spanscope.rules.report import Report
from spanscope.rules.staging import judge_apply
from spanscope.rules.view import StateView


class Authored(Struct, kw_only=True):
    """What an author drafted: the wire parts of a diff."""

    diff: str
    author: str
    base: DiffBase
    reads: Sequence[Read]
    edits: Sequence[AnyEdit]
    refs: Sequence[Ref]


def as_diff(core: BufferCore, authored: Authored) -> Diff:
    """The diff as the audit will have it, once it is staged.

    Raises SpanscopeError where it names a span that never was.
    """
    event = _stage(core, authored, 0)
    problems: list[Problem] = []
    diff = stage_diff(core.state, event, problems)
    if problems:
        report = Report(event.seq)
        for problem in problems:
            report.add(problem.rule, problem.subject, problem.message, problem.evidence)
        finding = report.sorted()[0]
        raise SpanscopeError(worded(finding, "name spans of the buffer"), finding)
    return diff


def judge_draft(core: BufferCore, authored: Authored) -> DiffJudgement:
    """What the audit would say of it, staged now."""
    return judge_diff(as_diff(core, authored), StateView(core.state))


def apply_draft(
    core: BufferCore, authored: Authored, policies: dict[int, Policy], *, allow_fragile: bool
) -> int:
    """Stage and apply it; the seq of the apply.

    Raises:
        StaleBaseError: what it read has changed, or what it refers to is gone.
        UnreachableRollbackError: it could not be undone, or only as long as nobody writes.
        ConflictError: a change since its base touches the same text.
        AmbiguousAnchorError: the place of an edit fits in several places.
    """
    core.check_open()
    edits = with_copies(core, authored.edits, policies)
    authored = replace(authored, edits=edits)
    try:
        diff = as_diff(core, authored)
        _refuse(core, diff, judge_diff(diff, StateView(core.state)), allow_fragile=allow_fragile)
    except SpanscopeError as error:
        _note_refusal(core, authored, error)
        raise
    draft = Transaction(core.state, core.state.seq + 1, authored.author)
    applied_edits(draft, edits, None)
    refuse_problems(draft)
    draft.settle({}, {})
    check_answers(core.state, draft, "prune or leave out the answer too")
    _refuse_as_recorded(core, authored, draft)
    withdrawn = withdrawals(core, draft)
    events: list[AnyEvent] = [
        core.make(Release, authored.author, number, artifact=name)
        for number, name in enumerate(withdrawn)
    ]
    events.append(_stage(core, authored, len(events)))
    there = {name: span for name, span in draft.work.items() if not span.gone}
    apply = core.make(
        Apply,
        authored.author,
        len(events),
        diff=authored.diff,
        inverses=[inverse_of(part) for part in draft.parts],
        versions={name: span.version for name, span in there.items()},
        hashes={name: span.hash for name, span in there.items()},
    )
    judge_change(core, apply, draft)
    core.commit(*events, apply, told=Told(draft.parts))
    return apply.seq


def _stage(core: BufferCore, authored: Authored, ahead: int) -> Stage:
    event = core.make(
        Stage,
        authored.author,
        ahead,
        diff=authored.diff,
        base=authored.base,
        reads=authored.reads,
        edits=authored.edits,
        refs=authored.refs,
    )
    assert isinstance(event, Stage)
    return event


def with_copies(
    core: BufferCore, edits: Sequence[AnyEdit], policies: dict[int, Policy]
) -> list[AnyEdit]:
    """The edits, with a copy on rewrite where a live holder has something expensive.

    Later edits of a span that is copied are those of its copy.
    """
    renamed: dict[str, str] = {}
    found: list[AnyEdit] = []
    for number, edit in enumerate(edits):
        current = _renamed(edit, renamed)
        if isinstance(current, RewriteEdit) and current.into is None:
            policy = policies.get(number)
            if wants_copy(core, current.span, current.content, policy):
                into = copy_id(core.state, current.span, current.op)
                renamed[current.span] = into
                current = replace(current, into=into)
        found.append(current)
    return found


def _renamed(edit: AnyEdit, renamed: dict[str, str]) -> AnyEdit:
    if edit.span in renamed:
        edit = replace(edit, span=renamed[edit.span])
    if isinstance(edit, MoveEdit) and edit.after in renamed:
        edit = replace(edit, after=renamed[edit.after])
    return edit


def _refuse(core: BufferCore, diff: Diff, found: DiffJudgement, *, allow_fragile: bool) -> None:
    """Raise where the audit would find anything of this diff, staged and applied now."""
    errors: dict[str, type[StaleBaseError]] = {
        "stale": StaleBaseError,
        "unknown": StaleBaseError,
        "unreachable": UnreachableRollbackError,
        "conflict": ConflictError,
    }
    kind = errors.get(found.verdict)
    places = [reason for reason in found.reasons if reason.rule == "DIF307"]
    if kind is not None and not (places and found.verdict == "unreachable"):
        finding = _applied_all_the_same(core, diff, found)
        raise kind(_why(diff, found, "read again and begin another draft"), finding)
    if places:
        finding = _as_staged(core, diff, "DIF307", places[0].detail)
        raise AmbiguousAnchorError(_why(diff, found, "give more of the text around it"), finding)
    if found.fragile and not allow_fragile:
        detail = next(reason.detail for reason in found.reasons if reason.rule == "DIF305")
        message = f"it could be undone now, but not after {detail}"
        finding = _as_staged(core, diff, "DIF305", message)
        advice = "rewrite the whole span, or allow_fragile=True"
        raise UnreachableRollbackError(worded(finding, advice), finding)


def _refuse_as_recorded(core: BufferCore, authored: Authored, draft: Transaction) -> None:
    """Raise where the record of a draft would conflict, though the draft does not.

    What edits a text that is redacted is recorded as a rewrite of all of it, with which any change
    since the base conflicts.
    """
    redaction = core.redaction
    if redaction is None or not redaction.hides_any(draft.parts):
        return
    event = redaction.record(core.state, _stage(core, authored, 0), Told(draft.parts))
    assert isinstance(event, Stage)
    diff = stage_diff(core.state, event, [])
    found = judge_diff(diff, StateView(core.state))
    if found.verdict == "conflict":
        try:
            _refuse(core, diff, found, allow_fragile=True)
        except SpanscopeError as error:
            _note_refusal(core, authored, error)
            raise


def _why(diff: Diff, found: DiffJudgement, advice: str) -> str:
    """Why a diff is refused, in one line; who changed what, where it is known."""
    reasons = [reason for reason in found.reasons if reason.rule != "DIF305"]
    if not reasons:
        return one_line(f"{diff.diff} is {found.verdict}: {found.why}; {advice}")
    first = reasons[0]
    by = f" by {first.actor}" if first.actor is not None else ""
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    why = f"{diff.diff} is {found.verdict}: {first.detail}{by}{more}"
    return one_line(f"{first.rule}: {why}; {advice}")


def _applied_all_the_same(core: BufferCore, diff: Diff, found: DiffJudgement) -> Finding:
    """The DIF311 that applying it would have been."""
    event = core.make(Apply, diff.author, diff=diff.diff)
    report = Report(event.seq)
    effect = Effect(seq=event.seq, event=event, diff=diff, applied=True)
    judge_apply(core.state, effect, found, Memory(), report)
    if report.findings:
        return report.sorted()[0]
    return _as_staged(core, diff, "DIF311", f"whether it is stale can't be told: {found.why}")


def _as_staged(core: BufferCore, diff: Diff, rule: str, detail: str) -> Finding:
    report = Report(core.state.seq + 1)
    evidence: dict[str, Any] = {"base": {"revision": diff.claimed.revision}}
    report.add(rule, {"diff": diff.diff}, f"{diff.diff}: {detail}.", evidence)
    return report.sorted()[0]


def _note_refusal(core: BufferCore, authored: Authored, error: SpanscopeError) -> None:
    """Leave a trace of a draft that never was staged: whoever debugs it wants to know."""
    note = core.make(Mark, authored.author, kind="note", label=f"refused: {error}")
    with suppress(JournalWriteError):
        core.commit(note)
