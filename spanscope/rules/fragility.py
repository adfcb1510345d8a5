"""Would one more write leave a diff's inverses without their place? DIF305 (seed 004).

Two kinds of write are tried in the text that the diff would leave: the edits of each other staged
diff, and one character directly before or after an edit. Then the diff is undone, the last edit
first, each by the inverse that our writer would make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from spanscope.journal.parts import (
    AnyEdit,
    IngestEdit,
    Inverse,
    MoveEdit,
    PruneEdit,
    RewriteEdit,
    SpliceEdit,
)
from spanscope.model.anchors import START_WINDOW, locate, sound_inverse, stands_once
from spanscope.model.content import differing_middle
from spanscope.model.diffs import Diff
from spanscope.rules.pieces import Pieces
from spanscope.rules.placing import places

FRESH_CHARACTERS = "\ue000\ue001\ue002\ue003"
"""Private characters, of which one is not in the text."""

FIRST_TEXT = 0
"""The source of what the diff found."""

OTHERS_TEXT = -1
"""The source of what another write brings."""


class Placed(NamedTuple):
    """An edit of a diff as it would be done now: `before` is the text it meets, `text` its result.

    `at` is null where its place is the span itself: a whole rewrite, or a prune. `own`: the diff
    brings the span in, so that undoing it takes the edit away with the span.
    """

    span: str
    at: int | None
    deleted: str
    inserted: str
    before: str
    text: str
    own: bool = False


class _Step(NamedTuple):
    """A splice of the diff and the inverse that must find it again.

    `removed` are the pieces that it took out; `left` those of the text that it leaves, where it
    put nothing in: they tell where its gap is.
    """

    at: int
    inserted: str
    inverse: Inverse
    source: int
    left: Pieces | None
    removed: Pieces


class _Written(NamedTuple):
    """A text with one more write in it; null pieces: the span is gone."""

    text: str
    pieces: Pieces | None
    how: str


def fragile_write(
    placed: list[Placed],
    others: Iterable[Diff],
    is_there: Callable[[str], bool],
    covered: AbstractSet[str] = frozenset(),
) -> str | None:
    """The write that would make an inverse unlocatable, in words; null where none does.

    Undoing what replaces or brings in a whole text needs no place in it, and takes with it what
    the diff did there afterwards. `covered` are the spans under whose ids it puts copies,
    `is_there` tells which spans live after it.
    """
    staged = list(others)
    whole = set(covered) | {edit.span for edit in placed if edit.at is None or edit.own}
    for name in dict.fromkeys(edit.span for edit in placed if edit.span not in whole):
        mine = [edit for edit in placed if edit.span == name]
        if len(mine) == 1 and _stands_apart(mine[0], staged):
            continue
        steps, pieces = _steps(mine)
        if not steps:
            continue
        left = _Written(mine[-1].text, pieces, "")
        for written in _writes(name, steps, left, staged, is_there):
            if not _can_be_undone(steps, written):
                return written.how
    return None


def _stands_apart(edit: Placed, others: Iterable[Diff]) -> bool:
    """Whether a look tells that an edit, alone in its span, is found after any such write."""
    text, at, inserted = edit.text, edit.at, edit.inserted
    if at is None or not inserted or edit.deleted == inserted or FRESH_CHARACTERS[0] in text:
        return False
    if any(edit.span in other.written_spans for other in others):
        return False
    end = at + len(inserted)
    before, after = text[max(0, at - START_WINDOW) : at], text[end : end + START_WINDOW]
    return (
        before != ""
        and after != ""
        and stands_once(text, before + inserted)
        and stands_once(text, inserted + after)
    )


def _steps(placed: list[Placed]) -> tuple[list[_Step], Pieces]:
    """The splices of one span whose inverses need a place, and the pieces that they leave."""
    pieces = Pieces.whole(FIRST_TEXT, len(placed[0].before))
    steps = []
    for source, edit in enumerate(placed, 1):
        if edit.at is None or edit.deleted == edit.inserted:
            continue
        removed = pieces.cut(edit.at, edit.at + len(edit.deleted))
        new = Pieces.whole(source, len(edit.inserted))
        pieces = pieces.spliced(edit.at, len(edit.deleted), new)
        inverse = sound_inverse(edit.text, edit.at, edit.inserted, edit.deleted)
        left = None if edit.inserted else pieces
        steps.append(_Step(edit.at, edit.inserted, inverse, source, left, removed))
    return steps, pieces


def _writes(
    name: str,
    steps: list[_Step],
    left: _Written,
    others: list[Diff],
    is_there: Callable[[str], bool],
) -> Iterator[_Written]:
    text, last, char = left.text, left.pieces, _new_character(left.text)
    assert last is not None
    safe = len(steps) == 1 and char not in text and _stands_with_one_anchor(steps[0], text)
    for step in () if safe else steps:
        for at, where in _beside(step, last):
            if all(source > FIRST_TEXT for source in last.sources_beside(at)):
                continue
            how = f"one character inserted in {name} at {at}, directly {where} it"
            new = Pieces.whole(OTHERS_TEXT, 1)
            yield _Written(text[:at] + char + text[at:], last.spliced(at, 0, new), how)
    for other in others:
        if name in other.written_spans:
            how = f"the edits of {name} in staged diff {other.diff}"
            written = _with_edits(left._replace(how=how), name, other.edits, is_there)
            if written is not None:
                yield written


def _stands_with_one_anchor(step: _Step, text: str) -> bool:
    """Whether the inserted text and either anchor alone stand in one place of the text.

    Then a new character beside it, which is nowhere else, leaves that place the only one.
    """
    inverse, inserted = step.inverse, step.inserted
    if not inserted or not inverse.before or not inverse.after:
        return False
    return stands_once(text, inverse.before + inserted) and stands_once(
        text, inserted + inverse.after
    )


def _beside(step: _Step, last: Pieces) -> Iterator[tuple[int, str]]:
    """The offsets directly before and after an edit, in the text after the last one."""
    start, end = _place(step, last) or (None, None)
    if start is not None:
        yield start, "before"
    if end is not None and end != start:
        yield end, "after"


def _place(step: _Step, now: Pieces) -> tuple[int, int] | None:
    """Where what a splice put in stands in a later text; of a deletion its gap."""
    if step.left is None:
        return now.span_of(step.source)
    return step.left.gap(step.at, now)


def _new_character(text: str) -> str:
    """One that the text has not: any other could only be taken for a part of it by chance."""
    return next((char for char in FRESH_CHARACTERS if char not in text), FRESH_CHARACTERS[0])


def _with_edits(
    found: _Written, name: str, edits: Iterable[AnyEdit], is_there: Callable[[str], bool]
) -> _Written | None:
    """A text after an apply of these edits as they stand; null where none of them is of it."""
    now = found
    there: dict[str, bool] = {}
    for number, edit in enumerate(edits):
        exists = there.get(edit.span, is_there(edit.span))
        if isinstance(edit, MoveEdit) or not (exists or isinstance(edit, IngestEdit)):
            continue
        made = (edit.into or edit.span) if isinstance(edit, RewriteEdit) else edit.span
        pruned = isinstance(edit, PruneEdit)
        there |= {edit.span: made == edit.span and not pruned, made: not pruned}
        if made == name and not pruned:
            now = _with_edit(now, number, edit, new=made != edit.span)
        elif edit.span == name:
            now = now._replace(text="", pieces=None)
    return None if now is found else now


def _with_edit(now: _Written, number: int, edit: AnyEdit, *, new: bool) -> _Written:
    """A text after one edit of it; `new`: a copy takes its id."""
    text, pieces, source = now.text, now.pieces, OTHERS_TEXT - number
    if isinstance(edit, IngestEdit) or (isinstance(edit, RewriteEdit) and new):
        # Under an id that lives it writes another text, whatever stood there.
        return now._replace(text=edit.content, pieces=Pieces.whole(source, len(edit.content)))
    if isinstance(edit, RewriteEdit):
        at, deleted, inserted = differing_middle(text, edit.content)
    elif isinstance(edit, SpliceEdit) and len(found := places(edit, text)) == 1:
        prefix, deleted, inserted = differing_middle(
            text[found[0] : found[0] + edit.delete], edit.insert
        )
        at = found[0] + prefix
    else:
        return now
    assert pieces is not None
    return now._replace(
        text=text[:at] + inserted + text[at + len(deleted) :],
        pieces=pieces.spliced(at, len(deleted), Pieces.whole(source, len(inserted))),
    )


def _can_be_undone(steps: list[_Step], written: _Written) -> bool:
    """Whether each inverse, the last first, finds the one true place."""
    text, pieces = written.text, written.pieces
    if pieces is None:
        return False
    for step in reversed(steps):
        true = _place(step, pieces)
        if true is None:
            return False
        found = locate(text, step.inverse, step.inserted, true, step.at)
        if found.status not in ("exact", "moved"):
            return False
        at = found.places[0]
        text = text[:at] + step.inverse.original + text[at + len(step.inserted) :]
        pieces = pieces.spliced(at, len(step.inserted), step.removed)
    return True
