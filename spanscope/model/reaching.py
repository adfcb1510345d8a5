"""Whether undo entries can be undone one after the other, from the head down (seed 003).

In strict order an entry meets the text that it left, and is as good as its inverse. Where
something went past the log it meets another, and what its undo makes of that is what counts.
"""

from __future__ import annotations

from msgspec.structs import replace

from spanscope.model.node import Node
from spanscope.model.spans import Span
from spanscope.model.undo import IN_PLACE, Entry, Lookup, Part, part_sound, restores_in


class Way:
    """The way down the stack: `found` are the spans as the first entry meets them."""

    def __init__(self, found: Lookup) -> None:
        self._found = found
        self._undone: dict[str, Span | None] = {}

    def passes(self, entry: Entry) -> bool | None:
        """Whether the entry can be undone after those before; null where that can't be told."""
        verdicts = [self._undo(part, entry.recorded) for part in reversed(entry.parts)]
        if False in verdicts:
            return False
        return None if entry.doubt is not None or None in verdicts else True

    def _now(self, name: str) -> Span | None:
        return self._undone[name] if name in self._undone else self._found(name)

    def _undo(self, part: Part, recorded: bool) -> bool | None:
        now = self._now(part.span)
        source = None if part.source is None else self._now(part.source)
        if part.source is not None:
            self._undone[part.source] = revived(part, source)
            self._undone[part.span] = part.taken
        elif part.kind != "move":
            self._undone[part.span] = part.before
        sound = part_sound(part, recorded)
        stands = _has_life(now, _life_left(part))
        if part.source is not None:
            stands = _both(stands, _has_life(source, "tombstone"))
        if part.owes_inverse and part.record is None:
            return _both(stands, sound)
        if stands is not True:
            return stands
        if part.kind not in IN_PLACE:
            return sound
        assert now is not None
        return _in_place(part, now, sound)


def revived(copy: Part, source: Span | None) -> Span | None:
    """The old span of a copy once that is undone: it holds what it was kept with."""
    if source is None or copy.before is None:
        return copy.before
    return replace(source, life=copy.before.life)


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _life_left(part: Part) -> str:
    """The state in which an edit left its span."""
    if part.kind in ("ingest", "copy"):
        return "live"
    if part.kind == "prune":
        return "pruned"
    return "live" if part.before is None else part.before.life


def _has_life(span: Span | None, life: str) -> bool | None:
    if span is None:
        return life == "pruned"
    if span.life == life:
        return True
    return False if span.life_known else None


def _in_place(part: Part, now: Span, sound: bool | None) -> bool | None:
    """Whether undoing a change of a text brings back what stood there."""
    assert part.after is not None
    same = None if now.doubt is not None or part.unsure else now.node.same_content(part.after)
    if same:
        return sound
    if same is None:
        return False if sound is False else None
    return _elsewhere(part, now.node) if part.kind == "splice" else False


def _elsewhere(part: Part, now: Node) -> bool | None:
    """Whether a splice is undone exactly in a text that is not the one it left.

    Of a text that is known by its hash alone that is not expected.
    """
    if part.before is None or part.before.unknown:
        return None
    if not part.changed:
        return part.before.node.same_content(now)
    if not part.before.node.text_known:
        return None
    if not now.text_known:
        return False
    return restores_in(part, now)


def reachable(seq: int, blocked: int, uncertain: int, known: bool) -> bool | None:
    """Whether an entry can be reached: false below a blocked one, null below an unknown one."""
    if blocked >= seq:
        return False
    if not known or uncertain >= seq:
        return None
    return True
