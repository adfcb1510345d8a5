"""What the tabs of the detail pane list. Loaded with the first that is opened after Why."""

from __future__ import annotations

from spanscope.app.desk import Desk
from spanscope.widgets.content import ContentListing
from spanscope.widgets.context import ContextListing
from spanscope.widgets.difftab import DiffListing
from spanscope.widgets.holders import HoldersListing
from spanscope.widgets.listing import Listing
from spanscope.widgets.scene import Scene


def listing_of_tab(scene: Scene, width: int, desk: Desk) -> Listing:
    """What the open tab lists, where it is not Why."""
    match desk.tab:
        case "content":
            return ContentListing(scene, width, desk.match)
        case "holders":
            return HoldersListing(scene, width)
        case "context":
            return ContextListing(scene, width)
        case _:
            return DiffListing(scene, width, desk.hunk, desk.side_by_side, desk.match)
