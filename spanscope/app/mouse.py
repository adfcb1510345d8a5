"""What the mouse does: a click on a row or a tab, a click on the timeline or a drag along it."""

from __future__ import annotations

from spanscope.app.board import Board
from spanscope.app.commands import Commands
from spanscope.app.desk import Desk
from spanscope.app.layout import FINDINGS, MAP
from spanscope.app.navigation import Navigator
from spanscope.widgets.pane import Pane
from spanscope.widgets.timeline_bar import TimelineBar


class Mouse:
    """Clicks and drags as motions and selections."""

    def __init__(self, navigator: Navigator, desk: Desk, board: Board, commands: Commands) -> None:
        self._navigator = navigator
        self._desk = desk
        self._board = board
        self._commands = commands

    def clicked(self, message: Pane.Clicked) -> None:
        """A row, or with none the title of a pane."""
        desk, name = self._desk, message.pane.id or ""
        desk.notice = ""
        if name == "places":
            if message.row is not None:
                desk.notice = self._commands.places.click(message.row) or ""
            return
        desk.focus = name
        if name == FINDINGS and message.row is not None:
            desk.notice = self._commands.findings.click(message.row) or ""
            return
        if message.row is None:
            tab = self._board.tab_at(message.column) if name == "detail" else None
            self._commands.details.turn_to(tab or desk.tab)
            return
        desk.notice = self._commands.select_row(name, message.row) or ""
        if name == MAP:
            edge = 2 if message.pane.boxed else 0
            self._commands.jump_on_map(message.column - edge)

    def on_timeline(self, message: TimelineBar.Pointed) -> None:
        """To the step under a column: a click is a jump, and a drag goes on from there."""
        scene = self._navigator.scene()
        timeline = self._board.timeline_of(scene)
        self._desk.notice = ""
        if message.dragged:
            seq = timeline.seq_at(message.column)
            if seq is not None:
                self._navigator.glide(seq)
            return
        seq = timeline.landmark_at(message.column, scene)
        if seq is not None:
            self._desk.notice = self._navigator.go(seq) or ""
