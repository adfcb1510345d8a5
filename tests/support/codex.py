"""Codex rollouts, made row by row as the program writes them."""

from __future__ import annotations

from typing import Any

from spanscope.importers.codex import Codex
from support.importing import Imported, import_rows

Row = dict[str, Any]


class Rollout:
    """A thread; `legacy` ones have neither ids nor ordinals, as older versions wrote."""

    def __init__(self, thread: str = "t1", *, legacy: bool = False, **meta: Any) -> None:
        self.rows: list[Row] = []
        self.ordinal = meta.pop("first", 0)
        self._legacy = legacy
        self._turns = 0
        self.row("session_meta", {"id": thread, "cli_version": "0.171.0", **meta})

    def row(self, kind: str, payload: Row, **fields: Any) -> Row:
        """Any row."""
        time = f"2026-11-11T09:{self.ordinal // 60:02}:{self.ordinal % 60:02}Z"
        row = {"timestamp": time, "type": kind, "payload": payload, **fields}
        if not self._legacy:
            row["ordinal"] = self.ordinal
        self.ordinal += 1
        self.rows.append(row)
        return row

    def item(self, payload: Row) -> Row:
        """A `response_item`; its payload."""
        if not self._legacy:
            payload = {"id": f"i{self.ordinal}", **payload}
        self.row("response_item", payload)
        return payload

    def turn(self, text: str) -> Row:
        """A turn begins with a prompt."""
        self._turns += 1
        self.row("event_msg", {"type": "task_started", "turn_id": f"turn-{self._turns}"})
        return self.message("user", text)

    def message(self, role: str, text: str) -> Row:
        """A message."""
        kind = "output_text" if role == "assistant" else "input_text"
        return self.item(
            {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        )

    def tool(self, call: str, name: str, given: str, output: str) -> Row:
        """A call and its result."""
        self.item({"type": "function_call", "call_id": call, "name": name, "arguments": given})
        return self.item({"type": "function_call_output", "call_id": call, "output": output})

    def patch(self, call: str, hunk: str, output: str) -> None:
        """An `apply_patch` of /p/a.py and what came of it."""
        text = f"*** Begin Patch\n*** Update File: a.py\n@@\n{hunk}*** End Patch\n"
        self.item(
            {"type": "custom_tool_call", "call_id": call, "name": "apply_patch", "input": text}
        )
        if output == "ok":
            diff = f"@@ -1,2 +1,2 @@\n{hunk}"
            changes = {"/p/a.py": {"type": "update", "unified_diff": diff}}
            done = {"type": "FileChange", "changes": changes, "status": "completed"}
            self.row("event_msg", {"type": "item_completed", "item": done})
        self.item({"type": "custom_tool_call_output", "call_id": call, "output": output})

    def compacted(self, message: str, history: list[Row] | None) -> None:
        """A compaction; without a history it says only its summary."""
        payload: Row = {"message": message}
        if history is not None:
            payload["replacement_history"] = history
        self.row("compacted", payload)

    def summary(self, text: str) -> Row:
        """The item that a compaction's summary becomes."""
        content = [{"type": "input_text", "text": text}]
        item: Row = {"type": "message", "role": "user", "content": content}
        return item if self._legacy else {"id": f"s{self.ordinal}", **item}

    def imported(self) -> Imported:
        """The thread as a journal."""
        return import_rows(Codex(), self.rows)
