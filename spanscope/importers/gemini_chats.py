"""The context of one Gemini CLI chat: records that come and come again, and what rewinds leave."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from spanscope.importers.blocks import first_line
from spanscope.importers.builder import AGENT, CONTEXT, JournalBuilder, Wanted
from spanscope.importers.gemini_records import Records, text_of
from spanscope.importers.restoring import roll_back
from spanscope.importers.summary import Summary
from spanscope.importers.syncing import Mirror
from spanscope.importers.values import Row, compact, mapping, string
from spanscope.journal import events
from spanscope.journal.parts import PruneEdit

SPOKEN: Final = ("user", "gemini")
_NOTES: Final = ("info", "error", "warning")


class Chat:
    """The main agent's chat, or another one with a store of its own.

    `resuming` says that a header came again: the lists that follow it come in steps.
    """

    def __init__(self, builder: JournalBuilder, summary: Summary, actor: str) -> None:
        self.actor = actor
        self.store = CONTEXT if actor == AGENT else actor
        self.resuming = False
        self._builder = builder
        self._summary = summary
        self._records: dict[str, list[Wanted]] = {}
        self._mirror = Mirror(builder, self.store)
        self._sets = 0
        self._says = Records()
        self._names: dict[str, str] = {}
        self._waiting: list[Row] | None = None

    def record(self, row: Row) -> None:
        """A record comes, or comes again under its id."""
        id, kind = string(row, "id"), string(row, "type")
        if kind not in SPOKEN or id is None:
            if kind not in _NOTES:
                self._summary.unknown_row(f"record {kind or 'without a type'}")
            return
        before = self._records.get(id, [])
        fresh = id not in self._records
        if fresh:
            self._mark(id, row, kind)
        self._records[id] = self._spans(row, id, kind)
        if fresh:
            for wanted in self._records[id]:
                self._bring(wanted)
        elif not (self._said_late(id, before) or self._changed_alone(before, self._records[id])):
            self._hold("again", f"record:{id}")

    def _spans(self, row: Row, id: str, kind: str) -> list[Wanted]:
        """What a record says; every chat begins with a record of one and the same id."""
        spans = self._says.spans(row, id, kind)
        if self.store == CONTEXT:
            return spans
        return [w._replace(span=self._own(w.span), answers=self._answers(w)) for w in spans]

    def _answers(self, wanted: Wanted) -> str | None:
        return None if wanted.answers is None else self._own(wanted.answers)

    def _own(self, name: str) -> str:
        """The name of a span here: one that another chat has is another span."""
        if name not in self._names:
            held = self._builder.spans.get(name)
            strange = held is not None and held.store != self.store
            self._names[name] = f"{self.actor}/{name}" if strange else name
        return self._names[name]

    def _said_late(self, id: str, before: list[Wanted]) -> bool:
        """Let the last record, which said nothing yet, say something; whether it was done."""
        late = not before and not self._says.shared and id == next(reversed(self._records))
        for wanted in self._records[id] if late else []:
            self._bring(wanted)
        return late

    def _changed_alone(self, before: list[Wanted], now: list[Wanted]) -> bool:
        """Let a record say something else, where that touches no other; whether it was done."""
        names = [wanted.span for wanted in now]
        live = [self._builder.live(wanted.span) for wanted in now]
        known = sum(span is not None for span in live)
        stay = names[: len(before)] == [wanted.span for wanted in before] and all(live[:known])
        fresh = not any(name in self._builder.spans for name in names[known:])
        if self._says.shared or not before or known != len(before) or not (stay and fresh):
            return False
        for wanted, span in zip(now, live, strict=True):
            if span is not None and span.text != wanted.content:
                self._builder.rewrite(wanted.span, wanted.content, "again")
        for previous, wanted in pairwise(now[known - 1 :]):
            self._builder.ingest(wanted, store=self.store, after=previous.span)
        return True

    def _bring(self, wanted: Wanted) -> None:
        if self._builder.live(wanted.span) is None:
            self._builder.ingest(wanted, store=self.store)

    def _mark(self, id: str, row: Row, kind: str) -> None:
        if kind == "gemini":
            self._builder.mark("llm", id)
        elif not self.actor.startswith("subagent:"):
            text = text_of(row.get("content"))
            if text or not isinstance(row.get("content"), list):
                self._builder.mark("turn", first_line(text))

    def _hold(self, op: str, name: str) -> None:
        target = [wanted for spans in self._records.values() for wanted in spans]
        self._mirror.hold(target, op, name)

    def is_set(self, row: Row, messages: list[Row]) -> None:
        """The whole context is given. A resume gives it in steps, of which the last one counts."""
        self._builder.at(mapping(row, "$set").get("lastUpdated"))
        if self.resuming:
            self._waiting = messages
        else:
            self._set(messages)

    def resumed(self) -> None:
        """A resume is done: what it gave last is the context."""
        if self.resuming:
            self._builder.mark("note", "the chat is resumed")
        messages, self._waiting, self.resuming = self._waiting, None, False
        if messages is not None:
            self._set(messages)

    def _set(self, messages: list[Row]) -> None:
        """The whole context is another list."""
        self._sets += 1
        known = {id: spans for id, spans in self._records.items() if spans}
        target: list[Wanted] = []
        self._records = {}
        self._says.forget()
        for row in messages:
            id, kind = string(row, "id"), string(row, "type")
            if id is None or kind not in SPOKEN:
                continue
            spans = self._spans(row, id, kind)
            if id in self._records and spans == self._records[id]:
                self._summary.untold["messages stand twice under one id"] += 1
                continue
            self._records[id] = spans
            target += spans
        names = {wanted.span for wanted in target}
        gone = [w.span for spans in known.values() for w in spans if w.span not in names]
        reads = [name for name in map(self._mirror.name, gone) if self._builder.live(name)]
        self._mirror.hold(target, "set", f"set:{self._sets}", reads)

    def rewind(self, to: Any) -> None:
        """The context is cut from a record on; an id that is not there clears it."""
        ids = list(self._records)
        if isinstance(to, str) and to in self._records:
            cut = ids.index(to)
            self._records = {id: self._records[id] for id in ids[:cut]}
            target = [self._mirror.renamed(w) for spans in self._records.values() for w in spans]
            roll_back(self._builder, self.store, target, {"to": to})
            return
        self._records = {}
        self._builder.mark(
            "note", f"rewound to {compact(to)[:60]}, which is not there: all is cleared"
        )
        self._clear(to)

    def _clear(self, to: Any) -> None:
        """Everything goes, though only what came since the record should."""
        live = self._builder.order(self.store)
        if not live:
            return
        edits = [PruneEdit(span=name) for name in live]
        entered = self._builder.entered(to) if isinstance(to, str) else None
        if entered is not None and self._builder.state.entry(entered) is not None:
            steps = len(self._builder.entries_above(entered - 1, self.store))
            self._builder.add(
                events.Rollback, steps=steps, stores=[self.store], edits=edits, meta={"to": to}
            )
        else:
            self._builder.add(events.Rollback, of=[], edits=edits, meta={"to": to})
