"""A finding's evidence in short lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

MOST_ITEMS = 6
"""Further items of a list are counted, not shown: JSON has them all."""

MOST_CHARS = 96
"""Longer texts are cut, and hashes: JSON has them whole."""

_RANGE = ("range", "moved_to")
_RANGES = ("ranges", "regions")
_ORDINALS = frozenset(("edits",))
"""Places, from 0, that would read as counts."""
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_DIGITS = 12


def evidence_lines(evidence: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name and text of each line, raw: whoever prints them makes them visible."""
    for key, value in evidence.items():
        name = key.replace("_", " ")
        plain = msgspec.to_builtins(value)
        if isinstance(plain, list | tuple) and any(isinstance(item, Mapping) for item in plain):
            yield from _items(name, plain)
        else:
            yield name, in_words(plain, key)


def in_words(value: Any, key: str = "") -> str:
    """A value of evidence on one line: texts with spaces in quotes, nothing as `none`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return _fields(value)
    if isinstance(value, list | tuple):
        return _listed(value, key)
    return str(value)


def _fields(values: Mapping[str, Any]) -> str:
    told = {name: item for name, item in values.items() if item is not None}
    return "  ".join(f"{name} {in_words(item, name)}" for name, item in told.items()) or "none"


def _items(name: str, values: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for item in values[:MOST_ITEMS]:
        yield name, in_words(item)
    if len(values) > MOST_ITEMS:
        yield name, f"and {len(values) - MOST_ITEMS} more"


def _listed(values: Sequence[Any], key: str) -> str:
    if key.endswith(_RANGE) and len(values) == 2:
        return f"{values[0]}..{values[1]}"
    kind = "range" if key.endswith(_RANGES) else ""
    shown = values[:MOST_ITEMS]
    if key in _ORDINALS and all(isinstance(item, int) for item in shown):
        shown = [_ordinal(item + 1) for item in shown]
    words = ", ".join(in_words(item, kind) for item in shown)
    more = f", and {len(values) - MOST_ITEMS} more" if len(values) > MOST_ITEMS else ""
    return words + more or "none"


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}th" if 10 < number % 100 < 14 else f"{number}{ending}"


def _text(text: str) -> str:
    if _HASH.fullmatch(text):
        return text[: len("sha256:") + _DIGITS] + ".."
    short = text if len(text) <= MOST_CHARS else text[: MOST_CHARS - 2] + ".."
    return f'"{short}"' if not short or any(c.isspace() for c in short) else short
