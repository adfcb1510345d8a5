"""What is known of which entries touched what is what looking through the whole stack tells."""

from __future__ import annotations

import pytest
from support.anything import any_journal
from support.selective import a_selective_journal
from support.stories import a_story

from spanscope.history.history import History
from spanscope.model.reaching import Way
from spanscope.model.state import BufferState

JOURNALS = {
    "selective": lambda seed: a_selective_journal(seed, 4, 6),
    "undo": lambda seed: a_story(seed, "undo", 40),
    "anything": lambda seed: any_journal(seed, 60),
}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", JOURNALS)
def test_entries_are_found_by_what_they_touched(kind: str, seed: int) -> None:
    history = History()
    for line in JOURNALS[kind](seed).splitlines(keepends=True):
        history.feed(line)
        find_all(history.state)
        pass_surely(history.state)


def find_all(state: BufferState) -> None:
    stack, touches = list(state.stack), state.touches
    middle = stack[len(stack) // 2].seq if stack else 0
    for name in state.spans:
        on = [entry for entry in stack if name in entry.spans]
        below = [entry for entry in on if entry.seq < middle]
        above = [entry for entry in on if entry.seq > middle]
        assert list(touches.on(name)) == on[::-1]
        assert touches.next_below(name, middle) == (below[-1] if below else None)
        assert touches.next_above(name, middle) == (above[0] if above else None)
    above = [entry for entry in stack if entry.seq > middle]
    order = [entry for entry in above if entry.touches_order]
    assert list(touches.above(touches.order, middle)) == order
    back = [entry for entry in order if any(part.goes_back for part in entry.parts)]
    assert list(touches.above(touches.going_back, middle)) == back
    told = [entry for entry in above if any(part.told_offset for part in entry.parts)]
    assert touches.with_offsets(middle) == told == touches.with_offsets(middle)


def pass_surely(state: BufferState) -> None:
    """What the rules say can surely be undone passes on the way down the stack."""
    way = Way(state.spans.get)
    assert state.sure_above is not None or not state.stack
    for entry in reversed(state.stack):
        if entry.seq > (state.sure_above or 0):
            assert way.passes(entry) is True
