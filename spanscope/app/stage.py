"""What the keys of a presentation do."""

from __future__ import annotations

from collections.abc import Callable

from spanscope.app.desk import Desk
from spanscope.app.navigation import Navigator
from spanscope.app.presenting import NOTHING, PANES_OF, Presentation
from spanscope.app.searching import Searching


class Stage:
    """The actions of a presentation, where there is one."""

    def __init__(self, navigator: Navigator, desk: Desk, searching: Searching) -> None:
        self._navigator = navigator
        self._desk = desk
        self._searching = searching
        self.presentation: Presentation | None = None

    def do_next_beat(self, count: int) -> str | None:
        """So many beats on."""
        return self._act(lambda stage: stage.next(self._navigator, count))

    def do_previous_beat(self, count: int) -> str | None:
        """So many beats back."""
        return self._act(lambda stage: stage.next(self._navigator, -count))

    def do_start_over(self, _count: int) -> str | None:
        """Before the first beat."""
        return self._act(lambda stage: stage.start_over(self._navigator))

    def do_other_run(self, _count: int) -> str | None:
        """The other run at the same beat."""
        said = self._act(lambda stage: stage.flip(self._navigator))
        self._searching.begin_again()
        return said

    def _act(self, act: Callable[[Presentation], str | None]) -> str | None:
        """Do something with the presentation, and show what it is about."""
        if self.presentation is None:
            return NOTHING
        said = act(self.presentation)
        selected = self._navigator.selected
        self._desk.lead = PANES_OF[selected.kind] if selected is not None else "spans"
        self._desk.focus = self._desk.lead
        self._desk.tab = "why"
        self._desk.chosen = None
        return said
