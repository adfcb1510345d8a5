"""How wide the columns of the Spans pane are."""

from __future__ import annotations

from msgspec import Struct

WIDE = 60
MIDDLE = 32

TWO_VERSIONS = 9
"""Cells for `v12 > v13`, where two steps are compared."""

LEAST_ID = 11
"""With fewer cells an id says nothing: what wrote a span last gives way."""

LEAST_BY = 6


class Columns(Struct, frozen=True):
    """How wide each column is; 0: not shown."""

    id: int
    version: int = 4
    state: int = 0
    hash: int = 0
    chars: int = 6
    at: int = 5
    by: int = 10

    @property
    def state_at(self) -> int:
        """Where the state of an artifact starts: under STATE, else under VER."""
        return 2 + self.id + 1 + (self.version + 1 if self.state else 0)

    @property
    def signals_at(self) -> int:
        """Where its signals start: under HASH where that is shown."""
        return self.state_at + (self.state + 2 if self.state else 6)

    @property
    def holder_at(self) -> int:
        """Where its holder starts."""
        return self.signals_at + 10

    @classmethod
    def fit(cls, width: int, last: int, *, compare: bool = False) -> Columns:
        """The columns for a pane of this inner width; `last` is the greatest seq."""
        at = max(4, len(str(last)))
        version = TWO_VERSIONS if compare else 4
        if width >= WIDE:
            hash = 0 if compare else 6
            free = width - (2 + 1 + version + 1 + 9 + 2 + hash + 1 + 6 + 1 + at + 2)
            by = max(10, free // 3)
            return cls(id=free - by, version=version, state=9, hash=hash, at=at, by=by)
        at = max(3, len(str(last)))
        version = TWO_VERSIONS if compare else 3
        if width >= MIDDLE:
            free = width - (2 + 1 + version + 1 + 6 + 1 + at)
            by = min(9 if width < 46 else 12, free - 2 - LEAST_ID)
            by = by if by >= LEAST_BY else 0
            return cls(id=free - (2 + by if by else 0), version=version, at=at, by=by)
        return cls(id=max(6, width - 12 - version), version=version, chars=0, at=0, by=0)
