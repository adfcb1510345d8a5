"""The board with all that a person does on it: it is drawn, and told of keys, prompt and mouse.

Where its history comes from is not known here (see `app`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from textual import events, on
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import get_current_worker

from spanscope.app.action import Action
from spanscope.app.actions import BY_ID
from spanscope.app.base import HOW_TO_LEAVE, QuietApp, Said
from spanscope.app.board import STYLES, Board
from spanscope.app.comparing import Comparisons
from spanscope.app.desk import Desk
from spanscope.app.hints import useful_actions
from spanscope.app.keyboard import Keyboard
from spanscope.app.later import PALETTE_STYLES, actions_by_name, themes_by_name
from spanscope.app.navigation import Navigator
from spanscope.app.pace import INTERVAL
from spanscope.app.presenting import Presentation
from spanscope.app.prompt import Prompt
from spanscope.app.settings import Settings
from spanscope.app.themes import (
    MONO,
    OURS,
    THEMES,
    look_of,
    next_theme,
    no_colour,
)
from spanscope.history.history import History
from spanscope.journal.files import StrPath
from spanscope.text.environment import wants_ascii
from spanscope.widgets.pane import Pane
from spanscope.widgets.timeline_bar import TimelineBar

if TYPE_CHECKING:
    from spanscope.app.commands import Commands
    from spanscope.app.exporting import Exports
    from spanscope.app.following import Follower
    from spanscope.app.loading import Loader
    from spanscope.app.looking import Looking
    from spanscope.app.mouse import Mouse

COMPARING = "compare"
"""The group of the worker that compares long texts."""

Reader: TypeAlias = "Loader | Follower"
Source: TypeAlias = "History | Reader | Presentation"


class BoardApp(QuietApp[int]):
    """The board over a history and a cursor.

    `begin` is called when the board is there.
    """

    TITLE = "spanscope"
    COMMANDS = {actions_by_name, themes_by_name}
    CSS = STYLES + PALETTE_STYLES

    def __init__(
        self, source: Source, path: StrPath, settings: Settings, begin: Callable[[], None]
    ) -> None:
        mono = no_colour()
        super().__init__(ansi_color=True if mono else None)
        self._mono = mono
        self._presentation = source if isinstance(source, Presentation) else None
        if isinstance(source, Presentation):
            source = source.story.history
        reader = self._reader = None if isinstance(source, History) else source
        history = source if isinstance(source, History) else source.history
        self._follower = reader if reader is not None and reader.follows is True else None
        self._comparisons = Comparisons(self._start_comparing)
        self.navigator = Navigator(history, Path(path).name, self._comparisons)
        self.desk = Desk()
        self.actions: Sequence[Action] = settings.actions
        self.board = Board(self.actions, begin)
        self.desk.notice = settings.notice
        self._keyboard = Keyboard(self.desk, self.board, self.actions)
        self._acts = False
        self._moved = False
        self._sought_on: Timer | None = None
        self.set_class(wants_ascii(), "-ascii")
        for theme in OURS:
            self.register_theme(theme)
        self.theme = MONO.name if mono else THEMES[settings.theme].name
        # Textual works a keymap into all bindings at every key: only what was settled is in it.
        settled = (action for action in self.actions if action.keys != BY_ID[action.id].keys)
        self.set_keymap({action.id: ",".join(action.keys) for action in settled})

    # What keys and mouse do is made when it is first asked for: no first screen waits for it.

    @cached_property
    def commands(self) -> Commands:
        """What the actions do."""
        from spanscope.app.commands import Commands

        commands = Commands(self.navigator, self.desk, self.board)
        commands.stage.presentation = self._presentation
        self._acts = True
        return commands

    @cached_property
    def _exports(self) -> Exports:
        from spanscope.app.exporting import Exports

        return Exports(self, self.navigator, self.desk, self._reading)

    @cached_property
    def _mouse(self) -> Mouse:
        from spanscope.app.mouse import Mouse

        return Mouse(self.navigator, self.desk, self.board, self.commands)

    @cached_property
    def _looking(self) -> Looking:
        from spanscope.app.looking import Looking

        return Looking(self, self.navigator, self.desk, self.commands, self._reading, self.redraw)

    def get_default_screen(self) -> Screen[None]:
        """The board."""
        return self.board

    def _reading(self) -> AbstractContextManager[object]:
        """No event comes in while the screen looks."""
        return nullcontext() if self._reader is None else self._reader.lock

    @contextmanager
    def _acting(self) -> Iterator[None]:
        """A person does something: whoever is led away from the end of a journal lets go of it."""
        with self._reading():
            self._stay()
            before = self.navigator.seq
            yield
            self.navigator.let_go(before)
        if self._follower is not None:
            self._follower.seen()
            self.navigator.seen()

    def _stay(self) -> None:
        """A key was pressed: nothing else moves the cursor now, unless nothing was there yet."""
        self._moved = self._moved or self.navigator.seq > 0

    def _restyle(self) -> None:
        self.look = look_of(self, mono=self._mono)
        self.board.restyle(self.look)

    def redraw(self) -> None:
        """Draw what there is, everything in one go."""
        if not self.board.ready:
            return
        self._comparisons.new_frame()
        if self._presentation is not None:
            self.desk.caption = self._presentation.caption(self.navigator.seq)
        with self._reading():
            if len(self.navigator.history):
                self.desk.notice = self.commands.places.follow() or self.desk.notice
            self.board.show(self.navigator.scene(), self.desk, self._useful())
        if self._acts:
            self._looking.start()
        if self.board.seeking and self._sought_on is None:
            self._sought_on = self.set_timer(INTERVAL, self._seek_on)

    def _useful(self) -> frozenset[str]:
        """The actions that do something now, for the key line."""
        return useful_actions(
            self.navigator,
            presents=self._presentation is not None,
            seeks=self._acts and self.commands.searching.sought is not None,
        )

    def _seek_on(self) -> None:
        """A pane still seeks the row to have in view, far down in a long text."""
        self._sought_on = None
        with self._reading():
            found = self.board.seek()
        if found:
            self.redraw()
        elif self.board.seeking:
            self._sought_on = self.set_timer(INTERVAL, self._seek_on)

    def _start_comparing(self) -> None:
        """Compare long texts beside the screen."""
        self.run_worker(self._compare, thread=True, exit_on_error=False, group=COMPARING)

    def _compare(self) -> None:
        worker = get_current_worker()
        self._comparisons.run(lambda: worker.is_cancelled)

    # Actions

    async def action_perform(self, id: str) -> None:
        """Run an action of the registry from a key."""
        if id == "quit":
            await self.action_quit()
            return
        self.perform(id)

    def perform(self, id: str) -> None:
        """Run an action of the registry."""
        if id == "start_over" and self.desk.count:
            # This zero is a digit, which `on_key` takes.
            return
        count = int(self.desk.count or "1")
        self.desk.count = ""
        if id == "quit":
            self.exit(0)
        elif id == "palette":
            self.action_command_palette()
        elif id == "theme":
            self.choose_theme(next_theme(self.theme))
        else:
            command = self._exports.find(id) or self.commands.find(id)
            if command is not None:
                before = (self.navigator.seq, self.navigator.selected)
                with self._acting():
                    self.desk.notice = command(count) or ""
                if before != (self.navigator.seq, self.navigator.selected):
                    self.desk.look_afresh()
            self.redraw()

    def action_command_palette(self) -> None:
        """Open the palette, as Textual's own key does too."""
        from spanscope.app.palette import palette

        _ = self.push_screen(palette())

    def action_help_quit(self) -> None:
        """What Textual asks for at ctrl+c, said in the message line and not over the panes."""
        self.desk.notice = HOW_TO_LEAVE
        self.redraw()

    def choose_theme(self, name: str) -> None:
        """Draw in another theme; without colour there is only one."""
        if self._mono:
            self.desk.notice = "NO_COLOR is set: without colour there are no themes"
        else:
            self.theme = THEMES[name].name
            self.desk.notice = f"theme: {name}"
        self.redraw()

    def on_key(self, event: events.Key) -> None:
        """A key that no binding has taken; in a dialog it is the dialog's."""
        if self.screen is not self.board:
            return
        if self._keyboard.is_digit(event) and not self.board.prompt.opened:
            self._stay()
        if self._keyboard.press(event):
            self.redraw()

    @on(Said)
    def _said(self, message: Said) -> None:
        """Something that ran beside the screen has ended."""
        self.desk.notice = message.text
        self.redraw()

    def on_board_resized(self) -> None:
        """The plan depends on the size."""
        self.redraw()

    # Prompt

    @on(Prompt.Typed)
    def _typed(self, message: Prompt.Typed) -> None:
        if not self.board.prompt.opened:
            return
        self.desk.match = 0
        with self._reading():
            self.desk.notice = self.commands.prompts.typed(message.sign, message.text)
        self.redraw()

    @on(Prompt.Completing)
    def _completing(self, message: Prompt.Completing) -> None:
        with self._reading():
            said = self.commands.prompts.complete(message.sign, message.text)
        self.desk.notice = said or self.desk.notice
        self.redraw()

    @on(Prompt.Entered)
    def _entered(self, message: Prompt.Entered) -> None:
        self.board.close_prompt()
        self.desk.look_afresh()
        with self._acting():
            self.desk.notice = self.commands.prompts.entered(message.sign, message.text) or ""
        self.redraw()

    @on(Prompt.Left)
    def _left(self) -> None:
        self.board.close_prompt()
        self.commands.prompts.left()
        self.desk.notice = ""
        self.redraw()

    # Mouse

    @on(Pane.Clicked)
    def _clicked(self, message: Pane.Clicked) -> None:
        with self._acting():
            self._mouse.clicked(message)
        self.redraw()

    @on(TimelineBar.Pointed)
    def _pointed(self, message: TimelineBar.Pointed) -> None:
        with self._acting():
            self._mouse.on_timeline(message)
        self.redraw()
