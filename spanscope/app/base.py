"""What all apps here have in common: whatever ends them, the terminal is given back as it was."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from functools import partial
from typing import Generic, TypeVar

from textual import events
from textual.app import App
from textual.message import Message
from textual.screen import Screen

from spanscope.app.hangup import SIGNALLED, end_with_terminal
from spanscope.history.collecting import release_collection
from spanscope.text.visible import without_hidden

Result = TypeVar("Result")

HOW_TO_LEAVE = "q or ctrl+q leaves spanscope"
"""What a key says that ends many other programs."""

ENDING = ("SIGTERM", "SIGHUP", "SIGINT")
"""What asks a process to end."""


class Said(Message):
    """Something that ran beside the screen has ended."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class QuietApp(App[Result], Generic[Result]):
    """An app that keeps its `crash` for whoever runs it; its inputs get only what can be seen."""

    crash: Exception | None = None

    def on_mount(self) -> None:
        """Leave in good order at a signal, as far as the system lets one."""
        self.call_after_refresh(release_collection)
        loop, drawn_on = asyncio.get_running_loop(), sys.__stderr__
        if drawn_on is not None and drawn_on.isatty() and not self.is_headless:
            hung_up = getattr(signal, "SIGHUP", signal.SIGTERM)
            leave = partial(loop.call_soon_threadsafe, self._end, hung_up)
            end_with_terminal(drawn_on.fileno(), leave)
        for name in ENDING:
            number = getattr(signal, name, None)
            # Not on Windows, and not in a thread.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                if number is not None:
                    loop.add_signal_handler(number, self._end, number)

    def _end(self, number: int) -> None:
        self.exit(return_code=SIGNALLED + number)

    async def on_event(self, event: events.Event) -> None:
        """Clean a paste before anything gets it: inputs draw raw text."""
        if isinstance(event, events.Paste):
            event.text = without_hidden(event.text).replace("\t", " ")
        await super().on_event(event)

    def _handle_exception(self, error: Exception) -> None:
        """Keep an unexpected error for whoever runs the app, and leave.

        Textual would fill the terminal with a traceback that shows the values of variables.
        """
        self._return_code = 2
        if self.crash is None:
            self.crash = self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()


class SteadyScreen(Screen[None]):
    """A screen that is laid out for the terminal's size of now, never for one of before.

    Textual lays a screen out at each size it is told and tells it that size again: two that come
    close together, as while the app starts, would follow each other for ever.
    """

    def on_resize(self, event: events.Resize) -> None:
        """Pass over a size that the terminal has no more."""
        if event.size != self.app.size:
            event.prevent_default()
