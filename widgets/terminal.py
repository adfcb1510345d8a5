"""What a terminal with less can show: its own sixteen colours, and ASCII for frames and blocks."""

from __future__ import annotations

from rich.style import Style

from spanscope.widgets.lines import Fill, Role

_COLOURS: dict[str, str] = {
    "error": "red",
    "block": "red",
    "removed": "red",
    "badge-error": "red",
    "warning": "yellow",
    "badge-warning": "yellow",
    "good": "green",
    "added": "green",
    "key": "cyan",
    "marked": "cyan",
    "found": "cyan",
    "focus": "cyan",
    "simulation": "magenta",
    "badge-simulation": "magenta",
}
"""The role's colour by its name: which red that is, the terminal's owner has chosen."""

_BANDS: tuple[Fill, ...] = ("selected", "error", "warning", "secondary")


def own_colours(role: Role, fill: Fill, bare: Style) -> Style:
    """A style without colours, with those of the terminal; on a band the text keeps its own."""
    name = _COLOURS.get(role)
    return bare if name is None or fill in _BANDS else bare + Style(color=name)


_CHROME = {
    "╭╮╰╯┌┐└┘": "+",
    "┏┓┗┛": "#",
    "─━": "-",
    "│┃": "|",
    "╍╌": "=",
    "╏╎": ":",
    "…": ".",
    "␤": "$",
    "␣": "_",
    "\u25cc": "o",
    "\ufffd": "?",
    "".join(map(chr, range(0x2400, 0x2422))): "^",
}
_BLOCKS = dict(zip("▁▂▃▄▅▆▇█", "_,-=+oO#", strict=True))

ASCII_FOR = {
    ord(character): stand_in for characters, stand_in in _CHROME.items() for character in characters
} | {ord(block): stand_in for block, stand_in in _BLOCKS.items()}
"""For every character of frames, blocks and stand-ins one in ASCII that is as wide."""
