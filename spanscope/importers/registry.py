"""The formats that can be imported, recognised by content, never by name.

What translates a format is loaded only where a session of it is: see `importer`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spanscope.importers import recognising
from spanscope.importers.rows import BOM, NOTHING, closed, decode

if TYPE_CHECKING:
    import sqlite3

    from spanscope.importers.databases import DatabaseImporter
    from spanscope.importers.lines import LineImporter

LOOK: Final = 1 << 20
SHORT_LOOK: Final = 1 << 16
MOST_ROWS: Final = 200


def no_companions(_file: Path, _known: Container[Path]) -> list[Path]:
    """Most sessions are one file."""
    return []


def _sub_agents_of(file: Path, known: Container[Path]) -> list[Path]:
    from spanscope.importers.claude_companions import sub_agents_of

    return sub_agents_of(file, known)


def _rollouts_of(file: Path, known: Container[Path]) -> list[Path]:
    from spanscope.importers.codex_companions import rollouts_of

    return rollouts_of(file, known)


def _chats_below(file: Path, known: Container[Path]) -> list[Path]:
    from spanscope.importers.gemini_companions import chats_below

    return chats_below(file, known)


class LineFormat(NamedTuple):
    """A format of JSON files."""

    name: str
    title: str
    recognises: Callable[[object], bool]
    """Whether a row is of this format."""
    importer: Callable[[], type[LineImporter]]
    """Loads what translates it."""
    companions: Callable[[Path, Container[Path]], list[Path]] = no_companions
    """Files that belong to the session in a file, and are read with it; no known ones."""


class DatabaseFormat(NamedTuple):
    """A format of SQLite databases."""

    name: str
    title: str
    columns: dict[str, frozenset[str]]
    """The tables by which such a database is known, each with columns that it must have."""
    importer: Callable[[], type[DatabaseImporter]]
    """Loads what translates it."""

    def recognises(self, connection: sqlite3.Connection) -> bool:
        """Whether a database has the tables of this format."""
        from spanscope.importers.databases import columns_of

        return all(
            columns <= columns_of(connection, table) for table, columns in self.columns.items()
        )


def _claude_code() -> type[LineImporter]:
    from spanscope.importers.claude_code import ClaudeCode

    return ClaudeCode


def _codex() -> type[LineImporter]:
    from spanscope.importers.codex import Codex

    return Codex


def _gemini() -> type[LineImporter]:
    from spanscope.importers.gemini import Gemini

    return Gemini


def _otel() -> type[LineImporter]:
    from spanscope.importers.otel import Otel

    return Otel


def _requests() -> type[LineImporter]:
    from spanscope.importers.requests import Requests

    return Requests


def _langgraph() -> type[DatabaseImporter]:
    from spanscope.importers.langgraph import LangGraph

    return LangGraph


def _opencode() -> type[DatabaseImporter]:
    from spanscope.importers.opencode import OpenCode

    return OpenCode


LINE_FORMATS: Final = (
    LineFormat(
        "claude-code",
        "Claude Code transcripts (JSON Lines)",
        recognising.is_claude_code,
        _claude_code,
        _sub_agents_of,
    ),
    LineFormat("codex", "Codex rollouts (JSON Lines)", recognising.is_codex, _codex, _rollouts_of),
    LineFormat(
        "gemini",
        "Gemini CLI chats (JSON Lines or JSON)",
        recognising.is_gemini,
        _gemini,
        _chats_below,
    ),
    LineFormat(
        "otel", "OTLP JSON traces and logs of GenAI or OpenInference", recognising.is_otel, _otel
    ),
    LineFormat(
        "requests",
        "lists of requests to OpenAI or Anthropic models (JSON, JSON Lines)",
        recognising.is_requests,
        _requests,
    ),
)
SHARED: Final = LINE_FORMATS[-1]
"""Rows like its own stand in other logs too: the first row has to be one, or most of them."""
DATABASE_FORMATS: Final = (
    DatabaseFormat(
        "langgraph",
        "LangGraph and LangChain checkpoints (SQLite)",
        {
            "checkpoints": frozenset(
                ("thread_id", "checkpoint_ns", "checkpoint_id", "parent_checkpoint_id", "type")
            )
        },
        _langgraph,
    ),
    DatabaseFormat(
        "opencode",
        "opencode databases (SQLite)",
        {
            "session": frozenset(("id", "parent_id", "time_updated")),
            "message": frozenset(("id", "session_id", "data")),
            "part": frozenset(("id", "message_id", "session_id", "data")),
        },
        _opencode,
    ),
)


def recognise(start: bytes, *, whole: bool) -> LineFormat | None:
    """The format of a file that starts so; `whole`: there is no more of it.

    The first row that only one format has decides, so that of most files one row is read.
    """
    return _format_of_rows(first_rows(start, whole=whole))


def _format_of_rows(given: Iterable[object]) -> LineFormat | None:
    rows = shared = 0
    for row in given:
        found = next((each for each in LINE_FORMATS if each.recognises(row)), None)
        if found is not None and (found is not SHARED or not rows):
            return found
        rows += 1
        shared += found is SHARED
    return SHARED if shared and 2 * shared >= rows else None


def recognise_document(start: bytes) -> LineFormat | None:
    """The format of a JSON document by its start; null where that does not tell.

    What is cut is closed, so that nobody waits for hundreds of megabytes to be read; of a list
    only the elements that are there whole count.
    """
    for size in (SHORT_LOOK, LOOK):
        document = closed(start[:size])
        rows = document[:-1] if isinstance(document, list) else [document]
        found = _format_of_rows(rows)
        if found is not None or size >= len(start):
            return found
    return None


def first_rows(start: bytes, *, whole: bool) -> Iterator[Any]:
    """The JSON values at the start of a file: its first lines, or what it says as a whole."""
    lines = start.removeprefix(BOM).split(b"\n")
    rest = lines.pop()
    if whole:
        lines.append(rest)
    values = (decode(line) for line in lines[:MOST_ROWS] if line.strip())
    first = next(values, NOTHING)
    if first is NOTHING and whole:
        document = decode(start.removeprefix(BOM))
        if document is not NOTHING:
            yield from document if isinstance(document, list) else [document]
            return
    yield from (value for value in chain((first,), values) if value is not NOTHING)
