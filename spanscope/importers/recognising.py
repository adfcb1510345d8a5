"""By what a row of a file is known to be a format's; what translates it is not loaded."""

from __future__ import annotations

from spanscope.importers import claude_rows
from spanscope.importers.codex_rows import KINDS
from spanscope.importers.request_rows import is_message, is_request


def is_claude_code(row: object) -> bool:
    """Whether a row is a transcript's."""
    return claude_rows.looks_like(row)


def is_codex(row: object) -> bool:
    """Whether a row is a rollout's: a kind and a payload."""
    if not isinstance(row, dict):
        return False
    kind = row.get("type")
    return isinstance(kind, str) and kind in KINDS and isinstance(row.get("payload"), dict)


def is_gemini(row: object) -> bool:
    """Whether a row is a chat's: its header, a record of the model, or a change."""
    if not isinstance(row, dict):
        return False
    if "$set" in row or "$rewindTo" in row:
        return True
    if "sessionId" in row and "projectHash" in row:
        return True
    return row.get("type") == "gemini" and "id" in row and "content" in row


def is_otel(row: object) -> bool:
    """Whether a row is OTLP, or a span of it."""
    return isinstance(row, dict) and (
        "resourceSpans" in row or "resourceLogs" in row or ("traceId" in row and "spanId" in row)
    )


def is_requests(row: object) -> bool:
    """Whether a row is a request or a message, as some rows of other logs may be too."""
    return is_request(row) or is_message(row)
