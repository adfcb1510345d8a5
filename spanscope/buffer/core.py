"""What all views of one buffer share: its state, its journal, its lock.

The state is the replay of the journal: an event is written first and then happens, by the same
code that replays a recording. Nothing moves before the journal has accepted the record.
"""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import msgspec

from spanscope.buffer.errors import JournalWriteError, RollbackIntegrityError
from spanscope.buffer.messages import Frame
from spanscope.buffer.redaction import NOTHING_TOLD, Redact, Redaction, Told
from spanscope.buffer.room import LARGE, room_for
from spanscope.journal import errors as journal_errors
from spanscope.journal.clock import Clock, stamps
from spanscope.journal.encoding import make_event
from spanscope.journal.events import (
    AnyEvent,
    Checkpoint,
    Event,
    Ingest,
    Splice,
    Stage,
    Unknown,
    Use,
)
from spanscope.journal.writer import JournalWriter
from spanscope.model.spans import Span
from spanscope.model.splicing import take_splice
from spanscope.model.state import BufferState
from spanscope.rules.judge import Judge
from spanscope.rules.report import Report

_LAST_NUMBER = re.compile(r"-(\d{1,15})$")


class Shown(NamedTuple):
    """What a model was last shown: the revision then, and (span id, content hash) of each item."""

    revision: int
    items: tuple[tuple[str, str], ...]


class BufferCore:
    """One buffer. Whoever uses it holds `lock`; every change goes through `commit`."""

    def __init__(
        self,
        writer: JournalWriter | None = None,
        judge: Judge | None = None,
        *,
        tokenizer: str | None = None,
        clock: Clock | None = None,
        redact: Redact | None = None,
    ) -> None:
        self.writer = writer
        self.redaction = None if redact is None else Redaction(redact)
        self.judge = judge or Judge()
        self.state: BufferState = self.judge.state
        self.memory = self.judge.memory
        if tokenizer is not None:
            self.state.tokenizer = tokenizer
        self.lock = threading.RLock()
        self.time = writer.time if writer is not None else stamps(clock)
        self.shown: dict[str, Shown] = {}
        self.digests: dict[str, str] = {}
        self.frames: dict[str, Frame] = {}
        self.calls: dict[str, str] = {}
        self.message_count = 0
        self.draft_count = 0
        self.times: list[str] = []
        self.closed = False
        self._torn = 0
        # Bytes of the longest text so far.
        self._longest = 0
        _cores.add(self)

    def make(self, struct: type[Event], actor: str, ahead: int = 0, /, **fields: Any) -> AnyEvent:
        """The next event (or one `ahead` of it), checked; nothing happens yet.

        Raises TypeError for a field of a wrong type.
        """
        if actor != "agent":
            fields.setdefault("actor", actor)
        seq = self.state.seq + 1 + ahead
        return cast("AnyEvent", make_event(struct, seq, self.time(), fields))

    def check_open(self) -> None:
        """Refuse a closed buffer, and one that an interrupt left in the middle of a change."""
        if self._torn:
            raise RollbackIntegrityError(
                f"the buffer was interrupted in the middle of event {self._torn} and is not to be "
                "trusted; resume it from its journal, or make a new one"
            )
        if self.closed:
            raise JournalWriteError("the buffer is closed; resume its journal to go on")

    def commit(self, *events: AnyEvent, told: Told = NOTHING_TOLD) -> None:
        """Journal the events, all or none, and let them happen."""
        self.check_open()
        self._journal(events, told)
        for event in events:
            self.happen(event)
        self._torn = 0

    def commit_splice(self, event: Splice, before: Span, deleted: str, written: str) -> Span:
        """Journal a splice of a span that nobody holds, and let it happen without the judge."""
        self._journal((event,), NOTHING_TOLD)
        self._longest = max(self._longest, len(written))
        after = take_splice(self.state, event, before, deleted, written)
        self.judge.effect = None
        self.times.append(event.time)
        self._torn = 0
        return after

    def happen(self, event: AnyEvent | Unknown) -> None:
        """Let a journaled event happen."""
        self.judge.feed(event)
        self.times.append(event.time)
        effect = self.judge.effect
        for change in () if effect is None else effect.spans:
            node = change.after.node
            if node.length > self._longest // 4:
                self._longest = max(self._longest, node.text.__sizeof__())
        pushed = None if effect is None else effect.pushed
        for part in () if pushed is None else pushed.parts:
            if part.source is not None and part.source in self.frames:
                self.frames[part.span] = self.frames[part.source]
        if isinstance(event, Ingest):
            self._frame(event)
        elif isinstance(event, Stage):
            number = _LAST_NUMBER.search(event.diff)
            self.draft_count = max(self.draft_count, int(number[1]) if number else 0)
        elif isinstance(event, Checkpoint):
            digest = self.state.digest()
            if digest is not None:
                self.digests[event.checkpoint] = digest

    def _frame(self, event: Ingest) -> None:
        """Remember what else than its text belongs to a span that is a block of a message."""
        told = (event.meta or {}).get("message")
        if told is None:
            return
        try:
            frame = msgspec.convert(told, Frame)
        except msgspec.ValidationError:
            # Somebody else's words: the span is a message of its role then.
            return
        self.frames[event.span] = frame
        self.message_count = max(self.message_count, frame.number)
        if frame.kind == "call" and frame.pair is not None:
            self.calls[frame.pair] = event.span

    def _journal(self, events: Sequence[AnyEvent], told: Told) -> None:
        """Journal the events; from then on they must happen, or the buffer is torn."""
        if self._longest < LARGE:
            self._write(events, told)
            return
        with room_for(self._longest):
            self._write(events, told)

    def _write(self, events: Sequence[AnyEvent], told: Told) -> None:
        self._torn = events[0].seq
        writer = self.writer
        if writer is None:
            return
        try:
            if self.redaction is not None:
                record = self.redaction.record
                writer.put([record(self.state, event, told) for event in events])
            else:
                writer.put(events)
        except journal_errors.JournalWriteError as error:
            self._torn = 0
            raise JournalWriteError(str(error), outran(events, str(error))) from error
        except BaseException:
            if writer.seq < events[0].seq:
                self._torn = 0
            raise

    def take_up(self, writer: JournalWriter) -> None:
        """Go on with a journal whose events have been replayed."""
        self.writer = writer
        self.time = writer.time

    def forget_lock(self) -> None:
        """In a forked child: the threads that may have held the lock are gone."""
        self.lock = threading.RLock()


def outran(events: Sequence[AnyEvent], why: str) -> Any:
    """The finding for a change that would have happened without its record (JNL005)."""
    changes = [event for event in events if not isinstance(event, Use)]
    if not changes:
        return None
    event = changes[-1]
    report = Report(event.seq)
    span = getattr(event, "span", None)
    kind = event.__struct_config__.tag
    message = f"the buffer would have outrun its log: no record of the {kind}: {why}."
    report.add("JNL005", {} if span is None else {"span": span}, message, {"event": kind})
    return report.sorted()[0]


_cores: weakref.WeakSet[BufferCore] = weakref.WeakSet()


def _forget_locks() -> None:
    for core in list(_cores):
        core.forget_lock()


try:
    from os import register_at_fork
except ImportError:  # Windows
    pass
else:
    register_at_fork(after_in_child=_forget_locks)
