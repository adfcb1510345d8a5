"""Artifact states and read drift against the plain way: compare whole texts."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from support.wild import wild_event

from spanscope.journal.events import Derive, Gap, Stage
from spanscope.model.state import BufferState
from spanscope.rules.holders import judge_artifact
from spanscope.rules.judge import Judge


def texts(state: BufferState) -> dict[str, str | None]:
    """What every live span holds; null where it is unknown."""
    return {name: state.spans[name].text for name in state.order}


@given(st.integers(0, 10**6))
@settings(max_examples=100)
def test_an_artifact_is_fresh_while_its_span_holds_the_same_text(seed: int) -> None:
    chance, judge = random.Random(seed), Judge()
    state = judge.state
    derived: dict[str, str] = {}
    for _ in range(40):
        event = wild_event(chance, state)
        if isinstance(event, Gap):
            continue
        judge.feed(event)
        if isinstance(event, Derive):
            derived[event.artifact] = state.spans[event.span].node.text
        for name, artifact in state.artifacts.items():
            span = state.spans[artifact.span]
            found = judge_artifact(artifact, state.span)
            assert judge.memory.artifacts[name].state == found.state
            if span.gone:
                assert found.state == "dangling"
            elif span.text is None or artifact.doubt is not None:
                assert found.state == "unknown"
            else:
                assert found.state == ("fresh" if span.text == derived[name] else "stale")


@given(st.integers(0, 10**6))
@settings(max_examples=100)
def test_a_read_drifts_when_its_text_is_not_the_bases(seed: int) -> None:
    chance, judge = random.Random(seed), Judge()
    state = judge.state
    held: dict[int, dict[str, str | None]] = {0: {}}
    bases: dict[str, dict[str, str | None]] = {}
    for _ in range(40):
        event = wild_event(chance, state)
        if isinstance(event, Gap):
            continue
        judge.feed(event)
        assert all(state.spans[n].live for n in state.order)
        assert set(state.order) == {n for n, span in state.spans.items() if span.live}
        if state.revision is None:
            return
        held[state.revision] = texts(state)
        if isinstance(event, Stage):
            bases[event.diff] = held[event.base.revision]
        now = texts(state)
        for name, diff in state.staged.items():
            whole = [r.span for r in diff.reads if r.span is not None and r.range is None]
            ranged = any(r.range is not None or r.all for r in diff.reads)
            known = all(n in bases[name] and bases[name][n] is not None for n in whole)
            if ranged or not known or any(now.get(n, "") is None for n in whole):
                continue
            if any(not state.spans[n].live and not state.spans[n].life_known for n in whole):
                continue
            drifted = any(now.get(n) != bases[name][n] for n in whole)
            assert ("DIF301" in judge.memory.verdicts[name].rules) == drifted
