"""A span rewritten at a step, simulated: who holds something of it, and what is due to them.

Seed 000: tell the holder and let it derive again where that is cheap; copy on rewrite where what
it holds is expensive; never rewrite in place and rely on the holder to notice.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from spanscope.history.history import History
from spanscope.history.what_if.standing import (
    DiffChange,
    DraftView,
    changed,
    diff_changes,
    draft_at,
)
from spanscope.journal.parts import RewriteEdit
from spanscope.model.spans import Artifact, Span
from spanscope.rules.changes import is_true, owed_a_copy
from spanscope.rules.holders import judge_artifact
from spanscope.rules.judgements import ArtifactJudgement

Due = Literal["copy on rewrite", "tell and re-key", "nobody to tell"]


ANOTHER_TEXT = "\ue000 what somebody writes"
"""Stands for whatever the span is rewritten to: a text that nobody derived anything from."""


class Held(NamedTuple):
    """A live artifact on the span: now, and after a rewrite in place that tells nobody."""

    artifact: Artifact
    now: ArtifactJudgement
    untold: ArtifactJudgement

    @property
    def goes_stale(self) -> bool:
        """Whether a silent rewrite would make it untrue."""
        return is_true(self.now) and not is_true(self.untold)

    @property
    def expensive(self) -> bool:
        """Whether copy-on-rewrite is due for its sake."""
        return owed_a_copy(self.artifact, self.now)


class Rewritten(NamedTuple):
    """What rewriting a span at `seq` would do, whatever other text it gets.

    `diffs` are the staged diffs whose verdict would change.
    """

    seq: int
    span: Span
    holders: tuple[Held, ...]
    due: Due
    diffs: tuple[DiffChange, ...]


def rewrite_here(history: History, seq: int, name: str) -> Rewritten | None:
    """What rewriting a live span after the event `seq` would do; null where there is none."""
    moment = history.at(seq)
    span = moment.span(name)
    if span is None or not span.live:
        return None
    draft = draft_at(moment, (name,))
    draft.rewrite(RewriteEdit(span=name, op="rewrite", content=ANOTHER_TEXT))
    draft.settle({}, {})
    view = DraftView(moment, draft)
    holders = tuple(
        Held(row.artifact, row.judgement, judge_artifact(row.artifact, view.span))
        for row in moment.artifacts_on(name)
    )
    return Rewritten(seq, span, holders, _due(holders), changed(diff_changes(moment, draft)))


def _due(holders: tuple[Held, ...]) -> Due:
    if any(held.expensive for held in holders):
        return "copy on rewrite"
    return "tell and re-key" if any(is_true(held.now) for held in holders) else "nobody to tell"
