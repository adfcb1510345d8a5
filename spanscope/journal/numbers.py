"""Numbers in little memory: in two or four bytes each, in more from the first one that takes them.

And those that many objects have alike, one object for all.
"""

from __future__ import annotations

from array import array

MOST_SHARED = 1 << 14
"""Numbers below this are kept once: places in contents of usual length, and their lengths."""

FOUR = 4
MOST_IN_FOUR = (1 << 32) - 1

_shared: dict[int, int] = {}


def appended(numbers: array[int], number: int) -> array[int]:
    """The numbers, none of them negative, with one more: the same array, or a wider one."""
    try:
        numbers.append(number)
    except OverflowError:
        wider = "Q" if number > MOST_IN_FOUR or numbers.itemsize >= FOUR else "I"
        numbers = array(wider, (*numbers, number))
    return numbers


def shared(number: int) -> int:
    """The number, as the same object for all that are equal and not large."""
    return _shared.setdefault(number, number) if number < MOST_SHARED else number
