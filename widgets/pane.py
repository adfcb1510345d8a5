"""A pane: a listing in a frame, a window that follows what matters in it, and the mouse."""

from __future__ import annotations

from textual import events
from textual.message import Message

from spanscope.text.cells import wrap
from spanscope.widgets.canvas import Canvas
from spanscope.widgets.frame import framed, ruled
from spanscope.widgets.lines import EMPTY, Line, plain
from spanscope.widgets.listing import Listing

WHEEL = 3
"""Rows that one turn of the wheel scrolls."""


class Pane(Canvas):
    """Shows a listing; `top` is its first row in view. Messages say what was clicked."""

    class Clicked(Message):
        """A row was clicked (null: the title), at a column of the pane."""

        def __init__(self, pane: Pane, row: int | None, column: int) -> None:
            super().__init__()
            self.pane = pane
            self.row = row
            self.column = column

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.listing: Listing | None = None
        self.top = 0
        self.active = False
        self.boxed = True
        self._gap = 0
        self._extent = (0, 0)
        self._title = EMPTY

    def fit(self, width: int, height: int, *, boxed: bool, gap: int = 0) -> None:
        """How large the pane is drawn; `gap` cells keep a pane without a box off the next."""
        self.boxed, self._gap = boxed, gap
        self._extent = (width, height)

    @property
    def inner_width(self) -> int:
        """How many cells a row has."""
        return max(1, self._extent[0] - (4 if self.boxed else self._gap))

    @property
    def inner_height(self) -> int:
        """How many rows fit, the heading among them."""
        return max(0, self._extent[1] - (2 if self.boxed else 1))

    @property
    def rows(self) -> int:
        """How many rows of the listing fit."""
        return max(0, self.inner_height - self._headings())

    def _headings(self) -> int:
        return int(self.listing is not None and self.boxed and self.listing.heading() is not None)

    @property
    def title_text(self) -> str:
        """The title as it is drawn."""
        return self._title.text

    def show(self, listing: Listing, title: Line | None = None, *, follow: bool = True) -> None:
        """Draw a listing; with `follow` the row it is anchored at comes into view."""
        self.listing = listing
        self._title = listing.title() if title is None else title
        if follow:
            self._follow(listing.anchor())
        self._clamp()
        self._draw()

    def scroll_rows(self, count: int) -> None:
        """Move the window, and nothing else."""
        self.top += count
        self._clamp()
        self._draw()

    def _follow(self, anchor: int | None) -> None:
        if anchor is None:
            return
        margin = min(2, max(0, self.rows - 1) // 2)
        if anchor < self.top + margin:
            self.top = anchor - margin
        elif anchor >= self.top + self.rows - margin:
            self.top = anchor - self.rows + 1 + margin

    def _clamp(self) -> None:
        there = self.listing.reach(self.top + self.rows) if self.listing is not None else 0
        self.top = max(0, min(self.top, there - self.rows))

    def _draw(self) -> None:
        listing = self.listing
        if listing is None:
            return
        end = listing.reach(self.top + self.rows)
        shown = [listing.row(index) for index in range(self.top, end)]
        if not end:
            shown = [plain(part, "muted") for part in wrap(listing.empty(), self.inner_width)]
        heading = listing.heading() if self._headings() else None
        lines = [heading, *shown] if heading is not None else shown
        width, height = self._extent
        if self.boxed:
            note = self._note(listing, len(shown))
            self.draw(framed(self._title, lines, width, height, note=note, focused=self.active))
        else:
            self.draw(ruled(self._title, lines, width, height, gap=self._gap, focused=self.active))

    @staticmethod
    def _note(listing: Listing, shown: int) -> str:
        """What is hidden."""
        length = listing.known_length
        if length is None:
            return f"{shown:,}, and more below"
        return f"{shown:,} of {length:,}" if length > shown else ""

    def row_at(self, y: int) -> int | None:
        """The row of the listing at a line of the pane; null on its frame or below the last."""
        index = y - 1 - self._headings() + self.top
        if y < 1 + self._headings() or (self.boxed and y >= self._extent[1] - 1):
            return None
        return index if self.listing is not None and self.listing.reach(index + 1) > index else None

    def on_click(self, event: events.Click) -> None:
        """Say which row was clicked."""
        event.stop()
        self.post_message(self.Clicked(self, self.row_at(event.y), event.x))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll the rows."""
        event.stop()
        self.scroll_rows(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll the rows."""
        event.stop()
        self.scroll_rows(-WHEEL)
