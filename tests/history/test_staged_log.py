"""What is staged at any step is what the audit had there, and so is what was said of it."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.programs import TIME
from support.wild import wild_event

from spanscope.history.history import History
from spanscope.history.staged_log import StagedLog, VerdictChange
from spanscope.journal.events import Abort, AnyEvent, Apply, Ingest, Reject, Stage, Withdraw
from spanscope.journal.parts import DiffBase, Read, SpliceEdit
from spanscope.model.diffs import Diff
from spanscope.rules.judge import Judge
from spanscope.rules.judgements import DiffJudgement, Verdict

HEADER = b'{"type":"session","format":"spanscope.journal/1","session":"s"}\n'


def line(event: AnyEvent) -> bytes:
    return msgspec.json.encode(event) + b"\n"


def next_event(chance: random.Random, judge: Judge) -> AnyEvent:
    """Any event, but more often than elsewhere one by which a diff leaves, or is back."""
    state, seq, kind = judge.state, judge.state.seq + 1, chance.random()
    if kind < 0.1 and seq > 1:
        return Abort(seq=seq, time=TIME, of=seq - 1)
    if state.staged and kind < 0.3:
        name = chance.choice(list(state.staged))
        how = chance.choice((Apply, Reject, Withdraw))
        return how(seq=seq, time=TIME, diff=name)
    return wild_event(chance, state)


def told(diff: Diff) -> list[object]:
    """All that a diff says, with its base as it is looked up."""
    base = diff.base
    found = None if base is None else (base.seq, base.revision, base.order_steps, base.order)
    said = [diff.diff, diff.author, diff.seq, diff.claimed, diff.reads, diff.edits, diff.refs]
    return [*said, diff.compensates, diff.phantom, diff.doubt, found]


def assert_every_step(seed: int, events: int) -> None:
    chance, judge, history = random.Random(seed), Judge(), History()
    history.feed(HEADER)
    staged: dict[int, list[object]] = {}
    verdicts: dict[int, dict[str, DiffJudgement]] = {}
    changes: dict[int, list[VerdictChange]] = {}
    words: dict[str, Verdict] = {}
    for _ in range(events):
        event = next_event(chance, judge)
        judge.feed(event)
        history.feed(line(event))
        seq, now = event.seq, judge.memory.verdicts
        staged[seq] = [told(diff) for diff in judge.state.staged.values()]
        verdicts[seq] = {name: now[name] for name in judge.state.staged if name in now}
        for name, found in now.items():
            if words.get(name) != found.verdict:
                change = VerdictChange(name, words.get(name), found.verdict)
                changes.setdefault(seq, []).append(change)
                words[name] = found.verdict
    for seq in (*staged, *reversed(staged)):
        assert [told(diff) for diff in history.staged_at(seq).values()] == staged[seq]
        for name, judgement in verdicts[seq].items():
            assert history.verdict_at(name, seq) == judgement
    for seq in staged:
        assert list(history.verdict_changes(seq)) == changes.get(seq, [])


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_every_step_has_what_was_staged_there(seed: int) -> None:
    assert_every_step(seed, 60)


@pytest.mark.parametrize(("at", "text"), [(0, "\ud800"), (1 << 64, "b")])
def test_what_cannot_be_packed_is_kept_as_it_is(at: int, text: str) -> None:
    stage = Stage(
        seq=2, time=TIME, diff="d", base=DiffBase(revision=1), reads=[Read(span="a")], edits=[]
    )
    history = History()
    history.feed(HEADER + line(Ingest(seq=1, time=TIME, span="a", content="text")) + line(stage))
    log, state, judgement = StagedLog(), history.state, history.verdict_at("d", 2)
    assert judgement is not None
    odd = judgement._replace(why=text)
    edit = SpliceEdit(span="a", at=at, delete=1, insert=text)
    diff = msgspec.structs.replace(state.staged["d"], edits=(edit,))
    state.staged = {"d": diff}
    log.stage(2, state)
    log.judge(2, "d", odd)
    state.staged = {}
    log.stage(3, state)
    assert told(log.at(state, 2)["d"]) == told(diff)
    assert log.verdict_at("d", 3) == odd
    assert log.at(state, 3) == {}
