"""How many spans are live, tombstones, pruned or unknown after any event, and which are gone.

Worked out when it is first asked for and carried on as the session grows, from the states that
spans went through: a step costs a bisection, not a look at every span.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from spanscope.model.spans import Span
    from spanscope.model.state import BufferState

Kind = Literal["live", "tombstone", "pruned", "collected", "unknown", "unknown tombstone"]
"""What became of a span, and whether its content is unknown; of what is gone it does not count."""

KINDS: tuple[Kind, ...] = get_args(Kind)


class Census(NamedTuple):
    """How many spans there are of each state that `SpanRow` knows."""

    live: int
    tombstone: int
    pruned: int
    unknown: int


def kind_of(span: Span) -> Kind:
    """The kind of a span in this state."""
    if span.gone or not span.unknown:
        return span.life
    return "unknown" if span.live else "unknown tombstone"


class Lives:
    """Every change of a span's kind, in order, with the counts after it."""

    def __init__(self) -> None:
        self._upto = -1
        self._kinds: dict[str, Kind] = {}
        self._seqs = array("Q")
        self._changed: list[tuple[str, Kind]] = []
        self._counts = {kind: array("I") for kind in KINDS}
        self._folded: tuple[int, dict[str, Kind]] = (0, {})

    def follow(self, state: BufferState) -> None:
        """Take in what has happened since."""
        if state.seq == self._upto:
            return
        found: list[tuple[int, str, Kind]] = []
        for name in state.touched_since(self._upto):
            states = state.chronicle[name]
            start = bisect_right(states, self._upto, key=lambda span: span.seq)
            for span in states[start:]:
                kind = kind_of(span)
                if self._kinds.get(name) != kind:
                    self._kinds[name] = kind
                    found.append((span.seq, name, kind))
        found.sort(key=lambda change: change[0])
        for seq, name, kind in found:
            self._add(seq, name, kind)
        self._upto = state.seq

    def _add(self, seq: int, name: str, kind: Kind) -> None:
        before = self._fold(len(self._changed)).get(name)
        for each, counts in self._counts.items():
            last = counts[-1] if counts else 0
            counts.append(last + (each == kind) - (each == before))
        self._seqs.append(seq)
        self._changed.append((name, kind))

    def _fold(self, count: int) -> dict[str, Kind]:
        """What every span was after so many changes; the last answer is carried on."""
        done, kinds = self._folded
        if count < done:
            done, kinds = 0, {}
        for name, kind in self._changed[done:count]:
            kinds[name] = kind
        self._folded = (count, kinds)
        return kinds

    def census(self, seq: int) -> Census:
        """The counts after an event."""
        place = bisect_right(self._seqs, seq) - 1
        if place < 0:
            return Census(0, 0, 0, 0)
        counts = {kind: self._counts[kind][place] for kind in KINDS}
        unknown = counts["unknown"] + counts["unknown tombstone"]
        return Census(counts["live"], counts["tombstone"], counts["pruned"], unknown)

    def kinds(self, seq: int) -> dict[str, Kind]:
        """What every span was after an event."""
        return dict(self._fold(bisect_right(self._seqs, seq)))
