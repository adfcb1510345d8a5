"""What the first screen doesn't wait for, loaded beside it, so that no key waits for it either."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.command import Provider

LATER = (
    "spanscope.history.audit",
    "spanscope.history.kept_texts",
    "spanscope.history.staged_log",
    "spanscope.model.reaching",
    "spanscope.model.statuses",
    "spanscope.app.mouse",
    "spanscope.app.exporting",
    "spanscope.app.looking",
    "spanscope.app.palette",
    "spanscope.app.bookmarks",
    "spanscope.app.crashes",
    "spanscope.widgets.chain",
    "spanscope.widgets.healthy",
    "spanscope.widgets.map_view",
    "spanscope.widgets.evidence",
    "spanscope.app.tab_listings",
    "spanscope.app.simulating",
    "spanscope.widgets.places",
)


def load_the_rest() -> None:
    """Load it now. Meant for a thread: a thread that draws would be held up at every file."""
    for name in LATER:
        import_module(name)


def actions_by_name() -> type[Provider]:
    """What the palette lists of the actions."""
    from spanscope.app.palette import ActionProvider

    return ActionProvider


def themes_by_name() -> type[Provider]:
    """What it lists of the themes."""
    from spanscope.app.palette import ThemeProvider

    return ThemeProvider


PALETTE_STYLES = """
CommandPalette SearchIcon { display: none; }
App.-ascii CommandPalette #--input { border: ascii $border; }
App.-ascii CommandPalette #--input.--list-visible { border: ascii $border; }
App.-ascii CommandPalette LoadingIndicator { display: none; }
App.-ascii CommandPalette CommandList { border: none; scrollbar-size-vertical: 0; }
App.-ascii CommandPalette CommandList { text-overflow: clip; }
"""
"""The command palette in ASCII, and without a picture of a lens."""
