"""Which artifacts were live after any event, and what they were derived from."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

from spanscope.history.names import Names, Numbered
from spanscope.history.postings import Postings
from spanscope.journal.numbers import appended

if TYPE_CHECKING:
    from spanscope.history.held import Held
    from spanscope.model.effects import Effect
    from spanscope.model.spans import Artifact
    from spanscope.model.state import BufferState

MARK_EVERY = 16
"""After so many changes of which artifacts a span has, or as many as it has, it is written down."""

_changes = itemgetter(0)


class Holdings:
    """For each artifact, when it was derived, keyed anew, told or released.

    Artifacts and spans are numbered, and so are the states of artifacts, in the order of events.
    An artifact that goes from one span to another is gone in between.
    """

    @property
    def state(self) -> BufferState:
        """The buffer after the last event."""
        raise NotImplementedError

    def __init__(self) -> None:
        self._names = Names()
        """Of all artifacts that any event named."""
        self._artifacts = Numbered(self._names)
        self._states = Postings()
        """The states of each artifact."""
        self._artifact_of = array("I")
        self._span_of = array("H")
        self._live = array("H")
        """Of the states in which an artifact comes to its span or leaves it: how many it has."""
        self._spans: dict[str, int] = {}
        self._span_name: list[str] = []
        self._under: list[array[int]] = []
        """The states in which an artifact came to each span or left it."""
        self._marks: dict[int, list[tuple[int, array[int]]]] = {}
        """Of a span with many of those, (how many so far, the artifacts that it had then)."""
        self._sources_of: dict[str, dict[str, None]] = {}
        self._bounded = (0, 0, 0)

    @cached_property
    def _held(self) -> Held:
        from spanscope.history.held import Held

        return Held()

    def _follow_artifacts(self, effect: Effect, live: Mapping[str, Artifact]) -> None:
        for artifact in (effect.artifact, *effect.told):
            if artifact is not None:
                self._become(effect.seq, artifact.artifact, artifact)
                for span in artifact.spans[1:]:
                    self._sources_of.setdefault(span, {})[artifact.artifact] = None
        if effect.previous is not None and effect.artifact is None:
            name = effect.previous.artifact
            if name not in live:
                self._become(effect.seq, name, None)

    def _become(self, seq: int, name: str, now: Artifact | None) -> None:
        number = self._artifacts.get(name)
        if number is None:
            number = self._artifacts.add(name)
            self._states.new()
        last = self._states.last(number)
        before = None if last is None else self._state(last)
        if before is None:
            if now is not None:
                self._add(seq, number, now, self._number_of(now.span), 1)
            return
        assert last is not None
        span = self._span_of[last]
        if now is None or now.span != before.span:
            self._add(seq, number, None, span, -1)
            if now is not None:
                self._add(seq, number, now, self._number_of(now.span), 1)
        else:
            self._add(seq, number, now, span, 0, (last, before))

    def _number_of(self, span: str) -> int:
        number = self._spans.get(span)
        if number is None:
            number = self._spans[span] = len(self._under)
            self._span_name.append(span)
            self._under.append(array("I"))
        return number

    def _add(
        self,
        seq: int,
        artifact: int,
        now: Artifact | None,
        span: int,
        more: int,
        before: tuple[int, Artifact] | None = None,
    ) -> None:
        """A state of an artifact of a span which so many more come to with it."""
        under = self._under[span]
        live = self._live[under[-1]] if under else 0
        self._artifact_of.append(artifact)
        self._span_of = appended(self._span_of, span)
        self._live = appended(self._live, live + more)
        number = self._held.add(self.state, seq, now, before)
        self._states.add(artifact, number)
        if more:
            under.append(number)
            self._mark(span, live + more)

    def _mark(self, span: int, live: int) -> None:
        """Write down from time to time what a span has, for no look back to go far."""
        marks, count = self._marks.get(span), len(self._under[span])
        if count - (marks[-1][0] if marks else 0) >= max(MARK_EVERY, live):
            mark = count, array("I", self._had(span, count))
            self._marks.setdefault(span, []).append(mark)

    def _had(self, span: int, count: int) -> list[int]:
        """The artifacts that a span had after so many came to it or left it; in any order."""
        under = self._under[span]
        live, marks = self._live[under[count - 1]], self._marks.get(span, ())
        index = bisect_right(marks, count, key=_changes)
        start, marked = marks[index - 1] if index else (0, ())
        came: list[int] = []
        left: set[int] = set()
        for place in range(count - 1, start - 1, -1):
            if len(came) == live:
                return came
            number = under[place]
            artifact = self._artifact_of[number]
            if self._held.left(number):
                left.add(artifact)
            elif artifact in left:
                left.remove(artifact)
            else:
                came.append(artifact)
        return came + [each for each in marked if each not in left]

    def _state(self, number: int) -> Artifact | None:
        ready = self._held.ready(number)
        if ready is not None:
            return ready
        name = self._artifacts.name(self._artifact_of[number])
        return self._held.at(self.state, number, name, self._span_name[self._span_of[number]])

    def _bound(self, seq: int) -> int:
        """How many states there were up to an event; of a moment it is asked again and again."""
        known, size, bound = self._bounded
        seqs = self._held.seqs
        if known != seq or size != len(seqs):
            bound = bisect_right(seqs, seq)
            self._bounded = seq, len(seqs), bound
        return bound

    def is_held(self, span: str, seq: int) -> bool:
        """Whether any artifact derived from a span, as its own, was live after an event."""
        number = self._spans.get(span)
        if number is None:
            return False
        under = self._under[number]
        count = bisect_left(under, self._bound(seq))
        return count > 0 and self._live[under[count - 1]] > 0

    def artifacts_at(self, seq: int) -> Iterator[Artifact]:
        """The artifacts that were live after an event."""
        found = (self._at(artifact, seq) for artifact in range(len(self._states)))
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
        return [
            found[name] for name in sorted(found, key=lambda name: self._artifacts.get(name) or 0)
        ]

    def artifacts_under(self, span: str, seq: int) -> list[Artifact]:
        """The artifacts derived from a span, as their own, that were live after an event."""
        own = self._spans.get(span)
        if own is None:
            return []
        under = self._under[own]
        count = bisect_left(under, self._bound(seq))
        if not count or not self._live[under[count - 1]]:
            return []
        came = self._had(own, count)
        if len(came) > 1:
            came.sort(key=lambda artifact: self._first_under(artifact, own))
        return [found for artifact in came if (found := self._at(artifact, seq)) is not None]

    def _first_under(self, artifact: int, span: int) -> int:
        """The state in which an artifact first came to a span."""
        return next(n for n in self._states.of(artifact) if self._span_of[n] == span)

    def artifacts_of(self, span: str) -> list[str]:
        """The artifacts that were ever derived from a span, in the order in which they were."""
        number = self._spans.get(span)
        under = () if number is None else self._under[number]
        found = dict.fromkeys(self._artifact_of[change] for change in under)
        return [self._artifacts.name(artifact) for artifact in found]

    def span_of(self, artifact: str) -> str | None:
        """The span that an artifact was last derived from; null where it never was."""
        number = self._artifacts.get(artifact)
        states = () if number is None else self._states.of(number)
        last = next((n for n in reversed(states) if not self._held.left(n)), None)
        return None if last is None else self._span_name[self._span_of[last]]

    def artifact_states(self, name: str) -> list[tuple[int, Artifact | None]]:
        """(seq, what it became) of an artifact; null where it was released."""
        number = self._artifacts.get(name)
        states = () if number is None else self._states.of(number)
        became = {self._held.seqs[state]: state for state in states}
        return [(seq, self._state(state)) for seq, state in became.items()]

    def artifact_at(self, name: str, seq: int) -> Artifact | None:
        """One artifact, where it was live after an event."""
        number = self._artifacts.get(name)
        return None if number is None else self._at(number, seq)

    def _at(self, artifact: int, seq: int) -> Artifact | None:
        number = self._states.below(artifact, self._bound(seq))
        return None if number is None else self._state(number)
