"""A scene: one step of one history with what is selected in it. Panes draw nothing else."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from spanscope.history.history import History
from spanscope.journal.events import Abort, AnyEvent, Rollback, Unknown
from spanscope.rules.finding import Finding
from spanscope.widgets.findings import FindingIndex, worst_first
from spanscope.widgets.lens import Lens
from spanscope.widgets.live import Live
from spanscope.widgets.since import Since
from spanscope.widgets.subject import Subject, subject_of

if TYPE_CHECKING:
    from spanscope.history.filtering import Filter
    from spanscope.history.moment import Moment
    from spanscope.history.rows import UnknownSubject
    from spanscope.text.diff import TextDiff

Compare: TypeAlias = "Callable[[str, str], TextDiff | None]"


@lru_cache(maxsize=32)
def compare_at_once(old: str, new: str) -> TextDiff:
    """Two texts compared word by word; remembered, as panes ask again at every step."""
    # Loaded with the first comparison: no screen that compares nothing waits for it.
    from spanscope.text.diff import word_diff

    return word_diff(old, new)


LOOKED_AHEAD = 500
"""How many events are looked through for what comes next."""


class Audit(Struct, frozen=True):
    """How far a journal has been read: bytes, of how many. `done` at its end."""

    read: int = 0
    size: int = 0
    done: bool = True

    @property
    def percent(self) -> int:
        """The share that has been read, in whole percent."""
        return 100 if self.done or not self.size else min(99, 100 * self.read // self.size)


class Scene(Struct, frozen=True, dict=True):
    """What holds after the event `seq`, seen from there.

    `selected` is the thing that the detail pane is about. `file` names the journal for
    people, `unknown` counts the subjects that could not be judged, which are the `doubts`.
    `compare` compares two texts word by word; null as long as it is at it. A `lens` leaves only
    what touched one thing, a `pin` is the step to compare with, `bookmarks` are steps with their
    notes, the `trail` where the cursor was before its jumps. `live` tells of a
    journal that grows, seen at the time `now` (seconds since 1970); `following`: the cursor stays
    at its end. `filter` leaves some events, `watched` is the expression that stops motions,
    `sought` the text that a search marks. `picked` is the finding to explain, where one was picked.
    """

    history: History
    findings: FindingIndex
    seq: int
    selected: Subject | None = None
    audit: Audit = Audit()
    file: str = ""
    unknown: int = 0
    doubts: Sequence[UnknownSubject] = ()
    compare: Compare = compare_at_once
    lens: Lens | None = None
    pin: int | None = None
    bookmarks: Mapping[int, str] = {}
    trail: tuple[int, ...] = ()
    live: Live | None = None
    now: float = 0.0
    following: bool = False
    filter: Filter | None = None
    watched: str = ""
    sought: str = ""
    picked: Finding | None = None

    @cached_property
    def moment(self) -> Moment:
        """The buffer after the event."""
        return self.history.at(self.seq)

    @cached_property
    def event(self) -> AnyEvent | Unknown | None:
        """The event at the cursor."""
        return self.history.event(self.seq) if self.seq else None

    @cached_property
    def position(self) -> int:
        """The place of the cursor's event among all events, from 0; -1 before the first."""
        return self.history.position(self.seq) if self.seq else -1

    @cached_property
    def previous(self) -> int:
        """The seq of the event before, 0 before the first."""
        return self.history.seqs[self.position - 1] if self.position > 0 else 0

    @cached_property
    def before(self) -> Moment:
        """The buffer before the cursor's event."""
        return self.history.at(self.previous)

    @property
    def earlier(self) -> Moment:
        """The buffer to compare with: at the pin, else before the cursor's event."""
        return self.before if self.since is None else self.since.was

    @cached_property
    def here(self) -> tuple[Finding, ...]:
        """The findings at this step, worst first; before the first event those about the file."""
        found = self.history.findings_at(self.seq) if self.seq else self.findings.about_file
        return tuple(worst_first(found))

    @cached_property
    def since(self) -> Since | None:
        """What changed since the pin; null where there is none."""
        return None if self.pin is None else Since(self.history, self.pin, self.moment)

    @cached_property
    def changed(self) -> tuple[Subject, ...]:
        """Spans and artifacts that this step changed, the ones it is about first."""
        about = subject_of(self.event)
        found = [about] if about is not None else []
        entry = self.moment.undo_row(self.seq) if self.seq else None
        if entry is not None:
            found += [Subject("span", part.span) for part in entry.entry.parts]
        elif isinstance(self.event, Rollback | Abort):
            undone = self.before.undo_size - self.moment.undo_size
            for row in self.before.undo(0, max(0, undone)):
                found += [Subject("span", part.span) for part in row.entry.parts]
        return tuple(dict.fromkeys(found))

    def dims(self, subject: Subject) -> bool:
        """Whether a lens leaves a thing out."""
        return self.lens is not None and not self.lens.concerns(subject)

    def next_event(self, kind: type) -> int | None:
        """The seq of the next event of a type among those soon to come; null: none."""
        seqs = self.history.seqs
        for position in range(self.position + 1, min(len(seqs), self.position + 1 + LOOKED_AHEAD)):
            if isinstance(self.history.event_row(position).event, kind):
                return seqs[position]
        return None

    @property
    def sees_the_end(self) -> bool:
        """Whether `next_event` looks as far as there are events."""
        return self.position + LOOKED_AHEAD >= len(self.history) - 1

    @property
    def growing(self) -> bool:
        """Whether more events may come: they are still read, or written."""
        return not self.audit.done or (self.live is not None and self.live.growing)

    @cached_property
    def turn(self) -> int:
        """How many turns have begun."""
        return bisect_right(self.history.turns, self.seq)
