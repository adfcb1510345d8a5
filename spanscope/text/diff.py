"""What changed between two texts, line by line and, within changed lines, word by word.

Everything here is raw text: make it visible when it is drawn. A text is split at newlines only,
so that joining its lines with newlines gives it back; a final newline is an empty last line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple, TypeVar

from spanscope.text.matching import ANCHOR_PASSES, Budget, Match, intern_items, match_items

DEFAULT_BUDGET = 1 << 26
"""Cells of comparison that a diff may fill: about a tenth of a second at the very worst."""

Segments = tuple[tuple[str, bool], ...]
"""A line in pieces: text, and whether these words changed. No piece is empty."""


class DiffLine(NamedTuple):
    """One line of a diff. Numbers count from 1, None on the side that doesn't have the line.

    Words are marked only where old and new lines stand against each other and are alike; a line
    without a counterpart is one unmarked piece.
    """

    kind: Literal["same", "removed", "added"]
    old_number: int | None
    new_number: int | None
    segments: Segments

    @property
    def text(self) -> str:
        """The whole line."""
        return "".join(text for text, _ in self.segments)


@dataclass(frozen=True, slots=True)
class Fold:
    """Unchanged lines that are not shown: how many, and the numbers of the first."""

    count: int
    old_number: int
    new_number: int


@dataclass(frozen=True, slots=True)
class Hunk:
    """One changed place: a range of old lines and the range of new ones in its stead.

    Indices from 0, ends not included; one of the ranges may be empty. `old_words` and
    `new_words` hold the lines with their changed words marked, or None where words were not
    compared: nothing stands against them, they are too unlike, or the budget was spent.
    """

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    old_words: tuple[Segments, ...] | None = None
    new_words: tuple[Segments, ...] | None = None


Part = TypeVar("Part", DiffLine, DiffLine | Fold)


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Two texts as lines, and where they differ, in order. Lines are made as they are asked for."""

    old_lines: list[str]
    new_lines: list[str]
    hunks: tuple[Hunk, ...]

    def lines(self) -> Iterator[DiffLine]:
        """All lines: unchanged ones once, in each hunk the removed before the added."""
        return self._in_lines(self.parts())

    def parts(self) -> Iterator[DiffLine | Hunk]:
        """As `lines`, with each hunk as one."""
        old_at = new_at = 0
        for hunk in self.hunks:
            yield from self._same(old_at, new_at, hunk.old_start - old_at)
            yield hunk
            old_at, new_at = hunk.old_end, hunk.new_end
        yield from self._same(old_at, new_at, len(self.old_lines) - old_at)

    def removed(self, hunk: Hunk) -> Iterator[DiffLine]:
        """The old lines of one hunk."""
        for index in range(hunk.old_start, hunk.old_end):
            words = hunk.old_words[index - hunk.old_start] if hunk.old_words else None
            yield DiffLine("removed", index + 1, None, words or _plain(self.old_lines[index]))

    def added(self, hunk: Hunk) -> Iterator[DiffLine]:
        """The new lines of one hunk."""
        for index in range(hunk.new_start, hunk.new_end):
            words = hunk.new_words[index - hunk.new_start] if hunk.new_words else None
            yield DiffLine("added", None, index + 1, words or _plain(self.new_lines[index]))

    def hunk_lines(self, hunk: Hunk) -> Iterator[DiffLine]:
        """The lines of one hunk, the removed before the added."""
        yield from self.removed(hunk)
        yield from self.added(hunk)

    def _in_lines(self, parts: Iterable[Part | Hunk]) -> Iterator[Part | DiffLine]:
        for part in parts:
            if isinstance(part, Hunk):
                yield from self.hunk_lines(part)
            else:
                yield part

    def folded(self, over: int = 6, keep: int = 2) -> Iterator[DiffLine | Fold]:
        """As `lines`, with each run of more than `over` unchanged lines folded.

        `keep` lines next to a hunk stay; two texts without a difference fold whole. A fold costs
        the same however long it is.
        """
        return self._in_lines(self.folded_parts(over, keep))

    def folded_parts(self, over: int = 6, keep: int = 2) -> Iterator[DiffLine | Fold | Hunk]:
        """As `folded`, with each hunk as one."""
        old_at = new_at = 0
        for index, hunk in enumerate(self.hunks):
            run = hunk.old_start - old_at
            yield from self._folded_run(old_at, new_at, run, over, (keep if index else 0, keep))
            yield hunk
            old_at, new_at = hunk.old_end, hunk.new_end
        run = len(self.old_lines) - old_at
        yield from self._folded_run(old_at, new_at, run, over, (keep if self.hunks else 0, 0))

    def _same(self, old_at: int, new_at: int, count: int) -> Iterator[DiffLine]:
        for step in range(count):
            text = _plain(self.old_lines[old_at + step])
            yield DiffLine("same", old_at + step + 1, new_at + step + 1, text)

    def _folded_run(
        self, old_at: int, new_at: int, count: int, over: int, keep: tuple[int, int]
    ) -> Iterator[DiffLine | Fold]:
        head, tail = keep
        hidden = count - head - tail
        if count <= over or hidden < 1:
            yield from self._same(old_at, new_at, count)
            return
        yield from self._same(old_at, new_at, head)
        yield Fold(hidden, old_at + head + 1, new_at + head + 1)
        yield from self._same(old_at + count - tail, new_at + count - tail, tail)


def word_diff(old: str, new: str, budget: int = DEFAULT_BUDGET) -> TextDiff:
    """The lines that differ between `old` and `new`, the changed words of each hunk marked.

    `budget` bounds the work, in cells of comparison. Where it ends, lines count as replaced and
    words are not compared.
    """
    left = Budget(budget)
    diff = _line_diff(old, new, left)
    return replace(diff, hunks=tuple(_with_words(diff, hunk, left) for hunk in diff.hunks))


def changed_words(old: str, new: str, budget: int = DEFAULT_BUDGET) -> tuple[Segments, Segments]:
    """Two lines with the words marked that they don't share, however unlike they are.

    For a pair of evidence lines. Beyond the budget everything between their common start and
    end is marked.
    """
    old_pieces, new_pieces = _compare_words(old, new, Budget(budget))
    return tuple(old_pieces), tuple(new_pieces)


def _line_diff(old: str, new: str, budget: Budget) -> TextDiff:
    old_lines, new_lines = _lines(old), _lines(new)
    if old == new:
        return TextDiff(old_lines, new_lines, ())
    start, end = _same_lines(old, new, old_lines, new_lines)
    old_size, new_size = len(old_lines) - start - end, len(new_lines) - start - end
    lines = old_size + new_size
    on_credit = lines * _LEAST_LINE <= len(old) + len(new)
    matches: list[Match] = []
    if on_credit or budget.pays(items=(_LINE_PASSES + ANCHOR_PASSES) * lines):
        budget.spend(items=_LINE_PASSES * lines, on_credit=on_credit)
        numbers = intern_items(
            old_lines[start : start + old_size], new_lines[start : start + new_size]
        )
        matches = match_items(*numbers, budget, on_credit=on_credit)
    gaps = _gaps(matches, old_size, new_size)
    hunks = tuple(
        Hunk(start + old_at, start + old_end, start + new_at, start + new_end)
        for old_at, old_end, new_at, new_end in gaps
    )
    return TextDiff(old_lines, new_lines, hunks)


def _same_lines(old: str, new: str, old_lines: list[str], new_lines: list[str]) -> tuple[int, int]:
    """How many lines both texts start and end with: found in the texts, not line by line."""
    head = old.rfind("\n", 0, common_start(old, new)) + 1
    start, shorter = old.count("\n", 0, head), min(len(old_lines), len(new_lines))
    if start < shorter and old_lines[start] == new_lines[start]:
        start += 1
        head += len(old_lines[start - 1]) + 1
    if start == shorter:
        return start, 0
    tail = _common_end(old[head:], new[head:])
    return start, min(old.count("\n", len(old) - tail), shorter - start)


def _lines(text: str) -> list[str]:
    """The lines of a text; an empty one has none."""
    return text.split("\n") if text else []


def _gaps(
    matches: Iterable[Match], old_size: int, new_size: int
) -> Iterator[tuple[int, int, int, int]]:
    """What lies between the matches: old start, old end, new start, new end."""
    old_at = new_at = 0
    for match in [*matches, Match(old_size, new_size, 0)]:
        if match.old > old_at or match.new > new_at:
            yield old_at, match.old, new_at, match.new
        old_at, new_at = match.old + match.size, match.new + match.size


def _plain(text: str) -> Segments:
    return ((text, False),) if text else ()


# Kana and Han are written without spaces, each is a word. Marks stay with the letter before.
_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f"
_PUNCTUATION = r"!-/:-@\[-\^`\{-~\u00a1-\u00bf\u2010-\u2027\u2030-\u205e\u3001-\u303f"


@cache
def _token() -> re.Pattern[str]:
    """A word, a run of spaces, a newline or a sign; made when words are first compared."""
    return re.compile(rf"\n|[^\S\n]+|[{_WIDE}]|[{_PUNCTUATION}]|[^\s{_WIDE}{_PUNCTUATION}]+")


# A line is split off and numbered.
_LINE_PASSES = 2

# Code points of a line from which on texts of any length are compared line by line.
_LEAST_LINE = 13

# Whatever is in a hunk, taking it apart and marking it costs so many looks.
_HUNK = 512

# A token is worked on several times: found, numbered, matched, joined.
_TOKEN_PASSES = 5

# Of longer texts so many code points tell about how many tokens there are, before all are found.
_LONG = 1 << 15
_SAMPLE = 1024

# Less in common than this share of the smaller side is chance, and marks would only be noise.
_ALIKE = 1 / 3

_Pieces = list[tuple[str, bool]]


def _with_words(diff: TextDiff, hunk: Hunk, budget: Budget) -> Hunk:
    one_sided = hunk.old_start == hunk.old_end or hunk.new_start == hunk.new_end
    if one_sided or not budget.spend(items=_HUNK):
        return hunk
    old = "\n".join(diff.old_lines[hunk.old_start : hunk.old_end])
    new = "\n".join(diff.new_lines[hunk.new_start : hunk.new_end])
    if not old or not new:
        return hunk
    old_pieces, new_pieces = _compare_words(old, new, budget)
    if _shared(old_pieces) < _ALIKE * min(_solid(old), _solid(new)):
        return hunk
    old_words, new_words = _by_line(old_pieces), _by_line(new_pieces)
    return Hunk(hunk.old_start, hunk.old_end, hunk.new_start, hunk.new_end, old_words, new_words)


def _solid(text: str) -> int:
    return len(text) - text.count(" ") - text.count("\n")


def _shared(pieces: _Pieces) -> int:
    return sum(_solid(text) for text, changed in pieces if not changed)


def _compare_words(old: str, new: str, budget: Budget) -> tuple[_Pieces, _Pieces]:
    """Both texts in pieces, marked where they differ."""
    if old == new:
        return _merged([(old, False)]), _merged([(new, False)])
    start = _word_start(old, common_start(old, new))
    end = _common_end(old[start:], new[start:])
    end -= _first_space(old[len(old) - end :])
    old_middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
    old_pieces, new_pieces = _compare_tokens(old_middle, new_middle, budget)
    head, tail = (old[:start], False), (old[len(old) - end :], False)
    return _merged([head, *old_pieces, tail]), _merged([head, *new_pieces, tail])


def _about_tokens(text: str) -> int:
    """How many tokens a text has, told by those of a sample out of its middle."""
    start = max(0, (len(text) - _SAMPLE) // 2)
    sample = text[start : start + _SAMPLE]
    return len(_token().findall(sample)) * len(text) // max(1, len(sample))


def _compare_tokens(old: str, new: str, budget: Budget) -> tuple[_Pieces, _Pieces]:
    if not old or not new:
        return [(old, True)], [(new, True)]
    if len(old) + len(new) > _LONG:
        about = _about_tokens(old) + _about_tokens(new)
        if not budget.pays(items=_TOKEN_PASSES * about):
            return [(old, True)], [(new, True)]
    old_tokens: list[str] = _token().findall(old)
    new_tokens: list[str] = _token().findall(new)
    if not budget.spend(items=_TOKEN_PASSES * (len(old_tokens) + len(new_tokens))):
        return [(old, True)], [(new, True)]
    matches = match_items(*intern_items(old_tokens, new_tokens), budget)
    old_pieces: _Pieces = []
    new_pieces: _Pieces = []
    old_at = new_at = 0
    for match in _worth_showing(matches, old_tokens, new_tokens):
        same = "".join(old_tokens[match.old : match.old + match.size])
        old_pieces += [("".join(old_tokens[old_at : match.old]), True), (same, False)]
        new_pieces += [("".join(new_tokens[new_at : match.new]), True), (same, False)]
        old_at, new_at = match.old + match.size, match.new + match.size
    old_pieces.append(("".join(old_tokens[old_at:]), True))
    new_pieces.append(("".join(new_tokens[new_at:]), True))
    return old_pieces, new_pieces


def _worth_showing(
    matches: list[Match], old_tokens: list[str], new_tokens: list[str]
) -> Iterator[Match]:
    """The matches but for lone spaces between changed words, which would tear a mark apart."""
    for match in matches:
        old_end, new_end = match.old + match.size, match.new + match.size
        inside = (match.old or match.new) and (
            old_end < len(old_tokens) or new_end < len(new_tokens)
        )
        if not (inside and match.size == 1 and old_tokens[match.old].isspace()):
            yield match


def common_start(old: str, new: str) -> int:
    """How many characters both texts start with, by halving: comparing slices is quick."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(old: str, new: str) -> int:
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _word_start(text: str, index: int) -> int:
    """The last place up to `index` that follows a space, where no word is cut."""
    return max(text.rfind(" ", 0, index), text.rfind("\n", 0, index)) + 1


def _first_space(text: str) -> int:
    """The first place in `text` at which no word is cut."""
    places = [place for place in (text.find(" "), text.find("\n")) if place >= 0]
    return min(places, default=len(text))


def _merged(pieces: _Pieces) -> _Pieces:
    """Without empty pieces, and neighbours of one kind made one."""
    merged: _Pieces = []
    for text, changed in pieces:
        if not text:
            continue
        if merged and merged[-1][1] == changed:
            merged[-1] = (merged[-1][0] + text, changed)
        else:
            merged.append((text, changed))
    return merged


def _by_line(pieces: _Pieces) -> tuple[Segments, ...]:
    """Pieces of a text with newlines as the segments of each of its lines."""
    if not any("\n" in text for text, _ in pieces):
        return (tuple(pieces),)
    lines: list[_Pieces] = [[]]
    for text, changed in pieces:
        first, *others = text.split("\n")
        lines[-1].append((first, changed))
        lines += [[(other, changed)] for other in others]
    return tuple(tuple(_merged(line)) for line in lines)
