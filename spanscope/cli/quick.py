"""The command lines that open a file, read without argparse: no first screen waits for that.

Whatever is not as plain as these is read by `parser`, which also says what is wrong with it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from argparse import Namespace

MOST_DIGITS = 18


def opening(arguments: Sequence[str]) -> Namespace | None:
    """What `parser.parse` says of `[open] PATH [--follow] [--at SEQ]`; null for anything else."""
    named = arguments[:1] == ["open"]
    words = iter(arguments[1:] if named else arguments)
    path: str | None = None
    at: int | None = None
    follow = False
    for word in words:
        if word == "--follow":
            follow = True
        elif word == "--at":
            at = _number(next(words, ""))
            if at is None:
                return None
        elif path is not None or word.startswith("-"):
            return None
        else:
            path = word
    if path is None or not (named or (path == arguments[0] and _is_no_command(path))):
        return None
    options = SimpleNamespace(run="spanscope.cli.open:run", path=path, at=at, follow=follow)
    return cast("Namespace", options)


def _number(text: str) -> int | None:
    plain = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if plain else None


def _is_no_command(text: str) -> bool:
    """Whether it is a path that can't be a command's name."""
    return (os.sep in text or "." in text) and os.path.lexists(text)
