"""What an artifact is keyed on: what its spans are now, and the text that it means there."""

from __future__ import annotations

from typing import Any

from spanscope.buffer.core import BufferCore
from spanscope.buffer.errors import refusal
from spanscope.buffer.views import ActorView
from spanscope.journal.events import AnyEvent, Derive
from spanscope.journal.parts import Range, Source
from spanscope.model.ranges import scale
from spanscope.model.spans import Artifact as Held
from spanscope.model.spans import Span
from spanscope.model.tokens import UntoldTokensError
from spanscope.rules.ranged import why_no_range
from spanscope.rules.report import Report


def derivation(
    core: BufferCore, actor: str, span: Span, ahead: int, fields: dict[str, Any]
) -> AnyEvent:
    """The event that keys an artifact on what its spans are now.

    Raises SpanscopeError for a range outside the span or a source that is gone.
    """
    names = fields["sources"]
    sources = [Source(span=name, hash=_source_hash(core, name)) for name in names]
    more = {**fields, "sources": sources, "version": span.version, "hash": span.hash}
    event = core.make(Derive, actor, ahead, span=span.span, **more)
    assert isinstance(event, Derive)
    probe = Held(
        artifact=event.artifact,
        span=event.span,
        kind=event.kind,
        seq=event.seq,
        base=(),
        range=event.range,
        unit=event.unit,
        tokenizer=core.state.tokenizer,
    )
    no_range = why_no_range(probe, span.node.text)
    if event.range is not None and no_range is not None:
        (start, end), (why, length) = event.range, no_range
        report = Report(event.seq)
        message = f"{event.artifact} would be derived with range {start}..{end}, {why}."
        evidence = {"range": {"key": [start, end], "length": length}}
        subject = {"artifact": event.artifact, "span": event.span}
        report.add("SPN115", subject, message, evidence)
        raise refusal(report.sorted(), "give a range inside it")
    return event


def _source_hash(core: BufferCore, name: str) -> str | None:
    return ActorView(core, "agent").span(name).hash


def cut(text: str, range: Range | None, unit: str, tokenizer: str | None) -> str:
    """The text in a range; all of it without one. Raises UntoldTokensError."""
    return text if range is None else scale(unit, text, tokenizer).slice(range)


def cut_or_all(text: str, range: Range | None, unit: str, tokenizer: str | None) -> str:
    """The same; all of the text where its tokens can't be told."""
    try:
        return cut(text, range, unit, tokenizer)
    except UntoldTokensError:
        return text
