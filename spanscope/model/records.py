"""An inverse in few bytes: what it says of the change is the change's own."""

from __future__ import annotations

from spanscope.journal.parts import Inverse
from spanscope.model.anchors import hashed, stands_once
from spanscope.model.content import content_hash
from spanscope.model.node import Node

HAS_OFFSET = 1
HAS_HASH = 2
FITS_ONLY_THERE = 4
OF_THE_WHOLE = frozenset({"rewrite", "prune"})
"""Edits whose inverse puts the span's whole content back."""

_LONGEST = 255


def packed_inverse(inverse: Inverse, after: Node) -> Inverse | bytes:
    """An inverse packed, where it tells of the splice that made `after` nothing but the truth.

    Then only its anchors need a place, and which of the other fields it has. Else the inverse.
    """
    before = inverse.before
    told = (
        inverse.anchored
        and inverse.window is None
        and inverse.original == after.deleted
        and inverse.inserted == len(after.inserted)
        and (inverse.at is None or inverse.at == after.at)
        and len(before) <= _LONGEST
    )
    wanted = inverse.inserted_hash
    if not told or (wanted is not None and wanted != content_hash(after.inserted)):
        return inverse
    flags = (inverse.at is not None) * HAS_OFFSET | (wanted is not None) * HAS_HASH
    if _fits_only_there(inverse, after):
        flags |= FITS_ONLY_THERE
    anchors = (before + inverse.after).encode("utf-8", "surrogatepass")
    return bytes((flags, len(before))) + anchors


def _fits_only_there(inverse: Inverse, after: Node) -> bool:
    """Whether a look tells that a true inverse of a change fits where that was, and only there."""
    text, before, behind = after.text, inverse.before, inverse.after
    longer = before if len(before) >= len(behind) else behind
    return (
        longer != ""
        and after.text_known
        and after.deleted != after.inserted
        and not hashed(inverse)
        and text.endswith(before, 0, after.at)
        and text.startswith(behind, after.at + inverse.inserted)
        and stands_once(text, longer)
    )


def fits_only_there(record: Inverse | bytes | None) -> bool:
    """Whether a packed inverse of a real change was seen to fit only where the change was made."""
    return isinstance(record, bytes) and record[0] & FITS_ONLY_THERE != 0


def finds_its_place(record: Inverse | bytes | None, *, by_offset: bool) -> bool:
    """Whether a packed inverse of a splice leads to the place of the change in what that left."""
    told = FITS_ONLY_THERE | HAS_OFFSET if by_offset else FITS_ONLY_THERE
    return isinstance(record, bytes) and record[0] & told != 0


def unpacked_inverse(record: bytes, after: Node) -> Inverse:
    """The inverse again."""
    flags, length = record[0], record[1]
    anchors = record[2:].decode("utf-8", "surrogatepass")
    inserted = after.inserted
    return Inverse(
        inserted=len(inserted),
        inserted_hash=content_hash(inserted) if flags & HAS_HASH else None,
        at=after.at if flags & HAS_OFFSET else None,
        before=anchors[:length],
        after=anchors[length:],
        original=after.deleted,
    )


def packed_whole(inverse: Inverse, before: Node, after: Node | None) -> Inverse | bytes:
    """The inverse of a rewrite or a prune packed, where it tells nothing but the truth."""
    length, wanted = 0 if after is None else after.length, inverse.inserted_hash
    told = (
        inverse.anchored
        and inverse.window is None
        and inverse.at is None
        and inverse.inserted == length
        and len(inverse.before) <= _LONGEST
        and len(inverse.original) == before.length
        and inverse.original == before.text
    )
    if not told or (wanted is not None and wanted != _hash_of(after)):
        return inverse
    anchors = (inverse.before + inverse.after).encode("utf-8", "surrogatepass")
    return bytes(((wanted is not None) * HAS_HASH, len(inverse.before))) + anchors


def unpacked_whole(record: bytes, before: Node, after: Node | None) -> Inverse:
    """The inverse of a rewrite or a prune again."""
    flags, length = record[0], record[1]
    anchors = record[2:].decode("utf-8", "surrogatepass")
    return Inverse(
        inserted=0 if after is None else after.length,
        inserted_hash=_hash_of(after) if flags & HAS_HASH else None,
        before=anchors[:length],
        after=anchors[length:],
        original=before.text,
    )


def _hash_of(after: Node | None) -> str:
    return content_hash("" if after is None else after.text)
