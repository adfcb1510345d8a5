"""The history of a session: any step at once, any finding, fed while it grows.

Postings instead of a state a step: for each span, artifact, undo entry and diff, when it changed
and what it became. `at(seq)` bisects only what is asked for.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO

from spanscope.history.collecting import collection_paused, give_back_memory
from spanscope.history.differing import Differing
from spanscope.history.holdings import Holdings
from spanscope.history.lives import Lives
from spanscope.history.moment import Moment
from spanscope.history.past import Ground
from spanscope.history.revisions import Revisions
from spanscope.history.rows import EventRow, UnknownSubject
from spanscope.history.touched import ONLY_LOOKING, subjects_of
from spanscope.history.touches import Touches
from spanscope.history.undo_log import Depth, UndoLog
from spanscope.journal.events import AnyEvent, Close, Gap, Mark, Render, Session, Unknown
from spanscope.journal.index import EventLog, LineSource
from spanscope.journal.numbers import appended
from spanscope.journal.reader import DEFAULT_MAX_LINE, JournalParser, Record, read_journal
from spanscope.rules.finding import SEVERITY_ORDER, Finding

if TYPE_CHECKING:
    from spanscope.history.audit import Audit
    from spanscope.history.kept_texts import KeptTexts
    from spanscope.history.staged_log import StagedLog, VerdictChange
    from spanscope.journal.files import StrPath
    from spanscope.model.diffs import Diff
    from spanscope.model.spans import Span
    from spanscope.model.state import BufferState
    from spanscope.rules.judgements import DiffJudgement


MOST_LOOKED_UP = 64
"""So many events are looked at again for what they changed."""


class History(Holdings):
    """A journal's events and what held after each of them."""

    def __init__(self, max_line: int = DEFAULT_MAX_LINE, source: LineSource | None = None) -> None:
        super().__init__()
        self._parser = JournalParser(max_line)
        self.events = EventLog(source)
        self.findings: list[Finding] = []
        """All findings in file order."""
        self._begun: Audit | None = None
        self.revisions = Revisions()
        self.turns = array("I")
        self.marks = array("I")
        self.calls = array("I")
        self.renders = array("I")
        self.closed: Close | None = None
        self._at_seq: dict[int, list[Finding]] = {}
        self._undo = UndoLog()
        self._changed: dict[int, tuple[str, ...]] = {}
        self.bad_holder = ""
        """An artifact that was found not to be fresh: where the next look begins."""
        self.fresh_at: int | None = None
        """A step at which all artifacts were found fresh."""
        self._lossy = False
        self._lives = Lives()
        self.differing = Differing()
        self._grounds: list[Ground] = [Ground(0, None, 0, 0, 0)]
        self._span_names: list[str] = []
        self._span_places: dict[str, int] = {}
        self._touched = Touches(self._names)

    @cached_property
    def state(self) -> BufferState:
        """The buffer after the last event; made when it is first asked for, as the audit is."""
        from spanscope.model.state import BufferState

        state = BufferState()
        state.recording = self._texts
        return state

    @cached_property
    def _texts(self) -> KeptTexts:
        from spanscope.history.kept_texts import KeptTexts

        return KeptTexts()

    @property
    def _audit(self) -> Audit:
        """Made with the first line: a screen without any doesn't wait for the rules to load."""
        if self._begun is None:
            from spanscope.history import audit

            self._begun = audit.Audit(self.events, self.state, self.findings, self._texts)
        return self._begun

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the journal, cut anywhere."""
        for item in self._parser.feed(data):
            self._take(item)

    def finish(self, *, live: bool = False) -> None:
        """The recording ends here; `live`: a writer still lives, so a torn line is none yet."""
        for item in self._parser.finish(live=live):
            self._take(item)
        if not live:
            self._end()

    def _end(self) -> None:
        """What only the end of a recording can tell."""
        lost_behind = self._audit.lost_behind
        for finding in self._audit.finish():
            self._index(finding)
        if len(self) and lost_behind:
            # That makes the last event unknown too.
            self.revisions.note(len(self) - 1, self.state.revision)
            self._lives = Lives()
        self._follow_ground()

    def _take(self, item: object) -> None:
        audit = self._audit
        seen = audit.seen
        for finding in audit.take(item):  # type: ignore[arg-type]
            self._index(finding)
        if audit.seen > seen:
            assert isinstance(item, Record)
            self._keep(item.event)

    def _index(self, finding: Finding) -> None:
        self._lossy = self._lossy or finding.rule.startswith("JNL")
        if finding.seq is not None:
            self._at_seq.setdefault(finding.seq, []).append(finding)
            for kind, name in finding.subject.items():
                self._touched.add(kind, name, finding.seq)

    def _keep(self, event: AnyEvent | Unknown) -> None:
        self.revisions.note(len(self) - 1, self.state.revision)
        if isinstance(event, Mark):
            self.marks = appended(self.marks, event.seq)
            if event.kind == "turn":
                self.turns = appended(self.turns, event.seq)
            elif event.kind == "llm":
                self.calls = appended(self.calls, event.seq)
        elif isinstance(event, Render):
            self.renders = appended(self.renders, event.seq)
        self.closed = event if isinstance(event, Close) else None
        self._lossy = self._lossy or isinstance(event, Gap)
        effect = self._audit.judge.effect
        if effect is None:
            return
        for kind, name in subjects_of(event, effect):
            self._touched.add(kind, name, event.seq)
        spans = {change.after.span for change in effect.spans}
        spans.update(span.span for span in effect.collected)
        if spans and spans != {getattr(event, "span", None)}:
            self._changed[event.seq] = tuple(spans)
        self._undo.follow(effect, self.state.stack)
        self._follow_artifacts(effect, self.state.artifacts)
        if effect.diff is not None:
            self._staged.stage(effect.seq, self.state)
        if not isinstance(event, ONLY_LOOKING) or self.state.lost_at == event.seq:
            self._follow_ground()

    def _follow_ground(self) -> None:
        memory, state = self._audit.judge.memory, self.state
        known = _known_since(state)
        blocked, uncertain = memory.reach.blocker(known), memory.reach.uncertain()
        ground = Ground(state.seq, state.doubt, known, blocked, uncertain, state.lost_at)
        if ground[1:] != self._grounds[-1][1:]:
            self._grounds.append(ground)
        out_of_reach = max(blocked, uncertain, known - 1)
        under = bisect_right(state.stack, out_of_reach, key=lambda entry: entry.seq)
        self._undo.note_depth(state.seq, Depth(len(state.stack), len(state.stack) - under))
        for name, verdict in memory.verdicts.items():
            self._staged.judge(state.seq, name, verdict)

    @property
    def seqs(self) -> Sequence[int]:
        """The seqs of the events, ascending."""
        return self.events.seqs

    @property
    def session(self) -> Session | None:
        """The header; null where there is none."""
        return None if self._begun is None else self._begun.session

    @property
    def name(self) -> str:
        """The session's id, empty where there is no header."""
        return "" if self.session is None else self.session.session

    @property
    def last(self) -> int:
        """The seq of the last event; 0 where there is none."""
        return self.seqs[-1] if self.seqs else 0

    def __len__(self) -> int:
        return len(self.events)

    @property
    def unknown(self) -> list[UnknownSubject]:
        """Every subject that could not be judged."""
        return [] if self._begun is None else self._begun.unknown()

    def findings_at(self, seq: int) -> tuple[Finding, ...]:
        """The findings of one event, worst first."""
        found = self._at_seq.get(seq)
        if found is None:
            return ()
        return tuple(sorted(found, key=lambda finding: SEVERITY_ORDER[finding.severity]))

    def counts(self, upto: int | None = None) -> dict[str, int]:
        """How many findings of each severity; `upto`: of the events up to that seq."""
        counts = {"error": 0, "warning": 0, "info": 0}
        for finding in self.findings:
            if upto is None or finding.seq is None or finding.seq <= upto:
                counts[finding.severity] += 1
        return counts

    def position(self, seq: int) -> int:
        """The index of the last event at or before a seq; -1 before the first."""
        return bisect_right(self.seqs, seq) - 1

    def event(self, seq: int) -> AnyEvent | Unknown | None:
        """The event with this seq; null where there is none."""
        return self.events.of(seq)

    def event_row(self, position: int) -> EventRow:
        """The event at an index, with its findings."""
        event = self.events.at(position)
        return EventRow(event.seq, event, self.findings_at(event.seq))

    def changed_between(self, one: int, other: int) -> set[str] | None:
        """The spans that the events after one step up to another may have changed or derived from.

        Null where that takes too long to be looked up, or where something was lost.
        """
        first, last = sorted((self.position(one), self.position(other)))
        if last - first > MOST_LOOKED_UP or self._lossy:
            return None
        names: set[str] = set()
        for seq in self.seqs[first + 1 : last + 1]:
            event = self.event(seq)
            names.update(self._changed.get(seq, ()))
            names.add(getattr(event, "span", ""))
            names.update(source.span for source in getattr(event, "sources", ()))
        return names

    def touched(self, subject: dict[str, str | int]) -> Sequence[int]:
        """The seqs of the events that touched a subject, ascending."""
        found = [self._touches(kind, name) for kind, name in subject.items()]
        return found[0] if len(found) == 1 else sorted({seq for seqs in found for seq in seqs})

    def _touches(self, kind: str, name: str | int) -> Sequence[int]:
        seqs = self._touched.of(kind, name)
        if kind == "entry" and isinstance(name, int) and name not in seqs[:1]:
            return (name, *seqs) if self._undo.has(name) else seqs
        return seqs

    def revision_at(self, seq: int) -> int | None:
        """The revision after an event; null where it is unknown."""
        return self.revisions[self.position(seq)]

    def at(self, seq: int) -> Moment:
        """What held after the event `seq`; 0: the empty buffer.

        Raises:
            ValueError: there is no such event yet.
        """
        if not 0 <= seq <= self.last:
            raise ValueError(f"no such seq: {self.last} is the last")
        return Moment(self, seq)

    def ground_at(self, seq: int) -> Ground:
        """What held of the undo stack and the order after an event."""
        return self._grounds[bisect_right(self._grounds, seq, key=lambda item: item.seq) - 1]

    @property
    def undo(self) -> UndoLog:
        """The undo stack at any step."""
        return self._undo

    @cached_property
    def _staged(self) -> StagedLog:
        from spanscope.history.staged_log import StagedLog

        return StagedLog()

    def staged_at(self, seq: int) -> dict[str, Diff]:
        """What was staged after an event."""
        return {} if self._begun is None else self._staged.at(self.state, seq)

    def verdict_changes(self, seq: int) -> Sequence[VerdictChange]:
        """The staged diffs whose verdict became another at an event."""
        return () if self._begun is None else self._staged.changes(seq)

    def subjects(self) -> Iterator[tuple[str, str | int]]:
        """(kind, id) of everything that any event touched."""
        yield from self._touched
        for seq in self._undo.seqs:
            if not self._touched.of("entry", seq):
                yield "entry", seq

    def verdict_at(self, diff: str, seq: int) -> DiffJudgement | None:
        """The last verdict on a diff at or before an event."""
        return None if self._begun is None else self._staged.verdict_at(diff, seq)

    def span_names(self) -> Sequence[str]:
        """The ids of all spans there ever were, in the order in which they came."""
        if len(self._span_names) != len(self.state.chronicle):
            self._span_names = list(self.state.chronicle)
            self._span_places = {name: place for place, name in enumerate(self._span_names)}
        return self._span_names

    def place_of_span(self, name: str) -> int | None:
        """The place of a span among all there ever were; null where it never was."""
        self.span_names()
        return self._span_places.get(name)

    def states_of(self, name: str) -> Sequence[Span]:
        """All states of a span, in order."""
        return self.state.chronicle.get(name, ())

    def lives(self) -> Lives:
        """How many spans there were of each kind, and which were gone, up to the last event."""
        if self._begun is not None:
            self._lives.follow(self.state)
        return self._lives


def _known_since(state: BufferState) -> int:
    """The seq from which on the undo entries are known."""
    if not state.known_from:
        return 0
    if state.known_from < len(state.stack):
        return state.stack[state.known_from].seq
    return state.stack[-1].seq + 1


def load(
    source: StrPath | BinaryIO,
    *,
    max_line: int = DEFAULT_MAX_LINE,
    until: int | None = None,
    live: bool = False,
) -> History:
    """The history of a whole recording.

    `until`: read only so many bytes (the size at opening of a file whose writer lives).

    Raises:
        JournalError: the file can't be read.
    """
    lines = LineSource(source) if isinstance(source, str | os.PathLike) else None
    history = History(max_line, lines)
    with collection_paused():
        for item in read_journal(source, max_line, until=until, live=live or until is not None):
            history._take(item)
        if not live and until is None:
            history._end()
    give_back_memory()
    return history
