"""Gemini CLI chats, made row by row as the program writes them."""

from __future__ import annotations

from typing import Any

from spanscope.importers.gemini import Gemini
from support.importing import Imported, import_rows

Row = dict[str, Any]


class Chat:
    """A chat file."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.header()

    def header(self) -> None:
        """The first row of a chat, written again when it is resumed."""
        start = "2026-11-11T09:00:00.000Z"
        self.rows.append({"sessionId": "g1", "projectHash": "abc", "startTime": start})

    def record(self, id: str, kind: str, content: Any, **fields: Any) -> Row:
        """A record, or the same one again."""
        time = f"2026-11-11T09:00:{len(self.rows) % 60:02}Z"
        row = {"id": id, "timestamp": time, "type": kind, "content": content, **fields}
        self.rows.append(row)
        return row

    def user(self, id: str, text: str) -> Row:
        """A prompt."""
        return self.record(id, "user", [{"text": text}])

    def says(self, id: str, text: str, *calls: Row) -> Row:
        """What the model says and calls."""
        return self.record(id, "gemini", text, **({"toolCalls": list(calls)} if calls else {}))

    def set(self, *messages: Row) -> None:
        """The whole context is this list."""
        self.rows.append({"$set": {"messages": list(messages)}})

    def rewind(self, id: str) -> None:
        """The context is cut from a record on."""
        self.rows.append({"$rewindTo": id})

    def imported(self) -> Imported:
        """The chat as a journal."""
        return import_rows(Gemini(), self.rows)


def call(id: str, name: str, output: str | None = None, **fields: Any) -> Row:
    """A tool call, with its result once it has one."""
    made: Row = {"id": id, "name": name, "args": {}, "status": "success", **fields}
    if output is not None:
        response = {"functionResponse": {"id": id, "name": name, "response": {"output": output}}}
        made["result"] = [response]
    return made


def edited(id: str, before: str | None, after: str, **given: Any) -> Row:
    """A finished edit of /p/a.py."""
    shown = {"fileName": "a.py", "originalContent": before, "newContent": after}
    return call(id, "replace", "ok", args={"file_path": "/p/a.py", **given}, resultDisplay=shown)
