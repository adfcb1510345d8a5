"""What finds the place of an edit again: anchors, and the inverse written ahead (seed 003)."""

from __future__ import annotations

from msgspec.structs import replace

from spanscope.journal.parts import Inverse
from spanscope.model.anchors import edit_places, grown, sound_inverse
from spanscope.model.undo import Part


def inverse_of(part: Part) -> Inverse | None:
    """The inverse to write ahead of a part; null where none is owed.

    A splice gets anchors grown until they are unique, the hash of what it inserted, and its
    offset, which decides in strict last-in-first-out order.
    """
    if not part.owes_inverse:
        return None
    assert part.before is not None
    if part.kind == "splice":
        assert part.after is not None
        node = part.after
        return replace(sound_inverse(node.text, node.at, node.inserted, node.deleted), at=node.at)
    original = part.before.node.text
    if part.after is None:
        return Inverse(original=original, inserted=0)
    return Inverse(original=original, inserted=part.after.length, inserted_hash=part.after.hash)


def anchor_of(text: str, at: int, delete: int) -> tuple[str, str]:
    """(before, after) of an edit, grown until they fit at no other place."""
    before, after = grown(text, at, delete)
    while len(edit_places(text, before, after, delete, None)) != 1:
        window = 2 * max(len(before), len(after), 1)
        before = text[max(0, at - window) : at]
        after = text[at + delete : at + delete + window]
    return before, after
