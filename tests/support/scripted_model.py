"""A model that says what a script says, behind the APIs of OpenAI, Anthropic and Google.

The real programs talk to it while they write sessions (`importers/fixtures/make_*`). Every request
that it gets is kept: that is what the model was really shown.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, NamedTuple

PROJECT = "alpha = 1\nbeta = 2\ngamma = 3\n"
"""The file a.py of the project that the sessions work on."""
LONG = 300
"""Characters of a text from which on a fixture keeps only its start and its hash."""


class Says(NamedTuple):
    """One answer: a text, calls (name, arguments; a string is a custom tool's), prompt tokens.

    A tool of a namespace is `NAMESPACE/NAME`.
    """

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    tokens: int = 100


def offers_tools(request: Any) -> str:
    """The agent's own calls are those that offer tools; others are for titles and summaries."""
    return "main" if request.get("tools") else "aside"


class ScriptedModel:
    """Answers by a script each for the agent and its sub-agents, and anything else aside.

    `choose` says whose call a request is: `main`, another script's name or `aside`.
    """

    def __init__(
        self,
        script: Iterable[Says],
        aside: str = "A summary of it all.",
        choose: Callable[[Any], str] = offers_tools,
        **others: Iterable[Says],
    ) -> None:
        self.requests: list[dict[str, Any]] = []
        self._scripts = {"main": list(script)} | {name: list(o) for name, o in others.items()}
        self._choose = choose
        self._aside = aside
        self._count = 0
        self._lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                self.answer(b'{"data": [], "models": []}', "application/json")

            def do_HEAD(self) -> None:
                self.answer(b"", "application/json")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                self.answer(*model.reply(self.path.partition("?")[0], json.loads(body)))

            def answer(self, data: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}"

    def reply(self, path: str, request: Any) -> tuple[bytes, str]:
        """The body of an answer and its type."""
        name = path.rpartition("/")[2]
        make = _APIS.get("gemini" if "enerateContent" in name else name)
        if make is None:
            return b'{"input_tokens": 100, "totalTokens": 100}', "application/json"
        with self._lock:
            self._count += 1
            self.requests.append({"path": path, **request})
            script = self._scripts.get(self._choose(request))
            says = script.pop(0) if script else Says(self._aside)
            streams = request.get("stream") or "stream" in path
            body = make(self._count, says, request)
            if not streams:
                return json.dumps(body[-1]).encode(), "application/json"
            return b"".join(map(_event, body[:-1] if len(body) > 1 else body)), "text/event-stream"


def _event(data: Any) -> bytes:
    """A server-sent event; OpenAI's last one is no JSON."""
    text = data if isinstance(data, str) else json.dumps(data)
    kind = data.get("type") if isinstance(data, dict) else None
    return (f"event: {kind}\n" if kind else "").encode() + f"data: {text}\n\n".encode()


def responses(n: int, says: Says, _: Any) -> list[Any]:
    """Events of OpenAI's Responses API, then the whole response."""
    items: list[Any] = []
    if says.text:
        content = [{"type": "output_text", "text": says.text, "annotations": []}]
        items.append({"id": f"msg_{n}", "type": "message", "role": "assistant", "content": content})
    for number, (full, given) in enumerate(says.calls):
        namespace, _, name = full.rpartition("/")
        call = {"id": f"fc_{n}{number}", "call_id": f"call_{n}{number}", "name": name}
        call |= {"namespace": namespace} if namespace else {}
        if isinstance(given, str):
            items.append({**call, "type": "custom_tool_call", "input": given})
        else:
            items.append({**call, "type": "function_call", "arguments": json.dumps(given)})
    usage = {"input_tokens": says.tokens, "output_tokens": 1, "total_tokens": says.tokens + 1}
    whole = {"id": f"resp_{n}", "output": items, "usage": usage, "status": "completed"}
    return [
        {"type": "response.created", "response": {"id": f"resp_{n}"}},
        *(
            {"type": "response.output_item.done", "output_index": index, "item": item}
            for index, item in enumerate(items)
        ),
        {"type": "response.completed", "response": whole},
        whole,
    ]


def chat(n: int, says: Says, _: Any) -> list[Any]:
    """Chunks of OpenAI's Chat Completions API, then the whole completion."""
    calls = [
        {
            "index": number,
            "id": f"call_{n}{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(given)},
        }
        for number, (name, given) in enumerate(says.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": says.text or None}
    if calls:
        message["tool_calls"] = calls
    tokens = says.tokens
    usage = {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1}
    why = "tool_calls" if calls else "stop"
    base = {"id": f"chat_{n}", "created": 1, "model": "scripted"}
    chunk = {**base, "object": "chat.completion.chunk"}
    choice = {"index": 0, "message": message, "finish_reason": why}
    return [
        {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": why}], "usage": usage},
        "[DONE]",
        {**base, "object": "chat.completion", "choices": [choice], "usage": usage},
    ]


def anthropic(n: int, says: Says, request: Any) -> list[Any]:
    """Events of Anthropic's Messages API, then the whole message."""
    blocks: list[Any] = [{"type": "text", "text": says.text}] if says.text else []
    for number, (name, given) in enumerate(says.calls):
        id = f"toolu_{n}{number}"
        blocks.append({"type": "tool_use", "id": id, "name": name, "input": given})
    why = "tool_use" if says.calls else "end_turn"
    usage = {"input_tokens": says.tokens, "output_tokens": 1}
    whole = {
        "id": f"msg_{n}",
        "type": "message",
        "role": "assistant",
        "model": request.get("model"),
        "content": blocks,
        "stop_reason": why,
        "stop_sequence": None,
        "usage": usage,
    }
    events: list[Any] = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
    ]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            empty: Any = {"text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            text = json.dumps(block["input"])
            empty = {"input": {}}
            delta = {"type": "input_json_delta", "partial_json": text}
        begun = {**block, **empty}
        events.append({"type": "content_block_start", "index": index, "content_block": begun})
        events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    stops = {"stop_reason": why, "stop_sequence": None}
    events.append({"type": "message_delta", "delta": stops, "usage": usage})
    return [*events, {"type": "message_stop"}, whole]


def gemini(_n: int, says: Says, _: Any) -> list[Any]:
    """The one chunk, which is the whole, of Google's API."""
    parts: list[Any] = [{"text": says.text}] if says.text else []
    parts += [{"functionCall": {"name": name, "args": given}} for name, given in says.calls]
    tokens = says.tokens
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 1, "totalTokenCount": tokens + 1}
    found = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return [{"candidates": [found], "usageMetadata": usage, "modelVersion": "scripted"}]


_APIS: Final = {
    "responses": responses,
    "messages": anthropic,
    "completions": chat,
    "gemini": gemini,
}


# What is kept of a run


def trimmed(value: Any) -> Any:
    """A value with its long texts cut, the same text always in the same way."""
    if isinstance(value, dict):
        return {name: trimmed(item) for name, item in value.items()}
    if isinstance(value, list):
        return [trimmed(item) for item in value]
    if isinstance(value, str) and len(value) > LONG:
        digest = hashlib.sha256(value.encode()).hexdigest()[:12]
        return f"{value[:60]} [{len(value)} characters, sha256 {digest}]"
    return value


def neutral(text: str, root: Path) -> str:
    """A text with the folder of the run called a user's home."""
    return text.replace(str(root), "/home/user")


def keep_rows(
    lines: Iterable[str],
    root: Path,
    path: Path,
    without: tuple[str, ...] = (),
    change: Callable[[Any], Any] = trimmed,
) -> None:
    """Write rows of JSON, neutral and trimmed, but those in which one of the texts stands."""
    with path.open("w", encoding="utf-8") as stream:
        for line in lines:
            if line.strip() and not any(text in line for text in without):
                row = change(json.loads(neutral(line, root)))
                stream.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


def keep_requests(model: ScriptedModel, root: Path, path: Path, names: tuple[str, ...]) -> None:
    """Write the fields of the requests that say what the model was shown."""
    kept = ({name: r[name] for name in names if name in r} for r in model.requests)
    keep_rows(map(json.dumps, kept), root, path)
