"""Where the edits of a diff go in the buffer as it is now, and what they want of their base."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from spanscope.journal.parts import SpliceEdit
from spanscope.model.anchors import edit_places
from spanscope.model.between import changes_between
from spanscope.model.mapping import Change
from spanscope.model.spans import Span


class Own(NamedTuple):
    """A splice of the diff itself, in the base's text and in today's; null: it has no place."""

    base_at: int | None
    now_at: int | None
    deleted: int
    inserted: int


class BaseText:
    """A text of so many characters as a diff's own edits leave it: what in it is the base's.

    It is kept in pieces: where each begins in the base (null: it is the diff's) and where it ends.
    """

    def __init__(self, length: int) -> None:
        self._length = length
        self._starts: list[int | None] = [0]
        self._ends = [length]

    def spliced(self, at: int, deleted: int, inserted: int) -> None:
        """Characters of it go, and so many of the diff come."""
        first, last = self._cut(at), self._cut(at + deleted)
        came = [at + inserted] if inserted else []
        self._starts[first:last] = [None for _ in came]
        self._ends[first:] = came + [end + inserted - deleted for end in self._ends[last:]]

    def _cut(self, at: int) -> int:
        """The number of the piece that begins at a place; one that goes on over it is cut."""
        number = bisect_right(self._ends, at)
        begin = self._begin(number)
        if number == len(self._ends) or begin == at:
            return number
        start = self._starts[number]
        self._starts.insert(number + 1, None if start is None else start + at - begin)
        self._ends.insert(number, at)
        return number + 1

    def _begin(self, number: int) -> int:
        return self._ends[number - 1] if number else 0

    def point(self, at: int) -> int:
        """A place of it as one of the base.

        Before what the diff put in it is where that was put; within it, where that ends.
        """
        number = bisect_right(self._ends, at)
        if number == len(self._ends):
            return self._length
        start, begin = self._starts[number], self._begin(number)
        if start is not None:
            return start + at - begin
        ahead = self._starts[number - 1] if number else 0
        if at == begin and ahead is not None:
            return ahead + begin - self._begin(number - 1) if number else 0
        later = (start for start in self._starts[number:] if start is not None)
        return next(later, self._length)

    def range(self, start: int, end: int) -> tuple[int, int] | None:
        """What a range of it covers of the base; null: nothing."""
        covered = []
        for number in range(bisect_right(self._ends, start), len(self._ends)):
            begin, first = self._begin(number), self._starts[number]
            low, high = max(start, begin), min(end, self._ends[number])
            if low >= high:
                break
            if first is not None:
                covered += [first + low - begin, first + high - begin]
        return (covered[0], covered[-1]) if covered else None


@dataclass
class Target:
    """One span that a diff edits: its text at the base and now, as the diff's own edits leave it.

    `base` is null where the span was not there, or (`untold`) where that can't be told. `changes`
    are those since the base that still stand. `blind`: where one of the diff's own edits went
    can't be told, so that nobody knows the text that the next ones meet. `in_base`: where places
    of `base` are without these edits.
    """

    name: str
    base: str | None
    now: str
    changes: list[Change]
    untold: bool = False
    blind: bool = False
    own: list[Own] = field(default_factory=list)
    in_base: BaseText = field(init=False)

    def __post_init__(self) -> None:
        self.in_base = BaseText(len(self.base or ""))

    def rewritten(self, content: str) -> None:
        """From here on the text is the diff's own."""
        self.now = self.base = content
        self.changes, self.own = [], []
        self.in_base = BaseText(len(content))
        self.untold = self.blind = False

    def spliced(self, edit: SpliceEdit, base_at: int | None, now_at: int | None) -> None:
        """The diff's own edits go on in the text that this one leaves."""
        if base_at is not None and self.base is not None:
            self.base = _spliced(self.base, base_at, edit)
            self.in_base.spliced(base_at, edit.delete, len(edit.insert))
        if now_at is not None:
            self.now = _spliced(self.now, now_at, edit)
        self.own.append(Own(base_at, now_at, edit.delete, len(edit.insert)))

    def today(self, at: int, follow: Callable[[int], int], *, character: bool) -> int | None:
        """Where a place among the diff's own edits in the base is among them now.

        `follow` leads a place of the base's own text through the changes since. `character`: it is
        the place of a character, not of a gap. A place beside or in text of the diff stays with
        that; null where that has no place now.
        """
        behind: set[int] = set()
        for number in range(len(self.own) - 1, -1, -1):
            own = self.own[number]
            if own.base_at is None:
                continue
            stop = own.base_at + own.inserted
            last = stop - 1 if character else stop
            if own.inserted and own.base_at <= at <= last:
                if own.now_at is None:
                    return None
                at += own.now_at - own.base_at
                return self._forward(at, number + 1, behind, character=character)
            if at >= stop:
                at += own.deleted - own.inserted
                behind.add(number)
        return self._forward(follow(at), 0, behind, character=character)

    def _forward(self, at: int, first: int, behind: set[int], *, character: bool) -> int | None:
        """A place of today's text after the diff's own edits from number `first` on.

        Null for a character that one of them deletes.
        """
        for number, own in enumerate(self.own[first:], first):
            if own.now_at is None:
                continue
            stop = own.now_at + own.deleted
            if character and own.now_at <= at < stop:
                return None
            if at > stop or (at == stop and (own.deleted or character or number in behind)):
                at += own.inserted - own.deleted
        return at


def _spliced(text: str, at: int, edit: SpliceEdit) -> str:
    return text[:at] + edit.insert + text[at + edit.delete :]


def is_positional(edit: SpliceEdit) -> bool:
    """Whether a staged splice says its place by nothing but an offset."""
    return edit.at is not None and edit.anchor is None


def places(edit: SpliceEdit, text: str) -> tuple[int, ...]:
    """Every offset of a text that a staged splice can mean: by what it is sought by, else `at`."""
    if is_positional(edit):
        assert edit.at is not None
        return (edit.at,) if edit.at >= 0 and edit.at + edit.delete <= len(text) else ()
    anchor = edit.anchor
    before, after = ("", "") if anchor is None else (anchor.before, anchor.after)
    return edit_places(text, before, after, edit.delete, edit.original)


def sought_places(edit: SpliceEdit, text: str) -> tuple[int, ...]:
    """Every offset at which what a splice was sought by fits: its anchor, else its original."""
    if edit.anchor is not None:
        return edit_places(text, edit.anchor.before, edit.anchor.after, edit.delete, None)
    return () if edit.at is not None else places(edit, text)


def changes_since(base: Span, now: Span) -> list[Change]:
    """The changes of a span since the base that still stand, as the journal has them."""
    return changes_between(base.node, now.node, trimmed=False)
