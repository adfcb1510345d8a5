"""Which item of one message list is which of the next? Ids are rarely there, so it is inferred.

Equal ones from both ends first, then the two sides of a tool call by its id, then equal texts in
order. In a gap between such anchors items of the same roles at the same places are one item with
another text; where their roles differ, those that share most of their text are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import Match, SequenceMatcher
from typing import Final, Protocol

from spanscope.model.content import differing_middle

MOST_COMPARED: Final = 1 << 20
"""Pairs of items; more are not compared one by one, for the time that repeated ones would take."""

Pairs = list[tuple[int, int]]


MOST_LIKENED: Final = 1 << 12
"""Pairs of items of a gap that are compared for what their texts share."""

LEAST_SHARED: Final = 8
"""Code points that two texts share at the least, at their start and end, to be versions of one."""


class Said(Protocol):
    """One item of a message list; `pair` is the id that a call and its result share."""

    @property
    def kind(self) -> str:
        """Text, a call, a result, …"""

    @property
    def role(self) -> str:
        """Whose it is."""

    @property
    def text(self) -> str:
        """What it says."""

    @property
    def pair(self) -> str | None:
        """An id that stays the same where the text changes."""


def align(old: Sequence[Said], new: Sequence[Said]) -> Pairs:
    """(index in the old list, index in the new one) of the same items, both ascending."""
    prefix = _equal_from_start(old, new)
    suffix = _equal_from_end(old[prefix:], new[prefix:])
    last_old, last_new = len(old) - suffix, len(new) - suffix
    anchors = _by_id(old, new, (prefix, last_old), (prefix, last_new))
    pairs = [(index, index) for index in range(prefix)]
    start_old, start_new = prefix, prefix
    for at_old, at_new in [*anchors, (last_old, last_new)]:
        pairs += _between(old, new, (start_old, at_old), (start_new, at_new))
        if (at_old, at_new) != (last_old, last_new):
            pairs.append((at_old, at_new))
        start_old, start_new = at_old + 1, at_new + 1
    return pairs + [(last_old + index, last_new + index) for index in range(suffix)]


def shared(old: Sequence[Said], new: Sequence[Said]) -> int:
    """How much two lists have in common that two conversations do not share by chance."""
    prefix = _equal_from_start(old, new)
    keys = {key for item in old[prefix:] if (key := _key(item)) is not None}
    common = sum(_key(item) in keys for item in new[prefix:])
    return common + sum(item.role != "system" for item in old[:prefix])


def _equal_from_start(old: Sequence[Said], new: Sequence[Said]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _equal_from_end(old: Sequence[Said], new: Sequence[Said]) -> int:
    return _equal_from_start(old[::-1], new[::-1])


def _key(item: Said) -> tuple[str, str] | None:
    return None if item.pair is None else (item.kind, item.pair)


def _by_id(
    old: Sequence[Said], new: Sequence[Said], inside: tuple[int, int], within: tuple[int, int]
) -> Pairs:
    """Calls and results with the same id, where it is unique on both sides, in order."""
    before = {_key(old[index]): index for index in range(*inside) if old[index].pair is not None}
    many = Counter(_key(old[index]) for index in range(*inside))
    twice = Counter(_key(new[index]) for index in range(*within))
    found: Pairs = []
    for index in range(*within):
        key = _key(new[index])
        if key is None or key not in before or many[key] > 1 or twice[key] > 1:
            continue
        if not found or before[key] > found[-1][0]:
            found.append((before[key], index))
    return found


def _between(
    old: Sequence[Said], new: Sequence[Said], inside: tuple[int, int], within: tuple[int, int]
) -> Pairs:
    left, right = old[slice(*inside)], new[slice(*within)]
    if not left or not right:
        return []
    found: Pairs = []
    place_left, place_right = 0, 0
    for block in _equal_blocks(left, right):
        gap_left, gap_right = left[place_left : block.a], right[place_right : block.b]
        if [_place(item) for item in gap_left] == [_place(item) for item in gap_right]:
            pairs: Pairs = [(n, n) for n in range(len(gap_left))]
        else:
            pairs = _versions(gap_left, gap_right)
        found += [(place_left + one, place_right + other) for one, other in pairs]
        found += [(block.a + n, block.b + n) for n in range(block.size)]
        place_left, place_right = block.a + block.size, block.b + block.size
    return [(inside[0] + one, within[0] + other) for one, other in found]


def _versions(left: Sequence[Said], right: Sequence[Said]) -> Pairs:
    """Items of the same roles whose texts are versions of one, in order.

    As a summary that was written on when what it now tells was dropped behind it.
    """
    if len(left) * len(right) > MOST_LIKENED:
        return []
    found: Pairs = []
    start = 0
    for other, item in enumerate(right):
        for one in range(start, len(left)):
            if _place(left[one]) == _place(item) and _is_version(left[one].text, item.text):
                found.append((one, other))
                start = one + 1
                break
    return found


def _is_version(old: str, new: str) -> bool:
    """Whether what two texts share at their start and end is most of one of them."""
    _, deleted, _ = differing_middle(old, new)
    shared = len(old) - len(deleted)
    return shared >= LEAST_SHARED and 2 * shared >= min(len(old), len(new))


def _equal_blocks(left: Sequence[Said], right: Sequence[Said]) -> list[Match]:
    """Runs of equal items, and an empty one at the end."""
    if len(left) * len(right) > MOST_COMPARED:
        return [Match(len(left), len(right), 0)]
    return SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()


def _place(item: Said) -> tuple[str, str, str | None]:
    return item.kind, item.role, item.pair
