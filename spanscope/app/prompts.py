"""The prompts: what they ask for, what is said while one types, and what is done with the text."""

from __future__ import annotations

from spanscope.app.board import Board
from spanscope.app.completing import completed
from spanscope.app.expressions import Expressions, not_understood
from spanscope.app.goto import HELP, NO_PLACE, Target, answer, resolve
from spanscope.app.navigation import Navigator
from spanscope.app.places import NOTE, Places
from spanscope.app.searching import Searching
from spanscope.history.expression import ExpressionError


class Prompts:
    """The actions that ask for a text in the place of the key line."""

    def __init__(
        self,
        navigator: Navigator,
        board: Board,
        expressions: Expressions,
        searching: Searching,
        places: Places,
    ) -> None:
        self._navigator = navigator
        self._board = board
        self._expressions = expressions
        self._searching = searching
        self._places = places

    def do_go_to(self, _count: int) -> str | None:
        """Ask where to go."""
        self._board.ask(":")
        return HELP

    def do_search(self, _count: int) -> str | None:
        """Ask what to seek."""
        self._board.ask("/")
        return "text in ids, actors, kinds and contents"

    def do_filter(self, _count: int) -> str | None:
        """Ask what to leave in Events."""
        return self._ask_expression("F")

    def do_watch(self, _count: int) -> str | None:
        """Ask where to stop."""
        return self._ask_expression("w")

    def _ask_expression(self, sign: str) -> str:
        """Ask for an expression, from the one that holds on."""
        text = self._expressions.text(sign)
        self._board.ask(sign, text)
        said = self._expressions.preview(sign, text)
        return f"{said}; ctrl+u empties the line" if text else said

    def typed(self, sign: str, text: str) -> str:
        """What a text in the prompt would do."""
        if sign in ("F", "w"):
            return self._expressions.preview(sign, text)
        if sign == NOTE:
            return self._places.preview(text)
        if sign == ":":
            said = answer(self._navigator.history, self._navigator.seq, text)
            return self._expressions.preview(":", text) if said.startswith(NO_PLACE) else said
        return self._searching.preview(text)

    def complete(self, sign: str, text: str) -> str | None:
        """Complete the last word as far as it can be; what there is to say where it can't."""
        if sign not in (":", "F", "w"):
            return None
        found = completed(self._navigator.history, text)
        if found.text == text:
            return found.said
        self._board.prompt.replace(found.text)
        return None

    def left(self) -> None:
        """Nothing is typed any more."""
        self._searching.forget_preview()

    def entered(self, sign: str, text: str) -> str | None:
        """Do what the text in the prompt says."""
        if sign == "/":
            return self._searching.entered(text)
        if sign in ("F", "w"):
            return self._expressions.entered(sign, text)
        if sign == NOTE:
            return self._places.entered(text)
        target = resolve(self._navigator.history, self._navigator.seq, text)
        if not isinstance(target, Target):
            return self._by_expression(text, target)
        if target.subject is not None:
            self._navigator.select(target.subject)
        else:
            self._navigator.held = False
        return self._navigator.go(target.seq)

    def _by_expression(self, text: str, refused: str) -> str | None:
        """Go to the next event that an expression means; what is no place may be one."""
        if not text.strip() or not refused.startswith(NO_PLACE):
            return refused
        try:
            return self._expressions.go_to(text)
        except ExpressionError as error:
            return not_understood(text, error)
