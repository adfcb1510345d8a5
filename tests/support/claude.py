"""Claude Code transcripts, made row by row as the program writes them."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from spanscope.importers.claude_code import ClaudeCode
from support.importing import Imported, import_rows

Row = dict[str, Any]
START = datetime(2026, 11, 11, 9, tzinfo=UTC)


class Transcript:
    """A session; each method adds rows and returns the uuid of the last."""

    def __init__(self, session: str = "s1") -> None:
        self.rows: list[Row] = []
        self.head: str | None = None
        self._session = session
        self._count = 0
        self._requests: list[str] = []

    def add(self, kind: str, *, parent: Any = ..., uuid: str | None = None, **fields: Any) -> str:
        """A row in the chain, after the last one unless a parent is given."""
        self._count += 1
        name = uuid or f"{kind[0]}{self._count}"
        row = {
            "type": kind,
            "uuid": name,
            "parentUuid": self.head if parent is ... else parent,
            "isSidechain": False,
            "sessionId": self._session,
            "timestamp": self.time(),
            "version": "2.1.332",
            **fields,
        }
        self.rows.append(row)
        self.head = name
        return name

    def time(self) -> str:
        """A second later at every row."""
        moment = START + timedelta(seconds=self._count)
        return moment.isoformat().replace("+00:00", "Z")

    def user(self, text: str, **fields: Any) -> str:
        """A prompt."""
        return self.add("user", message={"role": "user", "content": text}, **fields)

    def says(self, text: str, message: str | None = None, **fields: Any) -> str:
        """One text block of the model."""
        return self._block({"type": "text", "text": text}, message, **fields)

    def calls(self, id: str, name: str, message: str | None = None, **arguments: Any) -> str:
        """One tool call of the model."""
        block = {"type": "tool_use", "id": id, "name": name, "input": arguments}
        return self._block(block, message)

    def _block(self, block: Row, message: str | None, **fields: Any) -> str:
        name = message or f"msg_{self._count}"
        content = {"id": name, "role": "assistant", "content": [block], "model": "claude-x"}
        return self.add("assistant", message=content, **fields)

    def result(self, id: str, text: str, *, error: bool = False, **fields: Any) -> str:
        """What a tool gave back."""
        block: Row = {"type": "tool_result", "tool_use_id": id, "content": text}
        if error:
            block["is_error"] = True
        return self.add("user", message={"role": "user", "content": [block]}, **fields)

    def tool(
        self, id: str, name: str, text: str, *, message: str | None = None, **arguments: Any
    ) -> str:
        """A call and its result."""
        self.calls(id, name, message, **arguments)
        return self.result(id, text)

    def read(self, id: str, path: str, content: str) -> str:
        """A file read whole."""
        count = content.count("\n") + 1
        file = {"filePath": path, "content": content, "numLines": count, "startLine": 1}
        self.calls(id, "Read", file_path=path)
        shown = {"type": "text", "file": {**file, "totalLines": count}}
        return self.result(id, content, toolUseResult=shown)

    def edit(self, id: str, path: str, before: str, old: str, new: str, **more: Any) -> str:
        """An edit that was done."""
        self.calls(id, "Edit", file_path=path, old_string=old, new_string=new)
        done = {"filePath": path, "oldString": old, "newString": new, "originalFile": before}
        return self.result(id, "done", toolUseResult={**done, "structuredPatch": [], **more})

    def refused(self, id: str, path: str, old: str, new: str, error: str) -> str:
        """An edit that the tool refused."""
        self.calls(id, "Edit", file_path=path, old_string=old, new_string=new)
        text = f"<tool_use_error>{error}</tool_use_error>"
        return self.result(id, text, error=True, toolUseResult=f"Error: {error}")

    def compaction(self, summary: str, preserved: list[str] | None = None, **fields: Any) -> str:
        """A boundary and its summary; `preserved` rows are named, as newer versions do."""
        facts: Row = {"trigger": "auto"}
        if preserved is not None:
            facts["preservedMessages"] = {"uuids": preserved, "allUuids": preserved}
        self.add(
            "system",
            subtype="compact_boundary",
            logicalParentUuid=self.head,
            parent=None,
            compactMetadata=facts,
        )
        return self.user(summary, isCompactSummary=True, **fields)

    def request(self, messages: list[Row], blobs: bool = True) -> None:
        """A logged request: all its messages in the tail."""
        tail = []
        for message in messages:
            name = digest(message)
            tail.append(name)
            if blobs:
                row = {"type": "api-request-blob", "hash": name, "message": message}
                self.rows.append({**row, "sessionId": self._session})
        self.rows.append(
            {
                "type": "api-request",
                "id": f"req_{len(self.rows)}",
                "timestamp": self.time(),
                "sessionId": self._session,
                "querySource": "sdk",
                "keep": 0,
                "tail": tail,
            }
        )

    def imported(self) -> Imported:
        """The session as a journal."""
        return import_rows(ClaudeCode(), self.rows)


def digest(message: Row) -> str:
    """How the request journal names a message."""
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    text = json.dumps(
        {**message, "content": blocks}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return hashlib.sha256(text.encode()).hexdigest()
