"""The one registry of actions: keys, palette, help and the key line all come from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Group = Literal["move", "pane", "app"]

GROUP_TITLES: dict[Group, str] = {
    "move": "Move through the session",
    "pane": "Panes and selection",
    "app": "The app",
}

KEY_NAMES = {
    "colon": ":",
    "slash": "/",
    "vertical_line": "|",
    "plus": "+",
    "minus": "-",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "question_mark": "?",
    "apostrophe": "'",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "pageup": "page up",
    "pagedown": "page down",
}
"""How keys are written for people, where Textual calls them otherwise."""


UNTAUGHT = frozenset(
    (
        "inverted_exclamation_mark",
        "trade_mark_sign",
        "pound_sign",
        "cent_sign",
        "infinity",
        "section_sign",
        "pilcrow_sign",
        "bullet",
        "feminine_ordinal_indicator",
    )
)
"""What Textual makes of alt and a digit where the terminal sends them as two characters."""


@dataclass(frozen=True)
class Action:
    """Something that a key does.

    `keys` are Textual's names, the first is the one that is taught. `verb` says it in a word or
    two, `about` in a sentence. `panes`: where it does something, everywhere if empty. `hint`
    stands on the key line, with `rank` the most used first (0: not there); it may speak for a
    pair of actions.
    """

    id: str
    keys: tuple[str, ...]
    verb: str
    about: str
    group: Group
    panes: tuple[str, ...] = ()
    hint: tuple[str, str] | None = None
    rank: int = 0

    @property
    def shown_keys(self) -> str:
        """The keys as people write them."""
        return " ".join(KEY_NAMES.get(key, key) for key in self.keys if key not in UNTAUGHT)


ACTIONS: tuple[Action, ...] = (
    Action(
        "step_forward",
        ("l", "right"),
        "next event",
        "Go to the next event.",
        "move",
        hint=("h l", "step"),
        rank=1,
    ),
    Action("step_back", ("h", "left"), "previous event", "Go to the event before.", "move"),
    Action(
        "next_finding",
        ("e",),
        "next finding",
        "Go to the next error or warning.",
        "move",
        hint=("e E", "finding"),
        rank=2,
    ),
    Action(
        "previous_finding", ("E",), "previous finding", "Go to the error or warning before.", "move"
    ),
    Action(
        "next_turn",
        ("t",),
        "next turn",
        "Go to where the next turn starts.",
        "move",
        hint=("t T", "turn"),
        rank=4,
    ),
    Action("previous_turn", ("T",), "previous turn", "Go to where the turn before starts.", "move"),
    Action(
        "next_touch",
        ("s",),
        "next of the same thing",
        "Go to the next event that touched the selected thing.",
        "move",
        hint=("s S", "same thing"),
        rank=5,
    ),
    Action(
        "previous_touch",
        ("S",),
        "previous of the same thing",
        "Go to the event before that touched the selected thing.",
        "move",
    ),
    Action(
        "blame",
        ("b",),
        "blame",
        "Go to the event that caused what is wrong with the selected thing, or wrote it last.",
        "move",
        hint=("b", "blame"),
        rank=3,
    ),
    Action(
        "follow",
        ("f",),
        "follow",
        "Follow a journal that grows, or let go of it: the cursor stays at its end or where it is.",
        "move",
        hint=("f", "follow"),
        rank=2,
    ),
    Action(
        "next_beat",
        ("space",),
        "next beat",
        "In a presentation, go to the next beat of the story.",
        "move",
        hint=("space", "next beat"),
        rank=1,
    ),
    Action(
        "previous_beat",
        ("backspace",),
        "previous beat",
        "In a presentation, go to the beat before.",
        "move",
    ),
    Action(
        "start_over",
        ("0",),
        "start over",
        "In a presentation, go back to before the first beat.",
        "move",
    ),
    Action(
        "other_run",
        ("u",),
        "other run",
        "In a presentation, show the safe twin at the same beat, or the unsafe run again.",
        "move",
        hint=("u", "other run"),
        rank=1,
    ),
    Action("first", ("g", "home"), "first event", "Go to the first event.", "move"),
    Action("last", ("G", "end"), "last event", "Go to the last event.", "move"),
    Action(
        "go_to",
        ("colon",),
        "go to",
        "Go to a seq, a turn, a time, an id, a revision, a rule or what an expression means.",
        "move",
        hint=(":", "go"),
        rank=7,
    ),
    Action(
        "search",
        ("slash",),
        "search",
        "Search in events and contents.",
        "move",
        hint=("/", "search"),
        rank=6,
    ),
    Action("next_match", ("n",), "next match", "Go to the next match of the search.", "move"),
    Action("previous_match", ("N",), "previous match", "Go to the match before.", "move"),
    Action(
        "filter",
        ("F",),
        "filter",
        "Show in Events only what an expression means.",
        "move",
        hint=("F", "filter"),
        rank=11,
    ),
    Action(
        "watch",
        ("w",),
        "watch",
        "Stop motions, and following, where an expression holds.",
        "move",
        hint=("w", "watch"),
        rank=12,
    ),
    Action("go_on", ("c",), "continue", "Go on to where the watch holds next.", "move"),
    Action(
        "go_back_on", ("C",), "continue back", "Go back to where the watch held before.", "move"
    ),
    Action(
        "what_if",
        ("r",),
        "what-if",
        "Tell what a rollback, an apply or a rewrite would do here. Nothing is written.",
        "pane",
        hint=("r", "what-if"),
        rank=8,
    ),
    Action(
        "back", ("ctrl+o", "O"), "back", "Go back to where you were before the last jump.", "move"
    ),
    Action("onward", ("o",), "forward again", "Take back the last going back.", "move"),
    Action(
        "pin",
        ("p",),
        "pin",
        "Compare: the panes show what changes between here and the cursor.",
        "move",
        hint=("p", "pin"),
        rank=12,
    ),
    Action(
        "bookmark",
        ("m",),
        "bookmark",
        "Set a bookmark at the cursor, with a note, or change the note.",
        "move",
    ),
    Action(
        "remove_bookmark",
        ("M",),
        "remove bookmark",
        "Remove the bookmark at the cursor, or the one that is picked in the list.",
        "move",
    ),
    Action(
        "places",
        ("apostrophe",),
        "places",
        "List the bookmarks, and where you were before.",
        "move",
    ),
    Action(
        "select_next",
        ("j", "down"),
        "down",
        "Select the next row; in Events the next event, in Why the next one of the chain.",
        "pane",
    ),
    Action("select_previous", ("k", "up"), "up", "Select the row before.", "pane"),
    Action("page_down", ("pagedown",), "page down", "Go a page down in the focused pane.", "pane"),
    Action("page_up", ("pageup",), "page up", "Go a page up in the focused pane.", "pane"),
    Action(
        "enter",
        ("enter",),
        "lens",
        "Leave only what touched the selected thing; in Why, go to the event that is picked.",
        "pane",
        hint=("enter", "lens"),
        rank=13,
    ),
    Action(
        "next_hunk", ("d",), "the change", "Open Diff and go to the next changed place.", "pane"
    ),
    Action(
        "previous_hunk",
        ("D",),
        "previous change",
        "Open Diff and go to the changed place before.",
        "pane",
    ),
    Action(
        "side_by_side",
        ("vertical_line",),
        "beside or below",
        "In Diff, put the two texts beside each other, or one below the other.",
        "pane",
    ),
    Action(
        "next_tab",
        ("right_square_bracket",),
        "next tab",
        "Show the next of Why, Content, Diff, Holders and Context.",
        "pane",
        hint=("[ ]", "tab"),
        rank=9,
    ),
    Action(
        "previous_tab", ("left_square_bracket",), "previous tab", "Show the tab before.", "pane"
    ),
    Action(
        "next_pane",
        ("tab",),
        "next pane",
        "Focus the next pane.",
        "pane",
        hint=("tab", "pane"),
        rank=8,
    ),
    Action("previous_pane", ("shift+tab",), "previous pane", "Focus the pane before.", "pane"),
    Action("focus_spans", ("alt+1", "inverted_exclamation_mark"), "Spans", "Focus Spans.", "pane"),
    Action("focus_undo", ("alt+2", "trade_mark_sign"), "Undo", "Focus Undo.", "pane"),
    Action("focus_staging", ("alt+3", "pound_sign"), "Staging", "Focus Staging.", "pane"),
    Action("focus_events", ("alt+4", "cent_sign"), "Events", "Focus Events.", "pane"),
    Action(
        "focus_why", ("alt+5", "infinity"), "Why", "Focus the detail pane and show Why.", "pane"
    ),
    Action(
        "focus_content",
        ("alt+6", "section_sign"),
        "Content",
        "Focus the detail pane and show Content.",
        "pane",
    ),
    Action(
        "focus_diff",
        ("alt+7", "pilcrow_sign"),
        "Diff",
        "Focus the detail pane and show Diff.",
        "pane",
    ),
    Action(
        "focus_holders",
        ("alt+8", "bullet"),
        "Holders",
        "Focus the detail pane and show who holds something of the selected span.",
        "pane",
    ),
    Action(
        "focus_context",
        ("alt+9", "feminine_ordinal_indicator"),
        "Context",
        "Focus the detail pane and show what the model was shown at the last call.",
        "pane",
    ),
    Action(
        "zoom",
        ("z",),
        "zoom",
        "Show the focused pane alone, or all panes again.",
        "pane",
        hint=("z", "zoom"),
        rank=10,
    ),
    Action(
        "map",
        ("v",),
        "map",
        "Show the map: spans down, steps across; or the panes again.",
        "pane",
        hint=("v", "map"),
        rank=13,
    ),
    Action(
        "map_nearer",
        ("plus",),
        "nearer",
        "Let a column of the map stand for fewer events; in What-if, roll back one more.",
        "pane",
        panes=("map",),
        hint=("+ -", "zoom"),
        rank=3,
    ),
    Action(
        "map_farther",
        ("minus",),
        "farther",
        "Let a column of the map stand for more events; in What-if, roll back one fewer.",
        "pane",
        panes=("map",),
    ),
    Action(
        "map_left",
        ("less_than_sign",),
        "earlier on the map",
        "Pan the map to what was before.",
        "pane",
        panes=("map",),
        hint=("< >", "pan"),
        rank=3,
    ),
    Action(
        "map_right",
        ("greater_than_sign",),
        "later on the map",
        "Pan the map to what comes after.",
        "pane",
        panes=("map",),
    ),
    Action(
        "copy",
        ("y",),
        "copy",
        "Copy the finding, in Events and Why, or the id of what is selected.",
        "app",
    ),
    Action(
        "export",
        ("x",),
        "export",
        "Write a file: the view as SVG, or a slice of the journal around the finding.",
        "app",
    ),
    Action("theme", ("ctrl+t",), "next theme", "Change to the next theme.", "app"),
    Action(
        "close",
        ("escape",),
        "close",
        "Close what is open: a dialog, What-if, the search, pin and lens, the selection, the zoom.",
        "app",
    ),
    Action("palette", ("ctrl+p", "ctrl+k"), "palette", "Find any action by name.", "app"),
    Action(
        "help",
        ("question_mark",),
        "help",
        "Show or hide the keys.",
        "app",
        hint=("?", "help"),
        rank=99,
    ),
    Action("quit", ("q", "ctrl+q"), "quit", "Leave spanscope.", "app"),
)

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}
