"""Where everything stands, by the size of the terminal."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from spanscope.widgets.caption import CAPTION_HEIGHT

Form = Literal["boxed", "ruled", "tabs", "small"]

LEAST_WIDTH, LEAST_HEIGHT = 60, 20
RULED_WIDTH, RULED_HEIGHT = 80, 24
BOXED_WIDTH = 110
RULER_HEIGHT = 40

PANES = ("spans", "undo", "staging", "events", "detail")
"""In the order of the tab key."""

FINDINGS = "findings"
"""The pane that stands in the place of Events while it is open."""

MAP = "map"
"""The pane that stands in the place of all others while it is open."""


class Place(Struct, frozen=True):
    """How large one pane is; `gap` cells at its right stay empty."""

    width: int
    height: int
    gap: int = 0


class Plan(Struct, frozen=True):
    """The sizes of a screen: which panes are there, in the first and in the second row.

    `timeline` is how many lines it has, and `message` the message line. In the form `small` only
    a message is shown.
    """

    form: Form
    timeline: int = 0
    first: dict[str, Place] = {}
    second: dict[str, Place] = {}
    message: int = 1

    @property
    def boxed(self) -> bool:
        """Whether panes have boxes; else a rule with the title."""
        return self.form == "boxed"

    @property
    def panes(self) -> dict[str, Place]:
        """All panes that are there."""
        return {**self.first, **self.second}


def plan(
    width: int,
    height: int,
    *,
    focus: str,
    zoomed: bool = False,
    lead: str = "",
    listed: str = "events",
) -> Plan:
    """The plan for a terminal of this size, with Events or what is `listed` in its place.

    On a stage, `lead` is the pane that a story is about: it and the details stand alone, large.
    """
    made = _plan(width, height, focus=focus, zoomed=zoomed, lead=lead)
    second = {listed if name == "events" else name: at for name, at in made.second.items()}
    return replace(made, second=second)


def _plan(width: int, height: int, *, focus: str, zoomed: bool, lead: str) -> Plan:
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return Plan("small")
    if width < RULED_WIDTH or height < RULED_HEIGHT:
        message = CAPTION_HEIGHT if lead else 1
        return Plan("tabs", 1, {}, {focus: Place(width, height - 4 - message)}, message)
    form: Form = "boxed" if width >= BOXED_WIDTH else "ruled"
    timeline = 2 if height >= RULER_HEIGHT else 1
    body = height - 1 - timeline - 2
    if lead and not zoomed:
        return _staged(form, width, height, timeline, lead)
    if zoomed:
        return Plan(form, timeline, {}, {focus: Place(width, body)})
    if form == "boxed":
        return _boxed(width, height, timeline, body)
    first = max(9, round(height * 0.375))
    widths = _shares(width, (25, 30), 80)
    left = width * 33 // 80
    return Plan(
        form,
        timeline,
        {
            "spans": Place(widths[0], first, 2),
            "undo": Place(widths[1], first, 2),
            "staging": Place(widths[2], first),
        },
        {"events": Place(left, body - first, 1), "detail": Place(width - left, body - first)},
    )


def _staged(form: Form, width: int, height: int, timeline: int, lead: str) -> Plan:
    """Two large panes, and a band for the caption."""
    body = height - 1 - timeline - CAPTION_HEIGHT - 1
    upper = body * 9 // 20
    places = {lead: Place(width, upper)}
    details = {"detail": Place(width, body - upper)}
    if lead in ("events", FINDINGS):
        half = width // 2
        row = {"events": Place(half, body, 1), "detail": Place(width - half, body)}
        return Plan(form, timeline, {}, row, CAPTION_HEIGHT)
    return Plan(form, timeline, places, details, CAPTION_HEIGHT)


def _boxed(width: int, height: int, timeline: int, body: int) -> Plan:
    first = round(height * (0.44 if height >= 45 else 0.4))
    widths = _shares(width, (66, 52), 180) if width >= 160 else _shares(width, (44, 38), 120)
    left = width * 84 // 180 if width >= 160 else width * 55 // 120
    return Plan(
        "boxed",
        timeline,
        {
            "spans": Place(widths[0], first),
            "undo": Place(widths[1], first),
            "staging": Place(widths[2], first),
        },
        {"events": Place(left, body - first), "detail": Place(width - left, body - first)},
    )


def _shares(width: int, shares: tuple[int, int], whole: int) -> tuple[int, int, int]:
    """Widths in proportion, and the rest."""
    one, two = (width * share // whole for share in shares)
    return one, two, width - one - two
