"""The Diff tab: two states of a text, word by word; side by side where there is room."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from spanscope.text.diff import Fold, TextDiff
from spanscope.widgets.lines import EMPTY, Line, plain, within
from spanscope.widgets.listing import TextListing
from spanscope.widgets.scene import Scene
from spanscope.widgets.texts import TextPair, compared
from spanscope.widgets.written import (
    MOST_LINES,
    SIDE_BY_SIDE,
    beside,
    column,
    difference,
    digits_of,
    fold_line,
    half_width,
    paired,
    unified,
)


class DiffListing(TextListing):
    """The Diff tab as lines; `hunk` (from 0, null: none) is the one to have in view."""

    def __init__(self, scene: Scene, width: int, hunk: int | None = None) -> None:
        self._scene = scene
        self._width = width
        self._hunk = hunk
        self._hunks: list[int] = []

    def compose(self) -> list[Line]:
        """All rows."""
        rows: list[Line] = []
        pairs = compared(self._scene)
        shown = [pair for pair in pairs if pair.differs] or pairs[:1]
        if not shown:
            return [within(self._nothing(), self._width)]
        for pair in shown:
            if rows:
                rows.append(EMPTY)
            rows += [within(line, self._width) for line in self._heads(pair)]
            rows += self._body(pair, len(rows))
        return rows

    def _nothing(self) -> Line:
        if self._scene.selected is None:
            return plain(
                "select a span, an artifact, an entry or a diff to compare its texts", "muted"
            )
        return plain(f"{self._scene.selected.name} has no two texts to compare here", "muted")

    def _heads(self, pair: TextPair) -> list[Line]:
        if self._width >= SIDE_BY_SIDE:
            half = half_width(self._width)
            left = [
                plain(pair.what, "strong"),
                plain(f"{pair.old.label}  {pair.old.title}", "muted"),
            ]
            right = [EMPTY, plain(f"{pair.new.label}  {pair.new.title}", "muted")]
            return [left[0], *beside([within(left[1], half)], right[1:], self._width)]
        return [
            plain(pair.what, "strong"),
            plain(f"{pair.old.label}  {pair.old.title}", "muted"),
            plain(f"{pair.new.label}  {pair.new.title}", "muted"),
        ]

    def _body(self, pair: TextPair, start: int) -> list[Line]:
        """The lines of a comparison; notes where its changed places begin."""
        old, new = pair.old.text, pair.new.text
        if old is None or new is None:
            which = pair.old.label if old is None else pair.new.label
            said = f"the text of {pair.span} is not known ({which.strip()})"
            return [within(plain(said, "warning"), self._width)]
        if old == new:
            return [plain("no difference", "muted")]
        lines: list[Line] = []
        was_changed = False
        for changed, more in islice(self._pieces(difference(old, new)), MOST_LINES):
            if changed and not was_changed:
                self._hunks.append(start + len(lines))
            was_changed = changed
            lines += more
        return lines

    def _pieces(self, diff: TextDiff) -> Iterator[tuple[bool, list[Line]]]:
        """The diff line by line: whether it changed, and how it is drawn."""
        digits = digits_of(len(diff.old_lines), len(diff.new_lines))
        half = half_width(self._width)
        if self._width < SIDE_BY_SIDE:
            for line in diff.folded():
                if isinstance(line, Fold):
                    yield False, [fold_line(line, self._width)]
                else:
                    yield line.kind != "same", unified(line, self._width, digits)
            return
        for left, right in paired(diff, fold=True):
            if isinstance(left, Fold) or right is None:
                if isinstance(left, Fold):
                    yield False, [fold_line(left, self._width)]
                continue
            changed = left.kind != "same" or right.kind != "same"
            sides = column(left, half, digits), column(right, half, digits)
            yield changed, beside(*sides, self._width)

    @property
    def hunks(self) -> int:
        """How many changed places there are."""
        return len(self._hunks) if self.rows else 0

    def anchor(self) -> int | None:
        """The selected row, else the first that this step changed."""
        if self._hunk is None or not self.hunks:
            return None
        return self._hunks[self._hunk % len(self._hunks)]
