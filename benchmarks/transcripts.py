"""Long healthy sessions of each format that can be imported, to measure with.

The same size gives the same bytes. Turns read files, edit them and run commands, and every two
hundred messages the context is compacted, as the programs do it.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.journals import prose

Row = dict[str, Any]
COMPACTED_AT = 200
"""Messages of a context before it is compacted."""

KEPT = 5
"""Messages that a compaction keeps: the last answer and whole pairs of calls and results."""


class Work:
    """What an agent does, turn by turn: texts of the sizes that real sessions have."""

    def __init__(self) -> None:
        self.chance = random.Random(7)
        self.count = 0
        self.files = [f"/p/src/module{number}.py" for number in range(20)]
        self.texts = {path: prose(self.chance, 4000) for path in self.files}

    def id(self, kind: str) -> str:
        """A new id."""
        self.count += 1
        return f"{kind}_{self.count:012}"

    @property
    def time(self) -> str:
        """Some milliseconds after the one before."""
        second, milli = divmod(self.count * 40, 1000)
        clock = f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        return f"2026-11-{11 + second // 86_400:02}T{clock}.{milli:03}Z"

    def commands(self, path: str) -> list[tuple[str, str]]:
        """A file that is shown and a test run: commands and what they say."""
        return [(f"cat {path}", self.texts[path]), ("pytest -q", prose(self.chance, 1500))]

    def edit(self, path: str) -> tuple[str, str, str]:
        """A file before an edit, what is replaced and by what; the file then holds it."""
        before = self.texts[path]
        lines = before.split("\n")
        old = self.chance.choice(lines)
        while before.count(old) != 1:
            old = self.chance.choice(lines)
        new = prose(self.chance, 80)
        self.texts[path] = before.replace(old, new)
        return before, old, new


def claude_code(path: Path, size: int) -> None:
    """A Claude Code transcript."""
    _write_lines(path, size, _claude_rows())


def _claude_rows() -> Iterator[Row]:
    work = Work()
    parent: str | None = None
    recent: list[str] = []

    def row(kind: str, **fields: Any) -> Row:
        nonlocal parent
        uuid = work.id("uuid")
        made = {
            "parentUuid": parent,
            "isSidechain": False,
            "type": kind,
            **fields,
            "uuid": uuid,
            "timestamp": work.time,
            "userType": "external",
            "entrypoint": "cli",
            "cwd": "/p",
            "sessionId": "11111111-2222-4333-8444-555555555555",
            "version": "2.1.332",
            "gitBranch": "main",
        }
        parent = uuid
        recent.append(uuid)
        return made

    def says(block: Row) -> Row:
        message = {
            "id": work.id("msg"),
            "type": "message",
            "role": "assistant",
            "model": "claude-x",
            "content": [block],
            "stop_reason": None,
            "usage": {"input_tokens": 4, "cache_read_input_tokens": 21_312, "output_tokens": 210},
        }
        return row("assistant", message=message, requestId=work.id("req"))

    def result(call: str, text: str, told: Row) -> Row:
        block = {"tool_use_id": call, "type": "tool_result", "content": text}
        message = {"role": "user", "content": [block]}
        return row("user", message=message, toolUseResult=told)

    while True:
        yield row("user", message={"role": "user", "content": prose(work.chance, 200)})
        for _ in range(6):
            path = work.chance.choice(work.files)
            text = work.texts[path]
            call = work.id("toolu")
            given = {"file_path": path}
            yield says({"type": "tool_use", "id": call, "name": "Read", "input": given})
            count = text.count("\n") + 1
            shown = {"filePath": path, "content": text, "numLines": count, "startLine": 1}
            told = {"type": "text", "file": {**shown, "totalLines": count}}
            yield result(call, text, told)
            before, old, new = work.edit(path)
            call = work.id("toolu")
            given = {"file_path": path, "old_string": old, "new_string": new}
            yield says({"type": "tool_use", "id": call, "name": "Edit", "input": given})
            told = {"filePath": path, "oldString": old, "newString": new, "originalFile": before}
            yield result(call, f"The file {path} has been updated.", told)
            call = work.id("toolu")
            given = {"command": "pytest -q"}
            yield says({"type": "tool_use", "id": call, "name": "Bash", "input": given})
            output = prose(work.chance, 1500)
            yield result(call, output, {"stdout": output, "stderr": "", "interrupted": False})
        yield says({"type": "text", "text": prose(work.chance, 600)})
        if len(recent) > COMPACTED_AT:
            kept = recent[-KEPT:]
            last, parent = parent, None
            facts = {"trigger": "auto", "preservedMessages": {"uuids": kept, "allUuids": kept}}
            what = {"subtype": "compact_boundary", "logicalParentUuid": last}
            yield row("system", **what, compactMetadata=facts)
            summary = {"role": "user", "content": prose(work.chance, 3000)}
            yield row("user", message=summary, isCompactSummary=True)
            recent.clear()


def codex(path: Path, size: int) -> None:
    """A Codex rollout."""
    _write_lines(path, size, _codex_rows())


def _codex_rows() -> Iterator[Row]:
    work = Work()
    ordinal = 0
    history: list[Row] = []

    def row(kind: str, payload: Row) -> Row:
        nonlocal ordinal
        ordinal += 1
        return {"timestamp": work.time, "ordinal": ordinal, "type": kind, "payload": payload}

    def item(payload: Row) -> Row:
        payload = {"id": work.id("item"), **payload}
        history.append(payload)
        return row("response_item", payload)

    def message(role: str, text: str) -> Row:
        kind = "output_text" if role == "assistant" else "input_text"
        return item({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})

    yield row("session_meta", {"id": "11111111-2222", "cli_version": "0.171.0", "cwd": "/p"})
    while True:
        yield row("event_msg", {"type": "task_started", "turn_id": work.id("turn")})
        yield message("user", prose(work.chance, 200))
        for _ in range(6):
            path = work.chance.choice(work.files)
            for command, output in work.commands(path):
                call = work.id("call")
                given = json.dumps({"command": ["bash", "-lc", command]})
                asked = {"type": "function_call", "name": "shell", "arguments": given}
                yield item({**asked, "call_id": call})
                yield item({"type": "function_call_output", "call_id": call, "output": output})
                counts = {"input_tokens": 4, "cached_input_tokens": 21_312, "output_tokens": 210}
                info = {"total_token_usage": counts, "last_token_usage": counts}
                yield row("event_msg", {"type": "token_count", "info": info})
            before, old, new = work.edit(path)
            first = before[: before.index(old)].count("\n") + 1
            hunk = f"-{old}\n" + "".join(f"+{line}\n" for line in new.split("\n"))
            call = work.id("call")
            patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n{hunk}*** End Patch\n"
            asked = {"type": "custom_tool_call", "name": "apply_patch", "input": patch}
            yield item({**asked, "call_id": call})
            diff = f"@@ -{first},1 +{first},{new.count(chr(10)) + 1} @@\n{hunk}"
            changes = {path: {"type": "update", "unified_diff": diff}}
            done = {"type": "FileChange", "status": "completed", "changes": changes}
            yield row("event_msg", {"type": "item_completed", "item": done})
            yield item({"type": "custom_tool_call_output", "call_id": call, "output": "Done."})
        yield message("assistant", prose(work.chance, 600))
        if len(history) > COMPACTED_AT:
            users = [each for each in history if each.get("role") == "user"][-KEPT:]
            text = prose(work.chance, 3000)
            content = [{"type": "input_text", "text": text}]
            summary = {"id": work.id("item"), "type": "message", "role": "user", "content": content}
            kept = [*users, summary]
            yield row("compacted", {"message": text, "replacement_history": kept})
            history[:] = kept


def gemini(path: Path, size: int) -> None:
    """A Gemini CLI chat."""
    _write_lines(path, size, _gemini_rows())


def _gemini_rows() -> Iterator[Row]:
    work = Work()
    context: list[Row] = []

    def record(kind: str, content: Any, **fields: Any) -> Row:
        made = {"id": work.id("rec"), "timestamp": work.time, "type": kind, "content": content}
        context.append({**made, **fields})
        return context[-1]

    def called(id: str, name: str, args: Row, output: str, **more: Any) -> Row:
        response = {"functionResponse": {"id": id, "name": name, "response": {"output": output}}}
        whole = {"id": id, "name": name, "args": args, "status": "success"}
        return {**whole, "result": [response], **more}

    yield {"sessionId": "11111111-2222", "projectHash": "abc", "startTime": work.time}
    while True:
        yield record("user", [{"text": prose(work.chance, 200)}])
        for _ in range(6):
            path = work.chance.choice(work.files)
            for command, output in work.commands(path):
                id, given = work.id("call"), {"command": command}
                first = {"id": id, "name": "run_shell_command", "args": given}
                made = record("gemini", "", toolCalls=[{**first, "status": "executing"}])
                yield made
                done = called(id, "run_shell_command", given, output)
                context[-1] = {**made, "toolCalls": [done]}
                yield context[-1]
            before, old, new = work.edit(path)
            args = {"file_path": path, "old_string": old, "new_string": new}
            shown = {"fileName": path, "originalContent": before, "newContent": work.texts[path]}
            done = called(work.id("call"), "replace", args, "Done.", resultDisplay=shown)
            yield record("gemini", "", toolCalls=[done])
        yield record("gemini", prose(work.chance, 600))
        if len(context) > COMPACTED_AT:
            summary = {"id": work.id("rec"), "type": "user", "content": prose(work.chance, 3000)}
            context[:] = [{**summary, "timestamp": work.time}, *context[-KEPT:]]
            yield {"$set": {"messages": list(context)}}


def requests(path: Path, size: int) -> None:
    """A log of requests, as a proxy writes it: each has the whole conversation again."""
    _write_lines(path, size, ({"messages": asked, **more} for asked, more in _requested()))


def otel(path: Path, size: int) -> None:
    """A trace of model calls, a span a line."""
    _write_lines(path, size, _spans())


def _spans() -> Iterator[Row]:
    for number, (messages, _) in enumerate(_requested()):
        given = [{"role": m["role"], "parts": [_part(m)]} for m in messages]
        found = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(given)}
        pairs = [{"key": name, "value": {"stringValue": value}} for name, value in found.items()]
        ids = {"traceId": "a" * 32, "spanId": f"{number:016}", "name": "chat"}
        yield {**ids, "startTimeUnixNano": str(10**18 + number), "attributes": pairs}


def _part(message: Row) -> Row:
    if message["role"] == "tool":
        told = {"id": message["tool_call_id"], "response": message["content"]}
        return {"type": "tool_call_response", **told}
    for call in message.get("tool_calls", ()):
        return {"type": "tool_call", "id": call["id"], "name": "bash", "arguments": {"c": "ls"}}
    return {"type": "text", "content": message["content"]}


def _requested() -> Iterator[tuple[list[Row], Row]]:
    work = Work()
    start = {"role": "system", "content": prose(work.chance, 2000)}
    messages: list[Row] = [start]
    while True:
        messages.append({"role": "user", "content": prose(work.chance, 200)})
        for _ in range(6):
            yield list(messages), {"model": "x", "timestamp": work.time, "id": work.id("req")}
            _, output = work.chance.choice(work.commands(work.files[0]))
            call = work.id("call")
            asked = {"name": "bash", "arguments": '{"c": "ls"}'}
            calls = [{"id": call, "type": "function", "function": asked}]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            messages.append({"role": "tool", "tool_call_id": call, "content": output})
        yield list(messages), {"model": "x", "timestamp": work.time, "id": work.id("req")}
        messages.append({"role": "assistant", "content": prose(work.chance, 600)})
        if len(messages) > COMPACTED_AT // 4:
            summary = {"role": "user", "content": prose(work.chance, 3000)}
            messages = [start, summary, *messages[-(KEPT // 2 + 1) :]]


OPENCODE = """
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, time_updated INTEGER NOT NULL);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, data TEXT NOT NULL);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT NOT NULL);
CREATE TABLE event (
    id TEXT PRIMARY KEY, aggregate_id TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL,
    data TEXT NOT NULL);
CREATE UNIQUE INDEX event_aggregate_seq_idx ON event (aggregate_id, seq);
"""


def opencode(path: Path, size: int) -> None:
    """An opencode database with its event log."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(OPENCODE)
        connection.execute("INSERT INTO session VALUES ('ses_1', NULL, 1)")
        written = 0
        for seq, (kind, data) in enumerate(_opencode_events()):
            text = json.dumps(data)
            values = (f"evt_{seq:012}", "ses_1", seq, f"{kind}.1", text)
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", values)
            written += len(text)
            if written > size:
                return


def _opencode_events() -> Iterator[tuple[str, Row]]:
    work = Work()
    messages = 0

    def message(role: str, **more: Any) -> tuple[str, tuple[str, Row]]:
        nonlocal messages
        messages += 1
        id = work.id("msg")
        info = {"id": id, "role": role, "time": {"created": 10**12 + work.count}, **more}
        return id, ("message.updated", {"info": info})

    def part(message: str, id: str, **fields: Any) -> tuple[str, Row]:
        whole = {"id": id, "messageID": message, "sessionID": "ses_1", **fields}
        return "message.part.updated", {"part": whole, "time": 10**12 + work.count}

    while True:
        id, event = message("user")
        yield event
        yield part(id, work.id("prt"), type="text", text=prose(work.chance, 200))
        for _ in range(6):
            for command, output in work.commands(work.chance.choice(work.files)):
                id, event = message("assistant")
                yield event
                name, given = work.id("prt"), {"command": command}
                pending: Row = {"status": "pending", "input": {}}
                yield part(id, name, type="tool", tool="bash", state=pending)
                running = {"status": "running", "input": given}
                yield part(id, name, type="tool", tool="bash", state=running)
                done = {"status": "completed", "input": given, "output": output}
                more = {"metadata": {"output": output, "exit": 0}}
                yield part(id, name, type="tool", tool="bash", state={**done, **more})
        id, event = message("assistant")
        yield event
        yield part(id, work.id("prt"), type="text", text=prose(work.chance, 600))
        if messages > COMPACTED_AT:
            id, event = message("user")
            yield event
            yield part(id, work.id("prt"), type="compaction", auto=True)
            id, event = message("assistant", summary=True)
            yield event
            yield part(id, work.id("prt"), type="text", text=prose(work.chance, 3000))
            times = {"created": 10**12 + work.count, "completed": 10**12 + work.count}
            info = {"id": id, "role": "assistant", "summary": True, "time": times}
            yield "message.updated", {"info": info}
            messages = 0


LANGGRAPH = """
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


def langgraph(path: Path, size: int) -> None:
    """A LangGraph checkpointer's database: every checkpoint has the whole state."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(LANGGRAPH)
        written, last = 0, None
        for number, (messages, _) in enumerate(_requested()):
            id = f"1f1ec3c7-{number:08}"
            packed = [_packed(number, m) for number, m in _numbered(messages)]
            state = {"id": id, "channel_values": {"messages": packed}}
            data = msgspec.msgpack.encode({**state, "channel_versions": {"messages": "1"}})
            row = ("t1", "", id, last, "msgpack", data, b'{"source": "loop", "step": 1}')
            connection.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            last = id
            written += len(data)
            if written > size:
                return


def _numbered(messages: list[Row]) -> Iterator[tuple[str, Row]]:
    """Messages with ids that are theirs in every list that they stand in."""
    for message in messages:
        yield f"{message['role']}-{hash_of(message)}", message


def hash_of(message: Row) -> str:
    """A short name for a message, the same in every run."""
    import hashlib

    return hashlib.sha256(json.dumps(message).encode()).hexdigest()[:16]


def _packed(id: str, message: Row) -> msgspec.msgpack.Ext:
    kinds = {"user": "human", "assistant": "ai", "tool": "tool", "system": "system"}
    kind = kinds[message["role"]]
    asked = message.get("tool_calls", ())
    calls = [{"id": call["id"], "name": "bash", "args": {"c": "ls"}} for call in asked]
    dump = {"content": message["content"] or "", "type": kind, "id": id, "tool_calls": calls}
    if kind == "tool":
        dump["tool_call_id"] = message["tool_call_id"]
    made = [f"langchain_core.messages.{kind}", "Message", dump, "model_validate_json"]
    return msgspec.msgpack.Ext(5, msgspec.msgpack.encode(made))


def _write_lines(path: Path, size: int, rows: Iterator[Row]) -> None:
    written = 0
    with path.open("wb") as stream:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
            stream.write(line)
            written += len(line)
            if written > size:
                return


MAKERS: dict[str, Callable[[Path, int], None]] = {
    "claude-code": claude_code,
    "codex": codex,
    "gemini": gemini,
    "otel": otel,
    "requests": requests,
    "opencode": opencode,
    "langgraph": langgraph,
}
