"""Our themes: dark and light, both in high contrast, the terminal's colours, and none at all."""

from __future__ import annotations

import os
from typing import Any

from textual.app import App
from textual.theme import BUILTIN_THEMES, Theme

from spanscope.text.environment import wants_ascii
from spanscope.widgets.look import Look

DARK = Theme(
    name="spanscope-dark",
    primary="#0178D4",
    secondary="#4f8bb5",
    accent="#0178D4",
    warning="#ffa62b",
    error="#ba3c5b",
    success="#4EBF71",
    foreground="#e0e0e0",
    background="#121212",
    surface="#1e1e1e",
    variables={"block-cursor-blurred-background": "#0e3052"},
)

LIGHT = Theme(
    name="spanscope-light",
    primary="#004578",
    secondary="#0178D4",
    accent="#004578",
    warning="#ffa62b",
    error="#ba3c5b",
    success="#4EBF71",
    foreground="#1a1a1a",
    background="#e0e0e0",
    surface="#d0d0d0",
    dark=False,
    # What Textual makes of the colours above measures 3.3:1 and 3.8:1 on this ground.
    variables={
        "text-warning": "#7a4a00",
        "text-success": "#1b5e34",
        "block-cursor-blurred-background": "#9fb4c6",
    },
)

HIGH_CONTRAST_DARK = Theme(
    name="spanscope-high-contrast-dark",
    primary="#6cb6ff",
    secondary="#8ad7ff",
    accent="#6cb6ff",
    warning="#ffd24a",
    error="#ff8080",
    success="#7ee787",
    foreground="#ffffff",
    background="#000000",
    surface="#101010",
    variables={
        "text-error": "#ff9a9a",
        "text-warning": "#ffd24a",
        "text-success": "#7ee787",
        "text-primary": "#8ccbff",
        "text-secondary": "#8ad7ff",
        "error-muted": "#4a0000",
        "warning-muted": "#3d2c00",
        "secondary-muted": "#00303f",
        "block-cursor-blurred-background": "#00388c",
    },
)

HIGH_CONTRAST_LIGHT = Theme(
    name="spanscope-high-contrast-light",
    primary="#00358a",
    secondary="#004f6e",
    accent="#00358a",
    warning="#5c3800",
    error="#8f0015",
    success="#00461b",
    foreground="#000000",
    background="#ffffff",
    surface="#f0f0f0",
    dark=False,
    variables={
        "text-error": "#8f0015",
        "text-warning": "#5c3800",
        "text-success": "#00461b",
        "text-primary": "#00358a",
        "text-secondary": "#004f6e",
        "error-muted": "#ffd9d9",
        "warning-muted": "#ffe9bf",
        "secondary-muted": "#d3eefa",
        "block-cursor-blurred-background": "#b8d4ff",
    },
)

MONO = Theme(
    name="spanscope-mono",
    primary="ansi_default",
    secondary="ansi_default",
    accent="ansi_default",
    warning="ansi_default",
    error="ansi_default",
    success="ansi_default",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    ansi=True,
    # Textual asks for names that only its own themes for terminal colours have.
    variables=dict(BUILTIN_THEMES["ansi-dark"].variables),
)

TERMINAL = Theme(
    name="spanscope-terminal",
    primary="ansi_cyan",
    secondary="ansi_cyan",
    accent="ansi_cyan",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    ansi=True,
    variables=dict(BUILTIN_THEMES["ansi-dark"].variables),
)

THEMES = {
    "dark": DARK,
    "light": LIGHT,
    "high-contrast-dark": HIGH_CONTRAST_DARK,
    "high-contrast-light": HIGH_CONTRAST_LIGHT,
    "terminal": TERMINAL,
}
"""By the names that people choose them by, in the order in which a key goes through them."""

OURS = (*THEMES.values(), MONO)

assert not {theme.name for theme in OURS} & set(BUILTIN_THEMES)


def no_colour() -> bool:
    """Whether the user wants no colour: `NO_COLOR` is set and not empty."""
    return bool(os.environ.get("NO_COLOR"))


def next_theme(current: str) -> str:
    """The name, as people say it, of the theme after the one that Textual calls `current`."""
    names = list(THEMES)
    place = next((at for at, name in enumerate(names) if THEMES[name].name == current), -1)
    return names[(place + 1) % len(names)]


def look_of(app: App[Any], *, mono: bool) -> Look:
    """How an app draws in its theme."""
    theme = app.current_theme
    return Look(
        app.theme_variables,
        dark=theme.dark,
        mono=mono or theme.name == MONO.name,
        own=theme.ansi,
        ascii_frames=wants_ascii(),
    )
