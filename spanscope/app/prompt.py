"""The prompt of `:` and `/`: takes the place of the key line and tells what is typed."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from spanscope.text.visible import without_hidden

LONGEST = 400


def lead(sign: str) -> str:
    """What stands before the text: a letter is set apart from it."""
    return f" {sign} " if sign.isalpha() else f" {sign}"


class Prompt(Horizontal):
    """One line of text behind a sign; messages say what is typed and how it ended."""

    DEFAULT_CSS = """
    Prompt { height: 1; display: none; background: $surface; }
    Prompt Static { height: 1; background: $surface; }
    Prompt Input, Prompt Input:focus { height: 1; border: none; padding: 0; background: $surface; }
    """

    BINDINGS = [
        Binding("escape", "cancel", show=False),
        Binding("tab", "complete", show=False),
        Binding("shift+tab", "stay", show=False),
    ]

    class Typed(Message):
        """The text has changed."""

        def __init__(self, sign: str, text: str) -> None:
            super().__init__()
            self.sign = sign
            self.text = text

    class Entered(Typed):
        """The text is final."""

    class Completing(Message):
        """Tab was pressed: the text is to be completed."""

        def __init__(self, sign: str, text: str) -> None:
            super().__init__()
            self.sign = sign
            self.text = text

    class Left(Message):
        """Escape was pressed."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.sign = ""
        self._label = Static("", markup=False)
        self._input = Input(max_length=LONGEST, select_on_focus=False)

    def compose(self) -> ComposeResult:
        """The sign and the text."""
        yield self._label
        yield self._input

    @property
    def opened(self) -> bool:
        """Whether it is there."""
        return bool(self.sign)

    def open(self, sign: str, text: str) -> None:
        """Show the prompt and take the keys."""
        self.sign = sign
        before = lead(sign)
        self._label.update(before)
        self._label.styles.width = len(before)
        with self.prevent(Input.Changed):
            self._input.value = _drawable(text)
        self.display = True
        self.screen.set_focus(self._input)

    def insert(self, character: str) -> None:
        """Type a character."""
        self._input.insert_text_at_cursor(character)

    def replace(self, text: str) -> None:
        """Put another text in the place of what is typed, as if it were typed."""
        self._input.value = _drawable(text)
        self._input.cursor_position = len(self._input.value)

    def close(self) -> None:
        """Hide it and give the keys back."""
        self.sign = ""
        self.display = False
        self.screen.set_focus(None)

    def action_cancel(self) -> None:
        """Leave without an answer."""
        self.post_message(self.Left())

    def action_complete(self) -> None:
        """Ask for the rest of the text."""
        self.post_message(self.Completing(self.sign, self._input.value))

    def action_stay(self) -> None:
        """The key changes no pane here."""

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.opened:
            self.post_message(self.Typed(self.sign, event.value))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if self.opened:
            self.post_message(self.Entered(self.sign, event.value))


def _drawable(text: str) -> str:
    """The text without what could act or hide: an input draws it raw."""
    return " ".join(without_hidden(text).split("\n")).replace("\t", " ")
