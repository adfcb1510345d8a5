"""Writing the events of an import, with the buffer as they leave it.

The builder follows what it writes, so an importer can ask what is live, in which order, at which
revision, and, by a replay, what can be undone. It claims nothing that the source does not say: no
hash, no version, no inverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from spanscope.importers.standing import Held, Standing
from spanscope.importers.values import moment
from spanscope.journal import events
from spanscope.journal.encoding import encode_line
from spanscope.journal.events import FORMAT, AnyEvent, Event, Session
from spanscope.journal.lines import decode_event
from spanscope.journal.parts import (
    AnyEdit,
    DiffBase,
    IngestEdit,
    Item,
    MoveEdit,
    Parent,
    PruneEdit,
    Read,
    Ref,
    RewriteEdit,
    Source,
)
from spanscope.model.replay import replay
from spanscope.model.state import BufferState
from spanscope.model.undo import Entry

EPOCH: Final = "1970-01-01T00:00:00.000Z"
AGENT: Final = "agent"
CONTEXT: Final = "context"


class Wanted(NamedTuple):
    """A span as a source says it is now."""

    span: str
    content: str
    role: str | None = None
    answers: str | None = None
    origin: str | None = None
    supersedes: tuple[str, ...] = ()


class JournalBuilder:
    """Collects the header and events of one journal; `take` hands over the lines not yet taken.

    `packed`: what may have to be replayed is kept as lines. That takes less memory where an
    importer keeps no texts itself, else more.
    """

    def __init__(self, *, packed: bool = False) -> None:
        self.actor = AGENT
        self.seq = 0
        """The seq of the last event."""
        self.standing = Standing()
        self._state = BufferState()
        self._unplayed: list[AnyEvent] = []
        self._packs = packed
        self._lines: list[bytes] = []
        """Events before `_unplayed` that were not replayed either, in pieces as they were taken."""
        self._out: list[Session | Event] = []
        self._time = EPOCH
        self._late: str | None = None
        self._diffs: dict[str, int] = {}
        self._entered: dict[str, int] = {}
        self.started = False

    def header(
        self,
        session: str,
        agent: str,
        *,
        source: str,
        identity: str,
        records: Sequence[str] = (),
        time: object = None,
        parent: Parent | None = None,
        **meta: Any,
    ) -> None:
        """Line 1. `identity` says in plain words what a span's id is in the source.

        More facts about the source go into its `meta`, as far as they are told.
        """
        self.started = True
        self._state.records = frozenset(records)
        told = {name: value for name, value in meta.items() if value is not None}
        imported = {"format": source, "identity": identity, **told}
        self._out.append(
            Session(
                format=FORMAT,
                session=session,
                agent=agent,
                started=moment(time),
                parent=parent,
                records=list(records),
                meta={"imported": imported},
            )
        )

    def branched(self, parent: Parent) -> None:
        """The session branched off another one; only while the header was not taken."""
        first = next(iter(self._out), None)
        if isinstance(first, Session):
            first.parent = parent

    def take(self) -> bytes:
        """The lines of the header and the events since the last call."""
        out, self._out = self._out, []
        lines = list(map(encode_line, out))
        if self._packs and self._unplayed:
            self._lines.append(b"".join(lines[-len(self._unplayed) :]))
            self._unplayed = []
        return b"".join(lines)

    @property
    def waiting(self) -> int:
        """How many events were not taken yet."""
        return len(self._out)

    def at(self, time: object) -> None:
        """What follows happened at this time.

        Rows are often logged a little out of order; a journal is in the order of its lines, so
        an earlier time than the last is kept in the next event's `meta` only.
        """
        found = moment(time)
        self._late = None
        if found is not None and found >= self._time:
            self._time = found
        elif found is not None:
            self._late = found

    @property
    def state(self) -> BufferState:
        """The buffer with its past and its undo stack, replayed up to now."""
        pieces, self._lines = self._lines[::-1], []
        while pieces:
            for line in pieces.pop().splitlines():
                replay(self._state, decode_event(line))
        unplayed, self._unplayed = self._unplayed, []
        for event in unplayed:
            replay(self._state, event)
        return self._state

    def last_text(self, name: str) -> str | None:
        """What a span holds, or held when it went; null where that is not known."""
        span = self.standing.spans[name]
        if span.live:
            return span.text
        node = self.state.spans[name].node
        return node.text if node.text_known else None

    @property
    def revision(self) -> int:
        """The revision after the last event."""
        revision = self.standing.revision
        assert revision is not None
        return revision

    @property
    def spans(self) -> dict[str, Held]:
        """Every span that ever was, as it stands or last stood."""
        return self.standing.spans

    def before(self, name: str | None) -> str | None:
        """The live span before another one (null: the last one); null where there is none."""
        return self.standing.order.before(name)

    def first(self, store: str) -> str | None:
        """The first live span of a store; null where there is none."""
        return self.standing.stores[store].first if store in self.standing.stores else None

    def add(self, struct: type[Event], **fields: Any) -> int:
        """Write an event and let it happen; its seq."""
        meta = self._meta(fields.pop("meta", None))
        fields.setdefault("actor", self.actor)
        event: Any = struct(seq=self._next(), time=self._time, meta=meta, **fields)
        return self._add(event)

    def _next(self) -> int:
        self.seq += 1
        return self.seq

    def _meta(self, told: dict[str, Any] | None) -> dict[str, Any] | None:
        if self._late is not None:
            told = {**(told or {}), "time": self._late}
            self._late = None
        return told or None

    def _add(self, event: AnyEvent) -> int:
        self._happens(event)
        if isinstance(event, events.Ingest):
            self._entered[event.span] = event.seq
        self._out.append(event)
        return event.seq

    def _happens(self, event: AnyEvent) -> None:
        if self.standing.take(event):
            self._unplayed.append(event)
            return
        state = self.state
        effect = replay(state, event)
        self.standing.take_over(state, effect)
        for part in effect.pushed.parts if effect.pushed is not None else ():
            if part.kind == "ingest":
                self._entered[part.span] = event.seq

    def mark(self, kind: str, label: str, **fields: Any) -> int:
        """A place to navigate to."""
        return self.add(events.Mark, kind=kind, label=label, **fields)

    def live(self, name: str) -> Held | None:
        """The span, where it stands in the buffer."""
        span = self.standing.spans.get(name)
        return span if span is not None and span.live else None

    def entered(self, name: str) -> int | None:
        """The seq at which the span came in last; null where it never did."""
        return self._entered.get(name)

    def order(self, store: str) -> list[str]:
        """The live spans of a store in buffer order."""
        return list(self.standing.stores.get(store, ()))

    def brought_in_since(self, store: str, seq: int) -> list[str] | None:
        """The spans that came into a store after an event, where that is all that became of it.

        Undoing the store's entries above that event takes them out, and does nothing else. Null
        where it does, or where only a replay can tell.
        """
        if self.standing.changed_since(store, seq):
            return None
        return [name for name in self.order(store) if self._entered[name] > seq]

    def undo(self, names: list[str], **fields: Any) -> None:
        """A rollback that takes these spans out, and does nothing else."""
        self.standing.expect_undone(names)
        self.add(events.Rollback, **fields)

    def ingest(
        self, wanted: Wanted, *, store: str = CONTEXT, after: str | None | UnsetType = UNSET
    ) -> int:
        """A new live span; `after` as in the journal."""
        event = events.Ingest(
            seq=self._next(),
            time=self._time,
            actor=self.actor,
            meta=self._meta(None),
            store=store,
            after=after,
            span=wanted.span,
            content=wanted.content,
            role=wanted.role,
            answers=self._known(wanted.answers),
            origin=wanted.origin,
            supersedes=list(wanted.supersedes),
        )
        return self._add(event)

    def _known(self, answers: str | None) -> str | None:
        """The span that another one answers; null where it never came, as in damaged sources."""
        return answers if answers in self.standing.spans else None

    def rewrite(self, span: str, content: str, op: str, **fields: Any) -> int:
        """Whole content replaced in place."""
        return self.add(events.Rewrite, span=span, content=content, op=op, **fields)

    def forget(self, span: str, op: str, **fields: Any) -> int:
        """The content changed, and the source does not say to what: it is unknown from here."""
        return self.add(events.Rewrite, span=span, content="", op=op, redacted=True, **fields)

    def derive(self, artifact: str, spans: Sequence[str], kind: str, **fields: Any) -> int:
        """A holder keeps something derived from the first span and the others."""
        sources = [Source(span=name) for name in spans[1:]]
        return self.add(
            events.Derive, artifact=artifact, span=spans[0], kind=kind, sources=sources, **fields
        )

    def render(self, items: Iterable[Item], call: str | None = None, **fields: Any) -> int:
        """What a model call was given."""
        return self.add(events.Render, items=list(items), call=call, **fields)

    def change(self, edits: Sequence[AnyEdit], name: str, reads: Sequence[str] = ()) -> int:
        """Do the edits; the seq of the last event.

        What goes goes first and at once, several spans by one diff that is staged and applied. The
        others are events of their own: text inside a diff would be searched for references.
        """
        going = [edit for edit in edits if isinstance(edit, PruneEdit)]
        if len(going) > 1:
            self.add(events.Apply, diff=self.stage(name, going, reads=reads))
        elif going:
            self._direct(going[0])
        for edit in [edit for edit in edits if not isinstance(edit, PruneEdit)]:
            self._direct(edit)
        return self.seq

    def stage(
        self,
        name: str,
        edits: Sequence[AnyEdit],
        *,
        reads: Sequence[str] = (),
        refs: Sequence[Ref] = (),
        revision: int | None = None,
        **fields: Any,
    ) -> str:
        """A diff authored against a revision (default: the buffer as it is); its id."""
        number = self._diffs[name] = self._diffs.get(name, 0) + 1
        diff = name if number == 1 else f"{name}.{number}"
        base = DiffBase(revision=self.revision if revision is None else revision)
        self.add(
            events.Stage,
            diff=diff,
            base=base,
            reads=[Read(span=span) for span in reads],
            refs=list(refs),
            edits=list(edits),
            **fields,
        )
        return diff

    def _direct(self, edit: AnyEdit) -> int:
        fields = asdict(edit)
        if isinstance(edit, IngestEdit):
            fields["answers"] = self._known(edit.answers)
        return self.add(_EVENTS[type(edit)], **fields)

    def close(self) -> None:
        """The import ended in good order."""
        self.add(events.Close, events=self.seq, actor=AGENT)

    def entries_above(self, floor: int, store: str) -> list[Entry]:
        """The undo entries of a store that are newer than an event, head first."""
        found: list[Entry] = []
        for entry in reversed(self.state.stack):
            if entry.seq <= floor:
                break
            if store in entry.stores:
                found.append(entry)
        return found


_EVENTS: Final[dict[type, type[Event]]] = {
    IngestEdit: events.Ingest,
    RewriteEdit: events.Rewrite,
    PruneEdit: events.Prune,
    MoveEdit: events.Move,
}


def ingest_edit(
    wanted: Wanted, *, store: str = CONTEXT, after: str | None | UnsetType = UNSET
) -> IngestEdit:
    """A new live span inside a diff or a rollback."""
    return IngestEdit(store=store, after=after, **_fields(wanted))


def _fields(wanted: Wanted) -> dict[str, Any]:
    return {**wanted._asdict(), "supersedes": list(wanted.supersedes)}
