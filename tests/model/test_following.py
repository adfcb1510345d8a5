"""Following and selective undo, held against characters that keep their identity."""

from __future__ import annotations

import random
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st
from support.programs import TIME, some_text

from spanscope.journal.events import Ingest, Rollback, Splice
from spanscope.model.anchors import sound_inverse
from spanscope.model.mapping import Change, follow
from spanscope.model.replay import replay
from spanscope.model.state import BufferState


@given(st.integers(0, 10**6))
def test_a_range_is_followed_as_its_characters_are(seed: int) -> None:
    chance, fresh = random.Random(seed), count()
    cells = [next(fresh) for _ in range(chance.randint(1, 15))]
    start = chance.randint(0, len(cells) - 1)
    end = chance.randint(start + 1, len(cells))
    mine = cells[start:end]
    changes: list[Change] = []
    for seq in range(chance.randint(1, 5)):
        at = chance.randint(0, len(cells))
        deleted = chance.randint(0, min(3, len(cells) - at))
        inserted = chance.randint(0, 3)
        cells[at : at + deleted] = [next(fresh) for _ in range(inserted)]
        changes.append(Change(at, deleted, inserted, seq))
    found = follow(start, end, changes)
    assert 0 <= found.start <= found.end <= len(cells)
    if found.touched is None:
        assert mine == cells[found.start : found.end]
    if set(mine) <= set(cells):
        place = cells.index(mine[0])
        together = cells[place : place + len(mine)] == mine
        assert (found.start, found.end) == (place, cells.index(mine[-1]) + 1)
        assert together or found.touched is not None


class Cell:
    """A character that knows which edit brought it and which edits took it away."""

    def __init__(self, char: str, edit: int) -> None:
        self.char, self.edit = char, edit
        self.gone: set[int] = set()


def visible(cells: list[Cell], undone: set[int]) -> list[Cell]:
    return [cell for cell in cells if cell.edit not in undone and not cell.gone - undone]


def plain_splice(cells: list[Cell], at: int, delete: int, insert: str, edit: int) -> None:
    """Delete by marking; what is inserted stands right after the character before it."""
    shown = visible(cells, set())
    for cell in shown[at : at + delete]:
        cell.gone.add(edit)
    index = cells.index(shown[at - 1]) + 1 if at else 0
    if delete:
        index = cells.index(shown[at + delete - 1]) + 1
    cells[index:index] = [Cell(char, edit) for char in insert]


@given(st.integers(0, 10**6))
@settings(max_examples=300)
def test_a_selective_undo_takes_back_its_own_characters_only(seed: int) -> None:
    chance, state = random.Random(seed), BufferState()
    text = some_text(chance)
    replay(state, Ingest(seq=1, time=TIME, span="s", content=text))
    cells = [Cell(char, 1) for char in text]
    edits = list(range(2, 2 + chance.randint(2, 5)))
    for seq in edits:
        text = state.spans["s"].node.text
        at = chance.randint(0, len(text))
        delete = chance.randint(0, min(3, len(text) - at))
        insert = some_text(chance, 3)
        after = text[:at] + insert + text[at + delete :]
        inverse = sound_inverse(after, at, insert, text[at : at + delete])
        event = Splice(
            seq=seq, time=TIME, span="s", at=at, delete=delete, insert=insert, inverse=inverse
        )
        replay(state, event)
        plain_splice(cells, at, delete, insert, seq)
    undone = set(chance.sample(edits, chance.randint(1, len(edits))))
    before = state.spans["s"].node.text
    effect = replay(state, Rollback(seq=state.seq + 1, time=TIME, of=sorted(undone)))
    assert effect.undoing is not None
    if effect.undoing.impossible is not None:
        assert state.spans["s"].node.text == before
        assert [entry.seq for entry in state.stack] == [1, *edits]
        return
    wanted = "".join(cell.char for cell in visible(cells, undone))
    assert state.spans["s"].node.text == wanted
    assert [entry.seq for entry in state.stack] == [1, *(e for e in edits if e not in undone)]
