"""The undo stack: entries, whether each inverse still finds its place, and what blocks them.

Two answers for each entry (seed 003). *Direct*: its evidence in the buffer as it is now.
*Sound*: whether strict last-in-first-out undo, which meets the text that the change left, would
restore exactly what stood there. An entry is reachable when it and all above it are sound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from msgspec import Struct

from spanscope.journal.parts import Inverse
from spanscope.model.anchors import (
    Direct,
    Located,
    UntoldPlacesError,
    fits_at,
    fits_only_at,
    hashed,
    locate,
    places,
    the_place,
)
from spanscope.model.content import HASH_LENGTH, content_hash
from spanscope.model.mapping import follow, follow_point
from spanscope.model.node import Node, changes_between, known_between
from spanscope.model.records import unpacked_inverse
from spanscope.model.spans import Doubt, Span

PartKind = Literal["ingest", "rewrite", "splice", "copy", "prune", "move", "observe"]

NEEDS_INVERSE: tuple[PartKind, ...] = ("rewrite", "splice", "prune", "observe")
"""The others carry their inverse in themselves."""

IN_PLACE: tuple[PartKind, ...] = ("rewrite", "splice", "observe")
"""They give a span another text, and leave it where it is."""

WORST: tuple[Direct, ...] = (
    "missing",
    "lost",
    "clobbered",
    "misleading",
    "ambiguous",
    "unknown",
    "moved",
    "exact",
)
"""An entry of several edits has the worst of theirs."""

Lookup = Callable[[str], Span | None]


class Part(Struct, kw_only=True, gc=False, frozen=True):
    """One edit of an undo entry.

    `before` is the span's state before it (null: there was none), `after` its content right
    after. `index` and `was_at` are its places in the order after and before. `source` is the
    span that a copy took the place of. `record` is its inverse, of a splice perhaps packed.
    `edit` is its place among the edits of its event, of which not all may have taken effect.
    `unsure`: nobody knows whether it took place.
    """

    kind: PartKind
    span: str
    store: str
    before: Span | None
    after: Node | None
    index: int | None = None
    was_at: int | None = None
    source: str | None = None
    record: Inverse | bytes | None = None
    late: bool = False
    evicted: bool = False
    without_at: bool = False
    edit: int = 0
    unsure: bool = False

    @property
    def inverse(self) -> Inverse | None:
        """The inverse record of the edit; null where there is none."""
        record = self.record
        if not isinstance(record, bytes):
            return record
        assert self.after is not None
        return unpacked_inverse(record, self.after)

    @property
    def changed(self) -> bool:
        """Whether any byte or place changed."""
        before, after = self.before, self.after
        if before is None or after is None or self.kind not in ("rewrite", "splice", "observe"):
            return True
        if self.kind == "splice" and after.parent is before.node and not after.whole:
            nothing = not after.deleted and not after.inserted
            if nothing or after.text_known:
                return after.deleted != after.inserted
        return before.node.same_content(after) is not True

    @property
    def owes_inverse(self) -> bool:
        """Whether undoing it needs an inverse record."""
        return self.kind in NEEDS_INVERSE and self.changed


class Entry(Struct, kw_only=True, gc=False, frozen=True):
    """One change on the undo stack: an event, with a part for each of its edits.

    `recorded` is false where the source can't record inverses: then they are unknown, not
    missing. `doubt` stands where the change itself was made on unknown ground.
    """

    seq: int
    op: str
    actor: str
    parts: tuple[Part, ...]
    recorded: bool = True
    doubt: Doubt | None = None

    def part_of(self, edit: int) -> int | None:
        """The index of the part that an edit of its event became; null where it became none."""
        return next((i for i, part in enumerate(self.parts) if part.edit == edit), None)

    @property
    def span(self) -> str | None:
        """The span it changed; null for several."""
        if len(self.parts) == 1:
            return self.parts[0].span
        names = {part.span for part in self.parts}
        return next(iter(names)) if len(names) == 1 else None

    @property
    def spans(self) -> tuple[str, ...]:
        """All spans it touched."""
        if len(self.parts) == 1 and self.parts[0].source is None:
            return (self.parts[0].span,)
        names = [part.span for part in self.parts]
        names += [part.source for part in self.parts if part.source is not None]
        return tuple(dict.fromkeys(names))

    @property
    def stores(self) -> frozenset[str]:
        """The stores of its spans."""
        return frozenset(part.store for part in self.parts)

    @property
    def touches_order(self) -> bool:
        """Whether it changed which spans stand where."""
        return any(part.kind in ("ingest", "copy", "prune", "move") for part in self.parts)

    @property
    def lacking(self) -> tuple[int, ...]:
        """The edits (0-based) that owe an inverse and have none."""
        return tuple(
            number
            for number, part in enumerate(self.parts)
            if part.owes_inverse and part.record is None
        )


class Wrong(NamedTuple):
    """One field of an inverse that is not what the change really did (UND204)."""

    field: str
    claimed: str | int
    actual: str | int


def inverse_faults(part: Part) -> list[Wrong]:
    """What an inverse says falsely about the change that it should undo."""
    inverse, after, before = part.inverse, part.after, part.before
    if inverse is None or before is None:
        return []
    if part.kind == "splice":
        assert after is not None
        if before.unknown or not after.text_known or part.unsure:
            return []
        return _splice_faults(inverse, after)
    replaced = before.node.text
    inserted = after.text if after is not None and part.kind == "rewrite" else ""
    faults: list[Wrong] = []
    if before.text is not None:
        faults += _unequal("original", inverse.original, replaced)
    if not part.unsure and (after is None or after.text_known):
        faults += _inserted_faults(inverse, inserted)
    return faults


def _splice_faults(inverse: Inverse, after: Node) -> list[Wrong]:
    if plainly_right(inverse, after):
        return []
    faults = _unequal("original", inverse.original, after.deleted)
    faults += _inserted_faults(inverse, after.inserted)
    if not inverse.anchored:
        return faults
    text, at, end = after.text, after.at, after.at + len(after.inserted)
    alone = Inverse(original="", inserted=0, before=inverse.before, window=inverse.window)
    if not fits_at(text, at, alone):
        faults.append(Wrong("before", inverse.before, text[max(0, at - 16) : at]))
    alone = Inverse(original="", inserted=0, after=inverse.after, window=inverse.window)
    if not fits_at(text, end, alone):
        faults.append(Wrong("after", inverse.after, text[end : end + 16]))
    return faults


def plainly_right(inverse: Inverse, after: Node) -> bool:
    """Whether a look is enough: anchors as plain text, and everything as it was."""
    at = after.at
    return (
        inverse.original == after.deleted
        and inverse.inserted == len(after.inserted)
        and inverse.anchored
        and len(inverse.before) != HASH_LENGTH
        and len(inverse.after) != HASH_LENGTH
        and after.text.endswith(inverse.before, 0, at)
        and after.text.startswith(inverse.after, at + inverse.inserted)
        and (inverse.inserted_hash is None or inverse.inserted_hash == content_hash(after.inserted))
    )


def _inserted_faults(inverse: Inverse, inserted: str) -> list[Wrong]:
    faults: list[Wrong] = []
    if inverse.inserted != len(inserted):
        faults.append(Wrong("inserted", inverse.inserted, len(inserted)))
    if inverse.inserted_hash is not None:
        faults += _unequal("inserted_hash", inverse.inserted_hash, content_hash(inserted))
    return faults


def _unequal(field: str, claimed: str, actual: str) -> list[Wrong]:
    return [] if claimed == actual else [Wrong(field, claimed, actual)]


def fits_after(part: Part) -> tuple[int, ...]:
    """All places where the evidence of a splice's inverse fits right after the change."""
    inverse = part.inverse
    if part.kind != "splice" or inverse is None or part.after is None:
        return ()
    if not part.after.text_known:
        return ()
    if hashed(inverse):
        return (part.after.at,) if fits_at(part.after.text, part.after.at, inverse) else ()
    if fits_only_at(part.after.text, part.after.at, inverse):
        return (part.after.at,)
    try:
        return places(part.after.text, inverse, part.after.inserted)
    except UntoldPlacesError:
        return ()


def part_sound(part: Part, recorded: bool = True) -> bool | None:
    """Whether undoing the part in strict order restores exactly what stood there.

    The undo meets the content that the change left, so there `at` decides alone. Null: unknown.
    """
    if not part.owes_inverse:
        return True
    inverse = part.inverse
    if inverse is None:
        return False if recorded or part.kind == "observe" else None
    if part.unsure or part.before is None or part.before.unknown or not part.before.node.text_known:
        return None
    if part.kind != "splice":
        known = part.after is None or part.after.known
        return inverse.original == part.before.node.text if known else None
    assert part.after is not None
    if not part.after.text_known:
        return None
    at = None if part.without_at else inverse.at
    if at is not None and _restores(part, part.after, at):
        return True
    return restores_in(part, part.after)


def restores_in(part: Part, now: Node) -> bool | None:
    """Whether the evidence of a splice's inverse leads to one place, and back to what stood there.

    Anchors kept as digests are only checked where the change was made.
    """
    inverse = part.inverse
    assert inverse is not None
    assert part.after is not None
    if hashed(inverse):
        if not fits_at(now.text, part.after.at, inverse):
            return None
        return _restores(part, now, part.after.at)
    try:
        at = the_place(now.text, inverse, part.after.inserted)
    except UntoldPlacesError:
        return None
    return at is not None and _restores(part, now, at)


def _restores(part: Part, now: Node, at: int) -> bool:
    """Whether undoing a splice at a place makes the text that it found."""
    inverse, after, before = part.inverse, part.after, part.before
    assert inverse is not None
    assert after is not None
    assert before is not None
    if now is after and at == after.at and before.node is after.parent:
        as_recorded = inverse.original == after.deleted
        if as_recorded and inverse.inserted == len(after.inserted):
            return True
    text, end = now.text, at + inverse.inserted
    if not 0 <= at <= end <= len(text):
        return False
    return text[:at] + inverse.original + text[end:] == before.node.text


def entry_sound(entry: Entry) -> bool | None:
    """Whether the whole entry is undone exactly in strict order; null where unknown."""
    verdicts = [part_sound(part, entry.recorded) for part in entry.parts]
    if False in verdicts:
        return False
    if entry.doubt is not None or None in verdicts:
        return None
    return True


def true_place(part: Part, now: Node) -> tuple[int, int] | None:
    """(start, end) where a splice's text stands now, followed through the edits that stand.

    Of a deletion: the place, from before to after what was inserted at it since. Null where a
    text in between is not known.
    """
    assert part.after is not None
    at, changes = part.after.at, changes_between(part.after, now)
    if changes and not known_between(part.after, now):
        return None
    if not part.after.inserted:
        return follow_point(at, changes, after=False), follow_point(at, changes, after=True)
    found = follow(at, at + len(part.after.inserted), changes)
    return found.start, found.end


def located(part: Part, now: Node) -> Located:
    """Where a splice's inverse finds its place in the span's content as it is now."""
    inverse = part.inverse
    assert part.after is not None
    assert inverse is not None
    if not now.text_known or not part.after.text_known:
        return Located("unknown")
    true = true_place(part, now)
    return locate(now.text, inverse, part.after.inserted, true, part.after.at)


def part_status(part: Part, span: Span | None, source: Span | None, recorded: bool) -> Located:
    """The direct status of one edit, against its span (and a copy's source) as they are now."""
    if part.owes_inverse and part.record is None:
        return Located("missing" if recorded or part.kind == "observe" else "unknown")
    if span is not None and not span.life_known and (span.gone or part.kind == "prune"):
        return Located("unknown")
    if part.kind == "prune":
        return Located("clobbered" if span is not None and not span.gone else "exact")
    if span is None or span.gone or (part.kind == "move" and not span.live):
        return Located("lost")
    if part.kind == "move":
        return Located("exact")
    if part.kind == "copy" and (source is None or source.gone):
        return Located("lost")
    if span.doubt is not None:
        return Located("unknown")
    if part.kind == "splice":
        return located(part, span.node) if part.changed else Located("exact")
    assert part.after is not None
    same = span.node.same_content(part.after)
    if same is None:
        return Located("unknown")
    return Located("exact" if same else "clobbered")


class PartStatus(NamedTuple):
    """One edit's span and where its inverse is found."""

    span: str
    located: Located


class EntryStatus(NamedTuple):
    """The direct status of an entry: the worst of its edits', with each of them."""

    direct: Direct
    parts: tuple[PartStatus, ...]


def entry_status(entry: Entry, lookup: Lookup) -> EntryStatus:
    """The direct status of an entry in the buffer that `lookup` gives."""
    statuses = tuple(
        PartStatus(
            part.span,
            part_status(
                part,
                lookup(part.span),
                None if part.source is None else lookup(part.source),
                entry.recorded,
            ),
        )
        for part in entry.parts
    )
    found = {status.located.status for status in statuses}
    if entry.doubt is not None or any(part.unsure for part in entry.parts):
        found.add("unknown")
    return EntryStatus(next((s for s in WORST if s in found), "exact"), statuses)
