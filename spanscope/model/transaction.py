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
from spanscope.model.draft import DraftState
from spanscope.model.effects import Problem
from spanscope.model.node import Node
from spanscope.model.spans import Doubt, Span
from spanscope.model.undo import Part


class Transaction(DraftState):
    """The edits of one event on a draft; nothing of the buffer moves before `commit`."""

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
            self.missing(after, f"{verb} after it", "it stands last")
        return len(self.order)

    def ingest(self, edit: IngestEdit, *, direct: bool = False) -> bool:
        """A new live span; an id that lives already is rewritten silently where it stands.

        `direct`: it is an event of its own.
        """
        self._look_up(edit)
        before = self.get(edit.span)
        if before is None:
            node = Node.root(self.seq, self.actor, edit.content)
            if direct:
                node.recording = self.state.recording
        else:
            node = before.node.rewritten(self.seq, self.actor, edit.content)
        if edit.redacted:
            node = self._hidden(node, edit.hash)
        counted = None if before is None or before.never_was else before
        span = Span(
            span=edit.span,
            node=node,
            seq=self.seq,
            since=self.seq,
            version=0 if counted is None else counted.version + 1,
            role=edit.role,
            store=edit.store,
            produced_by=edit.origin or "ingest",
            claimed=None if counted is None else counted.claimed,
            behind=0 if counted is None else counted.behind,
            written=self.seq,
            answers=edit.answers,
        )
        index: int | None = self._place(edit.after, f"ingest of {edit.span}")
        if before is not None and before.live:
            index = self.place_of(edit.span)
        else:
            self.insert(index or 0, edit.span)
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

    def _hidden(self, node: Node, hash: str | None) -> Node:
        """A content of which the journal has another text; the hash says what it is."""
        node.text_known = False
        return node.with_hash(self.seq, self.actor, hash)

    def _look_up(self, edit: IngestEdit) -> None:
        """What an ingest answers or supersedes must have been there before it."""
        named = [(other, "supersedes") for other in edit.supersedes]
        if edit.answers is not None:
            named.append((edit.answers, "answers"))
        for name, verb in named:
            if self.get(name) is None and not self.state.damaged:
                message = f"ingest of {edit.span} {verb} span {name}, which was never ingested."
                self.problems.append(Problem("JNL007", {"span": name}, message, {"span": name}))

    def splice(
        self, name: str, at: int, delete: int, insert: str, *, redacted: bool = False
    ) -> bool:
        """Characters replaced in place; outside the span it is impossible (JNL008)."""
        if (at < 0 or delete < 0) and self.may_be_there(name):
            return self._outside(name, at, delete, None)
        before = self.target(name, "splice")
        if before is None:
            return False
        known = before.doubt is None and before.node.text_known
        if not known and not delete and not insert and not redacted:
            # Nothing is nothing wherever it is: what is known of the content still holds.
            self._changed("splice", before, before.node, before.produced_by, "splice")
            return True
        inside = at >= 0 and delete >= 0 and at + delete <= before.node.length
        if known and not inside:
            return self._outside(name, at, delete, before.node.length)
        if inside and (delete or insert or not redacted):
            node = before.node.spliced(self.seq, self.actor, at, delete, insert)
        else:
            node = before.node.with_hash(self.seq, self.actor, None)
        if redacted or not before.node.text_known:
            node.text_known = False
        self._changed("splice", before, node, before.produced_by, "splice")
        return True

    def _outside(self, name: str, at: int, delete: int, length: int | None) -> bool:
        of = "any text" if length is None else f"its {length} characters"
        message = (
            f"splice of {name} at {at}, deleting {delete}, is outside {of}; it changes nothing."
        )
        evidence = {"at": at, "delete": delete, "length": length}
        self.problems.append(Problem("JNL008", {"span": name}, message, evidence))
        return False

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
            node = self._hidden(node, edit.hash)
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
        self.copied[into] = before.span
        taken = self.get(into)
        counted = None if taken is None or taken.never_was else taken
        node = Node.root(self.seq, self.actor, edit.content)
        if edit.redacted:
            node = self._hidden(node, edit.hash)
        version = max(before.version, counted.version if counted is not None else -1) + 1
        self.put(
            replace(
                before,
                span=into,
                node=node,
                seq=self.seq,
                since=self.seq,
                life="live",
                version=version,
                claimed=None if counted is None else counted.claimed,
                behind=0 if counted is None else counted.behind,
                produced_by=f"rewrite:{edit.op}",
                op=f"copy of {before.span}",
                written=self.seq,
                into=None,
                doubt=None,
            )
        )
        self.put(replace(before, life="tombstone", since=self.seq, into=into, seq=self.seq))
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
                taken=taken,
            )
        )

    def prune(self, edit: PruneEdit) -> bool:
        """The span leaves the buffer."""
        before = self.target(edit.span, "prune")
        if before is None:
            return False
        was_at = self.remove(edit.span)
        seq = self.seq
        self.put(replace(before, life="pruned", since=seq, seq=seq, op="prune", written=seq))
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
        if before is not self.get(edit.span):
            # It is there: it was moved.
            self.put(replace(before, seq=self.seq))
        was_at = index = self.place_of(edit.span)
        if edit.after != edit.span and was_at is not None:
            index = 0 if edit.after is None else len(self.order) - 1
            place = None if edit.after is None else self.place_of(edit.after)
            if place is not None:
                index = place if place > was_at else place + 1
            if index != was_at:
                self.step(was_at, edit.span, None)
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
            return (
                self._splice_somewhere(span)
                if moves_something
                else self.splice(edit.span, 0, 0, "")
            )
        anchor = edit.anchor
        before, after = ("", "") if anchor is None else (anchor.before, anchor.after)
        found = edit_places(span.text, before, after, edit.delete, edit.original)
        if len(found) == 1:
            return self.splice(edit.span, found[0], edit.delete, edit.insert)
        if found and not moves_something:
            return self.splice(edit.span, found[0], 0, "")
        if found:
            self._splice_somewhere(span)
            doubt = self._ambiguous(edit.span, len(found))
            self.put(replace(self.work[edit.span], doubt=doubt))
            return True
        message = f"the anchor of a splice fits nowhere in {edit.span}; it changes nothing."
        self.problems.append(Problem("JNL008", {"span": edit.span}, message, {}))
        return False

    def _splice_somewhere(self, span: Span) -> bool:
        """A splice of which nobody knows where it took place."""
        node = span.node.with_hash(self.seq, self.actor, None)
        self._changed("splice", span, node, span.produced_by, "splice")
        return True

    def _ambiguous(self, name: str, count: int) -> Doubt:
        why = f"the anchor of a splice of {name} fits in {count} places"
        return Doubt(self.seq, why, only_content=True)
