"""By what the first rows of a file are known to be a format's; what translates it is not loaded."""

from __future__ import annotations

from typing import Any

from spanscope.importers import claude_rows
from spanscope.importers.codex_rows import KINDS
from spanscope.importers.request_rows import is_message, is_request
from spanscope.importers.values import Row, string


def is_claude_code(rows: list[Any]) -> bool:
    """Whether rows are a transcript's."""
    return any(claude_rows.looks_like(row) for row in rows)


def is_codex(rows: list[Any]) -> bool:
    """Whether rows are a rollout's: a kind and a payload each."""
    return any(
        isinstance(row, dict)
        and string(row, "type") in KINDS
        and isinstance(row.get("payload"), dict)
        for row in rows
    )


def is_gemini(rows: list[Any]) -> bool:
    """Whether rows are a chat's: its header, a record of the model, or a change."""
    return any(isinstance(row, dict) and _is_chat(row) for row in rows)


def _is_chat(row: Row) -> bool:
    if "$set" in row or "$rewindTo" in row:
        return True
    if "sessionId" in row and "projectHash" in row:
        return True
    return row.get("type") == "gemini" and "id" in row and "content" in row


def is_otel(rows: list[Any]) -> bool:
    """Whether rows are OTLP, or spans of it."""
    return any(
        isinstance(row, dict)
        and (
            "resourceSpans" in row
            or "resourceLogs" in row
            or ("traceId" in row and "spanId" in row)
        )
        for row in rows
    )


def is_requests(rows: list[Any]) -> bool:
    """Whether rows are requests or messages, as most of the first ones are."""
    known = sum(is_request(row) or is_message(row) for row in rows)
    return known > 0 and 2 * known >= len(rows)
