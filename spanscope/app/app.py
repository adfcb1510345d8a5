"""The app: the board over a journal, which may still be read or written."""

from __future__ import annotations

import time

from textual import work
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from spanscope.app.announcing import Announcer
from spanscope.app.board_app import COMPARING, BoardApp, Reader, Source
from spanscope.app.later import load_the_rest
from spanscope.app.settings import Settings
from spanscope.history.history import History
from spanscope.journal.errors import JournalError
from spanscope.journal.files import StrPath
from spanscope.widgets.scene import Audit

TICK = 1.0
"""Seconds after which the age of the last event is told anew."""


class SpanscopeApp(BoardApp):
    """The debugger on one journal.

    `source` is a history that is read already, a loader that reads a recording while the screen
    is there, a follower of a journal that grows, or a presentation of two runs. `at` is the step
    to open at; without it a recording opens at its first error and a growing journal is followed.
    """

    class Grew(Message):
        """The loader has read on."""

        def __init__(self, audit: Audit) -> None:
            super().__init__()
            self.audit = audit

        def can_replace(self, message: Message) -> bool:
            """Only the newest counts."""
            return isinstance(message, SpanscopeApp.Grew)

    def __init__(
        self,
        source: Source,
        path: StrPath = "",
        *,
        at: int | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(source, path, settings or Settings(), self._begin)
        self.navigator.following = self._follower is not None and at is None
        self._at = at
        self._announcer = Announcer()

    def _begin(self) -> None:
        """Start reading, open where the trouble is."""
        self.animation_level = "none"
        self.theme_changed_signal.subscribe(self.board, lambda _theme: self._restyle())
        self._restyle()
        reader = self._reader
        if reader is not None:
            self.navigator.grew(reader.audit, reader.live)
            # The first screen doesn't share the processor with the audit.
            self.call_after_refresh(self._read, reader)
        if self._follower is not None:
            self.set_interval(TICK, self._tick)
        if self._presentation is not None:
            self.perform("start_over")
        self._open()
        self.redraw()

    def _tick(self) -> None:
        """Tell the age of the last event."""
        with self._reading():
            self.navigator.count_unknown()
        self.redraw()

    def _open(self) -> None:
        """Where the cursor stands as long as nobody has moved it."""
        navigator = self.navigator
        if self._moved or navigator.following:
            return
        if self._at is not None:
            if self._at <= navigator.history.last:
                navigator.start_at(self._at)
                self._moved = True
                self.commands.explain_here()
            else:
                navigator.to_end()
                if navigator.audit.done:
                    self.desk.notice = f"no such seq: {navigator.history.last} is the last"
        elif navigator.open_at_trouble():
            self._moved = True
            self.commands.details.open_tab("why")
        else:
            navigator.to_end()

    # Reading

    @work(thread=True, exclusive=True, exit_on_error=False, group="audit")
    def _read(self, reader: Reader) -> None:
        worker = get_current_worker()

        def tell(audit: Audit) -> None:
            self.post_message(self.Grew(audit))

        load_the_rest()
        reader.run(tell, lambda: worker.is_cancelled)

    def on_spanscope_app_grew(self, message: Grew) -> None:
        """Show what has been read since."""
        reader = self._reader
        if reader is None:
            return
        started = time.monotonic()
        with self._reading():
            navigator = self.navigator
            known = navigator.live if navigator.audit.done else None
            if reader.history is not navigator.history:
                self._adopt(reader.history)
            navigator.grew(message.audit, reader.live)
            halted = navigator.halted
            self._open()
            self.desk.notice = self._announcer.notice(
                self.desk.notice, known, navigator, moved=self._moved
            )
        if halted:
            self.desk.notice = halted
        self.redraw()
        reader.pace.drew(time.monotonic() - started)

    def _adopt(self, history: History) -> None:
        """The journal was read again."""
        self.navigator.adopt(history)
        if self._acts:
            self.commands.forget()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say what went wrong with reading, and keep what was read."""
        error = event.worker.error
        if event.worker.group == COMPARING and event.state is WorkerState.SUCCESS:
            self.redraw()
        elif event.state is not WorkerState.ERROR or not isinstance(error, Exception):
            return
        elif isinstance(error, JournalError):
            self.desk.notice = f"reading stopped: {error}"
            self.redraw()
        else:
            self._handle_exception(error)
