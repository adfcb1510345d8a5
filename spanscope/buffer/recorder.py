"""`Recorder`: writes the journal of an agent that has a buffer of its own.

It enforces nothing: what it is told is what the journal says. It never hurts the agent either:
what the journal can't take is lost, and the journal says so.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from spanscope.buffer.events import EventMethods
from spanscope.buffer.losing import LossyWriter
from spanscope.buffer.messages import Message
from spanscope.buffer.opening import Recordable, start_journal
from spanscope.buffer.syncing import MessageSync, ShownAs
from spanscope.journal.clock import Clock
from spanscope.journal.errors import JournalClosedError
from spanscope.journal.events import Session
from spanscope.journal.files import StrPath
from spanscope.journal.parts import Parent
from spanscope.journal.writer import JournalWriter


class Recorder(EventMethods):
    """A journal being written: one method an event, each returns the event's seq.

    A fault of the disk is no error of the agent: the event is lost, its method returns 0, and
    before the next event that the journal takes it says a `gap`. Use it as a context manager, or
    `close` it: a journal without a `close` event counts as cut short. Safe from threads; a forked
    child and a closed journal are refused.
    """

    def __init__(self, writer: JournalWriter, session: Session) -> None:
        super().__init__(LossyWriter(writer), "agent")
        self.session = session
        self._sync = MessageSync(self._writer)
        self._sync_lock = threading.Lock()

    @classmethod
    def open(
        cls,
        name: str,
        path: StrPath | None = None,
        *,
        agent: str | None = None,
        tokenizer: str | None = None,
        records: Sequence[Recordable] | None = None,
        parent: Parent | Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        session: str | None = None,
    ) -> Self:
        """Starts a journal in the state folder, or at `path`, which must not exist yet.

        `agent` is what the header calls the agent (default: `name`), `session` the session's id
        (default: `<name>-<UTC>-<pid>`), `records` what this source can record at all (default:
        everything), `tokenizer` the encoding in which ranges of tokens count (`o200k_base`).
        `clock` gives the time of every event; with it and `session` the same calls write the
        same bytes.

        Raises JournalError where the file exists, has a writer or can't be created, TypeError
        for a header field of a wrong type.
        """
        writer, header = start_journal(
            name,
            path,
            clock,
            agent=agent,
            session=session,
            tokenizer=tokenizer,
            parent=parent,
            records=records,
        )
        return cls(writer, header)

    def __repr__(self) -> str:
        return f"<Recorder: {self.seq} events in {self.path}>"

    @property
    def path(self) -> Path:
        """The journal."""
        return self._writer.path

    @property
    def seq(self) -> int:
        """The seq of the last event, 0 before the first."""
        return self._writer.seq

    @property
    def closed(self) -> bool:
        """Whether nothing can be recorded any more."""
        return self._writer.writer.closed

    @property
    def lost(self) -> int:
        """How many events were lost since the journal last took one."""
        return self._writer.lost

    def sync(
        self,
        messages: Iterable[Message],
        *,
        system: object = None,
        call: str | None = None,
        actor: str = "agent",
        shown: ShownAs = True,
    ) -> list[str]:
        """Before each model call: journals what became of the message list since the last.

        Takes OpenAI's and Anthropic's lists, with a `system` prompt that stands beside them. One
        span a content block: what is the same keeps its id, what says something else at its place
        is changed under its id (cut, cleared, rewritten), what is gone is pruned, and a tool's
        result answers its call. Returns the ids, in order; they are good for `derive`.

        `shown` says what the call is shown where that is not the list: each message as it is
        shown, None for one that is left out. False: nothing is shown now, after a call.

        Raises nothing on its own account, but JournalClosedError as every method does.
        """
        with self._sync_lock:
            try:
                return self._sync.sync(messages, system, call, actor, shown)
            except JournalClosedError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, the agent goes on
                self._writer.lose(1, error)
                return []

    def as_actor(self, actor: str) -> EventMethods:
        """A view of this recorder whose events carry that actor."""
        return EventMethods(self._writer, actor)

    def close(self) -> None:
        """Ends the journal with a `close` event and is live no more; twice does no harm.

        Where the journal can't take it, the journal is merely cut short.
        """
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
