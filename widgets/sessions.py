"""The list of the chooser: live sessions, recent journals and the demos, one a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from spanscope.history.describing import counted, number
from spanscope.history.overview import Overview
from spanscope.widgets.lines import EMPTY, Line, Role, Row, within
from spanscope.widgets.listing import DenseListing

Group = Literal["live", "agent", "recent", "demo"]
GROUPS: tuple[Group, ...] = get_args(Group)

NO_AGENT = ('none; ContextBuffer.record("planner") starts one', "none")
TWINS = ("an unsafe run and its safe twin each", "each with its safe twin")
"""What a heading says, the second one where the first does not fit."""


WIDE = 102
"""From this width every fact stands in the words that it takes."""

FACTS = 76
"""What then stands beside a name."""

MIDDLE = 70


class Choice(NamedTuple):
    """Something that can be opened.

    `about` is a demo's title, where a journal lies or what another agent is called, `story` what
    goes wrong in a demo, `at` the step that it is opened at and `twin` its safe one; `modified` in
    seconds since 1970, `pid` of a live writer; `branch` is one of several sessions in a file.
    """

    group: Group
    name: str
    path: Path
    about: str = ""
    modified: float = 0.0
    pid: int | None = None
    branch: str | None = None
    story: str = ""
    at: int | None = None
    twin: Choice | None = None


class SessionsListing(DenseListing):
    """The rows: a heading a group, then its choices, then an empty line."""

    def __init__(
        self,
        choices: Sequence[Choice],
        overviews: Mapping[Path, Overview],
        selected: Choice | None,
        width: int,
        now: float,
        *,
        narrowed: bool = False,
    ) -> None:
        """`narrowed`: some are left out, so a group without any says nothing."""
        self._overviews = overviews
        self._selected = selected
        self._width = width
        self._now = now
        self._narrowed = narrowed
        self.items: list[Choice | Line] = []
        groups = {group: [c for c in choices if c.group == group] for group in GROUPS}
        agents, recent = len(groups["live"]), len(groups["recent"])
        said = (counted(agents, "agent"),) if agents else NO_AGENT
        self._group("Live now", said, groups["live"])
        if groups["agent"]:
            said = ("written lately; followed as they go on", "written lately")
            self._group("Other agents", said, groups["agent"])
        said = (counted(recent, "journal") if recent else "none yet",)
        self._group("Recent", said, groups["recent"])
        self._group("Demos", TWINS, groups["demo"])

    def _group(self, title: str, said: Sequence[str], choices: list[Choice]) -> None:
        if self._narrowed and not choices:
            return
        if self.items:
            self.items.append(EMPTY)
        heading = Row().gap(2).put(title, "title", 25)
        room = self._width - heading.width
        fitting = next((words for words in said if len(words) <= room), said[-1])
        self.items.append(within(heading.put(fitting, "muted").line(), self._width))
        self.items += choices

    def title(self) -> Line:
        """The pane's name."""
        return Row().put("Sessions").line()

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.items)

    def choice(self, index: int) -> Choice | None:
        """What a row stands for; null for a heading."""
        item = self.items[index] if 0 <= index < len(self.items) else None
        return item if isinstance(item, Choice) else None

    def anchor(self) -> int | None:
        """The selected row."""
        if self._selected in self.items:
            return self.items.index(self._selected)
        return None

    def row(self, number: int) -> Line:
        """One row, from 0."""
        item = self.items[number]
        if not isinstance(item, Choice):
            return item
        here = item == self._selected
        row = Row().put("> " if here else "  ").gap(2)
        room = self._width - FACTS if self._width >= WIDE else (self._width - 4) // 3
        name = max(16, min(36 if self._width >= WIDE else 26, room))
        row.put(item.name, "strong" if here else "plain", name, middle=True).gap()
        if item.group == "demo":
            row.put(item.about)
        elif item.group == "agent":
            row.put(item.about, "muted", 18).put(age(self._now - item.modified), "muted")
        else:
            self._facts(row, item)
        return within(row.line("selected" if here else ""), self._width)

    def _facts(self, row: Row, item: Choice) -> None:
        """Who writes it, how many events, what was found, how old it is; as much as there is room.

        What was found is always there.
        """
        overview = self._overviews.get(item.path)
        wide = self._width >= WIDE
        if self._width >= MIDDLE:
            row.put(*_state(item, overview, wide=wide), 18 if wide else 10)
            row.put(_size(overview, wide=wide), "plain", 14 if wide else 6, right=True)
            row.gap(3 if wide else 2)
        row.put("..." if overview is None else overview.found, _role(overview), 23 if wide else 19)
        old = age(self._now - item.modified)
        row.gap().put(old if wide else old.removesuffix(" ago"), "muted")


def _state(item: Choice, overview: Overview | None, *, wide: bool) -> tuple[str, Role]:
    if item.pid is not None:
        return (f"LIVE pid {item.pid}" if wide else "LIVE"), "good"
    if overview is None or overview.events is None:
        return "", "muted"
    return "closed" if overview.closed else "cut short", "muted"


def _size(overview: Overview | None, *, wide: bool) -> str:
    if overview is None or overview.events is None:
        return ""
    return counted(overview.events, "event") if wide else number(overview.events)


def _role(overview: Overview | None) -> Role:
    if overview is None:
        return "muted"
    if overview.errors or overview.trouble:
        return "error"
    return "warning" if overview.warnings else "plain"


def age(seconds: float) -> str:
    """How long ago something was, in the largest unit that says it."""
    whole = max(0, int(seconds))
    for size, word in ((86_400, "day"), (3_600, "hour"), (60, "min")):
        if whole >= size:
            many = whole // size
            if word == "day" and many == 1:
                return "yesterday"
            return f"{many} {word}{'s' if many > 1 and word != 'min' else ''} ago"
    return f"{whole} s ago"
