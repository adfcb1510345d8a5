"""`ContextBuffer`: the context of an agent, in memory or with its journal."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from spanscope.buffer.changes import Changes
from spanscope.buffer.conversation import Conversation
from spanscope.buffer.core import BufferCore
from spanscope.buffer.drafting import Drafting
from spanscope.buffer.errors import JournalWriteError
from spanscope.buffer.holding import Holding
from spanscope.buffer.opening import start_journal
from spanscope.buffer.redaction import Redact
from spanscope.buffer.resuming import resume
from spanscope.buffer.undo import Undo
from spanscope.journal import errors as journal_errors
from spanscope.journal.clock import Clock
from spanscope.journal.files import StrPath


class BufferView(Changes, Holding, Drafting, Undo, Conversation):
    """A buffer as one actor uses it."""


class ContextBuffer(BufferView):
    """A context that an agent edits, with every change undoable and nothing stale unnoticed.

    Made directly it lives in memory; `record` also writes its journal. Safe from threads and
    from asyncio: no method awaits, none holds a lock when it returns.
    """

    def __init__(self, *, tokenizer: str | None = None, clock: Clock | None = None) -> None:
        super().__init__(BufferCore(tokenizer=tokenizer, clock=clock), "agent")

    @classmethod
    def record(
        cls,
        name: str,
        path: StrPath | None = None,
        *,
        durable: bool = False,
        tokenizer: str | None = None,
        redact: Redact | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """A buffer with a journal in the state folder, or at `path`, which must not exist yet.

        `durable`: every change is on the disk before its method returns, which blocks for an
        fsync. `tokenizer` names the tokenizer of artifacts that count tokens. `redact` gives what
        the journal gets instead of a text; it is asked of whole spans, must be deterministic and
        must not use the buffer. The buffer itself works with the true texts, but its journal
        can't be resumed once something was redacted.

        Raises JournalError where the journal can't be created.
        """
        writer, _ = start_journal(name, path, clock, durable=durable, tokenizer=tokenizer)
        return cls._over(BufferCore(writer, tokenizer=tokenizer, redact=redact))

    @classmethod
    def resume(
        cls,
        session_or_path: StrPath,
        *,
        durable: bool = False,
        redact: Redact | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """Goes on with a journal after a crash or a close: the same file, the next seq.

        Takes a path, or a session's name in the state folder (the newest of that name). A torn
        tail is moved into a file beside the journal. What the process that ended held and had
        staged is released and withdrawn; checkpoints and the undo stack go on.

        Raises JournalError where there is no such journal, or it has a writer or can't be
        written, RollbackIntegrityError where damage leaves its buffer unknown.
        """
        core = resume(session_or_path, durable=durable, redact=redact, clock=clock)
        return cls._over(core)

    @classmethod
    def _over(cls, core: BufferCore) -> Self:
        buffer = cls.__new__(cls)
        BufferView.__init__(buffer, core, "agent")
        return buffer

    def __repr__(self) -> str:
        place = "in memory" if self.path is None else f"in {self.path}"
        return f"{super().__repr__()[:-1]}, {place}>"

    @property
    def path(self) -> Path | None:
        """The journal; None in memory."""
        writer = self._core.writer
        return None if writer is None else writer.path

    @property
    def closed(self) -> bool:
        """Whether nothing can be changed any more."""
        core = self._core
        return core.closed or (core.writer is not None and core.writer.closed)

    def as_actor(self, actor: str) -> BufferView:
        """A view of this buffer whose events carry that actor."""
        return BufferView(self._core, actor)

    def close(self) -> None:
        """Ends the journal in good order; reading goes on working. Twice does no harm.

        Raises JournalWriteError where the journal can't take its end; it is closed all the same.
        """
        core = self._core
        with core.lock:
            core.closed = True
            if core.writer is None:
                return
            try:
                core.writer.close()
            except journal_errors.JournalWriteError as error:
                raise JournalWriteError(str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
