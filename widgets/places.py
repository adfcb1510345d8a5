"""The list of places to go to: bookmarks with their notes, then where the cursor was before."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from spanscope.history.describing import clock, told
from spanscope.widgets.findings import label, role
from spanscope.widgets.lines import EMPTY, Line, Role, Row, fitting_words, plain
from spanscope.widgets.listing import DenseListing
from spanscope.widgets.scene import Scene


class Place(NamedTuple):
    """A step to go to; `note` is null for one where the cursor was."""

    seq: int
    note: str | None = None


class PlacesListing(DenseListing):
    """Bookmarks and jumps as lines; `chosen` is the row that is picked."""

    def __init__(self, scene: Scene, width: int, chosen: int) -> None:
        self._scene = scene
        self._width = width
        self._chosen = chosen

    @cached_property
    def _rows(self) -> list[Place | Line]:
        marks = [Place(seq, note) for seq, note in self._scene.bookmarks.items()]
        jumps = [Place(seq) for seq in dict.fromkeys(reversed(self._scene.trail))]
        rows: list[Place | Line] = [plain("Bookmarks", "strong"), *marks]
        if not marks:
            rows.append(plain("  none; m sets one at the cursor", "muted"))
        rows += [EMPTY, plain("Where you were", "strong"), *jumps]
        if not jumps:
            rows.append(plain("  nowhere else yet", "muted"))
        return rows

    @property
    def places(self) -> list[Place]:
        """All that can be gone to."""
        return [row for row in self._rows if isinstance(row, Place)]

    @property
    def picked(self) -> Place | None:
        """The place that is picked."""
        places = self.places
        return places[min(max(0, self._chosen), len(places) - 1)] if places else None

    def title(self) -> Line:
        """The name of the list."""
        return plain("Places")

    def hidden(self, shown: object) -> str:
        """What the keys do."""
        del shown
        return "enter go, M remove, escape close"

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def place(self, number: int) -> Place | None:
        """What a row stands for."""
        row = self._rows[number]
        return row if isinstance(row, Place) else None

    def anchor(self) -> int | None:
        """The picked row."""
        picked = self.picked
        rows = (i for i, row in enumerate(self._rows) if row is picked)
        return None if picked is None else next(rows)

    def row(self, number: int) -> Line:
        """One row."""
        row = self._rows[number]
        return row if isinstance(row, Line) else self._place_line(row)

    def _place_line(self, place: Place) -> Line:
        history, picked = self._scene.history, place is self.picked
        base: Role = "strong" if place.seq == self._scene.seq else "plain"
        row = Row().put("> " if picked else "m " if place.note is not None else "  ", base)
        row.put(str(place.seq), base, len(str(history.last)), right=True).gap()
        event = history.event(place.seq)
        if event is not None and self._width >= 50:
            row.put(clock(event.time), "muted", 8).gap()
        found = history.findings_at(place.seq) if place.seq else ()
        said = label(found)
        room = self._width - row.width - (len(said) + 1 if said else 0)
        words = told(history, place.seq)
        words[0] = words[0].removeprefix(f"{place.seq} ")
        if place.note:
            words = [place.note]
        row.put(fitting_words(words, room), base, room)
        if found:
            row.gap().put(said, role(found[0]))
        return row.line("selected" if picked else "")
