"""How a view keeps something derived from spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from spanscope.buffer.artifacts import Artifact, Rebuild
from spanscope.buffer.changes import only_place
from spanscope.buffer.core import BufferCore
from spanscope.buffer.keying import cut_or_all, derivation
from spanscope.buffer.views import ActorView
from spanscope.journal.parts import Quote, Range
from spanscope.model.spans import Span

Cost = Literal["cheap", "expensive"]
Unit = Literal["chars", "bytes", "tokens"]


class Holding(ActorView):
    """What a view offers to those who keep something derived from spans."""

    def derive(
        self,
        span: str,
        kind: str,
        *,
        range: Range | None = None,
        unit: Unit = "chars",
        quote: str | None = None,
        holder: str | None = None,
        cost: Cost | None = None,
        sources: Sequence[str] = (),
        value: Any = None,
        rebuild: Rebuild | None = None,
        artifact: str | None = None,
    ) -> Artifact:
        """Keeps something derived from a span, and from further `sources`, keyed on what they are.

        `range` is where it points, in `unit`; or `quote` says the text, which must stand once.
        `cost` says whether it is expensive to make again (default: embeddings and index entries
        are). `rebuild` makes the value from the text, and makes it now unless `value` is given.

        Raises SpanscopeError for a range outside the span and for what is gone,
        AmbiguousAnchorError for a quote that stands in several places.
        """
        core = self._core
        while True:
            with core.lock:
                found, place = self._place(span, quote, range)
            made = value
            if value is None and rebuild is not None:
                made = rebuild(cut_or_all(found.node.text, place, unit, core.state.tokenizer))
            with core.lock:
                now = self.span(span)
                if now.node is not found.node:
                    continue
                fields = {
                    "artifact": artifact or _new_id(core, kind),
                    "kind": kind,
                    "range": place,
                    "unit": unit if quote is None else "chars",
                    "quote": None if quote is None else Quote(exact=quote),
                    "holder": holder,
                    "cost": cost,
                    "sources": sources,
                }
                event = derivation(core, self._actor, now, 0, fields)
                core.commit(event)
                held = core.state.artifacts[str(fields["artifact"])]
                return Artifact(core, self._actor, held, made, rebuild)

    def _place(
        self, span: str, quote: str | None, range: Range | None
    ) -> tuple[Span, Range | None]:
        """The span, and the range in it that is meant."""
        self._core.check_open()
        found = self.span(span)
        if quote is None:
            return found, range
        at = only_place(self._core, span, found.node.text, quote)
        return found, (at, at + len(quote))


def _new_id(core: BufferCore, kind: str) -> str:
    number = core.state.seq + 1
    while f"{kind}-{number}" in core.state.artifacts:
        number += 1
    return f"{kind}-{number}"
