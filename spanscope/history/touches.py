"""Which events touched what, in little memory: of most things a few events are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from spanscope.history.names import Names, Numbered
from spanscope.history.postings import Postings


class Numbering(Protocol):
    """The things of a kind by their numbers, from 0."""

    def get(self, name: Any, /) -> int | None:
        """The number of a thing; null where it has none."""

    def add(self, name: Any, /) -> int:
        """Give a thing that has none the next number."""

    def __iter__(self) -> Iterator[Any]:
        """All things, in the order of their numbers."""


class _Few(dict[str | int, int]):
    """Those of a kind of which there are few, or whose names are kept anyway."""

    def add(self, name: str | int) -> int:
        number = self[name] = len(self)
        return number


class Touches:
    """The seqs of the events that touched a span, artifact, diff or entry, ascending."""

    def __init__(self, artifacts: Names) -> None:
        """`artifacts`: where their names are kept."""
        self._artifacts = artifacts
        self._kinds: dict[str, tuple[Numbering, Postings]] = {}

    def add(self, kind: str, name: str | int, seq: int) -> None:
        """An event, none earlier than those before, touched a thing."""
        found = self._kinds.get(kind)
        if found is None:
            things: Numbering = Numbered(self._artifacts) if kind == "artifact" else _Few()
            found = self._kinds[kind] = things, Postings()
        numbers, seqs = found
        thing = numbers.get(name)
        if thing is None:
            thing = numbers.add(name)
            seqs.new()
        elif (seqs.last(thing) or 0) >= seq:
            return
        seqs.add(thing, seq)

    def of(self, kind: str, name: str | int) -> Sequence[int]:
        """All events that touched a thing."""
        found = self._kinds.get(kind)
        if found is None:
            return ()
        numbers, seqs = found
        thing = numbers.get(name)
        return () if thing is None else seqs.of(thing)

    def __iter__(self) -> Iterator[tuple[str, str | int]]:
        """(kind, id) of everything that was touched."""
        return ((kind, name) for kind, (numbers, _) in self._kinds.items() for name in numbers)
