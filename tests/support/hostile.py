"""Journals in which every text is hostile, and what may reach a terminal of them: nothing."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Any

from support.screens import assert_inert

FIXED = frozenset({"type", "kind", "unit", "cost", "outcome", "method", "time", "format"})
NAMED_BY_DATA = frozenset({"versions", "hashes", "contents", "meta"})


def poisoned(value: Any, endings: Sequence[str], name: str = "") -> Any:
    """The value of a field, every text in it that is no fixed word with one of the endings.

    The same text always gets the same ending.
    """
    if isinstance(value, str):
        return value if name in FIXED else value + _ending(value, endings)
    if isinstance(value, list):
        return value if name == "checked" else [poisoned(item, endings) for item in value]
    if isinstance(value, dict):
        by_data = name in NAMED_BY_DATA
        return {
            key + (_ending(key, endings) if by_data else ""): poisoned(item, endings, key)
            for key, item in value.items()
        }
    return value


def _ending(text: str, endings: Sequence[str]) -> str:
    return endings[zlib.crc32(text.encode("utf-8", "surrogatepass")) % len(endings)]


NUMBER = 7777
"""Stands in every control sequence of the payloads, and in none of the app's own."""

PAYLOADS = (
    f"\x1b[{NUMBER}m\x1b]0;OWNED\x07[/",
    f"\x9b{NUMBER}m\u202e\u2066[@click=app.quit]x[/]",
    f"\x1b]52;c;b3duZWQ=\x07\x1bP{NUMBER}q\x1b\\\ud800\x00\x7f",
    "\U000e0041\u200b\x9d0;OWNED\x9c" + "e" + "\u0301" * 40 + "\r\n\t[bold red]",
)
"""Escape sequences, OSC 52, titles, C1, bidi, tags, a lone surrogate, a pile of marks, markup."""

OWN = re.compile(
    r"\x1b(?:"
    r"\[(?:\d{1,3}(?:;\d{1,3})*)?[mH]"  # colours, and where the cursor is
    r"|\[\?\d{1,4}(?:;\d{1,4})*(?:\$p|[hl])"  # modes, and what they are
    r"|\[[<>]\d{0,2}u"  # the keyboard's protocol
    r"|\]22;[a-z-]+\x07"  # the shape of the mouse pointer
    r")"
)
"""What the app itself sends."""


def assert_only_own(drawn: bytes) -> None:
    """Nothing in what was sent to a terminal came from data and could act."""
    # The terminal itself makes these two of a line's end.
    assert_inert(OWN.sub("", drawn.decode()).replace("\r\n", "\n"))
