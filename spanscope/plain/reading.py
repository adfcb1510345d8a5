"""From the bytes of a journal to its events, in order, with what is wrong about the lines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from spanscope.journal.events import Session
from spanscope.journal.reader import Fault, Header, Parsed, Record
from spanscope.plain.knowing import damaged
from spanscope.plain.replay import moment
from spanscope.plain.world import Moment, World

RECORDS = ("versions", "hashes", "inverses", "reads", "holders")


@dataclass(frozen=True)
class Stray:
    """A line whose seq is not the one before plus 1. `applied`: its event counts all the same."""

    seq: int
    applied: bool


@dataclass(frozen=True)
class Told:
    """All that a journal says: its moments in order, and the faults of its lines.

    `lost_behind` is the world after its last event where what came behind that was lost.
    """

    session: Session | None
    moments: tuple[Moment, ...]
    faults: tuple[Fault, ...]
    strays: tuple[Stray, ...]
    ended: bool
    lost_behind: World | None = None

    @property
    def moments_shown(self) -> tuple[Moment, ...]:
        """The moments, the last with what is known to be lost behind it."""
        if self.lost_behind is None:
            return self.moments
        last = self.moments[-1]
        return (*self.moments[:-1], replace(last, after=self.lost_behind))

    @property
    def records(self) -> set[str]:
        """What the source can record at all."""
        listed = None if self.session is None else self.session.records
        return set(RECORDS if listed is None else listed)


@dataclass
class _Reading:
    session: Session | None = None
    moments: list[Moment] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    strays: list[Stray] = field(default_factory=list)
    world: World = field(default_factory=World)
    hurt: bool = False
    lines_lost: int = 0
    lines: dict[int, int] = field(default_factory=dict)

    def take(self, item: Parsed) -> None:
        """One line."""
        match item:
            case Header():
                self.session = item.session
                listed = item.session.records
                recorded = listed is None or "inverses" in listed
                tokenizer = item.session.tokenizer
                self.world = replace(self.world, records_inverses=recorded, tokenizer=tokenizer)
            case Fault():
                self.faults.append(item)
                if item.poisons:
                    self.hurt = True
                    self.lines_lost += 1
            case Record():
                self._event(item)

    def _event(self, record: Record) -> None:
        event, last = record.event, self.world.seq
        if event.seq <= last:
            self.strays.append(Stray(event.seq, applied=False))
            if self.lines.get(event.seq) != record.fingerprint:
                self.hurt = True
            return
        if event.seq > last + 1 + self.lines_lost:
            self.strays.append(Stray(event.seq, applied=True))
            self.hurt = True
        before = damaged(self.world, event.seq) if self.hurt else self.world
        self.hurt, self.lines_lost = False, 0
        self.lines[event.seq] = record.fingerprint
        made = moment(before, event, tuple(self.moments))
        self.moments.append(made)
        self.world = made.after

    def lost_at_the_end(self) -> World | None:
        """The last world where the recording was over before all of it was read."""
        if not self.hurt or not self.moments:
            return None
        return damaged(self.moments[-1].after, self.moments[-1].event.seq)


def read(items: list[Parsed], *, ended: bool = True) -> Told:
    """The moments of a journal. `ended` false: its writer lives, it is not over."""
    reading = _Reading()
    for item in items:
        reading.take(item)
    return Told(
        reading.session,
        tuple(reading.moments),
        tuple(reading.faults),
        tuple(reading.strays),
        ended,
        reading.lost_at_the_end() if ended else None,
    )
