"""A program that always does the same to a buffer: how far it came says what the buffer holds."""

from __future__ import annotations

from spanscope.buffer.buffer import ContextBuffer

WORDS = ("alpha", "beta\n", "gamma é", "", "delta delta", "beta\n")


def step(buffer: ContextBuffer, number: int) -> None:
    """The change of that number, each by one call."""
    kind = number % 12
    word = WORDS[number % len(WORDS)]
    live = buffer.order
    if kind in {0, 5} or not live:
        buffer.ingest(f"s{number}", f"{word} {number}", role="user")
        return
    name = live[number % len(live)]
    text = buffer.text(name)
    at = number * 7 % (len(text) + 1)
    if kind == 2:
        buffer.rewrite(name, f"{word} {number} {word}", op="fold")
    elif kind == 4:
        with buffer.draft("planner", allow_fragile=True) as draft:
            draft.splice(name, at, 0, word)
            draft.ingest(f"d{number}", word)
    elif kind == 7:
        buffer.rollback(2)
    elif kind == 8:
        buffer.derive(name, "citation", range=(0, at))
    elif kind == 10 and len(live) > 6:
        buffer.prune(name)
    elif kind == 11:
        buffer.checkpoint("here", snapshot=number % 24 == 11)
    else:
        buffer.splice(name, at, min(3, len(text) - at), word)


class Expected:
    """What a buffer holds after so many steps."""

    def __init__(self) -> None:
        self._buffer = ContextBuffer()
        self._digests = [self._buffer.digest]

    def digest(self, steps: int) -> str:
        """The digest after the first `steps` steps."""
        while len(self._digests) <= steps:
            step(self._buffer, len(self._digests) - 1)
            self._digests.append(self._buffer.digest)
        return self._digests[steps]
