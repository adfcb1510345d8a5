"""Which artifacts were live after any event, and what they were derived from."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter

from spanscope.model.effects import Effect
from spanscope.model.spans import Artifact


class Holdings:
    """For each artifact, when it was derived, keyed anew, told or released."""

    def __init__(self) -> None:
        self._artifacts: dict[str, list[tuple[int, Artifact | None]]] = {}
        self._derived_from: dict[str, dict[str, None]] = {}
        self._sources_of: dict[str, dict[str, None]] = {}
        self._live_under: dict[str, int] = {}
        self._held_since: dict[str, array[int]] = {}

    def _follow_artifacts(self, effect: Effect, live: Mapping[str, Artifact]) -> None:
        for artifact in (effect.artifact, *effect.told):
            if artifact is not None:
                held = self._artifacts.setdefault(artifact.artifact, [])
                self._count(effect.seq, held[-1][1] if held else None, artifact)
                held.append((effect.seq, artifact))
                self._derived_from.setdefault(artifact.span, {})[artifact.artifact] = None
                for span in artifact.spans[1:]:
                    self._sources_of.setdefault(span, {})[artifact.artifact] = None
        if effect.previous is not None and effect.artifact is None:
            name = effect.previous.artifact
            if name not in live:
                held = self._artifacts.setdefault(name, [])
                self._count(effect.seq, held[-1][1] if held else None, None)
                held.append((effect.seq, None))

    def _count(self, seq: int, before: Artifact | None, now: Artifact | None) -> None:
        """Note where the artifact makes a span held that was not, or leaves one to nobody."""
        old = None if before is None else before.span
        new = None if now is None else now.span
        if old == new:
            return
        for span, more in ((old, -1), (new, 1)):
            if span is not None:
                count = self._live_under.get(span, 0)
                self._live_under[span] = count + more
                if not count or not count + more:
                    self._held_since.setdefault(span, array("Q")).append(seq)

    def is_held(self, span: str, seq: int) -> bool:
        """Whether any artifact derived from a span, as its own, was live after an event."""
        since = self._held_since.get(span)
        return since is not None and bisect_right(since, seq) % 2 == 1

    def artifacts_at(self, seq: int) -> Iterator[Artifact]:
        """The artifacts that were live after an event."""
        found = (self.artifact_at(name, seq) for name in self._artifacts)
        return (artifact for artifact in found if artifact is not None)

    def artifacts_on(self, spans: Iterable[str], seq: int) -> list[Artifact]:
        """The artifacts derived from any of these spans that were live after an event."""
        wanted = frozenset(spans)
        names = {name for span in wanted for name in self._derived_from.get(span, ())}
        names.update(name for span in wanted for name in self._sources_of.get(span, ()))
        began = sorted(names, key=lambda name: self._artifacts[name][0][0])
        found = (self.artifact_at(name, seq) for name in began)
        return [
            artifact
            for artifact in found
            if artifact is not None and not wanted.isdisjoint(artifact.spans)
        ]

    def artifacts_under(self, span: str, seq: int) -> list[Artifact]:
        """The artifacts derived from a span, as their own, that were live after an event."""
        if not self.is_held(span, seq):
            return []
        found = (self.artifact_at(name, seq) for name in self._derived_from.get(span, ()))
        return [artifact for artifact in found if artifact is not None and artifact.span == span]

    def artifacts_of(self, span: str) -> list[str]:
        """The artifacts that were ever derived from a span, in the order in which they were."""
        return list(self._derived_from.get(span, ()))

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
