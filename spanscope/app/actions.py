"""The one registry of actions: keys, palette, help and the key line all come from here."""

from __future__ import annotations

from spanscope.app.action import Action
from spanscope.app.app_actions import APP_ACTIONS
from spanscope.app.motion_actions import MOTIONS
from spanscope.app.pane_actions import PANE_ACTIONS

ACTIONS: tuple[Action, ...] = (*MOTIONS, *PANE_ACTIONS, *APP_ACTIONS)
"""In the order in which help, the palette and the documents list them."""

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}
