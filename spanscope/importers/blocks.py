"""What a message says, block by block, as text.

Text stands as it is. A tool call is its name and its arguments as JSON, a picture is what can be
said of it in a line; what is of an unknown type stands as JSON.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final, NamedTuple

import msgspec

from spanscope.importers.rows import NOTHING, decode
from spanscope.importers.values import Row, compact, mapping, string

TEXT: Final = "text"
CALL: Final = "call"
RESULT: Final = "result"
THINKING: Final = "thinking"

_PLAIN: Final = ("text", "input_text", "output_text", "summary_text", "reasoning_text", "refusal")
_CALLS: Final = ("tool_use", "server_tool_use", "mcp_tool_use", "tool_call")
_RESULTS: Final = ("tool_result", "tool_call_response", "mcp_tool_result")


class Block(NamedTuple):
    """One block: its kind, its text, and the id that pairs a call with its result."""

    kind: str
    text: str
    pair: str | None = None


def blocks_of(content: object) -> list[Block]:
    """The blocks of a message's content: a string, or a list of blocks."""
    if isinstance(content, str):
        return [Block(TEXT, content)]
    if isinstance(content, list):
        return [block_of(item) for item in content]
    return [] if content is None else [Block(TEXT, compact(content))]


def block_of(block: object) -> Block:
    """One block in the shapes of Anthropic, OpenAI and OpenTelemetry."""
    if isinstance(block, str):
        return Block(TEXT, block)
    kind = string(block, "type") or ""
    if not isinstance(block, dict):
        return Block(TEXT, compact(block))
    if kind in _CALLS:
        return _call(block)
    if kind in _RESULTS or kind.endswith("_tool_result"):
        return _result(block)
    if kind in _PLAIN:
        return Block(TEXT, _first_text(block))
    if kind in ("thinking", "reasoning"):
        return Block(THINKING, string(block, "thinking") or _first_text(block))
    if kind == "redacted_thinking":
        return Block(THINKING, f"[redacted thinking, {len(string(block, 'data') or '')} chars]")
    if kind == "compaction" and string(block, "content") is not None:
        return Block(TEXT, string(block, "content") or "")
    if kind == "encrypted_content":
        return Block(TEXT, f"[encrypted, {len(string(block, kind) or '')} characters]")
    return Block(TEXT, _picture(block, kind) or compact(block))


def _first_text(block: Row) -> str:
    for name in ("text", "content", "refusal", "reasoning"):
        found = string(block, name)
        if found is not None:
            return found
    return compact(block)


def _call(block: Row) -> Block:
    arguments = block.get("input", block.get("arguments"))
    return Block(CALL, call_text(string(block, "name"), arguments), string(block, "id"))


def call_text(name: str | None, arguments: object) -> str:
    """A tool call as text; arguments that are JSON in a string are spelled as others are."""
    shown = _respelled(arguments) if isinstance(arguments, str) else compact(arguments)
    return f"{name or 'tool'} {shown}"


def _respelled(text: str) -> str:
    """JSON on one line, whatever blanks and escapes it came with; any other text as it is."""
    start = text.lstrip()[:1]
    if start in ("{", "[") and "\\u" not in text and "\\/" not in text:
        try:
            return msgspec.json.format(text, indent=0)
        except ValueError:
            return text
    if start not in ("{", "[", '"'):
        return text
    value = decode(text.encode("utf-8", "surrogatepass"))
    if isinstance(value, str):
        return value
    return text if value is NOTHING else compact(value)


def _result(block: Row) -> Block:
    pair = string(block, "tool_use_id") or string(block, "tool_call_id") or string(block, "id")
    content = block.get("content", block.get("response", block.get("result")))
    return Block(RESULT, result_text(content), pair)


def result_text(content: object) -> str:
    """What a tool gave back, as text."""
    if content is None:
        return ""
    if isinstance(content, list):
        return "\n".join(block_of(item).text for item in content)
    return content if isinstance(content, str) else compact(content)


def _picture(block: Row, kind: str) -> str | None:
    """A line about a picture, file or other bulk that stands in base64."""
    source = mapping(block, "source") or mapping(block, "file") or block
    data: Any = source.get("data") or source.get("file_data") or source.get("content")
    url = block.get("image_url")
    url = string(url, "url") if isinstance(url, dict) else url
    if isinstance(url, str) and url.startswith("data:"):
        data = url
    if kind not in ("image", "document", "image_url", "input_image", "blob", "input_file"):
        return None
    if not isinstance(data, str):
        return None
    what = string(source, "media_type") or string(source, "mime_type") or kind
    digest = hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[{what}, {len(data)} characters in base64, sha256 {digest[:12]}]"


def message_text(content: object) -> str:
    """All blocks of a message as one text."""
    return "\n".join(block.text for block in blocks_of(content))


def first_line(text: str) -> str:
    """The first line that says something, cut for a label."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= 80 else line[:79] + "…"
