"""An agent's real buffer beside a recorder: every hash, offset, inverse and digest is computed.

The scripts of the sample sessions tell it what the agent does; it works out what an agent with
that text in its hands would write down. Beside the events it keeps what `check` must say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from spanscope.buffer.recorder import Recorder
from spanscope.journal.parts import AnyEdit, Inverse, PruneEdit, Read, Ref, SpliceEdit
from spanscope.model.anchors import sound_inverse
from spanscope.model.content import buffer_digest
from spanscope.rules.finding import Severity
from spanscope.sample_sessions import ExpectedFinding
from spanscope.sample_sessions.clock import Clock
from spanscope.sample_sessions.spans import Held, whole_inverse

Key = Literal["both", "version", "none"]
Where = Literal["inline", "ahead", "none"]


class SampleSession:
    """What the agent holds, and what it records of it.

    Methods that change the buffer return the seq of their event, as those of a recorder do.
    Texts are sought, never counted: whatever is sought must stand exactly once.
    """

    def __init__(self, recorder: Recorder, clock: Clock) -> None:
        self.recorder = recorder
        self.clock = clock
        self.spans: dict[str, Held] = {}
        self.order: list[str] = []
        self.revision = 0
        self.expected: list[ExpectedFinding] = []
        self.look_at = 0
        self._undo: list[dict[str, str]] = []

    def text(self, span: str) -> str:
        """What the span holds now."""
        return self.spans[span].text

    def find(self, span: str, sought: str) -> int:
        """The offset of a text that stands once in the span.

        Raises ValueError where it stands there more or less often.
        """
        text = self.text(span)
        if text.count(sought) != 1:
            raise ValueError(f"{sought!r} stands {text.count(sought)} times in {span}")
        return text.index(sought)

    def range(self, span: str, sought: str) -> tuple[int, int]:
        """Where a text stands in the span, as an artifact's range."""
        at = self.find(span, sought)
        return at, at + len(sought)

    @property
    def digest(self) -> str:
        """The digest of the whole buffer."""
        return buffer_digest((name, self.spans[name].hash) for name in self.order)

    def expect(self, rule: str, severity: Severity, /, at: int = 0, **subject: str | int) -> None:
        """`check` must find this at the last event, or at `at`."""
        self.expected.append(
            ExpectedFinding(
                rule=rule, seq=at or self.recorder.seq, severity=severity, subject=subject
            )
        )

    # Marks

    def turn(self, label: str) -> int:
        """A turn begins, a while after the one before."""
        self.clock.pause(9)
        return self.recorder.mark("turn", label)

    def tool(self, label: str, *, actor: str = "agent") -> int:
        """A tool is called."""
        self.clock.pause(0.8)
        return self.recorder.mark("tool", label, actor=actor)

    def note(self, caption: str) -> int:
        """A beat of the story, told to whoever reads the recording."""
        return self.recorder.mark("note", caption)

    def call_model(self, call: str, *, actor: str = "agent") -> int:
        """A model call that is shown every live span, in order."""
        self.recorder.mark("llm", f"call {call}", actor=actor)
        seq = self.recorder.render(list(self.order), call=call, actor=actor)
        self.clock.pause(3.2)
        return seq

    # Changes

    def ingest(
        self,
        span: str,
        content: str,
        *,
        role: str,
        origin: str | None = None,
        answers: str | None = None,
        supersedes: Sequence[str] = (),
        after: str | UnsetType = UNSET,
        actor: str = "agent",
    ) -> int:
        """A new span, last in the order or after another one."""
        self._before_change()
        held = self.spans[span] = Held(content)
        place = len(self.order) if after is UNSET else self.order.index(str(after)) + 1
        self.order.insert(place, span)
        return self.recorder.ingest(
            span,
            content,
            role=role,
            origin=origin,
            answers=answers,
            supersedes=supersedes,
            after=after,
            version=held.version,
            hash=held.hash,
            actor=actor,
        )

    def rewrite(
        self,
        span: str,
        content: str,
        *,
        op: str,
        invalidates: Sequence[str] = (),
        actor: str = "agent",
    ) -> int:
        """The whole content replaced in place, its inverse in the same line."""
        self._before_change()
        held = self.spans[span]
        inverse = whole_inverse(held.text, content)
        self._put(span, content)
        return self.recorder.rewrite(
            span,
            content,
            op,
            version=held.version,
            hash=held.hash,
            invalidates=invalidates,
            inverse=inverse,
            actor=actor,
        )

    def copy(self, span: str, into: str, content: str, *, op: str, actor: str = "agent") -> int:
        """Copy-on-rewrite: the old span stays readable as a tombstone."""
        self._before_change()
        old = self.spans[span]
        old.live = False
        held = self.spans[into] = Held(content, old.version + 1)
        self.order[self.order.index(span)] = into
        return self.recorder.rewrite(
            span,
            content,
            op,
            into=into,
            version=held.version,
            hash=held.hash,
            actor=actor,
        )

    def splice(
        self,
        span: str,
        old: str,
        new: str,
        *,
        inside: str | None = None,
        inverse: Where = "inline",
        invalidates: Sequence[str] = (),
        actor: str = "agent",
    ) -> int:
        """`old` replaced by `new`; `inside` is a longer text that stands once and holds it.

        `inverse` says where its record goes: into the same line, onto a line of its own before
        it (write-ahead), or nowhere.
        """
        return self._splice_at(
            span, self._place(span, old, inside), old, new, inverse, invalidates, actor
        )

    def append(self, span: str, line: str, *, actor: str = "agent") -> int:
        """Text added at the end of a span."""
        return self._splice_at(span, len(self.text(span)), "", line, "inline", (), actor)

    def _splice_at(
        self,
        span: str,
        at: int,
        old: str,
        new: str,
        inverse: Where,
        invalidates: Sequence[str],
        actor: str,
    ) -> int:
        self._before_change()
        held = self.spans[span]
        self._put(span, held.text[:at] + new + held.text[at + len(old) :])
        record = sound_inverse(held.text, at, new, old)
        if inverse == "ahead":
            self._write_ahead(record, actor)
        return self.recorder.splice(
            span,
            at,
            len(old),
            new,
            version=held.version,
            hash=held.hash,
            inverse=record if inverse == "inline" else None,
            invalidates=invalidates,
            actor=actor,
        )

    def prune(self, span: str, *, actor: str = "agent") -> int:
        """The span leaves the buffer; the inverse keeps its content."""
        self._before_change()
        inverse = self._gone(span)
        return self.recorder.prune(span, inverse=inverse, actor=actor)

    def _before_change(self) -> None:
        self._undo.append({name: held.text for name, held in self.spans.items()})
        self.revision += 1

    def _put(self, span: str, content: str) -> None:
        held = self.spans[span]
        held.text = content
        held.version += 1

    def _gone(self, span: str) -> Inverse:
        held = self.spans[span]
        held.live = False
        self.order.remove(span)
        return Inverse(original=held.text, inserted=0)

    def _place(self, span: str, old: str, inside: str | None) -> int:
        if inside is None:
            return self.find(span, old)
        return self.find(span, inside) + inside.index(old)

    def _write_ahead(self, record: Inverse, actor: str) -> None:
        self.recorder.inverse(
            self.recorder.seq + 2,
            original=record.original,
            inserted=record.inserted,
            inserted_hash=record.inserted_hash,
            before=record.before,
            after=record.after,
            actor=actor,
        )

    # Undo

    def rollback(self, steps: int, span: str, *, actor: str = "agent") -> int:
        """Undo the newest changes exactly; they all changed `span` in place."""
        self._put(span, self._undo[-steps][span])
        del self._undo[-steps:]
        self.revision += 1
        held = self.spans[span]
        return self.recorder.rollback(
            steps, versions={span: held.version}, hashes={span: held.hash}, actor=actor
        )

    def overwrite(
        self, steps: int, span: str, at: int, delete: int, insert: str, *, actor: str = "agent"
    ) -> int:
        """What a rollback does that trusts an offset: whatever stands there is overwritten."""
        text = self.text(span)
        self._put(span, text[:at] + insert + text[at + delete :])
        del self._undo[-steps:]
        self.revision += 1
        held = self.spans[span]
        return self.recorder.rollback(
            steps,
            edits=[SpliceEdit(span=span, at=at, delete=delete, insert=insert)],
            versions={span: held.version},
            hashes={span: held.hash},
            actor=actor,
        )

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
        range: tuple[int, int],
        *,
        holder: str,
        checked: Sequence[Literal["version", "hash"]] = (),
    ) -> str:
        """The holder slices the span at the offsets it kept, and gets what stands there."""
        got = self.text(span)[range[0] : range[1]]
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
