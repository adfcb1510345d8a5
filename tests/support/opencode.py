"""opencode databases, made event by event as the program writes them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

TABLES = """
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, time_updated INTEGER NOT NULL);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, data TEXT NOT NULL);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT NOT NULL);
"""
EVENTS = """
CREATE TABLE event (
    id TEXT PRIMARY KEY, aggregate_id TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL,
    data TEXT NOT NULL);
"""
START = 1_795_990_038_000
Row = dict[str, Any]


class Database:
    """A database; `old` ones have no event log, only the last state of each part."""

    def __init__(self, path: Path, *, old: bool = False) -> None:
        self.path = path
        self._old = old
        self._count = 0
        self._seqs: dict[str, int] = {}
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(TABLES if old else TABLES + EVENTS)

    def session(self, id: str = "ses_1", parent: str | None = None) -> Session:
        """A session, newer than those before it."""
        self._count += 1
        self.execute("INSERT INTO session VALUES (?, ?, ?)", id, parent, self._count)
        return Session(self, id)

    def execute(self, query: str, *values: Any) -> None:
        """Run a statement."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(query, values)

    def event(self, session: str, kind: str, data: Row) -> int:
        """Log an event; its time."""
        self._count += 1
        seq = self._seqs[session] = self._seqs.get(session, -1) + 1
        if not self._old:
            values = (f"evt_{self._count:06}", session, seq, f"{kind}.1", json.dumps(data))
            self.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", *values)
        return START + 1000 * self._count

    @property
    def now(self) -> int:
        """Milliseconds since 1970."""
        return START + 1000 * self._count


class Session:
    """One session of a database."""

    def __init__(self, database: Database, id: str) -> None:
        self.database = database
        self.id = id
        self._messages = 0
        self._parts = 0
        self.log("session.created", {"info": {"id": id}})

    def log(self, kind: str, data: Row) -> None:
        """Any event."""
        self.database.event(self.id, kind, data)

    def message(self, role: str, id: str | None = None, **fields: Any) -> str:
        """A message comes or changes; its id."""
        self._messages += id is None
        name = id or f"msg_{self.id}_{self._messages:03}"
        times = {"created": self.database.now, **fields.pop("time", {})}
        info = {"role": role, "time": times, **fields}
        self.log("message.updated", {"info": {"id": name, **info}})
        query = "INSERT OR REPLACE INTO message VALUES (?, ?, ?)"
        self.database.execute(query, name, self.id, json.dumps(info))
        return name

    def part(self, message: str, kind: str, id: str | None = None, **fields: Any) -> str:
        """A part comes or changes; its id."""
        self._parts += id is None
        name = id or f"prt_{self.id}_{self._parts:03}"
        part = {"type": kind, **fields}
        whole = {"id": name, "messageID": message, **part}
        self.log("message.part.updated", {"part": whole, "time": self.database.now})
        query = "INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?)"
        self.database.execute(query, name, message, self.id, json.dumps(part))
        return name

    def user(self, text: str) -> str:
        """A prompt; its message's id."""
        message = self.message("user")
        self.part(message, "text", text=text)
        return message

    def says(self, text: str) -> str:
        """A message of the model that only says something."""
        message = self.message("assistant")
        part = self.part(message, "text", text="")
        self.part(message, "text", part, text=text)
        return message

    def tool(self, name: str, output: str | None, **given: Any) -> str:
        """A message of the model that calls a tool; the part's id. No output: it failed."""
        message = self.message("assistant")
        part = self.part(message, "tool", tool=name, state={"status": "pending", "input": {}})
        self.part(message, "tool", part, tool=name, state={"status": "running", "input": given})
        self.finish(message, part, name, given, output)
        return part

    def finish(
        self, message: str, part: str, tool: str, given: Row, output: str | None, **more: Any
    ) -> None:
        """The tool is done, or has failed with `error`."""
        state = {"status": "completed" if output is not None else "error", "input": given, **more}
        if output is not None:
            state["output"] = output
        self.part(message, "tool", part, tool=tool, state=state)
