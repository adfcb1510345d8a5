"""The desk: what a person has opened, typed and turned, apart from the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from spanscope.widgets.caption import Caption
from spanscope.widgets.folding import Folding
from spanscope.widgets.map_window import MapWindow

if TYPE_CHECKING:
    from spanscope.widgets.what_if import Question


class Desk(Struct):
    """What a person has opened: which pane has the focus, which tab, what was typed so far.

    `map` is the part of the session that the map shows, `under_map` focus and zoom beneath it.
    `lead` is the pane that a presentation is about, empty where there is none, and `caption` what
    it tells. `chosen` is the event picked in the chain of Why, `hunk` the changed place that Diff
    shows, `match` the line of Content with what is sought, `notice` a sentence that stands in the
    message line until the next key. `what_if` is
    what What-if is asked. `listed` is what stands in the place of Events, `folding` which incidents
    it unfolds. With `places` the list of places is open, `place` is its picked row.
    """

    focus: str = "events"
    lead: str = ""
    tab: str = "why"
    zoomed: bool = False
    listed: str = "events"
    folding: Folding = Folding()
    help: bool = False
    help_top: int = 0
    places: bool = False
    place: int = 0
    chosen: int | None = None
    hunk: int | None = None
    match: int = 0
    side_by_side: bool | None = None
    count: str = ""
    notice: str = ""
    caption: Caption | None = None
    map: MapWindow = MapWindow()
    under_map: tuple[str, bool] = ("events", False)
    what_if: Question | None = None

    @property
    def pane(self) -> str:
        """The pane with the focus; of the detail pane the open tab."""
        return self.tab if self.focus == "detail" else self.focus

    def look_afresh(self) -> None:
        """Another text is shown: no changed place and no match in it has been gone to."""
        self.hunk = None
        self.match = 0
