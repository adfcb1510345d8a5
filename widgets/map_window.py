"""The part of a session that the map shows: what a person zooms and pans."""

from __future__ import annotations

from msgspec import Struct


class MapWindow(Struct, frozen=True):
    """The part of the session that the map shows.

    `start` is the position of its first event (from 0), `per` how many events a column stands
    for; 0: as many as it takes to show all.
    """

    start: int = 0
    per: int = 0

    def fitted(self, events: int, columns: int) -> MapWindow:
        """The window with a real `per`, held inside the session."""
        whole = max(1, -(-events // max(1, columns)))
        per = min(self.per or whole, whole)
        return MapWindow(max(0, min(self.start, events - per * columns)), per)

    def zoomed(self, factor: float, at: int, events: int, columns: int) -> MapWindow:
        """Nearer or farther, so that the event at a position keeps its column."""
        now = self.fitted(events, columns)
        whole = max(1, -(-events // max(1, columns)))
        per = max(1, min(whole, round(now.per * factor) or 1))
        if per == now.per:
            per = max(1, min(whole, now.per + (1 if factor > 1 else -1)))
        column = min(max(0, (at - now.start) // now.per), columns - 1)
        return MapWindow(at - column * per, per).fitted(events, columns)

    def panned(self, columns_on: int, events: int, columns: int) -> MapWindow:
        """So many columns on."""
        now = self.fitted(events, columns)
        return MapWindow(now.start + columns_on * now.per, now.per).fitted(events, columns)

    def showing(self, at: int, events: int, columns: int) -> MapWindow:
        """The window moved no farther than it takes to show the event at a position."""
        now = self.fitted(events, columns)
        if at < now.start:
            return MapWindow(at, now.per).fitted(events, columns)
        if at >= now.start + now.per * columns:
            return MapWindow(at - now.per * (columns - 1), now.per).fitted(events, columns)
        return now
