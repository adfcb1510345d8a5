"""The tabs of the detail pane: opening them, the changed places of Diff, and its layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanscope.app.board import Board
from spanscope.app.desk import Desk
from spanscope.app.navigation import Navigator
from spanscope.widgets.tabs import TABS

if TYPE_CHECKING:
    from spanscope.widgets.difftab import DiffListing


class Details:
    """The actions on the detail pane."""

    def __init__(self, navigator: Navigator, desk: Desk, board: Board) -> None:
        self._navigator = navigator
        self._desk = desk
        self._board = board

    def open_tab(self, tab: str) -> None:
        """Show a tab; where only one pane is shown, bring it to the front."""
        self.turn_to(tab)
        if self._board.as_tabs or self._desk.zoomed:
            self._desk.focus = "detail"
            self._board.fit(self._desk)

    def turn_to(self, tab: str) -> None:
        """Show a tab, from its first match on."""
        if self._desk.tab != tab:
            self._desk.tab = tab
            self._desk.look_afresh()

    def do_next_tab(self, count: int) -> str | None:
        """So many tabs on."""
        names = list(TABS)
        place = (names.index(self._desk.tab) + count) % len(names)
        self.turn_to(names[place])
        self._board.panes["detail"].top = 0
        return None

    def do_previous_tab(self, count: int) -> str | None:
        """So many tabs back."""
        return self.do_next_tab(-count)

    def do_focus_why(self, _count: int) -> str | None:
        """Why, with the focus."""
        return self._focus("why")

    def do_focus_content(self, _count: int) -> str | None:
        """Content, with the focus."""
        return self._focus("content")

    def do_focus_diff(self, _count: int) -> str | None:
        """Diff, with the focus."""
        return self._focus("diff")

    def do_focus_holders(self, _count: int) -> str | None:
        """Holders, with the focus."""
        return self._focus("holders")

    def do_focus_context(self, _count: int) -> str | None:
        """Context, with the focus."""
        return self._focus("context")

    def _focus(self, tab: str) -> str | None:
        self.turn_to(tab)
        self._desk.focus = "detail"
        self._desk.chosen = None
        return None

    def do_next_hunk(self, count: int) -> str | None:
        """Open Diff and go so many changed places on."""
        return self._to_hunk(count)

    def do_previous_hunk(self, count: int) -> str | None:
        """Open Diff and go so many changed places back."""
        return self._to_hunk(-count)

    def _to_hunk(self, count: int) -> str | None:
        desk = self._desk
        opened = desk.tab == "diff"
        hunks = self._diff().hunks
        if hunks is None:
            return "the texts are still being compared"
        if not hunks:
            return "no changed place here"
        if desk.hunk is None or not opened:
            desk.hunk = 0 if count > 0 else hunks - 1
        else:
            desk.hunk = (desk.hunk + count) % hunks
        return f"change {desk.hunk + 1} of {hunks}"

    def to_match(self, count: int) -> str | None:
        """So many lines with what is sought on in Content or Diff, where it has the focus.

        Returns what to say; null where there are not so many.
        """
        desk = self._desk
        if desk.focus != "detail" or desk.tab not in ("content", "diff"):
            return None
        from spanscope.widgets import content, difftab

        scene = self._navigator.scene()
        listing = self._board.listing("detail", scene, desk)
        where = "in these texts"
        match = desk.match + count
        if isinstance(listing, difftab.DiffListing):
            match = listing.match_from_here(count)
        else:
            assert isinstance(listing, content.ContentListing)
            where = "here once" if listing.matches == 1 else f"here {listing.matches:,} times"
        if not listing.has_match(match):
            return None
        desk.hunk, desk.match = None, match
        return f"{scene.sought!r} stands {where}; n N go through the text, then to events"

    def do_side_by_side(self, _count: int) -> str | None:
        """Put the texts of Diff beside each other, or one below the other."""
        listing = self._diff()
        if not listing.beside and not listing.fits_beside:
            return "there is no room for two texts beside each other: z gives more"
        self._desk.side_by_side = not listing.beside
        return "side by side" if self._desk.side_by_side else "one below the other"

    def _diff(self) -> DiffListing:
        """Diff, opened."""
        from spanscope.widgets import difftab

        self.open_tab("diff")
        listing = self._board.listing("detail", self._navigator.scene(), self._desk)
        assert isinstance(listing, difftab.DiffListing)
        return listing
