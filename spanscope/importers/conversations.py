"""Conversations known only from their requests: each call says the whole list again.

What a request lists is what the model was given. An item that comes is ingested, one that goes is
pruned, one that says something else at its place is rewritten, without a version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from spanscope.importers.blocks import CALL, RESULT, TEXT, first_line
from spanscope.importers.builder import AGENT, CONTEXT, JournalBuilder, Wanted, ingest_edit
from spanscope.importers.messages import TOOLS, Said
from spanscope.importers.syncing import before_store
from spanscope.journal.parts import AnyEdit, Item, PruneEdit
from spanscope.model.aligning import align, shared

IDENTITY: Final = "inferred: equal items from both ends, then tool-call ids, then places"


Beginning = tuple[Said, ...]


class Held(NamedTuple):
    """An item and the span that it is."""

    span: str
    said: Said


@dataclass
class Conversation:
    """The list as the last request and its reply left it; its first `seen` items are noted."""

    number: int
    actor: str
    store: str
    prefix: str
    held: list[Held] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    calls: dict[str, str] = field(default_factory=dict)
    requests: int = 0
    seen: int = 0


class Conversations:
    """All conversations of one log, told apart by what they share."""

    def __init__(self, builder: JournalBuilder) -> None:
        self._builder = builder
        self._all: list[Conversation] = []
        self._by_key: dict[str, Conversation] = {}
        self._beginning: dict[Beginning, dict[int, None]] = {}
        self._holding: dict[tuple[str, str], dict[int, None]] = {}

    def request(
        self,
        items: Sequence[Said],
        reply: Sequence[Said] = (),
        *,
        call: str | None = None,
        key: str | None = None,
        note: str | None = None,
    ) -> None:
        """A model call with the list that it was given and what it said."""
        conversation = self._conversation(items, key)
        conversation.requests += 1
        self._builder.actor = conversation.actor
        self._change(conversation, items, call)
        if note is not None:
            self._builder.mark("note", note)
        self._builder.render([Item(span=held.span) for held in conversation.held], call=call)
        self._append(conversation, reply)
        self._remember(conversation)
        self._builder.actor = AGENT

    def say(self, items: Sequence[Said]) -> None:
        """Messages that are only written down one after another; what calls saw is not known."""
        conversation = self._conversation(items, "")
        if any(item.role == "assistant" for item in items):
            self._builder.mark("llm", f"message {len(conversation.held)}")
        self._append(conversation, items)

    def _conversation(self, items: Sequence[Said], key: str | None) -> Conversation:
        """The conversation that goes on here: by its key, else the one that shares most."""
        if key is not None and key in self._by_key:
            return self._by_key[key]
        found = None
        if key is None:
            scores = [
                (shared([held.said for held in self._all[number].held], items), number)
                for number in self._candidates(items)
            ]
            best, number = max(scores, default=(0, 0))
            found = self._all[number] if best else None
        if found is None:
            found = self._start()
        if key is not None:
            self._by_key[key] = found
        return found

    def _start(self) -> Conversation:
        number = len(self._all) + 1
        first = number == 1
        actor = AGENT if first else f"{AGENT}:{number}"
        store = CONTEXT if first else f"{CONTEXT}:{number}"
        self._all.append(Conversation(number - 1, actor, store, "" if first else f"{number}:"))
        return self._all[-1]

    def _remember(self, conversation: Conversation) -> None:
        """Note what another request would share with it: its beginning, and its calls."""
        said = [held.said for held in conversation.held]
        self._beginning.setdefault(_beginning(said), {})[conversation.number] = None
        for item in said[conversation.seen :]:
            if item.pair is not None:
                self._holding.setdefault((item.kind, item.pair), {})[conversation.number] = None
        conversation.seen = len(said)

    def _candidates(self, items: Sequence[Said]) -> dict[int, None]:
        """The conversations that may share something with a list: others do not."""
        found = dict(self._beginning.get(_beginning(items), {}))
        for item in items:
            if item.pair is not None:
                found |= self._holding.get((item.kind, item.pair), {})
        return found

    def _change(self, conversation: Conversation, items: Sequence[Said], call: str | None) -> None:
        held = conversation.held
        pairs = align([each.said for each in held], items)
        old_of = {new: old for old, new in pairs}
        kept = {old for old, _ in pairs}
        now: list[Held] = []
        edits: list[AnyEdit] = [
            PruneEdit(span=each.span) for index, each in enumerate(held) if index not in kept
        ]
        turn = None
        for index, said in enumerate(items):
            if index in old_of:
                before = held[old_of[index]]
                if before.said.text != said.text:
                    self._builder.rewrite(before.span, said.text, "request")
                now.append(Held(before.span, said))
                continue
            wanted = self._wanted(conversation, said)
            after = now[-1].span if now else before_store(self._builder, conversation.store)
            edits.append(ingest_edit(wanted, store=conversation.store, after=after))
            now.append(Held(wanted.span, said))
            if said.kind == TEXT and said.role == "user":
                turn = said.text
        if turn is not None:
            self._builder.mark("turn", first_line(turn))
        if edits:
            self._builder.change(edits, f"request:{call or conversation.requests}")
        conversation.held = now
        conversation.seen = 0

    def _append(self, conversation: Conversation, items: Sequence[Said]) -> None:
        for said in items:
            wanted = self._wanted(conversation, said)
            after = conversation.held[-1].span if conversation.held else None
            if after is None:
                self._builder.ingest(wanted, store=conversation.store)
            else:
                self._builder.ingest(wanted, store=conversation.store, after=after)
            conversation.held.append(Held(wanted.span, said))

    def _wanted(self, conversation: Conversation, said: Said) -> Wanted:
        """A new span: named after its call where it has one, else counted by role."""
        if said.kind in (CALL, RESULT) and said.pair is not None:
            name = f"{conversation.prefix}{said.kind}/{said.pair}"
        elif said.kind == TOOLS:
            name = f"{conversation.prefix}{TOOLS}"
        else:
            what = said.role if said.kind == TEXT else said.kind
            name = f"{conversation.prefix}{what}"
        number = conversation.counts[name] = conversation.counts[name] + 1
        counted = said.pair is None and said.kind != TOOLS
        span = f"{name}/{number}" if counted or number > 1 else name
        answers = None
        if said.kind == CALL and said.pair is not None:
            conversation.calls[said.pair] = span
        elif said.kind == RESULT:
            answers = conversation.calls.get(said.pair or "")
        return Wanted(span, said.text, said.role, answers, None)


def _beginning(items: Sequence[Said]) -> Beginning:
    """The items up to the first that is no system prompt: lists that share less share nothing."""
    found: list[Said] = []
    for item in items:
        found.append(item)
        if item.role != "system":
            break
    return tuple(found)
