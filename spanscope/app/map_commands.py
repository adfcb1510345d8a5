"""What the keys of the map do: open and close it, zoom and pan, jump from it."""

from __future__ import annotations

from spanscope.app.board import Board
from spanscope.app.desk import Desk
from spanscope.app.navigation import Navigator
from spanscope.widgets.map_view import MapListing

ZOOM = 2.0
"""How much nearer or farther one key goes."""

MOST_ZOOM = 64
"""So many times nearer or farther is all there is, however often it is asked for."""

PAN = 4
"""The share of the map that one key pans: a fourth."""


class MapCommands:
    """The actions of the map; the map stands in the place of all panes."""

    def __init__(self, navigator: Navigator, desk: Desk, board: Board) -> None:
        self._navigator = navigator
        self._desk = desk
        self._board = board

    @property
    def map_opened(self) -> bool:
        """Whether the map is there."""
        return self._desk.focus == "map"

    def close_map(self) -> bool:
        """Back to the panes as they were; whether there was a map."""
        if not self.map_opened:
            return False
        self._desk.focus, self._desk.zoomed = self._desk.under_map
        return True

    def _do_map(self, _count: int) -> str | None:
        if self.close_map():
            return None
        self._desk.under_map = (self._desk.focus, self._desk.zoomed)
        self._desk.focus, self._desk.zoomed = "map", True
        return "+ - zoom   < > pan   j k spans   enter or v back to the panes, at the cursor"

    def _map(self) -> MapListing | None:
        if not self.map_opened:
            return None
        self._board.fit(self._desk)
        listing = self._board.listing("map", self._navigator.scene(), self._desk)
        return listing if isinstance(listing, MapListing) else None

    def _do_map_nearer(self, count: int) -> str | None:
        return self._zoom_map(ZOOM ** -min(count, MOST_ZOOM))

    def _do_map_farther(self, count: int) -> str | None:
        return self._zoom_map(ZOOM ** min(count, MOST_ZOOM))

    def _zoom_map(self, factor: float) -> str | None:
        shown = self._map()
        if shown is None:
            return "v opens the map"
        at, events = max(0, self._navigator.scene().position), len(self._navigator.history)
        window = shown.window.zoomed(factor, at, events, shown.columns)
        said = None
        if window.per == shown.window.per:
            said = "this is all of it" if factor > 1 else "this is an event a column"
        self._desk.map = window
        return said

    def _do_map_left(self, count: int) -> str | None:
        return self._pan_map(-count)

    def _do_map_right(self, count: int) -> str | None:
        return self._pan_map(count)

    def _pan_map(self, count: int) -> str | None:
        """Pan, and take the cursor along where it would leave the map."""
        shown = self._map()
        if shown is None:
            return "v opens the map"
        history, columns = self._navigator.history, shown.columns
        window = shown.window.panned(count * max(1, columns // PAN), len(history), columns)
        if window == shown.window:
            return "there is no more on this side"
        self._desk.map = window
        last = min(len(history), window.start + window.per * columns) - 1
        place = min(max(self._navigator.scene().position, window.start), last)
        return self._navigator.go(history.seqs[place])

    def jump_on_map(self, column: int) -> str | None:
        """To the step under a column of the map."""
        shown = self._map()
        seq = None if shown is None else shown.seq_at(column)
        return None if seq is None else self._navigator.go(seq)
