"""Bookmarks and jumps: setting them, listing them, going there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanscope.app.board import Board
from spanscope.app.desk import Desk
from spanscope.app.navigation import Navigator
from spanscope.history.history import History

if TYPE_CHECKING:
    from spanscope.widgets.places import PlacesListing

NOTE = "m"
"""The sign of the prompt for a note."""


class Places:
    """The actions on bookmarks and on the list of places."""

    def __init__(self, navigator: Navigator, desk: Desk, board: Board) -> None:
        self._navigator = navigator
        self._desk = desk
        self._board = board
        self._known: History | None = None

    def follow(self) -> str | None:
        """Read the bookmarks of the journal that is there; what can't be read is said."""
        history = self._navigator.history
        if history is self._known or not len(history):
            return None
        self._known = history
        return self._navigator.bookmarks.follow(history)

    def do_bookmark(self, _count: int) -> str | None:
        """Ask for the note of a bookmark at the cursor."""
        if not len(self._navigator.history):
            return "there is no event yet"
        note = self._navigator.bookmarks.notes.get(self._navigator.seq)
        self._board.ask(NOTE, note or "")
        return self.preview("") if note is None else "another note; M removes the bookmark"

    def preview(self, text: str) -> str:
        """What is to be said while a note is typed."""
        del text
        return f"a note for a bookmark at {self._navigator.seq}, or none; enter sets it"

    def entered(self, text: str) -> str | None:
        """Set the bookmark."""
        navigator = self._navigator
        said = navigator.bookmarks.set(navigator.history, navigator.seq, text)
        return said or f"bookmark at {navigator.seq}; ' lists them"

    def do_remove_bookmark(self, _count: int) -> str | None:
        """Remove the bookmark at the cursor; in the list the one that is picked."""
        navigator = self._navigator
        picked = self.listing.picked if self._desk.places else None
        seq = navigator.seq if picked is None else picked.seq
        if seq not in navigator.bookmarks.notes:
            return f"there is no bookmark at {seq}"
        return (
            navigator.bookmarks.remove(navigator.history, seq) or f"no bookmark at {seq} any more"
        )

    def do_places(self, _count: int) -> str | None:
        """Open or close the list."""
        self._desk.places = not self._desk.places
        self._desk.place = 0
        return None

    def pick(self, count: int) -> None:
        """Pick the place so many rows on."""
        last = max(0, len(self.listing.places) - 1)
        self._desk.place = min(max(0, min(self._desk.place, last) + count), last)

    def click(self, row: int) -> str | None:
        """Go to the place of a row."""
        place = self.listing.place(row)
        return None if place is None else self._go(place.seq)

    def enter(self) -> str | None:
        """Go to the place that is picked."""
        picked = self.listing.picked
        return None if picked is None else self._go(picked.seq)

    def _go(self, seq: int) -> str | None:
        self._desk.places = False
        self._navigator.held = False
        return self._navigator.go(seq)

    @property
    def listing(self) -> PlacesListing:
        """The list as it is drawn."""
        return self._board.place_listing(self._navigator.scene(), self._desk)
