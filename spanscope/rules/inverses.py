"""The rules for inverse records: UND201 to UND207 (seed 003)."""

from __future__ import annotations

from collections.abc import Callable

from spanscope.journal.events import Evict, InverseRecord
from spanscope.model.anchors import hashed
from spanscope.model.effects import Effect
from spanscope.model.mapping import Change
from spanscope.model.node import Node
from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, Part, fits_after, inverse_faults
from spanscope.rules.finding import Severity
from spanscope.rules.memory import Memory
from spanscope.rules.report import Report, excerpt


def entry_subject(entry: Entry) -> dict[str, str | int]:
    """The subject of a finding about an entry."""
    subject: dict[str, str | int] = {"entry": entry.seq}
    if entry.span is not None:
        subject["span"] = entry.span
    return subject


def entry_words(entry: Entry) -> str:
    """An entry as a message names it: by its seq and, where it is one, its span."""
    return f"entry {entry.seq}" if entry.span is None else f"entry {entry.seq} of {entry.span}"


def judge_inverses(state: BufferState, effect: Effect, memory: Memory, report: Report) -> None:
    """Judge the inverses of the change just made, or those that came or went."""
    entry = effect.pushed
    if entry is not None:
        _missing(entry, report)
        for part in entry.parts:
            _judge_record(state, entry, part, memory, report)
    for old, new in effect.replaced:
        lost = state.doubt is not None and new.seq < state.lost_at
        if lost or new.doubt is not None:
            # It may have been undone where events were lost, or owe no inverse.
            continue
        if isinstance(effect.event, InverseRecord):
            _late(state, old, new, effect.event, memory, report)
        elif isinstance(effect.event, Evict):
            _evicted(old, new, effect.event, report)


def _missing(entry: Entry, report: Report) -> None:
    lacking = entry.lacking
    if not lacking or not entry.recorded or entry.op == "observe" or entry.doubt is not None:
        return
    names = ", ".join(dict.fromkeys(entry.parts[number].span for number in lacking))
    message = (
        f"the {entry.op} of {names} at {entry.seq} has no inverse: it can't be undone, and "
        "nothing below it can."
    )
    evidence = {"edits": [entry.parts[number].edit for number in lacking]}
    report.add("UND201", entry_subject(entry), message, evidence)


def _late(
    state: BufferState,
    old: Entry,
    new: Entry,
    event: InverseRecord,
    memory: Memory,
    report: Report,
) -> None:
    number = old.part_of(event.edit or 0)
    assert number is not None
    if old.parts[number].record is None and old.parts[number].owes_inverse:
        message = (
            f"the inverse of {entry_words(old)} reached the log {event.seq - old.seq} "
            f"event{'s' if event.seq - old.seq > 1 else ''} after the change: mutate, then log."
        )
        report.add(
            "UND202",
            entry_subject(old),
            message,
            {"changed_at": old.seq, "logged_at": event.seq},
            caused_by=old.seq,
        )
    _judge_record(state, new, new.parts[number], memory, report)


def _evicted(old: Entry, new: Entry, event: Evict, report: Report) -> None:
    lost = [
        part.edit
        for number, part in enumerate(old.parts)
        if part.owes_inverse and part.record is not None and new.parts[number].record is None
    ]
    if not lost:
        return
    why = f" ({event.reason})" if event.reason else ""
    name = entry_words(old)
    message = f"the inverse of {name} was dropped from the log{why}: it can't be undone."
    evidence = {"edits": lost, "reason": event.reason}
    report.add("UND203", entry_subject(old), message, evidence, caused_by=old.seq)


def _judge_record(
    state: BufferState, entry: Entry, part: Part, memory: Memory, report: Report
) -> None:
    if part.record is None or not part.owes_inverse or entry.doubt is not None:
        return
    _wrong(entry, part, report)
    if part.kind != "splice":
        return
    if offset_only(part):
        _offset_only(entry, part, report)
        _overlapping(state, entry, part, memory, report)
    else:
        _ambiguous(entry, part, report)


def _wrong(entry: Entry, part: Part, report: Report) -> None:
    faults = inverse_faults(part)
    if not faults:
        return
    told = "; ".join(
        f"its {fault.field} is {_shown(fault.claimed)} but was {_shown(fault.actual)}"
        for fault in faults
    )
    message = f"the inverse of entry {entry.seq} in {part.span} does not undo the change: {told}."
    evidence = {
        "span": part.span,
        "wrong": [
            {"field": fault.field, "claimed": fault.claimed, "actual": fault.actual}
            for fault in faults
        ],
    }
    report.add("UND204", entry_subject(entry), message, evidence)


def _shown(value: str | int) -> str:
    return str(value) if isinstance(value, int) else f'"{excerpt(value, 30)}"'


def offset_only(part: Part) -> bool:
    """Whether only the absolute offset locates the inverse; a whole span is its own place."""
    inverse = part.inverse
    if part.kind != "splice" or inverse is None or inverse.at is None or part.without_at:
        return False
    bare = not inverse.before and not inverse.after and inverse.inserted_hash is None
    return not inverse.anchored or bare


def _offset_only(entry: Entry, part: Part, report: Report) -> None:
    assert part.inverse is not None
    message = (
        f"the inverse of entry {entry.seq} in {part.span} is located by offset {part.inverse.at} "
        "alone: it holds only in strict last-in-first-out order."
    )
    report.add("UND206", entry_subject(entry), message, {"at": part.inverse.at})


def _ambiguous(entry: Entry, part: Part, report: Report) -> None:
    assert part.inverse is not None
    assert part.after is not None
    if hashed(part.inverse) or part.unsure:
        return
    places = fits_after(part)
    true = part.after.at
    if len(places) < 2 and (not places or places[0] == true):
        return
    severity: Severity | None = "info" if part.inverse.at is not None else None
    first = "wrong" if places[0] != true else "right"
    if len(places) > 1:
        message = (
            f"the evidence of entry {entry.seq} fits in {len(places)} places of {part.span}; the "
            f"true one is {true}, a first match would take {places[0]} ({first})"
        )
    else:
        message = (
            f"the evidence of entry {entry.seq} fits only at {places[0]} of {part.span}, and the "
            f"change was made at {true}"
        )
    tail = "; in strict order its offset decides." if severity else ", and there is no offset."
    evidence = {
        "span": part.span,
        "places": [{"at": at, "true": at == true} for at in places[:50]],
        "count": len(places),
        "true": true,
        "first_match_wrong": places[0] != true,
    }
    report.add("UND205", entry_subject(entry), message + tail, evidence, severity=severity)


def _overlapping(
    state: BufferState, entry: Entry, part: Part, memory: Memory, report: Report
) -> None:
    """UND207: an offset-only inverse over text that another such change wrote."""
    assert part.after is not None

    def such(node: Node) -> bool:
        found = state.entry(node.seq)
        return found is not None and any(
            offset_only(other) and other.after is node for other in found[1].parts
        )

    other = overlapped(part.after, memory.checkpoint, such)
    if other is None:
        return
    message = (
        f"the offset-only inverse of entry {entry.seq} lies in {part.span} over text that "
        f"{other.seq} changed since the last checkpoint."
    )
    evidence = {"overlaps": other.seq, "checkpoint": memory.checkpoint or None}
    report.add("UND207", entry_subject(entry), message, evidence, caused_by=other.seq)


def overlapped(node: Node, since: int, such: Callable[[Node], bool]) -> Node | None:
    """The newest standing change of a kind after an event whose text this one cut into.

    That is where it takes away characters that the other wrote, or puts text between two of them;
    or where it does the same where the other took text out.
    """
    end, deletes = node.at + node.deleted_length, node.deleted_length > 0
    # What it takes away, else the characters before and after its place.
    ranges = [(node.at, end)] if deletes else [(node.at - 1, node.at), (node.at, node.at + 1)]
    earlier = node.parent
    while ranges and earlier is not None and earlier.parent is not None and earlier.seq > since:
        if not earlier.text_known or not (deletes or node.inserted):
            return None
        if such(earlier) and _cuts(ranges, earlier.change, deletes=deletes):
            return earlier
        ranges = _in_text_before(ranges, earlier.trimmed)
        if not deletes and len(ranges) < 2:
            return None
        earlier = earlier.parent
    return None


Ranges = list[tuple[int, int]]


def _cuts(ranges: Ranges, earlier: Change, *, deletes: bool) -> bool:
    """Whether these characters are of an earlier change, or stand around what it took out."""
    at, stop = earlier.at, earlier.at + earlier.inserted
    if at < stop:
        of_it = [max(start, at) < min(end, stop) for start, end in ranges]
        return any(of_it) if deletes else all(of_it)
    around = (any(start <= place < end for start, end in ranges) for place in (at - 1, at))
    return earlier.deleted > 0 and all(around)


def _in_text_before(ranges: Ranges, change: Change) -> Ranges:
    """Where these characters stood before a change; those that it put in were not there."""
    at, stop = change.at, change.at + change.inserted
    before = [(start, min(end, at)) for start, end in ranges]
    behind = [(max(start, stop), end) for start, end in ranges]
    shift = change.deleted - change.inserted
    left = before + [(start + shift, end + shift) for start, end in behind]
    return [(start, end) for start, end in left if start < end]
