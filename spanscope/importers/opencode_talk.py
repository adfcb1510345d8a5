"""One session of opencode: the messages of its context, what compactions and reverts do to them.

A compaction takes away what came before its question, or before its tail, the last messages that
it keeps: those come behind the summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET, UnsetType

from spanscope.importers.blocks import first_line
from spanscope.importers.builder import AGENT, JournalBuilder, Wanted
from spanscope.importers.restoring import roll_back
from spanscope.importers.values import Row, string
from spanscope.journal.parts import AnyEdit, MoveEdit, PruneEdit


class Conversation:
    """A session's context: the spans of each message, by message and part."""

    _builder: JournalBuilder

    def __init__(self, actor: str, store: str) -> None:
        self.actor = actor
        self.store = store
        self.seq = -1
        """The seq of the last event that was read."""
        self.roles: dict[str, str] = {}
        self.parts: dict[str, dict[str, list[Wanted]]] = {}
        self.cleared: dict[str, None] = {}
        """Results that calls are shown as cleared, and `shown` those that the last one was."""
        self.shown: tuple[str, ...] = ()
        self.revert: str | None = None
        self.summaries: set[str] = set()
        self.tree: str | None = None
        self.said: dict[str, tuple[str | None, Any, str]] = {}
        """The tool, the input and the text of each call."""
        self._steps: set[str] = set()
        self._tails: dict[str, str] = {}
        self._summarised: set[str] = set()
        self._waiting: str | None = None
        self._compacted: dict[str, list[str]] = {}
        self._done: dict[str, int] = {}
        self._asked: dict[str, str] = {}

    def write_through(self, builder: JournalBuilder) -> None:
        """Where all that happens is written."""
        self._builder = builder

    # Parts

    def put(self, message: str, part: str, new: list[Wanted]) -> None:
        """A part comes, or changes under its id."""
        parts = self.parts.setdefault(message, {})
        old, parts[part] = parts.get(part, []), new
        builder = self._builder
        # The spans of a part are named after it: the call, then its result.
        for wanted in old[len(new) :]:
            if builder.live(wanted.span) is not None:
                builder.change([PruneEdit(span=wanted.span)], "part")
        for wanted in new:
            span = builder.live(wanted.span)
            if span is None and self._fresh(wanted.span):
                self._turn(wanted)
                place = self._place(message, wanted)
                builder.ingest(wanted, store=self.store, after=place)
            elif span is not None and span.text != wanted.content:
                builder.rewrite(wanted.span, wanted.content, "part")

    def _fresh(self, name: str) -> bool:
        """Whether a span may come in: it never was, or its coming was undone."""
        return name not in self._builder.spans or name in self._builder.state.undone_ids

    def _turn(self, wanted: Wanted) -> None:
        if wanted.role == "user" and wanted.origin is None and self.actor == AGENT:
            self._builder.mark("turn", first_line(wanted.content))

    def _place(self, message: str, wanted: Wanted) -> str | None | UnsetType:
        """Behind what comes before it in its step, else before what comes after it."""
        builder = self._builder
        order = [w.span for w in self._steps_of(message)]
        here = order.index(wanted.span)
        for name in reversed(order[:here]):
            if builder.live(name) is not None:
                return name
        for name in order[here + 1 :]:
            if builder.live(name) is not None:
                return builder.before(name)
        return UNSET

    def _steps_of(self, message: str) -> list[Wanted]:
        """A message as a call is given it: of each step the texts and calls, then the results."""
        order: list[Wanted] = []
        results: list[Wanted] = []
        for id, part in self.parts[message].items():
            if id in self._steps:
                order += results
                results = []
            for wanted in part:
                (results if wanted.origin == "tool-result" else order).append(wanted)
        return order + results

    def step(self, message: str, part: str) -> None:
        """Another step of a message begins: a call of the model."""
        self.parts.setdefault(message, {}).setdefault(part, [])
        self._steps.add(part)

    # What goes

    def remove_part(self, message: str, id: str) -> None:
        """A part goes by itself."""
        for wanted in self.parts.get(message, {}).pop(id, []):
            if self._builder.live(wanted.span) is not None:
                self._builder.change([PruneEdit(span=wanted.span)], "part")

    def remove(self, id: str) -> None:
        """A message goes by itself."""
        names = [w.span for part in self.parts.pop(id).values() for w in part]
        edits: list[AnyEdit] = [PruneEdit(span=n) for n in names if self._builder.live(n)]
        if edits:
            self._builder.change(edits, f"removal:{id}", names)

    def back_to(self, id: str) -> None:
        """The messages from here on are taken back, all at once."""
        ids = list(self.parts)
        shown = set(self._builder.order(self.store))
        for later in ids[ids.index(id) :]:
            del self.parts[later]
            # Without its summary, what a compaction took away is shown again.
            shown.update(self._compacted.pop(later, ()))
        kept = (wanted for id in self._in_order() for wanted in self._steps_of(id))
        target = [wanted for wanted in kept if wanted.span in shown]
        stands = max((self._done[summary] for summary in self._compacted), default=0)
        roll_back(self._builder, self.store, target, {"to": id}, stands=stands)

    def _in_order(self) -> list[str]:
        """The messages as a call is given them: a tail stands behind its summary."""
        order = list(self.parts)
        for question, summary in self._asked.items():
            tail = self._tails.get(question)
            if tail in self.parts and question in self.parts and summary in self._compacted:
                moved = [question, *([summary] if summary in self.parts else [])]
                order = [id for id in order if id not in moved]
                at = order.index(tail)
                order[at:at] = moved
        return order

    # Compactions

    def asks(self, message: str, part: Row) -> None:
        """A compaction is asked for; later the part says which message begins its tail."""
        tail = string(part, "tail_start_id")
        if tail is not None:
            self._tails[message] = tail

    def summarised(self, id: str) -> None:
        """A summary is done; what it does waits until it is told which messages are kept."""
        if id not in self._summarised:
            self._summarised.add(id)
            self.settle()
            self._waiting = id

    @property
    def waits(self) -> bool:
        """Whether a compaction waits."""
        return self._waiting is not None

    def settle(self, message: str | None = None) -> None:
        """Let a compaction that waits take effect, but for what is told of its own messages."""
        waiting = self._waiting
        if waiting is not None and message not in (waiting, self._question(waiting)):
            self._waiting = None
            self._compact(waiting)

    def _question(self, id: str) -> str | None:
        """The message that asked for a summary, where one did."""
        return next((earlier for earlier in self._before(id) if self._is_question(earlier)), None)

    def _compact(self, id: str) -> None:
        asked = self._question(id)
        self._asked[asked or id] = id
        tail = self._tails.get(asked or "")
        gone = list(self._shown_before(asked or id, tail if tail in self.parts else None))[::-1]
        if gone:
            summary = self._live_spans(id)
            holder = summary[0] if summary else id
            self._builder.derive(f"summary:{id}", gone, "summary", holder=holder)
            edits: list[AnyEdit] = [PruneEdit(span=name) for name in gone]
            self._builder.change(edits, f"compaction:{id}", gone)
        self._compacted[id] = gone
        if tail in self.parts and asked is not None:
            self._before_tail(tail, [*self._live_spans(asked), *self._live_spans(id)])
        self._done[id] = self._builder.seq

    def _shown_before(self, asked: str, tail: str | None) -> Iterator[str]:
        """The live spans before the question, or before the tail, the last first."""
        kept = tail is not None
        until: str | None = None
        for earlier in self._before(asked):
            if not kept:
                yield from reversed(self._live_spans(earlier))
            kept = kept and earlier != tail
            if earlier == until:
                break
            if self._asked.get(earlier) in self._compacted:
                # Before it, an older compaction left only its own tail.
                until = self._tails.get(earlier)
                if until not in self.parts:
                    break

    def _before_tail(self, tail: str, names: list[str]) -> None:
        """The question and the summary come before the messages that are kept."""
        first = next((n for id in self._from(tail) for n in self._live_spans(id)), None)
        if first is None or first in names:
            return
        previous = self._builder.before(first)
        moves: list[AnyEdit] = []
        for name in names:
            moves.append(MoveEdit(span=name, after=previous))
            previous = name
        self._builder.change(moves, "compaction")

    def _from(self, id: str) -> Iterator[str]:
        ids = iter(self.parts)
        yield next(found for found in ids if found == id)
        yield from ids

    def _before(self, id: str) -> Iterator[str]:
        """The messages before one, the last first."""
        ids = reversed(self.parts)
        for later in ids:
            if later == id:
                break
        yield from ids

    def _live_spans(self, message: str) -> list[str]:
        names = [wanted.span for wanted in self._steps_of(message)]
        return [name for name in names if self._builder.live(name) is not None]

    def _is_question(self, message: str) -> bool:
        parts: Iterable[list[Wanted]] = self.parts[message].values()
        return any(wanted.origin == "compaction" for part in parts for wanted in part)
