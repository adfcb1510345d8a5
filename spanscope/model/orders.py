"""What may stay where it is when one order becomes another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


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
