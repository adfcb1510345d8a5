"""The audit: one forward pass over a journal, fed in pieces of any size.

It keeps the order of seqs, says what became unknown after damage, and collects the findings in
file order. The judgements themselves are the rules'.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from spanscope.history.rows import UnknownSubject
from spanscope.history.unknown import unknown_now
from spanscope.journal.events import AnyEvent, Session, Unknown
from spanscope.journal.index import EventLog
from spanscope.journal.reader import Fault, Header, Parsed, Record
from spanscope.model.keeping import MOST_NEWEST, MOST_RECENT, Recent
from spanscope.model.spans import Doubt
from spanscope.model.state import BufferState
from spanscope.rules.catalogue import RULES
from spanscope.rules.finding import Finding
from spanscope.rules.judge import Judge

if TYPE_CHECKING:
    from spanscope.history.kept_texts import KeptTexts


def missing(first: int, last: int) -> str:
    """What is said of events that a journal does not have."""
    return f"event {first} is missing" if first == last else f"events {first}..{last} are missing"


class Audit:
    """Findings of a journal so far. `events` are those that were applied, `seen` counts them."""

    def __init__(
        self,
        events: EventLog | None = None,
        state: BufferState | None = None,
        findings: list[Finding] | None = None,
        texts: KeptTexts | None = None,
    ) -> None:
        """`events`: where to keep them (default: in memory).

        `state` and `findings`, still empty, are of whoever looks at them before a line comes;
        `texts` keeps what the events put into the buffer.
        """
        self.judge = Judge(state)
        self.judge.state.recent = Recent(MOST_NEWEST if texts is None else MOST_RECENT)
        self.events = EventLog() if events is None else events
        self.session: Session | None = None
        self.findings: list[Finding] = [] if findings is None else findings
        self._texts = texts
        self.seen = 0
        self.finished = False
        self._slack = 0
        self._pending: str | None = None
        self._time = ""
        self._ids: dict[str, int] = {}

    @property
    def seq(self) -> int:
        """The seq of the last event applied."""
        return self.judge.state.seq

    def take(self, item: Parsed) -> list[Finding]:
        """Judge one line of the journal; its findings."""
        if isinstance(item, Record):
            found = self._next(item) if self._is_next(item.event) else self._record(item)
            if not found:
                return found
        elif isinstance(item, Fault):
            found = [self._fault(item)]
        else:
            found = []
            self._header(item)
        self._keep(found)
        return found

    def _keep(self, found: list[Finding]) -> None:
        for finding in found:
            offset = finding.evidence.get("offset")
            if finding.rule == "JNL004" and offset == 0 and finding.seq is None:
                self.findings.insert(0, finding)
            else:
                self.findings.append(finding)

    def _header(self, item: Header) -> None:
        self.session = item.session
        records = item.session.records
        self.judge.state.records = None if records is None else frozenset(records)
        self.judge.state.tokenizer = item.session.tokenizer

    def _fault(self, fault: Fault) -> Finding:
        if fault.poisons:
            self._slack += 1
            self._pending = self._pending or f"the line at byte {fault.offset} can't be read"
        rule = RULES[fault.rule]
        return Finding(
            id=self._unique(f"{fault.rule}@+{fault.offset}"),
            rule=fault.rule,
            name=rule.name,
            severity=rule.severity,
            seq=None,
            subject={},
            message=f"{fault.message}.",
            evidence={"offset": fault.offset, "length": fault.length, "head": fault.head},
            remedy=rule.remedy,
        )

    def _unique(self, id: str) -> str:
        number = self._ids[id] = self._ids.get(id, 0) + 1
        return id if number == 1 else f"{id}.{number}"

    def _is_next(self, event: AnyEvent | Unknown) -> bool:
        """Whether a look tells that nothing is missing before an event, nor its time too early."""
        if event.seq != self.judge.state.seq + 1 or self._pending is not None:
            return False
        time, last = event.time, self._time
        if time != last:
            if time < last or len(time) != len(last) or time[-1:] != "Z" or last[-1:] != "Z":
                return False
            self._time = time
        return True

    def _next(self, item: Record) -> list[Finding]:
        self.events.add(item)
        if self._texts is not None:
            self._texts.add(item.event)
        found = self.judge.feed(item.event)
        self.seen += 1
        return found

    def _record(self, item: Record) -> list[Finding]:
        seq = item.event.seq
        last = self.judge.state.seq
        if seq <= last:
            return [self._again(item)]
        before: list[Finding] = []
        if seq != last + 1 or self._pending is not None:
            before = self._after_loss(item, last + 1)
        if item.event.time != self._time:
            before += self._clock(item.event)
        found = self._next(item)
        if not before:
            return found
        return sorted(before + found, key=lambda finding: finding.rule)

    def _after_loss(self, item: Record, expected: int) -> list[Finding]:
        """Lines are missing before this one, or could not be read."""
        seq, found = item.event.seq, []
        if seq > expected + self._slack:
            lost = seq - expected
            message = f"seq {seq} follows {self.seq}: {lost} event{'s are' if lost > 1 else ' is'}"
            found.append(self._sequence(seq, message + " missing before it.", item.offset))
            self._pending = self._pending or missing(expected, seq - 1)
        if self._pending is not None:
            self.judge.lose(Doubt(seq, self._pending))
        self._pending, self._slack = None, 0
        return found

    def _again(self, item: Record) -> Finding:
        """A seq that was already there, or comes too late, is not applied."""
        seq = item.event.seq
        known = self.events.fingerprint(seq)
        if known == item.fingerprint:
            message = f"the line of seq {seq} stands here a second time; it is not applied."
        else:
            what = "was already there with another line" if known is not None else "comes too late"
            message = f"seq {seq} {what} (the last was {self.seq}); it is not applied."
            self._pending = self._pending or f"seq {seq} stands out of order"
        return self._sequence(seq, message, item.offset)

    def _sequence(self, seq: int, message: str, offset: int) -> Finding:
        rule = RULES["JNL003"]
        return Finding(
            id=self._unique(f"JNL003@{seq}"),
            rule="JNL003",
            name=rule.name,
            severity=rule.severity,
            seq=seq,
            subject={},
            message=message,
            evidence={"offset": offset, "last": self.seq},
            remedy=rule.remedy,
        )

    def _clock(self, event: AnyEvent | Unknown) -> list[Finding]:
        before, self._time = self._time, event.time
        if not before or not _earlier(event.time, before):
            return []
        rule = RULES["JNL009"]
        return [
            Finding(
                id=f"JNL009@{event.seq}",
                rule="JNL009",
                name=rule.name,
                severity=rule.severity,
                seq=event.seq,
                subject={},
                message=f"the time {event.time} is before that of the last event, {before}.",
                evidence={"time": event.time, "before": before},
                remedy=rule.remedy,
            )
        ]

    @property
    def lost_behind(self) -> bool:
        """Whether lines were lost behind the last event."""
        return self._pending is not None

    def finish(self) -> list[Finding]:
        """The recording ends here."""
        if self._pending is not None:
            self.judge.lose(Doubt(self.seq, self._pending))
            self._pending = None
        self.finished = True
        taken = {finding.id for finding in self.findings}
        found = [_distinct(finding, taken) for finding in self.judge.finish()]
        self._keep(found)
        return found

    def unknown(self) -> list[UnknownSubject]:
        """Every subject that was unknown when it mattered, or is now."""
        return unknown_now(self.judge)


def _distinct(finding: Finding, taken: set[str]) -> Finding:
    id, number = finding.id, 2
    while id in taken:
        id, number = f"{finding.rule}@{finding.seq}.{number}", number + 1
    taken.add(id)
    return finding if id == finding.id else replace(finding, id=id)


def _earlier(time: str, before: str) -> bool:
    """Whether a time is before another; false where either can't be read or names no zone."""
    if len(time) == len(before) and time.endswith("Z") and before.endswith("Z"):
        return time < before
    try:
        now, then = datetime.fromisoformat(time), datetime.fromisoformat(before)
    except ValueError:
        return False
    return now.tzinfo is not None and then.tzinfo is not None and now < then
