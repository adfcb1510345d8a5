"""Rolling back the newest entries of a step, simulated: exactly, and as a naive undo would."""

from __future__ import annotations

from collections.abc import Generator
from itertools import islice
from typing import Literal, NamedTuple

from spanscope.history.history import History
from spanscope.history.moment import Moment
from spanscope.history.rows import UndoRow
from spanscope.history.what_if.naive import NaivePart, NaiveResult, NaiveUndo, worst
from spanscope.history.what_if.standing import (
    DiffChange,
    HolderChange,
    changed,
    diff_changes,
    draft_at,
    holder_changes,
)
from spanscope.model.content import Damage, damages
from spanscope.model.spans import Span
from spanscope.model.transaction import Transaction
from spanscope.model.undo import Entry
from spanscope.model.undoing import undo_entries
from spanscope.rules.reach import why_blocked

Strict = Literal["exact", "stops", "unknown", "not reached"]

MOST_STEPS = 200
"""So many entries are tried at once."""


class Step(NamedTuple):
    """One entry on the way down: what strict undo does with it, and what a naive one would.

    `at` is where strict undo writes, in the text that it meets (null: the whole span, or several
    edits). `why` says what stops it, as the end of a sentence.
    """

    number: int
    row: UndoRow
    strict: Strict
    at: int | None
    why: str
    naive: tuple[NaivePart, ...]

    @property
    def entry(self) -> Entry:
        """The undo entry."""
        return self.row.entry

    @property
    def worst(self) -> NaivePart | None:
        """The edit with which a naive undo goes most wrong."""
        return worst(self.naive)


class Restored(NamedTuple):
    """A span after exact undo: as it was before the entry `before` (a seq).

    `now` is what it is at the step. `span` is null where it never was.
    """

    name: str
    now: Span | None
    span: Span | None
    before: int

    @property
    def gone(self) -> bool:
        """Whether it would not stand in the buffer."""
        return self.span is None or not self.span.live


class Damaged(NamedTuple):
    """A span that a naive undo would leave otherwise than it was before the undone entries."""

    wanted: Restored
    got: NaiveResult

    @property
    def places(self) -> list[Damage]:
        """What differs, where both texts are known."""
        span = self.wanted.span
        wanted = None if span is None or self.wanted.gone else span.text
        if wanted is None or self.got.text is None:
            return []
        return damages(wanted, self.got.text)


class RolledBack(NamedTuple):
    """What rolling back `asked` of `size` entries at `seq` would do.

    `steps` are those entries and some more below. `possible` is how far exact undo gets, `restored`
    what it would leave then. `meant` is what stood before all `asked` entries, by the journal, and
    `damaged` what a naive undo would leave otherwise. `holders` and `diffs` would have another
    state after the possible steps.
    """

    seq: int
    size: int
    asked: int
    steps: tuple[Step, ...]
    possible: int
    restored: tuple[Restored, ...]
    meant: tuple[Restored, ...]
    damaged: tuple[Damaged, ...]
    holders: tuple[HolderChange, ...]
    diffs: tuple[DiffChange, ...]

    @property
    def stopped(self) -> Step | None:
        """The entry that exact undo can't get past, among those to undo."""
        return self.steps[self.possible] if self.possible < self.asked else None


Rolling = Generator[None, None, RolledBack]
"""Pauses after each bit of work, and returns what it found."""


def roll_back(history: History, seq: int, count: int, ahead: int = 0) -> RolledBack:
    """What undoing the `count` newest entries after the event `seq` would do; nothing moves.

    `count` is brought between 1 and what there is, at most MOST_STEPS; `ahead` more entries are
    looked at below. Without an entry, nothing is undone.
    """
    rolling = rolling_back(history, seq, count, ahead)
    while True:
        try:
            next(rolling)
        except StopIteration as done:
            found: RolledBack = done.value
            return found


def rolling_back(history: History, seq: int, count: int, ahead: int = 0) -> Rolling:
    """`roll_back` little by little, so that a screen may be drawn in between."""
    moment = history.at(seq)
    size = moment.undo_size
    count = min(max(1, count), size, MOST_STEPS)
    naive = NaiveUndo(moment)
    steps: list[Step] = []
    results: dict[str, NaiveResult] = {}
    blocked = False
    for number, row in enumerate(islice(moment.undo_rows(), min(size, count + ahead)), 1):
        yield
        steps.append(_step(number, row, naive.undo(row.entry), blocked=blocked))
        blocked = blocked or row.reachable is not True
        if number == count:
            results = naive.results()
    possible = sum(step.strict == "exact" for step in steps[:count])
    entries = [step.entry for step in steps[:count]]
    draft = yield from _undone(moment, entries[:possible])
    whole = draft if possible == count else (yield from _undone(moment, entries))
    meant = restored_of(moment, whole, entries)
    holders, diffs = [], []
    for holder in holder_changes(moment, draft):
        yield
        holders.append(holder)
    for diff in diff_changes(moment, draft):
        yield
        diffs.append(diff)
    return RolledBack(
        seq,
        size,
        count,
        tuple(steps),
        possible,
        restored_of(moment, draft, entries[:possible]),
        meant,
        tuple(_damaged(meant, results)),
        changed(holders),
        changed(diffs),
    )


def _step(number: int, row: UndoRow, naive: tuple[NaivePart, ...], *, blocked: bool) -> Step:
    if blocked:
        return Step(number, row, "not reached", None, "", naive)
    if row.reachable is None:
        return Step(number, row, "unknown", None, _why_unknown(row), naive)
    if not row.reachable:
        return Step(number, row, "stops", None, _why_stopped(row), naive)
    parts = row.entry.parts
    after = parts[0].after if len(parts) == 1 and parts[0].kind == "splice" else None
    return Step(number, row, "exact", None if after is None else after.at, "", naive)


def _why_stopped(row: UndoRow) -> str:
    fitting = len(row.places)
    if row.status.direct == "ambiguous" and len(row.entry.parts) == 1 and fitting > 1:
        return f"its inverse fits in {fitting} places"
    return why_blocked(row.entry)


def _why_unknown(row: UndoRow) -> str:
    doubt = row.entry.doubt
    return "whether it can be undone is unknown" if doubt is None else doubt.why


def _undone(moment: Moment, entries: list[Entry]) -> Generator[None, None, Transaction]:
    """A draft in which what really happened is taken back."""
    draft = draft_at(moment, (name for entry in entries for name in entry.spans))
    for entry in entries:
        yield
        undo_entries(draft, [entry])
    draft.settle({}, {})
    return draft


def restored_of(moment: Moment, draft: Transaction, entries: list[Entry]) -> tuple[Restored, ...]:
    """The spans of a draft that undid entries (head first)."""
    oldest = {name: entry.seq for entry in entries for name in entry.spans}
    return tuple(
        Restored(name, moment.span(name), draft.get(name), before)
        for name, before in oldest.items()
    )


def _damaged(meant: tuple[Restored, ...], results: dict[str, NaiveResult]) -> list[Damaged]:
    """The spans that are surely not what they should be."""
    found = []
    for wanted in meant:
        got = results.get(wanted.name)
        if got is None:
            continue
        known = wanted.gone or (wanted.span is not None and wanted.span.hash is not None)
        same = got.gone == wanted.gone and (
            wanted.gone or (wanted.span is not None and got.hash == wanted.span.hash)
        )
        if known and not same and (got.gone or got.text is not None):
            found.append(Damaged(wanted, got))
    return found
