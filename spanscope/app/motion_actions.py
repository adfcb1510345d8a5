"""The actions that move through a session, or say where motions stop."""

from __future__ import annotations

from spanscope.app.action import Action

MOTIONS: tuple[Action, ...] = (
    Action(
        "step_forward",
        ("l", "right"),
        "next event",
        "Go to the next event.",
        "move",
    ),
    Action("step_back", ("h", "left"), "previous event", "Go to the event before.", "move"),
    Action(
        "next_finding",
        ("e",),
        "next finding",
        "Go to the next error or warning.",
        "move",
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
    ),
    Action("previous_turn", ("T",), "previous turn", "Go to where the turn before starts.", "move"),
    Action(
        "next_touch",
        ("s",),
        "next of the same thing",
        "Go to the next event that touched the selected thing.",
        "move",
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
    ),
    Action(
        "follow",
        ("f",),
        "follow",
        "Follow a journal that grows, or let go of it: the cursor stays at its end or where it is.",
        "move",
    ),
    Action(
        "next_beat",
        ("space",),
        "next beat",
        "In a presentation, go to the next beat of the story.",
        "stage",
    ),
    Action(
        "previous_beat",
        ("backspace",),
        "previous beat",
        "In a presentation, go to the beat before.",
        "stage",
    ),
    Action(
        "start_over",
        ("0",),
        "start over",
        "In a presentation, go back to before the first beat.",
        "stage",
    ),
    Action(
        "other_run",
        ("u",),
        "other run",
        "In a presentation, show the safe twin at the same beat, or the unsafe run again.",
        "stage",
    ),
    Action("first", ("g", "home"), "first event", "Go to the first event.", "move"),
    Action("last", ("G", "end"), "last event", "Go to the last event.", "move"),
    Action(
        "go_to",
        ("colon",),
        "go to",
        "Go to a seq, a turn, a time, an id, a revision, a rule or what an expression means.",
        "move",
    ),
    Action(
        "search",
        ("slash",),
        "search",
        "Search in events and contents.",
        "move",
    ),
    Action("next_match", ("n",), "next match", "Go to the next match of the search.", "move"),
    Action("previous_match", ("N",), "previous match", "Go to the match before.", "move"),
    Action(
        "filter",
        ("F",),
        "filter",
        "Show in Events only what an expression means.",
        "move",
    ),
    Action(
        "watch",
        ("w",),
        "watch",
        "Stop motions, and following, where an expression holds.",
        "move",
    ),
    Action("go_on", ("c",), "continue", "Go on to where the watch holds next.", "move"),
    Action(
        "go_back_on", ("C",), "continue back", "Go back to where the watch held before.", "move"
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
)
