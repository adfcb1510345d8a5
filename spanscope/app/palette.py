"""The command palette, filled from the registry."""

from __future__ import annotations

from functools import partial
from typing import Protocol, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from spanscope.app.actions import ACTIONS, Action


class Performer(Protocol):
    """What can run an action."""

    def perform(self, id: str) -> None:
        """Run the action."""


def title(action: Action) -> str:
    """How an action is listed: what it does and its keys."""
    return f"{action.about.rstrip('.')}  ({action.shown_keys})"


class ActionProvider(Provider):
    """Every action by name."""

    async def discover(self) -> Hits:
        """All actions, in the order of the registry."""
        for action in ACTIONS:
            if action.id != "palette":
                yield DiscoveryHit(Content(title(action)), self._run(action), text=title(action))

    async def search(self, query: str) -> Hits:
        """The actions that a query fits."""
        matcher = self.matcher(query)
        for action in ACTIONS:
            score = matcher.match(title(action))
            if score > 0 and action.id != "palette":
                yield Hit(score, matcher.highlight(title(action)), self._run(action))

    def _run(self, action: Action) -> partial[None]:
        return partial(cast(Performer, self.app).perform, action.id)
