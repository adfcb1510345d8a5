"""What each action does: one method an action, named as the registry names it.

A method gets how often to repeat and returns what to say, or null. Groups of actions have modules
of their own.
"""

from __future__ import annotations

from collections.abc import Callable

from spanscope.app.board import Board
from spanscope.app.desk import Desk
from spanscope.app.details import Details
from spanscope.app.expressions import Expressions
from spanscope.app.finding_keys import FindingKeys
from spanscope.app.layout import FINDINGS, PANES
from spanscope.app.map_commands import MapCommands
from spanscope.app.navigation import Navigator
from spanscope.app.places import Places
from spanscope.app.prompts import Prompts
from spanscope.app.searching import Searching
from spanscope.app.stage import Stage
from spanscope.app.what_if import WhatIfKeys
from spanscope.widgets.finding_list import FindingListing
from spanscope.widgets.listing import Listing
from spanscope.widgets.why import WhyListing

Command = Callable[[int], str | None]

LAST = 1 << 62
"""A number that no row reaches."""


class Commands(MapCommands):
    """The actions that need no more than the cursor and the desk."""

    def __init__(self, navigator: Navigator, desk: Desk, board: Board) -> None:
        super().__init__(navigator, desk, board)
        self.expressions = Expressions(navigator)
        self.details = Details(navigator, desk, board)
        self.findings = FindingKeys(navigator, desk, board)
        self.searching = Searching(navigator, self.details.to_match)
        self.places = Places(navigator, desk, board)
        self.prompts = Prompts(navigator, board, self.expressions, self.searching, self.places)
        self.stage = Stage(navigator, desk, self.searching)
        self._what_if = WhatIfKeys(desk)

    def find(self, id: str) -> Command | None:
        """The method of an action; null where the app itself does it."""
        simulating = self._what_if.find(id)
        if simulating is not None:
            return simulating
        if id not in ("next_match", "previous_match"):
            self.searching.stay()
        for owner, name in ((self, f"_do_{id}"), *((group, f"do_{id}") for group in self._groups)):
            method = getattr(owner, name, None)
            if callable(method):
                command: Command = method
                return command
        return None

    @property
    def _groups(self) -> tuple[object, ...]:
        return (
            self.searching,
            self.places,
            self.prompts,
            self.expressions,
            self.details,
            self.findings,
            self.stage,
        )

    def forget(self) -> None:
        """Another history is there: what was sought in the old one is sought in it."""
        self.searching.begin_again()

    @property
    def looking(self) -> bool:
        """Whether something is still being looked for or worked out."""
        return self.expressions.looking or self.searching.looking or self._what_if.working

    def advance(self) -> str | None:
        """Look on for a moment; what there is to say."""
        self._what_if.advance()
        said = self.expressions.advance() if self.expressions.looking else None
        return self.searching.advance() if self.searching.looking else said

    # Motions

    def _do_step_forward(self, count: int) -> str | None:
        return self._navigator.step(count)

    def _do_step_back(self, count: int) -> str | None:
        return self._navigator.step(-count)

    def _do_next_finding(self, count: int) -> str | None:
        return self._to_finding(count)

    def _do_previous_finding(self, count: int) -> str | None:
        return self._to_finding(-count)

    def _to_finding(self, count: int) -> str | None:
        said = self._navigator.finding(count)
        if said is None:
            self.details.open_tab("why")
        return said

    def _do_next_turn(self, count: int) -> str | None:
        return self._navigator.turn(count)

    def _do_previous_turn(self, count: int) -> str | None:
        return self._navigator.turn(-count)

    def _do_next_touch(self, count: int) -> str | None:
        return self._navigator.touch(count)

    def _do_previous_touch(self, count: int) -> str | None:
        return self._navigator.touch(-count)

    def _do_blame(self, _count: int) -> str | None:
        before = self._navigator.seq
        said = self._navigator.blame()
        if self._navigator.seq != before:
            self.explain_here()
        return said

    def explain_here(self) -> None:
        """Where only one pane is shown, let it be Why if something was found at this step."""
        if self._board.as_tabs and self._navigator.found_here:
            self.details.open_tab("why")

    def _do_first(self, _count: int) -> str | None:
        return self._navigator.first()

    def _do_last(self, _count: int) -> str | None:
        return self._navigator.last()

    def _do_follow(self, _count: int) -> str | None:
        return self._navigator.follow()

    def _do_pin(self, _count: int) -> str | None:
        return self._navigator.pin_here()

    def _do_onward(self, count: int) -> str | None:
        return self._along_the_trail(self._navigator.onward, count)

    def _do_back(self, count: int) -> str | None:
        return self._along_the_trail(self._navigator.back, count)

    @staticmethod
    def _along_the_trail(move: Callable[[], str | None], count: int) -> str | None:
        """So many jumps, or as many as there are."""
        for _ in range(count):
            if (said := move()) is not None:
                return said
        return None

    # Panes

    def _do_next_pane(self, count: int) -> str | None:
        self.close_map()
        ring = [self._desk.listed if name == "events" else name for name in PANES]
        place = (ring.index(self._desk.focus) + count) % len(ring)
        return self._focus(ring[place])

    def _do_previous_pane(self, count: int) -> str | None:
        return self._do_next_pane(-count)

    def _do_focus_spans(self, _count: int) -> str | None:
        return self._focus("spans")

    def _do_focus_undo(self, _count: int) -> str | None:
        return self._focus("undo")

    def _do_focus_staging(self, _count: int) -> str | None:
        return self._focus("staging")

    def _do_focus_events(self, _count: int) -> str | None:
        self.findings.close()
        return self._focus("events")

    def _focus(self, name: str) -> str | None:
        self.close_map()
        self._desk.focus = name
        self._desk.chosen = None
        return None

    def _do_zoom(self, _count: int) -> str | None:
        if not self.close_map():
            self._desk.zoomed = not self._desk.zoomed
        return None

    def _do_help(self, _count: int) -> str | None:
        self._desk.help = not self._desk.help
        return None

    def _do_what_if(self, _count: int) -> str | None:
        from spanscope.app.simulating import question

        asked = question(self._navigator.scene(), self._desk.focus, held=self._navigator.held)
        if isinstance(asked, str):
            return asked
        self._desk.what_if = asked
        return None

    def _do_close(self, _count: int) -> str | None:
        """Close what is open: dialog, search, pin, lens, then what is picked, selected, zoomed."""
        if self._desk.help or self._desk.places:
            self._desk.help = self._desk.places = False
        elif self.expressions.stop():
            return "stopped looking"
        elif self.close_map():
            return None
        elif self.searching.close() or self._navigator.drop_pin() or self._navigator.drop_lens():
            pass
        elif self._desk.chosen is not None:
            self._desk.chosen = None
        elif self._navigator.release():
            pass
        elif self._desk.zoomed:
            self._desk.zoomed = False
        elif not self.findings.close():
            return "nothing is open: q leaves"
        return None

    # Selection

    def _do_select_next(self, count: int) -> str | None:
        return self._select(count)

    def _do_select_previous(self, count: int) -> str | None:
        return self._select(-count)

    def _do_page_down(self, count: int) -> str | None:
        return self._page(count)

    def _do_page_up(self, count: int) -> str | None:
        return self._page(-count)

    def _page(self, count: int) -> str | None:
        if self._desk.help:
            self._desk.help_top += self._board.help_room * count
            return None
        pane = self._board.panes[self._desk.focus]
        rows = max(1, pane.rows - 1) * count
        if self._desk.focus == "detail":
            pane.scroll_rows(rows)
            return None
        return self._select(rows)

    def _select(self, count: int) -> str | None:
        if self._desk.help:
            self._desk.help_top += count
            return None
        if self._desk.places:
            self.places.pick(count)
            return None
        if self._desk.focus == "events":
            return self._navigator.row(count)
        if self._desk.focus == "detail":
            return self._walk(count)
        listing = self._listing(self._desk.focus)
        at = listing.picked if isinstance(listing, FindingListing) else self._selected_row(listing)
        row = _moved(listing, at, count)
        return None if row is None else self.select_row(self._desk.focus, row)

    def _selected_row(self, listing: Listing) -> int | None:
        anchor = listing.anchor()
        if anchor is None or listing.subject(anchor) != self._navigator.selected:
            return None
        return anchor

    def select_row(self, name: str, row: int) -> str | None:
        """Select what a row of a pane is about; in Events, go there."""
        self._desk.chosen = None
        self._desk.look_afresh()
        listing = self._listing(name)
        if name == FINDINGS:
            return self.findings.pick(row)
        if name == "events":
            seq = listing.seq(row)
            return None if seq is None else self._navigator.go(seq)
        if name == "detail" and listing.subject(row) is None:
            self._desk.chosen = listing.seq(row)
            return None
        subject = listing.subject(row)
        if subject is not None:
            self._navigator.select(subject)
        return None

    def _walk(self, count: int) -> str | None:
        listing = self._listing("detail")
        if not isinstance(listing, WhyListing):
            self._board.panes["detail"].scroll_rows(count)
            return None
        chain = listing.chain
        if not chain:
            self._board.panes["detail"].scroll_rows(count)
            return None
        chosen = self._desk.chosen
        if chosen not in chain:
            here = [seq for seq in chain if seq <= self._navigator.seq]
            chosen = here[-1] if here else chain[0]
        place = min(max(0, chain.index(chosen) + count), len(chain) - 1)
        self._desk.chosen = chain[place]
        return None

    def _do_enter(self, _count: int) -> str | None:
        if self.close_map():
            return None
        if self._desk.places:
            return self.places.enter()
        if self._desk.focus == FINDINGS and self.findings.enter():
            return None
        if self._desk.focus != "detail":
            return self._navigator.look_through()
        if self._desk.chosen is None:
            return None
        self._navigator.held = True
        return self._navigator.go(self._desk.chosen)

    def _listing(self, name: str) -> Listing:
        return self._board.listing(name, self._navigator.scene(), self._desk)


def _moved(listing: Listing, current: int | None, count: int) -> int | None:
    """The row so many selectable rows on, or the last one on the way.

    Without a current one the first or the last that can be selected; null: there is none.
    """
    onward = listing.after if count > 0 else listing.before
    if current is None:
        end = listing.settle(0 if count > 0 else LAST)
        return end if end is None or listing.can_pick(end) else _next_subject(listing, end, onward)
    for _ in range(abs(count)):
        found = _next_subject(listing, current, onward)
        if found is None:
            break
        current = found
    return current


def _next_subject(listing: Listing, row: int, onward: Callable[[int], int | None]) -> int | None:
    """The nearest row on the way that can be selected."""
    following = onward(row)
    while following is not None and not listing.can_pick(following):
        following = onward(following)
    return following
