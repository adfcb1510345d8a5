"""The direct status of undo entries: their evidence in the buffer as it is now (seed 003)."""

from __future__ import annotations

from typing import NamedTuple

from spanscope.model.anchors import Direct, Located, locate
from spanscope.model.between import changes_between, known_between
from spanscope.model.mapping import follow, follow_point
from spanscope.model.node import Node
from spanscope.model.records import fits_only_there
from spanscope.model.spans import Span
from spanscope.model.undo import Entry, Lookup, Part

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
    if not now.text_known or not part.after.text_known or part.somewhere:
        return Located("unknown")
    true = true_place(part, now)
    return locate(now.text, inverse, part.after.inserted, true, part.after.at)


def _splice_status(part: Part, now: Node) -> Located:
    as_left = now is part.after and now.text_known and not now.whole
    if as_left and fits_only_there(part.record):
        return Located("exact", (now.at,), now.at)
    return located(part, now) if part.changed else Located("exact")


def part_status(part: Part, span: Span | None, source: Span | None, recorded: bool) -> Located:
    """The direct status of one edit, against its span (and a copy's source) as they are now."""
    if part.record is None and part.owes_inverse:
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
        return _splice_status(part, span.node)
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


def _is_untold(part: Part) -> bool:
    """Whether nobody knows if the edit took place; what it brought in says so itself."""
    return part.unsure and part.kind not in ("ingest", "copy")


def _status_in(part: Part, lookup: Lookup, recorded: bool) -> PartStatus:
    source = None if part.source is None else lookup(part.source)
    return PartStatus(part.span, part_status(part, lookup(part.span), source, recorded))


def _stands_as_left(part: Part, span: Span | None) -> bool:
    """Whether a look tells that an inverse fits: a splice's, in the very text that this left."""
    node = part.after
    return (
        span is not None
        and node is not None
        and span.node is node
        and part.kind == "splice"
        and span.life == "live"
        and span.doubt is None
        and node.text_known
        and not node.whole
        and fits_only_there(part.record)
    )


def entry_status(entry: Entry, lookup: Lookup) -> EntryStatus:
    """The direct status of an entry in the buffer that `lookup` gives."""
    recorded, parts = entry.recorded, entry.parts
    alone = len(parts) == 1 and entry.doubt is None and not parts[0].unsure
    if alone and _stands_as_left(parts[0], span := lookup(parts[0].span)):
        assert span is not None
        at = span.node.at
        located = Located("exact", (at,), at)
        return EntryStatus("exact", (PartStatus(span.span, located),))
    statuses = tuple([_status_in(part, lookup, recorded) for part in parts])
    if alone:
        return EntryStatus(statuses[0].located.status, statuses)
    found = {status.located.status for status in statuses}
    if entry.doubt is not None or any(map(_is_untold, entry.parts)):
        found.add("unknown")
    return EntryStatus(next((s for s in WORST if s in found), "exact"), statuses)
