"""What changed between a pinned step and the cursor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from spanscope.history.history import History
    from spanscope.history.moment import Moment
    from spanscope.model.spans import Span

Change = Literal["new", "changed", "gone", ""]
"""What became of a thing since the pin; empty: nothing."""

MOST_COUNTED = 1_000
"""Of more spans it is not counted how many changed."""


class Counts(NamedTuple):
    """How many there are of each change."""

    changed: int
    new: int
    gone: int


class Since:
    """Two steps of a history: the pinned one, and the cursor's."""

    def __init__(self, history: History, pin: int, moment: Moment) -> None:
        self.pin = pin
        self.was = history.at(pin)
        self.now = moment

    @property
    def steps(self) -> int:
        """How many events lie between, negative where the cursor is before the pin."""
        history = self.now.history
        return history.position(self.now.seq) - history.position(self.pin)

    def span(self, name: str) -> Change:
        """What became of a span."""
        return _of_span(self.was.span(name), self.now.span(name))

    def artifact(self, name: str) -> tuple[Change, str]:
        """What became of an artifact, and the state that it had."""
        was, now = self.was.artifact(name), self.now.artifact(name)
        if was is None:
            return ("" if now is None else "new"), ""
        then = was.judgement.state
        if now is None:
            return "gone", then
        return ("" if then == now.judgement.state else "changed"), then

    def entry(self, seq: int) -> Change:
        """What became of an undo entry: of its direct status and whether it can be reached."""
        was, now = self.was.undo_row(seq), self.now.undo_row(seq)
        if was is None or now is None:
            return "new" if now is not None else "gone"
        same = (was.status.direct, was.reachable) == (now.status.direct, now.reachable)
        return "" if same else "changed"

    def verdict(self, name: str) -> str | None:
        """The verdict that a diff had; null where it was not staged."""
        rows = {row.diff.diff: row.judgement.verdict for row in self.was.staging()}
        return rows.get(name)

    @cached_property
    def spans(self) -> Counts | None:
        """How many spans changed, came and went; null where there are too many to look at."""
        first = min(self.was.seq, self.now.seq)
        touched: Iterable[str] = self.now.history.state.touched_since(first)
        if self.was.doubt is not self.now.doubt:
            # What is doubted changed without being touched.
            touched = (*self.was.order, *self.now.order)
        there = {*self.was.order, *self.now.order}
        names = list(islice((name for name in touched if name in there), MOST_COUNTED + 1))
        if len(names) > MOST_COUNTED:
            return None
        changes = [self.span(name) for name in names]
        return Counts(changes.count("changed"), changes.count("new"), changes.count("gone"))

    @cached_property
    def entries(self) -> Counts:
        """How many undo entries were pushed and taken off."""
        first, second = sorted((self.was, self.now), key=lambda moment: moment.seq)
        new = self.now.history.undo.came(first.seq, second.seq)
        gone = first.undo_size - (second.undo_size - new)
        return Counts(0, new, gone) if first is self.was else Counts(0, gone, new)


def _of_span(was: Span | None, now: Span | None) -> Change:
    there, here = was is not None and not was.gone, now is not None and not now.gone
    if there != here:
        return "new" if here else "gone"
    if was is None or now is None or was is now or not here:
        return ""
    same = (was.version, was.hash, was.life) == (now.version, now.hash, now.life)
    return "" if same else "changed"
