"""What an action is: its keys, its name, what it says of itself and where it is taught."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Group = Literal["move", "pane", "app", "stage"]

GROUP_TITLES: dict[Group, str] = {
    "move": "Move through the session",
    "pane": "Panes and selection",
    "app": "The app",
    "stage": "In a presentation",
}

KEY_NAMES = {
    "colon": ":",
    "slash": "/",
    "vertical_line": "|",
    "plus": "+",
    "minus": "-",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "question_mark": "?",
    "apostrophe": "'",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "pageup": "page up",
    "pagedown": "page down",
}
"""How keys are written for people, where Textual calls them otherwise."""


UNTAUGHT = frozenset(
    (
        "inverted_exclamation_mark",
        "trade_mark_sign",
        "pound_sign",
        "cent_sign",
        "infinity",
        "section_sign",
        "pilcrow_sign",
        "bullet",
        "ª",
    )
)
"""What Textual makes of alt and a digit where the terminal sends them as two characters."""


class Action(Struct, frozen=True):
    """Something that a key does.

    `keys` are Textual's names, the first is the one that is taught. `verb` says it in a word or
    two, `about` in a sentence.
    """

    id: str
    keys: tuple[str, ...]
    verb: str
    about: str
    group: Group

    @property
    def shown_keys(self) -> str:
        """The keys as people write them."""
        return " ".join(KEY_NAMES.get(key, key) for key in self.keys if key not in UNTAUGHT)
