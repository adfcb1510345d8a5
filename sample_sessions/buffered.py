"""A session whose agent keeps its context in a `ContextBuffer`, told by the same scripts.

The buffer works out by itself what the scripts of the safe twins do by hand: inverses, who is
told, keys. A diff is journaled once it is applied, so one that is taken back leaves no trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, cast

from msgspec import UNSET, UnsetType

from spanscope.buffer.artifacts import Artifact
from spanscope.buffer.buffer import BufferView, ContextBuffer
from spanscope.buffer.drafts import Draft
from spanscope.buffer.recorder import Recorder
from spanscope.journal.parts import AnyEdit, Base, Item, PruneEdit, QuoteRef, Ref, SpliceEdit
from spanscope.model.anchors import sound_inverse
from spanscope.sample_sessions.cast import CALL, CAPTION, Cast
from spanscope.sample_sessions.changes import MakeInverse, Where
from spanscope.sample_sessions.clock import Clock
from spanscope.sample_sessions.session import Key, SampleSession


class BufferSession(SampleSession):
    """What the agent does, done with a buffer that refuses what is unsafe."""

    def __init__(self, buffer: ContextBuffer, clock: Clock, actors: Cast) -> None:
        self.buffer = buffer
        self.clock = clock
        self.expected = []
        self.look_at = 0
        self.torn = False
        self.recorder = cast("Recorder", BufferRecorder(self))
        self.actors = actors
        self.held: dict[str, Artifact] = {}
        self.drafts: dict[str, Draft] = {}

    def view(self, actor: str) -> BufferView:
        """The buffer as an actor uses it."""
        return self.buffer if actor == "agent" else self.buffer.as_actor(actor)

    def text(self, span: str) -> str:
        """What the span holds now."""
        return self.buffer.text(span)

    def base(self, span: str) -> Base:
        """The span as it is now, for who is going to write it later."""
        return cast("Base", self.buffer.span(span))

    @property
    def digest(self) -> str:
        """The digest of the whole buffer."""
        return self.buffer.digest

    @property
    def revision(self) -> int:  # type: ignore[override]
        """How often the buffer has changed."""
        return self.buffer.revision

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
        fields: dict[str, Any] = {"role": role, "origin": origin, "answers": answers}
        fields |= {"supersedes": supersedes, "after": after}
        self.actors.act(actor, lambda: self.view(actor).ingest(span, content, **fields))
        return self.buffer.seq

    def rewrite(
        self,
        span: str,
        content: str,
        *,
        op: str,
        base: Base | None = None,
        invalidates: Sequence[str] = (),
        actor: str = "agent",
    ) -> int:
        """The whole content replaced in place; the buffer tells the holders."""
        del invalidates
        seen = cast("Any", base)
        self.actors.act(
            actor,
            lambda: self.view(actor).rewrite(span, content, op, policy="tell", base=seen),
        )
        return self.buffer.seq

    def copy(self, span: str, into: str, content: str, *, op: str, actor: str = "agent") -> int:
        """Copy-on-rewrite: the old span stays readable as a tombstone."""
        self.actors.act(
            actor, lambda: self.view(actor).rewrite(span, content, op, policy="copy", into=into)
        )
        return self.buffer.seq

    def splice(
        self,
        span: str,
        old: str,
        new: str,
        *,
        inside: str | None = None,
        inverse: Where = "inline",
        record: MakeInverse = sound_inverse,
        invalidates: Sequence[str] = (),
        actor: str = "agent",
    ) -> int:
        """`old` replaced by `new`; the buffer makes the inverse, and writes it first."""
        del inverse, record, invalidates
        return self._splice(span, self._place(span, old, inside), len(old), new, actor)

    def append(self, span: str, line: str, *, actor: str = "agent") -> int:
        """Text added at the end of a span."""
        return self._splice(span, len(self.text(span)), 0, line, actor)

    def _splice(self, span: str, at: int, delete: int, insert: str, actor: str) -> int:
        self.actors.act(actor, lambda: self.view(actor).splice(span, at, delete, insert))
        return self.buffer.seq

    def write_ahead(self, span: str, old: str, new: str, *, inside: str | None = None) -> int:
        """A change that is not made leaves nothing: the buffer writes both as one record."""
        del span, old, new, inside
        return self.buffer.seq

    def prune(self, span: str, *, actor: str = "agent") -> int:
        """The span leaves the buffer."""
        self.actors.act(actor, lambda: self.view(actor).prune(span))
        return self.buffer.seq

    def rollback(self, steps: int, span: str, *, actor: str = "agent") -> int:
        """Undo the newest changes exactly."""
        del span
        self.actors.act(actor, lambda: self.view(actor).rollback(steps))
        return self.buffer.seq

    def take_back(
        self,
        entry: int,
        span: str,
        *,
        at: int | None = None,
        claims: bool = True,
        actor: str = "agent",
    ) -> int:
        """Undo one change and keep what came after it."""
        del span, at, claims
        self.actors.act(actor, lambda: self.view(actor).rollback(of=[entry]))
        return self.buffer.seq

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
        """A holder keeps something of the span, keyed on version and hash."""
        del key
        self.held[artifact] = self.actors.act(
            holder,
            lambda: self.view(holder).derive(
                span, kind, quote=quote, holder=holder, cost=cost, artifact=artifact
            ),
        )
        return self.buffer.seq

    def use(
        self,
        artifact: str,
        span: str,
        range: tuple[int, int] | None = None,
        *,
        holder: str,
        checked: Sequence[Literal["version", "hash"]] = (),
    ) -> str:
        """The holder takes the text that it points to; a stale one would be refused."""
        del span, range, checked
        return self.actors.act(holder, self.held[artifact].text)

    def rederive(
        self, artifact: str, span: str, kind: str, *, holder: str, quote: str | None = None
    ) -> None:
        """The holder was told, and derives the artifact again."""
        del kind
        place = None if quote is None else self.range(span, quote)
        self.actors.act(holder, lambda: self.held[artifact].rebuild(place))

    # Diffs

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
        """A draft against the buffer as it is now."""
        del compensates

        def author() -> Draft:
            draft = self.view(actor).draft(allow_fragile=True)
            for span in reads:
                draft.read(span)
            for ref in refs:
                if isinstance(ref, QuoteRef):
                    draft.quote(ref.span, ref.text)
            for edit in edits:
                _edit(draft, edit)
            return draft

        self.drafts[diff] = self.actors.act(actor, author)
        return self.buffer.seq

    def apply(self, diff: str, edits: Sequence[AnyEdit], *, actor: str) -> int:
        """The draft goes in, if what it read is as it was."""
        del edits
        self.actors.act(actor, self.drafts.pop(diff).apply)
        return self.buffer.seq

    # Marks

    def call_model(
        self,
        call: str,
        *,
        shown: Sequence[Item | str] | None = None,
        rewritten: str | None = None,
        actor: str = "agent",
    ) -> int:
        """A model call that is shown every live span, in order."""
        del shown, rewritten
        self.recorder.mark("llm", f"call {call}", actor=actor)
        self.actors.act(actor, lambda: self.view(actor).messages(f"call {call}"), length=CALL)
        self.clock.pause(3.2)
        return self.buffer.seq


class BufferRecorder:
    """What the scripts ask of a recorder, asked of the buffer."""

    def __init__(self, session: BufferSession) -> None:
        self._session = session

    @property
    def path(self) -> Path | None:
        """The journal."""
        return self._session.buffer.path

    @property
    def seq(self) -> int:
        """The seq of the last event."""
        return self._session.buffer.seq

    def mark(
        self,
        kind: Literal["turn", "llm", "tool", "note"],
        label: str,
        *,
        actor: str = "agent",
    ) -> int:
        """A place to navigate to."""
        length = CAPTION if kind == "note" else 1
        view = self._session.view(actor)
        return self._session.actors.act(actor, lambda: view.mark(kind, label), length=length)

    def release(self, artifact: str, *, actor: str = "agent") -> int:
        """The holder lets go."""
        self._session.actors.act(actor, self._session.held[artifact].release)
        return self.seq

    def use(self, artifact: str, *, actor: str = "agent", **_: Any) -> int:
        """The holder uses what it kept."""
        self._session.actors.act(actor, self._session.held[artifact].text)
        return self.seq

    def compact(self, _: Sequence[str], *, actor: str = "agent") -> int:
        """Tombstones that nobody needs are collected."""
        self._session.actors.act(actor, self._session.view(actor).compact)
        return self.seq

    def checkpoint(self, name: str, *, snapshot: bool = False, **_: Any) -> int:
        """A point to go back to."""
        buffer = self._session.buffer
        return self._session.actors.act("agent", lambda: buffer.checkpoint(name, snapshot=snapshot))

    def withdraw(self, diff: str, **_: Any) -> int:
        """The author drops a draft."""
        del self._session.drafts[diff]
        return self.seq

    def observe(self, **_: Any) -> int:
        """Text and log are one: there is nothing to compare."""
        return self.seq

    def resume(self) -> int:
        """The process goes on: a buffer that was killed would be resumed from its journal."""
        return self.seq


def _edit(draft: Draft, edit: AnyEdit) -> None:
    """An edit of a script as a draft authors it."""
    if isinstance(edit, PruneEdit):
        draft.prune(edit.span)
    elif isinstance(edit, SpliceEdit) and edit.at is not None:
        draft.splice(edit.span, edit.at, edit.delete, edit.insert)
    elif isinstance(edit, SpliceEdit) and edit.anchor is not None and not edit.delete:
        following, preceding = edit.anchor.before, edit.anchor.after
        draft.insert(edit.span, edit.insert, following=following, preceding=preceding)
    elif isinstance(edit, SpliceEdit) and edit.original is not None:
        draft.replace(edit.span, edit.original, edit.insert)
    else:
        raise TypeError("the samples' diffs splice and prune")
