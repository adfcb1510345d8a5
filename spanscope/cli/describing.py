"""An event in words: what it is about, and the rest of it in short."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown


class Described(NamedTuple):
    """An event's type, the id or label that it is about (empty: none), and its details."""

    type: str
    subject: str
    detail: str


def describe(event: AnyEvent | Unknown) -> Described:
    """An event in words, raw: whoever prints it makes it visible."""
    if isinstance(event, Unknown):
        return Described(event.type, "", "unknown type")
    subject, detail = _WORDS[type(event)](event)
    return Described(str(event.__struct_config__.tag), subject, detail)


def headline(event: AnyEvent | Unknown) -> str:
    """What happened and who did it, such as `rewrite docs/3 by tool:search`."""
    words = describe(event)
    subject = f" {words.subject}" if words.subject else ""
    return f"{words.type}{subject} by {event.actor}"


def _count(number: int, thing: str, plural: str = "s") -> str:
    return f"{number:,} {thing}" + ("" if number == 1 else plural)


def _seqs(seqs: Sequence[int]) -> str:
    return ", ".join(f"#{seq}" for seq in seqs[:8]) + (" .." if len(seqs) > 8 else "")


def _range(ends: tuple[int, int] | None) -> str:
    return "" if ends is None else f"{ends[0]}..{ends[1]}"


def _joined(*parts: str | None) -> str:
    return "  ".join(part for part in parts if part)


def _unless(usual: str, word: str) -> str:
    return "" if word == usual else word


def _after(event: events.Move) -> str:
    return "first" if event.after is None else f"after {event.after}"


def _rewrite(event: events.Rewrite) -> tuple[str, str]:
    into = f"into {event.into}" if event.into is not None else None
    return event.span, _joined(event.op, into, _count(len(event.content), "char"))


def _splice(event: events.Splice) -> tuple[str, str]:
    return event.span, f"at {event.at} -{event.delete} +{len(event.insert)}"


def _derive(event: events.Derive) -> tuple[str, str]:
    unit = _unless("chars", event.unit) if event.range is not None else None
    where = " ".join(part for part in (event.span, _range(event.range), unit) if part)
    return event.artifact, _joined(event.kind, where, event.holder)


def _rollback(event: events.Rollback) -> tuple[str, str]:
    how_far = (
        f"to {event.to}"
        if event.to is not None
        else f"of {_seqs(event.of)}"
        if event.of is not None
        else _count(event.steps or 0, "step")
    )
    method = _unless("replay", event.method)
    return "", _joined(how_far, method, _unless("done", event.outcome))


def _stage(event: events.Stage) -> tuple[str, str]:
    compensates = f"compensates #{event.compensates}" if event.compensates is not None else None
    return event.diff, _joined(
        f"base r{event.base.revision}",
        _count(len(event.reads), "read"),
        _count(len(event.edits), "edit"),
        compensates,
    )


def _observe(event: events.Observe) -> tuple[str, str]:
    return "", _joined(
        _count(len(event.hashes), "hash", "es") if event.hashes else None,
        _count(len(event.contents), "content") if event.contents else None,
        "digest" if event.digest is not None else None,
    )


def _gap(event: events.Gap) -> tuple[str, str]:
    lost = f"{_count(event.lost, 'event')} lost" if event.lost is not None else None
    return "", _joined(event.reason, lost)


_WORDS: dict[type, Callable[[Any], tuple[str, str]]] = {
    events.Ingest: lambda e: (e.span, _joined(e.role, _count(len(e.content), "char"))),
    events.Rewrite: _rewrite,
    events.Splice: _splice,
    events.Prune: lambda e: (e.span, ""),
    events.Move: lambda e: (e.span, _after(e)),
    events.Derive: _derive,
    events.Use: lambda e: (e.artifact, _joined(_unless("used", e.outcome), _range(e.range))),
    events.Release: lambda e: (e.artifact, ""),
    events.InverseRecord: lambda e: (f"#{e.of}", ""),
    events.Evict: lambda e: (_seqs(e.of), e.reason or ""),
    events.Abort: lambda e: (f"#{e.of}", e.reason or ""),
    events.Checkpoint: lambda e: (e.checkpoint, "snapshot" if e.snapshot else ""),
    events.Rollback: _rollback,
    events.Stage: _stage,
    events.Apply: lambda e: (e.diff, _unless("done", e.outcome)),
    events.Reject: lambda e: (e.diff, _joined(e.rule, e.reason)),
    events.Withdraw: lambda e: (e.diff, ""),
    events.Compact: lambda e: (", ".join(e.spans), ""),
    events.Observe: _observe,
    events.Render: lambda e: (e.call or "", _count(len(e.items), "item")),
    events.Gap: _gap,
    events.Resume: lambda _: ("", ""),
    events.Mark: lambda e: (e.kind, e.label),
    events.Close: lambda e: ("", _count(e.events, "event")),
}
