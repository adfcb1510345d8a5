"""The undo stack of any step is the one that the audit had there."""

from __future__ import annotations

import random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from support.programs import TIME
from support.wild import wild_event

from spanscope.history.history import History
from spanscope.journal.events import Abort, AnyEvent, Evict, Rollback
from spanscope.model.undo import Entry
from spanscope.rules.judge import Judge

HEADER = b'{"type":"session","format":"spanscope.journal/1","session":"s"}\n'


def line(event: AnyEvent) -> bytes:
    return msgspec.json.encode(event) + b"\n"


Told = tuple[int, tuple[int, ...], int]


def told(entry: Entry) -> Told:
    """What tells two states of an entry apart."""
    at = entry.parts[0].after.at if entry.parts[0].after is not None else -1
    return entry.seq, entry.lacking, at


def next_event(chance: random.Random, judge: Judge) -> AnyEvent:
    """Any event, but more often than elsewhere one that takes entries off or changes them."""
    state, seq = judge.state, judge.state.seq + 1
    kind = chance.random()
    stack = [entry.seq for entry in state.stack]
    if stack and kind < 0.1:
        return Rollback(seq=seq, time=TIME, steps=chance.randint(1, len(stack)))
    if stack and kind < 0.2:
        of = sorted(chance.sample(stack, chance.randint(1, min(3, len(stack)))))
        return Rollback(seq=seq, time=TIME, of=of)
    if kind < 0.3 and seq > 1:
        return Abort(seq=seq, time=TIME, of=seq - 1)
    if stack and kind < 0.35:
        return Evict(seq=seq, time=TIME, of=[chance.choice(stack)])
    return wild_event(chance, state)


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_every_step_has_the_stack_that_was_there(seed: int) -> None:
    chance, judge, history = random.Random(seed), Judge(), History()
    history.feed(HEADER)
    held: dict[int, list[Told]] = {}
    for _ in range(40):
        event = next_event(chance, judge)
        judge.feed(event)
        history.feed(line(event))
        held[event.seq] = [told(entry) for entry in reversed(judge.state.stack)]
    for seq, stack in held.items():
        moment = history.at(seq)
        assert moment.undo_size == len(stack)
        assert [told(row.entry) for row in moment.undo()] == stack
        reachable = 0
        for place, row in enumerate(moment.undo()):
            assert moment.undo_place(row.entry.seq) == place
            assert moment.undo_row(row.entry.seq) == row
            assert [told(r.entry) for r in moment.undo(place, 3)] == stack[place : place + 3]
            reachable += row.reachable is True and reachable == place
        assert moment.reachable == reachable
