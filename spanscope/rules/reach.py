"""Which undo entries can still be reached, and what blocks them: UND211 (seed 003).

In strict order each entry meets the text it left, so its part is settled at the change and
revised only by what goes past the log.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from itertools import chain

from spanscope.model.effects import Effect
from spanscope.model.reaching import Way, revived
from spanscope.model.spans import Span
from spanscope.model.state import BufferState
from spanscope.model.undo import Entry, Part, entry_sound
from spanscope.rules.report import Report


class Reach:
    """The entries (seqs, ascending) that can't be undone, or of which that can't be told.

    By themselves: `unsound` and `untold`. Or since they would not meet what they left: `unmet`
    and `unsure`; of an entry in doubt what it would meet can't be told. `floor` is the newest
    entry that could not be reached for sure after the last event.
    """

    def __init__(self) -> None:
        self.unsound: list[int] = []
        self.untold: list[int] = []
        self.unmet: list[int] = []
        self.unsure: list[int] = []
        self.floor = 0

    def blocker(self, known_since: int) -> int:
        """The newest entry that can't be undone; 0 for none."""
        unmet = _newest(self.unmet)
        return max(_newest(self.unsound), unmet if unmet >= known_since else 0)

    def uncertain(self) -> int:
        """The newest entry of which it can't be told by what is known of it; 0 for none."""
        return max(_newest(self.untold), _newest(self.unsure))

    def all_uncertain(self) -> list[int]:
        """All of these."""
        return sorted({*self.untold, *self.unsure})

    def hindering(self) -> set[int]:
        """All entries through which no undo can be sure to go."""
        return {*self.unsound, *self.untold, *self.unmet, *self.unsure}

    def forget(self, seq: int) -> None:
        """The entry is off the stack, or judged anew."""
        for listed in (self.unsound, self.untold, self.unmet, self.unsure):
            index = bisect_left(listed, seq)
            if index < len(listed) and listed[index] == seq:
                del listed[index]

    def settle(self, seq: int, *, sound: bool | None, passes: bool | None) -> None:
        """Keep what is known of an entry that was forgotten.

        One that passes does, though in the text that it left its inverse would be wrong.
        """
        if passes is True:
            return
        if sound is False:
            insort(self.unsound, seq)
        elif passes is False:
            insort(self.unmet, seq)
        elif sound is None:
            insort(self.untold, seq)
        elif passes is None:
            insort(self.unsure, seq)


def _newest(seqs: list[int]) -> int:
    return seqs[-1] if seqs else 0


def judge_reach(state: BufferState, effect: Effect, reach: Reach, report: Report) -> None:
    """Settle the entry just pushed, revise those touched, and say what became unreachable."""
    for entry in effect.popped:
        reach.forget(entry.seq)
    for entry in {entry.seq: entry for entry in _concerned(state, effect, reach)}.values():
        reach.forget(entry.seq)
        sound = entry_sound(entry)
        reach.settle(entry.seq, sound=sound, passes=_passes(state, entry))
    if effect.pushed is not None and _is_as_left(effect):
        sound = entry_sound(effect.pushed)
        reach.settle(effect.pushed.seq, sound=sound, passes=sound)
    _report(state, effect, reach, report)
    note_floor(state, reach)


def note_floor(state: BufferState, reach: Reach) -> None:
    """Keep how far down the stack could be undone for sure."""
    known_since = state.known_since
    reach.floor = max(reach.blocker(known_since), reach.uncertain(), known_since - 1)
    state.sure_above = reach.floor


def _is_as_left(effect: Effect) -> bool:
    """Whether it is known to hold what its edits left."""
    return all(change.after.doubt is None for change in effect.spans)


def _concerned(state: BufferState, effect: Effect, reach: Reach) -> Iterator[Entry]:
    """The entries for which an event changed what they are, or what they would meet."""
    yield from (entry for _, entry in effect.replaced)
    yield from effect.restored
    pushed = effect.pushed
    if pushed is not None and not _is_as_left(effect):
        yield pushed
    logged = () if pushed is None else pushed.spans
    for change in effect.spans:
        if change.after.span not in logged:
            yield from _meeting(state, change.after.span, effect.seq + 1)
        elif change.before is not None and _told_to_be_there(change.before, pushed):
            # The change tells that the span was there: so do they meet it.
            yield from _meeting(state, change.after.span, effect.seq)
    for entry in chain(effect.popped, effect.restored):
        for name in entry.spans:
            yield from _meeting(state, name, entry.seq)
    for span in effect.collected:
        yield from state.touches.on(span.span)
    if effect.cleared:
        yield from (found[1] for seq in reach.all_uncertain() if (found := state.entry(seq)))


def _told_to_be_there(before: Span, pushed: Entry | None) -> bool:
    """Whether nobody knew that a span was there, or it had gone as far as was known."""
    parts = () if pushed is None or not before.gone else pushed.parts
    back = any(part.before and part.before.live and _met_by(part) == before.span for part in parts)
    return back or not before.life_known


def _met_by(part: Part) -> str:
    """The span whose state an edit has as what it met: of a copy the old one."""
    return part.span if part.source is None else part.source


def _meeting(state: BufferState, name: str, seq: int) -> Iterator[Entry]:
    """The entries before an event that meet a span as it is there, the newest first."""
    below = state.touches.next_below(name, seq)
    while below is not None:
        yield below
        if any(_puts_back(part, name) for part in below.parts):
            return
        below = state.touches.next_below(name, below.seq)


def _puts_back(part: Part, name: str) -> bool:
    """Whether undoing an edit gives a span another text: not a move's, nor that of a copy's old."""
    return part.span == name and part.kind != "move"


def _passes(state: BufferState, entry: Entry) -> bool | None:
    """Whether an entry can be undone once those above it are."""
    return Way(lambda name: _met(state, name, entry.seq)).passes(entry)


def _met(state: BufferState, name: str, seq: int) -> Span | None:
    """A span as undoing all entries above that of an event leaves it."""
    copies: list[Part] = []
    found = state.spans.get(name)
    for part in _parts_above(state, name, seq):
        if _puts_back(part, name):
            found = part.taken if part.kind == "copy" else part.before
            break
        if part.source == name:
            copies.append(part)
    for part in reversed(copies):
        found = revived(part, found)
    return found


def _parts_above(state: BufferState, name: str, seq: int) -> Iterator[Part]:
    """The edits on the stack that touched a span after an event, the oldest first."""
    above = state.touches.next_above(name, seq)
    while above is not None:
        for part in above.parts:
            if name in (part.span, part.source):
                yield part
        above = state.touches.next_above(name, above.seq)


def _report(state: BufferState, effect: Effect, reach: Reach, report: Report) -> None:
    top, before = reach.blocker(state.known_since), reach.floor
    if top <= before:
        return
    new = {effect.seq, *(entry.seq for entry in effect.restored)}
    above = state.stack.seqs_between(max(before, state.known_since - 1), top)
    lost = [seq for seq in above if seq not in new]
    if not lost:
        return
    found = state.entry(top)
    why = "it can't be undone" if found is None else why_blocked(found[1])
    message = (
        f"{len(lost)} undo entr{'ies' if len(lost) > 1 else 'y'} ({_listed(lost)}) became "
        f"unreachable: entry {top} blocks the way, {why}."
    )
    evidence = {"entries": lost, "blocked_by": top, "why": why}
    report.add("UND211", {"entry": top}, message, evidence, caused_by=top)


def _listed(seqs: list[int]) -> str:
    if len(seqs) <= 4:
        return ", ".join(str(seq) for seq in seqs)
    return f"{seqs[0]}..{seqs[-1]}"


def why_blocked(entry: Entry) -> str:
    """Why an entry can't be undone, as the end of a sentence."""
    if any(part.evicted for part in entry.parts):
        return "its inverse was evicted"
    if entry.lacking:
        return "it has no inverse"
    if entry_sound(entry) is False:
        return "its inverse does not find one place or would restore another text"
    return "what it left is no longer there"
