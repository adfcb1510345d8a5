"""Events without what a slice leaves out: whole spans, artifacts, diffs and single events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import UnsetType
from msgspec.structs import replace

from spanscope.history.history import History
from spanscope.journal.events import (
    AnyEvent,
    Apply,
    Checkpoint,
    Close,
    Compact,
    Derive,
    Evict,
    Ingest,
    Mark,
    Move,
    Observe,
    Prune,
    Reject,
    Release,
    Render,
    Resume,
    Rewrite,
    Rollback,
    Splice,
    Stage,
    Unknown,
    Use,
    Withdraw,
)
from spanscope.journal.parts import (
    AnyEdit,
    IndexRef,
    IngestEdit,
    LineRef,
    MoveEdit,
    QuoteRef,
    RewriteEdit,
    SpanRef,
)

Thing = tuple[str, str | int]
"""(kind, id): a span, an artifact, a diff, or one event by its seq."""

ALONE = (Mark, Render, Checkpoint, Observe, Compact, Rollback, Evict, Resume, Close, Unknown, Use)
"""Events that can be left out by themselves."""


def things_of(event: AnyEvent | Unknown) -> Iterator[Thing]:
    """What an event can't be told without: where one of these is left out, so is the event."""
    if isinstance(event, ALONE):
        yield "event", event.seq
    if isinstance(event, Ingest | Rewrite | Splice | Prune | Move | Derive):
        yield "span", event.span
    if isinstance(event, Rewrite) and event.into is not None:
        yield "span", event.into
    if isinstance(event, Derive | Use | Release):
        yield "artifact", event.artifact
    if isinstance(event, Stage | Apply | Reject | Withdraw):
        yield "diff", event.diff
    if isinstance(event, Stage | Apply):
        yield from (("span", name) for edit in event.edits or () for name in _edited(edit))


def _edited(edit: AnyEdit) -> Iterator[str]:
    yield edit.span
    if isinstance(edit, RewriteEdit) and edit.into is not None:
        yield edit.into


class Thinning:
    """What to leave out of a history's events."""

    def __init__(self, history: History, left_out: frozenset[Thing]) -> None:
        self._history = history
        self._left_out = left_out

    def event(self, event: AnyEvent | Unknown) -> AnyEvent | Unknown | None:
        """The event without mention of what is left out; null where nothing of it stays."""
        if not self._left_out:
            return event
        if any(thing in self._left_out for thing in things_of(event)):
            return None
        match event:
            case Ingest():
                return self._ingest(event)
            case Move():
                return replace(event, after=self._after(event))
            case Rewrite() | Splice() | Prune():
                return replace(event, invalidates=self._artifacts(event.invalidates))
            case Derive():
                sources = [each for each in event.sources if self._has(each.span)]
                return replace(event, sources=sources)
            case Stage():
                return self._stage(event)
            case Apply() | Rollback():
                return self._done(event)
        return self._listing(event)

    def _listing(self, event: AnyEvent | Unknown) -> AnyEvent | Unknown | None:
        """An event that lists what it is about, without some of it; null where nothing is left."""
        match event:
            case Checkpoint():
                return replace(event, digest=self._digest(event.digest, event.seq))
            case Observe():
                return self._observe(event)
            case Render():
                items = [item for item in event.items if self._has(item.span)]
                return replace(event, items=items) if items or not event.items else None
            case Compact():
                spans = self._spans(event.spans)
                return replace(event, spans=spans) if spans or not event.spans else None
        return event

    def _has(self, span: str | None) -> bool:
        return span is None or ("span", span) not in self._left_out

    def _spans(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if self._has(name)]

    def _artifacts(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if ("artifact", name) not in self._left_out]

    def _named(self, values: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in values.items() if self._has(name)}

    def _done(self, event: Apply | Rollback) -> Apply | Rollback:
        return replace(
            event,
            versions=self._named(event.versions),
            hashes=self._named(event.hashes),
            edits=None if event.edits is None else self._edits(event.edits, event.seq),
        )

    def _ingest(self, event: Ingest) -> Ingest:
        return replace(
            event,
            after=self._after(event),
            answers=event.answers if self._has(event.answers) else None,
            supersedes=self._spans(event.supersedes),
        )

    def _order(self, seq: int) -> Sequence[str]:
        """The live spans right before an event."""
        return self._history.state.order_at(seq - 1)

    def _after(
        self, placed: Ingest | Move | IngestEdit | MoveEdit, seq: int | None = None
    ) -> str | UnsetType | None:
        """The nearest span before its place that is not left out."""
        after = placed.after
        if not isinstance(after, str) or self._has(after):
            return after
        order = self._order(placed.seq if isinstance(placed, Ingest | Move) else seq or 0)
        place = order.index(after) if after in order else 0
        before = [name for name in order[:place] if self._has(name) and name != placed.span]
        return before[-1] if before else None

    def _edits(self, edits: Iterable[AnyEdit], seq: int) -> list[AnyEdit]:
        return [self._edit(edit, seq) for edit in edits if all(map(self._has, _edited(edit)))]

    def _edit(self, edit: AnyEdit, seq: int) -> AnyEdit:
        if isinstance(edit, IngestEdit | MoveEdit):
            return replace(edit, after=self._after(edit, seq))
        return replace(edit, invalidates=self._artifacts(edit.invalidates))

    def _stage(self, event: Stage) -> Stage:
        base = base_seq(self._history, event)
        refs = [
            replace(ref, index=self._index(ref.index, event.seq))
            if isinstance(ref, IndexRef)
            else ref
            for ref in event.refs
            if not isinstance(ref, SpanRef | QuoteRef | LineRef | IndexRef) or self._has(ref.span)
        ]
        return replace(
            event,
            base=replace(
                event.base,
                digest=self._digest(event.base.digest, event.seq - 1 if base is None else base),
            ),
            reads=[read for read in event.reads if self._has(read.span)],
            refs=refs,
            edits=self._edits(event.edits, event.seq),
        )

    def _index(self, index: int, seq: int) -> int:
        order = self._order(seq)
        beyond = max(0, index - len(order))
        return len(self._spans(order[: max(0, index)])) + beyond

    def _observe(self, event: Observe) -> Observe | None:
        thin = replace(
            event,
            digest=self._digest(event.digest, event.seq),
            hashes=self._named(event.hashes),
            contents=self._named(event.contents),
        )
        return thin if thin.digest or thin.hashes or thin.contents else None

    def _digest(self, claim: str | None, seq: int) -> str | None:
        """A digest of other spans than these says nothing; one that was wrong stays wrong."""
        if claim is None or claim == self._history.at(seq).digest:
            return None
        return claim


def base_seq(history: History, event: Stage) -> int | None:
    """The last event before a diff at which its base's revision held; null where none."""
    for position in range(history.position(event.seq) - 1, -1, -1):
        if history.revisions[position] == event.base.revision:
            return history.seqs[position]
    return None if event.base.revision else 0


def renumbered(
    event: AnyEvent | Unknown, seq: int, map_seq: Callable[[int], int]
) -> AnyEvent | Unknown:
    """The event with another seq, and with the seqs that it names."""
    fields: dict[str, Any] = {"seq": seq}
    of = getattr(event, "of", None)
    if isinstance(of, list):
        fields["of"] = [map_seq(each) for each in of]
    elif isinstance(of, int):
        fields["of"] = map_seq(of)
    if isinstance(event, Stage) and event.compensates is not None:
        fields["compensates"] = map_seq(event.compensates)
    if isinstance(event, Close):
        fields["events"] = event.events + seq - event.seq
    return replace(event, **fields)
