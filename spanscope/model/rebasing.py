"""The edits of one span done again without the undone ones, each at its mapped place (seed 003)."""

from __future__ import annotations

from msgspec.structs import replace

from spanscope.model.carrying import NoPlaceError, carried
from spanscope.model.mapping import Change
from spanscope.model.reordering import PartKey
from spanscope.model.spans import Span
from spanscope.model.transaction import Transaction
from spanscope.model.undo import IN_PLACE, Entry, Part

OneEdit = tuple[Entry, int, Part]
"""An edit with its entry and its number in it."""


class ImpossibleUndoError(Exception):
    """The undo can't be done; the message says why. `sure`: no text that is unknown is a reason."""

    def __init__(self, why: str, *, sure: bool = True) -> None:
        super().__init__(why)
        self.sure = sure


def rebase(
    draft: Transaction,
    name: str,
    steps: list[OneEdit],
    undone: set[int],
    rebuilt: dict[PartKey, Part],
) -> None:
    """Redo the kept edits of one span on the text without the undone ones.

    `rebuilt` takes those that are not what they were. Raises ImpossibleUndoError.
    """
    rebased = _Rebase(draft, name, steps)
    for entry, number, part in steps:
        if entry.seq in undone:
            rebased.undo(part)
        else:
            again = rebased.redo(entry, number, part)
            if again is not None:
                rebuilt[entry.seq, number] = again
    now = draft.get(name)
    if now is not None:
        draft.put(rebased.held_by(now))
        draft.edited[name] = None


class _Rebase:
    """One span followed through its edits, without those that are undone.

    `difference` leads from the text as it was to the text without the undone ones; `left` is what
    the last edit left of the text as it was, `torn` whether one met another text than that.
    """

    def __init__(self, draft: Transaction, name: str, steps: list[OneEdit]) -> None:
        start = next(part for _, _, part in steps if part.kind in IN_PLACE).before
        assert start is not None
        self._draft = draft
        self._name = name
        self._steps = steps
        self._node = start.node
        self._produced_by = start.produced_by
        self._doubt = start.doubt
        self._difference: list[Change] = []
        self._moved = False
        self._left = start.node
        self._torn = False

    def held_by(self, now: Span) -> Span:
        """The span with what is left of its edits, known as far as what these met."""
        seq, origin = self._draft.seq, self._produced_by
        return replace(
            now, node=self._node, produced_by=origin, doubt=self._doubt, seq=seq, written=seq
        )

    def undo(self, part: Part) -> None:
        """One edit is not there any more."""
        if part.kind in IN_PLACE:
            assert part.after is not None
            self._go_on(part)
            self._moved = True
            made = part.after.change
            if not _put_nothing(part) and (made.deleted or made.inserted):
                self._difference.insert(0, made.inverted(made.seq))

    def redo(self, entry: Entry, number: int, part: Part) -> Part | None:
        """One edit is done again; what it became, null where it is as it was."""
        if part.kind in IN_PLACE:
            return self._redo_in_place(entry, number, part)
        if part.span != self._name or part.kind == "move":
            return None
        again = self._on_another(part) if self._moved else None
        if part.kind != "prune":
            # Whatever stood under the id, from here on it is the text that came in.
            assert part.after is not None
            came = part.after
            if again is not None and part.kind == "ingest" and came.text_known:
                # It is a rewrite of that.
                came = self._node.rewritten(self._draft.seq, self._draft.actor, came.text)
                came.again = part.after.first_made
                again = replace(again, after=came)
            self._moved = self._moved and came is not part.after
            self._node, self._difference = came, []
            self._doubt = None
            self._left, self._torn = part.after, False
            self._produced_by = self._left_by(entry, number)
        return again

    def _go_on(self, part: Part) -> None:
        """One edit further in the text as it was."""
        assert part.before is not None
        assert part.after is not None
        if not self._moved:
            self._doubt = part.before.doubt
        self._torn = self._torn or part.before.node.same_content(self._left) is False
        self._left = part.after

    def _on_another(self, part: Part) -> Part | None:
        """An edit that took a whole span away, of which it would bring another text back."""
        met = part.taken if part.kind == "copy" else part.before
        if met is None:
            return None
        met = replace(met, node=self._node, produced_by=self._produced_by)
        if part.kind == "copy":
            return replace(part, taken=met)
        return replace(part, before=met, record=part.inverse)

    def _redo_in_place(self, entry: Entry, number: int, part: Part) -> Part | None:
        assert part.after is not None
        assert part.before is not None
        met, before = self._produced_by, self._node
        if part.kind == "rewrite":
            self._produced_by = self._left_by(entry, number)
        self._go_on(part)
        if not self._moved:
            self._node, self._torn = part.after, False
            self._doubt = None if part.kind != "splice" else self._doubt
            return None
        if _put_nothing(part):
            met_now = replace(part.before, node=before, produced_by=met)
            return replace(part, before=met_now, after=before, without_at=True)
        seq, actor = self._draft.seq, self._draft.actor
        if not (before.text_known and part.before.node.text_known and part.after.text_known):
            # Where it would go in a text that nobody knows, or what it put there, nobody knows.
            self._node = before.with_hash(seq, actor, None)
            return replace(part, before=replace(part.before, node=before), after=self._node)
        at = self._carry(part.after.change, entry, sure=part.before.doubt is None)
        self._node = before.redone(part.after, seq, actor, at)
        return replace(
            part,
            before=replace(part.before, node=before, produced_by=met),
            after=self._node,
            record=part.inverse,
            without_at=True,
        )

    def _carry(self, edit: Change, entry: Entry, *, sure: bool) -> int:
        """Where an edit goes without the undone ones, which are carried over it."""
        if self._torn:
            why = f"entry {entry.seq} met in {self._name} what no entry left"
            raise ImpossibleUndoError(why, sure=sure)
        try:
            at, self._difference = carried(edit, self._difference)
        except NoPlaceError:
            why = f"entry {entry.seq} overlaps in {self._name} what is undone"
            raise ImpossibleUndoError(why, sure=sure) from None
        return min(at, self._node.length)

    def _left_by(self, change: Entry, number: int) -> str:
        """The origin that a change gave its span: the one that the next one met."""
        place = next(i for i, step in enumerate(self._steps) if step[:2] == (change, number))
        for _, _, part in self._steps[place + 1 :]:
            met = part.taken if part.kind == "copy" and part.span == self._name else part.before
            if met is not None:
                return met.produced_by
        now = self._draft.get(self._name)
        return "" if now is None else now.produced_by


def _put_nothing(part: Part) -> bool:
    """Whether an edit put nothing anywhere, in a text that nobody knows."""
    return part.before is not None and part.after is part.before.node
