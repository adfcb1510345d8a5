"""Undo restores exactly what stood there, and what can't be undone is never called reachable."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.programs import contents, next_event

from spanscope.history.history import load
from spanscope.journal.events import Evict, Prune, Rewrite, Rollback, Splice
from spanscope.model.undo import entry_sound, part_sound
from spanscope.rules.judge import Judge
from spanscope.sample_sessions import sample


@given(st.integers(0, 10**6))
def test_with_a_complete_log_a_rollback_restores_what_was(seed: int) -> None:
    chance, judge = random.Random(seed), Judge()
    state = judge.state
    before: list[list[tuple[str, str]]] = []
    for _ in range(40):
        held, depth = contents(state), len(state.stack)
        event = next_event(chance, state)
        found = judge.feed(event)
        assert [finding for finding in found if finding.severity == "error"] == []
        if isinstance(event, Rollback):
            assert event.steps is not None
            assert contents(state) == before[-event.steps]
            del before[-event.steps :]
        elif len(state.stack) > depth:
            before.append(held)
        assert all(entry_sound(entry) for entry in state.stack)
        for part in (part for entry in state.stack for part in entry.parts):
            for without_at in (False, True):
                packed = replace(part, without_at=without_at)
                whole = replace(packed, record=part.inverse)
                assert part_sound(packed) == part_sound(whole)


@given(st.integers(0, 10**6))
def test_a_missing_or_wrong_inverse_is_never_reachable(seed: int) -> None:
    chance, judge = random.Random(seed), Judge()
    state, broken = judge.state, set()
    for _ in range(30):
        event = next_event(chance, state)
        if isinstance(event, Rollback):
            continue
        if isinstance(event, Splice | Prune | Rewrite) and chance.random() < 0.4:
            inverse = event.inverse
            if inverse is not None and chance.random() < 0.5:
                wrong = replace(inverse, original=inverse.original + "x")
                event = replace(event, inverse=wrong)
            else:
                event = replace(event, inverse=None)
        depth = len(state.stack)
        judge.feed(event)
        if len(state.stack) > depth and isinstance(event, Splice | Prune | Rewrite):
            part = state.stack[-1].parts[-1]
            if part.owes_inverse and (event.inverse is None or "x" in event.inverse.original):
                broken.add(event.seq)
    assert broken <= set(judge.memory.reach.unsound)


def test_an_evicted_inverse_blocks_from_then_on() -> None:
    chance, judge = random.Random(3), Judge()
    state = judge.state
    while not any(part.inverse for entry in state.stack for part in entry.parts):
        event = next_event(chance, state)
        if not isinstance(event, Rollback):
            judge.feed(event)
    victim = next(e.seq for e in state.stack if any(p.inverse and p.changed for p in e.parts))
    found = judge.feed(Evict(seq=state.seq + 1, time="2026-11-11T09:00:00Z", of=[victim]))
    assert "UND203" in {finding.rule for finding in found}
    assert victim in judge.memory.reach.unsound


def test_every_damaged_range_is_told_apart() -> None:
    shipped = sample("twin-blocks")
    history = load(shipped.path)
    (found,) = [finding for finding in history.findings if finding.rule == "UND221"]
    span = history.at(shipped.look_at).span("ci")
    assert span is not None
    assert span.text is not None
    ranges = found.evidence["ranges"]
    assert [span.text[start:end] for start, end in ranges] == ["10", "40"]
    assert (found.evidence["expected"], found.evidence["actual"]) == ("15", "10")
