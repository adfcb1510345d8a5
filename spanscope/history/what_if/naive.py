"""What a naive undo would write: the first place that fits, and no questions asked.

As seed 003 saw it fail: it takes each record as it is, newest first, writes at the first place at
which the anchors agree (where there are none: at the recorded offset), and goes past what has no
record or no place.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from spanscope.history.moment import Moment
from spanscope.journal.parts import Inverse
from spanscope.model.anchors import fits_at, hashed, places
from spanscope.model.content import content_hash
from spanscope.model.mapping import Change, follow, follow_point
from spanscope.model.node import Node
from spanscope.model.spans import Span
from spanscope.model.statuses import true_place
from spanscope.model.undo import Entry, Part
from spanscope.rules.inverses import offset_only

Did = Literal["right", "elsewhere", "overwrites", "skips", "unknown"]

WORST: tuple[Did, ...] = ("elsewhere", "overwrites", "skips", "unknown", "right")

LONGEST_HASHED = 20_000
"""Code points of a text in which anchors that are kept as digests are tried at every place."""


class NaivePart(NamedTuple):
    """What a naive undo does with one edit of an entry.

    `right`: what exact undo does. `elsewhere`: it writes at `at`, which is not the `true` place.
    `overwrites`: at the true place, over another text than the edit left there, or with another
    than stood there. `skips`: it leaves the edit as it is. `destroyed` is text that the undone
    edit never wrote and that would be gone. `why` says why it skips, or can't be told.
    """

    span: str
    did: Did
    at: int | None = None
    true: int | None = None
    destroyed: str = ""
    written: str = ""
    why: str = ""


class _Held:
    """One span as the naive undo leaves it.

    `text` is what it made of `node`'s by `changes`; null: it can't be told.
    """

    def __init__(self, span: Span | None) -> None:
        self.live = span is not None and span.live
        self.node: Node | None = None if span is None else span.node
        self.text = None if span is None else span.text
        self.changes: list[Change] = []

    def becomes(self, span: Span | None) -> None:
        """It is what it was before an edit."""
        live = span is not None and not span.gone
        self.live = live
        if span is not None and live:
            self.node, self.text, self.changes = span.node, span.text, []

    def overwritten(self, text: str, seq: int) -> None:
        """Its whole content is replaced by a record's."""
        if self.text is not None:
            self.changes.append(Change(0, len(self.text), len(text), seq))
        self.text = text


class NaiveResult(NamedTuple):
    """One span after a naive undo; `text` null where it is unknown or `gone` from the buffer."""

    span: str
    gone: bool
    text: str | None

    @property
    def hash(self) -> str | None:
        """The content hash; null where it is gone or unknown."""
        return None if self.text is None else content_hash(self.text)


class NaiveUndo:
    """Undoes entries from the head of the stack of a step, on texts of its own."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._held: dict[str, _Held] = {}

    def undo(self, entry: Entry) -> tuple[NaivePart, ...]:
        """Undo one more entry, its last edit first."""
        return tuple(self._part(part, entry.seq) for part in reversed(entry.parts))

    def results(self) -> dict[str, NaiveResult]:
        """Every span that was touched so far, as it is left."""
        return {
            name: NaiveResult(name, not held.live, held.text if held.live else None)
            for name, held in self._held.items()
        }

    def _of(self, name: str) -> _Held:
        if name not in self._held:
            self._held[name] = _Held(self._moment.span(name))
        return self._held[name]

    def _part(self, part: Part, seq: int) -> NaivePart:
        held = self._of(part.span)
        if part.owes_inverse and part.record is None:
            return NaivePart(part.span, "skips", why="it has no record")
        if part.kind == "move" or (not part.changed and part.kind != "prune"):
            return NaivePart(part.span, "right")
        if part.kind == "ingest":
            held.becomes(part.before)
            return NaivePart(part.span, "right")
        if part.kind == "copy":
            held.becomes(part.taken)
            if part.source is not None:
                self._of(part.source).live = True
            return NaivePart(part.span, "right")
        assert part.inverse is not None
        if part.kind == "prune":
            return _brought_back(held, part, part.inverse, seq)
        if not held.live:
            return NaivePart(part.span, "skips", why=f"{part.span} is gone")
        if held.text is None or held.node is None:
            return NaivePart(part.span, "unknown", why=f"what {part.span} holds is unknown")
        if part.kind == "splice":
            return _spliced(held, held.node, held.text, part, part.inverse, seq)
        return _rewritten(held, held.text, part, part.inverse, seq)


def _brought_back(held: _Held, part: Part, inverse: Inverse, seq: int) -> NaivePart:
    before = part.before
    held.becomes(before)
    if before is None or before.text is None:
        return NaivePart(part.span, "unknown", why=f"what {part.span} held is unknown")
    if inverse.original == before.text:
        return NaivePart(part.span, "right", written=inverse.original)
    held.overwritten(inverse.original, seq)
    return NaivePart(part.span, "overwrites", written=inverse.original)


def _rewritten(held: _Held, text: str, part: Part, inverse: Inverse, seq: int) -> NaivePart:
    before = part.before
    if before is not None and before.text is not None and before.text == inverse.original:
        held.becomes(before)
        return NaivePart(part.span, "right", 0, 0, written=inverse.original)
    held.overwritten(inverse.original, seq)
    return NaivePart(part.span, "overwrites", 0, 0, text, inverse.original)


def _spliced(
    held: _Held, node: Node, text: str, part: Part, inverse: Inverse, seq: int
) -> NaivePart:
    assert part.after is not None
    assert part.before is not None
    if hashed(inverse) and len(text) > LONGEST_HASHED:
        return NaivePart(part.span, "unknown", why="its anchors are digests, the text is long")
    at = first_place(text, part, inverse)
    if at is None:
        return NaivePart(part.span, "skips", why="its anchors fit nowhere")
    found = true_place(part, node)
    true = None if found is None else _followed(found, held.changes)
    removed, original = text[at : at + inverse.inserted], inverse.original
    there = true is not None and _is_there(at, true, part.after.inserted)
    exact = there and removed == part.after.inserted and original == part.after.deleted
    if exact and not held.changes and node is part.after:
        held.becomes(part.before)
    else:
        held.text = text[:at] + original + text[at + len(removed) :]
        held.changes.append(Change(at, len(removed), len(original), seq))
    true_at = None if true is None else at if there else true[0]
    if true is None:
        why = f"what {part.span} held is unknown"
        return NaivePart(part.span, "unknown", at, None, "", original, why)
    if exact or held.text == part.before.text:
        return NaivePart(part.span, "right", at, true_at, "", original)
    did: Did = "overwrites" if there else "elsewhere"
    lost = "" if there and removed == part.after.inserted else removed
    return NaivePart(part.span, did, at, true_at, lost, original)


def first_place(text: str, part: Part, inverse: Inverse) -> int | None:
    """Where a naive undo writes; null where nothing fits.

    Anchors and the hash of what was inserted come before the offset, as in seed 003's own code.
    """
    assert part.after is not None
    if offset_only(part):
        assert inverse.at is not None
        return min(max(0, inverse.at), len(text))
    if hashed(inverse):
        tried = range(len(text) - inverse.inserted + 1)
        return next((at for at in tried if fits_at(text, at, inverse)), None)
    found = places(text, inverse, part.after.inserted)
    return found[0] if found else None


def _followed(place: tuple[int, int], changes: list[Change]) -> tuple[int, int]:
    """Where a place stands after what the naive undo itself has written."""
    start, end = place
    if start == end:
        return follow_point(start, changes, after=False), follow_point(end, changes, after=True)
    found = follow(start, end, changes)
    return found.start, found.end


def _is_there(at: int, true: tuple[int, int], inserted: str) -> bool:
    return at == true[0] if inserted else true[0] <= at <= true[1]


def worst(parts: tuple[NaivePart, ...]) -> NaivePart | None:
    """The edit with which it goes most wrong."""
    return next((part for did in WORST for part in parts if part.did == did), None)
