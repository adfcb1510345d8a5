"""The buffer as the journal tells it: spans, order, undo stack, artifacts, staged diffs.

`BufferState` is data and questions; what an event does to it stands in `replay`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from spanscope.journal.parts import Inverse
from spanscope.model.content import buffer_digest
from spanscope.model.diffs import BaseState, Diff
from spanscope.model.keeping import Recent, Recording
from spanscope.model.spans import Artifact, Doubt, Span
from spanscope.model.stack import UndoStack
from spanscope.model.states import States
from spanscope.model.steps import Step, StepLog
from spanscope.model.touches import Touches
from spanscope.model.undo import Entry

NEAR = (32, 128)
"""So many places to each side of where an id last stood are looked at first, and then so many."""

OrderStep: TypeAlias = Step[str]

_seq = attrgetter("seq")


class Savepoint(Struct, kw_only=True, gc=False, frozen=True):
    """A named checkpoint; `snapshot` where the agent kept a full copy of the buffer there."""

    checkpoint: str
    seq: int
    snapshot: bool


class Superseding(NamedTuple):
    """The span that an ingest at `seq` brought in to supersede another."""

    span: str
    seq: int


class LastChange(Struct, kw_only=True, gc=False):
    """What an `abort` of the newest change has to put back.

    `undone` are ids that it brought in, whose uses were all undone, `freed` those that so became.
    """

    seq: int
    spans: dict[str, Span | None]
    pushed: int
    revision: int | None
    known_from: int = 0
    steps: Sequence[OrderStep] = ()
    popped: Sequence[Entry] = ()
    replaced: Sequence[tuple[Entry, Entry]] = ()
    artifacts: dict[str, Artifact] = {}
    diff: Diff | None = None
    undone: frozenset[str] = frozenset()
    freed: frozenset[str] = frozenset()
    superseded: dict[str, list[Superseding]] | None = None
    presumed: frozenset[str] = frozenset()


class Sighting(NamedTuple):
    """An observation at `seq` that told the text of spans of which none was known."""

    seq: int
    spans: tuple[str, ...]


class BufferState:
    """Everything that holds after the event `seq`.

    `revision` counts the events that really changed content or order; null once lines were
    lost. `doubt` says since when the order and the undo stack are unknown; the entries below
    `known_from` (a stack position, bottom first) are. Where the rules are asked of each event,
    entries of events after `sure_above` can surely be undone, each from the head. `touched_at`
    says when each span was last touched, the last one last; `lives_changed_at` is the last
    event that made a span come, go or answer, `answers_to` names the spans that ever answered a
    span. Events were last lost before the event `lost_at`, first before `first_lost_at`; what
    was made before `certain_before` was not taken back there by an abort; `left` are the
    artifacts and diffs that went since. All uses of `undone_ids` were undone, as those were of an
    id when a change (seq) of `used_anew` brought it in. `did_not_happen` are the changes (seqs)
    that were aborted or impossible. Where an audit gives `recent`, contents that did not change
    for long are kept in little memory, and where it gives a `recording`, what stands in that is
    read again.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.touched_at: dict[str, int] = {}
        self.lives_changed_at = 0
        self.revision: int | None = 0
        self.revision_seq = array("Q", [0])
        self.records: frozenset[str] | None = None
        self.tokenizer: str | None = None
        self.spans: dict[str, Span] = {}
        self.order: list[str] = []
        self._places: dict[str, int] = {}
        self.chronicle: dict[str, list[Span] | States] = {}
        self.order_log: StepLog[str] = StepLog()
        self.artifacts: dict[str, Artifact] = {}
        self.holders: dict[str, dict[str, None]] = {}
        self.stack = UndoStack()
        self.touches = Touches(self.stack)
        self.known_from = 0
        self.sure_above: int | None = None
        self.did_not_happen: set[int] = set()
        self.pending: dict[int, dict[int, Inverse]] = {}
        self.staged: dict[str, Diff] = {}
        self.savepoints: dict[str, Savepoint] = {}
        self.undone_ids: set[str] = set()
        self.used_anew: set[tuple[int, str]] = set()
        self.superseded: dict[str, list[Superseding]] = {}
        self.answers_to: dict[str, list[str]] = {}
        self.doubt: Doubt | None = None
        self.last_change: LastChange | None = None
        self.sighting: Sighting | None = None
        self.lost_at = 0
        self.first_lost_at = 0
        self.certain_before = 0
        self.left: set[tuple[str, str]] = set()
        self.recent: Recent | None = None
        self.recording: Recording | None = None

    @property
    def damaged(self) -> bool:
        """Whether events were lost: then names that no event gave may have been given there."""
        return self.revision is None

    def surely_left(self, kind: str, name: str) -> bool:
        """Whether there is no such artifact or diff, though lines were lost: it left since then."""
        return not self.damaged or (kind, name) in self.left

    def leaves(self, kind: str, name: str) -> None:
        """An artifact or a diff is there no more."""
        if self.damaged:
            self.left.add((kind, name))

    def may_be_another(self, artifact: Artifact) -> bool:
        """Whether it may have been released, or derived again, where events were lost.

        A matching digest since puts an end to that: all goes on as before.
        """
        return self.doubt is not None and artifact.seq < self.lost_at

    def may_have_left(self, diff: Diff) -> bool:
        """Whether a diff may have been applied, taken back or staged anew where events were lost.

        A matching digest since puts an end to that: all goes on as before.
        """
        return self.doubt is not None and diff.seq < self.lost_at

    def may_be_back(self, span: Span) -> bool:
        """Whether a span that is not live may be, brought back where events were lost."""
        if self.doubt is None or span.live:
            return False
        return span.since < self.lost_at or not span.life_known

    def can_record(self, what: str) -> bool:
        """Whether the source can record `what` at all (the header's `records`)."""
        return self.records is None or what in self.records

    def span(self, name: str) -> Span | None:
        """The span as it is now, gone ones too."""
        return self.spans.get(name)

    def span_at(self, name: str, seq: int) -> Span | None:
        """The span as it was after the event `seq`."""
        states = self.chronicle.get(name)
        if states is None:
            return None
        if isinstance(states, States):
            now = self.spans[name]
            return now if now.seq <= seq else states.at(seq)
        last = states[-1]
        if last.seq <= seq:
            return last
        if states[0].seq > seq:
            return None
        return states[bisect_right(states, seq, key=_seq) - 1]

    def touched_since(self, seq: int) -> Iterator[str]:
        """The spans that were touched after the event `seq`, the last first."""
        for name, touched in reversed(self.touched_at.items()):
            if touched <= seq:
                return
            yield name

    def order_at(self, seq: int) -> list[str]:
        """The ids of the live spans in order, after the event `seq`."""
        return self.order_log.at(seq, self.order)

    def order_stood(self, seq: int, later: int) -> bool:
        """Whether nothing was done to the order after the event `seq`, up to another."""
        return seq == later or self.order_log.count_at(seq) == self.order_log.count_at(later)

    def orders_back(self, seq: int) -> Iterator[tuple[int, list[str]]]:
        """(seq, the order right before it) of the events that changed the order, newest first."""
        return self.order_log.back_from(seq, self.order)

    def index_in(self, order: list[str], name: str) -> int | None:
        """An id's index in an order like the buffer's; null where it stands nowhere.

        It is looked for first near where it last stood: in thousands a search from the start
        takes longer than all else that a change costs.
        """
        near = self._places.get(name, 0)
        for reach in (*NEAR, near + len(order)):
            try:
                place = order.index(name, max(0, near - reach), near + reach)
            except ValueError:
                continue
            self._places[name] = place
            return place
        return None

    def take_order(self, steps: list[OrderStep], order: list[str]) -> None:
        """Take over a new order and the steps that led to it."""
        self.order = order
        self.order_log.extend(steps, order)

    def append_to_order(self, steps: list[OrderStep], name: str) -> None:
        """One id more at the end, without a new list."""
        self._places[name] = len(self.order)
        self.order.append(name)
        self.order_log.extend(steps, self.order)

    def put(self, span: Span) -> None:
        """Make this the span's current state."""
        name = span.span
        before = self.spans.get(name)
        if span.since != span.seq:
            # What an undo brings back has been so only since then.
            since = before.since if before and before.life == span.life else span.seq
            span = span if since == span.since else replace(span, since=since)
        self.spans[name] = span
        if before is None:
            self.chronicle[name] = [span] if self.recording is None else States(span)
        else:
            self.chronicle[name].append(span)
            del self.touched_at[name]
        self.touched_at[name] = self.seq
        answered = None if before is None else before.answers
        if before is None or before.life != span.life or answered != span.answers:
            self.lives_changed_at = self.seq
        if self.recent is not None and (before is None or before.node is not span.node):
            if before is not None:
                before.node.newest = False
            span.node.newest = True
            self.recent.add(span.node)
        if span.answers is not None and answered != span.answers:
            self.answers_to.setdefault(span.answers, []).append(name)

    def live_answers(self, call: str) -> list[str]:
        """The live spans that answer a span."""
        answers = dict.fromkeys(self.answers_to.get(call, ()))
        return [
            name for name in answers if (span := self.spans[name]).live and span.answers == call
        ]

    def count_revision(self, seq: int) -> None:
        """An event really changed content or the order."""
        if self.revision is not None:
            self.revision += 1
            if len(self.revision_seq) > self.revision:
                del self.revision_seq[self.revision :]
            self.revision_seq.append(seq)

    def touch(self, span: Span, entry: Entry) -> None:
        """Make this the state of a span that stays what it is but for its content.

        Its entry is the newest of all: as `push` and `put`, without looking.
        """
        name = span.span
        states, before = self.chronicle[name], self.spans[name]
        if isinstance(states, States):
            states.append_spliced(before, span)
        else:
            states.append(span)
        if isinstance(states, States) and entry.recorded:
            self.stack.put_splice(entry, states)
        else:
            self.stack.append(entry)
        self.touches.splice(name, entry)
        self.spans[name] = span
        del self.touched_at[name]
        self.touched_at[name] = self.seq
        if self.recent is not None:
            self.recent.add(span.node)

    def supersede_no_more(self, undone: Callable[[Superseding], bool]) -> None:
        """Forget what spans supersede whose ingest was undone."""
        self.superseded = {
            name: kept
            for name, found in self.superseded.items()
            if (kept := [each for each in found if not undone(each)])
        }

    def base_state(self, revision: int) -> BaseState | None:
        """The buffer as it was at a revision; null where there was no such revision."""
        if self.revision is None or not 0 <= revision <= self.revision:
            return None
        now = revision == self.revision
        seq = self.seq if now else self.revision_seq[revision + 1] - 1
        steps = self.order_log.count if now else self.order_log.count_at(seq)
        return BaseState(self, seq=seq, revision=revision, order_steps=steps)

    def base_now(self) -> BaseState:
        """The buffer as it is, where its revision is unknown."""
        return BaseState(self, seq=self.seq, revision=-1, order_steps=self.order_log.count)

    def digest(self, *, presumed: bool = False) -> str | None:
        """The digest of the live spans in order; null where it is unknown.

        `presumed`: what it is if everything in doubt is as the journal has it.
        """
        if self.doubt is not None and not presumed:
            return None
        rows: list[tuple[str, str]] = []
        for name in self.order:
            span = self.spans[name]
            hash = span.node.hash if presumed else span.hash
            if hash is None:
                return None
            rows.append((name, hash))
        return buffer_digest(rows)

    def hold(self, artifact: Artifact) -> None:
        """Make the artifact live, or key it anew."""
        key = artifact.artifact
        if key in self.artifacts:
            self.drop(key)
        self.artifacts[key] = artifact
        self.left.discard(("artifact", key))
        for name in artifact.spans:
            held = self.holders.get(name)
            if held is None:
                self.holders[name] = {key: None}
            else:
                held[key] = None

    def drop(self, name: str) -> Artifact | None:
        """The artifact is no longer live."""
        artifact = self.artifacts.pop(name, None)
        if artifact is not None:
            for span in artifact.spans:
                self.holders[span].pop(name, None)
        return artifact

    def artifacts_on(self, name: str) -> list[Artifact]:
        """The live artifacts derived from a span, in the order in which they were derived."""
        return [self.artifacts[holder] for holder in self.holders.get(name, ())]

    @property
    def known_since(self) -> int:
        """The seq of the oldest entry that is known; one more than the last where none is."""
        if self.known_from == 0:
            return 0
        if self.known_from < len(self.stack):
            return self.stack[self.known_from].seq
        return self.seq + 1

    def push(self, entry: Entry) -> None:
        """Put an entry onto the undo stack, or back to its place in it."""
        self.stack.put(entry)
        self.touches.add(entry)

    def replace_entry(self, position: int, entry: Entry) -> None:
        """Let the entry at a stack position become another."""
        self.stack[position] = entry
        self.touches.add(entry)

    def entries_above(self, seq: int) -> list[Entry]:
        """The entries of events after `seq`, bottom first."""
        return self.stack[self.stack.above(seq) :]

    def entry(self, seq: int) -> tuple[int, Entry] | None:
        """The undo entry of an event and its stack position (bottom first)."""
        index = self.stack.find(seq)
        return None if index is None else (index, self.stack[index])


def base_digest(base: BaseState) -> str | None:
    """The digest of a base state; null where a hash is unknown."""
    rows: list[tuple[str, str]] = []
    for span in base.spans():
        if span.hash is None:
            return None
        rows.append((span.span, span.hash))
    return buffer_digest(rows)
