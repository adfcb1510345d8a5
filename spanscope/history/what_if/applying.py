"""A staged diff applied at a step, simulated: what it would write, and what stands against it."""

from __future__ import annotations

from typing import NamedTuple

from spanscope.history.history import History
from spanscope.history.moment import Moment
from spanscope.history.what_if.standing import (
    DiffChange,
    HolderChange,
    changed,
    diff_changes,
    draft_at,
    holder_changes,
)
from spanscope.journal.events import Apply, Reject, Withdraw
from spanscope.journal.parts import IngestEdit, MoveEdit, SpliceEdit
from spanscope.model.diffs import Diff
from spanscope.model.spans import Span
from spanscope.model.transaction import Transaction
from spanscope.rules.judgements import DiffJudgement
from spanscope.rules.writes import Writes, check_writes


class Written(NamedTuple):
    """A span before and after the diff; null: it is not there."""

    name: str
    before: Span | None
    after: Span | None


class Applied(NamedTuple):
    """What applying a diff at `seq` would do.

    `left` says how the diff left the staging area at the next event, where it did. `written` are
    the spans as the placed edits leave them, `unplaced` those with an edit that has no place.
    `fragile` is the one more write after which its inverse would not be found.
    """

    seq: int
    diff: Diff
    left: str | None
    judgement: DiffJudgement
    written: tuple[Written, ...]
    unplaced: tuple[str, ...]
    fragile: str | None
    undoable: bool
    holders: tuple[HolderChange, ...]
    diffs: tuple[DiffChange, ...]

    @property
    def allowed(self) -> bool:
        """Whether it may be applied: nothing is against it, and it can be undone again."""
        return self.judgement.verdict in ("admissible", "reconcilable") and self.fragile is None

    @property
    def slips_through(self) -> bool:
        """Whether a check of what is written alone would let a diff pass that must not."""
        return bool(self.judgement.write_set_passes) and not self.allowed


def apply_here(history: History, seq: int, name: str) -> Applied | None:
    """What applying a diff after the event `seq` would do; null where it is not staged.

    Of a diff that left the staging area at that very event: before it.
    """
    moment, left = history.at(seq), None
    if name not in moment.staged:
        event = history.event(seq) if seq else None
        if not isinstance(event, Apply | Reject | Withdraw) or event.diff != name:
            return None
        words = {Apply: "applied", Reject: "rejected", Withdraw: "withdrawn"}
        position = history.position(seq)
        moment = history.at(history.seqs[position - 1] if position > 0 else 0)
        left = f"{words[type(event)]} at {seq}"
        if name not in moment.staged:
            return None
    return _applied(moment, moment.staged[name], left)


def _applied(moment: Moment, diff: Diff, left: str | None) -> Applied:
    row = next(row for row in moment.staging() if row.diff.diff == diff.diff)
    writes = check_writes(diff, moment)
    draft, unplaced = _drafted(moment, diff, writes)
    return Applied(
        moment.seq,
        diff,
        left,
        row.judgement,
        tuple(Written(name, moment.span(name), span) for name, span in draft.work.items()),
        unplaced,
        writes.fragile,
        writes.all_placed,
        changed(holder_changes(moment, draft)),
        changed(diff_changes(moment, draft, leaving=diff.diff)),
    )


def _drafted(moment: Moment, diff: Diff, writes: Writes) -> tuple[Transaction, tuple[str, ...]]:
    """The edits that have a place, done where it is; the spans of those that have none."""
    draft = draft_at(moment, diff.watched_spans)
    unplaced: dict[str, None] = {}
    for number, edit in enumerate(diff.edits):
        placed = writes.placed.get(number)
        if isinstance(edit, SpliceEdit):
            done = placed is not None and placed.at is not None
            if placed is not None and placed.at is not None:
                draft.splice(edit.span, placed.at, len(placed.deleted), placed.inserted)
        else:
            done = placed is not None or isinstance(edit, IngestEdit | MoveEdit)
            done = done and draft.edit(edit)
        if not done:
            unplaced[edit.span] = None
    draft.settle({}, {})
    return draft, tuple(unplaced)
