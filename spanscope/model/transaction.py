"""The edits of one event, done on a draft of the buffer and then taken over as a whole."""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from spanscope.journal.parts import (
    AnyEdit,
    IngestEdit,
    MoveEdit,
    PruneEdit,
    RewriteEdit,
    SpliceEdit,
)
from spanscope.model.anchors import edit_places
from spanscope.model.effects import Claim, Problem, SpanChange
from spanscope.model.node import Node
from spanscope.model.spans import Doubt, Span
from spanscope.model.state import BufferState, OrderStep
from spanscope.model.steps import Step, redo_step
from spanscope.model.undo import Part


class Transaction:
    """A draft of the next state: nothing of the buffer moves before `commit`."""

    def __init__(self, state: BufferState, seq: int, actor: str) -> None:
        self.state = state
        self.seq = seq
        self.actor = actor
        self.work: dict[str, Span] = {}
        self._order: list[str] | None = None
        self.steps: list[OrderStep] = []
        self.edited: dict[str, None] = {}
        self.parts: list[Part] = []
        self.problems: list[Problem] = []

    @property
    def order(self) -> list[str]:
        """The ids of the live spans as the edits so far left them."""
        if not self.steps:
            return self.state.order
        if self._order is None:
            self._order = list(self.state.order)
            for step in self.steps:
                redo_step(self._order, step)
        return self._order

    @property
    def appended(self) -> bool:
        """Whether all that became of the order is one id more at its end."""
        if len(self.steps) != 1:
            return False
        step = self.steps[0]
        return step.removed is None and step.place == len(self.state.order)

    def place_of(self, name: str) -> int | None:
        """An id's index in the order; null where it stands nowhere."""
        return self.state.index_in(self.order, name)

    def get(self, name: str) -> Span | None:
        """The span as the edits so far left it."""
        return self.work.get(name) or self.state.spans.get(name)

    def put(self, span: Span) -> None:
        """Draft the next state of a span."""
        self.work[span.span] = span

    def target(self, name: str, verb: str) -> Span | None:
        """The span to change; what never was or is gone is a problem.

        After lost lines it may well exist: then it is there, unknown.
        """
        span = self.get(name)
        if span is not None and not span.gone:
            return span
        if self.state.doubt is not None and (span is None or span.seq < self.state.lost_at):
            return self._placeholder(name, span)
        self.missing(name, verb)
        return None

    def missing(self, name: str, verb: str) -> None:
        """Note that an event names a span that does not exist (any more)."""
        span = self.get(name)
        fate = "was never ingested" if span is None else f"was {span.life} at {span.seq}"
        message = f"{verb} names span {name}, which {fate}; it changes nothing."
        self.problems.append(Problem("JNL007", {"span": name}, message, {"span": name}))

    def _placeholder(self, name: str, span: Span | None) -> Span:
        doubt = self.state.doubt
        assert doubt is not None
        if span is not None:
            span = replace(span, life="live", seq=self.seq, doubt=doubt)
        else:
            node = Node.root(self.seq, self.actor, "")
            node.text_known = False
            span = Span(span=name, node=node, seq=self.seq, produced_by="unknown", doubt=doubt)
        self.put(span)
        self._step(len(self.order), None, name)
        return span

    def _step(self, index: int, removed: str | None, inserted: str | None) -> None:
        step = Step(self.seq, index, removed, inserted)
        if self.steps:
            redo_step(self.order, step)
        self.steps.append(step)

    def undo(self, step: OrderStep) -> None:
        """Take back a step in the order."""
        self._step(step.place, step.inserted, step.removed)

    def insert(self, index: int, name: str) -> None:
        """Put an id into the order."""
        self._step(index, None, name)

    def remove(self, name: str) -> int | None:
        """Take an id out of the order; its index, null where it stood nowhere."""
        index = self.place_of(name)
        if index is not None:
            self._step(index, name, None)
        return index

    def substitute(self, name: str, other: str) -> int | None:
        """Let another id take an id's place; the index, null where it stood nowhere."""
        index = self.place_of(name)
        if index is not None:
            self._step(index, name, other)
        return index

    def _place(self, after: str | None | UnsetType, verb: str) -> int:
        if after is None:
            return 0
        if after is UNSET:
            return len(self.order)
        assert isinstance(after, str)
        span = self.get(after)
        place = self.place_of(after) if span is not None and span.live else None
        if place is not None:
            return place + 1
        if self.state.doubt is None:
            self.missing(after, f"{verb} after it")
        return len(self.order)

    def ingest(self, edit: IngestEdit) -> bool:
        """A new live span; an id that lives already is rewritten silently where it stands."""
        before = self.get(edit.span)
        if before is None:
            node = Node.root(self.seq, self.actor, edit.content)
        else:
            node = before.node.rewritten(self.seq, self.actor, edit.content)
        if edit.redacted:
            node = node.with_hash(self.seq, self.actor, edit.hash)
        span = Span(
            span=edit.span,
            node=node,
            seq=self.seq,
            version=0 if before is None else before.version + 1,
            role=edit.role,
            store=edit.store,
            produced_by=edit.origin or "ingest",
            written=self.seq,
            answers=edit.answers,
        )
        if before is not None and before.live:
            index = self.place_of(edit.span)
        else:
            index = self._place(edit.after, f"ingest of {edit.span}")
            self.insert(index, edit.span)
        self.put(span)
        self.parts.append(
            Part(
                kind="ingest",
                span=edit.span,
                store=edit.store,
                before=before,
                after=node,
                index=index,
            )
        )
        return True

    def splice(
        self, name: str, at: int, delete: int, insert: str, *, redacted: bool = False
    ) -> bool:
        """Characters replaced in place; outside the span it is impossible (JNL008)."""
        before = self.target(name, "splice")
        if before is None:
            return False
        known = before.doubt is None and before.node.text_known
        inside = at >= 0 and delete >= 0 and at + delete <= before.node.length
        if known and not inside:
            message = (
                f"splice of {name} at {at} -{delete} is outside its {before.node.length} "
                "characters; it changes nothing."
            )
            evidence = {"at": at, "delete": delete, "length": before.node.length}
            self.problems.append(Problem("JNL008", {"span": name}, message, evidence))
            return False
        if inside:
            node = before.node.spliced(self.seq, self.actor, at, delete, insert)
        else:
            node = before.node.with_hash(self.seq, self.actor, None)
        if redacted or not before.node.text_known:
            node.text_known = False
        self._changed("splice", before, node, before.produced_by, "splice")
        return True

    def rewrite(self, edit: RewriteEdit) -> bool:
        """Whole content replaced in place, or the span copied on rewrite (`into`)."""
        before = self.target(edit.span, "rewrite")
        if before is None:
            return False
        produced_by = f"rewrite:{edit.op}"
        if edit.into is not None and edit.into != edit.span:
            self._copy(before, edit, edit.into)
            return True
        node = before.node.rewritten(self.seq, self.actor, edit.content)
        if edit.redacted:
            node = node.with_hash(self.seq, self.actor, edit.hash)
        self._changed("rewrite", before, node, produced_by, edit.op)
        return True

    def _changed(self, kind: str, before: Span, node: Node, produced_by: str, op: str) -> None:
        whole = kind == "rewrite"
        self.put(
            replace(
                before,
                node=node,
                seq=self.seq,
                produced_by=produced_by,
                op=op,
                written=self.seq,
                doubt=None if whole else before.doubt,
            )
        )
        self.edited[before.span] = None
        self.parts.append(
            Part(
                kind="rewrite" if whole else "splice",
                span=before.span,
                store=before.store,
                before=before,
                after=node,
            )
        )

    def _copy(self, before: Span, edit: RewriteEdit, into: str) -> None:
        taken = self.get(into)
        node = Node.root(self.seq, self.actor, edit.content)
        if edit.redacted:
            node = node.with_hash(self.seq, self.actor, edit.hash)
        version = max(before.version, taken.version if taken is not None else -1) + 1
        self.put(
            replace(
                before,
                span=into,
                node=node,
                seq=self.seq,
                life="live",
                version=version,
                claimed=None,
                produced_by=f"rewrite:{edit.op}",
                op=f"copy of {before.span}",
                written=self.seq,
                into=None,
                doubt=None,
            )
        )
        self.put(replace(before, life="tombstone", into=into, seq=self.seq))
        if taken is not None and taken.live:
            self.remove(into)
        index = self.substitute(before.span, into)
        if index is None:
            index = len(self.order)
            self.insert(index, into)
        self.parts.append(
            Part(
                kind="copy",
                span=into,
                store=before.store,
                before=before,
                after=node,
                index=index,
                source=before.span,
            )
        )

    def prune(self, edit: PruneEdit) -> bool:
        """The span leaves the buffer."""
        before = self.target(edit.span, "prune")
        if before is None:
            return False
        was_at = self.remove(edit.span)
        self.put(replace(before, life="pruned", seq=self.seq, op="prune", written=self.seq))
        self.parts.append(
            Part(
                kind="prune",
                span=edit.span,
                store=before.store,
                before=before,
                after=None,
                was_at=was_at,
            )
        )
        return True

    def move(self, edit: MoveEdit) -> bool:
        """Another place in the order."""
        before = self.target(edit.span, "move")
        if before is None:
            return False
        if edit.after is not None and edit.after != edit.span:
            anchor = self.get(edit.after)
            if (anchor is None or not anchor.live) and self.state.doubt is None:
                self.missing(edit.after, f"move of {edit.span} after it")
                return False
        was_at = index = self.place_of(edit.span)
        if edit.after != edit.span and was_at is not None:
            index = 0 if edit.after is None else len(self.order) - 1
            place = None if edit.after is None else self.place_of(edit.after)
            if place is not None:
                index = place if place > was_at else place + 1
            if index != was_at:
                self._step(was_at, edit.span, None)
                self.insert(index, edit.span)
        self.parts.append(
            Part(
                kind="move",
                span=edit.span,
                store=before.store,
                before=before,
                after=before.node,
                index=index,
                was_at=was_at,
            )
        )
        return True

    def edit(self, edit: AnyEdit) -> bool:
        """One edit of a diff or a rollback; false where it could not be done."""
        if isinstance(edit, IngestEdit):
            return self.ingest(edit)
        if isinstance(edit, RewriteEdit):
            return self.rewrite(edit)
        if isinstance(edit, PruneEdit):
            return self.prune(edit)
        if isinstance(edit, MoveEdit):
            return self.move(edit)
        if edit.at is not None:
            return self.splice(edit.span, edit.at, edit.delete, edit.insert)
        return self._splice_sought(edit)

    def _splice_sought(self, edit: SpliceEdit) -> bool:
        """A splice where its anchor fits; what writes nothing is the same wherever that is."""
        span = self.target(edit.span, "splice")
        if span is None:
            return False
        moves_something = bool(edit.delete or edit.insert)
        if span.text is None:
            return self.splice(edit.span, -1 if moves_something else 0, edit.delete, edit.insert)
        anchor = edit.anchor
        before, after = ("", "") if anchor is None else (anchor.before, anchor.after)
        found = edit_places(span.text, before, after, edit.delete, edit.original)
        if len(found) == 1:
            return self.splice(edit.span, found[0], edit.delete, edit.insert)
        if found and not moves_something:
            return self.splice(edit.span, found[0], 0, "")
        if found:
            node = span.node.with_hash(self.seq, self.actor, None)
            self._changed("splice", span, node, span.produced_by, "splice")
            doubt = self._ambiguous(edit.span, len(found))
            self.put(replace(self.work[edit.span], doubt=doubt))
            return True
        message = f"the anchor of a splice fits nowhere in {edit.span}; it changes nothing."
        self.problems.append(Problem("JNL008", {"span": edit.span}, message, {}))
        return False

    def _ambiguous(self, name: str, count: int) -> Doubt:
        return Doubt(self.seq, f"the anchor of a splice of {name} fits in {count} places")

    def settle(
        self, versions: dict[str, int], hashes: dict[str, str], *, believe: bool = False
    ) -> list[Claim]:
        """Count versions once a span, compare claims, and let hashes make spans known again.

        `believe`: the text is not the agent's (redacted), so the claimed hash is the hash.
        """
        claims: list[Claim] = []
        for name in list(self.work):
            span = self.work[name]
            before = self.state.spans.get(name)
            version = span.version
            if name in self.edited and before is not None:
                version = max(version, before.version + 1)
            claimed = versions.get(name)
            hash = hashes.get(name)
            if hash is not None:
                span = self._known_by_hash(span, hash, believe)
            self.work[name] = replace(
                span,
                version=version if claimed is None else max(version, claimed),
                claimed=span.claimed if claimed is None else claimed,
            )
            if claimed is not None or hash is not None:
                claims.append(self._claim(name, before, claimed, hash))
        return claims

    def _known_by_hash(self, span: Span, hash: str, believe: bool) -> Span:
        node = span.node
        if span.doubt is not None and node.text_known and node.hash == hash:
            return replace(span, doubt=None)
        told_nothing = span.doubt is None and node.hash is None
        if node.text_known or not (told_nothing or believe):
            return span
        if node.seq == self.seq:
            node.adopt(hash)
        elif told_nothing:
            # What the span was before this event stays as little known as it was.
            span = replace(span, node=node.with_hash(self.seq, self.actor, None))
            span.node.adopt(hash)
        return span

    def _claim(
        self, name: str, before: Span | None, version: int | None, hash: str | None
    ) -> Claim:
        after = self.work[name]
        prior = None
        if before is not None and before.life != "pruned":
            prior = before.version if before.claimed is None else before.claimed
        elif after.op.startswith("copy of "):
            source = self.state.spans.get(after.op.removeprefix("copy of "))
            if source is not None:
                before = source
                prior = source.version if source.claimed is None else source.claimed
        actual = after.hash if after.node.text_known else None
        return Claim(name, version, prior, hash, actual, _changed(before, after))

    def changes(self) -> list[SpanChange]:
        """Every span of the draft before and after."""
        return [
            SpanChange(
                before := self.state.spans.get(name),
                after,
                name in self.edited or before is None or before.node is not after.node,
                _changed(before, after),
            )
            for name, after in self.work.items()
        ]


def _changed(before: Span | None, after: Span) -> bool | None:
    if before is None:
        return True
    if before.node is after.node and after.doubt == before.doubt:
        return False
    if before.doubt is not None or after.doubt is not None:
        return None
    same = before.node.same_content(after.node)
    return None if same is None else not same
