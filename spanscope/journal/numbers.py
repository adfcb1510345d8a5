"""Numbers in little memory: four bytes each, eight from the first one on that takes them."""

from __future__ import annotations

from array import array


def appended(numbers: array[int], number: int) -> array[int]:
    """The numbers, none of them negative, with one more: the same array, or a wider one."""
    try:
        numbers.append(number)
    except OverflowError:
        numbers = array("Q", (*numbers, number))
    return numbers
