"""Which keys the key line names, and what help tells of a pane: by how much they matter there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from spanscope.app.action import KEY_NAMES, Action
from spanscope.app.actions import BY_ID

if TYPE_CHECKING:
    from spanscope.app.navigation import Navigator


class Hint(NamedTuple):
    """One or two actions as the key line names them: their first keys and one word for both.

    `about` is what help says of them in a pane; without `words` only help does.
    """

    ids: tuple[str, ...]
    words: str
    about: str = ""

    def keys(self, actions: Mapping[str, Action]) -> str:
        """The keys as people write them, as they are mapped."""
        firsts = (actions[id].keys[0] for id in self.ids if actions[id].keys)
        return " ".join(KEY_NAMES.get(key, key) for key in firsts)


STEP = Hint(("step_back", "step_forward"), "step")
FINDING = Hint(("next_finding", "previous_finding"), "finding")
FINDINGS = Hint(("findings",), "findings")
WHAT_IF = Hint(("what_if",), "what-if")
SEARCH = Hint(("search",), "search")
BLAME = Hint(("blame",), "blame")
GO = Hint(("go_to",), "go")
SAME = Hint(("next_touch", "previous_touch"), "same thing")
PANE = Hint(("next_pane",), "pane")
RULE = Hint(("rule",), "rule", "what the rule means, and what to do")
TAB = Hint(("previous_tab", "next_tab"), "tab")
MATCH = Hint(("next_match", "previous_match"), "match")

FIRST = (
    Hint(("next_beat",), "next beat"),
    Hint(("other_run",), "other run"),
    STEP,
    Hint(("follow",), "follow"),
    FINDING,
)
"""What matters most in every pane."""

REST = (
    FINDINGS,
    WHAT_IF,
    SEARCH,
    BLAME,
    RULE,
    GO,
    SAME,
    Hint(("next_turn", "previous_turn"), "turn"),
    MATCH,
    PANE,
    TAB,
    Hint(("pin",), "pin"),
    Hint(("map",), "map"),
    Hint(("zoom",), "zoom"),
    Hint(("filter",), "filter"),
    Hint(("watch",), "watch"),
    Hint(("enter",), "lens"),
)
"""What may be named everywhere, the most important first."""

HELP = Hint(("help",), "help")
"""Always last and always there."""

ROWS = ("select_next", "select_previous")
"""The actions that go from row to row."""

_SCROLL = Hint(ROWS, "", "scroll")
_LENS = Hint(("enter",), "", "leave only what touched the selected thing")
_COPY = Hint(("copy",), "", "copy the finding")
_TAB = TAB._replace(about="tab before, next tab")
_SOUGHT = (
    MATCH._replace(about="next line with what is sought, line before"),
    SEARCH._replace(about="search; what is found is marked"),
)


def _of_things(*matter: Hint, change: str) -> tuple[Hint, ...]:
    """Those of a pane whose rows are things; `change` is what Diff shows of one."""
    select = Hint(ROWS, "", "select a row")
    return (*matter, _LENS, select, Hint(("next_hunk",), "", change))


OWN: dict[str, tuple[Hint, ...]] = {
    "spans": _of_things(
        SAME._replace(about="where it was touched next, before"),
        BLAME._replace(about="who wrote it last, or made it stale"),
        WHAT_IF._replace(about="rewrite it now, simulated"),
        change="what its last change was",
    ),
    "undo": _of_things(
        WHAT_IF._replace(about="roll back to here, simulated"),
        SAME._replace(about="what made and undid the entry"),
        BLAME._replace(about="what keeps it from being undone"),
        change="the text before and after",
    ),
    "staging": _of_things(
        WHAT_IF._replace(about="apply the diff here, simulated"),
        BLAME._replace(about="what made it stale"),
        SAME._replace(about="where it was staged, applied, ..."),
        change="what it read, and what is there now",
    ),
    "events": (
        FINDINGS._replace(about="findings in the place of Events"),
        Hint(ROWS, "", "next event, event before"),
        _LENS,
        Hint(("filter",), "", "show some events only"),
        _COPY,
    ),
    "findings": (
        Hint(("enter",), "unfold", "show the findings of an incident"),
        FINDINGS._replace(words="events", about="back to Events"),
        Hint(("unfold_all",), "", "show the findings of all incidents, or of none"),
        Hint(ROWS, "", "go to a finding"),
        _COPY,
    ),
    "why": (
        _TAB,
        Hint(ROWS, "chain", "pick an event of the chain"),
        Hint(("enter",), "go", "go to the event that is picked"),
        BLAME._replace(about="go to the cause"),
        RULE,
        Hint(("next_hunk",), "", "open Diff at the first change"),
        _COPY,
    ),
    "content": (
        _TAB,
        *_SOUGHT,
        _SCROLL,
        SAME._replace(about="where it was touched next, before"),
    ),
    "diff": (
        Hint(("next_hunk", "previous_hunk"), "change", "next changed place, place before"),
        _TAB,
        Hint(("side_by_side",), "layout", "texts beside or below each other"),
        *_SOUGHT,
        _SCROLL,
    ),
    "holders": (_TAB, _SCROLL),
    "context": (_TAB, _SCROLL),
    "map": (
        Hint(("map_nearer", "map_farther"), "zoom", "fewer events in a column, more events"),
        Hint(("map_left", "map_right"), "pan", "to what was before, to what comes after"),
        Hint(("enter",), "back", "back to the panes, at the cursor"),
        Hint(ROWS, "", "select a span"),
    ),
}
"""What matters in one pane or tab, the most important first."""

NAMES = {
    "spans": "Spans",
    "undo": "Undo",
    "staging": "Staging",
    "events": "Events",
    "findings": "Findings",
    "why": "Why",
    "content": "Content",
    "diff": "Diff",
    "holders": "Holders",
    "context": "Context",
    "map": "the map",
}
"""How help names them."""


def useful_actions(navigator: Navigator, *, presents: bool, seeks: bool) -> frozenset[str]:
    """The ids of the actions that do something now; `seeks`: a text is searched for."""
    useful = set(BY_ID)
    if not navigator.history.turns:
        useful -= {"next_turn", "previous_turn"}
    if not navigator.history.findings:
        useful -= {"next_finding", "previous_finding", "findings"}
    if not navigator.found_here:
        useful -= {"rule"}
    if not presents:
        useful -= {"next_beat", "other_run"}
    if navigator.live is None or not navigator.live.growing:
        useful -= {"follow"}
    if navigator.selected is None:
        useful -= {"next_touch", "previous_touch", "blame"}
    if not seeks:
        useful -= {"next_match", "previous_match"}
    return frozenset(useful)


def useful_hints(pane: str, useful: frozenset[str], *, alone: bool = False) -> list[Hint]:
    """What the key line names in a pane or tab, the most important first.

    `useful` are the ids of the actions that do something now. `alone`: only one pane is shown at
    a time, so that the way to the others matters more.
    """
    wanted = (*FIRST, *((PANE,) if alone else ()), *OWN.get(pane, ()), *REST)
    found: dict[tuple[str, ...], Hint] = {}
    for hint in wanted:
        if hint.words and useful.issuperset(hint.ids):
            found.setdefault(hint.ids, hint)
    return list(found.values())
