"""What two orders have in common, and the fewest items that lead from one to the other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items two orders begin with alike; whole stretches are compared at once."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def longest_rise(numbers: Sequence[int]) -> list[int]:
    """The longest row of ever greater numbers among numbers that are all different."""
    lowest: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, number in enumerate(numbers):
        length = bisect_left(lowest, number)
        before.append(ends[length - 1] if length else -1)
        lowest[length : length + 1] = [number]
        ends[length : length + 1] = [at]
    rise: list[int] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        rise.append(numbers[at])
        at = before[at]
    return rise[::-1]
