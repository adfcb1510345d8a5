"""What a journal says at one step: immutable, whole, and kept for every step.

A world shares with the one before it every record that the event left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from msgspec import UNSET, UnsetType

from spanscope.journal.events import (
    Abort,
    AnyEvent,
    Derive,
    Ingest,
    InverseRecord,
    Move,
    Prune,
    Rewrite,
    Splice,
    Stage,
    Unknown,
)
from spanscope.journal.parts import AnyEdit, Inverse
from spanscope.plain.texts import Remade, Text, content_hash, string

SpanState = Literal["live", "tombstone", "pruned", "collected"]
StepKind = Literal["ingest", "rewrite", "copy", "splice", "prune", "move", "observe"]
Change = AnyEdit | Ingest | Rewrite | Splice | Prune | Move


@dataclass(frozen=True)
class Span:
    """One span: what the journal says of it, and whether that can be believed.

    `text` is null where it was never recorded (redacted); then `told` is the hash that was
    claimed of it, `stand_in` the text that the journal has in its place, and `secret` stands for
    what it really is: equal only to itself. `doubt` says since which event, by its seq, what is
    written here is only presumed; that a span is gone is always certain. `since` is the seq at
    which the span got its state, `born` that of its ingest. `life_told`: only what it holds is in
    doubt, not whether it is there. `heard_of`: an event told how it came in; else its `store` is
    null. `place` is the same of those that stand in one place after each other: a span and its
    copy. `veiled` counts how often its text was not known, on the way to what it is; `seen` is
    what it was before that. `never_was`: all that brought it in was aborted.
    """

    id: str
    state: SpanState
    version: int
    text: Text | None
    told: str | None
    doubt: int | None
    produced_by: str
    role: str | None
    store: str | None
    answers: str | None
    supersedes: tuple[str, ...]
    born: int
    since: int
    stand_in: Text = ()
    secret: object | None = None
    life_told: bool = False
    heard_of: bool = True
    place: object = field(default_factory=object)
    veiled: int = 0
    seen: Text = ()
    never_was: bool = False

    @property
    def last_seen(self) -> Text:
        """Its text, or where that is not known, the last one that was."""
        return self.seen if self.text is None else self.text

    @property
    def written(self) -> Text:
        """Its text, or what stands in for it."""
        return self.stand_in if self.text is None else self.text

    def hidden(self, told: str | None, seen: Text | None = None) -> Span:
        """The same, where only a hash is known of what it holds, if that.

        Where it is that of what the journal has in its place, the text is known all the same.
        `seen` is the last text that was known, where that is not the one it has.
        """
        if told is not None and content_hash(string(self.written)) == told:
            return replace(self, text=self.written, told=None)
        unknown = replace(self, text=None, stand_in=self.written, secret=object(), told=told)
        last = self.last_seen if seen is None else seen
        return replace(unknown, veiled=self.veiled + 1, seen=last)

    def doubted(self, seq: int) -> Span:
        """The same, unknown since this event, unless it was already."""
        return replace(self, doubt=seq if self.doubt is None else self.doubt, life_told=False)

    @property
    def live(self) -> bool:
        """In the order of the buffer."""
        return self.state == "live"

    @property
    def gone(self) -> bool:
        """Pruned, or a tombstone that was collected."""
        return self.state in {"pruned", "collected"}

    @property
    def life_known(self) -> bool:
        """Whether its being live or not can be told, whatever it holds."""
        return self.doubt is None or self.life_told

    @property
    def surely_gone(self) -> bool:
        """Not in the buffer, and that for sure: what it held may be unknown."""
        return not self.live and self.life_known

    @cached_property
    def presumed(self) -> str | None:
        """What it holds if nothing unknown happened; null where no text was recorded."""
        return None if self.text is None else string(self.text)

    @property
    def content(self) -> str | None:
        """What it holds; null where that can't be told."""
        return None if self.doubt is not None else self.presumed

    @property
    def hash(self) -> str | None:
        """The hash of what it holds; null where that can't be told."""
        return None if self.doubt is not None else self.presumed_hash

    @cached_property
    def presumed_hash(self) -> str | None:
        """The hash if nothing unknown happened."""
        return self.told if self.text is None else content_hash(string(self.text))


@dataclass(frozen=True)
class Buffer:
    """The spans by id, gone ones too, and the live ones' order."""

    spans: Mapping[str, Span] = field(default_factory=dict)
    order: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """One edit that took effect, as it truly was.

    `before` and `after` are the whole buffer around it. A `splice` took `deleted` characters at
    `at` out and put `inserted` there. For a `copy`, `span` is the old span and `into` the new.
    Of an `ingest` or `move`, `sought` is the `after` that it said. `index` is its place among
    the edits of its event. `into` of a `rewrite` is its own span. `inverse` is the record that
    the log holds for it now. `somewhere`: it took effect at one of several places.
    `order_known`: a `move` knew where it moved from. `hidden`: the journal's text is not the one
    that a splice really put there. `unsure`: nobody knows whether it took place.
    """

    kind: StepKind
    span: str
    before: Buffer
    after: Buffer
    index: int = 0
    at: int = 0
    deleted: int = 0
    inserted: Text = ()
    into: str | None = None
    sought: str | None | UnsetType = UNSET
    inverse: Inverse | None = None
    somewhere: bool = False
    order_known: bool = True
    hidden: bool = False
    unsure: bool = False

    @property
    def nothing(self) -> bool:
        """Whether it is a splice of nothing by nothing."""
        put = self.deleted or self.inserted or self.hidden or self.somewhere
        return self.kind == "splice" and not put

    @property
    def known(self) -> bool:
        """Whether it can be told what the edit replaced and what it left."""
        old, new = self.before.spans.get(self.span), self.after.spans[self.into or self.span]
        if self.kind == "ingest":
            return new.content is not None
        return old is not None and old.content is not None and new.content is not None

    @property
    def changed(self) -> bool:
        """Whether the text of its span, or its being there, can be another than before."""
        old, new = self.before.spans.get(self.span), self.after.spans[self.span]
        if old is None or self.kind == "prune":
            return True
        if self.nothing:
            return False
        if None in {old.presumed_hash, new.presumed_hash}:
            return self.kind != "move"
        return old.state != new.state or old.presumed_hash != new.presumed_hash

    @property
    def hunk(self) -> tuple[int, Text, Text]:
        """Where its span's text differs before and after, what stood there and what stands there.

        What the old and the new text begin and end with is no part of it.
        """
        old = self.before.spans[self.span].text or ()
        new = self.after.spans[self.span].text or ()
        most = min(len(old), len(new))
        prefix = next((at for at in range(most) if old[at] is not new[at]), most)
        most -= prefix
        suffix = next((at for at in range(most) if old[-1 - at] is not new[-1 - at]), most)
        return prefix, old[prefix : len(old) - suffix], new[prefix : len(new) - suffix]

    @property
    def said(self) -> tuple[int, Text, Text]:
        """As `hunk`, but for a splice all that it said it replaced, and by what."""
        if self.kind != "splice":
            return self.hunk
        old = self.before.spans[self.span].text or ()
        return self.at, old[self.at : self.at + self.deleted], self.inserted

    @property
    def owes_inverse(self) -> bool:
        """Whether undoing it needs a record."""
        carries_its_own = self.kind in {"ingest", "copy", "move"}
        return not carries_its_own and self.changed


@dataclass(frozen=True)
class Entry:
    """One entry of the undo stack. `doubt`: since which event it is unknown."""

    seq: int
    op: str
    actor: str
    steps: tuple[Step, ...]
    doubt: int | None = None


@dataclass(frozen=True)
class Origin:
    """What one span was when an artifact was derived from it, as its key has it.

    `span` is null where it was not there; `never` says that its version was never there. `key` is
    the hash that the holder wrote down.
    """

    name: str
    span: Span | None
    never: bool = False
    key: str | None = None

    @property
    def hash(self) -> str | None:
        """The hash of what was derived from; null where it can't be told."""
        if self.key is not None:
            return self.key
        return None if self.span is None or self.never else self.span.hash

    @property
    def content(self) -> str | None:
        """What was derived from; null where it can't be told."""
        return None if self.span is None or self.never else self.span.content


@dataclass(frozen=True)
class Artifact:
    """A live artifact: its `derive`, and what it was derived from, its own span first.

    `told_at`: the seq of the mutation that named it in `invalidates`. `tokenizer` is that of the
    journal.
    """

    derive: Derive
    origins: tuple[Origin, ...]
    told_at: int | None = None
    tokenizer: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Its span and its further sources."""
        return tuple(dict.fromkeys(origin.name for origin in self.origins))


@dataclass(frozen=True)
class Checkpoint:
    """A point to roll back to: which entries were on the stack, and what the buffer held."""

    seq: int
    snapshot: bool
    stack: tuple[int, ...]
    buffer: Buffer


@dataclass(frozen=True)
class Awaited:
    """An inverse on a line of its own, which came before its change."""

    seq: int
    record: InverseRecord


@dataclass(frozen=True)
class World:
    """Everything that holds after an event. `revision` is null where it can't be told.

    `lost_at`: the first event since events were lost last. `certain` is the first that may have
    been taken back where they were lost first. `left` are the artifacts and diffs that went since
    events were lost last. `newest` is the seq of the newest change; null where
    it was aborted or events were lost since. `records_inverses`: the source can record them.
    `texts` are all that each span held so far, `tokenizer` is that of the journal. `sighted`: the
    last observation, where it told texts of spans of which nothing was known, and those spans.
    `frozen` are the tombstones that hold what they were last known to hold.
    """

    seq: int = 0
    buffer: Buffer = field(default_factory=Buffer)
    order_doubt: int | None = None
    stack: tuple[Entry, ...] = ()
    stack_doubt: int | None = None
    revision: int | None = 0
    staged: Mapping[str, Stage] = field(default_factory=dict)
    artifacts: Mapping[str, Artifact] = field(default_factory=dict)
    checkpoints: Mapping[str, Checkpoint] = field(default_factory=dict)
    awaited: tuple[Awaited, ...] = ()
    lost_at: int | None = None
    certain: int | None = None
    left: frozenset[tuple[str, str]] = frozenset()
    records_inverses: bool = True
    newest: int | None = None
    texts: Mapping[str, tuple[Text | Remade, ...]] = field(default_factory=dict)
    tokenizer: str | None = None
    sighted: tuple[int, tuple[str, ...]] | None = None
    frozen: Mapping[str, Span] = field(default_factory=dict)

    @property
    def damaged(self) -> bool:
        """Whether events were lost: then names that no event gave may have been given there."""
        return self.lost_at is not None

    def surely_left(self, kind: str, name: str) -> bool:
        """Whether there is no such artifact or diff: none came where events were lost."""
        return not self.damaged or (kind, name) in self.left

    def lost_since(self, seq: int) -> bool:
        """Whether events were lost after an event of theirs."""
        return self.lost_at is not None and seq < self.lost_at

    def may_be_back(self, span: Span) -> bool:
        """Whether what took a span away may have been undone where events were lost."""
        return self.order_doubt is not None and not span.live and self.lost_since(span.since)


@dataclass(frozen=True)
class Problem:
    """What kept an event from its effect, or part of it: JNL007, JNL008, UND222 or UND223."""

    rule: str
    subject: tuple[tuple[str, str | int], ...]


@dataclass(frozen=True)
class Moment:
    """One event and the world around it.

    `before` is what the event met (damage in the file just before it is in it already).
    `steps` are the edits that took effect, `undone` the entries that went off the stack.
    `presumed`: what they were is only what they would be if no events had been lost.
    """

    event: AnyEvent | Unknown
    before: World
    after: World
    steps: tuple[Step, ...] = ()
    undone: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    presumed: bool = False


def aborted(past: tuple[Moment, ...]) -> set[int]:
    """The events that did not happen after all, by seq."""
    return {
        moment.event.of
        for moment in past
        if isinstance(moment.event, Abort) and moment.before.newest == moment.event.of
    }


def same_content(then: Span, now: Span) -> bool | None:
    """Whether a span holds what it held; null where that can't be told.

    Where nobody knows what it holds, it is the same as long as nothing was done to it.
    """
    if None not in {then.hash, now.hash}:
        return then.hash == now.hash
    unread = then.doubt is None is now.doubt and None is then.hash is now.hash
    return True if unread and then.secret is now.secret else None
