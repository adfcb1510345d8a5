"""An agent's real buffer beside a recorder: what it holds, and every change that it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from spanscope.buffer.recorder import Recorder
from spanscope.journal.parts import Base, Inverse, SpliceEdit
from spanscope.model.anchors import sound_inverse
from spanscope.model.content import buffer_digest
from spanscope.sample_sessions.spans import Held, first_match, whole_inverse

Where = Literal["inline", "ahead", "none"]
MakeInverse = Callable[[str, int, str, str], Inverse]
"""Text after the change, where it was made, what was inserted and what stood there before."""


class AgentBuffer:
    """What the agent holds; every hash, offset, inverse and digest is computed.

    Methods that change it return the seq of their event, as those of a recorder do. Texts are
    sought, never counted: whatever is sought must stand exactly once.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.spans: dict[str, Held] = {}
        self.order: list[str] = []
        self.revision = 0
        self.inverses: dict[int, Inverse] = {}
        self._undo: list[dict[str, str]] = []

    def text(self, span: str) -> str:
        """What the span holds now."""
        return self.spans[span].text

    def base(self, span: str) -> Base:
        """The span as it is now, for who is going to write it later."""
        return Base(version=self.spans[span].version, hash=self.spans[span].hash)

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
        base: Base | None = None,
        invalidates: Sequence[str] = (),
        actor: str = "agent",
    ) -> int:
        """The whole content replaced in place, its inverse in the same line.

        `base` is what the writer believes that it replaces.
        """
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
            base=base,
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
        record: MakeInverse = sound_inverse,
        invalidates: Sequence[str] = (),
        actor: str = "agent",
    ) -> int:
        """`old` replaced by `new`; `inside` is a longer text that stands once and holds it.

        `inverse` says where its record goes: into the same line, onto a line of its own before
        it (write-ahead), or nowhere (`self.inverses` keeps it); `record` makes it.
        """
        return self._splice_at(
            span,
            self._place(span, old, inside),
            old,
            new,
            inverse=inverse,
            record=record,
            invalidates=invalidates,
            actor=actor,
        )

    def write_ahead(self, span: str, old: str, new: str, *, inside: str | None = None) -> int:
        """The inverse of a splice reaches the log, and the splice is not made any more."""
        text, at = self.text(span), self._place(span, old, inside)
        after = text[:at] + new + text[at + len(old) :]
        return self._log(self.recorder.seq + 2, sound_inverse(after, at, new, old), "agent")

    def unlogged(self, span: str, old: str, new: str, *, inside: str | None = None) -> None:
        """A splice that changes the text and never reaches the log."""
        text, at = self.text(span), self._place(span, old, inside)
        self._put(span, text[:at] + new + text[at + len(old) :])

    def append(self, span: str, line: str, *, actor: str = "agent") -> int:
        """Text added at the end of a span."""
        return self._splice_at(span, len(self.text(span)), "", line, actor=actor)

    def _splice_at(
        self,
        span: str,
        at: int,
        old: str,
        new: str,
        *,
        inverse: Where = "inline",
        record: MakeInverse = sound_inverse,
        invalidates: Sequence[str] = (),
        actor: str,
    ) -> int:
        self._before_change()
        held = self.spans[span]
        self._put(span, held.text[:at] + new + held.text[at + len(old) :])
        made = record(held.text, at, new, old)
        if inverse == "ahead":
            self._log(self.recorder.seq + 2, made, actor)
        seq = self.recorder.splice(
            span,
            at,
            len(old),
            new,
            version=held.version,
            hash=held.hash,
            inverse=made if inverse == "inline" else None,
            invalidates=invalidates,
            actor=actor,
        )
        self.inverses[seq] = made
        return seq

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

    def log_late(self, entry: int, *, actor: str = "agent") -> int:
        """The inverse of a change that has long been made reaches the log."""
        return self._log(entry, self.inverses[entry], actor)

    def _log(self, of: int, record: Inverse, actor: str) -> int:
        return self.recorder.inverse(
            of,
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

    def take_back(
        self,
        entry: int,
        span: str,
        *,
        at: int | None = None,
        claims: bool = True,
        actor: str = "agent",
    ) -> int:
        """Undo one splice of the span and keep what came after it.

        `at` is where its inverse is written, right or wrong; without it, at the one place where
        the inverse fits. Without `claims` nothing is said of what the span holds after it.
        """
        record, text = self.inverses[entry], self.text(span)
        place = first_match(text, record) if at is None else at
        self._put(span, text[:place] + record.original + text[place + record.inserted :])
        self.revision += 1
        held = self.spans[span]
        done = SpliceEdit(span=span, at=place, delete=record.inserted, insert=record.original)
        return self.recorder.rollback(
            of=[entry],
            edits=None if at is None else [done],
            versions={span: held.version} if claims else None,
            hashes={span: held.hash} if claims else None,
            actor=actor,
        )
