"""The look: roles as terminal styles, computed once for a theme, and lines as strips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from rich.segment import Segment
from rich.style import Style
from textual.color import Color, ColorParseError
from textual.strip import Strip

from spanscope.text.cells import cell_width
from spanscope.text.visible import visible
from spanscope.widgets.lines import Fill, Line, Role
from spanscope.widgets.terminal import ASCII_FOR, own_colours

REMEMBERED = 400
"""So many lines are kept as they were made: about two screens."""

ROLES: tuple[Role, ...] = get_args(Role)
FILLS: tuple[Fill, ...] = get_args(Fill)

_BOLD: frozenset[Role] = frozenset(
    (
        "strong",
        "error",
        "open",
        "key",
        "marked",
        "found",
        "badge-error",
        "badge-warning",
        "badge-info",
        "cursor",
        "badge-simulation",
    )
)
_REVERSE: frozenset[Role] = frozenset(
    ("badge-error", "badge-warning", "badge-info", "badge-simulation", "cursor", "found")
)
_UNDERLINE: frozenset[Role] = frozenset(("added", "removed"))
_ON_SPACES = _REVERSE | _UNDERLINE
"""Roles that can be seen where there is no letter."""
_DIM: frozenset[Role] = frozenset(("muted", "future", "border", "title"))

HEAVY = str.maketrans("─│╭╮╰╯", "━┃┏┓┗┛")
"""The frame of the focused pane where no colour tells it from the others."""


class Look:
    """The styles of all roles on all grounds.

    `variables` are the colours of a Textual theme. With `mono` no colour is used at all: bold,
    reverse, underline and dim carry what the words don't, and the focus has a heavy frame. With
    `own` the colours are the sixteen of the terminal. With `ascii_frames` frames, blocks and
    stand-ins are ASCII; texts stay.
    """

    def __init__(
        self,
        variables: Mapping[str, str],
        *,
        dark: bool = True,
        mono: bool,
        own: bool = False,
        ascii_frames: bool = False,
    ) -> None:
        self._ascii = ascii_frames
        self._mono = mono
        colours = None if mono else _Colours.read(variables, dark=dark)
        self._styles = {
            (role, fill): _style(role, fill, colours) for role in ROLES for fill in FILLS
        }
        if own and not mono:
            self._styles = {
                (role, fill): own_colours(role, fill, bare)
                for (role, fill), bare in self._styles.items()
            }

        self._made: dict[tuple[Line, int], Strip] = {}

    def style(self, role: Role, fill: Fill = "") -> Style:
        """The style of a role on a ground."""
        return self._styles[role, fill]

    def strip(self, line: Line, width: int) -> Strip:
        """The line as it goes to the terminal, in exactly `width` cells.

        The last ones are remembered: most lines of a screen are those of the screen before.
        """
        key = (line, width)
        made = self._made.get(key)
        if made is None:
            if len(self._made) >= REMEMBERED:
                self._made.clear()
            made = self._made[key] = self._strip(line, width)
        return made

    def _strip(self, line: Line, width: int) -> Strip:
        """Cells of one role become one segment; in colour it takes in spaces that look the same."""
        texts: list[str] = []
        roles: list[tuple[Role, Fill]] = []
        used = 0
        last = len(line.cells) - 1
        for index, (text, role) in enumerate(line.cells):
            framing = line.edged and index in (0, last)
            shown = visible(text)
            if self._mono and role == "focus":
                shown = shown.translate(HEAVY)
            if self._ascii and not shown.isascii():
                shown = shown.translate(ASCII_FOR)
            used += cell_width(shown)
            self._join(texts, roles, shown, (role, "" if framing else line.fill))
        if used < width:
            self._join(texts, roles, " " * (width - used), ("plain", ""))
        made = zip(texts, roles, strict=True)
        strip = Strip([Segment(text, self._styles[at]) for text, at in made], max(used, width))
        return strip if used <= width else strip.crop(0, width)

    def _join(
        self, texts: list[str], roles: list[tuple[Role, Fill]], text: str, at: tuple[Role, Fill]
    ) -> None:
        """Add a piece of a line to the last one, where nobody could see where that ends."""
        same = roles and (
            at == roles[-1] or (not self._mono and text.isspace() and _alike(at, roles[-1]))
        )
        if same:
            texts[-1] += text
        elif text:
            texts.append(text)
            roles.append(at)


def _alike(one: tuple[Role, Fill], other: tuple[Role, Fill]) -> bool:
    """Whether spaces look the same in both."""
    return one[1] == other[1] and one[0] not in _ON_SPACES and other[0] not in _ON_SPACES


class _Colours:
    """The colours that roles are made of, all opaque."""

    def __init__(self, variables: Mapping[str, str], *, dark: bool) -> None:
        self.background = Color.parse(variables["background"])
        self.foreground = self._over(variables["foreground"])
        self.muted = self._faded(0.65)
        self.future = self._faded(0.45 if dark else 0.55)
        self.border = self._faded(0.25)
        self.error = self._over(variables["text-error"])
        self.warning = self._over(variables["text-warning"])
        self.good = self._over(variables["text-success"])
        self.key = self._over(variables["text-primary"])
        self.focus = self._over(variables["primary"])
        self.simulation = self._over(variables["text-secondary"])
        self.fills: dict[Fill, Color] = {
            "": self.background,
            "selected": self._over(variables["block-cursor-blurred-background"]),
            "error": self._over(variables["error-muted"]),
            "warning": self._over(variables["warning-muted"]),
            "secondary": self._over(variables["secondary-muted"]),
            "surface": self._over(variables["surface"]),
        }

    @classmethod
    def read(cls, variables: Mapping[str, str], *, dark: bool) -> _Colours | None:
        """The theme's colours, or null where it leaves them to the terminal."""
        if variables.get("background", "").startswith("ansi"):
            return None
        try:
            return cls(variables, dark=dark)
        except (ColorParseError, KeyError):
            return None

    def _over(self, text: str) -> Color:
        return self.background + Color.parse(text)

    def _faded(self, share: float) -> Color:
        return self.background.blend(self.foreground, share)

    def of(self, role: Role, fill: Fill) -> Color:
        """The colour of a role; on the selection and on a band muted text is plain."""
        if fill not in ("", "surface") and role in ("muted", "title"):
            return self.foreground
        return {
            "muted": self.muted,
            "title": self.muted,
            "future": self.future,
            "border": self.border,
            "error": self.error,
            "block": self.error,
            "removed": self.error,
            "warning": self.warning,
            "good": self.good,
            "added": self.good,
            "key": self.key,
            "marked": self.key,
            "found": self.key,
            "focus": self.focus,
            "badge-error": self.error,
            "badge-warning": self.warning,
            "badge-info": self.foreground,
            "cursor": self.foreground,
            "simulation": self.simulation,
            "badge-simulation": self.simulation,
        }.get(role, self.foreground)


def _style(role: Role, fill: Fill, colours: _Colours | None) -> Style:
    selected = fill == "selected"
    bold = selected or role in _BOLD
    underline = role in _UNDERLINE
    if colours is None:
        reverse = (role in _REVERSE) != selected
        dim = role in _DIM and not selected and fill not in ("error", "warning")
        return Style(bold=bold or role == "focus", underline=underline, reverse=reverse, dim=dim)
    return Style(
        color=colours.of(role, fill).rich_color,
        bgcolor=colours.fills[fill].rich_color,
        bold=bold,
        underline=underline,
        reverse=role in _REVERSE,
    )
