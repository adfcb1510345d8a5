"""The command palette, filled from the registry."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Protocol, cast

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from spanscope.app.action import Action
from spanscope.app.themes import THEMES


class Performer(Protocol):
    """What can run an action."""

    actions: Sequence[Action]

    def perform(self, id: str) -> None:
        """Run the action."""

    def choose_theme(self, name: str) -> None:
        """Draw in a theme."""


def title(action: Action) -> str:
    """How an action is listed: what it does and its keys."""
    return f"{action.about.rstrip('.')}  ({action.shown_keys})"


def palette() -> CommandPalette:
    """The palette, with nothing but ASCII of its own."""
    return CommandPalette(placeholder="any action or theme by name", id="--command-palette")


class ActionProvider(Provider):
    """Every action by name."""

    async def discover(self) -> Hits:
        """All actions, in the order of the registry."""
        for action in cast(Performer, self.app).actions:
            if action.id != "palette":
                yield DiscoveryHit(Content(title(action)), self._run(action), text=title(action))

    async def search(self, query: str) -> Hits:
        """The actions that a query fits."""
        matcher = self.matcher(query)
        for action in cast(Performer, self.app).actions:
            score = matcher.match(title(action))
            if action.group == "stage":
                # They do something only in a presentation.
                score /= 2
            if score > 0 and action.id != "palette":
                yield Hit(score, matcher.highlight(title(action)), self._run(action))

    def _run(self, action: Action) -> partial[None]:
        return partial(cast(Performer, self.app).perform, action.id)


class ThemeProvider(Provider):
    """Every theme by name."""

    async def discover(self) -> Hits:
        """All themes."""
        for name in THEMES:
            yield DiscoveryHit(Content(f"Theme: {name}"), self._choose(name))

    async def search(self, query: str) -> Hits:
        """The themes that a query fits."""
        matcher = self.matcher(query)
        for name in THEMES:
            score = matcher.match(f"Theme: {name}")
            if score > 0:
                yield Hit(score, matcher.highlight(f"Theme: {name}"), self._choose(name))

    def _choose(self, name: str) -> partial[None]:
        return partial(cast(Performer, self.app).choose_theme, name)
