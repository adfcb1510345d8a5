"""A slice of a journal around a finding: few events of it that still give the finding.

It begins as all events up to the finding. Spans, artifacts, diffs and single events are left out
as long as the rules still say the finding and say nothing that they did not say before. The
effort is bounded, so a slice may hold more than it must.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from spanscope.history.audit import Audit, missing
from spanscope.history.history import History
from spanscope.history.thinning import Thing, Thinning, base_seq, renumbered, things_of
from spanscope.journal.encoding import encode_line
from spanscope.journal.events import (
    FORMAT,
    Abort,
    AnyEvent,
    Evict,
    Gap,
    InverseRecord,
    Rewrite,
    Rollback,
    Session,
    Stage,
    Unknown,
)
from spanscope.journal.index import GONE
from spanscope.journal.parts import Parent
from spanscope.journal.reader import Header, Record
from spanscope.rules.finding import Finding

MOST_EVENTS = 20_000
"""So many events may stand before a finding that is sliced."""

EFFORT = 40_000
"""So many events are judged again, at most, to find out what can be left out."""

Key = tuple[str, int | None, tuple[tuple[str, str | int], ...]]
"""(rule, seq, subject): what makes two findings the same."""


class SliceError(Exception):
    """No slice can be made; the message says why, in one line."""


class Slice(NamedTuple):
    """A journal of its own.

    `seq` is where it gives the finding, `of` is how many events there were.
    """

    session: Session
    events: list[AnyEvent | Unknown]
    seq: int
    of: int

    def lines(self) -> bytes:
        """The journal's file."""
        return b"".join(map(_line, (self.session, *self.events)))


def slice_around(history: History, finding: Finding, *, effort: int = EFFORT) -> Slice:
    """Few events of a history that still give a finding.

    `effort`: how many events may be judged again for it.

    Raises:
        SliceError: the finding is about the file itself, or stands too far in.
    """
    if finding.seq is None:
        raise SliceError(f"{finding.rule} is about the file itself: copy the whole file")
    pieces = _pieces(history, finding.seq)
    wanted = _key(finding, None)
    found = _Slicer(history, pieces, wanted, effort).smallest(_session(history, finding))
    if found is not None:
        return found
    raise SliceError(f"{finding.rule} at {finding.seq} depends on damage: copy the whole file")


def _pieces(history: History, seq: int) -> list[AnyEvent | Unknown]:
    """The events up to a seq, with a gap wherever seqs are missing; it has the seq it stands at."""
    count = history.position(seq) + 1
    if count > MOST_EVENTS:
        raise SliceError(f"{count} events stand before it, a slice takes at most {MOST_EVENTS}")
    found: list[AnyEvent | Unknown] = []
    expected = 1
    for position in range(count):
        event = history.events.at(position)
        if isinstance(event, Unknown) and event.type == GONE:
            raise SliceError(f"event {event.seq} is no longer in the file")
        if event.seq != expected:
            lost = event.seq - expected
            reason = missing(expected, event.seq - 1)
            found.append(Gap(seq=expected, time=event.time, reason=reason, lost=lost))
        found.append(event)
        expected = event.seq + 1
    return found


def _session(history: History, finding: Finding) -> Session:
    """The header: it names the session, and the event, that this is a slice of."""
    old = history.session or Session(format=FORMAT, session="journal")
    parent = Parent(session=old.session, seq=finding.seq or 0)
    return replace(old, session=f"{old.session}-{finding.rule}-{finding.seq}", parent=parent)


def _line(item: Session | AnyEvent | Unknown) -> bytes:
    if not isinstance(item, Unknown):
        return bytes(encode_line(item))
    fields = {**msgspec.structs.asdict(item), **item.fields}
    fields.pop("fields", None)
    return bytes(encode_line(fields))


def _key(finding: Finding, seqs: dict[int, int] | None) -> Key:
    """What a finding is known by; `seqs` are the seqs that those of a slice had before."""

    def before(seq: int) -> int:
        return seq if seqs is None else seqs.get(seq, -seq)

    subject = {
        kind: before(name) if kind == "entry" and isinstance(name, int) else name
        for kind, name in finding.subject.items()
    }
    seq = None if finding.seq is None else before(finding.seq)
    return finding.rule, seq, tuple(sorted(subject.items()))


class _Tried(NamedTuple):
    """Events that were judged: what they give, and the seqs that they had before."""

    events: list[AnyEvent | Unknown]
    given: frozenset[Key]
    numbers: dict[int, int]


class _Slicer:
    """Tries what can be left out of the events before a finding."""

    def __init__(
        self, history: History, pieces: Sequence[AnyEvent | Unknown], wanted: Key, effort: int
    ) -> None:
        self._history = history
        self._pieces = pieces
        self._wanted = wanted
        self._effort = effort
        self._allowed: frozenset[Key] | None = None

    def smallest(self, session: Session) -> Slice | None:
        """What is left once nothing more can be left out, or the effort is spent.

        Null where the events don't give the finding although nothing is left out.
        """
        best = self._judged(frozenset())
        if best is None or self._wanted not in best.given:
            return None
        self._allowed = best.given
        groups = _groups(self._pieces)
        size = max(1, len(groups) // 2)
        left_out: frozenset[Thing] = frozenset()
        while groups:
            kept: list[frozenset[Thing]] = []
            for start in range(0, len(groups), size):
                chunk = groups[start : start + size]
                tried = self._judged(left_out.union(*chunk))
                if tried is not None and self._wanted in tried.given:
                    best, left_out = tried, left_out.union(*chunk)
                else:
                    kept += chunk
            if self._effort <= 0 or (size == 1 and len(kept) == len(groups)):
                break
            groups, size = kept, max(1, size // 2)
        seq = self._wanted[1] or 0
        now = next(number for number, before in best.numbers.items() if before == seq)
        return Slice(session, best.events, now, len(self._pieces))

    def _judged(self, left_out: frozenset[Thing]) -> _Tried | None:
        """The events without what is left out; null where they give something new."""
        if self._allowed is not None and self._effort <= 0:
            return None
        kept = self._kept(left_out)
        numbers = {index: event.seq for index, event in enumerate(kept, 1)}
        old = [event.seq for event in kept]

        def now(seq: int) -> int:
            beyond = max(0, seq - self._pieces[-1].seq)
            return bisect_left(old, min(seq, self._pieces[-1].seq)) + 1 + beyond

        audit = Audit()
        audit.take(_header(self._history))
        events: list[AnyEvent | Unknown] = []
        revisions = [0]
        for index, event in enumerate(kept, 1):
            if isinstance(event, Stage):
                event = self._based(event, old, revisions)  # noqa: PLW2901
            events.append(renumbered(event, index, now))
            found = audit.take(Record(events[-1], 0, 0, index))
            revisions.append(audit.judge.state.revision or 0)
            if self._news(found, numbers):
                self._effort -= index
                return None
        self._effort -= len(events)
        if self._news(audit.finish(), numbers):
            return None
        given = frozenset(_key(finding, numbers) for finding in audit.findings)
        return _Tried(events, given, numbers)

    def _news(self, found: Iterable[Finding], numbers: dict[int, int]) -> bool:
        allowed = self._allowed
        return allowed is not None and any(_key(each, numbers) not in allowed for each in found)

    def _kept(self, left_out: frozenset[Thing]) -> list[AnyEvent | Unknown]:
        """The events that stay; what refers only to events that don't stay goes with them."""
        thinning = Thinning(self._history, left_out)
        thin = [kept for event in self._pieces if (kept := thinning.event(event)) is not None]
        if len(thin) == len(self._pieces):
            return thin
        gone = {event.seq for event in self._pieces} - {event.seq for event in thin}
        return [kept for event in thin if (kept := self._without(event, gone)) is not None]

    def _without(self, event: AnyEvent | Unknown, gone: set[int]) -> AnyEvent | Unknown | None:
        """The event without the seqs of events that are left out."""
        if isinstance(event, InverseRecord | Abort):
            return None if event.of in gone else event
        if isinstance(event, Evict) or (isinstance(event, Rollback) and event.of is not None):
            named = event.of or []
            left = [seq for seq in named if seq not in gone]
            return replace(event, of=left) if left or not named else None
        if isinstance(event, Rollback) and event.steps is not None:
            head = [row.entry.seq for row in self._history.at(event.seq - 1).undo(0, event.steps)]
            steps = event.steps - len(gone.intersection(head))
            return replace(event, steps=steps) if steps or not event.steps else None
        if isinstance(event, Stage) and event.compensates in gone:
            return replace(event, compensates=None)
        return event

    def _based(self, event: Stage, old: Sequence[int], revisions: Sequence[int]) -> Stage:
        """The diff on what the revision of its base has become."""
        seq = base_seq(self._history, event)
        if seq is not None:
            revision = revisions[bisect_right(old, seq)] if seq else 0
        else:
            current = self._history.revision_at(event.seq - 1)
            if current is None:
                return event
            position = bisect_left(old, event.seq)
            revision = revisions[position] + event.base.revision - current
        return replace(event, base=replace(event.base, revision=revision))


def _header(history: History) -> Header:
    return Header(history.session or Session(format=FORMAT, session="journal"), 0)


def _groups(pieces: Sequence[AnyEvent | Unknown]) -> list[frozenset[Thing]]:
    """What is left out together: a span with its copies and what exists on it, else one thing."""
    first_of = _families(pieces)
    together: dict[str, set[Thing]] = {}
    for span in first_of:
        together.setdefault(_first(first_of, span), set()).add(("span", span))
    alone: dict[Thing, None] = {}
    for event in pieces:
        things = list(things_of(event))
        others = [thing for thing in things if thing[0] != "span"]
        alone.update(dict.fromkeys(others))
        for kind, name in things:
            if kind == "span":
                together[_first(first_of, str(name))].update(others)
    return [*map(frozenset, together.values()), *(frozenset((thing,)) for thing in alone)]


def _families(pieces: Iterable[AnyEvent | Unknown]) -> dict[str, str]:
    """For each span one that it is a copy of, or itself."""
    first_of: dict[str, str] = {}
    for event in pieces:
        for kind, name in things_of(event):
            if kind == "span":
                first_of.setdefault(str(name), str(name))
        if isinstance(event, Rewrite) and event.into is not None:
            first_of[_first(first_of, event.into)] = _first(first_of, event.span)
    return first_of


def _first(first_of: dict[str, str], name: str) -> str:
    while first_of[name] != name:
        name = first_of[name]
    return name
