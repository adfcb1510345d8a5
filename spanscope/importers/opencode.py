"""opencode's database: an event log of messages and their parts, session by session.

A part keeps its id while its state changes. Pruning leaves the stored output and changes what the
model is shown; a revert is a pointer until the next prompt makes it hard. Older databases have no
event log: then only the last state of each part is known.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType

from spanscope.importers.blocks import first_line
from spanscope.importers.builder import AGENT, CONTEXT, Wanted, ingest_edit
from spanscope.importers.databases import DatabaseImporter, columns_of
from spanscope.importers.files import Files, Refusal
from spanscope.importers.opencode_parts import spans_of
from spanscope.importers.patches import Regions, unified_hunks
from spanscope.importers.restoring import roll_back
from spanscope.importers.rows import NOTHING, decode
from spanscope.importers.values import Row, mapping, number, string
from spanscope.journal import events
from spanscope.journal.parts import AnyEdit, Item, PruneEdit

CLEARED: Final = "[Old tool result content cleared]"
INFERRED: Final = "what opencode makes of its stored parts; the system prompt is not recorded"
_REFUSALS: Final[tuple[tuple[str, Refusal], ...]] = (
    ("Could not find oldString", "missing"),
    ("oldString not found", "missing"),
    ("multiple matches for oldString", "ambiguous"),
)
_SILENT: Final = ("step-finish", "retry", "snapshot", "agent", "subtask")


class Logged(NamedTuple):
    """An event of one session, in the order of all."""

    order: str
    session: str
    seq: int
    kind: str
    data: Row


@dataclass
class Conversation:
    """One session's context: the spans of each message, by message and part."""

    actor: str
    store: str
    seq: int = -1
    roles: dict[str, str] = field(default_factory=dict)
    parts: dict[str, dict[str, list[Wanted]]] = field(default_factory=dict)
    cleared: dict[str, None] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    revert: str | None = None
    summaries: set[str] = field(default_factory=set)
    summarised: set[str] = field(default_factory=set)
    compacted: dict[str, list[str]] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    tree: str | None = None


class OpenCode(DatabaseImporter):
    """Reads one session with its sub-agents' sessions."""

    name = "opencode"
    title = "opencode databases (SQLite)"
    columns = {
        "session": frozenset(("id", "parent_id", "time_updated")),
        "message": frozenset(("id", "session_id", "data")),
        "part": frozenset(("id", "message_id", "session_id", "data")),
    }

    def __init__(self, branch: str | None = None) -> None:
        super().__init__(branch)
        self._files = Files(self.builder)
        self._regions = Regions(self.builder, self._files)
        self._all: dict[str, Conversation] = {}
        self._finished: set[str] = set()

    def load(self, connection: sqlite3.Connection) -> Iterator[None]:
        """The events that were not read yet."""
        if not self._all and not self._choose(connection):
            return
        logged = columns_of(connection, "event") >= {"aggregate_id", "seq", "type", "data", "id"}
        streams = [
            self._events(connection, id) if logged else self._state(connection, id)
            for id in self._all
        ]
        total = max(1, self._count(connection, "event" if logged else "message"))
        several = heapq.merge(*streams, key=lambda event: event.order)
        for event in streams[0] if len(streams) == 1 else several:
            self._event(self._all[event.session], event)
            self.progress = min(1.0, self.summary.rows / total)
            yield

    def _count(self, connection: sqlite3.Connection, table: str) -> int:
        query = f"SELECT count(*) FROM {table}"  # noqa: S608 a name of ours
        return int(connection.execute(query).fetchone()[0])

    def _choose(self, connection: sqlite3.Connection) -> bool:
        """The session that was asked for, else the newest, and those that it started."""
        query = "SELECT id, parent_id FROM session ORDER BY time_updated DESC, id"
        rows = [(str(id), parent) for id, parent in connection.execute(query)]
        main = [id for id, parent in rows if parent is None] or [id for id, _ in rows]
        if not main:
            return False
        chosen = self.choose(main, "sessions")
        self._all[chosen] = Conversation(AGENT, CONTEXT)
        for id, parent in rows[::-1]:
            if parent in self._all and id not in self._all:
                self._all[id] = Conversation(f"subagent:{id}", f"subagent:{id}")
        self.builder.header(
            chosen,
            "opencode",
            source=self.name,
            identity="the part's id",
            records=("reads",),
        )
        return True

    def _events(self, connection: sqlite3.Connection, session: str) -> Iterator[Logged]:
        """The event log of a session; ids of events grow with time."""
        query = """
            SELECT id, seq, type, CAST(data AS BLOB) FROM event
            WHERE aggregate_id = ? AND seq > ? ORDER BY seq
        """
        order = ""
        after = self._all[session].seq
        for id, seq, kind, data in connection.execute(query, (session, after)):
            found = _object(data)
            if not isinstance(seq, int) or seq <= after:
                continue
            order = max(order, str(id))
            self.summary.rows += 1
            if found is None:
                self.summary.unreadable += 1
                continue
            self._all[session].seq = seq
            yield Logged(order, session, seq, _kind(str(kind)), found)

    def _state(self, connection: sqlite3.Connection, session: str) -> Iterator[Logged]:
        """The last state of a session, as if it had been written just so."""
        self.summary.note("there is no event log: only the last state of each part is known")
        messages = "SELECT id, data FROM message WHERE session_id = ? ORDER BY id"
        parts = "SELECT id, data FROM part WHERE message_id = ? ORDER BY id"
        conversation = self._all[session]
        for id, data in connection.execute(messages, (session,)).fetchall():
            self.summary.rows += 1
            info = _object(data)
            if info is None or str(id) in conversation.roles:
                continue
            yield Logged(str(id), session, 0, "message.updated", {"info": {**info, "id": str(id)}})
            for part, held in connection.execute(parts, (id,)).fetchall():
                self.summary.rows += 1
                found = {**(_object(held) or {}), "id": str(part), "messageID": str(id)}
                yield Logged(str(id), session, 0, "message.part.updated", {"part": found})

    def _event(self, conversation: Conversation, event: Logged) -> None:
        handler = _EVENTS.get(event.kind)
        if handler is None:
            self.summary.unknown_row(event.kind)
            return
        self.builder.actor = conversation.actor
        handler(self, conversation, event.data)
        self.builder.actor = AGENT

    # Messages and parts

    def _message(self, conversation: Conversation, data: Row) -> None:
        info = mapping(data, "info")
        id, role = string(info, "id"), string(info, "role")
        if id is None or role is None:
            return
        times = mapping(info, "time")
        self.builder.at(times.get("completed") or times.get("created"))
        if id not in conversation.roles:
            conversation.roles[id] = role
            conversation.parts[id] = {}
            if role == "assistant":
                self._call(conversation, id, summary=info.get("summary") is True)
        if info.get("summary") is True:
            conversation.summaries.add(id)
            if times.get("completed") is not None and id not in conversation.summarised:
                conversation.summarised.add(id)
                self._compact(conversation, id)

    def _call(self, conversation: Conversation, id: str, *, summary: bool) -> None:
        """A model call begins; a render where it is shown another text than before."""
        cleared = tuple(name for name in conversation.cleared if self.builder.live(name))
        if summary or cleared == conversation.shown:
            self.builder.mark("llm", id)
            return
        conversation.shown = cleared
        live = self.builder.order(conversation.store)
        items = [Item(span=n, shown=CLEARED if n in conversation.cleared else None) for n in live]
        self.builder.render(items, call=id, meta={"inferred": INFERRED})

    def _part(self, conversation: Conversation, data: Row) -> None:
        part = mapping(data, "part")
        id, message = string(part, "id"), string(part, "messageID")
        if id is None or message is None:
            return
        self.builder.at(data.get("time"))
        kind = string(part, "type") or ""
        if kind == "step-start":
            self._tree(conversation, part)
            return
        if kind in _SILENT:
            return
        summary = message in conversation.summaries
        role = conversation.roles.get(message, "user")
        wanted = spans_of(part, id, role, summary=summary)
        if wanted is None:
            self.summary.unknown_row(f"part {kind or 'without a type'}")
            return
        conversation.parts.setdefault(message, {})
        self._put(conversation, message, id, wanted)
        if kind == "tool":
            self._tool(conversation, part, id)

    def _tree(self, conversation: Conversation, part: Row) -> None:
        """A step begins on a state of the files that is kept as a git tree."""
        tree = string(part, "snapshot")
        if tree is not None and tree != conversation.tree:
            conversation.tree = tree
            self.builder.add(events.Checkpoint, checkpoint=f"files:{tree}")

    def _put(self, conversation: Conversation, message: str, part: str, new: list[Wanted]) -> None:
        """A part comes, or changes under its id."""
        parts = conversation.parts[message]
        old, parts[part] = parts.get(part, []), new
        now = {wanted.span for wanted in new}
        for wanted in old:
            if wanted.span not in now and self.builder.live(wanted.span) is not None:
                self.builder.change([PruneEdit(span=wanted.span)], "part")
        for wanted in new:
            span = self.builder.live(wanted.span)
            if span is None and self._fresh(wanted.span):
                self._turn(conversation, wanted)
                place = self._place(conversation, message, part)
                edit = ingest_edit(wanted, store=conversation.store, after=place)
                self.builder.change([edit], "part")
            elif span is not None and span.text != wanted.content:
                self.builder.rewrite(wanted.span, wanted.content, "part")

    def _fresh(self, name: str) -> bool:
        """Whether a span may come in: it never was, or its coming was undone."""
        return name not in self.builder.spans or name in self.builder.state.undone_ids

    def _turn(self, conversation: Conversation, wanted: Wanted) -> None:
        if wanted.role == "user" and wanted.origin is None and conversation.actor == AGENT:
            self.builder.mark("turn", first_line(wanted.content))

    def _place(self, conversation: Conversation, message: str, part: str) -> str | None | UnsetType:
        """Behind the parts of its message that came before it, else before those after it."""
        parts = conversation.parts[message]
        order = list(parts)
        here = order.index(part)
        ahead = [w.span for id in order[: here + 1] for w in parts[id]]
        behind = [w.span for id in order[here + 1 :] for w in parts[id]]
        for name in reversed(ahead):
            if self.builder.live(name) is not None:
                return name
        for name in behind:
            if self.builder.live(name) is not None:
                return self.builder.before(name)
        return UNSET

    # Going back

    def _session(self, conversation: Conversation, data: Row) -> None:
        """A session changes; what matters is where its revert pointer stands."""
        info = mapping(data, "info")
        self.builder.at(mapping(info, "time").get("updated"))
        revert = mapping(info, "revert")
        to = string(revert, "messageID")
        if to == conversation.revert:
            return
        conversation.revert, before = to, conversation.revert
        if to is not None:
            self.builder.mark("note", f"revert to before {to}, until the next prompt")
        elif before is not None:
            self.builder.mark("note", "the revert was taken back, or is done")
        for path in self._regions.paths():
            if path.rpartition("/")[2] in (string(revert, "diff") or ""):
                self._regions.changed(path, "operator")

    def _removed(self, conversation: Conversation, data: Row) -> None:
        id = string(data, "messageID")
        if id is None or id not in conversation.parts:
            return
        if id == conversation.revert:
            self._back_to(conversation, id)
            return
        names = [w.span for part in conversation.parts.pop(id).values() for w in part]
        edits: list[AnyEdit] = [PruneEdit(span=n) for n in names if self.builder.live(n)]
        if edits:
            self.builder.change(edits, f"removal:{id}", names)

    def _removed_part(self, conversation: Conversation, data: Row) -> None:
        id, message = string(data, "partID"), string(data, "messageID")
        for wanted in conversation.parts.get(message or "", {}).pop(id or "", []):
            if self.builder.live(wanted.span) is not None:
                self.builder.change([PruneEdit(span=wanted.span)], "part")

    def _back_to(self, conversation: Conversation, id: str) -> None:
        """The messages from here on are taken back, all at once."""
        ids = list(conversation.parts)
        shown = set(self.builder.order(conversation.store))
        for later in ids[ids.index(id) :]:
            del conversation.parts[later]
            # Without its summary, what a compaction took away is shown again.
            shown.update(conversation.compacted.pop(later, ()))
        kept = (w for parts in conversation.parts.values() for part in parts.values() for w in part)
        target = [wanted for wanted in kept if wanted.span in shown]
        roll_back(self.builder, conversation.store, target, {"to": id})

    def _compact(self, conversation: Conversation, id: str) -> None:
        """A summary is done: what came before it is no longer shown."""
        asked = id
        gone: list[str] = []
        for earlier in _before(conversation, id):
            if asked == id and _asks(conversation, earlier):
                asked = earlier
                gone.clear()
                continue
            names = [w.span for part in conversation.parts[earlier].values() for w in part]
            gone += [name for name in reversed(names) if self.builder.live(name) is not None]
            if asked != id and conversation.asked.get(earlier) in conversation.compacted:
                break
        gone = list(dict.fromkeys(reversed(gone)))
        if not gone:
            return
        spans = [w.span for part in conversation.parts[id].values() for w in part]
        holder = spans[0] if spans else id
        self.builder.derive(f"summary:{id}", gone, "summary", holder=holder)
        edits: list[AnyEdit] = [PruneEdit(span=name) for name in gone]
        self.builder.change(edits, f"compaction:{id}", gone)
        conversation.compacted[id] = gone
        conversation.asked[asked] = id

    # Tools

    def _tool(self, conversation: Conversation, part: Row, id: str) -> None:
        state = mapping(part, "state")
        if mapping(state, "time").get("compacted") is not None:
            conversation.cleared[f"{id}/result"] = None
        status = string(state, "status")
        if status not in ("completed", "error") or id in self._finished:
            return
        self._finished.add(id)
        given, tool = mapping(state, "input"), string(part, "tool")
        path = string(given, "filePath")
        if path is None:
            return
        if status == "error":
            self._refused(given, path, id, string(state, "error") or "")
            return
        facts = mapping(state, "metadata")
        display = mapping(facts, "display")
        text = string(display, "text")
        whole = number(display, "lineStart") == 1 and display.get("truncated") is False
        if tool == "read" and text is not None:
            if whole and number(display, "lineEnd") == number(display, "totalLines"):
                self._regions.read(path, text)
        elif tool == "edit":
            patch = string(mapping(facts, "filediff"), "patch") or string(facts, "diff") or ""
            self._regions.updated(path, unified_hunks(patch))
        elif tool == "write" and string(given, "content") is not None:
            self._files.rewritten(path, None, string(given, "content") or "", "write")

    def _refused(self, given: Row, path: str, id: str, error: str) -> None:
        old, new = string(given, "oldString"), string(given, "newString")
        why = next((kind for words, kind in _REFUSALS if words in error), None)
        if old and new is not None and why is not None:
            self._regions.refused(path, old, new, why, id, error)


def _before(conversation: Conversation, id: str) -> Iterator[str]:
    """The messages before one, the last first."""
    ids = reversed(conversation.parts)
    for later in ids:
        if later == id:
            break
    yield from ids


def _asks(conversation: Conversation, message: str) -> bool:
    parts: Iterable[list[Wanted]] = conversation.parts[message].values()
    return any(wanted.origin == "compaction" for part in parts for wanted in part)


@lru_cache(64)
def _kind(name: str) -> str:
    """The kind of an event, without its version."""
    return name.rstrip("0123456789").rstrip(".")


def _object(data: Any) -> Row | None:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    found = decode(raw) if isinstance(raw, bytes) else NOTHING
    if found is NOTHING and isinstance(raw, bytes):
        found = decode(raw.decode("utf-8", "replace").encode())
    return found if isinstance(found, dict) else None


_EVENTS: Final[dict[str, Callable[[OpenCode, Conversation, Row], None]]] = {
    "session.created": OpenCode._session,
    "session.updated": OpenCode._session,
    "message.updated": OpenCode._message,
    "message.part.updated": OpenCode._part,
    "message.removed": OpenCode._removed,
    "message.part.removed": OpenCode._removed_part,
}
