"""The parts of opencode's messages, as spans."""

from __future__ import annotations

from spanscope.importers.blocks import THINKING, block_of, call_text
from spanscope.importers.builder import Wanted
from spanscope.importers.values import Row, mapping, string


def spans_of(part: Row, id: str, role: str, *, summary: bool) -> list[Wanted] | None:
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
        return [Wanted(id, "[compaction asked for]", role, None, "compaction")]
    if kind == "patch":
        return []
    if kind == "file":
        return [Wanted(id, _file(part), role)]
    return _tool_spans(part, id) if kind == "tool" else None


def _file(part: Row) -> str:
    url = string(part, "url") or ""
    if url.startswith("data:"):
        return block_of({"type": "image_url", "image_url": url}).text
    return f"[file {string(part, 'filename') or url or 'without a name'}]"


def _tool_spans(part: Row, id: str) -> list[Wanted]:
    """The call once its input is there, and the result once it is done."""
    state = mapping(part, "state")
    status = string(state, "status")
    if status not in ("running", "completed", "error"):
        return []
    call = call_text(string(part, "tool"), state.get("input"))
    found = [Wanted(id, call, "assistant", None, "tool-call")]
    output = string(state, "output") if status == "completed" else string(state, "error")
    if status != "running":
        found.append(Wanted(f"{id}/result", output or "", "tool", id, "tool-result"))
    return found
