"""Locating: where does the evidence of an inverse, or the anchor of an edit, fit?

A place *fits* when every piece of evidence agrees there; all places count, a first match is
never an answer. Places are offsets (code points) of the text that the change inserted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from spanscope.journal.parts import Inverse
from spanscope.model.content import content_hash, is_hash

MOST_PLACES = 1000
"""So many places are listed; more say no more."""

MOST_HASHED = 1_000_000
"""Code points that are hashed to find a text of which only a hash is known: some milliseconds."""

HASHING_ONE = 200
"""What hashing one place costs beside its length, in code points."""

START_WINDOW = 16
"""Anchors start with so many characters a side and grow until they are unique (seed 003)."""

Direct = Literal[
    "exact", "moved", "ambiguous", "misleading", "clobbered", "lost", "missing", "unknown"
]


class UntoldPlacesError(Exception):
    """Where the evidence fits would take too long to tell."""


class Located(NamedTuple):
    """What the evidence says, against the `true` start of the place (null: no longer there).

    `places` are all that fit. `weakened` names the anchor that is gone where one was enough.
    """

    status: Direct
    places: tuple[int, ...] = ()
    true: int | None = None
    weakened: str | None = None


def occurrences(text: str, needle: str) -> Iterator[int]:
    """Every offset of a non-empty needle, overlapping ones too."""
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)


def hashed(inverse: Inverse) -> bool:
    """Whether the anchors stand as digests (foreign writers)."""
    return is_hash(inverse.before) or is_hash(inverse.after)


def fits_at(text: str, at: int, inverse: Inverse) -> bool:
    """Whether every piece of evidence that the inverse carries agrees at `at`."""
    end = at + inverse.inserted
    if at < 0 or end > len(text):
        return False
    if inverse.anchored and not (
        _before_agrees(text, at, inverse) and _after_agrees(text, end, inverse)
    ):
        return False
    wanted = inverse.inserted_hash
    return wanted is None or content_hash(text[at:end]) == wanted


def fits_only_at(text: str, at: int, inverse: Inverse) -> bool:
    """Whether it can be told quickly that the evidence fits at `at` and nowhere else.

    One of its anchors stands there alone; anchors kept as digests are not looked at.
    """
    if not inverse.anchored or not fits_at(text, at, inverse):
        return False
    before, after = inverse.before, inverse.after
    if len(before) >= len(after):
        return bool(before) and _only(text, before) is not None
    return _only(text, after) is not None


def _before_agrees(text: str, at: int, inverse: Inverse) -> bool:
    if is_hash(inverse.before):
        window = START_WINDOW if inverse.window is None else inverse.window
        return content_hash(text[max(0, at - window) : at]) == inverse.before
    return text.endswith(inverse.before, 0, at)


def _after_agrees(text: str, end: int, inverse: Inverse) -> bool:
    if is_hash(inverse.after):
        window = START_WINDOW if inverse.window is None else inverse.window
        return content_hash(text[end : end + window]) == inverse.after
    return text.startswith(inverse.after, end)


def places(text: str, inverse: Inverse, inserted: str) -> tuple[int, ...]:
    """All places (at most MOST_PLACES) where the evidence fits.

    `inserted` is the text that the change really inserted: where the inverse's hash is its hash,
    it is what to look for.

    Raises:
        UntoldPlacesError: the hash is of another text, and too many places would have to be hashed.
    """
    if not 0 <= inverse.inserted <= len(text):
        return ()
    before = inverse.before if inverse.anchored else ""
    is_it = inverse.inserted == len(inserted) and inverse.inserted_hash is not None
    if is_it and inverse.inserted_hash == content_hash(inserted):
        needle = before + inserted + (inverse.after if inverse.anchored else "")
        if needle:
            found_at = islice(occurrences(text, needle), MOST_PLACES)
            return tuple(at + len(before) for at in found_at)
    found: list[int] = []
    hashed_so_far = 0
    for at in _candidates(text, inverse):
        if inverse.inserted_hash is not None:
            hashed_so_far += inverse.inserted + HASHING_ONE
            if hashed_so_far > MOST_HASHED:
                raise UntoldPlacesError
        if fits_at(text, at, inverse):
            found.append(at)
            if len(found) >= MOST_PLACES:
                break
    return tuple(found)


def the_place(text: str, inverse: Inverse, inserted: str) -> int | None:
    """The only place where the evidence fits, or what is left of it; null for none or several.

    Raises:
        UntoldPlacesError: too many places would have to be hashed.
    """
    found = places(text, inverse, inserted)
    if not found:
        found, _ = _weakened(text, inverse, inserted)
    return found[0] if len(found) == 1 else None


def _candidates(text: str, inverse: Inverse) -> Iterator[int]:
    before = inverse.before if inverse.anchored else ""
    after = inverse.after if inverse.anchored else ""
    if len(before) >= len(after) and before:
        yield from (at + len(before) for at in occurrences(text, before))
    elif after:
        yield from (at - inverse.inserted for at in occurrences(text, after))
    else:
        yield from range(len(text) - inverse.inserted + 1)


def _weakened(text: str, inverse: Inverse, inserted: str) -> tuple[tuple[int, ...], str | None]:
    """The only place that the inserted text and one whole anchor still agree on, and what is gone.

    Where nothing was inserted: the one place after `before`, or else before `after`.
    """
    nowhere: tuple[tuple[int, ...], None] = ((), None)
    if not inverse.anchored or inverse.inserted != len(inserted):
        return nowhere
    if inverse.inserted_hash is not None and inverse.inserted_hash != content_hash(inserted):
        return nowhere
    before, after = inverse.before, inverse.after
    if not inserted:
        return _beside(text, before, after)
    spots: dict[int, str] = {}
    if before:
        spots |= {at + len(before): "after" for at in _few(text, before + inserted)}
    if after:
        spots |= dict.fromkeys(_few(text, inserted + after), "before")
    if len(spots) != 1:
        return nowhere
    at, gone = next(iter(spots.items()))
    return (at,), gone


def _beside(text: str, before: str, after: str) -> tuple[tuple[int, ...], str | None]:
    """The one place after `before`, or else before `after`."""
    if before and (at := _only(text, before)) is not None:
        return (at + len(before),), "after"
    if after and (at := _only(text, after)) is not None:
        return (at,), "before"
    return (), None


def _few(text: str, needle: str) -> list[int]:
    """The first two offsets of a needle: enough to see that there are several."""
    return list(islice(occurrences(text, needle), 2))


def stands_once(text: str, needle: str) -> bool:
    """Whether a needle stands in one place."""
    return _only(text, needle) is not None


def _only(text: str, needle: str) -> int | None:
    at = text.find(needle)
    if at < 0 or text.find(needle, at + 1) >= 0:
        return None
    return at


def locate(
    text: str, inverse: Inverse, inserted: str, true: tuple[int, int] | None, original_at: int
) -> Located:
    """Where the inverse finds its place in `text`.

    `true` is where the change's text really stands now (null: it can't be told), `original_at`
    where the change was made.
    """
    true_at = None if true is None else true[0]
    if hashed(inverse):
        return _checked(text, inverse, true_at, original_at)
    try:
        found = places(text, inverse, inserted)
    except UntoldPlacesError:
        return Located("unknown", (), true_at)
    if len(found) > 1:
        return Located("ambiguous", found, true_at)
    weakened = None
    if not found:
        found, weakened = _weakened(text, inverse, inserted)
    if found:
        if true is not None and not inserted and true[0] <= found[0] <= true[1]:
            true_at = found[0]
        return Located(_single(found[0], true_at, original_at), found, true_at, weakened)
    if true is not None and inserted and text[true[0] : true[1]] != inserted:
        return Located("clobbered", (), true_at)
    return Located("lost", (), true_at)


def _single(at: int, true: int | None, original_at: int) -> Direct:
    if true is None:
        return "unknown"
    if at != true:
        return "misleading"
    return "exact" if at == original_at else "moved"


def _checked(text: str, inverse: Inverse, true: int | None, original_at: int) -> Located:
    """Anchors kept as digests are checked at the mapped place and else unknown."""
    if true is not None and fits_at(text, true, inverse):
        return Located(_single(true, true, original_at), (true,), true)
    return Located("unknown", (), true)


def grown(text: str, at: int, length: int) -> tuple[str, str]:
    """(before, after) around `length` characters at `at`, grown until they fit only there."""
    window = START_WINDOW
    while True:
        before = text[max(0, at - window) : at]
        after = text[at + length : at + length + window]
        if _only(text, before + text[at : at + length] + after) is not None:
            return before, after
        if window > len(text):
            return before, after
        window *= 2


def sound_inverse(text: str, at: int, inserted: str, original: str) -> Inverse:
    """The inverse that our writer makes: `text` is the content after the change.

    Anchors are grown until unique, the inserted text's hash stands beside them; no offset.
    """
    before, after = grown(text, at, len(inserted))
    return Inverse(
        original=original,
        inserted=len(inserted),
        inserted_hash=content_hash(inserted),
        before=before,
        after=after,
    )


def edit_places(
    text: str, before: str, after: str, delete: int, original: str | None
) -> tuple[int, ...]:
    """All places where an edit's anchor fits: `before` ends there, `after` starts `delete` on.

    With `original`, the text to replace must stand there too.
    """
    evidence = Inverse(
        original="",
        inserted=delete,
        inserted_hash=None if original is None else content_hash(original),
        before=before,
        after=after,
    )
    if original is not None and len(original) != delete:
        return ()
    return places(text, evidence, original or "")
