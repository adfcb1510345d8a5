"""A small choice over the board: one key an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from spanscope.widgets.canvas import Canvas
from spanscope.widgets.frame import framed
from spanscope.widgets.lines import Line, Row, plain
from spanscope.widgets.look import Look

Result = TypeVar("Result")


class Answer(NamedTuple):
    """A key, and what it chooses."""

    key: str
    about: str


class Styled(Protocol):
    """An app that knows its look."""

    look: Look


class BoxScreen(ModalScreen[Result], Generic[Result]):
    """A box over the board, which a click beside it closes."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._box = Canvas()

    def compose(self) -> ComposeResult:
        """The box."""
        yield self._box

    def on_mount(self) -> None:
        """Draw what is in it."""
        self._box.restyle(cast(Styled, self.app).look)
        self._draw()

    def _draw(self) -> None:
        raise NotImplementedError

    def _show(self, lines: Sequence[Line], width: int, height: int, note: str) -> None:
        """Draw the box with these lines."""
        self._box.styles.width, self._box.styles.height = width, height
        title = Row().put(self._title).line()
        self._box.draw(framed(title, lines, width, height, note=note, focused=True))


class Ask(BoxScreen[str | None]):
    """Ends with the key of the answer, or with nothing."""

    CSS = """
    Ask { align: center middle; background: transparent; }
    Ask Canvas { width: 50; height: 6; }
    """

    def __init__(self, title: str, answers: Sequence[Answer], note: str = "") -> None:
        super().__init__(title)
        self._answers = answers
        self._note = note
        self._picked = 0

    def _draw(self) -> None:
        rows: list[Line] = []
        for place, answer in enumerate(self._answers):
            picked = place == self._picked
            row = Row().put("> " if picked else "  ").put(answer.key, "key").gap(2)
            rows.append(row.put(answer.about).line("selected" if picked else ""))
        if self._note:
            rows.append(plain(self._note, "muted"))
        width = min(self.app.size.width, max(row.width for row in rows) + 6)
        self._show(rows, width, len(rows) + 2, "enter takes, escape closes")

    def on_key(self, event: events.Key) -> None:
        """Take an answer, or pick another one; every other key does nothing here."""
        event.stop()
        if event.key in ("escape", "q"):
            _ = self.dismiss(None)
        elif event.key == "enter":
            _ = self.dismiss(self._answers[self._picked].key)
        elif event.character in {answer.key for answer in self._answers}:
            _ = self.dismiss(event.character)
        elif step := {"j": 1, "down": 1, "k": -1, "up": -1}.get(event.key):
            self._picked = min(max(0, self._picked + step), len(self._answers) - 1)
            self._draw()

    def on_click(self, event: events.Click) -> None:
        """Take the answer of a row, or close where beside the box."""
        event.stop()
        if event.widget is not self._box:
            _ = self.dismiss(None)
        elif 1 <= event.y <= len(self._answers):
            _ = self.dismiss(self._answers[event.y - 1].key)
