"""A sample session as its script tells it: what the agent does, and what `check` must say of it.

The scripts say what is read, changed and kept; what an agent with that text in its hands would
write down beside it is worked out here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from spanscope.buffer.recorder import Recorder
from spanscope.journal.parts import AnyEdit, Inverse, Item, PruneEdit, Read, Ref, SpliceEdit
from spanscope.model.anchors import sound_inverse
from spanscope.rules.finding import Severity
from spanscope.sample_sessions import ExpectedFinding
from spanscope.sample_sessions.changes import AgentBuffer
from spanscope.sample_sessions.clock import Clock

Key = Literal["both", "version", "none"]


class SampleSession(AgentBuffer):
    """What the agent holds, and what it records of it."""

    def __init__(self, recorder: Recorder, clock: Clock) -> None:
        super().__init__(recorder)
        self.clock = clock
        self.expected: list[ExpectedFinding] = []
        self.look_at = 0
        self.torn = False

    def expect(self, rule: str, severity: Severity, /, at: int = 0, **subject: str | int) -> None:
        """`check` must find this at the last event, or at `at`."""
        self.expected.append(
            ExpectedFinding(
                rule=rule, seq=at or self.recorder.seq, severity=severity, subject=subject
            )
        )

    def killed(self) -> None:
        """The process dies while it writes the event that was last: its line is torn."""
        self.torn = True
        self.expected.append(ExpectedFinding(rule="JNL001", seq=0, severity="warning", subject={}))

    # Marks

    def turn(self, label: str, *, later: float = 9) -> int:
        """A turn begins, so many seconds after the one before."""
        self.clock.pause(later)
        return self.recorder.mark("turn", label)

    def tool(self, label: str, *, actor: str = "agent") -> int:
        """A tool is called."""
        self.clock.pause(0.8)
        return self.recorder.mark("tool", label, actor=actor)

    def note(self, caption: str) -> int:
        """A beat of the story: tells whoever reads the recording what has just happened."""
        return self.recorder.mark("note", caption)

    def step(self, number: int, tool: str, call: str, result: str, *, seconds: float = 1.1) -> None:
        """A tool is called, and so many seconds later its result answers the call."""
        self.tool(tool)
        self.ingest(f"call/{number}", call, role="tool_call")
        self.clock.pause(seconds)
        self.ingest(
            f"result/{number}",
            result,
            role="tool_result",
            answers=f"call/{number}",
            actor=f"tool:{tool}",
        )

    def call_model(
        self,
        call: str,
        *,
        shown: Sequence[Item | str] | None = None,
        rewritten: str | None = None,
        actor: str = "agent",
    ) -> int:
        """A model call that is shown every live span, in order, or what `shown` lists.

        `rewritten`: the first span in which this prompt is not what the call before was shown.
        """
        self.recorder.mark("llm", f"call {call}", actor=actor)
        items = list(self.order) if shown is None else shown
        seq = self.recorder.render(items, call=call, actor=actor)
        if rewritten is not None:
            self.expect("SHN404", "info", span=rewritten)
        self.clock.pause(3.2)
        return seq

    # Holders

    def derive(
        self,
        artifact: str,
        span: str,
        kind: str,
        *,
        holder: str,
        quote: str | None = None,
        key: Key = "both",
        cost: Literal["cheap", "expensive"] | None = None,
    ) -> int:
        """A holder keeps something of the span, or of the one place where `quote` stands."""
        held = self.spans[span]
        return self.recorder.derive(
            artifact,
            span,
            kind,
            range=None if quote is None else self.range(span, quote),
            quote=None if quote is None else {"exact": quote},
            version=None if key == "none" else held.version,
            hash=held.hash if key == "both" else None,
            holder=holder,
            cost=cost,
            actor=holder,
        )

    def use(
        self,
        artifact: str,
        span: str,
        range: tuple[int, int] | None = None,
        *,
        holder: str,
        checked: Sequence[Literal["version", "hash"]] = (),
    ) -> str:
        """The holder takes what stands at the offsets it kept, or the whole span; returns that."""
        got = self.text(span)[slice(*range or (None,))]
        self.recorder.use(artifact, got=got, checked=checked, actor=holder)
        return got

    def rederive(
        self, artifact: str, span: str, kind: str, *, holder: str, quote: str | None = None
    ) -> None:
        """The holder finds its key outdated and derives the artifact again."""
        self.recorder.use(artifact, outcome="rederived", checked=["version", "hash"], actor=holder)
        self.derive(artifact, span, kind, holder=holder, quote=quote)

    # Diffs

    def read(self, span: str) -> Read:
        """A member of a read set: the span as it is now."""
        return Read(span=span, hash=self.spans[span].hash)

    def stage(
        self,
        diff: str,
        *,
        reads: Sequence[str],
        edits: Sequence[AnyEdit],
        refs: Sequence[Ref] = (),
        compensates: int | None = None,
        actor: str,
    ) -> int:
        """A diff authored against the buffer as it is now."""
        return self.recorder.stage(
            diff,
            {"revision": self.revision, "digest": self.digest},
            reads=[self.read(span) for span in reads],
            edits=edits,
            refs=refs,
            compensates=compensates,
            actor=actor,
        )

    def apply(self, diff: str, edits: Sequence[AnyEdit], *, actor: str) -> int:
        """The diff goes in as staged; each edit gets an inverse whose anchors are unique."""
        self._before_change()
        inverses = [self._do(edit) for edit in edits]
        changed = [edit.span for edit in edits if self.spans[edit.span].live]
        return self.recorder.apply(
            diff,
            inverses=inverses,
            versions={span: self.spans[span].version for span in changed},
            hashes={span: self.spans[span].hash for span in changed},
            actor=actor,
        )

    def _do(self, edit: AnyEdit) -> Inverse:
        if isinstance(edit, PruneEdit):
            return self._gone(edit.span)
        if not isinstance(edit, SpliceEdit):
            raise TypeError("the samples' diffs splice and prune")
        text, at = self.text(edit.span), edit.at
        if at is None:
            assert edit.anchor is not None
            removed = edit.original or ""
            at = self.find(edit.span, edit.anchor.before + removed + edit.anchor.after)
            at += len(edit.anchor.before)
        removed = text[at : at + edit.delete]
        self._put(edit.span, text[:at] + edit.insert + text[at + edit.delete :])
        return sound_inverse(self.text(edit.span), at, edit.insert, removed)


Script = Callable[[SampleSession], None]
"""Records one session from its first event to its last."""


class Story(Struct, frozen=True):
    """How a scenario is told, unsafe and safe: each a line for a gallery, and its script."""

    title: str
    seed: str
    agent: str
    started: datetime
    unsafe: tuple[str, Script]
    safe: tuple[str, Script]
