"""Numbers in little memory: two or four bytes each, more from the first that takes them."""

from __future__ import annotations

from array import array

FOUR = 4
MOST_IN_FOUR = (1 << 32) - 1


def appended(numbers: array[int], number: int) -> array[int]:
    """The numbers, none of them negative, with one more: the same array, or a wider one."""
    try:
        numbers.append(number)
    except OverflowError:
        wider = "Q" if number > MOST_IN_FOUR or numbers.itemsize >= FOUR else "I"
        numbers = array(wider, (*numbers, number))
    return numbers
