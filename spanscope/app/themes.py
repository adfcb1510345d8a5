"""Two themes of our own, dark and light, and one without any colour."""

from __future__ import annotations

import os

from textual.theme import BUILTIN_THEMES, Theme

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

OURS = (DARK, LIGHT, MONO)

assert not {theme.name for theme in OURS} & set(BUILTIN_THEMES)


def no_colour() -> bool:
    """Whether the user wants no colour: `NO_COLOR` is set and not empty."""
    return bool(os.environ.get("NO_COLOR"))
