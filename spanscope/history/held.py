"""What artifacts became, event by event, in a few numbers each.

Most of an artifact stands elsewhere already: what its span was when it was derived, in the span's
states; its words are those of many others. It is kept in numbers only where those give the very
same artifact again, else as it is.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from spanscope.journal.numbers import appended
from spanscope.model.spans import Artifact, DerivedFrom, Span

if TYPE_CHECKING:
    from spanscope.model.state import BufferState

LEFT = 0
TOLD = 1
AS_IT_IS = 2
FORMS = 3
"""How a state is kept: gone, as before but told, as an object; from 3 on it is one of the forms."""

MOST = 1 << 32
"""Ends of ranges below this are kept as numbers."""

REMEMBERED = 1024
"""So many artifacts that were made or asked for last are kept ready: from step to step they are
mostly the same."""


class Form(NamedTuple):
    """What many artifacts have in common."""

    kind: str
    unit: str
    tokenizer: str | None
    holder: str | None
    actor: str
    expensive: bool
    ranged: bool
    versioned: bool
    hashed: bool


class Held:
    """The states of artifacts, numbered in the order of their events."""

    def __init__(self) -> None:
        self.seqs = array("I")
        """The event of each state."""
        self._hows = array("H")
        self._places = array("H")
        self._starts = array("H")
        self._ends = array("H")
        self._forms: dict[Form, int] = {}
        self._form_of: list[Form] = []
        self._kept: dict[int, Artifact] = {}
        self._ready: list[tuple[int, Artifact] | None] = [None] * REMEMBERED

    def add(
        self,
        state: BufferState,
        seq: int,
        now: Artifact | None,
        before: tuple[int, Artifact] | None,
    ) -> int:
        """The state of an artifact from an event on (null: gone); its number.

        `before` is the number of the state before it, and that state.
        """
        number = len(self.seqs)
        how, place, start, end = AS_IT_IS, 0, 0, 0
        if now is None:
            how = LEFT
        elif before is not None and replace(before[1], told=seq) == now:
            how, start = TOLD, self._untold(before[0])
        elif _stands_in(state, now):
            states, range = state.chronicle[now.span], now.range or (0, 0)
            form = _form(now)
            if _again(form, states[-1], now.artifact, seq, range) == now:
                how, place = self._number_of(form), len(states) - 1
                start, end = range
        if now is not None:
            if how == AS_IT_IS:
                self._kept[number] = now
            else:
                self._ready[number % REMEMBERED] = (number, now)
        self._hows = appended(self._hows, how)
        self._places = appended(self._places, place)
        self._starts = appended(self._starts, start)
        self._ends = appended(self._ends, end)
        self.seqs = appended(self.seqs, seq)
        return number

    def _number_of(self, form: Form) -> int:
        found = self._forms.get(form)
        if found is None:
            found = self._forms[form] = FORMS + len(self._form_of)
            self._form_of.append(form)
        return found

    def _untold(self, number: int) -> int:
        """The state that was told first, where an artifact was told again and again."""
        return self._starts[number] if self._hows[number] == TOLD else number

    def left(self, number: int) -> bool:
        """Whether the artifact was gone in a state."""
        return self._hows[number] == LEFT

    def ready(self, number: int) -> Artifact | None:
        """A state that was made or asked for lately; null where it was not, or is none."""
        ready = self._ready[number % REMEMBERED]
        return ready[1] if ready is not None and ready[0] == number else None

    def at(self, state: BufferState, number: int, artifact: str, span: str) -> Artifact | None:
        """A state again, of an artifact that was derived from this span."""
        if (ready := self.ready(number)) is not None:
            return ready
        how = self._hows[number]
        if how == LEFT:
            return None
        if how == AS_IT_IS:
            return self._kept[number]
        start, end = self._starts[number], self._ends[number]
        if how == TOLD:
            before = self.at(state, start, artifact, span)
            assert before is not None
            found = replace(before, told=self.seqs[number])
        else:
            form, own = self._form_of[how - FORMS], state.chronicle[span][self._places[number]]
            found = _again(form, own, artifact, self.seqs[number], (start, end))
        self._ready[number % REMEMBERED] = (number, found)
        return found


def _stands_in(state: BufferState, artifact: Artifact) -> bool:
    """Whether the state of its span, as it is now, tells for good what it was derived from."""
    if len(artifact.base) > 1 or artifact.base[0].hash is None:
        return False
    start, end = artifact.range or (0, 0)
    return 0 <= start < MOST and 0 <= end < MOST and artifact.span in state.chronicle


def _form(artifact: Artifact) -> Form:
    return Form(
        artifact.kind,
        artifact.unit,
        artifact.tokenizer,
        artifact.holder,
        artifact.actor,
        artifact.expensive,
        artifact.range is not None,
        artifact.version is not None,
        artifact.hash is not None,
    )


def _again(form: Form, span: Span, name: str, seq: int, range: tuple[int, int]) -> Artifact:
    """The artifact of this form that was derived from a span in this state."""
    node, hash = span.node, span.hash
    base = DerivedFrom(span.span, node, hash, node.length, span.version, span.produced_by)
    return Artifact(
        artifact=name,
        span=span.span,
        kind=form.kind,
        seq=seq,
        base=(base,),
        range=range if form.ranged else None,
        unit=form.unit,
        tokenizer=form.tokenizer,
        version=span.version if form.versioned else None,
        hash=hash if form.hashed else None,
        holder=form.holder,
        actor=form.actor,
        expensive=form.expensive,
    )
