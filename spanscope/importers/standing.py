"""What stands in the buffer, kept beside the replay for the events that imports mostly write.

An import asks after every row what is live; undo stacks and old contents it needs only where
somebody went back. So events that only bring, change or take spans are followed here, in a tenth
of the time, and replayed once somebody asks for more. The tests hold one to the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct, UnsetType

from spanscope.importers.ordering import Order
from spanscope.journal import events
from spanscope.journal.events import Event
from spanscope.journal.parts import PruneEdit
from spanscope.model.effects import Effect
from spanscope.model.spans import Span
from spanscope.model.state import BufferState


class Held(Struct, gc=False):
    """A span as it stands. `text`: null where it is unknown, or gone.

    Of gone ones only `was` tells what they held last, for a text to be compared with.
    """

    span: str
    text: str | None
    role: str | None
    store: str
    produced_by: str
    answers: str | None
    live: bool = True
    was: tuple[int, int] | None = None

    def held(self, text: str) -> bool:
        """Whether a gone span held this text last."""
        return self.was == _mark_of(text)

    def go(self) -> None:
        """Leave the buffer."""
        self.was = None if self.text is None else _mark_of(self.text)
        self.text = None
        self.live = False


def _mark_of(text: str) -> tuple[int, int]:
    """Tells texts apart within this process, without keeping them."""
    return len(text), hash(text)


class Standing:
    """All spans and their order, that of every store by itself too."""

    def __init__(self) -> None:
        self.spans: dict[str, Held] = {}
        self.order = Order()
        self.stores: dict[str, Order] = {}
        self.revision: int | None = 0
        self.replayed = False
        """Whether anything happened that only a replay could follow."""
        self._changed: dict[str, int] = {}
        self._undone: list[str] | None = None
        self._staged: dict[str, list[str] | None] = {}

    def take(self, event: Event) -> bool:
        """Follow an event; false where only a replay tells what it does."""
        follow = _FOLLOWED.get(type(event))
        return follow is not None and follow(self, event)

    def changed_since(self, store: str, seq: int) -> bool:
        """Whether a store was changed after an event otherwise than by bringing spans in."""
        return self.replayed or self._changed.get(store, 0) > seq

    def expect_undone(self, names: list[str]) -> None:
        """The next rollback takes out these spans, and does nothing else."""
        self._undone = names

    def take_over(self, state: BufferState, effect: Effect) -> None:
        """Hold what a replayed event left."""
        self.replayed = True
        names = [change.after.span for change in effect.spans]
        for name in (*names, *(effect.lost or ())):
            self.spans[name] = _held(state.spans[name])
        self.order = Order(state.order)
        self.stores = {}
        for name in state.order:
            self.stores.setdefault(self.spans[name].store, Order()).append(name)
        self.revision = state.revision

    def _grown(self) -> None:
        if self.revision is not None:
            self.revision += 1

    def _live(self, name: str) -> Held | None:
        span = self.spans.get(name)
        return span if span is not None and span.live else None

    def _ingest(self, event: events.Ingest) -> bool:
        if event.span in self.spans or event.hash is not None:
            return False
        after = event.after
        if isinstance(after, UnsetType):
            self.order.append(event.span)
            self._of(event.store).append(event.span)
        elif isinstance(after, str) and self._live(after) is None:
            return False
        else:
            self._put(event.span, event.store, after)
        self.spans[event.span] = Held(
            event.span,
            None if event.redacted else event.content,
            event.role,
            event.store,
            event.origin or "ingest",
            event.answers,
        )
        if event.supersedes or event.redacted:
            self._changed[event.store] = event.seq
        self._grown()
        return True

    def _of(self, store: str) -> Order:
        """The spans of a store."""
        found = self.stores.get(store)
        if found is None:
            found = self.stores[store] = Order()
        return found

    def _put(self, name: str, store: str, after: str | None) -> None:
        """Put a span behind another one, and into its store behind the nearest one there."""
        mine = self._of(store)
        self.order.insert(name, after)
        if self.order.before(None) == name:
            mine.append(name)
            return
        while after is not None and self.spans[after].store != store:
            after = self.order.before(after)
        mine.insert(name, after)

    def _rewrite(self, event: events.Rewrite) -> bool:
        span = self._live(event.span)
        if span is None or event.into is not None or event.hash is not None:
            return False
        text = None if event.redacted else event.content
        if text is None or text != span.text:
            self._grown()
        span.text = text
        span.produced_by = f"rewrite:{event.op}"
        self._changed[span.store] = event.seq
        return True

    def _splice(self, event: events.Splice) -> bool:
        span = self._live(event.span)
        if span is None or span.text is None or event.redacted or event.at < 0 or event.delete < 0:
            return False
        end = event.at + event.delete
        if end > len(span.text):
            return False
        text = span.text[: event.at] + event.insert + span.text[end:]
        if text != span.text:
            self._grown()
        span.text = text
        self._changed[span.store] = event.seq
        return True

    def _prune(self, event: events.Prune) -> bool:
        return self._pruned([event.span], event.seq)

    def _pruned(self, names: list[str], seq: int) -> bool:
        if not self._leave(names):
            return False
        self._changed |= dict.fromkeys((self.spans[name].store for name in names), seq)
        return True

    def _rollback(self, _event: events.Rollback) -> bool:
        names, self._undone = self._undone, None
        return names is not None and self._leave(names)

    def _leave(self, names: list[str]) -> bool:
        gone = set(names)
        if len(gone) < len(names) or not all(map(self._live, names)):
            return False
        for name in names:
            span = self.spans[name]
            span.go()
            self.order.remove(name)
            self.stores[span.store].remove(name)
        self._grown()
        return True

    def _stage(self, event: events.Stage) -> bool:
        prunes = [edit.span for edit in event.edits if isinstance(edit, PruneEdit)]
        self._staged[event.diff] = prunes if len(prunes) == len(event.edits) else None
        return True

    def _apply(self, event: events.Apply) -> bool:
        names = self._staged.pop(event.diff, None)
        if names is None or event.edits is not None or event.outcome != "done":
            return False
        return self._pruned(names, event.seq)

    def _reject(self, event: events.Reject) -> bool:
        self._staged.pop(event.diff, None)
        return True

    def _nothing(self, _event: Event) -> bool:
        return True


def _held(span: Span) -> Held:
    text = span.node.text if span.node.text_known else None
    held = Held(
        span.span,
        span.text if span.live else text,
        span.role,
        span.store or "context",
        span.produced_by,
        span.answers,
    )
    if not span.live:
        held.go()
    return held


_FOLLOWED: Final[dict[type, Callable[[Standing, Any], bool]]] = {
    events.Ingest: Standing._ingest,
    events.Rewrite: Standing._rewrite,
    events.Splice: Standing._splice,
    events.Prune: Standing._prune,
    events.Rollback: Standing._rollback,
    events.Stage: Standing._stage,
    events.Apply: Standing._apply,
    events.Reject: Standing._reject,
    events.Mark: Standing._nothing,
    events.Checkpoint: Standing._nothing,
    events.Render: Standing._nothing,
    events.Derive: Standing._nothing,
    events.Release: Standing._nothing,
    events.Close: Standing._nothing,
}
