"""Which incidents the Findings pane unfolds: what a person has opened there."""

from __future__ import annotations

from msgspec import Struct

from spanscope.history.incidents import Root


class Folding(Struct, frozen=True):
    """Which incidents show their findings.

    `head` is one whose own row is picked, not that of the worst finding, which it stands for.
    """

    unfolded: frozenset[Root] = frozenset()
    head: Root | None = None
