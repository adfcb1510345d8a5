"""What all apps here have in common: pasted text can't act, an unexpected error leaves quietly."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual import events
from textual.app import App

from spanscope.text.visible import without_hidden

Result = TypeVar("Result")


class QuietApp(App[Result], Generic[Result]):
    """An app that keeps its `crash` for whoever runs it; its inputs get only what can be seen."""

    crash: Exception | None = None

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
