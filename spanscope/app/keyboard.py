"""Keys that are no actions: digits of a count, what is typed ahead of a prompt, and all others."""

from __future__ import annotations

from collections.abc import Sequence

from textual.events import Key

from spanscope.app.action import Action
from spanscope.app.board import Board
from spanscope.app.desk import Desk
from spanscope.text.visible import visible

MOST_REPEATS = 7
"""Digits of a count: more are no count that anybody means."""


class Keyboard:
    """Takes keys that no binding has taken."""

    def __init__(self, desk: Desk, board: Board, actions: Sequence[Action]) -> None:
        self._desk = desk
        self._board = board
        self._taken = frozenset(key for action in actions for key in action.keys)

    def is_digit(self, event: Key) -> bool:
        """Whether a key belongs to a count."""
        character = event.character
        return character is not None and character.isascii() and character.isdigit()

    def press(self, event: Key) -> bool:
        """Do what a key is for; whether there is something new to draw."""
        if self._board.prompt.opened:
            self._type(event)
            return False
        if self.is_digit(event):
            return self._count(event)
        return self._tell_of_no_action(event)

    def _count(self, event: Key) -> bool:
        """Digits before a motion repeat it."""
        if event.character == "0" and not self._desk.count:
            return False
        self._desk.count = (self._desk.count + (event.character or ""))[:MOST_REPEATS]
        event.stop()
        return True

    def _tell_of_no_action(self, event: Key) -> bool:
        """A character that no action has is answered, too."""
        if not event.is_printable or event.key in self._taken:
            return False
        self._desk.count = ""
        key = event.key if event.key.startswith("alt+") else event.character or ""
        self._desk.notice = f"no action has the key {visible(key)}; ? lists all"
        return True

    def _type(self, event: Key) -> None:
        """Type what was pressed before the prompt that it is meant for had the focus."""
        if event.is_printable and event.character is not None:
            event.stop()
            event.prevent_default()
            self._board.prompt.insert(event.character)
