"""A page to read over the board, scrolled by keys and the wheel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events

from spanscope.app.asking import BoxScreen
from spanscope.app.layout import BOXED_WIDTH
from spanscope.widgets.lines import Line

_CLOSE = ("escape", "q", "enter")
_LINES = {"j": 1, "down": 1, "k": -1, "up": -1}
_PAGES = {"pagedown": 1, "space": 1, "pageup": -1, "backspace": -1}
_ENDS = {"g": -1, "home": -1, "G": 1, "end": 1}


class Reading(BoxScreen[None]):
    """Shows `lines`, which are made for a width, until it is closed.

    The `keys` that open it close it too.
    """

    CSS = """
    Reading { align: right top; background: transparent; }
    """

    def __init__(
        self, title: str, lines: Callable[[int], Sequence[Line]], keys: Sequence[str]
    ) -> None:
        super().__init__(title)
        self._lines = lines
        self._closers = (*_CLOSE, *keys)
        self._top = 0

    def on_resize(self) -> None:
        """Another size."""
        self._draw()

    @property
    def _room(self) -> int:
        return max(1, self.app.size.height - 2)

    def _draw(self) -> None:
        width, height = self.app.size
        wide = width if width < BOXED_WIDTH else max(width // 2, 80)
        lines = self._lines(max(2, wide - 4))
        self._top = max(0, min(self._top, len(lines) - self._room))
        note = "escape closes"
        if len(lines) > self._room:
            upto = min(len(lines), self._top + self._room)
            note = f"{self._top + 1}..{upto} of {len(lines)}, j k, page keys scroll, {note}"
        self._show(lines[self._top : self._top + self._room], wide, height, note)

    def _scroll(self, lines: int) -> None:
        self._top += lines
        self._draw()

    def on_key(self, event: events.Key) -> None:
        """Scroll or close; every other key does nothing here."""
        event.stop()
        key = event.key
        if key in self._closers:
            _ = self.dismiss(None)
        elif key in _ENDS:
            self._top = 0 if _ENDS[key] < 0 else len(self._lines(self._box.size.width))
            self._draw()
        else:
            self._scroll(_LINES.get(key, 0) + self._room * _PAGES.get(key, 0))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Further down."""
        event.stop()
        self._scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Further up."""
        event.stop()
        self._scroll(-3)

    def on_click(self, event: events.Click) -> None:
        """Close it where beside the box."""
        event.stop()
        if event.widget is not self._box:
            _ = self.dismiss(None)
