"""An order of ids in which one comes, goes or is found beside another without counting places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Order:
    """Ids in a row, each linked to its neighbours; null stands for both ends."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._next: dict[str | None, str | None] = {None: None}
        self._back: dict[str | None, str | None] = {None: None}
        for name in names:
            self.append(name)

    def __iter__(self) -> Iterator[str]:
        name = self._next[None]
        while name is not None:
            yield name
            name = self._next[name]

    def append(self, name: str) -> None:
        """Put an id at the end."""
        last = self._back[None]
        self._next[last] = self._back[None] = name
        self._next[name], self._back[name] = None, last

    def insert(self, name: str, after: str | None) -> None:
        """Put an id behind another one; null: first."""
        following = self._next[after]
        self._next[after] = self._back[following] = name
        self._next[name], self._back[name] = following, after

    def remove(self, name: str) -> None:
        """Take an id out."""
        before, following = self._back.pop(name), self._next.pop(name)
        self._next[before], self._back[following] = following, before

    def before(self, name: str | None) -> str | None:
        """The id before another one (null: the last one); null where it is the first."""
        return self._back[name]

    @property
    def first(self) -> str | None:
        """The first id; null where there is none."""
        return self._next[None]
