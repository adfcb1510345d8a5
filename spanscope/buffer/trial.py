"""A change judged before it is made: the rules that the audit will ask of its record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spanscope.buffer.core import BufferCore
from spanscope.buffer.errors import TombstoneError, refusal, worded
from spanscope.journal.events import AnyEvent
from spanscope.model.committing import make_entry
from spanscope.model.effects import Effect
from spanscope.model.state import BufferState
from spanscope.model.transaction import Transaction
from spanscope.rules.finding import Finding
from spanscope.rules.mutations import judge_base, judge_ids, judge_sought, judge_tombstones
from spanscope.rules.past import Past
from spanscope.rules.report import Report

Edit = Callable[[Transaction], bool]

_ADVICE = {
    "JNL007": "name a live span of the buffer",
    "JNL008": "read the span again",
    "SPN116": "choose an id that was never used",
    "DIF307": "give more of the text around it",
    "DIF316": "read the span again and change what it is now",
}


def drafted(core: BufferCore, actor: str, edit: Edit) -> Transaction:
    """The change on a draft of the buffer, its versions counted; nothing of the buffer moves.

    Raises:
        SpanscopeError: it names what does not exist, or is outside its span.
    """
    state = core.state
    draft = Transaction(state, state.seq + 1, actor)
    edit(draft)
    refuse_problems(draft)
    draft.settle({}, {})
    return draft


def refuse_problems(draft: Transaction) -> None:
    """Raise the first thing that the draft's edits asked for and that can't be."""
    if draft.problems:
        report = Report(draft.seq)
        for problem in draft.problems:
            report.add(problem.rule, problem.subject, problem.message, problem.evidence)
        found = report.sorted()
        raise refusal(found, _ADVICE.get(found[0].rule, ""))


def judge_change(core: BufferCore, event: AnyEvent, draft: Transaction) -> None:
    """Refuse what the rules would find of this event once it is in the journal.

    Raises:
        TombstoneError: it changes a tombstone (SPN143).
        StaleBaseError: its `base` is not the span as it is (DIF316).
        AmbiguousAnchorError: what it was sought by fits in several places (DIF307).
        SpanscopeError: it brings in an id that was used before (SPN116).
    """
    state = core.state
    effect = Effect(seq=event.seq, event=event, spans=draft.changes())
    effect.pushed = make_entry(state, draft, event, str(event.__struct_config__.tag))
    report, past = Report(event.seq), Past()
    judge_ids(state, effect, report, state.undone_ids)
    judge_tombstones(state, effect, report)
    judge_base(state, effect, past, report)
    judge_sought(effect, report)
    found = report.sorted()
    if found:
        raise _refused(state, found)


def _refused(state: BufferState, found: list[Finding]) -> Exception:
    first = found[0]
    if first.rule == "SPN143":
        return tombstone_error(state, str(first.subject["span"]), found)
    more: dict[str, Any] = {}
    if first.rule == "DIF307":
        more["places"] = first.evidence["places"]
    return refusal(found, _ADVICE.get(first.rule, ""), **more)


def tombstone_error(state: BufferState, name: str, found: list[Finding]) -> TombstoneError:
    """The error for a change to a tombstone; it names the live span that took its place."""
    head = head_of(state, name)
    advice = f"change {head}" if head is not None else "its copy is gone too"
    return TombstoneError(worded(found[0], advice), found[0], found, head=head)


def head_of(state: BufferState, name: str) -> str | None:
    """The live successor of a span through its copies, or itself; null where all are gone."""
    span = state.spans.get(name)
    while span is not None and not span.live and span.into is not None:
        span = state.spans.get(span.into)
    return span.span if span is not None and span.live else None
