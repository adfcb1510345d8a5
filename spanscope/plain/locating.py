"""Where a text fits: an edit that is sought by text, and an inverse by its evidence (seed 003)."""

from __future__ import annotations

from functools import lru_cache

from spanscope.journal.parts import Anchor, Inverse, SpliceEdit
from spanscope.plain.texts import content_hash


@lru_cache(maxsize=1024)
def places_of(text: str, piece: str) -> tuple[int, ...]:
    """Every offset at which a piece stands, overlapping ones too."""
    return tuple(at for at in range(len(text) + 1) if text.startswith(piece, at))


def anchor_places(text: str, anchor: Anchor, delete: int) -> tuple[int, ...]:
    """Every offset with `before` ending there and `after` starting where the deleted text ends."""
    return tuple(
        at
        for at in range(len(text) - delete + 1)
        if text.endswith(anchor.before, 0, at) and text.startswith(anchor.after, at + delete)
    )


def edit_places(text: str, edit: SpliceEdit) -> tuple[int, ...]:
    """Every offset that a splice can mean: its `at`, else where its anchor and original agree."""
    if edit.delete < 0:
        return ()
    if edit.at is not None:
        return (edit.at,) if 0 <= edit.at <= edit.at + edit.delete <= len(text) else ()
    if edit.anchor is None and edit.original is None:
        return tuple(range(len(text) - edit.delete + 1))
    return tuple(
        at
        for at in anchor_places(text, edit.anchor or Anchor(), edit.delete)
        if edit.original in {None, text[at : at + edit.delete]}
    )


@lru_cache(maxsize=4096)
def fitting(text: str, inverse: Inverse) -> tuple[int, ...]:
    """Every offset at which all the evidence that an inverse carries agrees."""
    return tuple(
        at
        for at in range(len(text) - inverse.inserted + 1)
        if before_agrees(text, at, inverse)
        and after_agrees(text, at, inverse)
        and inserted_agrees(text, at, inverse)
    )


def before_agrees(text: str, at: int, inverse: Inverse) -> bool:
    """Whether the characters before an offset are those of the inverse."""
    if inverse.window is not None and inverse.before.startswith("sha256:"):
        return content_hash(text[max(0, at - inverse.window) : at]) == inverse.before
    return text.endswith(inverse.before, 0, at)


def after_agrees(text: str, at: int, inverse: Inverse) -> bool:
    """Whether the characters after the inserted text are those of the inverse."""
    end = at + inverse.inserted
    if inverse.window is not None and inverse.after.startswith("sha256:"):
        return content_hash(text[end : end + inverse.window]) == inverse.after
    return text.startswith(inverse.after, end)


def inserted_agrees(text: str, at: int, inverse: Inverse) -> bool:
    """Whether what stands at an offset can be what was inserted."""
    if inverse.inserted_hash is None:
        return True
    return content_hash(text[at : at + inverse.inserted]) == inverse.inserted_hash


def weakened(text: str, inverse: Inverse, inserted: str) -> tuple[int, ...]:
    """The offsets at which the inserted text and one whole anchor agree.

    Where nothing was inserted: those after `before`, or else those before `after`. None where the
    inverse says that another text was inserted.
    """
    said = inverse.inserted_hash
    if inverse.inserted != len(inserted) or said not in {None, content_hash(inserted)}:
        return ()
    if not inserted:
        behind = [at for at in range(len(text) + 1) if before_agrees(text, at, inverse)]
        if inverse.before and len(behind) == 1:
            return tuple(behind)
        ahead = [at for at in range(len(text) + 1) if after_agrees(text, at, inverse)]
        return tuple(ahead) if inverse.after else ()
    return tuple(
        at
        for at in places_of(text, inserted)
        if (inverse.before and before_agrees(text, at, inverse))
        or (inverse.after and after_agrees(text, at, inverse))
    )
