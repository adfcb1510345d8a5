"""Drafts: several edits authored against one revision, applied whole or not at all (seed 004).

What a draft reads is its read set. It is judged when it is applied: staleness first, of what it
read and not only of what it writes; then whether its edits still find their places, and whether
their undo would.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from spanscope.buffer.anchoring import anchor_of
from spanscope.buffer.applying import Authored, apply_draft, as_diff, judge_draft
from spanscope.buffer.changes import Policy, check_policy, only_place
from spanscope.buffer.core import BufferCore, Shown
from spanscope.buffer.errors import SpanscopeError, StaleBaseError, refusal, worded
from spanscope.journal.parts import (
    Anchor,
    AnyEdit,
    DiffBase,
    IngestEdit,
    MoveEdit,
    PruneEdit,
    QuoteRef,
    Range,
    Read,
    Ref,
    RewriteEdit,
    SpanRef,
    SpliceEdit,
)
from spanscope.model.content import content_hash
from spanscope.model.state import base_digest
from spanscope.rules.judgements import DiffJudgement
from spanscope.rules.reads import check_read
from spanscope.rules.report import Report
from spanscope.rules.view import StateView


class Draft:
    """Edits of the buffer as it was when the draft began; nothing moves before `apply`.

    A context manager: leaving the block applies the draft, an exception in the block drops it.
    """

    def __init__(
        self,
        core: BufferCore,
        author: str,
        shown: Shown | None,
        *,
        allow_fragile: bool,
        last: bool = True,
    ) -> None:
        revision = core.state.revision if shown is None else shown.revision
        assert revision is not None
        base = core.state.base_state(revision)
        assert base is not None
        self.author = author
        core.draft_count += 1
        self.diff = f"{author}-{core.draft_count}"
        self.seq: int | None = None
        self.refused: StaleBaseError | None = None
        self._core = core
        self._base = base
        self._claimed = DiffBase(revision=revision, digest=base_digest(base))
        self._allow_fragile = allow_fragile
        self._last = last
        self._dropped = False
        self._reads: list[Read] = []
        self._read: set[str] = set()
        self._refs: list[Ref] = []
        self._edits: list[AnyEdit] = []
        self._policies: dict[int, Policy] = {}
        self._texts: dict[str, str] = {}
        self._written: dict[str, tuple[int, int]] = {}
        for name, hash in () if shown is None else shown.items:
            self._declare(Read(span=name, hash=hash))

    def __repr__(self) -> str:
        fate = f"applied at {self.seq}" if self.applied else "over" if self._dropped else "open"
        return f"<Draft {self.diff}: {len(self._edits)} edits on revision {self.revision}, {fate}>"

    @property
    def revision(self) -> int:
        """The revision that it is authored against."""
        return self._claimed.revision

    @property
    def applied(self) -> bool:
        """Whether it is in the buffer; `seq` is then the event's."""
        return self.seq is not None

    def read(self, span: str, range: Range | None = None) -> str:
        """The text of a span, or a range of it, which is in the read set from now on.

        What the draft itself has written there is in it.

        Raises StaleBaseError where the span has changed since the draft began, or came later.
        """
        with self._core.lock:
            text = self._text(span)
            start, end = (0, len(text)) if range is None else range
            if not 0 <= start <= end <= len(text):
                raise self._outside(span, f"range {start}..{end}", len(text))
            base = self._base.span(span)
            if base is not None:
                ranged = None if span in self._texts else range
                seen = base.node.text if ranged is None else text[start:end]
                self._add_read(Read(span=span, range=ranged, hash=content_hash(seen)))
            return text[start:end]

    def read_all(self) -> dict[str, str]:
        """Every live span's text in buffer order; the read set is the whole buffer."""
        with self._core.lock:
            self._add_read(Read(all=True))
            return {span.span: self._text(span.span) for span in self._base.spans()}

    def quote(self, span: str, text: str) -> None:
        """A reference that must still resolve: this text stands in that span.

        Raises StaleBaseError where it does not.
        """
        with self._core.lock:
            at = self._text(span).find(text)
            if at < 0:
                raise self._stale("DIF303", f'the quote "{text[:40]}" does not stand in {span}')
            self._touch(span, at, at + len(text))
            self._refs.append(QuoteRef(span=span, text=text))

    def refer(self, span: str) -> None:
        """A reference that must still resolve: that span is in the buffer."""
        with self._core.lock:
            self._text(span)
            self._refs.append(SpanRef(span=span))

    def insert(self, span: str, text: str, *, following: str = "", preceding: str = "") -> None:
        """Puts a text behind `following` or before `preceding`; without either, at the end.

        At the very start or end of a span it is fragile, see `apply`.

        Raises AmbiguousAnchorError, with the places, where that text stands in several or none.
        """
        with self._core.lock:
            now = self._text(span)
            if not following and not preceding:
                self._place(span, len(now), 0, text, anchor=anchor_of(now, len(now), 0))
                return
            at = only_place(self._core, span, now, following + preceding) + len(following)
            self._touch(span, at - len(following), at + len(preceding))
            self._place(span, at, 0, text, anchor=(following, preceding))

    def splice(self, span: str, at: int, delete: int = 0, insert: str = "") -> None:
        """`delete` code points from `at` replaced, in the text as the draft has it."""
        with self._core.lock:
            now = self._text(span)
            if at < 0 or delete < 0 or at + delete > len(now):
                raise self._outside(span, f"splice at {at} -{delete}", len(now))
            self._place(span, at, delete, insert, anchor=anchor_of(now, at, delete))

    def replace(self, span: str, old: str, new: str) -> None:
        """`old` replaced by `new` where it stands in the span: in one place.

        Raises AmbiguousAnchorError, with the places, where it stands in several or in none.
        """
        with self._core.lock:
            at = only_place(self._core, span, self._text(span), old)
            self._place(span, at, len(old), new, anchor=None)

    def rewrite(
        self, span: str, content: str, op: str = "rewrite", *, policy: Policy | None = None
    ) -> None:
        """The whole content replaced, with a copy on rewrite where `ContextBuffer.rewrite` copies.

        The whole span counts as read: what somebody else writes there is not to be overwritten.
        """
        check_policy(policy)
        with self._core.lock:
            self._text(span)
            base = self._base.span(span)
            if base is not None:
                self._declare(Read(span=span, hash=base.hash))
            if policy is not None:
                self._policies[len(self._edits)] = policy
            self._write(RewriteEdit(span=span, op=op, content=content), 0, content)

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
    ) -> None:
        """A new span, which later edits of the draft may name."""
        with self._core.lock:
            if isinstance(after, str):
                self._text(after)
            if answers is not None:
                self._text(answers)
            edit = IngestEdit(
                span=span,
                role=role,
                after=after,
                origin=origin,
                store=store,
                answers=answers,
                content=content,
            )
            self._write(edit, 0, content)

    def prune(self, span: str) -> None:
        """The span leaves the buffer."""
        with self._core.lock:
            self._text(span)
            self._edits.append(PruneEdit(span=span))

    def move(self, span: str, after: str | None) -> None:
        """Another place in the order: after a span, or first (None)."""
        with self._core.lock:
            self._text(span)
            if after is not None:
                self._text(after)
            self._edits.append(MoveEdit(span=span, after=after))

    def check(self) -> DiffJudgement:
        """May it be applied now? The verdict with its reasons; nothing moves."""
        with self._core.lock:
            return judge_draft(self._core, self._authored())

    def apply(self) -> int | None:
        """Applies all its edits as one change and one undo entry; the event's seq.

        None where it has no edits. Applied or dropped drafts can't be applied again.

        Raises StaleBaseError where what it read has changed, ConflictError where what it writes
        has, UnreachableRollbackError where it could not be undone (or only until the next write,
        unless `allow_fragile`), AmbiguousAnchorError where an edit fits in several places. Then
        nothing moves, and the journal has a note.
        """
        with self._core.lock:
            if self.applied or self._dropped:
                report = Report(self._core.state.seq + 1)
                report.add("JNL007", {"diff": self.diff}, f"draft {self.diff} is over.", {})
                raise refusal(report.sorted(), "begin another one")
            self._dropped = True
            if self._edits:
                self.seq = apply_draft(
                    self._core,
                    self._authored(),
                    self._policies,
                    allow_fragile=self._allow_fragile,
                )
            return self.seq

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        if error is None:
            try:
                self.apply()
            except StaleBaseError as stale:
                self.refused = stale
                if self._last:
                    raise
            return False
        self._dropped = True
        if isinstance(error, StaleBaseError):
            self.refused = error
        return self.refused is not None and not self._last

    def _authored(self) -> Authored:
        return Authored(
            diff=self.diff,
            author=self.author,
            base=self._claimed,
            reads=self._reads,
            edits=self._edits,
            refs=self._refs,
        )

    def _text(self, span: str) -> str:
        """The text of a span at the base, with what the draft has written.

        Raises StaleBaseError for a span that came later, SpanscopeError for one that is none.
        """
        own = self._texts.get(span)
        if own is not None:
            return own
        found = self._base.span(span)
        if found is not None:
            return found.node.text
        now = self._core.state.spans.get(span)
        if now is None or now.gone:
            fate = "was never ingested" if now is None else f"was {now.life} at {now.seq}"
            report = Report(self._core.state.seq + 1)
            report.add("JNL007", {"span": span}, f"span {span} {fate}.", {"span": span})
            raise refusal(report.sorted(), "name a live span of the buffer")
        raise self._stale("DIF313", f"{span} was not in the buffer at revision {self.revision}")

    def _outside(self, span: str, what: str, length: int) -> SpanscopeError:
        report = Report(self._core.state.seq + 1)
        message = f"{what} is outside the {length} characters of {span}."
        report.add("JNL008", {"span": span}, message, {"length": length})
        return refusal(report.sorted(), "read the span again")

    def _stale(self, rule: str, detail: str) -> StaleBaseError:
        report = Report(self._core.state.seq + 1)
        evidence = {"base": {"revision": self.revision}}
        report.add(rule, {"diff": self.diff}, f"{self.diff}: {detail}.", evidence)
        finding = report.sorted()[0]
        return StaleBaseError(worded(finding, "begin another draft"), finding)

    def _add_read(self, read: Read) -> None:
        """Declare a read, and refuse it where it is stale already."""
        self._declare(read)
        diff = as_diff(self._core, self._authored())
        checked = check_read(diff, read, StateView(self._core.state), {})
        if checked is not None and checked.reasons:
            reason = checked.reasons[0]
            raise self._stale(reason.rule, reason.detail)

    def _declare(self, read: Read) -> None:
        if read not in self._reads:
            self._reads.append(read)
        if read.span is not None:
            self._read.add(read.span)

    def _touch(self, span: str, start: int, end: int) -> None:
        """What an edit or a quote looks at is read, unless its span was read before."""
        base = self._base.span(span)
        if base is None or span in self._read:
            return
        if span in self._texts:
            # It looks at what the draft itself has written: nothing of the base.
            start = end = 0
        text = base.node.text[start:end]
        self._declare(Read(span=span, range=(start, end), hash=content_hash(text)))

    def _place(
        self, span: str, at: int, delete: int, insert: str, *, anchor: tuple[str, str] | None
    ) -> None:
        """An edit located by the text around it, or else by the text that it replaces.

        So it survives changes elsewhere, which an offset would not.
        """
        now = self._text(span)
        text = now[:at] + insert + now[at + delete :]
        if self._amended(span, at, delete, insert, text):
            return
        self._touch(span, at, at + delete)
        edit = SpliceEdit(
            span=span,
            delete=delete,
            anchor=None if anchor is None else Anchor(before=anchor[0], after=anchor[1]),
            original=now[at : at + delete],
            insert=insert,
        )
        self._write(edit, at, text)

    def _write(self, edit: AnyEdit, at: int, text: str) -> None:
        """One edit more; what it wrote stands at an offset of the span's text."""
        self._written[edit.span] = len(self._edits), at
        self._edits.append(edit)
        self._texts[edit.span] = text

    def _amended(self, span: str, at: int, delete: int, insert: str, text: str) -> bool:
        """Whether an edit lies in what the last one of its span wrote, which now says so itself."""
        number, start = self._written.get(span, (-1, 0))
        last = self._edits[number] if number >= 0 else None
        if isinstance(last, IngestEdit | RewriteEdit):
            self._edits[number] = replace(last, content=text)
        elif isinstance(last, SpliceEdit) and start <= at <= at + delete <= start + len(
            last.insert
        ):
            place = at - start
            written = last.insert[:place] + insert + last.insert[place + delete :]
            self._edits[number] = replace(last, insert=written)
        else:
            return False
        self._texts[span] = text
        return True
