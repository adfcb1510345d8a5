"""The undo stack: entries, what their inverses say, and whether strict undo would be exact.

An entry is *sound* where strict last-in-first-out undo, which meets the text that the change left,
would restore exactly what stood there; it is reachable when it and all above it are (seed 003).
Where its evidence stands in the buffer as it is now is told in `statuses`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from spanscope.journal.parts import Inverse
from spanscope.model.anchors import (
    UntoldPlacesError,
    fits_at,
    fits_only_at,
    hashed,
    places,
    the_place,
)
from spanscope.model.content import HASH_LENGTH, content_hash
from spanscope.model.node import Node
from spanscope.model.records import (
    OF_THE_WHOLE,
    finds_its_place,
    packed_whole,
    unpacked_inverse,
    unpacked_whole,
)
from spanscope.model.retelling import Retold
from spanscope.model.spans import Doubt, Span

PartKind = Literal["ingest", "rewrite", "splice", "copy", "prune", "move", "observe"]

NEEDS_INVERSE: tuple[PartKind, ...] = ("rewrite", "splice", "prune", "observe")
"""The others carry their inverse in themselves."""

IN_PLACE: tuple[PartKind, ...] = ("rewrite", "splice", "observe")
"""They give a span another text, and leave it where it is."""

Lookup = Callable[[str], Span | None]


class Part(Struct, kw_only=True, gc=False, frozen=True):
    """One edit of an undo entry.

    `before` is the span's state before it (null: there was none), `after` its content right
    after. `index` and `was_at` are its places in the order after and before. `source` is the
    span that a copy took the place of, `taken` what stood under the copy's id, if anything did.
    `record` is its inverse, packed where it tells nothing but the truth.
    `edit` is its place among the edits of its event, of which not all may have taken effect.
    `unsure`: nobody knows whether it took place. `order` is that before its event, where a
    selective rollback made it another than it was.
    """

    kind: PartKind
    span: str
    store: str | None
    before: Span | None
    after: Node | None
    index: int | None = None
    was_at: int | None = None
    source: str | None = None
    taken: Span | None = None
    record: Inverse | bytes | None = None
    late: bool = False
    evicted: bool = False
    without_at: bool = False
    edit: int = 0
    unsure: bool = False
    order: Retold | None = None

    @property
    def inverse(self) -> Inverse | None:
        """The inverse record of the edit; null where there is none."""
        record = self.record
        if not isinstance(record, bytes):
            return record
        if self.kind in OF_THE_WHOLE:
            assert self.before is not None
            return unpacked_whole(record, self.before.node, self.after)
        assert self.after is not None
        return unpacked_inverse(record, self.after)

    @property
    def told_offset(self) -> bool:
        """Whether its inverse tells an offset that counts."""
        inverse = None if self.without_at else self.inverse
        return inverse is not None and inverse.at is not None

    @property
    def changed(self) -> bool:
        """Whether any byte or place changed."""
        if self.kind == "move":
            return self.index != self.was_at
        before, after = self.before, self.after
        if before is None or after is None or self.kind not in ("rewrite", "splice", "observe"):
            return True
        if self.kind == "splice" and after.parent is before.node and not after.whole:
            nothing = not after.deleted_length and not after.inserted
            if nothing or (before.node.text_known and after.text_known):
                return not after.wrote_the_same
        return before.node.same_content(after) is not True

    @property
    def somewhere(self) -> bool:
        """Whether it is a splice of which nobody knows where it took place."""
        return self.kind == "splice" and self.after is not None and self.after.whole

    @property
    def moved(self) -> bool:
        """Whether it is a move to another place."""
        return self.kind == "move" and self.index != self.was_at

    @property
    def took_live(self) -> bool:
        """Whether it is a copy under the id of a live span."""
        return self.taken is not None and self.taken.live

    @property
    def goes_back(self) -> bool:
        """Whether undoing it puts a span where it stood before."""
        return self.kind == "prune" or self.moved or self.took_live

    @property
    def owes_inverse(self) -> bool:
        """Whether undoing it needs an inverse record."""
        return self.kind in NEEDS_INVERSE and self.changed


def recorded(part: Part, inverse: Inverse | None) -> Part:
    """The part with its inverse record, that of a whole content in few bytes where it is true."""
    record: Inverse | bytes | None = inverse
    if inverse is not None and part.before is not None and part.kind in OF_THE_WHOLE:
        record = packed_whole(inverse, part.before.node, part.after)
    return replace(part, record=record)


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

    @property
    def entry(self) -> Entry:
        """Itself: some are kept in less memory, as what makes them anew."""
        return self

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
    def edited_spans(self) -> tuple[str, ...]:
        """The spans it touched, without those that were only moved."""
        return edited_by(self.parts)

    @property
    def stores(self) -> frozenset[str]:
        """The stores of its spans, where they are known."""
        return frozenset(part.store for part in self.parts if part.store is not None)

    def is_in(self, stores: list[str] | None) -> bool | None:
        """Whether a span of its is in one of these stores (null: any); null where unknown."""
        if stores is None or self.stores & set(stores):
            return True
        return None if any(part.store is None for part in self.parts) else False

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


def edited_by(parts: Iterable[Part]) -> tuple[str, ...]:
    """The spans that some edits touched, each once, without those that were only moved."""
    edited = [part for part in parts if part.kind != "move"]
    names = [name for part in edited for name in (part.source, part.span) if name is not None]
    return tuple(dict.fromkeys(names))


class Wrong(NamedTuple):
    """One field of an inverse that is not what the change really did (UND204)."""

    field: str
    claimed: str | int
    actual: str | int


def inverse_faults(part: Part) -> list[Wrong]:
    """What an inverse says falsely about the change that it should undo.

    Of an edit of which nobody knows whether it took place it says nothing false.
    """
    inverse, after, before = part.inverse, part.after, part.before
    if inverse is None or before is None or part.unsure:
        return []
    if part.kind == "splice":
        assert after is not None
        known = before.doubt is None and before.node.text_known and after.text_known
        if not known or part.somewhere:
            return []
        return _splice_faults(inverse, after)
    replaced = before.node.text
    inserted = after.text if after is not None and part.kind != "prune" else ""
    faults: list[Wrong] = []
    if before.text is not None:
        faults += _unequal("original", inverse.original, replaced)
    if after is None or after.text_known:
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
    if not part.after.text_known or part.somewhere:
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
    if part.record is None:
        return False if recorded or part.kind == "observe" else None
    if part.unsure or part.before is None or part.before.unknown or not part.before.node.text_known:
        return None
    if _plainly_sound(part):
        return True
    inverse = part.inverse
    assert inverse is not None
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


def _plainly_sound(part: Part) -> bool:
    """Whether a look at a packed inverse tells that it leads back to the very text it was made of.

    What is packed is true; so it needs only the one place, told by its offset or its anchors.
    """
    after, before = part.after, part.before
    return (
        part.kind == "splice"
        and after is not None
        and before is not None
        and after.text_known
        and after.parent is before.node
        and finds_its_place(part.record, by_offset=not part.without_at)
    )


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
