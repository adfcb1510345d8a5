"""One rich session of each format, for what all importers must stand."""

from __future__ import annotations

import json
from typing import Any

from spanscope.importers.claude_code import ClaudeCode
from spanscope.importers.codex import Codex
from spanscope.importers.gemini import Gemini
from spanscope.importers.lines import LineImporter
from spanscope.importers.otel import Otel
from spanscope.importers.requests import Requests
from support.claude import Transcript
from support.codex import Rollout
from support.gemini import Chat, call, edited


def claude_rows() -> list[Any]:
    """Edits, refusals, sub-agents, requests, compactions and rewinds of Claude Code."""
    session = Transcript()
    session.user("Change alpha")
    session.read("t1", "/p/a.py", "alpha = 1\nbeta = 2\n")
    session.edit("t2", "/p/a.py", "alpha = 1\nbeta = 2\n", "alpha = 1", "alpha = 10", message="m1")
    error = "String to replace not found in file."
    main = session.refused("t3", "/p/a.py", "alpha = 1\n", "alpha = 9\n", error)
    side = {"isSidechain": True, "agentId": "abc"}
    session.user("Search", parent=None, **side)
    session.says("Found it.", "m7", **side)
    session.request([{"role": "user", "content": "Change alpha"}])
    session.says("Done.", "m8", parent=main, requestRef="req_11")
    kept = session.head or ""
    session.compaction("Alpha is 10 now.", [kept])
    session.user("Go on")
    session.says("Gone on.", "m9")
    session.user("Back", parent=kept)
    session.user("Far back", parent=main)
    session.compaction("Nothing is left.")
    return session.rows


def request_rows() -> list[Any]:
    """A clearing, a compaction, a second conversation and three shapes of requests."""
    call = {"id": "c1", "type": "function", "function": {"name": "grep", "arguments": '{"q":1}'}}
    start: list[dict[str, Any]] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Find it"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "a.py:1"},
    ]
    cleared = [*start[:3], {**start[3], "content": "[cleared]"}, user("Go on")]
    reply = {"choices": [{"message": {"role": "assistant", "content": "Here."}}], "id": "r1"}
    anthropic = {"system": "Be brief.", "messages": [user("Other talk")], "model": "x"}
    responses = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
        {"type": "function_call", "call_id": "f1", "name": "ls", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "f1", "output": "a b"},
    ]
    return [
        {"messages": start, "response": reply, "timestamp": 1757015025.9, "tools": [{"name": "x"}]},
        {"request": {"body": {"messages": cleared}}, "timestamp": 1757015026.9},
        {"messages": [start[0], user("Summary: it was found."), user("Go on")]},
        {"body": anthropic, "response": {"content": [{"type": "text", "text": "Hello."}]}},
        {"model": "y", "input": responses, "output": [{"type": "message", "content": "Yes"}]},
        [user("Hi"), {"role": "assistant", "content": "Hello"}],
    ]


def codex_rows() -> list[Any]:
    """Patches, a compaction and turns taken back in Codex."""
    thread = Rollout()
    thread.turn("Change alpha")
    thread.message("assistant", "I look.")
    thread.tool("c1", "exec_command", '{"cmd": "ls"}', "a.py")
    thread.patch("c2", "-alpha = 1\n+alpha = 10\n beta = 2\n", "ok")
    error = "apply_patch verification failed: Failed to find expected lines in /p/a.py:\nalpha = 1"
    thread.patch("c3", "-alpha = 1\n+alpha = 3\n", error)
    prompt = next(r["payload"] for r in thread.rows if r["payload"].get("role") == "user")
    thread.compacted("Done.", [prompt, thread.summary("Done.")])
    thread.turn("Second")
    thread.turn("Third")
    thread.row("event_msg", {"type": "thread_rolled_back", "num_turns": 2})
    thread.turn("Fourth")
    base = {"thread_id": "t1", "end_ordinal_exclusive": 6, "end_byte_offset": 0}
    thread.row("session_meta", {"id": "t1", "history_base": base})
    thread.item({"type": "reasoning", "summary": [], "encrypted_content": "xyz"})
    return thread.rows


def gemini_rows() -> list[Any]:
    """Records written again, lists set, edits and rewinds of Gemini."""
    chat = Chat()
    first = chat.user("u1", "Change alpha")
    chat.says("g1", "", call("c1", "ls"))
    second = chat.says("g1", "", call("c1", "ls", "a.py"))
    chat.says("g2", "", edited("c2", "a = 1\n", "a = 2\n", old_string="1", new_string="2"))
    failed = {"error": "0 occurrences found"}
    given = {"file_path": "/p/a.py", "old_string": "3", "new_string": "4"}
    chat.says("g3", "Hm", call("c3", "replace", args=given, status="error", result=[failed]))
    summary = {"id": "s1", "type": "user", "content": "Summary"}
    chat.set(summary, {**summary, "content": "Other"}, second)
    chat.header()
    chat.set(first)
    chat.set(first, second)
    chat.user("u2", "Go on")
    chat.rewind("u2")
    chat.rewind("nowhere")
    chat.user("u3", "New")
    return chat.rows


def otel_rows() -> list[Any]:
    """A trace in both vocabularies."""

    def span(start: int, **found: Any) -> dict[str, Any]:
        given = [{"key": k, "value": {"stringValue": v}} for k, v in found.items()]
        ids = {"traceId": "t1", "spanId": f"s{start}", "startTimeUnixNano": str(start)}
        return {**ids, "attributes": given}

    asked = [{"role": "user", "parts": [{"type": "text", "content": "How long?"}]}]
    genai = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(asked)}
    flat = {
        "openinference.span.kind": "LLM",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "How long?",
        "llm.input_messages.1.message.tool_calls.0.tool_call.id": "c1",
        "llm.input_messages.1.message.role": "assistant",
        "llm.output_messages.0.message.content": "90 days",
    }
    spans = [span(2, **flat), span(1, **genai)]

    def logged(name: str, body: dict[str, Any]) -> dict[str, Any]:
        values = [{"key": k, "value": {"stringValue": v}} for k, v in body.items()]
        ids = {"traceId": "t1", "spanId": "s4", "timeUnixNano": "4", "eventName": f"gen_ai.{name}"}
        return {**ids, "body": {"kvlistValue": {"values": values}}}

    records = [
        logged("user.message", {"content": "And where?"}),
        logged("tool.message", {"content": "a.py", "id": "c1"}),
        logged("choice", {"index": "0"}),
    ]
    return [
        {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]},
        span(3, **genai),
        {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]},
    ]


def user(text: str) -> dict[str, Any]:
    """A user's message."""
    return {"role": "user", "content": text}


RICH: list[tuple[type[LineImporter], list[Any]]] = [
    (ClaudeCode, claude_rows()),
    (Codex, codex_rows()),
    (Gemini, gemini_rows()),
    (Otel, otel_rows()),
    (Requests, request_rows()),
]
