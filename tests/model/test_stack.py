"""The undo stack tells the same entries however it keeps them."""

from __future__ import annotations

import random

from msgspec.structs import replace
from support.programs import next_event

from spanscope.journal.events import Rollback
from spanscope.model.node import Node
from spanscope.model.spans import Span
from spanscope.model.stack import PlainSplice, UndoStack
from spanscope.model.states import States
from spanscope.model.undo import Entry
from spanscope.rules.judge import Judge


def entries(seed: int) -> list[Entry]:
    chance, judge = random.Random(seed), Judge()
    for _ in range(40):
        event = next_event(chance, judge.state)
        if not isinstance(event, Rollback):
            judge.feed(event)
    return list(judge.state.stack)


def small(kept: list[Entry]) -> UndoStack:
    stack = UndoStack()
    for entry in kept:
        before = entry.parts[0].before
        if entry.op == "splice" and before is not None:
            stack.put_splice(entry, States(before))
        else:
            stack.put(entry)
    return stack


def test_a_state_that_a_plain_splice_left_comes_back_from_its_content() -> None:
    node = Node.root(1, "a", "abc")
    span = Span(span="s", node=node, seq=1, role="tool", produced_by="x", written=1)
    states, wanted = States(span), [span]
    for seq in range(3, 60, 2):
        node = node.spliced(seq, "a", 0, 1, "x")
        version = span.version + 1 + (seq == 33)
        claimed = None if seq == 21 else version - (seq == 25)
        after = replace(
            span,
            node=node,
            seq=seq,
            version=version,
            claimed=span.claimed if claimed is None else claimed,
            behind=span.behind if claimed is None else version - claimed,
            op="splice",
            written=seq,
        )
        if seq == 41:
            after = replace(after, op="rewrite", produced_by="rewrite:y")
            states.append(after)
        else:
            states.append_spliced(span, after)
        span = after
        wanted.append(span)
    assert sum(isinstance(kept, Span) for kept in states._kept) < 10
    assert list(states) == states[:] == wanted
    assert list(reversed(states)) == wanted[::-1]
    for start in range(len(wanted) + 1):
        assert states[start:] == wanted[start:]
        assert states[start : start + 7] == wanted[start : start + 7]
    assert [states[-1], states[3], *states[4:9:2]] == [wanted[-1], wanted[3], *wanted[4:9:2]]
    assert [states.at(seq) for seq in range(61)] == [
        next((span for span in reversed(wanted) if span.seq <= seq), None) for seq in range(61)
    ]
    assert [states.before(span.seq) for span in wanted[1:]] == wanted[:-1]


def test_an_entry_of_a_plain_splice_comes_back_from_little() -> None:
    wanted = entries(1)
    stack = small(wanted)
    assert any(isinstance(kept, PlainSplice) for kept in stack._kept)
    assert list(stack) == stack[:] == wanted
    assert [stack[at] for at in range(-3, 3)] == [*wanted[-3:], *wanted[:3]]
    for place, entry in enumerate(wanted):
        assert (stack.find(entry.seq), stack.above(entry.seq)) == (place, place + 1)
    assert stack.find(wanted[-1].seq + 1) is None
    assert stack.seqs_between(wanted[3].seq, wanted[7].seq) == [e.seq for e in wanted[4:8]]
    assert stack.seqs_between(0, wanted[0].seq - 1) == []


def test_entries_go_and_come_back_to_their_places() -> None:
    wanted = entries(2)
    stack = small(wanted)
    assert stack.pop() == wanted[-1]
    stack.put(wanted[-1])
    assert stack.take_out([wanted[3].seq, wanted[-1].seq + 1]) == [3]
    assert list(stack) == [*wanted[:3], *wanted[4:]]
    stack.put(wanted[3])
    stack[3] = wanted[3]
    assert list(stack) == wanted
    assert stack.take_out(entry.seq for entry in wanted[:6:-1]) == list(range(7, len(wanted)))
    assert list(stack) == wanted[:7]


def test_what_a_rollback_passes_over_is_what_stands_above_the_oldest_it_names() -> None:
    wanted = entries(3)
    stack = small(wanted)
    named = [wanted[at].seq for at in (9, 4, 7, 5)]
    passed = stack.passed(named)
    stack.take_out(named)
    above = [entry for entry in wanted[4:] if entry.seq not in named]
    assert list(passed) == above[::-1] == stack[:3:-1]
    assert [entry.seq for entry in wanted if passed.has(entry.seq)] == [e.seq for e in above]
    assert list(passed.only({"files"})) == [e for e in above[::-1] if "files" in e.stores]
    assert list(stack.passed([])) == []
