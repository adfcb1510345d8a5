"""Direct changes: what they were based on, and how their place was sought (DIF316, DIF307)."""

from __future__ import annotations

from collections.abc import Iterator

from spanscope.journal.events import Prune, Rewrite, Splice
from spanscope.plain.claiming import may_be_at
from spanscope.plain.finding import Finding, finding
from spanscope.plain.locating import anchor_places
from spanscope.plain.reading import Told
from spanscope.plain.world import Moment


def findings(told: Told) -> Iterator[Finding]:
    """What is found at each direct change that took effect."""
    for at, moment in enumerate(told.moments):
        event = moment.event
        if not moment.steps:
            continue
        if isinstance(event, Rewrite | Splice | Prune) and event.base is not None:
            yield from _lost_update(told.moments[:at], moment, event)
        if isinstance(event, Splice) and event.anchor is not None:
            yield from _sought(moment, event)


def _lost_update(
    past: tuple[Moment, ...], moment: Moment, event: Rewrite | Splice | Prune
) -> Iterator[Finding]:
    """DIF316: the writer believed the span to be another than it was."""
    was, base = moment.before.buffer.spans.get(event.span), event.base
    if was is None or was.doubt is not None or was.gone or base is None:
        return
    another = was.hash is not None and base.hash not in {None, was.hash}
    if another or not may_be_at(past, moment.before, event.span, base.version):
        yield finding("DIF316", event.seq, "error", span=event.span)


def _sought(moment: Moment, event: Splice) -> Iterator[Finding]:
    """DIF307: the anchor fits in several places; an error where another text was edited."""
    span = moment.before.buffer.spans.get(event.span)
    if span is None or span.content is None or event.anchor is None:
        return
    if len(anchor_places(span.content, event.anchor, event.delete)) < 2:
        return
    edited = span.content[event.at : event.at + event.delete]
    wrong = event.original is not None and event.original != edited
    severity = "error" if wrong else "warning"
    yield finding("DIF307", event.seq, severity, span=event.span)
