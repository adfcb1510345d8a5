"""Journals of any events: no fault of ours, and every step and verdict as worked out anew."""

from __future__ import annotations

import json

from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.anything import any_journal
from support.histories import told, whole

from spanscope.cli.show import moment_as_json
from spanscope.history.history import History
from spanscope.rules.holders import judge_artifact

SEEDS = st.integers(0, 10**6)


@given(SEEDS)
@settings(max_examples=100)
def test_everything_is_judged_and_shown(seed: int) -> None:
    history = whole(any_journal(seed, 30))
    for seq in range(history.last + 1):
        json.dumps(moment_as_json(history.at(seq)))
    names = [finding.id for finding in history.findings]
    assert len(names) == len(set(names))
    for finding in history.findings:
        json.dumps(finding.evidence)
        assert finding.caused_by is None or finding.seq is not None
        assert finding.caused_by is None or finding.caused_by < (finding.seq or 0)
    assert all(subject.why for subject in history.unknown)


@given(SEEDS)
@settings(max_examples=60)
def test_no_later_event_changes_what_a_step_says(seed: int) -> None:
    data = any_journal(seed, 25)
    whole_history, growing = whole(data), History()
    for each in data.splitlines(keepends=True):
        growing.feed(each)
        if growing.last:
            assert told(growing, growing.last) == told(whole_history, growing.last)


@given(SEEDS)
@settings(max_examples=60)
@example(203914)
def test_what_is_kept_is_what_a_look_from_scratch_gives(seed: int) -> None:
    growing = History()
    for each in any_journal(seed, 25).splitlines(keepends=True):
        growing.feed(each)
        state, memory = growing.state, growing._audit.judge.memory
        for name, artifact in state.artifacts.items():
            assert memory.artifacts[name].state == judge_artifact(artifact, state.spans.get).state
        moment = growing.at(growing.last)
        for row in moment.staging():
            fresh = moment.judge(row.diff)
            assert (fresh.verdict, fresh.rules, fresh.fragile) == (
                row.judgement.verdict,
                row.judgement.rules,
                row.judgement.fragile,
            )
