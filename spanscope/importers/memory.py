"""Remembering what was made from the same bytes: each request says most of the last one again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")

MOST: Final = 4096


class Memory(Generic[Key, Made]):
    """What was made last, by what it was made from; what is not asked for is forgotten."""

    def __init__(self) -> None:
        self._young: dict[Key, Made] = {}
        self._old: dict[Key, Made] = {}

    def get(self, key: Key, make: Callable[[], Made]) -> Made:
        """What was made from the key, or is made now."""
        found = self._young.get(key)
        if found is not None:
            return found
        found = self._old.get(key)
        if found is None:
            found = make()
        if len(self._young) >= MOST:
            self._old, self._young = self._young, {}
        self._young[key] = found
        return found
