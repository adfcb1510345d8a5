"""What the keys of Findings do: open it in the place of Events, unfold incidents, pick findings."""

from __future__ import annotations

from functools import partial

from spanscope.app.board import Board
from spanscope.app.desk import Desk
from spanscope.app.layout import FINDINGS
from spanscope.app.navigation import Navigator
from spanscope.app.reading import Reading
from spanscope.history.incidents import Root
from spanscope.rules.catalogue import RULES, page
from spanscope.widgets.finding_list import FindingListing
from spanscope.widgets.folding import Folding
from spanscope.widgets.rule_page import rule_lines
from spanscope.widgets.why import looked_at


class FindingKeys:
    """The actions on the list of findings."""

    def __init__(self, navigator: Navigator, desk: Desk, board: Board) -> None:
        self._navigator = navigator
        self._desk = desk
        self._board = board

    def do_findings(self, _count: int) -> str | None:
        """Findings in the place of Events, with the focus; from there Events again."""
        desk = self._desk
        if desk.listed == FINDINGS and desk.focus == FINDINGS:
            self.close()
            return None
        desk.listed = desk.focus = FINDINGS
        desk.chosen = None
        return None

    def close(self) -> bool:
        """Events in its place again; false if they are there already."""
        desk = self._desk
        was = desk.listed == FINDINGS
        desk.listed = "events"
        if desk.focus == FINDINGS:
            desk.focus = "events"
        return was

    def do_rule(self, _count: int) -> str | None:
        """The page of the rule behind the finding that is looked at."""
        finding = looked_at(self._navigator.scene())
        if finding is None:
            return "no finding is looked at: e goes to the next"
        rule = RULES[finding.rule]
        lines = partial(rule_lines, rule, page(rule.code))
        title = f"{rule.code} {rule.name}"
        reading = Reading(title, lines, self._board.keys_of("rule"))
        _ = self._board.app.push_screen(reading)
        return None

    def do_unfold_all(self, _count: int) -> str | None:
        """Show the findings of all incidents, or of none."""
        desk, index = self._desk, self._navigator.findings
        if desk.listed != FINDINGS:
            return "i lists the findings"
        shared = frozenset(each.root for each in index.incidents if each.shared)
        if not shared:
            return "no two findings have one cause: there is nothing to unfold"
        unfolded = frozenset() if shared <= desk.folding.unfolded else shared
        desk.folding = Folding(unfolded, desk.folding.head)
        return "every incident shows its findings" if unfolded else "all incidents are folded"

    def enter(self) -> bool:
        """Unfold or fold the incident whose row is picked; false: it is a finding's row."""
        listing = self._listing
        if listing.picked is None or listing.item(listing.picked).kind != "head":
            return False
        self._fold(listing.item(listing.picked).incident.root)
        return True

    def pick(self, row: int) -> str | None:
        """Go to the finding of a row and explain it; what is to be said."""
        item = self._listing.item(row)
        head = item.incident.root if item.kind == "head" else None
        self._desk.folding = Folding(self._desk.folding.unfolded, head)
        said = self._navigator.pick(item.finding)
        return item.finding.message if item.finding.seq is None else said

    def click(self, row: int) -> str | None:
        """Pick a row; the picked head of an incident unfolds or folds."""
        listing = self._listing
        row = row if listing.can_pick(row) else row - 1
        item = listing.item(row)
        if item.kind == "head" and row == listing.picked:
            self._fold(item.incident.root)
            return None
        return self.pick(row)

    def _fold(self, root: Root) -> None:
        """Turn an incident; the row that is picked stays its head."""
        unfolded = self._desk.folding.unfolded ^ {root}
        self._desk.folding = Folding(unfolded, root)
        if self._navigator.picked is None:
            self._navigator.picked = next(iter(self._navigator.scene().here), None)

    @property
    def _listing(self) -> FindingListing:
        listing = self._board.listing(FINDINGS, self._navigator.scene(), self._desk)
        assert isinstance(listing, FindingListing)
        return listing
