"""A verdict that is kept from event to event is the one that judging anew gives."""

from __future__ import annotations

import random

import pytest
from support.diff_stories import DiffStory
from support.journals import Fields

from spanscope.history.history import History
from spanscope.rules.diffs import judge_diff
from spanscope.rules.judgements import DiffJudgement
from spanscope.rules.view import StateView


class ManyDiffs(DiffStory):
    """More is staged and taken back than anything else is done."""

    def next(self) -> Fields:
        often = {self.stage: 40, self.unstage: 8, self.apply: 6, self.splice: 14}
        return self.pick(often | {self.rewrite: 2, self.abort: 3, self.ingest: 3, self.steps: 4})


def told(judgement: DiffJudgement) -> tuple[object, ...]:
    reasons = {(reason.rule, reason.thing) for reason in judgement.reasons}
    undo = [line for line in judgement.lines if line.kind == "undo"]
    return judgement.verdict, judgement.fragile, reasons, undo


@pytest.mark.parametrize("seed", range(30))
def test_verdicts_are_kept_only_where_they_stay(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.diff_stories.DIFFS", tuple("DEFGHI"))
    story = ManyDiffs(random.Random(seed))
    while story.seq < 40:
        story.go_on()
    history = History()
    for line in b"".join(story.lines).splitlines(keepends=True):
        history.feed(line)
        state, judge = history.state, history._audit.judge
        for name, diff in state.staged.items():
            if not state.damaged:
                anew = judge_diff(diff, StateView(state))
                assert told(judge.memory.verdicts[name]) == told(anew)
