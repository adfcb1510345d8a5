"""`Recorder`: writes the journal of an agent that has a buffer of its own.

It enforces nothing and computes nothing: what it is told is what the journal says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from spanscope.buffer.events import EventMethods
from spanscope.buffer.opening import Recordable, start_journal
from spanscope.journal.events import Session
from spanscope.journal.files import StrPath
from spanscope.journal.parts import Parent
from spanscope.journal.writer import Clock, JournalWriter


class Recorder(EventMethods):
    """A journal being written: one method an event, each returns the event's seq.

    Use it as a context manager, or `close` it: a journal without a `close` event counts as cut
    short. Safe from threads; a forked child is refused.
    """

    def __init__(self, writer: JournalWriter, session: Session) -> None:
        super().__init__(writer, "agent")
        self.session = session

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
        return self._writer.closed

    def as_actor(self, actor: str) -> EventMethods:
        """A view of this recorder whose events carry that actor."""
        return EventMethods(self._writer, actor)

    def close(self) -> None:
        """Ends the journal with a `close` event and is live no more; twice does no harm."""
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
