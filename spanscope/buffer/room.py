"""Memory set aside before a change is journaled, so that it can't run out in the middle of it.

What a change does once its record is written copies texts. Where they are long and memory is
short, that would fail where nothing can be taken back; so the room for it is asked for first.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager

LARGE = 1 << 18
"""Bytes of a text from which room is set aside: of less there is some in any process."""

COPIES = 8
"""So many copies of the longest text a change may need at once."""


@contextmanager
def room_for(longest: int) -> Iterator[None]:
    """Hold the room for a change to a text of so many bytes; it is never touched, so it is cheap.

    Raises MemoryError where there is none.
    """
    try:
        room = mmap.mmap(-1, COPIES * longest)
    except (OSError, ValueError) as error:
        raise MemoryError(f"no room for a change to a text of {longest} bytes") from error
    try:
        yield
    finally:
        room.close()
