"""What the first screen doesn't wait for, loaded beside it, so that no key waits for it either."""

from __future__ import annotations

from importlib import import_module

LATER = (
    "spanscope.history.audit",
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
