"""A small choice over the board: one key an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from spanscope.widgets.canvas import Canvas
from spanscope.widgets.frame import framed
from spanscope.widgets.lines import Line, Row, plain
from spanscope.widgets.look import Look


class Answer(NamedTuple):
    """A key, and what it chooses."""

    key: str
    about: str


class Styled(Protocol):
    """An app that knows its look."""

    look: Look


class Ask(ModalScreen[str | None]):
    """Ends with the key of the answer, or with nothing."""

    CSS = """
    Ask { align: center middle; background: transparent; }
    Ask Canvas { width: 50; height: 6; }
    """

    def __init__(self, title: str, answers: Sequence[Answer], note: str = "") -> None:
        super().__init__()
        self._title = title
        self._answers = answers
        self._note = note
        self._box = Canvas()

    def compose(self) -> ComposeResult:
        """The box."""
        yield self._box

    def on_mount(self) -> None:
        """Draw the answers."""
        rows: list[Line] = [
            Row().put(answer.key, "key").gap(2).put(answer.about).line() for answer in self._answers
        ]
        if self._note:
            rows.append(plain(self._note, "muted"))
        width = min(self.app.size.width, max(row.width for row in rows) + 6)
        height = len(rows) + 2
        self._box.styles.width, self._box.styles.height = width, height
        self._box.restyle(cast(Styled, self.app).look)
        title = Row().put(self._title).line()
        self._box.draw(framed(title, rows, width, height, note="escape closes", focused=True))

    def on_key(self, event: events.Key) -> None:
        """Take an answer; every other key does nothing here."""
        event.stop()
        if event.key in ("escape", "q"):
            _ = self.dismiss(None)
        elif event.character in {answer.key for answer in self._answers}:
            _ = self.dismiss(event.character)

    def on_click(self, event: events.Click) -> None:
        """Take the answer of a row, or close where beside the box."""
        event.stop()
        if event.widget is not self._box:
            _ = self.dismiss(None)
        elif 1 <= event.y <= len(self._answers):
            _ = self.dismiss(self._answers[event.y - 1].key)
