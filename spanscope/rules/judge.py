"""The rules, asked of one event after another.

One judge serves twice: the audit asks it of every recorded event, and an enforcing buffer asks
it before it commits.
"""

from __future__ import annotations

from spanscope.journal.events import (
    AnyEvent,
    Apply,
    Checkpoint,
    Derive,
    Gap,
    Ingest,
    Rewrite,
    Unknown,
    Use,
)
from spanscope.model.effects import Effect
from spanscope.model.replay import lose, replay
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
from spanscope.rules.reach import judge_reach
from spanscope.rules.report import Report
from spanscope.rules.rollbacks import judge_rollback
from spanscope.rules.shown import is_model_call, judge_orphans, judge_render
from spanscope.rules.staging import (
    judge_apply,
    judge_reject,
    judge_staged,
    rejudge_staged,
)
from spanscope.rules.uses import judge_derive, judge_use


class Judge:
    """The state of the buffer, what was judged of it, and the next event's findings."""

    def __init__(self) -> None:
        self.state = BufferState()
        self.memory = Memory()
        self.effect: Effect | None = None

    def feed(self, event: AnyEvent | Unknown) -> list[Finding]:
        """Let the event happen and say what the rules find, by rule and subject."""
        state, memory = self.state, self.memory
        report = Report(event.seq)
        if isinstance(event, Unknown):
            state.seq = event.seq
            self.effect = Effect(seq=event.seq, event=event)
            message = f"an event of type {event.type}, which this version does not know."
            report.add("JNL006", {}, message, {"type": event.type})
            return report.sorted()
        brings = isinstance(event, Ingest | Rewrite | Apply)
        undone = set(state.undone_ids) if brings and state.undone_ids else set()
        known = state.stack[state.known_from].seq if state.known_from < len(state.stack) else 0
        if state.known_from and state.known_from == len(state.stack):
            known = event.seq
        effect = self.effect = replay(state, event)
        self._judge(effect, undone, known, report)
        if isinstance(event, Checkpoint):
            memory.checkpoint = event.seq
        return report.sorted()

    def _judge(self, effect: Effect, undone: set[str], known: int, report: Report) -> None:
        state, memory, event = self.state, self.memory, effect.event
        for problem in effect.problems:
            report.add(problem.rule, problem.subject, problem.message, problem.evidence)
        if isinstance(event, Use):
            judge_use(state, event, memory, report)
            return
        if isinstance(event, Derive):
            judge_derive(state, event, effect, memory, report)
            return
        if effect.previous is not None:
            memory.artifacts.pop(effect.previous.artifact, None)
        verdict = None if effect.diff is None else memory.verdicts.get(effect.diff.diff)
        if effect.spans or effect.collected or effect.told or effect.claims:
            judge_claims(effect, report)
            judge_ids(state, effect, undone, report)
            judge_tombstones(effect, report)
            judge_base(effect, report)
            judge_sought(effect, report)
            judge_holders(state, effect, memory, report)
            judge_compact(state, effect, memory, report)
        if isinstance(event, Gap):
            lost = "an unknown number of" if event.lost is None else str(event.lost)
            message = f"the recorder missed {lost} events here: {event.reason}."
            report.add("JNL011", {}, message, {"lost": event.lost, "reason": event.reason})
        judge_observe(effect, report)
        judge_digest(state, effect, report)
        judge_inverses(effect, memory, report)
        judge_rollback(state, effect, memory, known, report)
        judge_reach(state, effect, memory, report)
        judge_apply(state, effect, verdict, memory, report)
        judge_reject(effect, verdict, memory, report)
        if effect.diff is not None and effect.diff.diff not in state.staged:
            memory.forget_diff(effect.diff.diff)
        judge_staged(state, effect, memory, report)
        judge_render(state, effect, memory, report)
        if is_model_call(effect):
            judge_orphans(state, memory, report)
        if effect.cleared or effect.lost:
            rejudge_holders(state, memory)

    def lose(self, doubt: Doubt) -> None:
        """Lines were lost: everything that stands is unknown from `doubt.since` on."""
        self.state.seq = doubt.since
        lose(self.state, doubt)
        rejudge_holders(self.state, self.memory)
        rejudge_staged(self.state, self.memory)

    def finish(self) -> list[Finding]:
        """The recording ends here: what only its end can tell."""
        report = Report(self.state.seq)
        judge_orphans(self.state, self.memory, report)
        return report.sorted()
