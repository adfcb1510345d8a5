"""One method an event: what a recorder and its views by actor share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack

from msgspec import UNSET, UnsetType

from spanscope.buffer.losing import LossyWriter
from spanscope.journal import events
from spanscope.journal.events import Event
from spanscope.journal.parts import (
    Anchor,
    AnyEdit,
    Base,
    DiffBase,
    Inverse,
    Item,
    Outcome,
    Quote,
    Range,
    Read,
    Ref,
    Source,
)

Plain = Mapping[str, Any]
"""A part given as a dict with the fields of its struct."""


class Common(TypedDict, total=False):
    """What every event may carry: who did it, and any further object."""

    actor: str
    meta: dict[str, Any] | None


class Mutation(Common, total=False):
    """What an in-place mutation may carry. `version` and `hash` are what holds after it."""

    version: int | None
    hash: str | None
    base: Base | Plain | None
    invalidates: Sequence[str]
    redacted: bool
    inverse: Inverse | Plain | None


class EventMethods:
    """Writes events. Each method takes the fields of its event and returns its seq.

    Parts (inverses, edits, reads, references) are structs of `spanscope.journal.parts` or dicts
    with their fields. Every method returns 0 where the journal can't take the event, which is
    then lost; it raises TypeError for a field of a wrong type, and JournalClosedError where the
    journal is closed or another process's.
    """

    def __init__(self, writer: LossyWriter, actor: str) -> None:
        self._writer = writer
        self._actor = actor

    def _record(self, struct: type[Event], /, **fields: Any) -> int:
        if self._actor != "agent":
            fields.setdefault("actor", self._actor)
        return self._writer.append(struct, **fields)

    def ingest(
        self,
        span: str,
        content: str,
        *,
        role: str | None = None,
        after: str | None | UnsetType = UNSET,
        origin: str | None = None,
        store: str = "context",
        answers: str | None = None,
        supersedes: Sequence[str] = (),
        version: int | None = None,
        hash: str | None = None,
        redacted: bool = False,
        **common: Unpack[Common],
    ) -> int:
        """A new live span. `after`: the span it follows, None for first; without it, last."""
        place = {} if after is UNSET else {"after": after}
        return self._record(
            events.Ingest,
            span=span,
            content=content,
            role=role,
            origin=origin,
            store=store,
            answers=answers,
            supersedes=supersedes,
            version=version,
            hash=hash,
            redacted=redacted,
            **place,
            **common,
        )

    def rewrite(
        self,
        span: str,
        content: str,
        op: str = "rewrite",
        *,
        into: str | None = None,
        **mutation: Unpack[Mutation],
    ) -> int:
        """The whole content replaced in place, or (`into`) as a new span beside a tombstone."""
        return self._record(
            events.Rewrite, span=span, content=content, op=op, into=into, **mutation
        )

    def splice(
        self,
        span: str,
        at: int,
        delete: int,
        insert: str,
        *,
        anchor: Anchor | Plain | None = None,
        original: str | None = None,
        **mutation: Unpack[Mutation],
    ) -> int:
        """`delete` code points from `at` replaced by `insert`, in place."""
        return self._record(
            events.Splice,
            span=span,
            at=at,
            delete=delete,
            insert=insert,
            anchor=anchor,
            original=original,
            **mutation,
        )

    def prune(self, span: str, **mutation: Unpack[Mutation]) -> int:
        """The span leaves the buffer."""
        return self._record(events.Prune, span=span, **mutation)

    def move(self, span: str, after: str | None, **common: Unpack[Common]) -> int:
        """Another place in the order: after a span, or first (None)."""
        return self._record(events.Move, span=span, after=after, **common)

    def derive(
        self,
        artifact: str,
        span: str,
        kind: str,
        *,
        range: Range | None = None,
        unit: Literal["chars", "bytes", "tokens"] = "chars",
        quote: Quote | Plain | None = None,
        version: int | None = None,
        hash: str | None = None,
        holder: str | None = None,
        cost: Literal["cheap", "expensive"] | None = None,
        sources: Sequence[Source | Plain | str] = (),
        **common: Unpack[Common],
    ) -> int:
        """A holder keeps something derived from the span; `version` and `hash` are its key."""
        return self._record(
            events.Derive,
            artifact=artifact,
            span=span,
            kind=kind,
            range=range,
            unit=unit,
            quote=quote,
            version=version,
            hash=hash,
            holder=holder,
            cost=cost,
            sources=_by_span(sources),
            **common,
        )

    def use(
        self,
        artifact: str,
        *,
        outcome: Literal["used", "caught", "rederived"] = "used",
        checked: Sequence[Literal["version", "hash"]] = (),
        range: Range | None = None,
        got: str | None = None,
        **common: Unpack[Common],
    ) -> int:
        """The holder used its artifact; `caught`: it saw that it was stale and refused."""
        return self._record(
            events.Use,
            artifact=artifact,
            outcome=outcome,
            checked=checked,
            range=range,
            got=got,
            **common,
        )

    def release(self, artifact: str, **common: Unpack[Common]) -> int:
        """The artifact is no longer live."""
        return self._record(events.Release, artifact=artifact, **common)

    def inverse(
        self,
        of: int,
        *,
        original: str,
        inserted: int,
        before: str = "",
        after: str = "",
        at: int | None = None,
        anchored: bool = True,
        inserted_hash: str | None = None,
        window: int | None = None,
        edit: int | None = None,
        **common: Unpack[Common],
    ) -> int:
        """An inverse of its own line: before its mutation (`of` the next seq) or late."""
        return self._record(
            events.InverseRecord,
            of=of,
            original=original,
            inserted=inserted,
            before=before,
            after=after,
            at=at,
            anchored=anchored,
            inserted_hash=inserted_hash,
            window=window,
            edit=edit,
            **common,
        )

    def evict(
        self, of: Sequence[int], *, reason: str | None = None, **common: Unpack[Common]
    ) -> int:
        """The log lost or dropped the inverse records of these seqs."""
        return self._record(events.Evict, of=of, reason=reason, **common)

    def abort(self, of: int, *, reason: str | None = None, **common: Unpack[Common]) -> int:
        """The newest change was logged and then did not happen."""
        return self._record(events.Abort, of=of, reason=reason, **common)

    def checkpoint(
        self,
        checkpoint: str,
        *,
        snapshot: bool = False,
        digest: str | None = None,
        **common: Unpack[Common],
    ) -> int:
        """A named point to roll back to; `snapshot`: a full immutable copy exists."""
        return self._record(
            events.Checkpoint, checkpoint=checkpoint, snapshot=snapshot, digest=digest, **common
        )

    def rollback(
        self,
        steps: int | None = None,
        *,
        to: str | None = None,
        of: Sequence[int] | None = None,
        method: Literal["replay", "restore"] = "replay",
        stores: Sequence[str] | None = None,
        edits: Sequence[AnyEdit | Plain] | None = None,
        outcome: Outcome = "done",
        versions: Mapping[str, int] | None = None,
        hashes: Mapping[str, str] | None = None,
        **common: Unpack[Common],
    ) -> int:
        """Undo by steps, to a checkpoint or of entries; `edits`: what was really done."""
        return self._record(
            events.Rollback,
            steps=steps,
            to=to,
            of=of,
            method=method,
            stores=stores,
            edits=edits,
            outcome=outcome,
            versions=versions or {},
            hashes=hashes or {},
            **common,
        )

    def stage(
        self,
        diff: str,
        base: DiffBase | Plain,
        *,
        reads: Sequence[Read | Plain],
        edits: Sequence[AnyEdit | Plain],
        refs: Sequence[Ref | Plain] = (),
        compensates: int | None = None,
        **common: Unpack[Common],
    ) -> int:
        """A diff authored against `base`, not yet applied."""
        return self._record(
            events.Stage,
            diff=diff,
            base=base,
            reads=reads,
            edits=edits,
            refs=refs,
            compensates=compensates,
            **common,
        )

    def apply(
        self,
        diff: str,
        *,
        edits: Sequence[AnyEdit | Plain] | None = None,
        inverses: Sequence[Inverse | Plain | None] | None = None,
        outcome: Outcome = "done",
        versions: Mapping[str, int] | None = None,
        hashes: Mapping[str, str] | None = None,
        **common: Unpack[Common],
    ) -> int:
        """The diff committed, all its edits as one event; `edits`: where not as staged."""
        return self._record(
            events.Apply,
            diff=diff,
            edits=edits,
            inverses=inverses,
            outcome=outcome,
            versions=versions or {},
            hashes=hashes or {},
            **common,
        )

    def reject(
        self,
        diff: str,
        *,
        reason: str | None = None,
        rule: str | None = None,
        **common: Unpack[Common],
    ) -> int:
        """The diff was refused and leaves the staging area."""
        return self._record(events.Reject, diff=diff, reason=reason, rule=rule, **common)

    def withdraw(self, diff: str, **common: Unpack[Common]) -> int:
        """The author took the diff back."""
        return self._record(events.Withdraw, diff=diff, **common)

    def compact(self, spans: Sequence[str], **common: Unpack[Common]) -> int:
        """Tombstones collected."""
        return self._record(events.Compact, spans=spans, **common)

    def observe(
        self,
        *,
        hashes: Mapping[str, str] | None = None,
        contents: Mapping[str, str] | None = None,
        digest: str | None = None,
        **common: Unpack[Common],
    ) -> int:
        """What the agent's real buffer holds now; `contents` re-synchronises the replay."""
        return self._record(
            events.Observe, hashes=hashes or {}, contents=contents or {}, digest=digest, **common
        )

    def render(
        self,
        items: Sequence[Item | Plain | str],
        *,
        call: str | None = None,
        **common: Unpack[Common],
    ) -> int:
        """What a model call was really given, in order: spans, or items with other text."""
        return self._record(events.Render, items=_by_span(items), call=call, **common)

    def gap(self, reason: str, *, lost: int | None = None, **common: Unpack[Common]) -> int:
        """Events were missed here."""
        return self._record(events.Gap, reason=reason, lost=lost, **common)

    def resume(self, **common: Unpack[Common]) -> int:
        """A writer went on with this journal."""
        return self._record(events.Resume, **common)

    def mark(
        self,
        kind: Literal["turn", "llm", "tool", "note"],
        label: str,
        **common: Unpack[Common],
    ) -> int:
        """A place to navigate to."""
        return self._record(events.Mark, kind=kind, label=label, **common)


def _by_span(parts: Sequence[Any]) -> list[Any]:
    """Parts of which a span id alone says enough."""
    return [{"span": part} if isinstance(part, str) else part for part in parts]
