"""opencode's database: an event log of messages and their parts, session by session.

A part keeps its id while its state changes. Pruning leaves the stored output and changes what the
model is shown; a revert is a pointer until the next prompt makes it hard. Older databases have no
event log: then only the last state of each part is known.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Callable, Iterator
from typing import Final

from spanscope.importers.builder import AGENT, CONTEXT
from spanscope.importers.databases import PIECE, DatabaseImporter, columns_of
from spanscope.importers.files import Files, Refusal
from spanscope.importers.opencode_log import Logged, events_of, last_state_of
from spanscope.importers.opencode_parts import spans_of
from spanscope.importers.opencode_talk import Conversation
from spanscope.importers.patches import Regions, unified_hunks
from spanscope.importers.values import Row, mapping, number, string
from spanscope.journal import events
from spanscope.journal.parts import Item

CLEARED: Final = "[Old tool result content cleared]"
INFERRED: Final = "what opencode makes of its stored parts; the system prompt is not recorded"
_REFUSALS: Final[tuple[tuple[str, Refusal], ...]] = (
    ("Could not find oldString", "missing"),
    ("oldString not found", "missing"),
    ("multiple matches for oldString", "ambiguous"),
)
_SILENT: Final = ("step-finish", "retry", "snapshot", "agent", "subtask")


class OpenCode(DatabaseImporter):
    """Reads one session with its sub-agents' sessions."""

    name = "opencode"

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
            events_of(connection, id, each.seq, self.summary)
            if logged
            else last_state_of(connection, id, each.roles, self.summary)
            for id, each in self._all.items()
        ]
        total = max(1, self._count(connection, "event" if logged else "message"))
        several = heapq.merge(*streams, key=lambda event: event.order)
        for event in streams[0] if len(streams) == 1 else several:
            self._event(self._all[event.session], event)
            if self.builder.waiting >= PIECE:
                self.progress = min(1.0, self.summary.rows / total)
                yield

    def finish(self) -> bytes:
        """The end of the journal; what waited for more events takes effect."""
        for conversation in self._all.values():
            self.builder.actor = conversation.actor
            conversation.settle()
        self.builder.actor = AGENT
        return super().finish()

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
        for conversation in self._all.values():
            conversation.write_through(self.builder)
        self.builder.header(
            chosen,
            "opencode",
            source=self.name,
            identity="the part's id",
            records=("reads",),
        )
        return True

    def _event(self, conversation: Conversation, event: Logged) -> None:
        handler = _EVENTS.get(event.kind)
        if handler is None:
            self.summary.unknown_row(event.kind)
            return
        self.builder.actor = conversation.actor
        conversation.seq = event.seq
        if conversation.waits:
            conversation.settle(_message_of(event.data))
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
            if times.get("completed") is not None and info.get("error") is None:
                conversation.summarised(id)

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
            conversation.step(message, id)
            self._tree(conversation, part)
            return
        if kind in _SILENT:
            return
        summary = message in conversation.summaries
        role = conversation.roles.get(message, "user")
        wanted = spans_of(part, id, role, conversation.said, summary=summary)
        if wanted is None:
            self.summary.unknown_row(f"part {kind or 'without a type'}")
            return
        conversation.put(message, id, wanted)
        if kind == "compaction":
            conversation.asks(message, part)
        elif kind == "tool":
            self._tool(conversation, part, id)

    def _tree(self, conversation: Conversation, part: Row) -> None:
        """A step begins on a state of the files that is kept as a git tree."""
        tree = string(part, "snapshot")
        if tree is not None and tree != conversation.tree:
            conversation.tree = tree
            self.builder.add(events.Checkpoint, checkpoint=f"files:{tree}")

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
            conversation.back_to(id)
        else:
            conversation.remove(id)

    def _removed_part(self, conversation: Conversation, data: Row) -> None:
        conversation.remove_part(string(data, "messageID") or "", string(data, "partID") or "")

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


def _message_of(data: Row) -> str | None:
    """The message that an event is about; null where it is about none."""
    part = data.get("part")
    return string(part, "messageID") if isinstance(part, dict) else string(data.get("info"), "id")


_EVENTS: Final[dict[str, Callable[[OpenCode, Conversation, Row], None]]] = {
    "session.created": OpenCode._session,
    "session.updated": OpenCode._session,
    "message.updated": OpenCode._message,
    "message.part.updated": OpenCode._part,
    "message.removed": OpenCode._removed,
    "message.part.removed": OpenCode._removed_part,
}
