"""Since when spans have not held what was derived from them, as seen from any step."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spanscope.model.spans import Artifact, DerivedFrom
    from spanscope.model.state import BufferState
    from spanscope.rules.holders import Since

REMEMBERED = 4096
"""So many sources are remembered."""

_seq = attrgetter("seq")


class _Answer(NamedTuple):
    """The event since which a source differs (null: always), right for `least` to `most` states."""

    least: int
    most: int
    since: int | None


class Differing:
    """Remembers for which states of a span an answer holds: from step to step few are looked at."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, int, DerivedFrom], _Answer] = {}

    def at(self, state: BufferState, seq: int) -> Since:
        """What is asked of a source that differs after the event `seq`."""
        from spanscope.rules.holders import differs_since

        def since(artifact: Artifact, source: DerivedFrom) -> int:
            states = state.chronicle[source.span]
            count = bisect_right(states, seq, key=_seq)
            key = (artifact.artifact, artifact.seq, source)
            known = self._answers.get(key)
            if known is None or not known.least <= count <= known.most:
                if known is None or count < known.least:
                    known = _Answer(1, 0, None)
                later, own = states[known.most : count], source.span == artifact.span
                found = differs_since(source, later, 0, known.since, own=own)
                least = known.least
                if found is not None and found != known.since:
                    least = bisect_left(states, found, key=_seq) + 1
                known = _Answer(least, count, found)
                if len(self._answers) >= REMEMBERED:
                    self._answers.clear()
                self._answers[key] = known
            return artifact.seq if known.since is None else known.since

        return since
