"""Whether one more write would leave a diff's inverses without their place: try them all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from spanscope.journal.parts import (
    AnyEdit,
    IngestEdit,
    Inverse,
    MoveEdit,
    RewriteEdit,
    SpliceEdit,
)
from spanscope.plain.following import followed
from spanscope.plain.locating import fitting, weakened
from spanscope.plain.texts import Text, content_hash, fresh, string
from spanscope.plain.trying import Texts, Tried, written

ANCHOR = 16


def writers_inverse(left: str, at: int, inserted: str, original: str) -> Inverse:
    """The inverse that our writer makes: 16 characters a side, more until one place fits."""
    end, window = at + len(inserted), ANCHOR
    while True:
        inverse = Inverse(
            original=original,
            inserted=len(inserted),
            inserted_hash=content_hash(inserted),
            before=left[max(0, at - window) : at],
            after=left[end : end + window],
        )
        if len(fitting(left, inverse)) == 1 or window >= len(left):
            return inverse
        window += 1


def can_be_undone(tried: tuple[Tried, ...], texts: Texts) -> bool:
    """Whether the inverses of a diff, the last first, each find the one true place in these texts.

    A whole rewrite and a prune have the span itself as their place.
    """
    held = dict(texts)
    for one in reversed(tried):
        if isinstance(one.edit, RewriteEdit) and one.taken is not None:
            held[str(one.edit.into)] = one.taken
        if not one.went_in or one.idle or one.own:
            continue
        name = one.edit.span
        if isinstance(one.edit, IngestEdit | MoveEdit):
            if one.over_another:
                held[name] = one.before
            continue
        if not isinstance(one.edit, SpliceEdit):
            held[name] = one.before
            continue
        now = held.get(name)
        if now is None:
            return False
        at = _place(one, now)
        if at is None:
            return False
        held[name] = now[:at] + one.removed + now[at + len(one.inserted) :]
    return True


def _place(one: Tried, now: Text) -> int | None:
    assert one.at is not None
    if one.inserted and not any(char in now for char in one.inserted):
        return None
    content, inserted = string(now), string(one.inserted)
    inverse = writers_inverse(string(one.left), one.at, inserted, string(one.removed))
    places = fitting(content, inverse) or weakened(content, inverse, inserted)
    if len(places) != 1:
        return None
    first, last = followed(one.at, one.at + len(one.inserted), [one.left, now])
    is_there = places[0] == first if inserted else first <= places[0] <= last
    return places[0] if is_there else None


def is_fragile(tried: tuple[Tried, ...], after: Texts, others: list[list[AnyEdit]]) -> bool:
    """Whether another diff's edits, or one character beside an edit, leave it no way back."""
    writes = [*_characters(tried, after), *(written(edits, after) for edits in others)]
    return any(not can_be_undone(tried, texts) for texts in writes)


def _characters(tried: tuple[Tried, ...], after: Texts) -> Iterator[Texts]:
    """The texts with one character that they have not directly before or after an edit."""
    for one in tried:
        if not one.went_in or not isinstance(one.edit, SpliceEdit):
            continue
        if one.idle or one.own:
            continue
        now = after.get(one.edit.span)
        if now is None:
            continue
        assert one.at is not None
        new = next(chr(code) for code in count(1) if chr(code) not in string(now))
        for at in set(followed(one.at, one.at + len(one.inserted), [one.left, now])):
            if not _is_within(tried, now, at):
                yield {**after, one.edit.span: now[:at] + fresh(new) + now[at:]}


def _is_within(tried: tuple[Tried, ...], now: Text, at: int) -> bool:
    """Whether the diff itself wrote what stands on both sides."""
    own = [char for one in tried if not one.idle for char in one.inserted]
    return 0 < at < len(now) and now[at - 1] in own and now[at] in own
