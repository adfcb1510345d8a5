"""The buffer of a step to try things on, and the view of a draft made on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from spanscope.history.moment import Moment
from spanscope.model.diffs import Diff
from spanscope.model.spans import Artifact, Doubt, Span
from spanscope.model.state import BufferState
from spanscope.model.transaction import Transaction
from spanscope.rules.diffs import judge_diff_from
from spanscope.rules.holders import judge_artifact
from spanscope.rules.judgements import ArtifactJudgement, DiffJudgement

Change = TypeVar("Change")

SIMULATED = "what if"
"""The actor of what is only tried."""


class Standing(BufferState):
    """The named spans and the order as they stood after an event, apart from the history's own."""

    def __init__(self, moment: Moment, names: Iterable[str]) -> None:
        super().__init__()
        self._past = moment.history.state
        self.seq = moment.seq
        self.order = list(moment.order)
        self.doubt = moment.doubt
        found = ((name, moment.span(name)) for name in names)
        self.spans = {name: span for name, span in found if span is not None}

    def order_at(self, seq: int) -> list[str]:
        """The ids of the live spans in order, after an earlier event."""
        return self._past.order_at(seq)


def draft_at(moment: Moment, names: Iterable[str]) -> Transaction:
    """A draft of the next state after a step, which may touch the named spans."""
    return Transaction(Standing(moment, names), moment.seq + 1, SIMULATED)


class DraftView:
    """The buffer as a draft would leave it, as the judgements look at it."""

    def __init__(self, moment: Moment, draft: Transaction) -> None:
        self._moment = moment
        self._draft = draft

    @property
    def order(self) -> list[str]:
        """The live spans' ids in order."""
        return self._draft.order

    @property
    def order_steps(self) -> int:
        """How many steps have led to the order; a number that no base has where it moved."""
        return -1 if self._draft.steps else self._moment.order_steps

    def touched_since(self, seq: int) -> Iterable[str]:
        """Spans that may have been touched after the event `seq`, and all that were."""
        return dict.fromkeys((*self._moment.touched_since(seq), *self._draft.work))

    @property
    def doubt(self) -> Doubt | None:
        """Since when the order is unknown."""
        return self._moment.doubt

    @property
    def lost_at(self) -> int:
        """Where events were lost last; 0 for nowhere."""
        return self._moment.lost_at

    @property
    def first_lost_at(self) -> int:
        """Where events were lost first; 0 for nowhere."""
        return self._moment.first_lost_at

    @property
    def staged(self) -> dict[str, Diff]:
        """What is staged."""
        return self._moment.staged

    def span(self, name: str) -> Span | None:
        """A span as the draft leaves it."""
        return self._draft.work.get(name) or self._moment.span(name)

    def history_of(self, name: str) -> Sequence[Span]:
        """All states of a span up to the draft's."""
        drafted = self._draft.work.get(name)
        return [*self._moment.history_of(name), *([drafted] if drafted is not None else [])]

    def orders_back(self) -> Iterator[tuple[int, list[str]]]:
        """(seq, the order right before it) of the changes of the order, newest first."""
        if self._draft.steps:
            yield self._draft.seq, self._moment.order
        yield from self._moment.orders_back()


class HolderChange(NamedTuple):
    """A live artifact whose state would be another one."""

    artifact: Artifact
    before: ArtifactJudgement
    after: ArtifactJudgement


class DiffChange(NamedTuple):
    """A staged diff whose verdict would be another one."""

    diff: Diff
    before: DiffJudgement
    after: DiffJudgement


def holder_changes(moment: Moment, draft: Transaction) -> Iterator[HolderChange | None]:
    """The artifacts on spans of a draft whose state it would change, span by span.

    Null for one that stays what it is, so that whoever asks may pause at each of them.
    """
    view = DraftView(moment, draft)
    seen: set[str] = set()
    for name in draft.work:
        for artifact in moment.history.artifacts_on((name,), moment.seq):
            if artifact.artifact in seen:
                continue
            seen.add(artifact.artifact)
            before = judge_artifact(artifact, moment.span)
            after = judge_artifact(artifact, view.span)
            yield HolderChange(artifact, before, after) if before.state != after.state else None


def diff_changes(
    moment: Moment, draft: Transaction, leaving: str = ""
) -> Iterator[DiffChange | None]:
    """The staged diffs whose verdict a draft would change, but for the one that it applies.

    Null for one whose verdict stays.
    """
    view = DraftView(moment, draft)
    recorded = moment.history.state.can_record("reads")
    for row in moment.staging():
        if row.diff.diff == leaving:
            continue
        # Where a draft changes the ground, it is in what it writes: that is looked at first.
        judged = judge_diff_from(row.diff, view, None, draft.work, reads_recorded=recorded)
        after = judged.judgement
        changed = after.verdict != row.judgement.verdict
        yield DiffChange(row.diff, row.judgement, after) if changed else None


def changed(changes: Iterable[Change | None]) -> tuple[Change, ...]:
    """Those that there are."""
    return tuple(change for change in changes if change is not None)
