"""Which events touched what, in little memory: of most things a few events are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanscope.history.postings import Postings


class Touches:
    """The seqs of the events that touched a span, artifact, diff or entry, ascending."""

    def __init__(self) -> None:
        self._kinds: dict[str, dict[str | int, int]] = {}
        self._seqs = Postings()

    def add(self, kind: str, name: str | int, seq: int) -> None:
        """An event, none earlier than those before, touched a thing."""
        things = self._kinds.get(kind)
        if things is None:
            things = self._kinds[kind] = {}
        thing = things.get(name)
        if thing is None:
            thing = things[name] = self._seqs.new()
        elif (self._seqs.last(thing) or 0) >= seq:
            return
        self._seqs.add(thing, seq)

    def of(self, kind: str, name: str | int) -> Sequence[int]:
        """All events that touched a thing."""
        thing = self._kinds.get(kind, {}).get(name)
        return () if thing is None else self._seqs.of(thing)

    def __iter__(self) -> Iterator[tuple[str, str | int]]:
        """(kind, id) of everything that was touched."""
        return ((kind, name) for kind, things in self._kinds.items() for name in things)
