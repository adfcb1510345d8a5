"""Looking on beside drawing for what is filtered and sought, a moment at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from textual.app import App
from textual.timer import Timer

from spanscope.app.commands import Commands
from spanscope.app.desk import Desk
from spanscope.app.navigation import Navigator
from spanscope.app.pace import INTERVAL, Pace


class Looking:
    """Runs a timer as long as something is looked for or worked out; `redraw` shows how far."""

    def __init__(
        self,
        app: App[Any],
        navigator: Navigator,
        desk: Desk,
        commands: Commands,
        reading: Callable[[], AbstractContextManager[object]],
        redraw: Callable[[], None],
    ) -> None:
        self._app = app
        self._navigator = navigator
        self._desk = desk
        self._commands = commands
        self._reading = reading
        self._redraw = redraw
        self._timer: Timer | None = None
        self._pace = Pace()

    def start(self) -> None:
        """Look on, if there is something to look for."""
        if self._commands.looking and self._timer is None:
            self._timer = self._app.set_interval(INTERVAL, self._look_on)

    def _look_on(self) -> None:
        """A moment of it; the timer ends with it."""
        place = (self._navigator.seq, self._navigator.selected)
        expressions = self._commands.expressions
        with self._reading():
            looking, sought = self._commands.looking, expressions.looking
            said = self._commands.advance() if looking else None
            done = not self._commands.looking
        if said is not None or (sought and not expressions.looking):
            self._desk.notice = said or ""
        moved = place != (self._navigator.seq, self._navigator.selected)
        if moved:
            self._desk.look_afresh()
        if done and self._timer is not None:
            self._timer.stop()
            self._timer = None
        if moved or done or (looking and self._pace.left <= 0):
            # Between two moments the screen is drawn only now and then: most of the time is for
            # looking on.
            self._pace.told()
            started = time.monotonic()
            self._redraw()
            self._pace.drew(time.monotonic() - started)
