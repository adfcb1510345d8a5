"""A buffer as one actor sees it: what it holds."""

from __future__ import annotations

from spanscope.buffer.core import BufferCore
from spanscope.buffer.errors import SpanscopeError, refusal
from spanscope.buffer.trial import head_of
from spanscope.model.spans import Span
from spanscope.rules.report import Report


class ActorView:
    """A view of a buffer whose events carry one actor. Reading never needs the journal."""

    def __init__(self, core: BufferCore, actor: str) -> None:
        self._core = core
        self._actor = actor

    def __repr__(self) -> str:
        name, state = type(self).__name__, self._core.state
        return f"<{name} of {self._actor}: {len(state.order)} spans, revision {state.revision}>"

    @property
    def actor(self) -> str:
        """Who the events of this view are by."""
        return self._actor

    @property
    def seq(self) -> int:
        """The seq of the last event, 0 before the first."""
        return self._core.state.seq

    @property
    def revision(self) -> int:
        """How many events really changed any content or the order."""
        revision = self._core.state.revision
        assert revision is not None
        return revision

    @property
    def order(self) -> tuple[str, ...]:
        """The ids of the live spans in buffer order."""
        with self._core.lock:
            return tuple(self._core.state.order)

    @property
    def digest(self) -> str:
        """The digest of the live spans in order: equal for equal buffers and for no others."""
        with self._core.lock:
            digest = self._core.state.digest()
        assert digest is not None
        return digest

    def __contains__(self, span: object) -> bool:
        found = self._core.state.spans.get(span) if isinstance(span, str) else None
        return found is not None and found.live

    def span(self, span: str) -> Span:
        """A span as it is now: live, or a tombstone, which stays readable.

        Raises SpanscopeError for one that never was or is gone.
        """
        found = self._core.state.spans.get(span)
        if found is None or found.gone:
            raise _missing(self._core, span, found)
        return found

    def text(self, span: str) -> str:
        """The content of a span, live or a tombstone.

        Raises SpanscopeError for one that never was or is gone.
        """
        return self.span(span).node.text

    def head(self, span: str) -> Span:
        """The live successor of a tombstone through its copies; of a live span, itself.

        Raises SpanscopeError where there is none.
        """
        with self._core.lock:
            name = head_of(self._core.state, span)
            if name is None:
                raise _missing(self._core, span, self._core.state.spans.get(span))
            return self._core.state.spans[name]


def _missing(core: BufferCore, name: str, found: Span | None) -> SpanscopeError:
    fate = "was never ingested" if found is None else f"was {found.life} at {found.seq}"
    report = Report(core.state.seq)
    report.add("JNL007", {"span": name}, f"span {name} {fate}.", {"span": name})
    return refusal(report.sorted(), "name a span of the buffer")
