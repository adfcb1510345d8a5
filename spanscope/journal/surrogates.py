"""Surrogates in texts: JSON can say a lone one, but no pair that stands as two characters."""

from __future__ import annotations

import re
from typing import Final

PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
"""Two surrogates that any JSON reader takes for the one character that they encode."""


def joined(text: str) -> str:
    """The text as JSON readers have it: each such pair is its character."""
    if text.isascii() or PAIR.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
