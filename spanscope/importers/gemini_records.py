"""What the records of a Gemini CLI chat say, as spans.

A call and its result stand in the record's `toolCalls`, or as parts of a content. The user's record
after a call repeats the result that `toolCalls` told: that is one result. Where no `toolCalls` told
it, as in the list that a resume makes, the model is given what stands there twice.
"""

from __future__ import annotations

from typing import Any, Final

from spanscope.importers.blocks import call_text, result_text
from spanscope.importers.builder import Wanted
from spanscope.importers.values import Row, compact, mapping, objects, string

_PARTS: Final = ("functionCall", "functionResponse")


class Records:
    """Tells the spans of each record; knows which record told a call's result."""

    def __init__(self) -> None:
        self.shared = False
        """Whether two records ever named one span."""
        self._of: dict[str, str] = {}
        self._by_calls: dict[str, str] = {}
        self._by_content: dict[str, str] = {}

    def forget(self) -> None:
        """Another list of records begins."""
        self._by_calls, self._by_content = {}, {}

    def spans(self, row: Row, id: str, kind: str) -> list[Wanted]:
        """A record's text, then its calls, then their results."""
        calls: dict[str, Wanted] = {}
        results: dict[str, Wanted] = {}
        parts = [part for part in objects(row, "content") if any(map(part.get, _PARTS))]
        # Where the content has the calls, other records have the results.
        split = any("functionCall" in part for part in parts)
        for number, call in enumerate(objects(row, "toolCalls")):
            name = string(call, "id") or f"{id}/{number}"
            calls[f"{name}/call"] = _call(name, call)
            told = split or name in self._by_content
            if call.get("result") is not None and not told:
                self._by_calls[name] = id
                results[name] = _result(f"{name}/result", name, output(call["result"]))
        for number, part in enumerate(parts):
            call, response = mapping(part, "functionCall"), mapping(part, "functionResponse")
            name = string(call or response, "id") or f"{id}/{number}"
            if call:
                calls.setdefault(f"{name}/call", _call(name, call))
            elif name not in self._by_calls:
                first = self._by_content.setdefault(name, id) == id
                span = f"{name}/result" if first else f"{id}/{name}"
                results[name] = _result(span, name, output(part))
        text = text_of(row.get("content"))
        said = [Wanted(id, text, "user" if kind == "user" else "assistant")] if text else []
        found = [*said, *calls.values(), *results.values()]
        if any(self._of.setdefault(wanted.span, id) != id for wanted in found):
            self.shared = True
        return found


def _call(name: str, call: Row) -> Wanted:
    said = call_text(string(call, "name"), call.get("args"))
    return Wanted(f"{name}/call", said, "assistant", None, "tool-call")


def _result(span: str, name: str, text: str) -> Wanted:
    return Wanted(span, text, "tool", f"{name}/call", "tool-result")


def text_of(content: object) -> str:
    """What a record's content says beside calls and results: a text, or parts."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    parts = content if isinstance(content, list) else [content]
    return "\n".join(
        string(part, "text") or (part if isinstance(part, str) else compact(part))
        for part in parts
        if not any(mapping(part, name) for name in _PARTS)
    )


def output(result: Any) -> str:
    """What a tool gave back: the output or error of its function response."""
    texts = []
    for part in result if isinstance(result, list) else [result]:
        response = mapping(mapping(part, "functionResponse"), "response")
        said = response.get("output", response.get("error"))
        texts.append(result_text(part if said is None else said))
    return "\n".join(texts)
