"""Events in words: what each is about and what it did, for rows, sentences, reports and `log`.

Everything returned is raw text: whoever shows it makes it visible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from spanscope.journal import events
from spanscope.journal.events import AnyEvent, Unknown, type_of

if TYPE_CHECKING:
    from spanscope.history.history import History
    from spanscope.model.spans import Span
    from spanscope.model.undo import Entry, Part

_CLOCK = re.compile(r"T(\d\d:\d\d:\d\d)")
_MOST_SEQS = 8


def number(value: int) -> str:
    """A count with its thousands apart."""
    return f"{value:,}"


def length_of(span: Span) -> str:
    """How many characters a span has; a question mark where its text is unknown."""
    known = span.doubt is None and span.node.text_known
    return number(span.node.length) if known else "?"


def counted(count: int, thing: str, plural: str = "s") -> str:
    """A count of things: `1 span`, `1,204 chars`."""
    return f"{count:,} {thing}" + ("" if count == 1 else plural)


def clock(time: str) -> str:
    """The time of day of a timestamp; what it says where it is none."""
    found = _CLOCK.search(time[:32])
    return found.group(1) if found else time[:8]


def short_hash(hash: str | None) -> str:
    """The first six digits of a hash; `?` where it is unknown."""
    return "?" if hash is None else hash.removeprefix("sha256:")[:6]


def dotted(range: tuple[int, int]) -> str:
    """A range as it is shown: `96..117`."""
    return f"{range[0]}..{range[1]}"


def changed_chars(deleted: int, inserted: int) -> str:
    """Characters out and in; what is 0 is left out, `0` where nothing changed."""
    words = [f"-{deleted}"] if deleted else []
    words += [f"+{inserted}"] if inserted else []
    return " ".join(words) or "0"


def headline(event: AnyEvent | Unknown) -> str:
    """What happened and who did it: `rewrite docs/3 by tool:search`."""
    return " ".join(word for word in (type_of(event), about(event)) if word) + f" by {event.actor}"


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
    """What the event is about: an id, or what stands for one; empty where there is nothing."""
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


def _outcome_and_method(event: events.Rollback) -> list[str | None]:
    return [_unless("done", event.outcome), _unless("replay", event.method)]


def _several(names: Sequence[str], what: str) -> str:
    if not names:
        return ""
    return names[0] if len(names) == 1 else f"{len(names)} {what}"


def _rolled(event: events.Rollback) -> str:
    if event.to is not None:
        return f"to {event.to}"
    if event.of:
        return _several([f"#{seq}" for seq in event.of], "entries")
    return counted(event.steps or 0, "step")


def details(event: AnyEvent | Unknown, history: History | None = None) -> list[str]:
    """What else the event says, in words that stand alone, the most telling first.

    With a history also what only the replay knows: how long the text was before a rewrite, what
    an apply really changed, how far down a rollback went.
    """
    if isinstance(event, Unknown):
        return ["unknown type"]
    told = _from_replay(history, event) if history is not None else []
    if not told and (words := _DETAILS.get(type(event))):
        told = words(event)
    return [word for word in told if word]


def _from_replay(history: History, event: AnyEvent) -> list[str | None]:
    """What an event really changed; nothing where the event itself says all."""
    if isinstance(event, events.Rewrite) and event.into is None and not event.redacted:
        after = history.at(event.seq).span(event.span)
        before = after.node.parent if after is not None else None
        if before is not None and before.text_known:
            return [f"{number(before.length)} > {counted(len(event.content), 'char')}", event.op]
    elif isinstance(event, events.Apply) and event.outcome == "done":
        row = history.at(event.seq).undo_row(event.seq)
        if row is not None:
            return [f"{entry_name(row.entry)} {entry_chars(row.entry)}"]
    elif isinstance(event, events.Rollback) and not event.of:
        taken = history.undo.taken(event.seq)
        return [f"through #{taken[0]}" if taken else None, *_outcome_and_method(event)]
    return []


def told(history: History, seq: int) -> list[str]:
    """What happened at a step, in words that may be left out from the end; 0: before all."""
    if not seq:
        return ["before the first event: the buffer is empty"]
    event = history.event(seq)
    if event is None:
        return [f"{seq} can't be read"]
    return [f"{seq} {headline(event)}", *details(event, history)]


def _unless(usual: str, word: str) -> str:
    return "" if word == usual else word


def _seqs(seqs: Sequence[int]) -> str | None:
    if len(seqs) < 2:
        return None
    return " ".join(f"#{seq}" for seq in seqs[:_MOST_SEQS]) + (" .." * (len(seqs) > _MOST_SEQS))


def _ingested(event: events.Ingest) -> list[str | None]:
    answers = f"answers {event.answers}" if event.answers is not None else None
    return [_length(event), event.role, answers]


def _rewritten(event: events.Rewrite) -> list[str | None]:
    into = f"into {event.into}" if event.into is not None else None
    return [into, event.op, _length(event)]


def _length(event: events.Ingest | events.Rewrite) -> str:
    return "redacted" if event.redacted else counted(len(event.content), "char")


def _spliced(event: events.Splice) -> list[str | None]:
    changed = changed_chars(event.delete, len(event.insert))
    return [f"at {event.at} {'redacted' if event.redacted else changed}"]


def _derived(event: events.Derive) -> list[str | None]:
    ends = f" {dotted(event.range)}" if event.range is not None else ""
    unit = f" {event.unit}" if ends and event.unit != "chars" else ""
    holder = event.holder if event.holder != event.actor else None
    return [event.span + ends + unit, event.kind, holder]


def _used(event: events.Use) -> list[str | None]:
    where = f"at {dotted(event.range)}" if event.range is not None else None
    checked = f"checked {' and '.join(event.checked)}" if event.checked else None
    return [_unless("used", event.outcome), where, checked]


def _staged(event: events.Stage) -> list[str | None]:
    compensates = f"compensates #{event.compensates}" if event.compensates is not None else None
    return [
        f"base r{event.base.revision}",
        counted(len(event.reads), "read"),
        counted(len(event.edits), "edit"),
        compensates,
    ]


def _observed(event: events.Observe) -> list[str | None]:
    return [
        counted(len(event.hashes), "hash", "es") if event.hashes else None,
        counted(len(event.contents), "content") if event.contents else None,
        "digest" if event.digest is not None else None,
    ]


def _missed(event: events.Gap) -> list[str | None]:
    lost = f"{counted(event.lost, 'event')} lost" if event.lost is not None else None
    return [lost, event.reason]


_DETAILS: dict[type, Callable[[Any], list[str | None]]] = {
    events.Ingest: _ingested,
    events.Rewrite: _rewritten,
    events.Splice: _spliced,
    events.Move: lambda e: ["first" if e.after is None else f"after {e.after}"],
    events.Derive: _derived,
    events.Use: _used,
    events.InverseRecord: lambda e: [f"edit {e.edit}" if e.edit is not None else None],
    events.Evict: lambda e: [_seqs(e.of), e.reason],
    events.Abort: lambda e: [e.reason],
    events.Checkpoint: lambda e: ["full copy" if e.snapshot else "digest only"],
    events.Rollback: lambda e: [*_outcome_and_method(e), _seqs(e.of or [])],
    events.Stage: _staged,
    events.Apply: lambda e: [_unless("done", e.outcome)],
    events.Reject: lambda e: [e.rule, e.reason],
    events.Compact: lambda e: [" ".join(e.spans) if len(e.spans) > 1 else None],
    events.Observe: _observed,
    events.Render: lambda e: [counted(len(e.items), "span")],
    events.Gap: _missed,
    events.Mark: lambda e: [e.label],
    events.Close: lambda e: [counted(e.events, "event")],
}


def entry_name(entry: Entry) -> str:
    """The span that an undo entry changed, or how many."""
    return _several(list(dict.fromkeys(part.span for part in entry.parts)), "spans")


def entry_chars(entry: Entry) -> str:
    """How many characters an undo entry took out and put in: `-14 +31`; a rewrite's balance."""
    deleted = inserted = 0
    for part in entry.parts:
        out, put = _part_chars(part)
        deleted, inserted = deleted + out, inserted + put
    return changed_chars(deleted, inserted)


def _part_chars(part: Part) -> tuple[int, int]:
    if part.kind == "splice" and part.after is not None:
        return part.after.deleted_length, len(part.after.inserted)
    after = part.after.length if part.after is not None else 0
    if part.before is None or part.kind in ("ingest", "copy"):
        return 0, after
    balance = after - part.before.node.length
    return max(0, -balance), max(0, balance)
