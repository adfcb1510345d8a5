"""The actions on the app itself."""

from __future__ import annotations

from spanscope.app.action import Action

APP_ACTIONS: tuple[Action, ...] = (
    Action(
        "copy",
        ("y",),
        "copy",
        "Copy the finding, in Events, Findings and Why, or the id of what is selected.",
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
    ),
    Action("quit", ("q", "ctrl+q"), "quit", "Leave spanscope.", "app"),
)
