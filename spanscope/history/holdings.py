"""Which artifacts were live after any event, and what they were derived from."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spanscope.model.effects import Effect
    from spanscope.model.spans import Artifact


class Under:
    """The artifacts derived from one span as their own, and how many were live after any event."""

    def __init__(self) -> None:
        self.names: list[str] = []
        """All there ever were, in the order in which they were first derived from the span."""
        self._began = array("Q")
        self._changed = array("Q")
        self._live = array("I")

    def add(self, name: str, seq: int) -> None:
        """An artifact is derived from the span for the first time."""
        self.names.append(name)
        self._began.append(seq)

    def count(self, seq: int, more: int) -> None:
        """So many more are live from an event on."""
        self._live.append(more + (self._live[-1] if self._live else 0))
        self._changed.append(seq)

    def live_at(self, seq: int) -> int:
        """How many were live after an event."""
        index = bisect_right(self._changed, seq)
        return self._live[index - 1] if index else 0

    def back_from(self, seq: int) -> Iterator[str]:
        """Those first derived up to an event, the last of them first."""
        return (self.names[place] for place in range(bisect_right(self._began, seq) - 1, -1, -1))


class Holdings:
    """For each artifact, when it was derived, keyed anew, told or released."""

    def __init__(self) -> None:
        self._artifacts: dict[str, list[tuple[int, Artifact | None]]] = {}
        self._under: dict[str, Under] = {}
        self._sources_of: dict[str, dict[str, None]] = {}

    def _follow_artifacts(self, effect: Effect, live: Mapping[str, Artifact]) -> None:
        for artifact in (effect.artifact, *effect.told):
            if artifact is not None:
                held = self._artifacts.setdefault(artifact.artifact, [])
                self._count(effect.seq, held, artifact)
                held.append((effect.seq, artifact))
                for span in artifact.spans[1:]:
                    self._sources_of.setdefault(span, {})[artifact.artifact] = None
        if effect.previous is not None and effect.artifact is None:
            name = effect.previous.artifact
            if name not in live:
                held = self._artifacts.setdefault(name, [])
                self._count(effect.seq, held, None)
                held.append((effect.seq, None))

    def _count(
        self, seq: int, held: Sequence[tuple[int, Artifact | None]], now: Artifact | None
    ) -> None:
        """Note where the artifact comes to a span or leaves it; `held` is what it was so far."""
        before = held[-1][1] if held else None
        if before is not None and (now is None or now.span != before.span):
            self._under[before.span].count(seq, -1)
        if now is not None and (before is None or now.span != before.span):
            under = self._under.get(now.span)
            if under is None:
                under = self._under[now.span] = Under()
            if not any(was is not None and was.span == now.span for _, was in held):
                under.add(now.artifact, seq)
            under.count(seq, 1)

    def is_held(self, span: str, seq: int) -> bool:
        """Whether any artifact derived from a span, as its own, was live after an event."""
        under = self._under.get(span)
        return under is not None and under.live_at(seq) > 0

    def artifacts_at(self, seq: int) -> Iterator[Artifact]:
        """The artifacts that were live after an event."""
        found = (self.artifact_at(name, seq) for name in self._artifacts)
        return (artifact for artifact in found if artifact is not None)

    def artifacts_on(self, spans: Iterable[str], seq: int) -> list[Artifact]:
        """The artifacts derived from any of these spans that were live after an event."""
        wanted = frozenset(spans)
        found = {
            artifact.artifact: artifact
            for span in wanted
            for artifact in self.artifacts_under(span, seq)
        }
        for name in {name for span in wanted for name in self._sources_of.get(span, ())}:
            artifact = self.artifact_at(name, seq)
            if artifact is not None and not wanted.isdisjoint(artifact.spans):
                found[name] = artifact
        return sorted(found.values(), key=self._began)

    def _began(self, artifact: Artifact) -> int:
        """The event that derived it first."""
        return self._artifacts[artifact.artifact][0][0]

    def artifacts_under(self, span: str, seq: int) -> list[Artifact]:
        """The artifacts derived from a span, as their own, that were live after an event."""
        under = self._under.get(span)
        live = 0 if under is None else under.live_at(seq)
        if under is None or not live:
            return []
        found = []
        for name in under.back_from(seq):
            artifact = self.artifact_at(name, seq)
            if artifact is not None and artifact.span == span:
                found.append(artifact)
                if len(found) == live:
                    break
        found.reverse()
        return found

    def artifacts_of(self, span: str) -> list[str]:
        """The artifacts that were ever derived from a span, in the order in which they were."""
        under = self._under.get(span)
        return [] if under is None else list(under.names)

    def span_of(self, artifact: str) -> str | None:
        """The span that an artifact was last derived from; null where it never was."""
        held = [state for _, state in self._artifacts.get(artifact, ()) if state is not None]
        return held[-1].span if held else None

    def artifact_states(self, name: str) -> list[tuple[int, Artifact | None]]:
        """(seq, what it became) of an artifact; null where it was released."""
        return self._artifacts.get(name, [])

    def artifact_at(self, name: str, seq: int) -> Artifact | None:
        """One artifact, where it was live after an event."""
        held = self._artifacts.get(name)
        if held is None or held[0][0] > seq:
            return None
        if held[-1][0] <= seq:
            return held[-1][1]
        return held[bisect_right(held, seq, key=itemgetter(0)) - 1][1]
