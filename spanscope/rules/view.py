"""The buffer as the judgements look at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spanscope.model.diffs import Diff
from spanscope.model.effects import Effect
from spanscope.model.spans import Doubt, Span
from spanscope.model.state import BufferState


class StateView:
    """A view of the live state; with `before`, as it was before that event."""

    def __init__(self, state: BufferState, before: Effect | None = None) -> None:
        self._state = state
        self._before = before
        self._earlier: dict[str, Span | None] = {}
        if before is not None:
            self._earlier = {change.after.span: change.before for change in before.spans}

    @property
    def order(self) -> list[str]:
        """The live spans' ids in order."""
        if self._before is not None:
            return self._state.order_at(self._before.seq - 1)
        return self._state.order

    @property
    def order_steps(self) -> int:
        """How many steps have led to the order."""
        log = self._state.order_log
        return log.count if self._before is None else log.count_at(self._before.seq - 1)

    def touched_since(self, seq: int) -> Iterable[str]:
        """Spans that may have been touched after the event `seq`, and all that were."""
        return self._state.touched_since(seq)

    @property
    def doubt(self) -> Doubt | None:
        """Since when the order is unknown."""
        return self._state.doubt

    @property
    def staged(self) -> dict[str, Diff]:
        """What is staged."""
        return self._state.staged

    def span(self, name: str) -> Span | None:
        """The span as it is now, or was before the event."""
        if name in self._earlier:
            return self._earlier[name]
        return self._state.spans.get(name)

    def history_of(self, name: str) -> list[Span]:
        """All states of a span so far."""
        return self._state.chronicle.get(name, [])

    def orders_back(self) -> Iterator[tuple[int, list[str]]]:
        """(seq, the order right before it) of the events that changed the order, newest first."""
        last = self._state.seq if self._before is None else self._before.seq - 1
        return self._state.orders_back(last)
