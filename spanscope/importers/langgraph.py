"""LangGraph's SQLite checkpoints: each holds the whole state after a step, under its parent.

A message keeps its id while its content changes; what each node wrote in a step stands in
`writes`. Nodes of one step read the same state, so that two that write one message are a lost
update.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

from spanscope.importers.blocks import first_line
from spanscope.importers.builder import AGENT, CONTEXT, Wanted
from spanscope.importers.databases import DatabaseImporter, columns_of
from spanscope.importers.langgraph_values import (
    REMOVE_ALL,
    Held,
    Message,
    Values,
    held_of,
    messages_of,
    nodes_sent_to,
)
from spanscope.importers.rows import NOTHING, decode
from spanscope.importers.syncing import Mirror
from spanscope.importers.values import mapping, string
from spanscope.journal import events
from spanscope.journal.parts import Base, Parent, Quote
from spanscope.model.content import content_hash

STATE: Final = "state"
_INTERNAL: Final = ("__", "branch:", "start:", "join:")
_CHECKPOINTS: Final = """
    SELECT thread_id, checkpoint_id, parent_checkpoint_id FROM checkpoints
    WHERE checkpoint_ns = '' AND typeof(thread_id) = 'text' AND typeof(checkpoint_id) = 'text'
    ORDER BY checkpoint_id
"""
_STATE: Final = """
    SELECT type, checkpoint, metadata FROM checkpoints
    WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ?
"""
_WRITES: Final = """
    SELECT task_path, channel, type, value FROM writes
    WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ? AND idx >= 0
    ORDER BY task_path, task_id, idx
"""
_OLD_WRITES: Final = """
    SELECT task_id, channel, type, value FROM writes
    WHERE thread_id = ? AND checkpoint_ns = '' AND checkpoint_id = ? AND idx >= 0
    ORDER BY task_id, idx
"""


class Row(NamedTuple):
    """A checkpoint without its state."""

    thread: str
    id: str
    parent: str | None


class Write(NamedTuple):
    """What one node wrote to one channel."""

    node: str
    channel: str
    value: Any


class LangGraph(DatabaseImporter):
    """Reads one branch of one thread, from its root to its leaf."""

    name = "langgraph"

    def __init__(self, branch: str | None = None) -> None:
        super().__init__(branch)
        self._mirror = Mirror(self.builder, CONTEXT)
        self._done: list[str] = []
        self._sent_to: list[str] = []
        self._values = Values()
        self._thread = ""
        self._leaf: str | None = None
        self._calls: dict[str, str] = {}
        self._held: dict[str, Held] = {}
        self._lists: dict[str, list[Message]] = {}

    def load(self, connection: sqlite3.Connection) -> Iterator[None]:
        """The checkpoints of the branch that were not read yet."""
        rows = [
            Row(str(thread), str(id), None if parent is None else str(parent))
            for thread, id, parent in connection.execute(_CHECKPOINTS)
        ]
        self._count_subgraphs(connection)
        if not rows:
            return
        if self._leaf is None:
            self._choose(rows)
        rows = [row for row in rows if row.thread == self._thread]
        path = self._path(rows)
        steps = path[len(self._done) :] if path[: len(self._done)] == self._done else []
        if not self.builder.started:
            self._header(connection, rows, path)
        eldest = _eldest_children(rows)
        forks = {id for id, following in pairwise(steps) if eldest[id] != following}
        for number, id in enumerate(steps, 1):
            self._step(connection, id)
            self._done.append(id)
            if id in forks:
                forks.discard(id)
                if not forks:
                    self._fork(rows, eldest[id])
            self.progress = number / len(steps)
            if not forks:
                # The header names the last branch that this one left.
                yield

    # Branches

    def _choose(self, rows: list[Row]) -> None:
        """The thread and leaf that were asked for, else the newest."""
        leaves = _leaves(rows) or rows[-1:]
        names = [f"{row.thread}@{row.id}" for row in leaves]
        chosen = leaves[names.index(self.choose(names, "branches"))]
        self._thread, self._leaf = chosen.thread, chosen.id

    def _path(self, rows: list[Row]) -> list[str]:
        """The checkpoints of the chosen branch, root first."""
        parents = {row.id: row.parent for row in rows}
        self._leaf = _newest_below(rows, self._leaf or "")
        path: list[str] = []
        id: str | None = self._leaf
        seen: set[str] = set()
        while id is not None and id in parents and id not in seen:
            path.append(id)
            seen.add(id)
            id = parents[id]
        return path[::-1]

    def _header(self, connection: sqlite3.Connection, rows: list[Row], path: list[str]) -> None:
        many = len(_leaves(rows)) > 1
        time = string(self._state(connection, path[0])[0], "ts")
        self.builder.header(
            f"{self._thread}@{path[-1]}" if many else self._thread,
            "langgraph",
            source=self.name,
            identity="the message's id",
            records=("reads", "holders"),
            time=time,
        )

    def _fork(self, rows: list[Row], eldest: str) -> None:
        """An older branch goes on from the checkpoint just read: this one is its child."""
        leaf = _newest_below(rows, eldest)
        self.builder.branched(Parent(session=f"{self._thread}@{leaf}", seq=self.builder.seq))

    def _count_subgraphs(self, connection: sqlite3.Connection) -> None:
        query = "SELECT count(*) FROM checkpoints WHERE checkpoint_ns != ''"
        count = connection.execute(query).fetchone()[0]
        if count:
            self.summary.note(f"{count} checkpoints of subgraphs were left aside")

    # Steps

    def _row(self, connection: sqlite3.Connection, id: str) -> tuple[Any, Any, Any]:
        """A checkpoint's type, data and metadata; nulls where an id is no proper text."""
        found = connection.execute(_STATE, (self._thread, id)).fetchone()
        return (None, None, None) if found is None else (found[0], found[1], found[2])

    def _state(self, connection: sqlite3.Connection, id: str) -> tuple[dict[str, Any], Any]:
        """A checkpoint and its channel values."""
        kind, data, _ = self._row(connection, id)
        found = self._values.value_of(kind, data)
        checkpoint = found if isinstance(found, dict) else {}
        return checkpoint, mapping(checkpoint, "channel_values")

    def _step(self, connection: sqlite3.Connection, id: str) -> None:
        self.summary.rows += 1
        checkpoint, values = self._state(connection, id)
        if not checkpoint:
            self.summary.unreadable += 1
            return
        self.builder.at(checkpoint.get("ts"))
        writes = list(self._writes(connection, self._done[-1])) if self._done else []
        source = self._metadata(connection, id)
        nodes = list(dict.fromkeys(write.node for write in writes))
        single = len(nodes) == 1 and source == "loop" and nodes[0] != "__start__"
        actor = f"node:{nodes[0]}" if single else AGENT
        self.builder.actor = "operator" if source in ("update", "fork") else actor
        versions = mapping(checkpoint, "channel_versions")
        for channel in sorted({*values, *versions, *self._lists}):
            if not isinstance(channel, str) or channel.startswith(_INTERNAL):
                continue
            self._channel(channel, values, versions, [w for w in writes if w.channel == channel])
        self._hold(self._artifacts(values))
        self._sent_to = nodes_sent_to(values)
        self.builder.actor = AGENT
        self.builder.add(events.Checkpoint, checkpoint=id, snapshot=True)

    def _metadata(self, connection: sqlite3.Connection, id: str) -> str:
        _, _, data = self._row(connection, id)
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        found = decode(raw) if isinstance(raw, bytes) else None
        return string(found, "source") or "loop"

    def _writes(self, connection: sqlite3.Connection, id: str) -> Iterator[Write]:
        """What the nodes wrote after a checkpoint, in the order in which it was taken over."""
        columns = columns_of(connection, "writes")
        if not {"channel", "type", "value", "idx"} <= columns:
            return
        query = _WRITES if "task_path" in columns else _OLD_WRITES
        for task, channel, kind, data in connection.execute(query, (self._thread, id)):
            node = self._node(str(task))
            value = self._values.value_of(kind, data)
            if value is NOTHING:
                self.summary.untold["values of writes can't be read"] += 1
            elif not str(channel).startswith(_INTERNAL):
                yield Write(node, str(channel), value)

    def _node(self, task: str) -> str:
        """The node that a task ran; one that was sent something has the number of that."""
        kind, name, *_ = f"{task}, ".split(", ")
        if not kind.endswith("__pregel_push"):
            return name or "node"
        number = int(name) if name.isdecimal() and len(name) <= 10 else len(self._sent_to)
        return self._sent_to[number] if number < len(self._sent_to) else "node"

    # Channels

    def _channel(
        self, channel: str, values: dict[str, Any], versions: dict[str, Any], writes: list[Write]
    ) -> None:
        value = values.get(channel)
        messages = None if value is None else self._values.messages_of(value)
        if value is None and channel in versions and channel in self._lists and writes:
            # A delta channel keeps what was written; its value is folded from that.
            messages = _folded(self._lists[channel], writes)
        if messages is not None or (channel in self._lists and value in (None, [])):
            self._messages(channel, messages or [], writes)
        elif isinstance(value, str):
            self._text(channel, value)

    def _text(self, channel: str, text: str) -> None:
        name = f"state/{channel}"
        now = self.builder.live(name)
        if now is None:
            self.builder.ingest(Wanted(name, text, origin="state"), store=STATE)
        elif now.text != text:
            self.builder.rewrite(name, text, "state")

    def _messages(self, channel: str, messages: list[Message], writes: list[Write]) -> None:
        target = [self._wanted(channel, m, number) for number, m in enumerate(messages)]
        self._rewrites(channel, writes)
        self._marks(channel, messages)
        others = [w for other in self._lists if other != channel for w in self._all(other)]
        names = {span.span for span in (*others, *target)}
        gone = [name for name in self.builder.order(CONTEXT) if name not in names]
        fresh = [n for n, span in enumerate(target) if self.builder.live(span.span) is None]
        summary = next((n for n in fresh if messages[n].summary), None)
        if gone and summary is not None:
            target[summary] = target[summary]._replace(supersedes=tuple(gone))
        self._lists[channel] = messages
        self._mirror.hold([*others, *target], "state", f"step:{len(self._done)}", gone)

    def _all(self, channel: str) -> list[Wanted]:
        messages = self._lists[channel]
        return [self._wanted(channel, m, number) for number, m in enumerate(messages)]

    def _name(self, channel: str, message: Message, number: int) -> str:
        id = message.id or f"{number}"
        return id if channel == "messages" and message.id else f"{channel}/{id}"

    def _wanted(self, channel: str, message: Message, number: int) -> Wanted:
        name = self._name(channel, message, number)
        for call in message.calls:
            self._calls[call] = name
        answers = None if message.answers is None else self._calls.get(message.answers)
        origin = "summary" if message.summary else None
        return Wanted(name, message.text, message.role, answers, origin)

    def _marks(self, channel: str, messages: list[Message]) -> None:
        """A new message of the model is a call of it, a new one of a human a turn."""
        known = {message.id for message in self._lists.get(channel, [])}
        for message in messages:
            if message.id in known:
                continue
            if message.kind in ("ai", "AIMessageChunk"):
                self.builder.mark("llm", message.id or "call")
            elif message.kind == "human" and not message.summary:
                self.builder.mark("turn", first_line(message.text), actor=AGENT)

    def _rewrites(self, channel: str, writes: list[Write]) -> None:
        """Messages that nodes wrote anew under their id: all of a step read the same state."""
        before = {
            name: span.text
            for name in self.builder.order(CONTEXT)
            if (span := self.builder.live(name)) is not None
        }
        written = [(write, self._values.messages_of(write.value) or []) for write in writes]
        if any(m.removes and m.id == REMOVE_ALL for _, found in written for m in found):
            return
        for write, found in written:
            for number, message in enumerate(found):
                name = self._mirror.name(self._name(channel, message, number))
                read, now = before.get(name), self.builder.live(name)
                if message.removes or message.id is None or read is None or now is None:
                    continue
                if message.text not in (read, now.text):
                    actor = f"node:{write.node}"
                    base = Base(hash=content_hash(read))
                    self.builder.rewrite(name, message.text, write.node, base=base, actor=actor)

    # What the state keeps of messages

    def _artifacts(self, values: Any) -> dict[str, Held]:
        """Citations and vectors in the other channels, by channel and place."""
        found: dict[str, Held] = {}
        for channel, value in values.items() if isinstance(values, dict) else ():
            items: Iterable[tuple[object, Any]] = ()
            if isinstance(value, list):
                items = enumerate(value)
            elif isinstance(value, dict):
                items = value.items()
            for place, item in items:
                held = held_of(item)
                if held is not None:
                    found[f"{channel}/{place}"] = held
        return found

    def _hold(self, found: dict[str, Held]) -> None:
        for name in [name for name in self._held if found.get(name) != self._held[name]]:
            if name in self.builder.state.artifacts:
                self.builder.add(events.Release, artifact=name)
            del self._held[name]
        for name, held in found.items():
            span = self._mirror.name(held.message)
            if name in self._held or self.builder.live(span) is None:
                continue
            self._held[name] = held
            quote = None if held.quote is None else Quote(exact=held.quote)
            self.builder.derive(
                name,
                [span],
                held.kind,
                range=held.range,
                quote=quote,
                holder=name.partition("/")[0],
            )


def _leaves(rows: list[Row]) -> list[Row]:
    """The checkpoints without children, the newest first; ids grow with time."""
    parents = {(row.thread, row.parent) for row in rows}
    found = [row for row in rows if (row.thread, row.id) not in parents]
    return sorted(found, key=lambda row: row.id)[::-1]


def _eldest_children(rows: list[Row]) -> dict[str, str]:
    """For each checkpoint the first that followed it."""
    eldest: dict[str, str] = {}
    for row in rows:
        if row.parent is not None:
            eldest[row.parent] = min(row.id, eldest.get(row.parent, row.id))
    return eldest


def _newest_below(rows: list[Row], id: str) -> str:
    """The newest leaf that descends from a checkpoint, itself where it is one."""
    below = {id}
    for row in rows:
        if row.parent in below:
            below.add(row.id)
    parents = {row.parent for row in rows}
    return max((name for name in below if name not in parents), default=id)


def _folded(messages: list[Message], writes: list[Write]) -> list[Message]:
    """A list with what was written merged into it, as `add_messages` does."""
    result = list(messages)
    for write in writes:
        for message in messages_of(write.value) or []:
            if message.removes and message.id == REMOVE_ALL:
                result = []
            elif message.removes:
                result = [each for each in result if each.id != message.id]
            elif message.id is not None and any(each.id == message.id for each in result):
                result = [message if each.id == message.id else each for each in result]
            else:
                result.append(message)
    return result
