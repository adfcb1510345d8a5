"""The formats that can be imported: one class each, recognised by content, never by name."""

from __future__ import annotations

from typing import Any, Final

from spanscope.importers.claude_code import ClaudeCode
from spanscope.importers.codex import Codex
from spanscope.importers.databases import DatabaseImporter
from spanscope.importers.gemini import Gemini
from spanscope.importers.langgraph import LangGraph
from spanscope.importers.lines import LineImporter
from spanscope.importers.opencode import OpenCode
from spanscope.importers.otel import Otel
from spanscope.importers.requests import Requests
from spanscope.importers.rows import BOM, NOTHING, decode

LINE_FORMATS: Final[tuple[type[LineImporter], ...]] = (ClaudeCode, Codex, Gemini, Otel, Requests)
DATABASE_FORMATS: Final[tuple[type[DatabaseImporter], ...]] = (LangGraph, OpenCode)
LOOK: Final = 1 << 20
MOST_ROWS: Final = 200


def recognise(start: bytes, *, whole: bool) -> type[LineImporter] | None:
    """The format of a file that starts so; `whole`: there is no more of it."""
    rows = first_rows(start, whole=whole)
    return next((found for found in LINE_FORMATS if found.recognises(rows)), None)


def first_rows(start: bytes, *, whole: bool) -> list[Any]:
    """The JSON values at the start of a file: its first lines, or what it says as a whole."""
    lines = start.removeprefix(BOM).split(b"\n")
    rest = lines.pop()
    if whole:
        lines.append(rest)
    values = [decode(line) for line in lines[:MOST_ROWS] if line.strip()]
    rows = [value for value in values if value is not NOTHING]
    if not rows or values[0] is NOTHING:
        document = decode(start.removeprefix(BOM)) if whole else NOTHING
        if document is not NOTHING:
            return document if isinstance(document, list) else [document]
    return rows
