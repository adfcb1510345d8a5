"""The undo stack of any step is the one that the audit had there."""

from __future__ import annotations

import random
from bisect import insort
from itertools import islice
from unittest.mock import patch

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from support.programs import TIME
from support.wild import wild_event

from spanscope.history.history import History
from spanscope.history.touched import subjects_of
from spanscope.history.undo_log import STRETCHES, UndoLog
from spanscope.journal.events import Abort, AnyEvent, Close, Evict, Rollback
from spanscope.model.effects import Effect
from spanscope.model.stack import UndoStack
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
@settings(max_examples=40)
def test_what_touched_an_entry_begins_with_the_event_that_pushed_it(seed: int) -> None:
    chance, judge, history = random.Random(seed), Judge(), History()
    history.feed(HEADER)
    touched: dict[int, set[int]] = {}
    for _ in range(40):
        event = next_event(chance, judge)
        found = judge.feed(event)
        history.feed(line(event))
        effect = judge.effect
        assert effect is not None
        named = [name for kind, name in subjects_of(event, effect) if kind == "entry"]
        named += [finding.subject.get("entry", 0) for finding in found]
        pushed = () if effect.pushed is None else (effect.pushed.seq,)
        for of in (*named, *pushed):
            touched.setdefault(int(of), set()).add(event.seq)
    touched.pop(0, None)
    assert {name for kind, name in history.subjects() if kind == "entry"} == set(touched)
    for of, seqs in touched.items():
        assert list(history.touched({"entry": of})) == sorted(seqs)


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_every_step_has_the_stack_that_was_there(seed: int) -> None:
    # Stretches as short as these stacks: they end within them, and at their ends.
    with patch("spanscope.history.undo_log.STRETCHES", (8, 2)):
        assert_every_step(seed)


def test_a_long_stack_is_counted_by_stretches() -> None:
    chance, log = random.Random(7), UndoLog()
    stack: list[int] = []
    off: list[int] = []
    held: dict[int, list[int]] = {}
    for seq in range(1, 20_000):
        effect = Effect(seq=seq, event=Close(seq=seq, time=TIME, events=seq))
        kind = chance.random()
        if kind < 0.7 or not stack:
            effect.pushed = entry(seq)
            stack.append(seq)
        elif kind < 0.9:
            gone = [stack.pop(-chance.randint(1, min(len(stack), 300)))]
            effect.popped = [entry(of) for of in gone]
            off += gone
        elif off:
            back = off.pop(chance.randrange(len(off)))
            effect.restored = [entry(back)]
            insort(stack, back)
        log.follow(effect, UndoStack())
        if seq % 1_999 == 0 or seq == 19_999:
            held[seq] = stack[::-1]
    for seq, down in held.items():
        assert [entry.seq for entry in log.down(seq)] == down
        for place in (1, 7, 63, 64, 500, len(down) // 2, len(down) - 1, len(down)):
            assert [entry.seq for entry in islice(log.down(seq, place), 5)] == down[place:][:5]
        for place in range(0, len(down), 97):
            assert log.place(down[place], seq) == place
    assert max(map(len, held.values())) > 2 * max(STRETCHES)


def entry(seq: int) -> Entry:
    return Entry(seq=seq, op="rewrite", actor="a", parts=())


def assert_every_step(seed: int) -> None:
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
        before = held.get(seq - 1, [])
        on = {of for of, *_ in stack}
        assert history.undo.taken(seq) == [of for of, *_ in reversed(before) if of not in on]
        reachable = 0
        for place, row in enumerate(moment.undo()):
            assert moment.undo_place(row.entry.seq) == place
            assert moment.undo_row(row.entry.seq) == row
            assert [told(r.entry) for r in moment.undo(place, 3)] == stack[place : place + 3]
            reachable += row.reachable is True and reachable == place
        assert moment.reachable == reachable
