"""The buffer as the judgements look at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from spanscope.model.diffs import Diff
from spanscope.model.effects import Effect
from spanscope.model.spans import Doubt, Span
from spanscope.model.state import BufferState
from spanscope.rules.positions import View


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
    def lost_at(self) -> int:
        """Where events were lost last; 0 for nowhere."""
        return self._state.lost_at

    @property
    def first_lost_at(self) -> int:
        """Where events were lost first; 0 for nowhere."""
        return self._state.first_lost_at

    @property
    def staged(self) -> dict[str, Diff]:
        """What is staged."""
        return self._state.staged

    def span(self, name: str) -> Span | None:
        """The span as it is now, or was before the event."""
        if name in self._earlier:
            return self._earlier[name]
        return self._state.spans.get(name)

    def history_of(self, name: str) -> Sequence[Span]:
        """All states of a span so far."""
        return self._state.chronicle.get(name, [])

    def orders_back(self) -> Iterator[tuple[int, list[str]]]:
        """(seq, the order right before it) of the events that changed the order, newest first."""
        last = self._state.seq if self._before is None else self._before.seq - 1
        return self._state.orders_back(last)


class AfterLoss:
    """A view after events were lost: what they may have brought back is not surely gone."""

    def __init__(self, view: View) -> None:
        self._view = view

    @property
    def order(self) -> list[str]:
        """The live spans' ids in order."""
        return self._view.order

    @property
    def order_steps(self) -> int:
        """How many steps have led to the order."""
        return self._view.order_steps

    def touched_since(self, seq: int) -> Iterable[str]:
        """Spans that may have been touched after the event `seq`, and all that were."""
        return self._view.touched_since(seq)

    @property
    def doubt(self) -> Doubt | None:
        """Since when the order is unknown."""
        return self._view.doubt

    @property
    def lost_at(self) -> int:
        """Where events were lost last."""
        return self._view.lost_at

    @property
    def first_lost_at(self) -> int:
        """Where events were lost first; 0 for nowhere."""
        return self._view.first_lost_at

    @property
    def staged(self) -> dict[str, Diff]:
        """What is staged."""
        return self._view.staged

    def span(self, name: str) -> Span | None:
        """The span; one that may be back is known to be neither there nor gone."""
        span = self._view.span(name)
        if span is None or span.live or span.since >= self.lost_at:
            return span
        doubt = span.doubt or self.doubt
        return replace(span, doubt=doubt and doubt._replace(only_content=False))

    def history_of(self, name: str) -> Sequence[Span]:
        """All states of a span so far."""
        return self._view.history_of(name)

    def orders_back(self) -> Iterator[tuple[int, list[str]]]:
        """(seq, the order right before it) of the events that changed the order, newest first."""
        return self._view.orders_back()
