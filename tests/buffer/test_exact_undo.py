"""Seed 003's claim: after a rollback the hash is that of before the edit, or the edit was refused.

Actors write over each other's edits, records are dropped under pressure, and changes are undone
in order and out of order. Plain twins say what must come of it: the digests that were noted before
each change, and for selective undo the characters themselves, each knowing who put and took it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import NamedTuple
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.buffers import above_info
from support.examples import slow
from support.second_opinion import complaints, contents_of, told_by

from spanscope.buffer.buffer import ContextBuffer
from spanscope.buffer.errors import JournalWriteError, RollbackIntegrityError, SpanscopeError

SPANS = ("types", "notes", "plan")
ACTORS = ("agent", "tool:search", "subagent:2")


class Pressed:
    """`os.write` on a disk that takes a record whole, in part and then no more, or not at all."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.real = os.write
        self.dropping = False

    def __call__(self, fd: int, data: bytes) -> int:
        if self.dropping:
            raise OSError(28, "No space left on device")
        pick = self.chance.random()
        if pick > 0.3:
            return self.real(fd, data)
        self.dropping = True
        if pick > 0.15:
            raise OSError(28, "No space left on device")
        return self.real(fd, bytes(data)[: len(data) // 2])


def change(buffer: ContextBuffer, chance: random.Random, number: int) -> None:
    """One change by somebody, often where somebody else has just written."""
    view = buffer.as_actor(chance.choice(ACTORS))
    live = [name for name in SPANS if name in buffer]
    kind = chance.random()
    if not live or kind < 0.08:
        view.ingest(f"more-{number}", "ab" * chance.randint(0, 4))
        return
    name = chance.choice(live)
    text = buffer.text(name)
    insert = "".join(chance.choice("ab\né") for _ in range(chance.randint(0, 4)))
    if kind < 0.7:
        at = chance.randint(0, min(6, len(text)))
        view.splice(name, at, chance.randint(0, min(5, len(text) - at)), insert)
    elif kind < 0.8:
        view.rewrite(name, insert + text[::-1], op="fold", policy=chance.choice([None, "tell"]))
    elif kind < 0.9:
        with view.draft(allow_fragile=True) as draft:
            draft.splice(name, 0, min(2, len(text)), insert)
    else:
        view.move(name, chance.choice([None, *(other for other in live if other != name)]))


@given(seed=st.integers(0, 10**9))
@slow(25, gate=60, many=3000)
def test_undo_gives_the_hash_back_or_the_change_was_refused(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = random.Random(seed)
    disk = Pressed(chance)
    buffer = ContextBuffer.record("undo", tmp_path_factory.mktemp("undo") / "a.jsonl")
    for name in SPANS:
        buffer.ingest(name, "abab\nabab and more of it")
    noted: list[str] = []
    refused = 0
    for number in range(40):
        before = buffer.digest
        disk.dropping = False
        if noted and chance.random() < 0.2:
            steps = chance.randint(1, min(4, len(noted)))
            wanted = noted[-steps]
            with mock.patch.object(os, "write", disk):
                try:
                    buffer.rollback(steps)
                except JournalWriteError:
                    assert buffer.digest == before
                    continue
            assert buffer.digest == wanted
            del noted[-steps:]
            continue
        entries = len(buffer._core.state.stack)
        with mock.patch.object(os, "write", disk):
            try:
                change(buffer, chance, number)
            except SpanscopeError:
                refused += 1
                assert buffer.digest == before
                assert len(buffer._core.state.stack) == entries
                continue
        if len(buffer._core.state.stack) > entries:
            noted.append(before)
    if noted:
        buffer.rollback(len(noted))
        assert buffer.digest == noted[0]
    assert refused
    # Drafts may be fragile here: they say so themselves.
    assert {finding.rule for finding in above_info(buffer)} <= {"DIF305"}


def shuffle(buffer: ContextBuffer, chance: random.Random, number: int) -> None:
    """A change of what there is and in which order, or of a text."""
    live = list(buffer.order)
    kind, name = chance.random(), chance.choice(live or [""])
    others = [other for other in live if other != name]
    if kind < 0.2 or not live:
        buffer.ingest(f"new-{number}", "ab", after=chance.choice([None, *live]))
    elif kind < 0.4 and others:
        buffer.prune(name)
    elif kind < 0.65:
        buffer.move(name, chance.choice([None, *others]))
    elif kind < 0.75:
        buffer.rewrite(name, f"{number} abc", op="fold", policy=chance.choice(["tell", "copy"]))
    else:
        text = buffer.text(name)
        at = chance.randint(0, len(text))
        buffer.splice(name, at, chance.randint(0, min(2, len(text) - at)), f"{number}")


@given(seed=st.integers(0, 10**9))
@example(seed=390)
@example(seed=192877)
@slow(60, gate=150, many=5000)
def test_a_second_opinion_undoes_to_the_same_buffer(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = random.Random(seed)
    path = tmp_path_factory.mktemp("undo") / "a.jsonl"
    buffer = ContextBuffer.record("undo", path)
    for name in ("a", "b", "c", "d"):
        buffer.ingest(name, f"{name} abab")
    for number in range(10):
        shuffle(buffer, chance, number)
        if chance.random() < 0.3:
            entries = [entry.seq for entry in buffer._core.state.stack[-5:]]
            chosen = chance.sample(entries, chance.randint(1, min(2, len(entries))))
            before = buffer.digest
            try:
                buffer.rollback(of=chosen)
            except RollbackIntegrityError:
                assert buffer.digest == before
    contents = [(name, buffer.text(name)) for name in buffer.order]
    assert above_info(buffer) == []
    told = told_by(path)
    assert contents_of(told) == contents
    assert complaints(told) == []


class Char(NamedTuple):
    """A character, which edit put it there (0: it always was there), and which took it."""

    char: str
    put: int
    taken: int | None = None


Text = tuple[Char, ...]
Order = tuple[str, ...]
Name = tuple[int, str]
"""Which edit gave an id to a span's copy."""


def spliced(text: Text, edit: int, at: int, delete: int, insert: str) -> Iterator[Text]:
    """The text after an edit, once for each place among taken characters that it may mean."""
    seen = [place for place, char in enumerate(text) if char.taken is None]
    first = seen[at - 1] + 1 if at else 0
    last = seen[at] if at < len(seen) else len(text)
    gone = set(seen[at : at + delete])
    new = tuple(Char(char, edit) for char in insert)
    now = tuple(
        char._replace(taken=edit) if place in gone else char for place, char in enumerate(text)
    )
    for place in range(first, last + 1):
        yield (*now[:place], *new, *now[place:])


def some_undone(buffer: ContextBuffer, seqs: list[int], chance: random.Random) -> set[int] | None:
    """Undo some of the changes of these seqs, by their numbers from 1; null where it is refused."""
    chosen = {number for number in range(1, len(seqs) + 1) if chance.random() < 0.4}
    before = buffer.digest
    try:
        if chosen:
            buffer.rollback(of=[seqs[number - 1] for number in chosen])
    except RollbackIntegrityError:
        assert buffer.digest == before
        return None
    return chosen


def undone(text: Text, edits: set[int]) -> str:
    """What is read without some edits."""
    return "".join(
        char.char for char in text if char.put not in edits and (char.taken or 0) in {0, *edits}
    )


@given(seed=st.integers(0, 10**9))
@slow(150, gate=400, many=20000)
def test_undo_out_of_order_takes_those_edits_out_and_leaves_the_others(seed: int) -> None:
    chance = random.Random(seed)
    buffer = ContextBuffer()
    buffer.ingest("a", "abcdef")
    readings = {tuple(Char(char, 0) for char in "abcdef")}
    seqs: list[int] = []
    for number in range(1, chance.randint(2, 5)):
        text = buffer.text("a")
        at = chance.randint(0, len(text))
        delete = chance.randint(0, min(3, len(text) - at))
        insert = "".join(chance.choice("xyz") for _ in range(chance.randint(0, 2)))
        buffer.as_actor(chance.choice(ACTORS)).splice("a", at, delete, insert)
        seqs.append(buffer.seq)
        readings = {after for one in readings for after in spliced(one, number, at, delete, insert)}
    chosen = some_undone(buffer, seqs, chance)
    if chosen is None:
        return
    assert buffer.text("a") in {undone(text, chosen) for text in readings}


class Seat(NamedTuple):
    """A place in the order that a span had, which edit put it there, and which took it away."""

    span: str
    put: int
    taken: int | None = None


Row = tuple[Seat, ...]


def seated(row: Row, edit: int, span: str, after: str | None) -> Iterator[Row]:
    """The row after a span was put somewhere, once for each place among left seats it may mean."""
    now = tuple(
        seat._replace(taken=edit) if seat.span == span and seat.taken is None else seat
        for seat in row
    )
    seen = [place for place, seat in enumerate(now) if seat.taken is None]
    first = next((place + 1 for place in seen if now[place].span == after), 0)
    last = next((place for place in seen if place >= first), len(now))
    for place in range(first, last + 1):
        yield (*now[:place], Seat(span, edit), *now[place:])


def left(row: Row, edits: set[int], prunes: dict[str, int], names: dict[str, list[Name]]) -> Order:
    """Who stands where without some edits: each in the last seat that it was put in."""
    last: dict[str, int] = {}
    for seat in row:
        if seat.put not in edits:
            last[seat.span] = max(last.get(seat.span, 0), seat.put)
    gone = {span for span, edit in prunes.items() if edit not in edits}
    return tuple(
        next((name for edit, name in reversed(names.get(seat.span, [])) if edit not in edits), "")
        or seat.span
        for seat in row
        if last.get(seat.span) == seat.put and seat.span not in gone
    )


@given(seed=st.integers(0, 10**9))
@slow(150, gate=400, many=20000)
def test_undo_out_of_order_puts_spans_where_they_stood_among_the_others(seed: int) -> None:
    chance = random.Random(seed)
    buffer = ContextBuffer()
    for name in "abcd":
        buffer.ingest(name, name)
    rows: set[Row] = {tuple(Seat(name, 0) for name in "abcd")}
    slots = {name: name for name in "abcd"}
    prunes: dict[str, int] = {}
    names: dict[str, list[Name]] = {}
    seqs: list[int] = []
    for number in range(1, chance.randint(3, 7)):
        kind, name = chance.random(), chance.choice(buffer.order)
        after = chance.choice([None, *(other for other in buffer.order if other != name)])
        if kind < 0.2:
            name = slots[f"n{number}"] = f"n{number}"
            buffer.ingest(name, name, after=after)
        elif kind < 0.75:
            buffer.move(name, after)
        elif kind < 0.9 or len(buffer.order) < 3:
            buffer.rewrite(name, "x", op="fold", into=f"c{number}")
            slots[f"c{number}"] = slots[name]
            names.setdefault(slots[name], []).append((number, f"c{number}"))
        else:
            buffer.prune(name)
            prunes[slots[name]] = number
            rows = {
                tuple(
                    seat._replace(taken=number)
                    if (seat.span, seat.taken) == (slots[name], None)
                    else seat
                    for seat in row
                )
                for row in rows
            }
        if kind < 0.75:
            beside = None if after is None else slots[after]
            rows = {new for row in rows for new in seated(row, number, slots[name], beside)}
        seqs.append(buffer.seq)
    chosen = some_undone(buffer, seqs, chance)
    if chosen is None:
        return
    assert tuple(buffer.order) in {left(row, chosen, prunes, names) for row in rows}
