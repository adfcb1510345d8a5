"""LangGraph checkpoints in SQLite, made as the library stores them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec.msgpack import Ext

TABLES = """
CREATE TABLE checkpoints (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
    parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
CREATE TABLE writes (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
    task_id TEXT NOT NULL, task_path TEXT NOT NULL DEFAULT '', idx INTEGER NOT NULL,
    channel TEXT NOT NULL, type TEXT, value BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));
"""
Messages = Sequence[Ext]


def message(kind: str, id: str | None, content: Any, **fields: Any) -> Ext:
    """A message as the serializer packs it: its class by name, never to be imported."""
    name = f"{kind.capitalize()}Message" if kind != "ai" else "AIMessage"
    dump = {"content": content, "type": kind, "id": id, **fields}
    made = [f"langchain_core.messages.{kind}", name, dump, "model_validate_json"]
    return Ext(5, msgspec.msgpack.encode(made))


def human(id: str, text: str, **fields: Any) -> Ext:
    """What a person says."""
    return message("human", id, text, **fields)


def ai(id: str, text: str, *calls: str) -> Ext:
    """What the model says and calls."""
    asked = [{"name": "grep", "args": {}, "id": call, "type": "tool_call"} for call in calls]
    return message("ai", id, text, tool_calls=asked)


def tool(id: str, call: str, text: str) -> Ext:
    """What a tool gave back."""
    return message("tool", id, text, tool_call_id=call)


def removal(id: str) -> Ext:
    """The instruction to take a message out."""
    return message("remove", id, "")


class Thread:
    """A thread's database; each step adds a checkpoint and the writes that led to it."""

    def __init__(self, path: Path, name: str = "t1") -> None:
        self.path = path
        self.name = name
        self.last: str | None = None
        self._count = 0
        if not path.exists():
            with closing(sqlite3.connect(path)) as connection:
                connection.executescript(TABLES)

    def step(
        self,
        values: Mapping[str, Any],
        writes: Sequence[tuple[str, str, Any]] = (),
        *,
        parent: Any = ...,
        source: str = "loop",
        namespace: str = "",
    ) -> str:
        """A checkpoint with these channel values, and what was written before it.

        `writes`: (node or path of a task, channel, value).
        """
        self._count += 1
        id = f"1f1ec3c7-{self._count:04}"
        before = self.last if parent is ... else parent
        checkpoint = {
            "v": 4,
            "id": id,
            "ts": f"2026-11-11T09:00:{self._count:02}.000000+00:00",
            "channel_values": dict(values),
            "channel_versions": dict.fromkeys(values, "1"),
        }
        data = msgspec.msgpack.encode(checkpoint)
        facts = json.dumps({"source": source, "step": self._count}).encode()
        row = (self.name, namespace, id, before, "msgpack", data, facts)
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            for number, (node, channel, value) in enumerate(writes):
                packed = msgspec.msgpack.encode(value)
                path = node if node.startswith("~") else f"~__pregel_pull, {node}"
                task = (f"task-{node}", path, number)
                connection.execute(
                    "INSERT INTO writes VALUES (?, '', ?, ?, ?, ?, ?, ?, ?)",
                    (self.name, before or "", *task, channel, "msgpack", packed),
                )
        self.last = id
        return id

    def says(self, messages: Messages, **values: Any) -> str:
        """A checkpoint whose messages are these, written by one node."""
        written = [("node", "messages", list(messages))]
        return self.step({"messages": list(messages), **values}, written)
