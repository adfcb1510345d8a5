"""Artifacts coming and going: `derive` and `release`."""

from __future__ import annotations

from sys import intern

from spanscope.journal.events import Derive, Release
from spanscope.model.effects import Effect, Problem
from spanscope.model.spans import Artifact, DerivedFrom, Doubt, Span, is_expensive
from spanscope.model.state import BufferState
from spanscope.model.versions import may_be_at


def derive(state: BufferState, event: Derive, effect: Effect) -> None:
    """A holder keeps something; a live artifact derived again is keyed anew."""
    effect.previous = state.artifacts.get(event.artifact)
    base: list[DerivedFrom] = []
    doubt: Doubt | None = None
    wanted = [(event.span, event.version, event.hash)]
    if event.sources:
        wanted += [(source.span, None, source.hash) for source in event.sources]
    for name, version, hash in wanted:
        span = state.spans.get(name)
        if span is None or span.gone:
            if not state.damaged or (span is not None and not state.may_be_back(span)):
                _missing(event, name, span, effect)
                continue
            if hash is None:
                doubt = state.doubt or Doubt(state.seq, f"what became of {name} was lost")
            base.append(DerivedFrom(name, None, hash, 0, 0, "unknown"))
            continue
        source, unsure = _source(state, span, version, hash)
        base.append(source)
        doubt = doubt or unsure
    if effect.problems:
        return
    first = base[0]
    artifact = Artifact(
        artifact=event.artifact,
        span=first.span,
        kind=intern(event.kind),
        seq=event.seq,
        base=tuple(base),
        range=event.range,
        unit=event.unit,
        tokenizer=state.tokenizer if event.unit == "tokens" else None,
        exact=None if event.quote is None else event.quote.exact,
        version=event.version,
        hash=first.hash if event.hash == first.hash else event.hash,
        holder=None if event.holder is None else intern(event.holder),
        actor=intern(event.actor),
        expensive=is_expensive(event.kind, event.cost),
        doubt=doubt,
    )
    state.hold(artifact)
    effect.artifact = artifact


def _missing(event: Derive, name: str, span: Span | None, effect: Effect) -> None:
    fate = "was never ingested" if span is None else f"was {span.life} at {span.seq}"
    message = f"derive of {event.artifact} names span {name}, which {fate}."
    subject: dict[str, str | int] = {"artifact": event.artifact, "span": name}
    effect.problems.append(Problem("JNL007", subject, message, {"span": name}))


def _source(
    state: BufferState, span: Span, version: int | None, hash: str | None
) -> tuple[DerivedFrom, Doubt | None]:
    """What the artifact was derived from: the content that its key names."""
    node, held = span.node, span.hash
    now = DerivedFrom(span.span, node, held, node.length, span.version, span.produced_by)
    if held is None:
        if hash is not None:
            presumed = node if node.text_known and node.hash == hash else None
            return now._replace(node=presumed, hash=hash), None
        return now, span.doubt or Doubt(state.seq, f"the content of {span.span} is not recorded")
    if hash == held or (hash is None and may_be_at(state, span, version)):
        return now, None
    for old in reversed(state.chronicle[span.span]):
        if old.hash == hash if hash is not None else old.version == version:
            node = old.node
            return (
                DerivedFrom(span.span, node, old.hash, node.length, old.version, old.produced_by),
                old.doubt,
            )
    return now._replace(node=None, hash=hash), None


def release(state: BufferState, event: Release, effect: Effect) -> None:
    """The artifact is no longer live."""
    effect.previous = state.drop(event.artifact)
    if effect.previous is None and state.surely_left("artifact", event.artifact):
        message = f"release names artifact {event.artifact}, which is not live."
        subject: dict[str, str | int] = {"artifact": event.artifact}
        effect.problems.append(Problem("JNL007", subject, message, dict(subject)))
    state.leaves("artifact", event.artifact)
