"""What holders derive from spans, and whether it is still true when they use it (seed 000)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from spanscope.buffer.core import BufferCore
from spanscope.buffer.errors import SpanscopeError, StaleSpanError, one_line, refusal, worded
from spanscope.buffer.keying import cut, cut_or_all, derivation
from spanscope.buffer.trial import head_of
from spanscope.journal.errors import JournalWriteError
from spanscope.journal.events import AnyEvent, Release, Use
from spanscope.journal.parts import Range
from spanscope.model.spans import Artifact as Held
from spanscope.model.spans import Span
from spanscope.model.tokens import UntoldTokensError
from spanscope.rules.changes import is_true
from spanscope.rules.finding import Finding
from spanscope.rules.holders import judge_artifact, since_of
from spanscope.rules.judgements import ArtifactJudgement
from spanscope.rules.memory import Memory
from spanscope.rules.ranged import judge_range, stands_now
from spanscope.rules.report import Report
from spanscope.rules.uses import judge_use

Rebuild = Callable[[str], Any]
"""Makes the value of an artifact from the text that it is derived from."""


class Artifact:
    """Something that a holder derived from a span, keyed on its version and content hash.

    Every use checks the key: what is no longer true raises StaleSpanError instead of giving a
    plausible wrong answer.
    """

    def __init__(
        self, core: BufferCore, actor: str, held: Held, value: Any, rebuild: Rebuild | None
    ) -> None:
        self._core = core
        self._actor = actor
        self._held = held
        self._value = value
        self._rebuild = rebuild
        self._released = False

    def __repr__(self) -> str:
        return f"<Artifact {self.artifact}: {self.kind} of {self.span}>"

    @property
    def artifact(self) -> str:
        """Its id in the journal."""
        return self._held.artifact

    @property
    def span(self) -> str:
        """The span it was derived from."""
        return self._held.span

    @property
    def kind(self) -> str:
        """What it is: citation, embedding, offset map, …"""
        return self._held.kind

    @property
    def range(self) -> Range | None:
        """Where it points in its span, in its unit; None for the whole span."""
        return self._held.range

    @property
    def released(self) -> bool:
        """Whether its holder gave it up."""
        return self._released

    @property
    def fresh(self) -> bool:
        """Whether it is still true. Looking is no use: the journal is not told."""
        with self._core.lock:
            return self._live and is_true(self._judged())

    @property
    def value(self) -> Any:
        """What the holder made of the text.

        Raises StaleSpanError where the text is not what it was made from.
        """
        with self._core.lock:
            self._use()
            return self._value

    def text(self) -> str:
        """The text that it points to.

        Raises StaleSpanError, which says what changed, when and by whom, where that text is not
        what it was derived from; SpanscopeError for a range of tokens that can't be told.
        """
        with self._core.lock:
            held = self._held
            text = self._core.state.spans[self.span].node.text
            try:
                found = cut(text, held.range, held.unit, held.tokenizer)
            except UntoldTokensError as untold:
                raise SpanscopeError(one_line(f"{untold}; use the value")) from None
            self._use()
            return found

    def rebuild(self, range: Range | None = None) -> Artifact:
        """Derives it anew from its span, or from the live successor of a tombstone.

        Without `range`, its own range is followed through the edits; where the text in it did not
        survive them, StaleSpanError. A `rebuild` function given to `derive` makes the new value;
        without one the value stays.
        """
        core = self._core
        while True:
            with core.lock:
                span, place = self._current(range)
            value = self._value
            if self._rebuild is not None:
                value = self._rebuild(self._text_of(span, place))
            with core.lock:
                now = core.state.spans.get(span.span)
                if now is None or not now.live or now.node is not span.node:
                    continue
                self._rekey(now, place)
                self._value = value
                return self

    def release(self) -> None:
        """Gives it up: nobody needs to keep or tell anything for it any more."""
        core = self._core
        with core.lock:
            if self._released:
                return
            if self._live:
                core.commit(core.make(Release, self._actor, artifact=self.artifact))
            self._released = True

    @property
    def _live(self) -> bool:
        held = self._core.state.artifacts.get(self.artifact)
        return held is not None and held.seq == self._held.seq

    def _judged(self) -> ArtifactJudgement:
        """What the audit judges a live one to be."""
        state = self._core.state
        return judge_artifact(state.artifacts[self.artifact], state.spans.get)

    def _text_of(self, span: Span, place: Range | None) -> str:
        """The text to make the value from: all of the span where the tokens can't be told."""
        return cut_or_all(span.node.text, place, self._held.unit, self._held.tokenizer)

    def _use(self) -> None:
        """Journal the use; refuse it where the artifact is not true."""
        core = self._core
        core.check_open()
        self._check_held()
        checked = ["version", "hash"]
        if self.fresh:
            core.commit(core.make(Use, self._actor, artifact=self.artifact, checked=checked))
            return
        finding = self._stale_finding() if self._live else self._withdrawn_finding()
        if self._live:
            caught = core.make(
                Use, self._actor, artifact=self.artifact, outcome="caught", checked=checked
            )
            # The refusal stands, whether the journal can take it or not.
            with suppress(JournalWriteError):
                core.commit(caught)
        advice = "release it" if finding.rule == "SPN132" else "rebuild it"
        words = worded(finding, f"{self._culprit(finding)}{advice}")
        raise StaleSpanError(words.replace(" was used stale:", " is stale:"), finding)

    def _check_held(self) -> None:
        if self._released:
            report = Report(self._core.state.seq + 1)
            subject = {"artifact": self.artifact}
            report.add("JNL007", subject, f"{self.artifact} was released by its holder.", subject)
            raise refusal(report.sorted(), "derive it again")

    def _stale_finding(self) -> Finding:
        """What the audit would say had it been used."""
        core = self._core
        event = core.make(Use, self._actor, artifact=self.artifact)
        assert isinstance(event, Use)
        report = Report(event.seq)
        judge_use(core.state, event, Memory(), report)
        return next(found for found in report.sorted() if found.rule in {"SPN102", "SPN132"})

    def _withdrawn_finding(self) -> Finding:
        """The buffer released it because a rollback or a draft made it untrue."""
        core = self._core
        since = since_of(lambda name: core.state.chronicle.get(name, ()))
        judged = judge_artifact(self._held, core.state.spans.get, since)
        report = Report(core.state.seq + 1)
        message = f"{self.artifact} was withdrawn when a rollback or a draft changed {self.span}."
        subject = {"artifact": self.artifact, "span": self.span}
        evidence = {"signals": list(judged.signals), "meant": judged.meant, "got": judged.obtained}
        report.add("SPN102", subject, message, evidence, caused_by=judged.cause)
        return report.sorted()[0]

    def _culprit(self, finding: Finding) -> str:
        """Who made the change, and when, as a part of the message."""
        cause = finding.caused_by
        name = str(finding.evidence.get("culprit") or self.span)
        states = self._core.state.chronicle.get(name, [])
        if cause is None or not 1 <= cause <= len(self._core.times):
            return ""
        actor = next((s.node.actor for s in states if s.seq == cause and s.node.seq == cause), None)
        entry = self._core.state.entry(cause)
        actor = actor or (None if entry is None else entry[1].actor)
        by = f" by {actor}" if actor else ""
        return f"changed{by} at {self._core.times[cause - 1]}; "

    def _current(self, range: Range | None) -> tuple[Span, Range | None]:
        """The span to derive it from now, and its range there."""
        core = self._core
        core.check_open()
        self._check_held()
        name = head_of(core.state, self.span)
        if name is None:
            raise self._lost(f"its span {self.span} is gone")
        span = core.state.spans[name]
        if range is not None or self._held.range is None:
            return span, range
        place = _range_now(self._held, span)
        if place is None:
            raise self._lost(f"the text it points to did not survive in {name}; give a range")
        return span, place

    def _lost(self, why: str) -> StaleSpanError:
        report = Report(self._core.state.seq + 1)
        subject = {"artifact": self.artifact, "span": self.span}
        report.add("SPN102", subject, f"{self.artifact} can't be rebuilt: {why}.")
        finding = report.sorted()[0]
        return StaleSpanError(worded(finding), finding)

    def _rekey(self, span: Span, place: Range | None) -> None:
        core, held = self._core, self._held
        events: list[AnyEvent] = []
        if self._live and not self.fresh:
            checked = ["version", "hash"]
            rederived = {"artifact": self.artifact, "outcome": "rederived", "checked": checked}
            events.append(core.make(Use, self._actor, **rederived))
        sources = [source.span for source in held.base[1:]]
        derived = derivation(
            core,
            self._actor,
            span,
            len(events),
            {
                "artifact": self.artifact,
                "kind": held.kind,
                "range": place,
                "unit": held.unit,
                "holder": held.holder,
                "cost": "expensive" if held.expensive else "cheap",
                "sources": sources,
            },
        )
        core.commit(*events, derived)
        self._held = core.state.artifacts[self.artifact]


def _range_now(held: Held, span: Span) -> Range | None:
    """Where the artifact's own text stands in a span now, followed or as the only such text."""
    now = judge_range(held, span)
    if now.meant is None:
        return held.range if held.base[0].hash == span.hash else None
    stand = stands_now(held, span)
    if stand is not None and stand.range is not None and stand.text == now.meant:
        return stand.range
    return held.range if now.intact else now.moved
