"""The key line as something that can be clicked: what stands there is done."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events

from spanscope.app.action import Action
from spanscope.app.actions import ACTIONS
from spanscope.widgets.canvas import Canvas


def clicked_at(line: str, column: int, actions: Sequence[Action] = ACTIONS) -> str | None:
    """The id of the action whose key, or whose words, stand at a column of the key line."""
    for action in actions:
        if action.hint is None:
            continue
        keys, words = action.hint
        at = column - 1 - f"{line} ".find(f" {keys} {words} ")
        if at > column - 1 or not 0 <= at < len(keys) + 1 + len(words):
            continue
        key = next((key for key in keys.split() if 0 <= at - keys.find(key) < len(key)), None)
        named = (each.id for each in actions if key is not None and key in each.shown_keys.split())
        return next(named, action.id)
    return None


class KeyBar(Canvas):
    """The key line."""

    actions: Sequence[Action] = ACTIONS

    async def on_click(self, event: events.Click) -> None:
        """Do what stands under the mouse, as its key would."""
        event.stop()
        line = self._lines[0].text if self._lines else ""
        id = clicked_at(line, event.x, self.actions)
        if id is not None:
            await self.run_action(f"app.perform('{id}')")
