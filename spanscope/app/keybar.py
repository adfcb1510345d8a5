"""The key line as something that can be clicked: what stands there is done."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events

from spanscope.app.action import Action
from spanscope.app.actions import ACTIONS
from spanscope.widgets.canvas import Canvas
from spanscope.widgets.keys import Key, key_at, keys_line


class KeyBar(Canvas):
    """The key line."""

    actions: Sequence[Action] = ACTIONS
    _keys: Sequence[Key] = ()
    _width = 0
    _count = ""

    def show(self, keys: Sequence[Key], width: int, count: str = "") -> None:
        """Draw keys; `count` is what was typed so far."""
        self._keys, self._width, self._count = keys, width, count
        self.draw([keys_line(keys, width, count)])

    async def on_click(self, event: events.Click) -> None:
        """Do what stands under the mouse, as its key would."""
        event.stop()
        key = key_at(self._keys, self._width, event.x, self._count)
        for action in self.actions:
            if key is not None and key in action.shown_keys.split():
                await self.run_action(f"app.perform('{action.id}')")
                return
