"""Events in words: what each is about, what it did, in a few characters or in a sentence.

Everything returned is raw text: rows make it visible.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from spanscope.history.history import History
from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown
from spanscope.model.undo import Entry, Part

_CLOCK = re.compile(r"T(\d\d:\d\d:\d\d)")


def number(value: int) -> str:
    """A count with its thousands apart."""
    return f"{value:,}"


def clock(time: str) -> str:
    """The time of day of a timestamp; what it says where it is none."""
    found = _CLOCK.search(time[:32])
    return found.group(1) if found else time[:8]


def short_hash(hash: str | None) -> str:
    """The first six digits of a hash; `?` where it is unknown."""
    return "?" if hash is None else hash.removeprefix("sha256:")[:6]


def type_of(event: AnyEvent | Unknown) -> str:
    """The event's type as the journal names it."""
    if isinstance(event, Unknown):
        return event.type
    tag = type(event).__struct_config__.tag
    return str(tag)


_ID_FIELDS: dict[type, str] = {
    events.Ingest: "span",
    events.Rewrite: "span",
    events.Splice: "span",
    events.Prune: "span",
    events.Move: "span",
    events.Derive: "artifact",
    events.Use: "artifact",
    events.Release: "artifact",
    events.Checkpoint: "checkpoint",
    events.Stage: "diff",
    events.Apply: "diff",
    events.Reject: "diff",
    events.Withdraw: "diff",
    events.Mark: "kind",
}


def about(event: AnyEvent | Unknown) -> str:
    """What the event is about: an id, or what stands for one in a row."""
    field = _ID_FIELDS.get(type(event))
    if field is not None:
        return str(getattr(event, field))
    match event:
        case events.InverseRecord(of=seq) | events.Abort(of=seq):
            return f"of #{seq}"
        case events.Evict(of=seqs):
            return _several([f"#{seq}" for seq in seqs], "entries")
        case events.Rollback():
            return _rolled(event)
        case events.Compact(spans=spans):
            return _several(spans, "spans")
        case events.Render(call=call):
            return f"call {call}" if call is not None else ""
        case events.Observe(contents=contents, hashes=hashes):
            return _several([*dict.fromkeys([*contents, *hashes])], "spans")
        case _:
            return ""


def _several(names: list[str], what: str) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} {what}"


def _rolled(event: events.Rollback) -> str:
    if event.to is not None:
        return f"to {event.to}"
    if event.of:
        return _several([f"#{seq}" for seq in event.of], "entries")
    steps = event.steps or 0
    return f"{steps} step" + ("" if steps == 1 else "s")


def detail(history: History, seq: int, event: AnyEvent | Unknown) -> str:
    """What the event did, in a few words."""
    match event:
        case events.Rewrite():
            return _rewritten(history, seq, event)
        case events.Apply(outcome="done"):
            return _applied(history, seq)
    told = _TOLD.get(type(event))
    return told(event) if told is not None else ""


def _spliced(event: events.Splice) -> str:
    return f"at {event.at} {changed_chars(event.delete, len(event.insert))}"


def _derived(event: events.Derive) -> str:
    return event.span if event.range is None else f"{event.span} {dotted(event.range)}"


def _staged(event: events.Stage) -> str:
    reads = len(event.reads)
    return f"base r{event.base.revision}, {reads} read" + ("" if reads == 1 else "s")


def _missed(event: events.Gap) -> str:
    return event.reason if event.lost is None else f"{event.lost} lost: {event.reason}"


_TOLD: dict[type, Callable[[Any], str]] = {
    events.Ingest: lambda event: f"{number(len(event.content))} chars",
    events.Splice: _spliced,
    events.Derive: _derived,
    events.Use: lambda event: str(event.outcome),
    events.Stage: _staged,
    events.Apply: lambda event: str(event.outcome),
    events.Reject: lambda event: event.rule or event.reason or "",
    events.Rollback: lambda event: str(event.method if event.outcome == "done" else event.outcome),
    events.Render: lambda event: f"{len(event.items)} spans",
    events.Checkpoint: lambda event: "full copy" if event.snapshot else "digest only",
    events.Mark: lambda event: str(event.label),
    events.Evict: lambda event: event.reason or "",
    events.Abort: lambda event: event.reason or "",
    events.Gap: _missed,
}


def dotted(range: tuple[int, int]) -> str:
    """A range as rows show it: `96..117`."""
    return f"{range[0]}..{range[1]}"


def _rewritten(history: History, seq: int, event: events.Rewrite) -> str:
    if event.into is not None:
        return f"{event.op} into {event.into}"
    before = history.at(seq).span(event.span)
    parent = before.node.parent if before is not None else None
    if parent is None:
        return f"{number(len(event.content))} {event.op}"
    return f"{number(parent.length)} > {number(len(event.content))} {event.op}"


def _applied(history: History, seq: int) -> str:
    row = history.at(seq).undo_row(seq)
    if row is None:
        return ""
    return f"{entry_name(row.entry)} {entry_chars(row.entry)}"


def entry_name(entry: Entry) -> str:
    """The span that an undo entry changed, or how many."""
    names = {part.span for part in entry.parts}
    if not names:
        return ""
    return next(iter(names)) if len(names) == 1 else f"{len(names)} spans"


def entry_chars(entry: Entry) -> str:
    """How many characters an undo entry took out and put in: `-14 +31`; a rewrite's balance."""
    deleted = inserted = 0
    for part in entry.parts:
        out, put = _part_chars(part)
        deleted, inserted = deleted + out, inserted + put
    return changed_chars(deleted, inserted)


def _part_chars(part: Part) -> tuple[int, int]:
    before = part.before.node.length if part.before is not None else 0
    after = part.after.length if part.after is not None else 0
    if part.kind == "splice" and part.after is not None:
        return len(part.after.deleted), len(part.after.inserted)
    if part.kind == "move":
        return 0, 0
    if part.kind == "prune":
        return before, 0
    if part.kind in ("ingest", "copy"):
        return 0, after
    balance = after - before
    return max(0, -balance), max(0, balance)


def changed_chars(deleted: int, inserted: int) -> str:
    """Characters out and in; what is 0 is left out, `0` where nothing changed."""
    words = [f"-{deleted}"] if deleted else []
    words += [f"+{inserted}"] if inserted else []
    return " ".join(words) or "0"


def sentence(history: History, seq: int, event: AnyEvent | Unknown | None) -> str:
    """What the event did, for the message line: `117 rewrite docs/3 by tool:search, 664 > 641`."""
    if event is None:
        return f"{seq} can't be read" if seq else "before the first event: the buffer is empty"
    words = [str(seq), type_of(event), about(event)]
    said = " ".join(word for word in words if word) + f" by {event.actor}"
    more = detail(history, seq, event)
    return f"{said}, {more}" if more else said
