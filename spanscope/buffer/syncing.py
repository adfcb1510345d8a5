"""A message list, told call by call, as a journal: what was added, changed and dropped since.

The agent's list has no ids for its parts and no record of its edits. Each call is compared with
the one before: what is the same keeps its span, what says something else at its place is changed
under its id, what is gone is pruned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from spanscope.buffer.losing import LossyWriter
from spanscope.buffer.messages import Block, Message, lenient_blocks
from spanscope.journal.events import (
    Event,
    Ingest,
    Observe,
    Prune,
    Render,
    Rewrite,
    Splice,
)
from spanscope.journal.parts import Inverse, Item
from spanscope.model.aligning import align
from spanscope.model.anchors import sound_inverse
from spanscope.model.content import buffer_digest, content_hash, differing_middle

_PLACEHOLDER = 200
"""Characters that what stands for a cleared result has at most."""


ShownAs = bool | Sequence[Message | None]
"""What a model is shown: the list (True), nothing now (False), or of each message what it is
shown as, None where it is left out."""


class Said(NamedTuple):
    """One block as it is compared; `pair` stays the same where the text changes."""

    kind: str
    role: str
    text: str
    pair: str | None


class Held(NamedTuple):
    """A block and the span that it is in the journal; `answers` is that of its call."""

    span: str
    version: int
    said: Said
    answers: str | None = None


class Change(NamedTuple):
    """An event to be: its struct and fields."""

    struct: type[Event]
    fields: dict[str, Any]


class MessageSync:
    """The list as the journal has it, and how it comes to the next one."""

    def __init__(self, writer: LossyWriter) -> None:
        self._writer = writer
        self._held: list[Held] = []
        self._messages = 0
        self._gaps = 0

    def sync(
        self,
        messages: Iterable[Message],
        system: object,
        call: str | None,
        actor: str,
        shown: ShownAs = True,
    ) -> list[str]:
        """Journal how the list came to be what it is now, and what of it a model was shown.

        The ids of its spans, in order. Where the journal can't take it all, it takes nothing, and
        the next call says the rest.
        """
        told = _told(messages, system)
        blocks = [block for each in told for block in each]
        held, changes, number = self._changes(blocks)
        items = _items(held, told, shown)
        render = [] if items is None else [Change(Render, {"call": call, "items": items})]

        def make(seq: int, time: str) -> list[Event]:
            # A gap that was only now written makes all unknown: say what the agent holds.
            events = [*changes, *self._after_gap(held), *render]
            return [
                each.struct(seq=seq + place, time=time, actor=actor, **each.fields)
                for place, each in enumerate(events)
            ]

        if self._writer.put(len(changes) + len(render), make):
            self._held, self._messages, self._gaps = held, number, self._writer.gaps
        return [each.span for each in held]

    def _after_gap(self, held: Sequence[Held]) -> list[Change]:
        if self._writer.gaps == self._gaps:
            return []
        rows = [(each.span, content_hash(each.said.text)) for each in held]
        # The digest is of the whole buffer, which others may have put spans into.
        fields: dict[str, Any] = {"hashes": dict(rows)}
        if not self._writer.shared:
            fields["digest"] = buffer_digest(rows)
        return [Change(Observe, fields)]

    def _changes(self, blocks: Sequence[Block]) -> tuple[list[Held], list[Change], int]:
        """The list to be, the events that lead to it, and how many messages there ever were."""
        said = [_said(block) for block in blocks]
        pairs = align([each.said for each in self._held], said)
        pairs = _without_lost_calls(pairs, self._held, said)
        old_of = {new: old for old, new in pairs}
        kept = {old for old, _ in pairs}
        gone = [each for place, each in enumerate(self._held) if place not in kept]
        changes = [_prune(each) for each in reversed(gone)]
        held: list[Held] = []
        calls: dict[str, str] = {}
        names = Names(self._messages)
        for place, each in enumerate(said):
            if place in old_of:
                now, change = _kept(self._held[old_of[place]], each)
            else:
                answers = calls.get(each.pair or "") if each.kind == "result" else None
                now = Held(names.next(blocks[place]), 0, each, answers)
                change = _ingest(now, held[-1].span if held else None)
            if change is not None:
                changes.append(change)
            if each.kind == "call" and each.pair is not None:
                calls[each.pair] = now.span
            held.append(now)
        return held, changes, names.messages


class Names:
    """Ids of new spans: the role and number of their message, further blocks with a point."""

    def __init__(self, messages: int) -> None:
        self.messages = messages
        self._message = -1
        self._blocks = 0

    def next(self, block: Block) -> str:
        """The id of the next new block."""
        if block.frame.number != self._message:
            self._message, self._blocks = block.frame.number, 0
            self.messages += 1
        self._blocks += 1
        stem = f"{block.frame.fields.get('role', 'message')}-{self.messages}"
        return stem if self._blocks == 1 else f"{stem}.{self._blocks}"


def _told(messages: Iterable[Message], system: object) -> list[list[Block]]:
    """The blocks of each message, numbered; a system prompt beside them stands first."""
    listed: list[Any] = list(messages)
    if system:
        listed.insert(0, {"role": "system", "content": system})
    return [
        [block._replace(frame=replace(block.frame, number=number)) for block in blocks]
        for number, blocks in enumerate(map(lenient_blocks, listed))
    ]


def _items(
    held: Sequence[Held], told: Sequence[Sequence[Block]], shown: ShownAs
) -> list[Item] | None:
    """What the model is shown of the blocks that are held; null where nothing is shown now."""
    if isinstance(shown, bool):
        return [Item(span=each.span) for each in held] if shown else None
    spans = iter(held)
    # A system prompt that stands beside the list is shown as it is.
    beside = len(told) - len(shown)
    found: list[Item] = []
    for place, blocks in enumerate(told):
        message = shown[place - beside] if place >= beside else None
        texts = [block.text for block in blocks]
        if message is not None:
            seen: list[str | None] = [block.text for block in lenient_blocks(message)]
        else:
            seen = [*texts] if place < beside else []
        seen += [None] * (len(texts) - len(seen))
        for text, other in zip(texts, seen, strict=False):
            span = next(spans).span
            if other is not None:
                found.append(Item(span=span, shown=None if other == text else other))
    return found


def _said(block: Block) -> Said:
    """What is compared: a call and its result by the id they share, a message by its own."""
    pair = block.frame.pair
    own = block.frame.fields.get("id")
    if pair is None and isinstance(own, str) and block.frame.shape in {"string", "content"}:
        pair = own
    return Said(block.frame.kind, block.role, block.text, pair)


def _prune(held: Held) -> Change:
    text = held.said.text
    inverse = Inverse(original=text, inserted=0)
    return Change(Prune, {"span": held.span, "inverse": inverse, "version": held.version})


def _without_lost_calls(
    pairs: list[tuple[int, int]], held: Sequence[Held], said: Sequence[Said]
) -> list[tuple[int, int]]:
    """The pairs without results whose call is another span now: they come in anew, to answer it."""
    there = {held[old].span for old, _ in pairs}
    calls = {
        each.pair: place for place, each in reversed([*enumerate(said)]) if each.kind == "call"
    }

    def answers_another(old: int, new: int) -> bool:
        if said[new].kind != "result" or held[old].answers in there:
            return False
        return calls.get(said[new].pair, new) < new

    return [pair for pair in pairs if not answers_another(*pair)]


def _ingest(held: Held, after: str | None) -> Change:
    said = held.said
    fields = {
        "span": held.span,
        "role": said.role,
        "after": after,
        "answers": held.answers,
        "version": 0,
        "hash": content_hash(said.text),
        "content": said.text,
    }
    return Change(Ingest, fields)


def _kept(before: Held, said: Said) -> tuple[Held, Change | None]:
    """A block that is still there, and how it changed."""
    if before.said.text == said.text:
        return before._replace(said=said), None
    now = before._replace(version=before.version + 1, said=said)
    return now, _changed(before, now)


def _changed(before: Held, now: Held) -> Change:
    """A small change and a cut as a splice; the rest as a rewrite, which says what it was."""
    old, new = before.said.text, now.said.text
    at, deleted, inserted = differing_middle(old, new)
    fields: dict[str, Any] = {
        "span": now.span,
        "version": now.version,
        "hash": content_hash(new),
    }
    if len(new) - len(inserted) > len(inserted):
        inverse = replace(sound_inverse(new, at, inserted, deleted), at=at)
        fields |= {"at": at, "delete": len(deleted), "insert": inserted, "inverse": inverse}
        return Change(Splice, fields)
    cleared = len(new) < min(len(old), _PLACEHOLDER) and now.said.kind == "result"
    op = "clear" if cleared or not new else "rewrite"
    inverse = Inverse(original=old, inserted=len(new), inserted_hash=fields["hash"])
    return Change(Rewrite, {**fields, "op": op, "inverse": inverse, "content": new})
