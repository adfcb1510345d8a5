"""JNL: can the journal itself be believed?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise

from spanscope.journal.events import Checkpoint, Gap, Observe, Unknown
from spanscope.plain.finding import Finding, finding
from spanscope.plain.knowing import digest
from spanscope.plain.reading import Told
from spanscope.plain.texts import content_hash
from spanscope.plain.world import Moment

_TIME = re.compile(r"(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def findings(told: Told) -> Iterator[Finding]:
    """All findings of the family, but for those of `strays`."""
    for fault in told.faults:
        severity = "warning" if fault.rule == "JNL001" else "error"
        yield Finding(fault.rule, None, (), severity, fault.offset)
    for moment in told.moments:
        yield from _at(moment)
    for earlier, later in pairwise(told.moments):
        if _runs_back(earlier, later):
            yield finding("JNL009", later.event.seq, "info")


def strays(told: Told) -> Iterator[Finding]:
    """JNL003, once for each line: several may have the same seq."""
    for stray in told.strays:
        yield finding("JNL003", stray.seq, "error")


def _at(moment: Moment) -> Iterator[Finding]:
    event = moment.event
    match event:
        case Unknown():
            yield finding("JNL006", event.seq, "info")
        case Gap():
            yield finding("JNL011", event.seq, "error")
        case Observe():
            yield from _outran(moment, event)
            yield from _other_digest(moment, event)
        case Checkpoint():
            yield from _other_digest(moment, event)
        case _:
            pass
    for problem in moment.problems:
        if problem.rule.startswith("JNL"):
            yield finding(problem.rule, event.seq, "error", **dict(problem.subject))


def _outran(moment: Moment, event: Observe) -> Iterator[Finding]:
    """JNL005: where the replay and what the buffer really holds are known and differ."""
    world = moment.before
    held = {name: content_hash(text) for name, text in event.contents.items()}
    for name, hash in {**event.hashes, **held}.items():
        span = world.buffer.spans.get(name)
        if span is None or span.gone:
            outran = world.order_doubt is None
        else:
            outran = span.hash not in {None, hash}
        if outran:
            yield finding("JNL005", event.seq, "error", span=name)


def _other_digest(moment: Moment, event: Observe | Checkpoint) -> Iterator[Finding]:
    """JNL005: the whole buffer is another, also after what was observed of its spans."""
    if event.digest is not None and digest(moment.after) not in {None, event.digest}:
        yield finding("JNL005", event.seq, "error")


def _runs_back(earlier: Moment, later: Moment) -> bool:
    """Whether an event's time is before that of the event before it; a bad time says nothing."""
    then, now = _clock(earlier.event.time), _clock(later.event.time)
    return then is not None and now is not None and now < then


def _clock(time: str) -> tuple[datetime, Fraction] | None:
    """An RFC 3339 time as whole seconds in UTC and their fraction; null for anything else."""
    match = _TIME.fullmatch(time)
    if match is None:
        return None
    fraction = Fraction(int(match[2] or 0), 10 ** len(match[2] or ""))
    try:
        whole = datetime.fromisoformat(match[1].upper() + match[3].upper().replace("Z", "+00:00"))
        return whole.astimezone(UTC), fraction
    except (ValueError, OverflowError):
        return None
