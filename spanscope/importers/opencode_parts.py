"""The parts of opencode's messages, as spans."""

from __future__ import annotations

from typing import Any, Final

from spanscope.importers.blocks import THINKING, block_of, call_text
from spanscope.importers.builder import Wanted
from spanscope.importers.values import Row, mapping, string

QUESTION: Final = "What did we do so far?"
"""What opencode shows of a compaction that was asked for."""

Said = dict[str, tuple[str | None, Any, str]]
"""The tool, the input and the text of each call, by part: it is told again with every state."""


def spans_of(part: Row, id: str, role: str, said: Said, *, summary: bool) -> list[Wanted] | None:
    """What the model is shown of a part; null where its type is not known.

    Nothing is shown of an empty text and of a tool that has not started. `summary`: it is part
    of the message that a compaction made.
    """
    kind, text = string(part, "type"), string(part, "text") or ""
    if kind == "text":
        shown = bool(text) and part.get("ignored") is not True
        return [Wanted(id, text, role, None, "summary" if summary else None)] if shown else []
    if kind == "reasoning":
        return [Wanted(id, text, role, None, THINKING)] if text else []
    if kind == "compaction":
        return [Wanted(id, QUESTION, role, None, "compaction")]
    if kind == "patch":
        return []
    if kind == "file":
        return [Wanted(id, _file(part), role)]
    return _tool_spans(part, id, said) if kind == "tool" else None


def _file(part: Row) -> str:
    url = string(part, "url") or ""
    if url.startswith("data:"):
        return block_of({"type": "image_url", "image_url": url}).text
    return f"[file {string(part, 'filename') or url or 'without a name'}]"


def _tool_spans(part: Row, id: str, said: Said) -> list[Wanted]:
    """The call once its input is there, and the result once it is done."""
    state = mapping(part, "state")
    status = string(state, "status")
    if status not in ("running", "completed", "error"):
        return []
    call = _call(string(part, "tool"), state.get("input"), id, said)
    found = [Wanted(id, call, "assistant", None, "tool-call")]
    output = string(state, "output") if status == "completed" else string(state, "error")
    if status != "running":
        found.append(Wanted(f"{id}/result", output or "", "tool", id, "tool-result"))
    return found


def _call(tool: str | None, given: object, id: str, said: Said) -> str:
    before = said.get(id)
    if before is not None and before[:2] == (tool, given):
        return before[2]
    text = call_text(tool, given)
    said[id] = (tool, given, text)
    return text
