"""Random programs of every kind of event, sound and faulty: diffs, gaps, observations, aborts."""

from __future__ import annotations

import random
from typing import Literal

from msgspec.structs import replace

from spanscope.journal.events import (
    Abort,
    AnyEvent,
    Apply,
    Checkpoint,
    Compact,
    Evict,
    Gap,
    Observe,
    Prune,
    Reject,
    Render,
    Rewrite,
    Rollback,
    Splice,
    Stage,
    Use,
    Withdraw,
)
from spanscope.journal.parts import (
    Anchor,
    AnyEdit,
    DiffBase,
    IndexRef,
    IngestEdit,
    Item,
    LineRef,
    Outcome,
    PruneEdit,
    QuoteRef,
    Read,
    Ref,
    RewriteEdit,
    SpanRef,
    SpliceEdit,
)
from spanscope.model.state import BufferState
from support.programs import TIME, next_event, some_text


def wild_event(chance: random.Random, state: BufferState) -> AnyEvent:
    """Any event that a journal could hold next."""
    kind = chance.random()
    if not state.order or kind < 0.55:
        event = next_event(chance, state)
        if isinstance(event, Splice | Rewrite | Prune) and chance.random() < 0.2:
            return replace(event, inverse=None)
        return event
    if kind < 0.75:
        return _stage(chance, state)
    if kind < 0.85 and state.staged:
        return _unstage(chance, state)
    return _rare(chance, state)


def _rare(chance: random.Random, state: BufferState) -> AnyEvent:
    seq = state.seq + 1
    name = chance.choice(state.order)
    text = state.spans[name].node.text
    held = text if chance.random() < 0.6 else some_text(chance)
    rare: list[AnyEvent] = [
        Gap(seq=seq, time=TIME, reason="x"),
        Observe(seq=seq, time=TIME, contents={name: held}),
        Checkpoint(
            seq=seq,
            time=TIME,
            checkpoint="c",
            snapshot=chance.random() < 0.5,
            digest=state.digest(presumed=True) if chance.random() < 0.5 else None,
        ),
        Compact(seq=seq, time=TIME, spans=[chance.choice(list(state.spans))]),
        Render(seq=seq, time=TIME, items=[Item(span=shown) for shown in state.order]),
    ]
    if state.savepoints:
        method: Literal["replay", "restore"] = "replay" if chance.random() < 0.5 else "restore"
        rare.append(Rollback(seq=seq, time=TIME, to="c", method=method))
    if state.stack:
        entry = chance.choice(state.stack).seq
        rare.append(Rollback(seq=seq, time=TIME, of=[entry]))
        rare.append(Evict(seq=seq, time=TIME, of=[entry]))
        rare.append(Abort(seq=seq, time=TIME, of=state.stack[-1].seq))
    if state.artifacts:
        rare.append(Use(seq=seq, time=TIME, artifact=chance.choice(list(state.artifacts))))
    return chance.choice(rare)


def _unstage(chance: random.Random, state: BufferState) -> AnyEvent:
    seq, diff = state.seq + 1, chance.choice(list(state.staged))
    if chance.random() < 0.5:
        outcomes: list[Outcome] = ["done", "done", "done", "partial", "failed"]
        return Apply(seq=seq, time=TIME, diff=diff, outcome=chance.choice(outcomes))
    if chance.random() < 0.5:
        return Reject(seq=seq, time=TIME, diff=diff)
    return Withdraw(seq=seq, time=TIME, diff=diff)


def _stage(chance: random.Random, state: BufferState) -> Stage:
    seq = state.seq + 1
    revision = 0 if state.revision is None else state.revision
    return Stage(
        seq=seq,
        time=TIME,
        actor=chance.choice(["planner", "subagent:2"]),
        diff=f"D{chance.randint(1, 4)}",
        base=DiffBase(revision=max(0, revision - chance.choice([0, 0, 0, 1, 2]))),
        reads=_reads(chance, state),
        edits=[_edit(chance, state, seq) for _ in range(chance.randint(1, 2))],
        refs=_refs(chance, state),
    )


def _reads(chance: random.Random, state: BufferState) -> list[Read]:
    if chance.random() < 0.15:
        return [Read(all=True)]
    names = chance.sample(state.order, min(2, len(state.order)))
    return [
        Read(span=name)
        if chance.random() < 0.6
        else Read(span=name, range=(0, chance.randint(0, 1 + state.spans[name].node.length)))
        for name in names
    ]


def _refs(chance: random.Random, state: BufferState) -> list[Ref]:
    if chance.random() < 0.6:
        return []
    place = chance.randrange(len(state.order))
    name = state.order[place]
    text = state.spans[name].node.text
    refs: list[Ref] = [
        QuoteRef(span=name, text=text[:2]),
        LineRef(line=1, span=name),
        IndexRef(span=name, index=place),
        SpanRef(span=name),
        LineRef(line=1),
    ]
    return [chance.choice(refs)]


def _edit(chance: random.Random, state: BufferState, seq: int) -> AnyEdit:
    name = chance.choice(state.order)
    text = state.spans[name].node.text
    at = chance.randint(0, len(text))
    delete = chance.randint(0, min(3, len(text) - at))
    kind = chance.random()
    if kind < 0.4:
        return SpliceEdit(span=name, at=at, delete=delete, insert=some_text(chance, 3))
    if kind < 0.7:
        anchor = Anchor(before=text[max(0, at - 4) : at], after=text[at + delete :][:4])
        return SpliceEdit(span=name, anchor=anchor, delete=delete, insert=some_text(chance, 3))
    if kind < 0.85:
        return RewriteEdit(span=name, op="fold", content=some_text(chance))
    if kind < 0.93:
        return PruneEdit(span=name)
    return IngestEdit(span=f"n{seq}", content=some_text(chance))
