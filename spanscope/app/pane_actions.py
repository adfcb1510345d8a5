"""The actions on panes: what they show, what is selected in them, what opens in their place."""

from __future__ import annotations

from spanscope.app.action import Action

PANE_ACTIONS: tuple[Action, ...] = (
    Action(
        "what_if",
        ("r",),
        "what-if",
        "Tell what a rollback, an apply or a rewrite would do here. Nothing is written.",
        "pane",
    ),
    Action(
        "findings",
        ("i",),
        "findings",
        "List the findings in the place of Events, those with one cause as one; or Events again.",
        "pane",
    ),
    Action(
        "unfold_all",
        ("I",),
        "unfold",
        "In Findings, show the findings of every incident, or of none.",
        "pane",
    ),
    Action(
        "rule",
        ("R",),
        "rule",
        "Tell of the rule behind the finding: what it means, why it matters, what to do.",
        "pane",
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
        "Leave only what touched the selected thing; in Why, go to the event that is picked; in"
        " Findings, unfold an incident.",
        "pane",
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
        ("alt+9", "ª"),
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
    ),
    Action(
        "map",
        ("v",),
        "map",
        "Show the map: spans down, steps across; or the panes again.",
        "pane",
    ),
    Action(
        "map_nearer",
        ("plus",),
        "nearer",
        "Let a column of the map stand for fewer events; in What-if, roll back one more.",
        "pane",
    ),
    Action(
        "map_farther",
        ("minus",),
        "farther",
        "Let a column of the map stand for more events; in What-if, roll back one fewer.",
        "pane",
    ),
    Action(
        "map_left",
        ("less_than_sign",),
        "earlier on the map",
        "Pan the map to what was before.",
        "pane",
    ),
    Action(
        "map_right",
        ("greater_than_sign",),
        "later on the map",
        "Pan the map to what comes after.",
        "pane",
    ),
)
