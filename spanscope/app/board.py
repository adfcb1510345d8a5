"""The main screen: places the widgets by the plan and draws a scene into them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message

from spanscope.app.action import Action
from spanscope.app.actions import ACTIONS
from spanscope.app.base import SteadyScreen
from spanscope.app.desk import Desk
from spanscope.app.hints import useful_hints
from spanscope.app.keybar import KeyBar
from spanscope.app.keyline import fitting_hints, help_lines
from spanscope.app.layout import (
    BOXED_WIDTH,
    FINDINGS,
    LEAST_HEIGHT,
    LEAST_WIDTH,
    MAP,
    PANES,
    Plan,
    plan,
)
from spanscope.app.prompt import Prompt
from spanscope.app.what_if import WhatIfBox
from spanscope.app.what_if import hints as what_if_hints
from spanscope.history.history import History
from spanscope.widgets.canvas import Canvas
from spanscope.widgets.caption import caption_lines
from spanscope.widgets.event_list import EventListing
from spanscope.widgets.frame import framed
from spanscope.widgets.header import header
from spanscope.widgets.lines import Line, Row, plain
from spanscope.widgets.listing import Listing
from spanscope.widgets.look import Look
from spanscope.widgets.message import message, said_line
from spanscope.widgets.pane import Pane
from spanscope.widgets.scene import Scene
from spanscope.widgets.simulated import said_line as simulated_line
from spanscope.widgets.spans import SpansListing
from spanscope.widgets.staging import StagingListing
from spanscope.widgets.tabs import TABS, pane_tabs, tab_titles
from spanscope.widgets.timeline import Timeline
from spanscope.widgets.timeline_bar import TimelineBar
from spanscope.widgets.undo import UndoListing
from spanscope.widgets.why import WhyListing

if TYPE_CHECKING:
    from spanscope.widgets.places import PlacesListing
    from spanscope.widgets.what_if import Simulation

STYLES = """
Board { layers: base above; overflow: hidden; }
Board Canvas { width: 1fr; height: 1; }
Board Horizontal { height: auto; width: 1fr; }
Board #what-if { layer: above; position: absolute; display: none; }
Board #help, Board #places { layer: above; dock: right; height: 1fr; display: none; }
"""


class Board(SteadyScreen):
    """Header, timeline, panes, message and keys."""

    BINDINGS = [
        Binding(
            ",".join(action.keys),
            f"app.perform('{action.id}')",
            action.verb,
            show=False,
            id=action.id,
        )
        for action in ACTIONS
    ]

    AUTO_FOCUS = ""

    class Resized(Message):
        """The terminal has another size."""

    def __init__(self, actions: Sequence[Action], begin: Callable[[], None]) -> None:
        """`begin` is called when all widgets are there and none of them is painted yet."""
        super().__init__()
        self._actions = actions
        self._begin = begin
        self.ready = False
        self.seeking = False
        self._bars = {name: Canvas(id=name) for name in ("header", "tabs", "message")}
        self._bars["timeline"] = TimelineBar(id="timeline")
        self._keys = KeyBar(id="keys")
        self._keys.actions = actions
        self._help = Canvas(id="help")
        self._what_if = WhatIfBox(id="what-if")
        self._places = Pane(id="places")
        self.panes = {name: Pane(id=name) for name in (*PANES, FINDINGS, MAP)}
        self._rows = (
            Horizontal(*(self.panes[name] for name in PANES[:3])),
            Horizontal(*(self.panes[name] for name in ("events", FINDINGS, "detail", MAP))),
        )
        self.prompt = Prompt(id="prompt")
        self._plan = Plan("small")
        self._placed: Plan | None = None
        self._looked_at: dict[str, object] = {}
        self._timeline: tuple[History, int, Timeline] | None = None

    def on_mount(self) -> None:
        """Tell the app, which was there before its screen: the first paint shows something."""
        self.ready = True
        self._begin()

    def on_resize(self, event: events.Resize) -> None:
        """Tell the app, once the new size is known everywhere."""
        super().on_resize(event)
        self.post_message(self.Resized())

    def compose(self) -> ComposeResult:
        """All widgets there will ever be; the plan says which are shown."""
        with Vertical():
            yield self._bars["header"]
            yield self._bars["timeline"]
            yield self._bars["tabs"]
            yield from self._rows
            yield self._bars["message"]
            yield self._keys
            yield self.prompt
        yield self._what_if
        yield self._help
        yield self._places

    def restyle(self, look: Look) -> None:
        """Draw everything in another look."""
        above = (self._what_if, self._help, self._places)
        for canvas in (*self._bars.values(), self._keys, *above, *self.panes.values()):
            canvas.restyle(look)

    def show(self, scene: Scene, desk: Desk, useful: frozenset[str]) -> None:
        """Draw a scene."""
        width, height = self.app.size
        self.seeking = False
        self.fit(desk)
        if self._plan.form == "small":
            self._what_if.display = self._help.display = self._places.display = False
            self._show_small(scene, width, height)
            return
        simulation = self._what_if.show(scene, desk.what_if, self._plan)
        state = "" if simulation is None else "SIMULATED"
        self._bars["header"].draw([header(scene, width, state)])
        timeline = self.timeline_of(scene)
        strip = [timeline.strip(scene), timeline.ruler(scene)]
        self._bars["timeline"].draw(strip[: self._plan.timeline])
        if self._plan.form == "tabs":
            self._bars["tabs"].draw([pane_tabs(scene, desk.focus, width, listed=desk.listed)])
        for name in self._plan.panes:
            self._show_pane(name, scene, desk)
        self._bars["message"].draw(self._message(scene, desk, width, simulation))
        self._show_keys(scene.seq, desk, width, useful, simulation)
        self._show_help(desk, width, height)
        self._show_places(scene, desk, width, height)

    def _show_keys(
        self,
        seq: int,
        desk: Desk,
        width: int,
        useful: frozenset[str],
        simulation: Simulation | None,
    ) -> None:
        if simulation is not None and desk.what_if is not None:
            hints = what_if_hints(desk.what_if, simulation, seq)
        else:
            alone = self._plan.form == "tabs"
            hints = useful_hints(desk.pane, useful, alone=alone)
        keys = fitting_hints(hints, width, count=desk.count, actions=self._actions)
        self._keys.show(keys, width, desk.count)

    def _message(
        self, scene: Scene, desk: Desk, width: int, simulation: Simulation | None
    ) -> list[Line]:
        """The message line; in a presentation the caption."""
        caption, said = desk.caption, None
        if desk.notice:
            said = said_line(desk.notice, width)
        elif simulation is not None:
            said = simulated_line(simulation.said, width)
        if caption is None or self._plan.message == 1:
            return [said or message(scene, width)]
        lines = caption_lines(caption, width)
        return [*lines[:-1], said] if said is not None else lines

    def fit(self, desk: Desk) -> None:
        """Make room for what is opened."""
        width, height = self.app.size
        if desk.lead and desk.focus != "detail":
            desk.lead = desk.focus
        self._plan = plan(
            width,
            height,
            focus=desk.focus,
            zoomed=desk.zoomed,
            lead=desk.lead,
            listed=desk.listed,
        )
        self._place(height)

    def _place(self, height: int) -> None:
        """Tell the widgets their sizes, where the plan has changed."""
        shown = self._plan
        for name, pane in self.panes.items():
            place = shown.panes.get(name)
            if place is not None:
                pane.fit(place.width, place.height, boxed=shown.boxed, gap=place.gap)
        if shown == self._placed:
            return
        self._placed = shown
        for name, pane in self.panes.items():
            place = shown.panes.get(name)
            pane.display = place is not None
            if place is not None:
                pane.styles.width, pane.styles.height = place.width, place.height
        for row in self._rows:
            row.display = any(pane.id in shown.panes for pane in row.children)
        small = shown.form == "small"
        for name, bar in self._bars.items():
            bar.display = not small or name == "message"
        self._bars["timeline"].styles.height = max(1, shown.timeline)
        self._bars["tabs"].display = shown.form == "tabs"
        self._bars["message"].styles.height = height if small else shown.message

    def _show_small(self, scene: Scene, width: int, height: int) -> None:
        said = f"{LEAST_WIDTH}x{LEAST_HEIGHT} needed, {width}x{height} here"
        blank = [plain("")] * max(0, height - 2)
        self._bars["message"].draw([plain(said), *blank, message(scene, width)])

    def listing(self, name: str, scene: Scene, desk: Desk) -> Listing:
        """What a pane shows of a scene."""
        pane = self.panes[name]
        width = pane.inner_width
        match name:
            case "spans":
                return SpansListing(scene, width)
            case "undo":
                return UndoListing(scene, width)
            case "staging":
                return StagingListing(scene, width)
            case "events":
                return EventListing(scene, width)
            case "findings":
                from spanscope.widgets.finding_list import FindingListing

                return FindingListing(scene, width, desk.folding)
            case "map":
                from spanscope.widgets.map_view import MapListing

                return MapListing(scene, width, desk.map)
        return self._detail(pane, scene, desk)

    @staticmethod
    def _detail(pane: Pane, scene: Scene, desk: Desk) -> Listing:
        """What the detail pane shows: the open tab."""
        width = pane.inner_width
        if desk.tab == "why":
            chosen = desk.chosen if desk.focus == "detail" else None
            return WhyListing(scene, width, pane.inner_height, chosen)
        from spanscope.app.tab_listings import listing_of_tab

        return listing_of_tab(scene, width, desk)

    def _show_pane(self, name: str, scene: Scene, desk: Desk) -> None:
        pane = self.panes[name]
        pane.active = desk.focus == name
        listing = self.listing(name, scene, desk)
        title = tab_titles(desk.tab) if name == "detail" else None
        place = (
            (scene.seq, scene.selected, scene.sought, scene.picked),
            desk.folding,
            (desk.tab, desk.hunk, desk.match, desk.chosen),
            self.app.size,
        )
        moved = self._looked_at.get(name) != place
        self._looked_at[name] = place
        pane.show(listing, title, follow=moved)
        if listing.seeking:
            # It comes into view once it is found.
            self.seeking = True
            del self._looked_at[name]

    def seek(self) -> bool:
        """Look on for what panes seek, without drawing; whether one has found it."""
        listings = [pane.listing for pane in self.panes.values() if pane.display]
        seeking = [each for each in listings if each is not None and each.seeking]
        for listing in seeking:
            listing.anchor()
        return not all(listing.seeking for listing in seeking)

    @property
    def help_room(self) -> int:
        """How many lines of the help are in view."""
        return max(1, self.app.size.height - 2)

    def _show_help(self, desk: Desk, width: int, height: int) -> None:
        self._help.display = desk.help
        if not desk.help:
            return
        wide = width if width < BOXED_WIDTH else width // 3
        self._help.styles.width = wide
        room = self.help_room
        lines = help_lines(
            wide - 4,
            room,
            pane=desk.pane,
            staged=desk.caption is not None,
            actions=self._actions,
        )
        desk.help_top = min(max(0, desk.help_top), max(0, len(lines) - room))
        note = "j k, page keys scroll, escape closes" if len(lines) > room else "escape closes"
        lines = lines[desk.help_top : desk.help_top + room]
        title: Line = Row().put("Help").line()
        self._help.draw(framed(title, lines, wide, height, note=note, focused=True))

    def _show_places(self, scene: Scene, desk: Desk, width: int, height: int) -> None:
        self._places.display = desk.places
        if desk.places:
            wide = width if width < BOXED_WIDTH else width // 2
            self._places.styles.width = wide
            self._places.fit(wide, height, boxed=True)
            self._places.active = True
            self._places.show(self.place_listing(scene, desk))

    def place_listing(self, scene: Scene, desk: Desk) -> PlacesListing:
        """What the list of places shows of a scene."""
        from spanscope.widgets.places import PlacesListing

        return PlacesListing(scene, self._places.inner_width, desk.place)

    def keys_of(self, id: str) -> Sequence[str]:
        """The keys of an action, as they are mapped."""
        return next(action.keys for action in self._actions if action.id == id)

    @property
    def as_tabs(self) -> bool:
        """Whether only one pane is shown at a time."""
        width, height = self.app.size
        return plan(width, height, focus="events").form == "tabs"

    def ask(self, sign: str, text: str = "") -> None:
        """Open the prompt in the place of the keys."""
        self._keys.display = False
        self.prompt.open(sign, text)

    def close_prompt(self) -> None:
        """Put the keys back."""
        self.prompt.close()
        self._keys.display = True

    def timeline_of(self, scene: Scene) -> Timeline:
        """The timeline of what has been read so far."""
        history, width = scene.history, self.app.size.width
        if self._timeline is None or self._timeline[0] is not history or self._timeline[1] != width:
            self._timeline = (history, width, Timeline(history, width, scene.findings))
        timeline = self._timeline[2]
        timeline.follow(scene.audit)
        return timeline

    def tab_at(self, column: int) -> str | None:
        """The tab whose name stands at a column of the detail pane."""
        at = 3 if self._plan.boxed else 2
        for name, label in TABS.items():
            shown = (
                len(label) + 2 if f"[{label}]" in self.panes["detail"].title_text else len(label)
            )
            if at <= column < at + shown:
                return name
            at += shown + 1
        return None
