"""The findings about one thing, at hand by severity and by step however many they are."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence

from spanscope.rules.finding import SEVERITY_ORDER, Finding

WORST_FIRST = tuple(sorted(SEVERITY_ORDER, key=lambda severity: SEVERITY_ORDER[severity]))


def _place(finding: Finding) -> int:
    return finding.seq or 0


class About:
    """Findings about one thing; those about the file itself stand before the first step.

    `causes` are the events behind them, `loose` those of both that did not touch the thing;
    ascending.
    """

    __slots__ = ("_found", "causes", "loose")

    def __init__(self) -> None:
        self._found: dict[str, list[Finding]] = {}
        self.causes: list[int] = []
        self.loose: list[int] = []

    def add(self, finding: Finding, touched: Sequence[int]) -> None:
        """Take one more in; `touched` are the events that touched the thing, ascending."""
        insort(self._found.setdefault(finding.severity, []), finding, key=_place)
        cause = finding.caused_by
        if cause is not None and not _has(self.causes, cause):
            insort(self.causes, cause)
        for seq in (finding.seq, cause):
            if seq is None or _has(self.loose, seq) == (not _has(touched, seq)):
                continue
            if _has(touched, seq):
                self.loose.remove(seq)
            else:
                insort(self.loose, seq)

    def __len__(self) -> int:
        return sum(map(len, self._found.values()))

    def at(self, seq: int) -> list[Finding]:
        """Those of one event, worst first."""
        return [
            finding
            for severity in WORST_FIRST
            for finding in self._between(severity, seq, seq)
            if finding.seq == seq
        ]

    def upto(self, seq: int) -> Iterator[Finding]:
        """Those up to an event, the worst first and the earliest of them."""
        return (f for severity in WORST_FIRST for f in self._between(severity, 0, seq))

    def count(self, upto: int) -> int:
        """How many there are up to an event."""
        return sum(bisect_right(found, upto, key=_place) for found in self._found.values())

    def of(self, severity: str) -> Sequence[Finding]:
        """Those of a severity, by their events."""
        return self._found.get(severity, ())

    def last_before(self, seq: int) -> Finding | None:
        """Of the worst ones before an event the last."""
        for severity in WORST_FIRST:
            found = self._found.get(severity, [])
            place = bisect_left(found, seq, key=_place)
            if place and found[place - 1].seq is not None:
                # Of those of one event the first.
                return found[bisect_left(found, _place(found[place - 1]), key=_place)]
        return None

    def nearest(self, seq: int, count: int) -> list[int]:
        """The nearest events with one of them, at least so many on each side if there are."""
        seqs: set[int] = set()
        for found in self._found.values():
            seqs.update(_around(found, bisect_left(found, seq, key=_place), count))
        return sorted(seqs)

    def _between(self, severity: str, first: int, last: int) -> Iterator[Finding]:
        found = self._found.get(severity, [])
        start = bisect_left(found, first, key=_place)
        return (found[at] for at in range(start, bisect_right(found, last, key=_place)))


def _around(found: list[Finding], place: int, count: int) -> Iterator[int]:
    """The seqs of findings on both sides of a place, so many different ones on each."""
    for places in (range(place - 1, -1, -1), range(place, len(found))):
        seen: set[int] = set()
        for at in places:
            seq = found[at].seq
            if seq is not None and seq not in seen:
                seen.add(seq)
                yield seq
            if len(seen) == count:
                break


def around(seqs: Sequence[int], seq: int, count: int) -> Sequence[int]:
    """So many of some ascending seqs up to one, and so many after it."""
    place = bisect_right(seqs, seq)
    return seqs[max(0, place - count) : place + count]


def _has(seqs: Sequence[int], seq: int) -> bool:
    place = bisect_left(seqs, seq)
    return place < len(seqs) and seqs[place] == seq
