"""Reading the rows of opencode's database: its event log, or the last state without one."""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from spanscope.importers.rows import NOTHING, decode
from spanscope.importers.summary import Summary
from spanscope.importers.values import Row

NO_LOG: Final = "there is no event log: only the last state of each part is known"


class Logged(NamedTuple):
    """An event of one session, in the order of all."""

    order: str
    session: str
    seq: int
    kind: str
    data: Row


def events_of(
    connection: sqlite3.Connection, session: str, after: int, summary: Summary
) -> Iterator[Logged]:
    """The event log of a session beyond a seq; ids of events grow with time."""
    query = """
        SELECT id, seq, type, CAST(data AS BLOB) FROM event
        WHERE aggregate_id = ? AND seq > ? ORDER BY seq
    """
    order = ""
    for id, seq, kind, data in connection.execute(query, (session, after)):
        if not isinstance(seq, int) or seq <= after:
            continue
        found = _object(data)
        if not isinstance(id, str):
            id = str(id)  # noqa: PLW2901 only damaged logs have others
        order = max(order, id)
        summary.rows += 1
        if found is None:
            summary.unreadable += 1
        else:
            yield Logged(order, session, seq, _kind(kind), found)


def last_state_of(
    connection: sqlite3.Connection, session: str, known: Container[str], summary: Summary
) -> Iterator[Logged]:
    """The last state of a session's messages, as if each had been written just so."""
    summary.note(NO_LOG)
    messages = "SELECT id, data FROM message WHERE session_id = ? ORDER BY id"
    parts = "SELECT id, data FROM part WHERE message_id = ? ORDER BY id"
    for id, data in connection.execute(messages, (session,)).fetchall():
        summary.rows += 1
        info = _object(data)
        if info is None or str(id) in known:
            continue
        yield Logged(str(id), session, 0, "message.updated", {"info": {**info, "id": str(id)}})
        for part, held in connection.execute(parts, (id,)).fetchall():
            summary.rows += 1
            found = {**(_object(held) or {}), "id": str(part), "messageID": str(id)}
            yield Logged(str(id), session, 0, "message.part.updated", {"part": found})


@lru_cache(64)
def _kind(name: object) -> str:
    """The kind of an event, without its version."""
    return str(name).rstrip("0123456789").rstrip(".")


def _object(data: Any) -> Row | None:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    found = decode(raw) if isinstance(raw, bytes) else NOTHING
    if found is NOTHING and isinstance(raw, bytes):
        found = decode(raw.decode("utf-8", "replace").encode())
    return found if isinstance(found, dict) else None
