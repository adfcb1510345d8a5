"""Random sound programs: journals whose every change has a right, write-ahead inverse."""

from __future__ import annotations

import random

from spanscope.journal.events import (
    AnyEvent,
    Derive,
    Ingest,
    Move,
    Prune,
    Rewrite,
    Rollback,
    Splice,
)
from spanscope.journal.parts import Inverse
from spanscope.model.anchors import sound_inverse
from spanscope.model.content import content_hash
from spanscope.model.state import BufferState

ALPHABET = "abaab\né"
TIME = "2026-11-11T09:00:00Z"


def some_text(chance: random.Random, most: int = 12) -> str:
    """A short, repetitive text."""
    return "".join(chance.choice(ALPHABET) for _ in range(chance.randint(0, most)))


def next_event(chance: random.Random, state: BufferState) -> AnyEvent:
    """A change that is possible in the buffer as it is."""
    seq = state.seq + 1
    live = state.order
    kind = chance.random()
    if not live or kind < 0.15:
        return Ingest(seq=seq, time=TIME, span=f"s{seq}", content=some_text(chance))
    name = chance.choice(live)
    text = state.spans[name].node.text
    if kind < 0.5:
        return _splice(chance, seq, name, text)
    if kind < 0.62:
        return _rewrite(chance, seq, name, text)
    if kind < 0.7:
        inverse = Inverse(original=text, inserted=0)
        return Prune(seq=seq, time=TIME, span=name, inverse=inverse)
    if kind < 0.76:
        others = [other for other in live if other != name]
        return Move(seq=seq, time=TIME, span=name, after=chance.choice([*others, None]))
    if kind < 0.9 and state.stack:
        steps = chance.randint(1, min(4, len(state.stack)))
        return Rollback(seq=seq, time=TIME, steps=steps)
    return Derive(
        seq=seq,
        time=TIME,
        artifact=f"a{seq}",
        span=name,
        kind="citation",
        range=(0, len(text)),
        hash=content_hash(text),
    )


def _splice(chance: random.Random, seq: int, name: str, text: str) -> Splice:
    at = chance.randint(0, len(text))
    delete = chance.randint(0, min(4, len(text) - at))
    insert = some_text(chance, 4)
    after = text[:at] + insert + text[at + delete :]
    return Splice(
        seq=seq,
        time=TIME,
        span=name,
        at=at,
        delete=delete,
        insert=insert,
        hash=content_hash(after),
        inverse=sound_inverse(after, at, insert, text[at : at + delete]),
    )


def _rewrite(chance: random.Random, seq: int, name: str, text: str) -> Rewrite:
    new = some_text(chance)
    if chance.random() < 0.3:
        return Rewrite(seq=seq, time=TIME, span=name, op="fold", content=new, into=f"s{seq}")
    inverse = Inverse(original=text, inserted=len(new), inserted_hash=content_hash(new))
    return Rewrite(seq=seq, time=TIME, span=name, op="fold", content=new, inverse=inverse)


def contents(state: BufferState) -> list[tuple[str, str]]:
    """(id, text) of the live spans in order."""
    return [(name, state.spans[name].node.text) for name in state.order]
