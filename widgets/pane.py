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


MARGIN = 2
"""Rows that stay in view above and below the one that is followed."""


class Pane(Canvas):
    """Shows a listing; `top` is the number of its first row in view.

    Messages say what was clicked.
    """

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
        self._heading: Line | None = None
        self._shown: list[int] = []

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
        return int(self._heading is not None)

    @property
    def title_text(self) -> str:
        """The title as it is drawn."""
        return self._title.text

    def show(self, listing: Listing, title: Line | None = None, *, follow: bool = True) -> None:
        """Draw a listing; with `follow` the row it is anchored at comes into view."""
        self.listing = listing
        self._title = listing.title() if title is None else title
        self._heading = listing.heading() if self.boxed or listing.legend else None
        if follow:
            self._follow(listing.anchor())
        self._draw()

    def scroll_rows(self, count: int) -> None:
        """Move the window, and nothing else."""
        if self.listing is not None and self._shown:
            self.top = self.listing.skip(self._shown[0], count)
        self._draw()

    def _follow(self, anchor: int | None) -> None:
        """Bring a row into view, with a little of what stands around it."""
        listing = self.listing
        shown = self._window()
        if anchor is None or listing is None or not shown:
            return
        margin = min(MARGIN, (len(shown) - 1) // 2)
        place = shown.index(anchor) if anchor in shown else -1
        if place >= margin and (place < self.rows - margin or listing.after(shown[-1]) is None):
            return
        above = margin if anchor <= shown[margin] else self.rows - 1 - margin
        self.top = listing.skip(anchor, -above)

    def _window(self) -> list[int]:
        """The rows in view: from the top one on, and full where there are so many."""
        listing = self.listing
        first = listing.settle(self.top) if listing is not None else None
        if listing is None or first is None:
            self.top = 0
            return []
        shown = [first]
        while len(shown) < self.rows and (below := listing.after(shown[-1])) is not None:
            shown.append(below)
        while len(shown) < self.rows and (above := listing.before(shown[0])) is not None:
            shown.insert(0, above)
        self.top = shown[0]
        return shown[: self.rows]

    def _draw(self) -> None:
        listing = self.listing
        if listing is None:
            return
        self._shown = self._window()
        lines = [listing.row(number) for number in self._shown]
        if not lines:
            lines = [plain(part, "muted") for part in wrap(listing.empty(), self.inner_width)]
        if self._heading is not None:
            lines.insert(0, self._heading)
        width, height = self._extent
        if self.boxed:
            note = listing.hidden(self._shown) if self._shown else ""
            self.draw(framed(self._title, lines, width, height, note=note, focused=self.active))
        else:
            self.draw(ruled(self._title, lines, width, height, gap=self._gap, focused=self.active))

    def row_at(self, y: int) -> int | None:
        """The row of the listing at a line of the pane; null on its frame or below the last."""
        place = y - 1 - self._headings()
        if place < 0 or (self.boxed and y >= self._extent[1] - 1):
            return None
        return self._shown[place] if place < len(self._shown) else None

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
