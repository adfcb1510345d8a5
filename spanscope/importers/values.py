"""Looking into foreign JSON, where every field may be missing or of any type.

Unknown shapes are normal in all foreign formats: nothing here raises.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from spanscope.journal.clock import rfc3339

Row = dict[str, Any]

_COMPACT: Final = json.JSONEncoder(ensure_ascii=False).encode
_UNITS: Final = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (-math.inf, 1.0))
"""Numbers from the first on are ns, µs, ms; else seconds since 1970."""


def string(row: object, name: str) -> str | None:
    """A field that is a string; null where it is not."""
    value = row.get(name) if isinstance(row, dict) else None
    return value if isinstance(value, str) else None


def number(row: object, name: str) -> int | None:
    """A field that is a whole number; null where it is not."""
    value = row.get(name) if isinstance(row, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def mapping(row: object, name: str) -> Row:
    """A field that is an object; empty where it is not."""
    value = row.get(name) if isinstance(row, dict) else None
    return value if isinstance(value, dict) else {}


def sequence(row: object, name: str) -> list[Any]:
    """A field that is a list; empty where it is not."""
    value = row.get(name) if isinstance(row, dict) else None
    return value if isinstance(value, list) else []


def objects(row: object, name: str) -> Iterator[Row]:
    """The objects in a field that is a list."""
    return (item for item in sequence(row, name) if isinstance(item, dict))


def strings(row: object, name: str) -> list[str]:
    """The strings in a field that is a list."""
    return [item for item in sequence(row, name) if isinstance(item, str)]


def compact(value: object) -> str:
    """A value as JSON on one line."""
    try:
        return _COMPACT(value)
    except (RecursionError, TypeError, ValueError):
        return "[not readable: nested too deeply]"


def moment(value: object) -> str | None:
    """A time as journals write it; null where it can't be read.

    Takes ISO 8601 (without a zone: UTC) and seconds, milliseconds, microseconds or nanoseconds
    since 1970, told apart by their size, also as a string of digits.
    """
    if isinstance(value, str):
        if len(value) == 24 and value[19] == "." and value[23] == "Z":
            # As journals write it, and as JavaScript does.
            good = value[20:23].isdecimal() and value.isascii() and _is_second(value[:19])
            return value if good else None
        if value.strip().isdecimal():
            value = _whole(value)
    elif type(value) is int and 10**11 <= value < 10**14:
        second, milliseconds = divmod(value, 1000)
        return f"{_second(second)}.{milliseconds:03}Z"
    try:
        if isinstance(value, str):
            return rfc3339(datetime.fromisoformat(value))
        if isinstance(value, int | float) and not isinstance(value, bool):
            unit = next(unit for least, unit in _UNITS if value >= least)
            return rfc3339(datetime.fromtimestamp(value / unit, UTC))
    except (ValueError, OverflowError, OSError, StopIteration):
        return None
    return None


@lru_cache(64)
def _is_second(text: str) -> bool:
    """Whether it is a moment without its fraction, as journals write it."""
    try:
        return datetime.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@lru_cache(64)
def _second(since_1970: int) -> str:
    return datetime.fromtimestamp(since_1970, UTC).replace(tzinfo=None).isoformat()


def _whole(digits: str) -> int | None:
    # Longer ones are no times, and Python refuses to read the longest.
    return int(digits) if len(digits) <= 20 else None
