"""What `:` understands: a seq, a turn, a time, a revision, an id, a finding or a rule."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from spanscope.history.describing import clock, told
from spanscope.history.history import History
from spanscope.rules.catalogue import RULES
from spanscope.widgets.findings import label
from spanscope.widgets.subject import Kind, Subject

_TURN = r"t(?:urn)?\s*(\d+)$"
_REVISION = r"r(?:ev)?\s*(\d+)$"
_TIME = r"\d\d:\d\d(:\d\d)?$"
_FINDING = r"([A-Za-z]{3}\d{3})(?:@(\d+))?$"
_KINDS: tuple[Kind, ...] = ("span", "artifact", "diff")

HELP = "a seq, turn 3, 14:07:12, r42, an id, #112 or a rule like DIF311"

NO_PLACE = "not a seq, time, id or rule"
"""What does not even look like a place."""


class Target(NamedTuple):
    """A step to go to, what to select there (null: what it is about), and how many there are."""

    seq: int
    subject: Subject | None = None
    number: int = 1
    of: int = 1


def resolve(history: History, cursor: int, text: str) -> Target | str:
    """The step that a text names, or why there is none, in words."""
    wanted = text.strip()
    if not wanted:
        return HELP
    if wanted.isdecimal() and wanted.isascii():
        return _seq(history, int(wanted[:18]))
    if turn := re.match(_TURN, wanted, re.IGNORECASE):
        return _turn(history, int(turn.group(1)[:18]))
    if re.match(_TIME, wanted):
        return _time(history, wanted)
    if named := _subject(history, cursor, wanted):
        return named
    if revision := re.match(_REVISION, wanted, re.IGNORECASE):
        return _revision(history, int(revision.group(1)[:18]))
    if found := re.match(_FINDING, wanted):
        return _finding(history, cursor, found.group(1).upper(), found.group(2))
    return f"{NO_PLACE}: {HELP}"


def answer(history: History, cursor: int, text: str) -> str:
    """What `enter` would do, for the message line."""
    target = resolve(history, cursor, text)
    if isinstance(target, str):
        return target
    happened, *more = told(history, target.seq)
    found = label(history.findings_at(target.seq)) if target.seq else ""
    of = f"{target.number} of {target.of}" if target.of > 1 else ""
    return "; ".join(part for part in (f"{happened}  {found}".rstrip(), of, *more) if part)


def _seq(history: History, seq: int) -> Target | str:
    if seq > history.last:
        return f"no such seq: {history.last} is the last"
    return Target(seq)


def _turn(history: History, number: int) -> Target | str:
    if not 1 <= number <= len(history.turns):
        return f"no such turn: there are {len(history.turns)}"
    return Target(history.turns[number - 1])


def _time(history: History, wanted: str) -> Target | str:
    """The first event at or after a time of day."""
    seqs = history.seqs
    place = bisect_left(seqs, wanted, key=lambda seq: _clock_at(history, seq))
    if place == len(seqs):
        return f"no event at or after {wanted}"
    return Target(seqs[place])


def _clock_at(history: History, seq: int) -> str:
    event = history.event(seq)
    return "" if event is None else clock(event.time)


def _revision(history: History, wanted: int) -> Target | str:
    """The event that made a revision."""
    seqs = history.seqs
    place = bisect_left(seqs, wanted, key=lambda seq: history.revision_at(seq) or 0)
    if place == len(seqs) or history.revision_at(seqs[place]) != wanted:
        return f"no such revision: {wanted}"
    return Target(seqs[place])


def _subject(history: History, cursor: int, wanted: str) -> Target | None:
    """The next event that touched a thing, after the last one the first again."""
    subjects = [Subject(kind, wanted) for kind in _KINDS]
    if wanted.startswith("#") and wanted[1:].isdecimal():
        subjects = [Subject("entry", int(wanted[1:19]))]
    for subject in subjects:
        touched = history.touched(subject.ids)
        if touched:
            place = bisect_right(touched, cursor) % len(touched)
            return Target(touched[place], subject, place + 1, len(touched))
    return None


def _finding(history: History, cursor: int, rule: str, at: str | None) -> Target | str:
    if rule not in RULES:
        return f"no such rule: {rule}"
    seqs = sorted({f.seq for f in history.findings if f.rule == rule and f.seq is not None})
    if at is not None:
        seqs = [seq for seq in seqs if seq == int(at[:18])]
    if not seqs:
        return f"no finding {rule}" + (f" at {at}" if at else " in this session")
    place = bisect_right(seqs, cursor) % len(seqs)
    return Target(seqs[place], None, place + 1, len(seqs))
