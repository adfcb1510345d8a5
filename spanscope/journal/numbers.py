"""Numbers in little memory: four bytes each, eight from the first one on that takes them.

And those that many objects have alike, one object for all.
"""

from __future__ import annotations

from array import array

MOST_SHARED = 1 << 14
"""Numbers below this are kept once: places in contents of usual length, and their lengths."""

_shared: dict[int, int] = {}


def appended(numbers: array[int], number: int) -> array[int]:
    """The numbers, none of them negative, with one more: the same array, or a wider one."""
    try:
        numbers.append(number)
    except OverflowError:
        numbers = array("Q", (*numbers, number))
    return numbers


def shared(number: int) -> int:
    """The number, as the same object for all that are equal and not large."""
    return _shared.setdefault(number, number) if number < MOST_SHARED else number
