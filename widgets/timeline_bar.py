"""The timeline as a widget: says which column the mouse points at, while a button is held."""

from __future__ import annotations

from textual import events
from textual.message import Message

from spanscope.widgets.canvas import Canvas


class TimelineBar(Canvas):
    """Draws the timeline; a drag that leaves it goes on until the button is let go."""

    class Pointed(Message):
        """A column was pressed, or with `dragged` reached with the button held."""

        def __init__(self, column: int, *, dragged: bool) -> None:
            super().__init__()
            self.column = column
            self.dragged = dragged

        def can_replace(self, message: Message) -> bool:
            """Of the columns that were dragged over, only the newest counts."""
            return isinstance(message, TimelineBar.Pointed) and self.dragged and message.dragged

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._held: int | None = None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A drag may begin: all moves come here until the button is let go."""
        event.stop()
        if event.button != 1:
            return
        self._held = event.x
        self.capture_mouse()
        self.post_message(self.Pointed(event.x, dragged=False))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The cursor follows, a column at a time."""
        if self._held is None or event.x == self._held:
            return
        event.stop()
        self._held = event.x
        self.post_message(self.Pointed(event.x, dragged=True))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """The drag ends."""
        if self._held is not None:
            event.stop()
            self._held = None
            self.release_mouse()
