"""The Diff tab: two states of a text, word by word; side by side where there is room."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from spanscope.journal.parts import QuoteRef
from spanscope.text.cells import cut
from spanscope.text.diff import Fold, TextDiff
from spanscope.text.occurrences import count_of
from spanscope.widgets.content import COMPARING
from spanscope.widgets.lazy import LazyListing, Marked, opening
from spanscope.widgets.lines import EMPTY, Line, Row, plain, shown_line, within
from spanscope.widgets.scene import Scene
from spanscope.widgets.texts import TextPair, compared, diff_row
from spanscope.widgets.written import (
    SIDE_BY_SIDE,
    beside,
    column,
    digits_of,
    fold_line,
    half_width,
    paired,
    unified,
)

LEAST_BESIDE = 60
"""Two texts never stand beside each other in less."""


class DiffListing(LazyListing):
    """The Diff tab as lines; `hunk` (from 0, null: none) is the one to have in view.

    Without one it is the line with what is sought, the `match`-th from 0.
    With `side_by_side` null the width decides; side by side there is no less than 60 cells for it.
    """

    def __init__(
        self,
        scene: Scene,
        width: int,
        hunk: int | None = None,
        side_by_side: bool | None = None,
        match: int = 0,
    ) -> None:
        self._scene = scene
        self._width = width
        self._hunk = hunk
        self._match = match
        wanted = width >= SIDE_BY_SIDE if side_by_side is None else side_by_side
        self.fits_beside = width >= LEAST_BESIDE
        self.beside = wanted and self.fits_beside
        pairs = compared(scene)
        self._pairs = [pair for pair in pairs if pair.differs] or pairs[:1]

    def produce(self) -> Iterator[Marked]:
        """The rows in order."""
        for line, starts in self._rows():
            yield within(line, self._width), starts

    def _rows(self) -> Iterator[Marked]:
        if not self._pairs:
            yield self._nothing(), False
        for number, pair in enumerate(self._pairs):
            if number:
                yield EMPTY, False
            yield from ((line, False) for line in self._heads(pair))
            yield from self._body(pair)

    def _nothing(self) -> Line:
        if self._scene.selected is None:
            return plain(
                "select a span, an artifact, an entry or a diff to compare its texts", "muted"
            )
        return plain(f"{self._scene.selected.name} has no two texts to compare here", "muted")

    def _heads(self, pair: TextPair) -> list[Line]:
        old, new = (
            plain(f"{side.label.split(' ')[0]}  {side.title}", "muted")
            for side in (pair.old, pair.new)
        )
        sides = [old, new]
        if self.beside:
            sides = list(beside([within(old, half_width(self._width))], [new], self._width))
        return [plain(pair.what, "strong"), *sides, *self._quotes(pair)]

    def _quotes(self, pair: TextPair) -> list[Line]:
        """What the selected diff quotes from the text, and whether it still stands there."""
        selected = self._scene.selected
        row = None
        if selected is not None and selected.kind == "diff":
            row = diff_row(self._scene, str(selected.id))
        refs = row.diff.refs if row is not None else ()
        lines = []
        for ref in refs:
            if isinstance(ref, QuoteRef) and ref.span == pair.span and pair.new.text is not None:
                there = ref.text in pair.new.text
                word = "still there" if there else "not found now"
                line = Row().put("" if there else "~ ", "warning").put("quotes ", "muted")
                room = max(8, self._width - line.width - len(word) - 4)
                said = cut(shown_line(ref.text), room)
                line.put(f'"{said}"').gap(2).put(word, "muted" if there else "warning")
                lines.append(line.line())
        return lines

    def _body(self, pair: TextPair) -> Iterator[Marked]:
        """The lines of a comparison and where its changed places begin."""
        old, new = pair.old.text, pair.new.text
        if old is None or new is None:
            which = pair.old.label if old is None else pair.new.label
            said = f"the text of {pair.span} is not known ({which.strip()})"
            yield plain(said, "warning"), False
        elif old == new:
            yield plain("no difference", "muted"), False
        else:
            diff = self._scene.compare(old, new)
            if diff is None:
                yield plain(COMPARING, "muted"), False
            else:
                yield from self._beside_rows(diff) if self.beside else self._unified_rows(diff)

    def _unified_rows(self, diff: TextDiff) -> Iterator[Marked]:
        digits = digits_of(len(diff.old_lines), len(diff.new_lines))
        was_changed = False
        for line in diff.folded():
            if isinstance(line, Fold):
                yield fold_line(line, self._width), False
                was_changed = False
                continue
            changed = line.kind != "same"
            rows = unified(line, self._width, digits, self._scene.sought)
            yield from opening(rows, begins=changed and not was_changed)
            was_changed = changed

    def _beside_rows(self, diff: TextDiff) -> Iterator[Marked]:
        digits = digits_of(len(diff.old_lines), len(diff.new_lines))
        half = half_width(self._width)
        was_changed = False
        for pair in paired(diff, fold=True):
            if isinstance(pair, Fold):
                yield fold_line(pair, self._width), False
                was_changed = False
                continue
            sought = self._scene.sought
            left, right = (column(side, half, digits, sought) for side in pair)
            begins = pair.changed and not was_changed
            yield from opening(beside(left, right, self._width), begins=begins)
            was_changed = pair.changed

    @property
    def hunks(self) -> int | None:
        """How many changed places there are; null as long as texts are being compared."""
        count = 0
        for pair in self._pairs:
            if not pair.differs:
                continue
            assert pair.old.text is not None
            assert pair.new.text is not None
            diff = self._scene.compare(pair.old.text, pair.new.text)
            if diff is None:
                return None
            count += len(diff.hunks)
        return count

    @cached_property
    def _may_match(self) -> bool:
        """Whether what is sought stands in any text here: only then are all rows made for it."""
        texts = [text for pair in self._pairs for text in (pair.old.text, pair.new.text)]
        return any(text is not None and count_of(self._scene.sought, text) for text in texts)

    def has_match(self, match: int) -> bool:
        """Whether so many lines that are shown have what is sought."""
        return match >= 0 and self._may_match and self.lazy.match(match) is not None

    def match_from_here(self, count: int) -> int:
        """The match so many on from the changed place that was gone to, else from the last one."""
        place = None if self._hunk is None else self.anchor()
        if place is None:
            return self._match + count
        # The rows above a changed place are made, and so are their matches known.
        return bisect_left(self.lazy.found, place) + count - (count > 0)

    def anchor(self) -> int | None:
        """The changed place that was gone to, else the match."""
        if self._hunk is None:
            return self.lazy.match(self._match) if self.has_match(self._match) else None
        hunks = self.hunks
        return self.lazy.start(self._hunk % hunks) if hunks else None
