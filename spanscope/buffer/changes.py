"""Direct changes: each is judged, journaled with its inverse, and only then made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any, Literal, get_args

from msgspec import UNSET, UnsetType

from spanscope.buffer.anchoring import inverse_of
from spanscope.buffer.core import BufferCore
from spanscope.buffer.errors import AmbiguousAnchorError, SpanscopeError, refusal, worded
from spanscope.buffer.quick import splice_quickly
from spanscope.buffer.trial import Edit, drafted, judge_change
from spanscope.buffer.views import ActorView
from spanscope.journal.events import Event, Ingest, Move, Prune, Rewrite, Splice
from spanscope.journal.parts import Base, IngestEdit, MoveEdit, PruneEdit, RewriteEdit
from spanscope.model.anchors import MOST_PLACES, edit_places
from spanscope.model.spans import Artifact, Span
from spanscope.model.state import BufferState
from spanscope.model.transaction import Transaction
from spanscope.rules.changes import is_true, owed_a_copy
from spanscope.rules.report import Report, excerpt

Policy = Literal["tell", "copy"]
"""What a rewrite does about live holders: change in place and tell them, or copy."""

_COPY_OF = re.compile(r"@[^@]*:\d+$")


class Changes(ActorView):
    """What changes a buffer directly. After every error the buffer is as it was before.

    Every method raises JournalWriteError where the journal can't take the record, TombstoneError
    for a change to a tombstone, SpanscopeError for what does not exist, and TypeError for an
    argument of a wrong type. `base` is the span as its writer last saw it: where it has changed
    since, StaleBaseError. `meta` is any object for the journal.
    """

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
        meta: dict[str, Any] | None = None,
    ) -> Span:
        """A new span under an id that was never used.

        `after` is the span it follows, None for first; without it, it stands last. `answers` is
        the call whose result it is: a call has one live answer.
        """
        place: dict[str, Any] = {} if after is UNSET else {"after": after}
        fields: dict[str, Any] = {
            "span": span,
            "content": content,
            "role": role,
            "origin": origin,
            "store": store,
            "answers": answers,
            "supersedes": supersedes,
            "meta": meta,
            **place,
        }
        with self._core.lock:
            self._core.check_open()
            event = self._core.make(Ingest, self._actor, **fields)
            assert isinstance(event, Ingest)
            check_answer(self._core.state, event.seq, event.span, event.answers)
            check_superseded(self._core.state, event)
            edit = IngestEdit(
                span=event.span,
                role=event.role,
                after=event.after,
                origin=event.origin,
                store=event.store,
                answers=event.answers,
                content=event.content,
            )
            draft = drafted(self._core, self._actor, lambda draft: draft.ingest(edit))
            return self._commit(Ingest, draft, span, fields)

    def rewrite(
        self,
        span: str,
        content: str,
        op: str = "rewrite",
        *,
        policy: Policy | None = None,
        into: str | None = None,
        base: Span | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Span:
        """The whole content replaced; the span that now holds it.

        Where a live holder has something expensive that is still true, the span is copied on
        rewrite: a new id (`into`, or one made from `op` and version) takes its place and the old
        span stays as a readable tombstone, so that the holder keeps what it refers to. Else it
        is changed in place and its holders are told: what they hold is invalid until rebuilt.
        `policy` decides otherwise.
        """
        core = self._core
        with core.lock:
            core.check_open()
            _check_text(content, "content")
            check_policy(policy)
            copies = into is not None or wants_copy(core, span, content, policy)
            if copies and into is None:
                into = copy_id(core.state, span, op)
            edit = RewriteEdit(span=span, op=op, into=into, content=content)
            draft = drafted(core, self._actor, lambda draft: draft.rewrite(edit))
            fields = {"span": span, "content": content, "op": op, "into": into, "meta": meta}
            return self._commit(Rewrite, draft, into or span, fields, base)

    def splice(
        self,
        span: str,
        at: int,
        delete: int = 0,
        insert: str = "",
        *,
        base: Span | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Span:
        """`delete` code points from `at` replaced by `insert`, in place; the span as it is then.

        Its holders are told: what they hold is invalid until rebuilt.
        """
        core = self._core
        with core.lock:
            core.check_open()
            if base is None and meta is None:
                made = splice_quickly(core, self._actor, span, at, delete, insert)
                if made is not None:
                    return made
            return self._splice(span, at, delete, insert, base=base, meta=meta)

    def replace(
        self,
        span: str,
        old: str,
        new: str,
        *,
        base: Span | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Span:
        """`old` replaced by `new` where it stands in the span: in one place.

        Raises AmbiguousAnchorError, with the places, where it stands in several or in none.
        """
        core = self._core
        with core.lock:
            core.check_open()
            at = only_place(core, span, self.text(span), old)
            if base is None and meta is None:
                made = splice_quickly(core, self._actor, span, at, len(old), new, old)
                if made is not None:
                    return made
            return self._splice(span, at, len(old), new, base=base, original=old, meta=meta)

    def prune(
        self, span: str, *, base: Span | None = None, meta: dict[str, Any] | None = None
    ) -> None:
        """The span leaves the buffer; its holders are told.

        Raises SpanscopeError where a live span answers it: prune the answer first.
        """
        with self._core.lock:
            self._core.check_open()
            draft = drafted(
                self._core, self._actor, lambda draft: draft.prune(PruneEdit(span=span))
            )
            check_answers(self._core.state, draft, f"prune the answer to {span} first")
            self._commit(Prune, draft, span, {"span": span, "meta": meta}, base)

    def move(self, span: str, after: str | None, *, meta: dict[str, Any] | None = None) -> None:
        """Another place in the order: after a span, or first (None)."""
        with self._core.lock:
            self._core.check_open()
            edit = MoveEdit(span=span, after=after)
            draft = drafted(self._core, self._actor, lambda draft: draft.move(edit))
            self._commit(Move, draft, span, {"span": span, "after": after, "meta": meta})

    def _splice(self, span: str, at: int, delete: int, insert: str, **more: Any) -> Span:
        base = more.pop("base")
        _check_text(insert, "insert")
        _check_number(at, "at")
        _check_number(delete, "delete")
        edit: Edit = lambda draft: draft.splice(span, at, delete, insert)  # noqa: E731
        draft = drafted(self._core, self._actor, edit)
        fields = {"span": span, "at": at, "delete": delete, "insert": insert, **more}
        return self._commit(Splice, draft, span, fields, base)

    def _commit(
        self,
        struct: type[Event],
        draft: Transaction,
        span: str,
        fields: dict[str, Any],
        base: Span | None = None,
    ) -> Span:
        core = self._core
        if struct is not Move:
            after = draft.work[span]
            fields |= {"version": after.version, "hash": after.hash}
        if struct in {Rewrite, Splice, Prune}:
            told = to_tell(core, draft)
            fields["invalidates"] = [artifact.artifact for artifact in told]
            fields["inverse"] = inverse_of(draft.parts[0])
        if base is not None:
            fields["base"] = Base(version=base.version, hash=base.hash)
        event = core.make(struct, self._actor, **fields)
        judge_change(core, event, draft)
        core.commit(event)
        return core.state.spans[span]


def _check_text(text: object, name: str) -> None:
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a string, not {type(text).__name__}")


def _check_number(number: object, name: str) -> None:
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{name} must be a number of characters, not {type(number).__name__}")


def to_tell(core: BufferCore, draft: Transaction) -> list[Artifact]:
    """The artifacts that a change makes untrue, or takes the span of: their holders must hear."""
    told: dict[str, Artifact] = {}
    for change in draft.changes():
        before = change.before
        if before is None or (not change.changed and not change.after.gone):
            continue
        for artifact in core.state.artifacts_on(before.span):
            dangling = change.after.gone and artifact.span == before.span
            if dangling or is_true(core.memory.artifacts[artifact.artifact]):
                told[artifact.artifact] = artifact
    return list(told.values())


def check_policy(policy: Policy | None) -> None:
    """Raises ValueError for a policy that there is not: a typo must not decide against a copy."""
    if policy not in (None, *get_args(Policy)):
        raise ValueError(f"there is no policy {policy!r}: give tell, copy or nothing")


def wants_copy(core: BufferCore, name: str, content: str, policy: Policy | None) -> bool:
    """Whether a rewrite copies: a live holder has something expensive that is still true."""
    if policy is not None:
        return policy == "copy"
    span = core.state.spans.get(name)
    if span is None or not span.live or span.node.text == content:
        return False
    return any(
        owed_a_copy(artifact, core.memory.artifacts[artifact.artifact])
        for artifact in core.state.artifacts_on(name)
    )


def copy_id(state: BufferState, name: str, op: str) -> str:
    """An unused id for a copy on rewrite: the span's, the operator and the version."""
    span = state.spans.get(name)
    number = 1 if span is None else span.version + 1
    stem = _COPY_OF.sub("", name)
    while f"{stem}@{op}:{number}" in state.spans:
        number += 1
    return f"{stem}@{op}:{number}"


def only_place(core: BufferCore, name: str, text: str, sought: str) -> int:
    """The one offset at which a text stands in a span.

    Raises AmbiguousAnchorError, with the places, where there are several or none.
    """
    _check_text(sought, "the text to seek")
    places = edit_places(text, "", "", len(sought), sought)
    if len(places) == 1:
        return places[0]
    report = Report(core.state.seq + 1)
    if not places:
        message = f'"{excerpt(sought)}" does not stand in {name}.'
        report.add("JNL008", {"span": name}, message, {"original": sought})
        advice = "read the span again"
    else:
        count = f"{MOST_PLACES} or more" if len(places) >= MOST_PLACES else str(len(places))
        message = f'"{excerpt(sought)}" stands in {count} places of {name}.'
        evidence = {"places": list(places[:50]), "original": sought}
        report.add("DIF307", {"span": name}, message, evidence)
        advice = "give more of the text around it"
    found = report.sorted()
    raise AmbiguousAnchorError(worded(found[0], advice), found[0], found, places=places)


def check_superseded(state: BufferState, event: Ingest) -> None:
    """Refuse to supersede what never was."""
    for name in event.supersedes:
        if name not in state.spans:
            raise _unknown(event.seq, event.span, f"supersedes span {name}")


def _unknown(seq: int, name: str, what: str) -> SpanscopeError:
    report = Report(seq)
    message = f"{name} {what}, which was never ingested."
    report.add("JNL007", {"span": name}, message, {"span": name})
    return refusal(report.sorted(), "name a span of the buffer")


def check_answer(state: BufferState, seq: int, name: str, call: str | None) -> None:
    """Refuse an answer to a call that is not there (SPN133) or has one (SHN403)."""
    if call is None:
        return
    span = state.spans.get(call)
    if span is None:
        raise _unknown(seq, name, f"answers {call}")
    report = Report(seq)
    if span.gone:
        message = f"{name} answers {call}, which is {span.life} since {span.seq}."
        report.add("SPN133", {"span": name}, message, {"answers": call, "gone_at": span.seq})
        raise refusal(report.sorted(), "leave the answer out")
    for other in state.live_answers(call):
        message = f"{name} would be the second answer to {call}, beside {other}."
        report.add("SHN403", {"span": name}, message, {"answers": call})
        raise refusal(report.sorted(), f"rewrite {other}")


def _answers_concerned(state: BufferState, draft: Transaction) -> dict[str, None]:
    """The spans of a draft that it may have made answer wrongly, oldest first."""
    answered = (span.answers for span in draft.work.values() if span.answers is not None)
    calls = dict.fromkeys((*draft.work, *answered))
    answers = (state.answers_to.get(call, ()) for call in calls)
    return dict.fromkeys((*chain.from_iterable(answers), *draft.work))


def check_answers(state: BufferState, draft: Transaction, advice: str) -> None:
    """Refuse a state in which an answer has no call (SPN133) or a call two answers (SHN403)."""
    report = Report(draft.seq)
    answered: dict[str, str] = {}
    for name in _answers_concerned(state, draft):
        span = draft.get(name)
        if span is None or not span.live or span.answers is None:
            continue
        call = draft.get(span.answers)
        if call is not None and call.gone:
            message = f"{name} would answer {call.span}, which would be {call.life}."
            report.add("SPN133", {"span": name}, message, {"answers": call.span})
        elif span.answers in answered:
            message = f"{name} and {answered[span.answers]} would both answer {span.answers}."
            report.add("SHN403", {"span": name}, message, {"answers": span.answers})
        answered[span.answers] = name
    if report.findings:
        raise refusal(report.sorted(), advice)
