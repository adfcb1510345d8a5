"""Completing what is typed in a prompt by the names that the session has."""

from __future__ import annotations

import re
from typing import NamedTuple

from spanscope.history.history import History
from spanscope.text.visible import visible

_WORD = r"[^\s()!&|]*$"
MOST_NAMED = 8
"""So many names are told where several fit."""


class Completed(NamedTuple):
    """The text as far as it can only go on in one way, and what is to be said where it can't."""

    text: str
    said: str = ""


def completed(history: History, text: str) -> Completed:
    """`text` with its last word completed to an id or the code of a rule that was found."""
    found = re.search(_WORD, text)
    assert found is not None
    word = found.group()
    _, colon, begun = word.rpartition(":")
    names = _named(history)
    fits = sorted(name for name in names if name.startswith(word))
    if not fits and colon:
        fits, word = sorted(name for name in names if name.startswith(begun)), begun
    if not begun and not word:
        return Completed(text, "type the beginning of an id or rule; tab completes it")
    if not fits:
        return Completed(text, f"no id and no rule here begins with {word}")
    common = _common_start(fits[0], fits[-1])
    said = ""
    if len(fits) > 1:
        more = " .." if len(fits) > MOST_NAMED else ""
        said = f"{len(fits)} begin so: {'  '.join(fits[:MOST_NAMED])}{more}"
    return Completed(text[: len(text) - len(word)] + common, said)


def _common_start(first: str, last: str) -> str:
    """What the first and the last of several sorted names, and so all, begin with."""
    ends = (at for at, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1)
    return first[: next(ends, min(len(first), len(last)))]


def _named(history: History) -> set[str]:
    """The names that can be typed as they are."""
    ids = (f"#{id}" if kind == "entry" else str(id) for kind, id in history.subjects())
    names = {id for id in ids if re.fullmatch(_WORD, id) and visible(id) == id}
    return names | {finding.rule for finding in history.findings}
