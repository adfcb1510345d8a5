"""The rules, asked of one event after another.

One judge serves twice: the audit asks it of every recorded event, and an enforcing buffer asks
it before it commits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spanscope.journal.events import (
    Abort,
    AnyEvent,
    Apply,
    Checkpoint,
    Close,
    Derive,
    Gap,
    Mark,
    Release,
    Render,
    Resume,
    Rollback,
    Splice,
    Unknown,
    Use,
)
from spanscope.model.effects import Effect
from spanscope.model.losing import lose
from spanscope.model.replay import replay
from spanscope.model.spans import Doubt
from spanscope.model.state import BufferState
from spanscope.rules.changes import judge_holders, rejudge_holders
from spanscope.rules.finding import Finding
from spanscope.rules.inverses import judge_inverses
from spanscope.rules.memory import Memory
from spanscope.rules.mutations import (
    judge_base,
    judge_claims,
    judge_compact,
    judge_ids,
    judge_sought,
    judge_tombstones,
)
from spanscope.rules.observed import judge_digest, judge_observe
from spanscope.rules.quiet import judge_quietly
from spanscope.rules.reach import judge_reach, note_floor
from spanscope.rules.report import Report
from spanscope.rules.rollbacks import judge_rollback
from spanscope.rules.shown import judge_orphans, judge_render
from spanscope.rules.staging import (
    judge_apply,
    judge_reject,
    judge_staged,
    rejudge_staged,
)
from spanscope.rules.uses import judge_derive, judge_use


class Judge:
    """The state of the buffer, what was judged of it, and the next event's findings."""

    def __init__(self, state: BufferState | None = None) -> None:
        """`state`: a buffer that nothing has happened to yet (default: one of its own)."""
        self.state = BufferState() if state is None else state
        self.memory = Memory()
        self.effect: Effect | None = None
        self._report = Report(0)

    def feed(self, event: AnyEvent | Unknown) -> list[Finding]:
        """Let the event happen and say what the rules find, by rule and subject."""
        report = self._report
        report.seq = event.seq
        kind = type(event)
        known = self._known_entries(event) if kind is Rollback else 0
        effect = self.effect = replay(self.state, event)
        for problem in effect.problems:
            report.add(problem.rule, problem.subject, problem.message, problem.evidence)
        judge = JUDGES.get(kind)
        if judge is not None:
            judge(self, event, effect, report)
        elif kind not in WITHOUT_RULES:
            self._change(effect, known, report)
        if not report.findings:
            return []
        self._report = Report(0)
        return report.sorted()

    def _known_entries(self, event: AnyEvent | Unknown) -> int:
        """The seq of the first entry that is known before a rollback."""
        state = self.state
        if state.known_from < len(state.stack):
            return state.stack[state.known_from].seq
        return event.seq if state.known_from else 0

    def _unknown_event(self, event: Unknown, _effect: Effect, report: Report) -> None:
        message = f"an event of type {event.type}, which this version does not know."
        report.add("JNL006", {}, message, {"type": event.type})

    def _use(self, event: Use, _effect: Effect, report: Report) -> None:
        judge_use(self.state, event, self.memory, report)

    def _derive(self, event: Derive, effect: Effect, report: Report) -> None:
        judge_derive(self.state, event, effect, self.memory, report)

    def _release(self, event: Release, _effect: Effect, _report: Report) -> None:
        self.memory.artifacts.pop(event.artifact, None)

    def _mark(self, event: Mark, _effect: Effect, report: Report) -> None:
        if event.kind == "llm":
            judge_orphans(self.state, self.memory, report)

    def _render(self, _event: Render, effect: Effect, report: Report) -> None:
        judge_render(self.state, effect, self.memory, report)
        judge_orphans(self.state, self.memory, report)

    def _checkpoint(self, event: Checkpoint, effect: Effect, report: Report) -> None:
        self._change(effect, 0, report)
        self.memory.checkpoint = event.seq

    def _gap(self, event: Gap, effect: Effect, report: Report) -> None:
        lost = "an unknown number of" if event.lost is None else str(event.lost)
        message = f"the recorder missed {lost} events here: {event.reason}."
        report.add("JNL011", {}, message, {"lost": event.lost, "reason": event.reason})
        self._change(effect, 0, report)

    def _splice(self, event: Splice, effect: Effect, report: Report) -> None:
        state, memory = self.state, self.memory
        if judge_quietly(state, event, effect, memory):
            if state.staged:
                judge_staged(state, effect, memory, report)
            return
        judge_claims(effect, report)
        judge_tombstones(state, effect, report)
        judge_base(state, effect, memory.past, report)
        judge_sought(effect, report)
        judge_holders(state, effect, memory, report)
        judge_inverses(state, effect, memory, report)
        judge_reach(state, effect, memory.reach, report)
        if state.staged:
            judge_staged(state, effect, memory, report)

    def _change(self, effect: Effect, known: int, report: Report) -> None:
        """All rules for what changes spans, entries or diffs."""
        state, memory = self.state, self.memory
        verdict = None if effect.diff is None else memory.verdicts.get(effect.diff.diff)
        changed = effect.spans or effect.pushed or effect.collected or effect.told or effect.claims
        if changed and not effect.presumed:
            judge_claims(effect, report)
            judge_ids(state, effect, report)
            judge_tombstones(state, effect, report)
            judge_base(state, effect, memory.past, report)
            judge_sought(effect, report)
            judge_holders(state, effect, memory, report)
            judge_compact(state, effect, memory, report)
        judge_observe(state, effect, report)
        judge_digest(state, effect, report)
        if not effect.presumed:
            judge_inverses(state, effect, memory, report)
        judge_rollback(state, effect, memory, known, report)
        judge_reach(state, effect, memory.reach, report)
        judge_apply(state, effect, verdict, memory, report)
        judge_reject(state, effect, verdict, memory, report)
        if effect.diff is not None and effect.diff.diff not in state.staged:
            memory.forget_diff(effect.diff.diff)
            memory.leaves(effect.diff, applied=isinstance(effect.event, Apply))
            if effect.diff.base is not None:
                effect.diff.base.let_go()
        elif effect.diff is not None and isinstance(effect.event, Abort):
            memory.comes_back()
        if state.staged or effect.diff is not None:
            judge_staged(state, effect, memory, report)
        if effect.cleared:
            rejudge_holders(state, memory, state.holders)
        elif effect.lost is not None:
            memory.lose(state)
            changed_too = (change.after.span for change in effect.spans if effect.presumed)
            rejudge_holders(state, memory, {*effect.lost, *changed_too})

    def lose(self, doubt: Doubt) -> None:
        """Lines were lost: everything that stands is unknown from `doubt.since` on."""
        self.state.seq = doubt.since
        lost = lose(self.state, doubt)
        note_floor(self.state, self.memory.reach)
        self.memory.lose(self.state)
        rejudge_holders(self.state, self.memory, lost)
        rejudge_staged(self.state, self.memory)

    def finish(self) -> list[Finding]:
        """The recording ends here: what only its end can tell."""
        report = Report(self.state.seq)
        judge_orphans(self.state, self.memory, report)
        return report.sorted()


JUDGES: dict[type, Callable[[Judge, Any, Effect, Report], None]] = {
    Unknown: Judge._unknown_event,
    Use: Judge._use,
    Derive: Judge._derive,
    Release: Judge._release,
    Splice: Judge._splice,
    Mark: Judge._mark,
    Render: Judge._render,
    Checkpoint: Judge._checkpoint,
    Gap: Judge._gap,
}
"""Events with few rules of their own; all others may change anything."""

WITHOUT_RULES = frozenset({Resume, Close})
