"""Which events touched what, in little memory: of most things a single event is told."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence


class Touches:
    """The seqs of the events that touched a span, artifact, diff or entry, ascending."""

    def __init__(self) -> None:
        self._kinds: dict[str, dict[str | int, int | array[int]]] = {}

    def add(self, kind: str, name: str | int, seq: int) -> None:
        """An event, none earlier than those before, touched a thing."""
        things = self._kinds.get(kind)
        if things is None:
            things = self._kinds[kind] = {}
        seqs = things.get(name)
        if seqs is None:
            things[name] = seq
        elif isinstance(seqs, int):
            if seqs < seq:
                things[name] = array("Q", (seqs, seq))
        elif seqs[-1] < seq:
            seqs.append(seq)

    def of(self, kind: str, name: str | int) -> Sequence[int]:
        """All events that touched a thing."""
        seqs = self._kinds.get(kind, {}).get(name, ())
        return (seqs,) if isinstance(seqs, int) else seqs

    def __iter__(self) -> Iterator[tuple[str, str | int]]:
        """(kind, id) of everything that was touched."""
        return ((kind, name) for kind, things in self._kinds.items() for name in things)
